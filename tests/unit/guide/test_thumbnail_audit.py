"""A kind that was added in the four steps of the guide is queued, run, retried, shown and cancelled like any other."""

from datetime import timedelta
from pathlib import Path

import pytest

from adapters.web.views.work_items import limits_of
from application.cancel import Cancel
from application.scheduling import PeriodicWork
from domain.attempt import AttemptEnd
from domain.failure import Failure
from domain.ids import DedupKey, JsonText
from domain.outcomes import CancelledNow, Coalesced, NotDue
from domain.progress import Progress
from domain.work_item import Cancelled, Failed, Queued, Status, Succeeded
from entrypoints.commands.item_words import line, outcome, status_word
from tests.support.clock import START
from tests.support.reading import state_of
from tests.support.web import ITEMS, a_web_client, ports_of
from tests.unit.guide.install import ADA, Install
from tests.unit.guide.thumbnail_audit.kind import GuideKind
from tests.unit.guide.thumbnail_audit.payload import ThumbnailAuditPayload

UNREADABLE = Failure("thumbnails-unreadable", "The thumbnails cannot be read now.")
KEY = DedupKey("thumbnail-audit")


@pytest.fixture
def install(tmp_path: Path) -> Install:
    return Install(tmp_path)


async def test_it_is_claimed_and_run_and_its_result_is_shown(install: Install) -> None:
    item = await install.an_audit()

    async with install.at_work():
        pass

    history = await install.history(item)
    succeeded = state_of(history.item, Succeeded)
    assert history.item.payload == '{"sampleSize":3}'
    assert succeeded.result == JsonText('{"checked":3,"broken":1}')
    assert succeeded.run.progress == Progress(3, 3)
    assert [(ended.how, ended.claimed_by) for ended in history.attempts] == [(AttemptEnd.SUCCEEDED, ADA)]
    assert outcome(history.item) == "checked 3, broken 1"


async def test_a_failure_is_tried_again_when_its_wait_is_over_and_not_before(install: Install) -> None:
    install.shelf.fault = OSError("/thumbnails/secret.webp")
    item = await install.an_audit()

    async with install.at_work():
        waiting = (await install.history(item)).item
        install.shelf.fault = None
        await install.pass_time(29.9)
        before = (await install.history(item)).item
        await install.pass_time(0.1)

    history = await install.history(item)
    assert waiting.state == Queued(run_after=START + timedelta(seconds=30), last_failure=UNREADABLE)
    assert before == waiting
    assert state_of(history.item, Succeeded).run.started_at == START + timedelta(seconds=30)
    assert (history.item.attempt, history.item.retries, history.item.stalls) == (2, 1, 0)
    assert [(ended.how, ended.failure) for ended in history.attempts] == [
        (AttemptEnd.RETRIED, UNREADABLE),
        (AttemptEnd.SUCCEEDED, None),
    ]


@pytest.mark.parametrize(
    ("chance", "seconds"),
    [(0.0, [30, 60, 120, 240, 480, 900, 900]), (0.5, [27, 54, 108, 216, 432, 810, 810])],
)
async def test_its_waits_double_up_to_15_minutes_and_chance_shortens_them(
    install: Install, chance: float, seconds: list[float]
) -> None:
    install.chance.number = chance
    install.shelf.fault = OSError()
    item = await install.an_audit()
    waits = []

    async with install.at_work():
        while isinstance((found := await install.history(item)).item.state, Queued):
            run_after = state_of(found.item, Queued).run_after
            assert run_after is not None
            waits.append((run_after - found.attempts[-1].ended_at).total_seconds())
            # Until the first poll after it.
            await install.pass_time((run_after - install.clock.now()).total_seconds() + 5)

    assert waits == seconds
    assert state_of(found.item, Failed).failure == UNREADABLE
    assert (found.item.attempt, found.item.retries, found.item.stalls) == (8, 7, 0)
    assert [ended.how for ended in found.attempts] == [*[AttemptEnd.RETRIED] * 7, AttemptEnd.FAILED]


async def test_what_another_try_cannot_mend_is_not_tried_again(install: Install) -> None:
    install.shelf.fault = FileNotFoundError()
    item = await install.an_audit()

    async with install.at_work():
        pass

    found = (await install.history(item)).item
    assert state_of(found, Failed).failure == Failure("thumbnails-gone", "There are no thumbnails here.")
    assert (found.attempt, found.retries) == (1, 0)


async def test_its_last_error_and_its_next_try_are_shown(install: Install) -> None:
    install.shelf.fault = OSError()
    item = await install.an_audit()
    async with install.at_work():
        found = (await install.history(item)).item
        limits = limits_of(GuideKind, stall_limit=3)
        async with a_web_client(ports_of(install.house), limits=limits) as web:
            shown = await web.json(f"{ITEMS}/{item}")
            listed = (await web.json(ITEMS))["items"]

    told = {
        "status": "queued",
        "runAfter": "2025-03-01T12:00:30.000Z",
        "error": "The thumbnails cannot be read now.",
        "errorCode": "thumbnails-unreadable",
        "attempt": 1,
        "retries": 1,
        "maxRetries": 7,
        "stalls": 0,
        "waitReason": "retry-at",
        "cancellable": True,
    }
    assert {name: shown[name] for name in told} == told
    assert [{name: one[name] for name in told} for one in listed] == [told]
    assert [(ended["how"], ended["errorCode"]) for ended in shown["attempts"]] == [
        ("retried", "thumbnails-unreadable")
    ]
    assert status_word(found) == "queued"
    words = "try 2 at 12:00:30 UTC · last error: thumbnails-unreadable: The thumbnails cannot be read now."
    assert outcome(found) == words
    assert line(found).endswith(f"  thumbnail-audit  queued  {words}")


async def test_a_cancel_ends_it_while_it_waits_for_its_next_try(install: Install) -> None:
    install.shelf.fault = OSError()
    item = await install.an_audit()
    async with install.at_work():
        answer = await Cancel(install.house.store).cancel(item)
        install.shelf.fault = None
        await install.pass_time(60)

    history = await install.history(item)
    assert isinstance(answer, CancelledNow)
    assert state_of(history.item, Cancelled).finished_at == START
    assert (history.item.attempt, history.item.retries) == (1, 1)
    assert [(ended.how, ended.failure) for ended in history.attempts] == [(AttemptEnd.RETRIED, UNREADABLE)]
    assert outcome(history.item) == "not run again"


async def test_while_it_waits_for_its_next_try_no_other_is_due_and_one_with_its_key_is_the_same(
    install: Install,
) -> None:
    install.shelf.fault = OSError()
    item = await install.an_audit(dedup_key=KEY)
    payload = ThumbnailAuditPayload(sample_size=3)
    async with install.at_work():
        # Long after the interval, but nobody has finished it.
        install.clock.advance(timedelta(seconds=29))
        due = await install.queue.enqueue_if_due(PeriodicWork(payload, KEY, timedelta(seconds=1)))
        again = await install.queue.enqueue(payload, dedup_key=KEY)
        waiting = (await install.history(item)).item

    assert waiting.status is Status.QUEUED
    assert (due, again) == (NotDue(), Coalesced(item))
