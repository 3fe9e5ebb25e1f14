"""What subscribers of the live stream are told, and how it gets the form that travels."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from domain.feed import Changes, FeedCursor, Lost


class Overflow(StrEnum):
    """Why a list is to be read again although its cursor is good; the word that a client is told."""

    TOO_MANY = "too-many"


class Farewell(StrEnum):
    """Why a stream ends; the word that a client is told."""

    SHUTDOWN = "shutdown"
    TOKEN_EXPIRED = "token-expired"  # noqa: S105 -- a word
    MAX_AGE = "max-age"
    FORBIDDEN = "forbidden"
    OVERLOADED = "overloaded"


@dataclass(frozen=True, slots=True)
class Hello:
    """The stream is open; `resumed` where it goes on from a cursor of the client's."""

    resumed: bool


@dataclass(frozen=True, slots=True)
class Synced:
    """Everything up to `cursor` was told: from now on changes come as they happen."""

    cursor: FeedCursor


@dataclass(frozen=True, slots=True)
class Reset:
    """Not everything can be told: read the list again. The stream goes on from `cursor`."""

    why: Lost | Overflow
    cursor: FeedCursor


@dataclass(frozen=True, slots=True)
class KeepAlive:
    """Nothing has happened. No event: only bytes, so that nobody on the way takes the stream for dead."""


@dataclass(frozen=True, slots=True)
class Bye:
    """The last event."""

    why: Farewell


Telling = Hello | Synced | Reset | KeepAlive | Bye


class StreamFrames(Protocol):
    """Encodes. A client that was told only a part of some changes knows just the cursor that it came with."""

    def frame(self, telling: Telling) -> bytes:
        """One of the small events."""
        ...

    def changes(self, changes: Changes) -> tuple[bytes, ...]:
        """The changes as events, cut into pieces between two of them.

        The very last event carries the new cursor, and none before it; with a rest to come none carries it.
        """
        ...
