"""Why one file of a library could not be taken in. A code never holds a name."""

from enum import StrEnum


class FailureReason(StrEnum):
    """The stable words; a crawl's result counts its failed files by them.

    `timed-out` kept a processor busy for too long. `no-answer` took too long by the clock: a disk may have stalled.
    """

    EMPTY = "empty"
    UNSUPPORTED = "unsupported"
    TOO_LARGE = "too-large"
    TOO_MANY_PIXELS = "too-many-pixels"
    TRUNCATED = "truncated"
    DAMAGED = "damaged"
    TIMED_OUT = "timed-out"
    NO_ANSWER = "no-answer"
    OUT_OF_MEMORY = "out-of-memory"
    DECODER_CRASHED = "decoder-crashed"
    UNREADABLE = "unreadable"
    UNREADABLE_FOLDER = "unreadable-folder"
    PATH_TOO_LONG = "path-too-long"
    VANISHED = "vanished"
    NOT_REGULAR = "not-regular"
    CHANGED_WHILE_READ = "changed-while-read"
    INTERNAL = "internal"
