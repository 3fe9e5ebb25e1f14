"""What people are shown of a proxy sweep."""

from datetime import timedelta
from typing import Final

from application.sweeps import FindingsPage, SweepUnfinished, SweepUnknown
from domain.ids import Attempt
from domain.media.proxy_finding import Finding, FindingKind, FindingNumber
from domain.outcomes import CancelledNow, CancelRequested, Recovered
from domain.work_item import Status, WorkItem
from tests.support.builders import (
    LEASE,
    a_claim,
    a_failure,
    a_new_item,
    a_release,
    a_retry,
    a_success,
    an_id,
    claimed,
    enqueued,
)
from tests.support.clock import ManualClock
from tests.support.moves import asked_to_stop, sighted
from tests.support.reading import stored
from tests.support.sweeping import RESULT, SWEEP, Sweeping, a_finding, memory_sweeping, run_of

SOME: Final = tuple(a_finding(number) for number in range(1, 6))


async def shown(place: Sweeping, sweep: WorkItem, *, limit: int = 100) -> FindingsPage:
    """The first page; asserts that there is one."""
    page = await place.sweeps.findings(sweep.id, limit=limit)
    assert isinstance(page, FindingsPage)
    return page


async def test_the_findings_of_a_finished_sweep_are_shown() -> None:
    place = memory_sweeping()
    sweep = await place.swept(*SOME)

    page = await shown(place, sweep)

    assert page == FindingsPage(sweep, SOME, None)
    assert not page.is_partial


async def test_a_sweep_that_found_nothing_has_an_empty_page() -> None:
    place = memory_sweeping()
    sweep = await place.swept()

    assert await shown(place, sweep) == FindingsPage(sweep, (), None)


async def test_pages_follow_each_other_up_to_the_last_finding() -> None:
    place = memory_sweeping()
    sweep = await place.swept(*SOME)

    read: list[tuple[tuple[Finding, ...], FindingNumber | None]] = []
    after: FindingNumber | None = FindingNumber(0)
    while after is not None:
        page = await place.sweeps.findings(sweep.id, after=after, limit=2)
        assert isinstance(page, FindingsPage)
        read.append((page.findings, page.next))
        after = page.next

    assert read == [(SOME[:2], 2), (SOME[2:4], 4), (SOME[4:], None)]


async def test_a_page_that_holds_just_everything_is_the_last() -> None:
    place = memory_sweeping()
    sweep = await place.swept(*SOME)

    assert await shown(place, sweep, limit=5) == FindingsPage(sweep, SOME, None)


async def test_pages_of_one_kind_follow_each_other_too() -> None:
    place = memory_sweeping()
    found = [
        a_finding(number, what=FindingKind.MISSING_FILE if number % 2 else FindingKind.ORPHAN_FILE)
        for number in range(1, 6)
    ]
    sweep = await place.swept(*found)
    missing = {FindingKind.MISSING_FILE}

    first = await place.sweeps.findings(sweep.id, kinds=missing, limit=2)
    second = await place.sweeps.findings(sweep.id, kinds=missing, after=FindingNumber(3), limit=2)

    assert first == FindingsPage(sweep, (found[0], found[2]), FindingNumber(3))
    assert second == FindingsPage(sweep, (found[4],), None)


async def test_of_a_stopped_sweep_what_it_had_found_is_shown_as_a_part() -> None:
    place = memory_sweeping()
    sweep = await place.stopped(*SOME)

    page = await shown(place, sweep)

    assert page.findings == SOME
    assert page.is_partial


async def test_of_a_failed_sweep_nothing_is_shown() -> None:
    place = memory_sweeping()
    sweep = await place.swept(*SOME, end=a_failure)
    assert sweep.status is Status.FAILED

    assert await shown(place, sweep) == FindingsPage(sweep, (), None)


async def test_of_a_sweep_that_failed_when_it_was_to_stop_nothing_is_shown() -> None:
    place = memory_sweeping()
    running = await asked_to_stop(place.house, await place.running())
    await place.findings.record(run_of(running), SOME)
    await place.house.store.finish(running.id, a_failure(running.attempt))
    sweep = await stored(place.house.store, running.id)
    assert sweep.status is Status.CANCELLED

    page = await shown(place, sweep)

    assert page.findings == ()
    assert page.is_partial


async def test_of_a_sweep_that_was_cancelled_before_it_ran_nothing_is_shown() -> None:
    place = memory_sweeping()
    waiting = await enqueued(place.house.store, a_new_item(kind="proxy-sweep"))
    answer = await place.house.store.cancel(waiting)
    assert isinstance(answer, CancelledNow)

    assert await shown(place, answer.item) == FindingsPage(answer.item, (), None)


async def test_of_a_sweep_that_was_cancelled_when_its_worker_was_lost_nothing_is_shown() -> None:
    clock = ManualClock()
    place = memory_sweeping(clock)
    running = await place.running()
    await place.findings.record(run_of(running), SOME)
    assert isinstance(await place.house.store.cancel(running.id), CancelRequested)
    clock.advance(LEASE + timedelta(seconds=1))
    answer = await place.house.store.recover(await sighted(place.house, running.id), stall_limit=3)
    assert isinstance(answer, Recovered)
    assert answer.item.status is Status.CANCELLED

    assert await shown(place, answer.item) == FindingsPage(answer.item, (), None)


async def test_what_a_lost_attempt_goes_on_finding_is_not_shown() -> None:
    place = memory_sweeping()
    zombie = await place.running()
    await place.house.store.finish(zombie.id, a_release(zombie.attempt))
    running = await claimed(place.house.store, a_claim(kinds=SWEEP))
    await place.findings.record(run_of(running), SOME[:1])
    await place.house.store.finish(running.id, a_success(Attempt(2), result=RESULT))

    await place.findings.record(run_of(zombie), SOME)

    assert (await shown(place, running)).findings == SOME[:1]


async def test_of_a_sweep_that_waits_or_runs_nothing_is_shown_yet() -> None:
    place = memory_sweeping()
    running = await place.running()
    await place.findings.record(run_of(running), SOME)
    assert await place.sweeps.findings(running.id, limit=9) == SweepUnfinished(running)

    await place.house.store.finish(running.id, a_retry(running.attempt))

    waiting = await stored(place.house.store, running.id)
    assert await place.sweeps.findings(running.id, limit=9) == SweepUnfinished(waiting)


async def test_what_is_no_sweep_is_unknown() -> None:
    place = memory_sweeping()
    crawl = await enqueued(place.house.store, a_new_item(kind="crawl"))

    assert await place.sweeps.findings(crawl, limit=9) == SweepUnknown()
    assert await place.sweeps.findings(an_id(), limit=9) == SweepUnknown()
