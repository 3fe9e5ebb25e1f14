"""A database that goes away in the middle of a crawl."""

import asyncio
from pathlib import Path
from typing import Final

import pytest

from domain.attempt import AttemptEnd
from domain.work_item import Running, Succeeded
from tests.integration.worker.test_processes import ends, finished, look_at
from tests.support.builders import CRAWL, a_new_item, enqueued
from tests.support.outages import Outage
from tests.support.photos import a_jpeg
from tests.support.processes import Workers, eventually
from tests.support.reading import state_of
from tests.support.sql import a_sql_house

FILES: Final = 200


@pytest.fixture
def url(postgres_url: str) -> str:
    return postgres_url


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"{number}.jpg").write_bytes(a_jpeg(comment=str(number)))
    return folder


async def test_a_crawl_outlasts_an_outage_shorter_than_the_lease(
    postgres_url: str, outage: Outage, workers: Workers, photos: Path, tmp_path: Path
) -> None:
    async with a_sql_house(postgres_url) as house:
        config = await house.a_config(root_path=str(photos))
        payload = f'{{"storageConfigId":"{config}"}}'
        item = await enqueued(house.store, a_new_item(kind=CRAWL, payload=payload, storage_config_id=config))
        proxies = tmp_path / "proxies"
        proxies.mkdir()
        workers.start("--own-kinds", WORKER__ROOT=str(photos), WORKER__PROXY_PATH=str(proxies))

        async def is_half_way() -> bool:
            state = (await look_at(house, item)).state
            return isinstance(state, Running) and state.progress.done > FILES // 10

        await eventually(is_half_way, what="the crawl is under way")

    outage.begin()
    await asyncio.sleep(1.5)
    outage.end()

    async with a_sql_house(postgres_url) as house:
        await finished(house, item)
        found = await look_at(house, item)
        assert (found.attempt, found.stalls, found.retries) == (1, 0, 0)
        assert await ends(house, item) == [AttemptEnd.SUCCEEDED]
        result = state_of(found, Succeeded).result
        assert f'"found":{FILES},"processed":{FILES}' in result
        assert '"failed":0' in result
