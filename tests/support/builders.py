"""Things to test with. Each builder fills in what its test does not care about."""

from datetime import timedelta
from typing import Final

from application.ports.claims import ClaimRequest, WorkClaims
from application.ports.inbox import WorkInbox
from domain.events import Fail, Heartbeat, Release, Retry, Stop, Succeed
from domain.failure import Failure
from domain.ids import Attempt, DedupKey, JsonText, KindName, StorageConfigId, UserId, WorkerName, WorkItemId
from domain.outcomes import Created
from domain.progress import Progress
from domain.scope import AllScopes, Scope
from domain.work_item import NewWorkItem, WorkItem
from tests.support.ids import CountingIds

LEASE: Final = timedelta(seconds=60)
STALL_LIMIT: Final = 3

CLEANUP: Final = KindName("token-cleanup")
CRAWL: Final = KindName("crawl")
KNOWN_KINDS: Final = frozenset({CLEANUP, CRAWL})

ADA: Final = WorkerName("worker-ada")
BOB: Final = WorkerName("worker-bob")

ids: Final = CountingIds()
"""Gives every item, user and config of a test run its id."""


def an_id() -> WorkItemId:
    """An id that no item has yet."""
    return WorkItemId(ids.next())


def a_new_item(  # noqa: PLR0913 -- the fields of a new item
    *,
    id: WorkItemId | None = None,  # noqa: A002 -- the field's own name
    kind: str = CLEANUP,
    payload: str = "{}",
    storage_config_id: StorageConfigId | None = None,
    dedup_key: str | None = None,
    requested_by: UserId | None = None,
) -> NewWorkItem:
    """A request for work."""
    return NewWorkItem(
        id=id or an_id(),
        kind=KindName(kind),
        payload=JsonText(payload),
        storage_config_id=storage_config_id,
        dedup_key=None if dedup_key is None else DedupKey(dedup_key),
        requested_by=requested_by,
    )


def a_claim(
    *,
    by: WorkerName = ADA,
    scope: Scope | None = None,
    kinds: frozenset[KindName] = KNOWN_KINDS,
    lease_for: timedelta = LEASE,
    limit: int = 1,
) -> ClaimRequest:
    """A request for a claim: by anybody's leave, of every known kind."""
    return ClaimRequest(scope=scope or AllScopes(), kinds=kinds, holder=by, lease_for=lease_for, limit=limit)


def a_heartbeat(
    attempt: Attempt, *, progress: Progress | None = None, lease_for: timedelta = LEASE
) -> Heartbeat:
    """A beat of this attempt."""
    return Heartbeat(attempt=attempt, lease_for=lease_for, progress=progress)


def a_success(
    attempt: Attempt, *, result: str = '{"deleted":3}', progress: Progress | None = None
) -> Succeed:
    """This attempt's good end."""
    return Succeed(attempt=attempt, result=JsonText(result), progress=progress)


def a_failure(attempt: Attempt, *, code: str = "root-unreadable", progress: Progress | None = None) -> Fail:
    """This attempt's failure for good."""
    return Fail(attempt=attempt, failure=a_reason(code), progress=progress)


def a_retry(
    attempt: Attempt, *, code: str = "handler-error", wait: timedelta = timedelta(seconds=30)
) -> Retry:
    """This attempt's failure that is to be tried again."""
    return Retry(attempt=attempt, failure=a_reason(code), wait=wait)


def a_stop(attempt: Attempt, *, partial: str = '{"deleted":1}', progress: Progress | None = None) -> Stop:
    """This attempt's stop on request."""
    return Stop(attempt=attempt, partial=JsonText(partial), progress=progress)


def a_release(attempt: Attempt) -> Release:
    """This attempt handed back."""
    return Release(attempt=attempt)


def a_reason(code: str = "root-unreadable") -> Failure:
    """Why something failed."""
    return Failure(code=code, text="It could not be read.")


async def enqueued(inbox: WorkInbox, new: NewWorkItem | None = None) -> WorkItemId:
    """A waiting item; asserts that it was created."""
    new = new or a_new_item()
    answer = await inbox.insert(new)
    assert answer == Created(new.id)
    return new.id


async def claimed(
    claims: WorkClaims, request: ClaimRequest | None = None, *, by: WorkerName = ADA
) -> WorkItem:
    """The oldest ready item, now running; asserts that there was one."""
    items = await claims.claim(request or a_claim(by=by))
    assert len(items) == 1
    return items[0]
