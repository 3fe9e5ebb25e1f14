"""How lists are asked for and answered, newest change first."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from domain.feed import Epoch, FeedCursor
from domain.ids import KindName, StorageConfigId, UserId, WorkItemId
from domain.work_item import Status, WorkItem


@dataclass(frozen=True, slots=True)
class Schedule:
    """Who asked for work that nobody asked for: it was due."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which items a list shows; an empty set means all of them, and so does None."""

    statuses: frozenset[Status] = frozenset()
    kinds: frozenset[KindName] = frozenset()
    storage_config_id: StorageConfigId | None = None
    requested_by: UserId | Schedule | None = None


EVERYTHING = Filter()


@dataclass(frozen=True, slots=True)
class PageCursor:
    """Where the next page starts: after this item in the order of changes, newest first.

    `position` is the place of the item's latest change, a number of the store's own below 2**63.
    """

    epoch: Epoch
    position: int
    id: WorkItemId


@dataclass(frozen=True, slots=True)
class Page:
    """Some items, and where to go on; `next` is None on the last page. `as_of` is the store's clock.

    `cursor` is where the change feed goes on: it tells whatever this page could not see yet.
    """

    items: tuple[WorkItem, ...]
    next: PageCursor | None
    as_of: datetime
    cursor: FeedCursor


@dataclass(frozen=True, slots=True)
class PlaceLost:
    """The store has numbered its changes anew since the cursor was given out: begin again at the top."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many items there are of each kind and status, as of one instant of the store's clock."""

    by_kind: Mapping[KindName, Mapping[Status, int]]
    oldest_waiting_at: datetime | None
    as_of: datetime
