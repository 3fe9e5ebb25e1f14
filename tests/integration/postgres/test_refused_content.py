"""Content that PostgreSQL cannot keep is refused once and for all, and changes nothing (R16, R28)."""

from typing import Final

import pytest

from application.ports.errors import StoreRefused
from domain.events import RunEnd
from domain.failure import Failure
from domain.ids import Attempt
from domain.outcomes import Recorded
from domain.progress import Progress
from tests.support.builders import a_claim, a_failure, a_heartbeat, a_new_item, a_retry, a_stop, a_success
from tests.support.house import House
from tests.support.moves import Arranged
from tests.support.reading import everything, stored

FIRST: Final = Attempt(1)
SURROGATE: Final = "\udcff"

UNFIT: Final[dict[str, RunEnd]] = {
    "NUL in an error": a_failure(FIRST, code="a\0b"),
    "half a character in an error": a_failure(FIRST, code=SURROGATE),
    "half a character in a retry": a_retry(FIRST, code=SURROGATE),
    "NUL in a result": a_success(FIRST, result='{"a":"\\u0000"}' + "\0"),
    "no number in a result": a_success(FIRST, result='{"a":NaN}'),
    "no JSON in a partial result": a_stop(FIRST, partial="{"),
    "NUL in a note": a_success(FIRST, progress=Progress(1, None, "a\0b")),
}


@pytest.mark.parametrize("end", UNFIT.values(), ids=UNFIT)
async def test_an_unfit_end_is_refused_and_a_fit_one_is_taken(house: House, end: RunEnd) -> None:
    item = await Arranged(house).running()

    with pytest.raises(StoreRefused):
        await house.store.finish(item.id, end)
    with pytest.raises(StoreRefused):
        await house.store.finish_and_claim(item.id, end, a_claim())

    assert await stored(house.store, item.id) == item
    fit = a_failure(FIRST, code=Failure.bounded("result-invalid", "").code)
    assert await house.store.finish(item.id, fit) == Recorded()


async def test_an_unfit_note_is_refused_and_the_next_beat_is_heard(house: House) -> None:
    item = await Arranged(house).running()

    with pytest.raises(StoreRefused):
        await house.store.heartbeat(item.id, a_heartbeat(FIRST, progress=Progress(1, None, SURROGATE)))

    await house.store.heartbeat(item.id, a_heartbeat(FIRST, progress=Progress(1, None, "fine")))
    assert (await stored(house.store, item.id)).revision == item.revision + 1


@pytest.mark.parametrize("payload", ['{"a":"\0"}', "{", '{"a":NaN}', SURROGATE])
async def test_an_unfit_payload_is_refused_and_leaves_nothing(house: House, payload: str) -> None:
    with pytest.raises(StoreRefused):
        await house.store.insert(a_new_item(payload=payload))

    assert await everything(house.store) == {}


async def test_a_dedup_key_too_large_for_an_index_is_refused(house: House) -> None:
    # Every character different, or the server would squeeze it until it fits.
    key = "".join(chr(0x4E00 + number) for number in range(3_000))

    with pytest.raises(StoreRefused, match="54000"):
        await house.store.insert(a_new_item(dedup_key=key))


async def test_a_refusal_quotes_no_content(house: House) -> None:
    with pytest.raises(StoreRefused) as refusal:
        await house.store.insert(a_new_item(payload='{"folder":"/photos/secret"'))

    assert "secret" not in str(refusal.value)
