"""What waiting items wait for."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from domain.ids import JsonText, KindName, WorkItemId
from domain.outlook import Head, WaitReason, outlook
from domain.scope import AllScopes
from domain.work_item import NewWorkItem, Queued, WorkItem
from tests.support.ids import nth_id

NOW = datetime(2026, 11, 29, 14, 0, tzinfo=UTC)


def an_item(number: int, *, run_after: datetime | None = None) -> WorkItem:
    """Asked for `number` seconds ago."""
    new = NewWorkItem(id=WorkItemId(nth_id(number)), kind=KindName("crawl"), payload=JsonText("{}"))
    return replace(new.queued_at(NOW - timedelta(seconds=number)), state=Queued(run_after=run_after))


def head(item: WorkItem) -> Head:
    return Head(item.id, item.requested_at, item.storage_config_id)


def test_one_that_came_after_the_picture_was_taken_is_behind_whoever_stood_first() -> None:
    first, new = an_item(9), an_item(1)

    seen = outlook([head(first)], [], [AllScopes()], as_of=NOW)

    assert (seen.reason(first), seen.reason(new)) == (WaitReason.NEXT, WaitReason.BEHIND)


def test_one_that_finds_the_line_empty_is_next() -> None:
    assert outlook([], [], [AllScopes()], as_of=NOW).reason(an_item(1)) is WaitReason.NEXT


def test_a_try_that_is_due_just_now_is_no_longer_waited_for() -> None:
    seen = outlook([], [], [AllScopes()], as_of=NOW)

    assert seen.reason(an_item(1, run_after=NOW)) is WaitReason.NEXT
    assert seen.reason(an_item(1, run_after=NOW + timedelta(microseconds=1))) is WaitReason.RETRY_AT
