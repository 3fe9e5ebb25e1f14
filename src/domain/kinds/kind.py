"""The kinds this version knows, and what a payload and a result are."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Self

from domain.ids import KindName
from domain.retry import NO_RETRY, Backoff, RetryPolicy


class Kind(StrEnum):
    """What a work item is about; it picks the payload and the handler. An install has one enum of them.

    A kind whose failures are worth another try says so beside its name: `INDEX = "index", Backoff(max_retries=3)`.
    """

    retry: RetryPolicy

    def __new__(cls, name: str, retry: RetryPolicy = NO_RETRY) -> Self:
        """Take the name that stands in rows, and what becomes of a failure."""
        kind = str.__new__(cls, name)
        kind._value_ = name
        kind.retry = retry
        return kind

    @property
    def row_name(self) -> KindName:
        """The kind as it stands in a row."""
        return KindName(self.value)


class WorkKind(Kind):
    """The kinds of this version."""

    TOKEN_CLEANUP = "token-cleanup"  # noqa: S105 -- the name of a kind
    WORK_ITEM_RETENTION = "work-item-retention"
    CRAWL = "crawl"
    PROXY_SWEEP = "proxy-sweep"
    PROXY_DELETION = "proxy-deletion", Backoff(max_retries=5)


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
