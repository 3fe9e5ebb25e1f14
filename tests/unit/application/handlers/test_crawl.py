"""The crawl as work: its result, its progress, its stable failures."""

from dataclasses import replace
from pathlib import Path

import pytest

from application.handlers.crawl import CrawlHandler
from application.handling import PermanentError, Run, Stopped, StopReason, WorkError
from application.ingestion.ingest import Ingest
from domain.attempt import RunId
from domain.ids import Attempt, StorageConfigId
from domain.kinds.crawl import CrawlPayload, CrawlResult
from domain.progress import Progress
from tests.support.builders import an_id, ids
from tests.support.crawling import Labelled, Photos, labelled, no_renderer, some_photos
from tests.support.photos import written


@pytest.fixture
async def photos(tmp_path: Path) -> Photos:
    return await some_photos(tmp_path)


def a_handler(photos: Photos) -> CrawlHandler:
    return CrawlHandler(photos.house.storage_configs, Ingest(photos.surroundings))


def a_run(
    config: StorageConfigId, *, verify: bool = False, accept_removals: bool = False
) -> Run[CrawlPayload]:
    payload = CrawlPayload(storage_config_id=config, verify=verify, accept_removals=accept_removals)
    return Run(RunId(an_id(), Attempt(1)), payload)


async def test_a_crawl_says_what_it_did(photos: Photos) -> None:
    photos.put("a.jpg")
    photos.put("b/c.jpg")
    photos.put("broken.jpg", b"\xff\xd8\xffnothing")
    photos.put("empty.png", b"")
    run = a_run(photos.folder.config)

    result = await a_handler(photos).handle(run)

    assert result == CrawlResult(
        found=4,
        processed=4,
        new=2,
        updated=0,
        moved=0,
        returned=0,
        missing=0,
        skipped=0,
        failed=2,
        failed_by_reason={"damaged": 1, "empty": 1},
    )
    assert run.progress.latest == Progress(done=4, total=4, note="2 failed")


async def test_a_second_run_converges(photos: Photos) -> None:
    photos.put("a.jpg")
    await a_handler(photos).handle(a_run(photos.folder.config))

    result = await a_handler(photos).handle(a_run(photos.folder.config))

    assert result == CrawlResult(
        found=1, processed=1, new=0, updated=0, moved=0, returned=0, missing=0, skipped=1, failed=0
    )


async def test_a_crawl_that_is_asked_to_stop_tells_what_it_had_done(photos: Photos) -> None:
    photos.put("a.jpg")
    run = a_run(photos.folder.config)
    run.cancel.request(StopReason.CANCEL_REQUESTED)

    answer = await a_handler(photos).handle(run)

    assert isinstance(answer, Stopped)
    assert isinstance(answer.result, CrawlResult)
    assert answer.result.processed == 0


async def test_an_unreadable_root_has_a_code_of_its_own_and_its_text_names_nothing(photos: Photos) -> None:
    photos.root.rmdir()

    with pytest.raises(WorkError) as failure:
        await a_handler(photos).handle(a_run(photos.folder.config))

    assert failure.value.code == "root-unreadable"
    assert failure.value.text == "The photo folder cannot be read: No such file or directory."


async def test_unwritable_proxies_have_a_code_of_their_own_and_its_text_names_nothing(photos: Photos) -> None:
    photos.put("a.jpg")
    written(photos.proxies, b"not a folder")

    with pytest.raises(WorkError) as failure:
        await a_handler(photos).handle(a_run(photos.folder.config))

    assert failure.value.code == "proxies-unwritable"
    assert failure.value.text == "The proxies folder cannot be written to: File exists."


async def test_decoders_that_do_not_start_have_a_code_of_their_own(
    photos: Photos, monkeypatch: pytest.MonkeyPatch
) -> None:
    photos.put("a.jpg")
    monkeypatch.setattr("sys.executable", "/bin/false")

    with pytest.raises(WorkError) as failure:
        await a_handler(photos).handle(a_run(photos.folder.config))

    assert failure.value.code == "renderer-unavailable"


async def test_a_config_that_is_gone_is_never_tried_again(photos: Photos) -> None:
    with pytest.raises(PermanentError) as failure:
        await a_handler(photos).handle(a_run(StorageConfigId(ids.next())))

    assert failure.value.code == "config-unknown"


