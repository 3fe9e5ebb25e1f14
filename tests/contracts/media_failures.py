"""What every store promises of remembered failures."""

import asyncio

import pytest

from application.ports.errors import StoreRefused
from application.ports.media_library import Stretch
from domain.ids import StorageConfigId
from domain.media.failed_file import FailedFile, RememberedFailure
from domain.media.failure import FailureReason
from domain.media.file import RelativePath
from tests.contracts.shelves import FIRST_CRAWL, SECOND_CRAWL, Shelf
from tests.support.builders import ids


def a_failure(path: bytes = b"broken.jpg", reason: FailureReason = FailureReason.TRUNCATED) -> FailedFile:
    return FailedFile(RelativePath(path), reason, size=2**62, mtime_ns=-1)


async def everything(shelf: Shelf) -> tuple[RememberedFailure, ...]:
    return await shelf.failures.known(shelf.config, Stretch(), limit=100)


class MediaFailuresContract:
    """An adapter's test supplies `shelf`."""

    async def test_failures_come_back_in_the_order_of_paths(self, shelf: Shelf) -> None:
        failures = [a_failure(b"caf\xe9.jpg"), a_failure(b"a/"), a_failure(b"a.jpg", FailureReason.EMPTY)]

        await shelf.failures.record(shelf.config, failures, at=FIRST_CRAWL)

        assert await everything(shelf) == tuple(
            RememberedFailure(failed, FIRST_CRAWL, FIRST_CRAWL)
            for failed in (failures[2], failures[1], failures[0])
        )
        stretch = Stretch(RelativePath(b"a.jpg"), RelativePath(b"a/"))
        assert [row.failed for row in await shelf.failures.known(shelf.config, stretch, limit=9)] == [
            failures[1]
        ]
        assert len(await shelf.failures.known(shelf.config, Stretch(), limit=2)) == 2

    async def test_a_path_that_fails_again_keeps_when_it_first_did(self, shelf: Shelf) -> None:
        await shelf.failures.record(shelf.config, [a_failure()], at=FIRST_CRAWL)
        again = a_failure(reason=FailureReason.DAMAGED)

        await shelf.failures.record(shelf.config, [again], at=SECOND_CRAWL)

        assert await everything(shelf) == (RememberedFailure(again, FIRST_CRAWL, SECOND_CRAWL),)

    async def test_what_is_forgotten_is_gone_and_nothing_else(self, shelf: Shelf) -> None:
        await shelf.failures.record(shelf.config, [a_failure(b"a"), a_failure(b"b")], at=FIRST_CRAWL)
        await shelf.failures.record(shelf.other_config, [a_failure(b"a")], at=FIRST_CRAWL)

        await shelf.failures.forget(shelf.config, [RelativePath(b"a"), RelativePath(b"never")])
        await shelf.failures.forget(shelf.config, [])

        assert [row.failed.path for row in await everything(shelf)] == [b"b"]
        assert len(await shelf.failures.known(shelf.other_config, Stretch(), limit=9)) == 1

    async def test_two_crawls_that_record_one_path_leave_one_row(self, shelf: Shelf) -> None:
        await asyncio.gather(
            *(shelf.failures.record(shelf.config, [a_failure()], at=FIRST_CRAWL) for _ in range(4))
        )

        assert len(await everything(shelf)) == 1

    async def test_a_config_that_is_gone_has_no_failures(self, shelf: Shelf) -> None:
        nobody = StorageConfigId(ids.next())

        with pytest.raises(StoreRefused):
            await shelf.failures.record(nobody, [a_failure()], at=FIRST_CRAWL)
        assert await shelf.failures.known(nobody, Stretch(), limit=9) == ()
