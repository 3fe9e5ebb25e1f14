"""The cursor of a store that counts its changes one by one: how many of them somebody knows."""

import re
from dataclasses import dataclass
from typing import Final

from domain.feed import CursorLost, Epoch, FeedCursor, Lost, NoCursor, Rest

# So many digits always fit into a signed number of 64 bits.
PATTERN: Final = re.compile(r"(?P<epoch>[0-9a-z]{8})\.(?P<number>[0-9]{1,18})", re.ASCII)


@dataclass(frozen=True, slots=True)
class CountedCursor:
    """Every change up to this number is known."""

    epoch: Epoch
    number: int

    @property
    def text(self) -> FeedCursor:
        """The cursor as everybody else carries it."""
        return FeedCursor(f"{self.epoch}.{self.number}")


@dataclass(frozen=True, slots=True)
class Count:
    """How far a store has counted; tombstones up to the number `purged` are known no more."""

    epoch: Epoch
    newest: int
    purged: int

    @property
    def cursor(self) -> FeedCursor:
        """The cursor of somebody who knows everything."""
        return CountedCursor(self.epoch, self.newest).text


def judged(text: str, count: Count) -> CountedCursor | CursorLost | NoCursor:
    """What this text is worth, now that the store has counted so far."""
    found = PATTERN.fullmatch(text)
    if found is None:
        return NoCursor()
    cursor = CountedCursor(Epoch(found["epoch"]), int(found["number"]))
    why = _why_lost(cursor, count)
    return cursor if why is None else CursorLost(why, count.cursor)


def _why_lost(cursor: CountedCursor, count: Count) -> Lost | None:
    if cursor.epoch != count.epoch:
        return Lost.EPOCH
    if cursor.number > count.newest:
        return Lost.INVALID
    return Lost.EXPIRED if cursor.number < count.purged else None


@dataclass(frozen=True, slots=True)
class CountedRest:
    """What is left of a look: the changes after `told`, up to `seen`."""

    epoch: Epoch
    seen: int
    told: int

    @property
    def text(self) -> Rest:
        """The rest as whoever reads on carries it."""
        return Rest(f"{self.epoch}.{self.seen}.{self.told}")

    def is_readable(self, count: Count) -> bool:
        """Whether the store, which has counted so far, still knows all of it."""
        return self.epoch == count.epoch and self.told >= count.purged


def rest_from(text: Rest) -> CountedRest:
    """The rest that a look gave out."""
    epoch, seen, told = text.split(".")
    return CountedRest(Epoch(epoch), int(seen), int(told))
