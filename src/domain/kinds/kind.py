"""The kinds this version knows, and what a payload and a result are."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from domain.ids import KindName


class Kind(StrEnum):
    """What a work item is about; it picks the payload and the handler. An install has one enum of them."""

    @property
    def row_name(self) -> KindName:
        """The kind as it stands in a row."""
        return KindName(self.value)


class WorkKind(Kind):
    """The kinds of this version."""

    TOKEN_CLEANUP = "token-cleanup"  # noqa: S105 -- the name of a kind
    WORK_ITEM_RETENTION = "work-item-retention"
    CRAWL = "crawl"


@dataclass(frozen=True, slots=True)
class WorkPayload:
    """What a request for work says. Each kind has one record of its own, which names its kind.

    `periodic`: every worker schedules it by itself, so its registration needs a schedule.
    """

    kind: ClassVar[Kind]
    periodic: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class WorkResult:
    """What a run says at its end: counts and ids, never the name of a file or a folder."""
