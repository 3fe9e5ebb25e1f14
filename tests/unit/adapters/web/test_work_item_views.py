"""How work items travel, whatever state they are in."""

from datetime import UTC, datetime, timedelta

import msgspec

from adapters.web.views.work_items import Limits, work_item_detail_view, work_item_view
from domain.attempt import AttemptEnd, EndedAttempt
from domain.events import Claim, Event, Fail, Heartbeat, Moment, RequestCancel, Retry, Stop, Succeed
from domain.failure import Failure
from domain.ids import Attempt, DedupKey, JsonText, KindName, StorageConfigId, UserId, WorkerName, WorkItemId
from domain.lifecycle import advance
from domain.moves import Moved
from domain.progress import Progress
from domain.work_item import NewWorkItem, WorkItem
from tests.support.ids import nth_id

NOON = datetime(2026, 11, 29, 12, 0, 0, 123_987, tzinfo=UTC)
LIMITS = Limits(stall_limit=3, max_retries={KindName("crawl"): 2})
FIRST = Attempt(1)


def a_crawl(*events: Event) -> WorkItem:
    """A crawl asked for at noon, with each event a second later."""
    new = NewWorkItem(
        id=WorkItemId(nth_id(1)),
        kind=KindName("crawl"),
        payload=JsonText('{"verify":true}'),
        storage_config_id=StorageConfigId(nth_id(2)),
        dedup_key=DedupKey("crawl:2"),
        requested_by=UserId(nth_id(3)),
    )
    item = new.queued_at(NOON)
    for second, event in enumerate(events, start=1):
        answer = advance(item, event, Moment(NOON + timedelta(seconds=second)))
        assert isinstance(answer, Moved)
        item = answer.item
    return item


def claim() -> Claim:
    return Claim(holder=WorkerName("all@nas-1#7"), lease_for=timedelta(seconds=60))


def wire(view: object) -> dict[str, object]:
    return msgspec.json.decode(msgspec.json.encode(view), type=dict[str, object])


def shown(*events: Event) -> dict[str, object]:
    return wire(work_item_view(a_crawl(*events), LIMITS))


def test_a_waiting_item_shows_every_field_and_null_where_nothing_applies() -> None:
    assert shown() == {
        "id": "00000000-0001-7000-8000-000000000000",
        "revision": 1,
        "kind": "crawl",
        "status": "queued",
        "storageConfigId": "00000000-0002-7000-8000-000000000000",
        "requestedBy": "00000000-0003-7000-8000-000000000000",
        "requestedAt": "2026-11-29T12:00:00.123Z",
        "runAfter": None,
        "startedAt": None,
        "finishedAt": None,
        "updatedAt": "2026-11-29T12:00:00.123Z",
        "leaseUntil": None,
        "cancelRequestedAt": None,
        "claimedBy": None,
        "attempt": 0,
        "stalls": 0,
        "retries": 0,
        "stallLimit": 3,
        "maxRetries": 2,
        "progress": {"done": 0, "total": None, "note": ""},
        "result": None,
        "partial": False,
        "error": None,
        "errorCode": None,
        "waitReason": None,
        "cancellable": True,
    }


def test_a_running_item_shows_its_lease_and_progress() -> None:
    beat = Heartbeat(FIRST, lease_for=timedelta(seconds=60), progress=Progress(1204, 3900, "12 failed"))

    view = shown(claim(), beat)

    assert view["status"] == "running"
    assert view["claimedBy"] == "all@nas-1#7"
    assert view["startedAt"] == "2026-11-29T12:00:01.123Z"
    assert view["leaseUntil"] == "2026-11-29T12:01:02.123Z"
    assert view["progress"] == {"done": 1204, "total": 3900, "note": "12 failed"}
    assert view["attempt"] == 1
    assert view["cancellable"] is True


def test_an_item_that_was_asked_to_stop_is_not_cancellable_again() -> None:
    view = shown(claim(), RequestCancel())

    assert view["status"] == "running"
    assert view["cancelRequestedAt"] == "2026-11-29T12:00:02.123Z"
    assert view["cancellable"] is False


def test_a_succeeded_item_carries_its_result_as_it_was_stored() -> None:
    view = shown(claim(), Succeed(FIRST, result=JsonText('{"found":12,"failed":0}')))

    assert view["status"] == "succeeded"
    assert view["result"] == {"found": 12, "failed": 0}
    assert view["partial"] is False
    assert view["finishedAt"] == "2026-11-29T12:00:02.123Z"
    assert view["leaseUntil"] is None
    assert view["cancellable"] is False


def test_a_failed_item_shows_why_and_how_far_it_came_but_no_result() -> None:
    failure = Failure("root-unreadable", "The folder cannot be read.")

    view = shown(claim(), Fail(FIRST, failure, progress=Progress(5, 10, "")))

    assert view["status"] == "failed"
    assert view["error"] == "The folder cannot be read."
    assert view["errorCode"] == "root-unreadable"
    assert view["progress"] == {"done": 5, "total": 10, "note": ""}
    assert view["result"] is None


def test_an_item_that_is_tried_again_shows_when_and_its_last_error() -> None:
    retry = Retry(FIRST, Failure("handler-error", "It failed."), wait=timedelta(seconds=30))

    view = shown(claim(), retry)

    assert view["status"] == "queued"
    assert view["runAfter"] == "2026-11-29T12:00:32.123Z"
    assert view["errorCode"] == "handler-error"
    assert view["retries"] == 1


def test_a_cancelled_run_marks_its_result_partial() -> None:
    view = shown(claim(), RequestCancel(), Stop(FIRST, partial=JsonText('{"found":3}')))

    assert view["status"] == "cancelled"
    assert view["result"] == {"found": 3}
    assert view["partial"] is True


def test_an_item_cancelled_while_it_waited_never_started() -> None:
    view = shown(RequestCancel())

    assert view["status"] == "cancelled"
    assert view["startedAt"] is None
    assert view["claimedBy"] is None
    assert view["cancelRequestedAt"] == "2026-11-29T12:00:01.123Z"


def test_the_detail_adds_the_payload_and_the_attempts() -> None:
    ended = EndedAttempt(
        attempt=FIRST,
        claimed_by=WorkerName("all@nas-1#7"),
        started_at=NOON,
        ended_at=NOON + timedelta(minutes=1),
        how=AttemptEnd.STALLED,
    )

    view = wire(work_item_detail_view(a_crawl(), [ended], LIMITS))

    assert view["payload"] == {"verify": True}
    assert view["kind"] == "crawl"
    assert view["attempts"] == [
        {
            "attempt": 1,
            "claimedBy": "all@nas-1#7",
            "startedAt": "2026-11-29T12:00:00.123Z",
            "endedAt": "2026-11-29T12:01:00.123Z",
            "how": "stalled",
            "error": None,
            "errorCode": None,
        }
    ]


def test_a_kind_without_retries_shows_none() -> None:
    view = wire(work_item_view(a_crawl(), Limits(stall_limit=5)))

    assert (view["stallLimit"], view["maxRetries"]) == (5, 0)
