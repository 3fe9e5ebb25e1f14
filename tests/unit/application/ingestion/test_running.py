"""How a crawl stops, what it tells meanwhile, and how much it does at once."""

import asyncio
from contextlib import nullcontext
from pathlib import Path

import pytest

from application.handling import StopReason
from application.ingestion.ingest import Completed, Interrupted
from application.ingestion.tally import Tally
from application.ports.file_tree import OpenFile
from application.ports.image_renderer import Identified, Rendered, Unrenderable
from domain.media.content import MediaType
from domain.media.failure import FailureReason
from tests.support.crawling import Photos, no_renderer, some_photos


@pytest.fixture
async def photos(tmp_path: Path) -> Photos:
    return await some_photos(tmp_path)


async def test_a_stop_is_heeded_before_the_next_file(photos: Photos) -> None:
    for number in range(20):
        photos.put(f"{number:02}.jpg")

    def stop_after_three(tally: Tally) -> None:
        if tally.added == 3:
            photos.stop.request(StopReason.CANCEL_REQUESTED)

    outcome = await photos.crawl(report=stop_after_three, max_concurrent_files=1)

    assert isinstance(outcome, Interrupted)
    assert (outcome.tally.found, outcome.tally.processed, outcome.tally.added) == (20, 3, 3)


async def test_a_stop_after_the_last_file_is_no_interruption(photos: Photos) -> None:
    photos.put("a.jpg")

    def stop_at_the_end(tally: Tally) -> None:
        if tally.added == 1:
            photos.stop.request(StopReason.CANCEL_REQUESTED)

    outcome = await photos.crawl(report=stop_at_the_end)

    assert isinstance(outcome, Completed)


async def test_a_stop_before_the_first_file_leaves_all_of_them(photos: Photos) -> None:
    photos.put("a.jpg")
    photos.stop.request(StopReason.SHUTTING_DOWN)

    outcome = await photos.crawl(renderers=no_renderer)

    assert isinstance(outcome, Interrupted)
    assert outcome.tally.processed == 0


async def test_every_outcome_is_told_as_it_comes(photos: Photos) -> None:
    for number in range(3):
        photos.put(f"{number}.jpg")
    photos.put("broken.jpg", b"\xff\xd8\xffnothing")
    told: list[tuple[int, int, int, bool]] = []

    await photos.crawl(
        report=lambda tally: told.append((tally.processed, tally.found, tally.failed, tally.walk_is_over))
    )

    assert told[0] == (0, 4, 0, False)
    assert told[-1] == (4, 4, 1, True)
    assert sorted(told) == told


async def test_no_more_files_are_read_at_once_than_allowed(photos: Photos) -> None:
    for number in range(12):
        photos.put(f"{number}.jpg")
    counting = CountingRenderer()

    await photos.completed(renderers=lambda: nullcontext(counting), max_concurrent_files=3)

    assert counting.most == 3


class CountingRenderer:
    """Says no to everything, to three files at a time, and counts how many ask at once."""

    def __init__(self) -> None:
        self._three = asyncio.Barrier(3)
        self._now = 0
        self.most = 0

    async def identify(self, file: OpenFile) -> Identified | Unrenderable:
        self._now += 1
        self.most = max(self.most, self._now)
        assert file.signature.size > 0
        await self._three.wait()
        self._now -= 1
        return Unrenderable(FailureReason.DAMAGED)

    async def render(self, file: OpenFile, media_type: MediaType) -> Rendered | Unrenderable:
        raise AssertionError(f"{file} was to be decoded as {media_type}")


async def test_a_run_that_was_cut_off_is_completed_by_the_next(photos: Photos) -> None:
    for number in range(6):
        photos.put(f"{number}.jpg")

    def cut_off(tally: Tally) -> None:
        if tally.added == 2:
            crawl.cancel()

    crawl = asyncio.create_task(photos.crawl(report=cut_off))
    with pytest.raises(asyncio.CancelledError):
        await crawl
    tally = await photos.completed()

    assert tally.found == 6
    assert tally.unchanged >= 2
    assert tally.added + tally.unchanged == 6
