"""`anichron memories`, `anichron failures` and `anichron crawl --accept-removals`: what the owner of photos asks."""

from datetime import UTC, date, datetime, time
from pathlib import Path
from uuid import UUID

import pytest

from domain.ids import StorageConfigId
from domain.media.asset import AssetId, MediaAsset
from domain.media.capture_date import CaptureDate, DateSource
from domain.media.content import ContentHash, MediaType
from domain.media.failed_file import FailedFile
from domain.media.failure import FailureReason
from domain.media.file import FileSignature, RelativePath
from domain.media.metadata import Metadata
from domain.media.place import Place
from entrypoints.wiring.stores import Stores
from tests.support.builders import ids
from tests.support.command_line import Install

SEEN_AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def library(install: Install, tmp_path: Path) -> str:
    install.ada()
    return install.library(tmp_path / "photos")


def put(install: Install, config: str, path: bytes, taken: datetime) -> str:
    """A picture that was taken then; its id."""
    asset = MediaAsset(
        id=AssetId(ids.next()),
        storage_config_id=install_id(config),
        path=RelativePath(path),
        signature=FileSignature(size=1, mtime_ns=2, ctime_ns=3, inode=4),
        content=ContentHash(path[-32:].rjust(32)),
        media_type=MediaType.JPEG,
        captured=CaptureDate(taken.date(), taken.time(), None, DateSource.EXIF_ORIGINAL),
        metadata=Metadata(width=4032, height=3024, place=Place(48.85837, 2.294481)),
        blurhash="",
        proxies=(),
        seen_at=SEEN_AT,
    )

    async def work(stores: Stores) -> None:
        await stores.library().store(asset)

    install.work(work)
    return str(asset.id)


def install_id(text: str) -> StorageConfigId:
    return StorageConfigId(UUID(text))


def test_memories_of_a_day_come_from_every_year_the_newest_first(install: Install, library: str) -> None:
    put(install, library, b"old.jpg", datetime(2001, 7, 8, 23, 59))  # noqa: DTZ001 -- as cameras write
    put(install, library, b"2019/beach.jpg", datetime(2019, 7, 8, 12, 30))  # noqa: DTZ001
    put(install, library, b"other-day.jpg", datetime(2019, 7, 9, 0, 0))  # noqa: DTZ001

    lines = install.ok("memories", "--date", "07-08").stdout.splitlines()

    assert [line.split() for line in lines] == [
        ["Year", "Taken", "File", "Place", "Type"],
        ["2019", "07-08", "12:30", "2019/beach.jpg", "48.85837,", "2.29448", "image/jpeg"],
        ["2001", "07-08", "23:59", "old.jpg", "48.85837,", "2.29448", "image/jpeg"],
    ]


def test_memories_as_json_say_everything(install: Install, library: str) -> None:
    id_ = put(install, library, b"caf\xe9.jpg", datetime(2020, 2, 29, 9, 5, 1))  # noqa: DTZ001

    assert install.json("memories", "--date", "02-29", "--user", "ada") == {
        "days": ["02-29"],
        "items": [
            {
                "id": id_,
                "storageConfigId": library,
                "path": "caf\\xe9.jpg",
                "mediaType": "image/jpeg",
                "year": 2020,
                "takenAt": "2020-02-29T09:05:01",
                "utcOffsetMinutes": None,
                "dateSource": "exif-original",
                "width": 4032,
                "height": 3024,
                "latitude": 48.85837,
                "longitude": 2.294481,
                "pairedWith": None,
            }
        ],
    }


def test_without_a_date_it_is_today(install: Install, library: str) -> None:
    today = datetime.now(UTC).date()
    put(install, library, b"today.jpg", datetime.combine(date(1996, today.month, today.day), time(8)))

    assert [item["path"] for item in install.json("memories")["items"]] == ["today.jpg"]


def test_a_day_without_pictures_says_so(install: Install, library: str) -> None:
    assert library
    result = install.ok("memories", "--date", "12-24")

    assert (result.stdout, result.stderr) == ("", "Nothing was photographed on 12-24 of any year.\n")


@pytest.mark.parametrize("day", ["02-30", "2026-02-28", "yesterday"])
def test_what_is_no_day_is_code_2(install: Install, day: str) -> None:
    result = install.run("memories", "--date", day)

    assert result.exit_code == 2
    assert f"'{day}' is no day such as 07-08 or 02-29." in result.stderr


def test_memories_of_nobody_are_code_3(install: Install, library: str) -> None:
    assert library
    assert install.run("memories", "--user", "bob").exit_code == 3


def fail(install: Install, config: str, *paths: bytes) -> None:
    failures = [FailedFile(RelativePath(path), FailureReason.TRUNCATED, 17, 5) for path in paths]

    async def work(stores: Stores) -> None:
        await stores.failures().record(install_id(config), failures, at=SEEN_AT)

    install.work(work)


def test_failures_are_listed_by_path(install: Install, library: str) -> None:
    fail(install, library, b"b.jpg", b"a/\x1b[31mred.jpg")

    lines = install.ok("failures", library[:13]).stdout.splitlines()

    assert [line.split()[:4] for line in lines[1:]] == [
        ["truncated", "a/\N{REPLACEMENT CHARACTER}[31mred.jpg", "17", "2026-03-01T12:00:00.000Z"],
        ["truncated", "b.jpg", "17", "2026-03-01T12:00:00.000Z"],
    ]
    assert install.json("failures", library)["items"][1] == {
        "path": "b.jpg",
        "reason": "truncated",
        "size": 17,
        "firstSeenAt": "2026-03-01T12:00:00.000Z",
        "lastSeenAt": "2026-03-01T12:00:00.000Z",
    }


def test_more_failures_than_a_page_are_all_listed(install: Install, library: str) -> None:
    fail(install, library, *(b"%05d.jpg" % number for number in range(2_001)))

    assert len(install.json("failures", library)["items"]) == 2_001


def test_a_folder_without_failures_says_so(install: Install, library: str) -> None:
    result = install.ok("failures", library)

    assert (result.stdout, result.stderr) == ("", "Every file could be taken in.\n")


def test_a_removal_is_accepted_only_when_somebody_says_so(install: Install, library: str) -> None:
    install.ok("crawl", library)
    install.ok("crawl", library, "--verify", "--accept-removals")

    crawls = install.json("items", "list")["items"]
    payloads = [install.json("items", "show", crawl["id"])["payload"] for crawl in crawls]
    assert payloads == [
        {"storageConfigId": library, "verify": True, "acceptRemovals": True},
        {"storageConfigId": library},
        {"storageConfigId": library},
    ]


def test_a_crawl_that_has_ended_points_to_what_could_not_be_taken_in(install: Install, library: str) -> None:
    crawl = install.json("items", "list")["items"][0]["id"]
    install.ok("items", "cancel", crawl)
    without = install.ok("items", "show", crawl)
    fail(install, library, b"b.jpg")

    shown = install.ok("items", "show", crawl)
    watched = install.ok("items", "watch", crawl, "--json")
    waiting = install.ok("items", "show", install.ok("crawl", library).stdout.strip())

    assert (without.stderr, waiting.stderr, watched.stderr) == ("", "", "")
    assert shown.stderr == f"What could not be taken in, and why: anichron failures {library}\n"
