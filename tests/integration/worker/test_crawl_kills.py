"""A worker that is killed in the middle of a crawl, again and again: no row is ever without its files."""

import asyncio
import random
import sqlite3
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from domain.ids import StorageConfigId, WorkItemId
from domain.work_item import Status
from tests.integration.worker.test_processes import look_at
from tests.support.builders import CRAWL, a_new_item, enqueued
from tests.support.house import House
from tests.support.photos import a_jpeg, written
from tests.support.processes import Workers, eventually
from tests.support.sql import a_sql_house

LIVES: Final = 50
NEW_FILES: Final = 20
CHANGED_FILES: Final = 4
LONGEST_LIFE_SECONDS: Final = 0.5


@pytest.fixture
def url(sqlite_url: str) -> str:
    return sqlite_url


class Gallery:
    """A folder that changes before each crawl, its proxies, and its rows."""

    def __init__(self, folder: Path, url: str, chance: random.Random) -> None:
        self.photos, self.proxies = folder / "photos", folder / "proxies"
        self.photos.mkdir()
        self.proxies.mkdir()
        self._database = url.removeprefix("sqlite:///")
        self._chance = chance
        self._names: list[str] = []
        self._whole: set[tuple[Path, int, int, int]] = set()

    def grow(self) -> None:
        """Some files are new, and some have another content than before."""
        new = [f"{len(self._names) + number:04}.jpg" for number in range(NEW_FILES)]
        changed = self._chance.sample(self._names, CHANGED_FILES) if self._names else []
        for name in (*new, *changed):
            written(self.photos / name, a_jpeg((320, 240), comment=f"{name} {self._chance.random()}"))
        self._names += new

    def check(self) -> int:
        """Assert that no proxy is cut off and that no row is without its file; tell how many rows there are."""
        for proxy in self.proxies.rglob("*.jpg"):
            stat = proxy.stat()
            as_it_stands = (proxy, stat.st_ino, stat.st_mtime_ns, stat.st_size)
            # What was whole and has not been written since, is.
            if as_it_stands not in self._whole:
                with Image.open(proxy) as picture:
                    picture.load()
                self._whole.add(as_it_stands)
        rows = self._rows("SELECT path, size FROM media_proxies")
        for path, size in rows:
            assert (self.proxies / str(path)).stat().st_size == size
        without = "SELECT count(*) FROM media_assets WHERE (SELECT count(*) FROM media_proxies WHERE asset_id = id) <> 2"
        assert self._rows(without) == [(0,)]
        return len(rows)

    def is_whole(self) -> bool:
        """Whether every file is an asset that is not gone."""
        names = self._rows(
            "SELECT CAST(file_path AS TEXT) FROM media_assets WHERE NOT is_soft_deleted ORDER BY 1"
        )
        return [name for (name,) in names] == sorted(self._names)

    def _rows(self, query: str) -> list[tuple[object, ...]]:
        connection = sqlite3.connect(self._database)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()


async def test_fifty_kills_leave_no_proxy_cut_off_and_no_row_without_its_file(
    sqlite_url: str, workers: Workers, tmp_path: Path
) -> None:
    chance = random.Random(20_190_708)  # noqa: S311 -- no secret
    gallery = Gallery(tmp_path, sqlite_url, chance)
    settings = {"WORKER__ROOT": str(gallery.photos), "WORKER__PROXY_PATH": str(gallery.proxies)}
    killed_at_work = 0

    async with a_sql_house(sqlite_url) as house:
        config = await house.a_config(root_path=str(gallery.photos))
        for _ in range(LIVES):
            gallery.grow()
            await a_crawl(house, config)
            worker = workers.start("--own-kinds", **settings)
            await worker.told("claimed")
            await asyncio.sleep(chance.random() * LONGEST_LIFE_SECONDS)
            worker.kill()
            killed_at_work += len(worker.log("claimed")) > len(worker.log("finished"))
            gallery.check()

        # What no kill interrupts ends everything that was begun.
        assert killed_at_work > LIVES // 2
        assert gallery.check() > 0
        item = await a_crawl(house, config)
        workers.start("--own-kinds", **settings)

        async def is_over() -> bool:
            return (await look_at(house, item)).status is Status.SUCCEEDED

        await eventually(is_over, what="the last crawl has succeeded", within=120)

    assert gallery.is_whole()
    assert gallery.check() == 2 * LIVES * NEW_FILES


async def a_crawl(house: House, config: StorageConfigId) -> WorkItemId:
    payload = f'{{"storageConfigId":"{config}"}}'
    return await enqueued(house.store, a_new_item(kind=CRAWL, payload=payload, storage_config_id=config))
