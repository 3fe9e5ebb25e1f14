"""How lists are asked for and answered, newest change first."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

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
    """Where the next page starts: after this item in (updated_at, id), newest first."""

    updated_at: datetime
    id: WorkItemId


@dataclass(frozen=True, slots=True)
class Page:
    """Some items, and where to go on; `next` is None on the last page. `as_of` is the store's clock."""

    items: tuple[WorkItem, ...]
    next: PageCursor | None
    as_of: datetime


@dataclass(frozen=True, slots=True)
class Counts:
    """How many items there are of each kind and status, as of one instant of the store's clock."""

    by_kind: Mapping[KindName, Mapping[Status, int]]
    oldest_waiting_at: datetime | None
    as_of: datetime