async def test_verify_asks_for_every_file(photos: Photos) -> None:
    photos.put("a.jpg")
    await photos.completed()
    reading_nothing = CrawlHandler(
        photos.house.storage_configs, Ingest(replace(photos.surroundings, renderers=no_renderer))
    )

    result = await reading_nothing.handle(a_run(photos.folder.config, verify=True))

    assert isinstance(result, CrawlResult)
    assert result.failed == 1


async def test_too_much_that_is_gone_has_a_code_of_its_own_and_is_told_in_numbers(photos: Photos) -> None:
    for number in range(30):
        photos.put(f"{number:02}.jpg", labelled(str(number)))
    await photos.completed(renderers=Labelled)
    for number in range(25):
        (photos.root / f"{number:02}.jpg").unlink()

    with pytest.raises(WorkError) as failure:
        await a_handler(photos).handle(a_run(photos.folder.config))

    assert failure.value.code == "root-suspicious"
    assert failure.value.text == (
        "25 of 30 known files are gone. Nothing was removed. "
        "If that was meant, run 'anichron crawl CONFIG --accept-removals'."
    )

    run = a_run(photos.folder.config, accept_removals=True)
    result = await a_handler(photos).handle(run)

    assert result == CrawlResult(
        found=5, processed=5, new=0, updated=0, moved=0, returned=0, missing=25, skipped=5, failed=0
    )


async def test_an_empty_root_that_had_files_has_a_code_of_its_own(photos: Photos) -> None:
    photo = photos.put("a.jpg", labelled("a"))
    await photos.completed(renderers=Labelled)
    photo.unlink()

    with pytest.raises(WorkError) as failure:
        await a_handler(photos).handle(a_run(photos.folder.config))

    assert failure.value.code == "root-empty"
    assert failure.value.text == (
        "The photo folder is empty, and 1 files were known in it. Nothing was removed. "
        "If that was meant, run 'anichron crawl CONFIG --accept-removals'."
    )


async def test_the_result_tells_moved_returned_and_skipped_apart(photos: Photos, tmp_path: Path) -> None:
    for name in ("stays", "moves", "returns", "goes"):
        photos.put(f"{name}.jpg", labelled(name))
    photos.put("raw.cr2", b"raw")
    handler = CrawlHandler(
        photos.house.storage_configs, Ingest(replace(photos.surroundings, renderers=Labelled))
    )
    await handler.handle(a_run(photos.folder.config))
    (photos.root / "returns.jpg").rename(tmp_path / "away")
    await handler.handle(a_run(photos.folder.config))
    (tmp_path / "away").rename(photos.root / "returns.jpg")
    (photos.root / "moves.jpg").rename(photos.root / "moved.jpg")
    (photos.root / "goes.jpg").unlink()

    result = await handler.handle(a_run(photos.folder.config))

    assert result == CrawlResult(
        found=4, processed=4, new=0, updated=0, moved=1, returned=1, missing=1, skipped=2, failed=0
    )


async def test_no_name_of_a_file_leaves_the_worker(
    photos: Photos, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    told: list[str] = []

    async def crawled(**options: bool) -> None:
        run = a_run(photos.folder.config, **options)
        try:
            told.append(repr(await a_handler(photos).handle(run)))
        except WorkError as error:
            told.append(f"{error.code} {error.text} {error}")
        told.append(repr(run.progress.latest))

    photos.put("marker/marker.jpg")
    photos.put("marker/broken-marker.jpg", b"\xff\xd8\xffnothing")
    photos.put("empty-marker.png", b"")
    (photos.root / "link-marker.jpg").symlink_to(tmp_path)
    await crawled()
    (photos.root / "marker/marker.jpg").rename(photos.root / "moved-marker.jpg")
    await crawled(verify=True)
    (photos.root / "moved-marker.jpg").unlink()
    await crawled()
    for photo in photos.root.rglob("*.*"):
        photo.unlink()
    await crawled()
    await crawled(accept_removals=True)
    photos.root.rename(tmp_path / "photos-marker")
    await crawled()

    assert len(told) == 12
    assert "marker" not in "\n".join(told) + caplog.text
