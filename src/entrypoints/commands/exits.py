"""How commands end: the exit codes, and the errors that say in one line what to do."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What a script can rely on."""

    OK = 0
    ERROR = 1
    USAGE = 2
    NOT_FOUND = 3
    CONFLICT = 4
    VERSION = 5
    ITEM_FAILED = 10
    ITEM_CANCELLED = 11
    UNAVAILABLE = 69
    CONFIG = 78
    INTERRUPTED = 130


class CommandError(Exception):
    """A command that could not do what it was asked; the message is the one line that is shown."""

    def __init__(self, message: str, code: ExitCode = ExitCode.ERROR) -> None:
        """Take the line and the exit code."""
        super().__init__(message)
        self.code = code
