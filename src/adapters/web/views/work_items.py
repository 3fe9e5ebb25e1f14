"""Work items on the wire: one flat record, whatever state an item is in."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from msgspec import Raw, Struct
from msgspec.structs import asdict

from adapters.web.views.instants import Instant, instant, instant_or_null
from domain.attempt import EndedAttempt
from domain.flat_state import flattened
from domain.ids import KindName
from domain.kinds.kind import Kind, WorkKind
from domain.outlook import Outlook
from domain.retry import max_retries
from domain.work_item import TERMINAL, WorkItem


@dataclass(frozen=True, slots=True)
class Limits:
    """What clients need to know of the settings to make sense of an item's counters.

    `max_retries` of a kind that is not named here is 0.
    """

    stall_limit: int
    max_retries: Mapping[KindName, int] = field(default_factory=dict)


def limits_of(kinds: Iterable[Kind] = WorkKind, *, stall_limit: int) -> Limits:
    """The limits of an install's kinds."""
    return Limits(stall_limit, {kind.row_name: max_retries(kind.retry) for kind in kinds})


class ProgressView(Struct, frozen=True):
    """How far the latest run has come; a null total is not known yet."""

    done: int
    total: int | None
    note: str


class WorkItemView(Struct, frozen=True, kw_only=True, rename="camel"):
    """A work item as lists, events and answers show it. What does not apply is null, never absent."""

    id: str
    revision: int
    kind: str
    status: str
    storage_config_id: str | None
    requested_by: str | None
    requested_at: Instant
    run_after: Instant | None
    started_at: Instant | None
    finished_at: Instant | None
    updated_at: Instant
    lease_until: Instant | None
    cancel_requested_at: Instant | None
    claimed_by: str | None
    attempt: int
    stalls: int
    retries: int
    stall_limit: int
    max_retries: int
    progress: ProgressView
    result: Raw | None
    partial: bool
    error: str | None
    error_code: str | None
    wait_reason: str | None
    cancellable: bool


class AttemptView(Struct, frozen=True, kw_only=True, rename="camel"):
    """One run of an item that is over."""

    attempt: int
    claimed_by: str
    started_at: Instant
    ended_at: Instant
    how: str
    error: str | None
    error_code: str | None


class WorkItemDetailView(WorkItemView, frozen=True, kw_only=True, rename="camel"):
    """A work item with what was asked for and how its runs ended."""

    payload: Raw
    attempts: tuple[AttemptView, ...]


class WorkItemPageView(Struct, frozen=True, kw_only=True, rename="camel"):
    """Some items, newest change first; a null `nextCursor` says that these are the last.

    A stream that begins at `eventCursor` tells every change that this page could not show yet.
    """

    items: tuple[WorkItemView, ...]
    next_cursor: str | None
    event_cursor: str
    server_time: Instant


def work_item_view(item: WorkItem, limits: Limits, outlook: Outlook | None = None) -> WorkItemView:
    """The item as everybody may see it who may see items at all. Without an outlook nobody knows why it waits."""
    flat = flattened(item.state)
    reason = None if outlook is None else outlook.reason(item)
    return WorkItemView(
        id=str(item.id),
        revision=item.revision,
        kind=item.kind,
        status=item.status.value,
        storage_config_id=_text_or_null(item.storage_config_id),
        requested_by=_text_or_null(item.requested_by),
        requested_at=instant(item.requested_at),
        run_after=instant_or_null(flat.run_after),
        started_at=instant_or_null(flat.started_at),
        finished_at=instant_or_null(flat.finished_at),
        updated_at=instant(item.updated_at),
        lease_until=instant_or_null(flat.lease_until),
        cancel_requested_at=instant_or_null(flat.cancel_requested_at),
        claimed_by=flat.claimed_by,
        attempt=item.attempt,
        stalls=item.stalls,
        retries=item.retries,
        stall_limit=limits.stall_limit,
        max_retries=limits.max_retries.get(item.kind, 0),
        progress=ProgressView(flat.progress.done, flat.progress.total, flat.progress.note),
        result=None if flat.result is None else Raw(flat.result.encode()),
        partial=flat.partial,
        error=None if flat.failure is None else flat.failure.text,
        error_code=None if flat.failure is None else flat.failure.code,
        wait_reason=None if reason is None else reason.value,
        # Asking a running item twice changes nothing, so it is not offered twice.
        cancellable=item.status not in TERMINAL and flat.cancel_requested_at is None,
    )


def work_item_detail_view(
    item: WorkItem, attempts: Iterable[EndedAttempt], limits: Limits, outlook: Outlook | None = None
) -> WorkItemDetailView:
    """The same with its payload and its history."""
    return WorkItemDetailView(
        **asdict(work_item_view(item, limits, outlook)),
        payload=Raw(item.payload.encode()),
        attempts=tuple(attempt_view(attempt) for attempt in attempts),
    )


def attempt_view(ended: EndedAttempt) -> AttemptView:
    """How one run ended."""
    return AttemptView(
        attempt=ended.attempt,
        claimed_by=ended.claimed_by,
        started_at=instant(ended.started_at),
        ended_at=instant(ended.ended_at),
        how=ended.how.value,
        error=None if ended.failure is None else ended.failure.text,
        error_code=None if ended.failure is None else ended.failure.code,
    )


def _text_or_null(id_: UUID | None) -> str | None:
    return None if id_ is None else str(id_)
