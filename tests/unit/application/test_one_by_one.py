from application.one_by_one import OneByOne
from application.ports.errors import StoreUnavailable
from application.ports.journal import MachineFault
from tests.support.journal import RecordingJournal


class Rows:
    """Acts on numbers; some of them make trouble."""

    def __init__(self, **troubles: Exception) -> None:
        self.troubles = troubles
        self.journal = RecordingJournal()
        self.rows = OneByOne[str]("rows", self.journal)
        self.seen: list[str] = []

    async def act(self, row: str) -> None:
        self.seen.append(row)
        if row in self.troubles:
            raise self.troubles[row]

    async def round(self, rows: str) -> str:
        self.seen.clear()
        await self.rows.each(rows, self.act)
        return "".join(self.seen)


async def test_a_bad_row_never_stops_the_others() -> None:
    bad = ValueError("no")
    rows = Rows(b=bad)

    assert await rows.round("abc") == "abc"
    assert rows.journal.entries == [MachineFault("rows", bad)]
    assert rows.rows.troubled == {"b"}


async def test_rows_that_made_trouble_come_last_the_next_time() -> None:
    rows = Rows(a=ValueError(), b=StoreUnavailable())
    await rows.round("abcd")

    assert await rows.round("abcd") == "cdab"


async def test_a_row_that_is_well_again_has_its_place_back() -> None:
    rows = Rows(a=ValueError())
    await rows.round("ab")
    rows.troubles.clear()
    await rows.round("ab")

    assert await rows.round("ab") == "ab"


async def test_a_store_that_does_not_answer_three_times_in_a_row_ends_the_round() -> None:
    away = StoreUnavailable()
    rows = Rows(a=away, b=away, c=away)

    assert await rows.round("abcd") == "abc"
    assert await rows.round("abcd") == "dabc"


async def test_rows_that_are_gone_are_forgotten() -> None:
    rows = Rows(a=ValueError())
    await rows.round("ab")
    await rows.round("b")

    assert rows.rows.troubled == frozenset()
