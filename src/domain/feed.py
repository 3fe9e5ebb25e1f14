"""What the live view is told: each change of an item, and that it went, and never a gap between two tellings."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from domain.ids import WorkItemId
from domain.work_item import WorkItem

FeedCursor = NewType("FeedCursor", str)
"""Up to where somebody knows every change. What it says is its store's own affair; `[0-9A-Za-z._-]{1,120}`."""

Epoch = NewType("Epoch", str)
"""Whose numbers a cursor speaks of: a store gets another one whenever its old cursors are of no use any more."""

Rest = NewType("Rest", str)
"""Where a long catch-up goes on. Good for the store that gave it, and for as long as it runs."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Items as they stand, in the order of their latest change, and the ids of items that are gone.

    `cursor` is where the next look starts. While there is a `rest`, it is not all: whoever stops before the rest
    was read must start again from the cursor that they came with.
    """

    items: tuple[WorkItem, ...]
    removed: tuple[WorkItemId, ...]
    cursor: FeedCursor
    rest: Rest | None = None


class Lost(StrEnum):
    """Why a cursor is of no use any more; the word that a client is told."""

    EXPIRED = "cursor-expired"
    INVALID = "cursor-invalid"
    EPOCH = "epoch"


@dataclass(frozen=True, slots=True)
class CursorLost:
    """Nobody can tell what changed since: read everything again, and go on from `cursor`."""

    why: Lost
    cursor: FeedCursor


@dataclass(frozen=True, slots=True)
class NoCursor:
    """The text is no cursor at all."""


FeedAnswer = Changes | CursorLost | NoCursor
