"""What every SQL store promises about the findings of sweeps that leave."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final

import pytest
import sqlalchemy as sa

from adapters.sql import purge
from adapters.sql.engine import Database
from domain.media.proxy_finding import FindingKind
from domain.work_item import WorkItem
from tests.support.sweeping import Sweeping, a_finding, run_of

A_MONTH: Final = timedelta(days=30)
A_WEEK: Final = timedelta(days=7)


class LeavingFindingsContract:
    """However much a sweep has found, it can leave; until then its findings stay."""

    async def test_findings_leave_ahead_of_their_sweep_and_some_at_a_time(
        self, place: Sweeping, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(purge, "FINDINGS", 10)
        sweep = await place.swept(*(a_finding(number) for number in range(1, 26)))
        await place.house.age(A_MONTH)
        later = await place.swept(a_finding(1))

        with told_of_deleted_findings(place) as numbers:
            gone = await place.house.store.purge(older_than=A_WEEK, limit=10)

        assert (gone, numbers) == (1, [10, 10, 5])
        assert await numbers_of(place, sweep) == []
        assert await numbers_of(place, later) == [1]

    async def test_an_old_sweep_that_is_the_newest_keeps_its_findings(self, place: Sweeping) -> None:
        sweep = await place.swept(a_finding(1), a_finding(2))
        await place.house.age(A_MONTH)

        assert await place.house.store.purge(older_than=A_WEEK, limit=10) == 0

        assert await numbers_of(place, sweep) == [1, 2]


async def numbers_of(place: Sweeping, sweep: WorkItem) -> list[int]:
    """Those of its findings that are there."""
    page = await place.findings.page(run_of(sweep), kinds=frozenset(FindingKind), limit=100)
    return [finding.number for finding in page]


@contextmanager
def told_of_deleted_findings(place: Sweeping) -> Iterator[list[int]]:
    """How many each statement deletes."""
    database = place.house.transactions
    assert isinstance(database, Database)
    numbers: list[int] = []

    def listen(_c: object, cursor: Any, statement: str, *_: object) -> None:  # noqa: ANN401 -- the driver's own
        if "DELETE FROM proxy_sweep_findings" in statement:
            numbers.append(cursor.rowcount)

    sa.event.listen(database._engine, "after_cursor_execute", listen)
    yield numbers
    sa.event.remove(database._engine, "after_cursor_execute", listen)
