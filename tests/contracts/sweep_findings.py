"""What every store promises about the findings of proxy sweeps (S-21)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest

from application.ports.errors import StoreRefused
from domain.attempt import RunId
from domain.ids import Attempt, StorageConfigId
from domain.media.proxy_finding import Amount, Finding, FindingKind, FindingNumber
from tests.support.builders import a_claim, a_new_item, a_release, an_id, claimed, enqueued, ids
from tests.support.sweeping import SWEEP, Sweeping, a_finding, run_of

A_MONTH: Final = timedelta(days=30)
EVERY_KIND: Final = frozenset(FindingKind)
MANY: Final = 10_000


async def all_of(place: Sweeping, run: RunId) -> tuple[Finding, ...]:
    """Everything that a run has found."""
    return await place.findings.page(run, kinds=EVERY_KIND, limit=MANY + 1)


class RecordedFindingsContract:
    """Findings are kept as they were found, each once, with the run that found them."""

    async def test_findings_come_back_as_they_were(self, place: Sweeping) -> None:
        orphan = a_finding(1, size=2**62, modified_at=datetime(1970, 1, 1, 0, 0, 0, 1_000, tzinfo=UTC))
        leftover = a_finding(2, what=FindingKind.TEMPORARY_LEFTOVER, size=0)
        missing = a_finding(3, what=FindingKind.MISSING_FILE)

        item = await place.swept(orphan, leftover, missing)

        assert await all_of(place, run_of(item)) == (orphan, leftover, missing)

    async def test_findings_told_twice_are_kept_once_and_as_they_were_first(self, place: Sweeping) -> None:
        first, second, third = (a_finding(number) for number in (1, 2, 3))
        run = run_of(await place.running())

        await place.findings.record(run, (first, second))
        await place.findings.record(run, (replace(second, size=7), third))

        assert await all_of(place, run) == (first, second, third)

    async def test_nothing_is_recorded_of_nothing(self, place: Sweeping) -> None:
        run = run_of(await place.running())

        await place.findings.record(run, ())

        assert await all_of(place, run) == ()

    async def test_a_sweep_that_is_gone_gets_no_findings(self, place: Sweeping) -> None:
        with pytest.raises(StoreRefused):
            await place.findings.record(RunId(an_id(), Attempt(1)), (a_finding(1),))

    async def test_what_another_attempt_has_found_never_shows(self, place: Sweeping) -> None:
        owner = StorageConfigId(ids.next())
        zombie = await place.running()
        await place.house.store.finish(zombie.id, a_release(zombie.attempt))
        sweep = await claimed(place.house.store, a_claim(kinds=SWEEP))
        assert (sweep.id, sweep.attempt) == (zombie.id, 2)
        found = a_finding(1, owner=owner, size=30)

        await place.findings.record(run_of(sweep), (found,))
        await place.findings.record(run_of(zombie), (a_finding(1, owner=owner), a_finding(2, owner=owner)))

        assert await all_of(place, run_of(sweep)) == (found,)
        assert await place.findings.numbered(run_of(sweep), [FindingNumber(1), FindingNumber(2)]) == (found,)
        assert await place.findings.deletable(run_of(sweep)) == {owner: Amount(1, 30)}

    async def test_what_another_sweep_has_found_never_shows(self, place: Sweeping) -> None:
        owner = StorageConfigId(ids.next())
        other, found = a_finding(1, owner=owner), a_finding(1, owner=owner, size=30)
        await place.swept(other, a_finding(2, owner=owner))

        run = run_of(await place.swept(found))

        assert await all_of(place, run) == (found,)
        assert await place.findings.numbered(run, [FindingNumber(1), FindingNumber(2)]) == (found,)
        assert await place.findings.deletable(run) == {owner: Amount(1, 30)}

    async def test_findings_of_every_attempt_leave_with_their_sweep(self, place: Sweeping) -> None:
        released = await place.running()
        await place.findings.record(run_of(released), (a_finding(1),))
        await place.house.store.finish(released.id, a_release(released.attempt))
        sweep = await place.swept(a_finding(1))
        await place.house.age(A_MONTH)
        later = await place.swept(found := a_finding(1))

        assert await place.house.store.purge(older_than=A_MONTH - timedelta(days=1), limit=10) == 1

        assert sweep.id == released.id
        assert await all_of(place, run_of(released)) == ()
        assert await all_of(place, run_of(sweep)) == ()
        assert await all_of(place, run_of(later)) == (found,)

    async def test_findings_leave_with_the_config_that_their_item_was_for(self, place: Sweeping) -> None:
        config = await place.house.a_config()
        new = a_new_item(kind="proxy-sweep", storage_config_id=config)
        run = RunId(await enqueued(place.house.store, new), Attempt(1))
        await place.findings.record(run, (a_finding(1),))

        await place.house.storage_configs.remove(config)

        assert await all_of(place, run) == ()

    async def test_findings_stay_when_their_owner_leaves(self, place: Sweeping) -> None:
        config = await place.house.a_config()
        sweep = await place.swept(found := a_finding(1, owner=config))

        await place.house.storage_configs.remove(config)

        assert await all_of(place, run_of(sweep)) == (found,)


class FindingPagesContract:
    """Findings are read in the order of their numbers, whoever asks for which."""

    async def test_pages_lose_and_repeat_nothing(self, place: Sweeping) -> None:
        found = tuple(a_finding(number) for number in range(1, 24))
        run = run_of(await place.swept(*reversed(found)))

        read: list[Finding] = []
        after = FindingNumber(0)
        while some := await place.findings.page(run, kinds=EVERY_KIND, after=after, limit=5):
            assert len(some) <= 5
            read += some
            after = some[-1].number

        assert tuple(read) == found

    async def test_only_the_kinds_that_were_asked_for_are_read(self, place: Sweeping) -> None:
        orphan = a_finding(1)
        leftover = a_finding(2, what=FindingKind.TEMPORARY_LEFTOVER)
        missing = a_finding(3, what=FindingKind.MISSING_FILE)
        another = a_finding(4)
        run = run_of(await place.swept(orphan, leftover, missing, another))
        files = {FindingKind.ORPHAN_FILE, FindingKind.MISSING_FILE}

        assert await place.findings.page(run, kinds=files, limit=2) == (orphan, missing)
        assert await place.findings.page(run, kinds=files, after=missing.number, limit=2) == (another,)
        assert await place.findings.page(run, kinds=frozenset(), limit=2) == ()

    async def test_only_the_files_of_the_owners_that_were_asked_for_are_read(self, place: Sweeping) -> None:
        ada, bob, eve = (StorageConfigId(ids.next()) for _ in range(3))
        of_ada, of_bob, of_eve = (a_finding(n, owner=whose) for n, whose in enumerate((ada, bob, eve), 1))
        run = run_of(await place.swept(of_ada, of_bob, of_eve))
        page = place.findings.page

        assert await page(run, kinds=EVERY_KIND, owners=[ada, eve], limit=9) == (of_ada, of_eve)
        assert await page(run, kinds=EVERY_KIND, owners=[ada, eve], limit=1) == (of_ada,)
        assert await page(run, kinds=EVERY_KIND, owners=[], limit=9) == ()
        assert await page(run, kinds=EVERY_KIND, limit=9) == (of_ada, of_bob, of_eve)

    async def test_thousands_of_numbers_are_found_at_once(self, place: Sweeping) -> None:
        found = tuple(a_finding(number) for number in (1, 999, 1_000, 1_001, 2_000, MANY))
        run = run_of(await place.swept(*found))
        everything = {FindingNumber(number) for number in range(1, MANY + 1)}

        assert await place.findings.numbered(run, everything) == found
        assert await place.findings.numbered(run, everything - {FindingNumber(1)}) == found[1:]
        assert await place.findings.numbered(run, ()) == ()

    async def test_what_could_be_deleted_is_counted_for_each_owner(self, place: Sweeping) -> None:
        ada, bob, eve = (StorageConfigId(ids.next()) for _ in range(3))
        run = run_of(
            await place.swept(
                a_finding(1, owner=ada, size=2**52),
                a_finding(2, owner=ada, size=2**52, what=FindingKind.TEMPORARY_LEFTOVER),
                a_finding(3, owner=ada, size=5, what=FindingKind.MISSING_FILE),
                a_finding(4, owner=bob, size=30),
                a_finding(5, owner=eve, what=FindingKind.MISSING_FILE),
            )
        )

        assert await place.findings.deletable(run) == {ada: Amount(2, 2**53), bob: Amount(1, 30)}
        assert await place.findings.deletable(RunId(run.work_item_id, Attempt(2))) == {}
