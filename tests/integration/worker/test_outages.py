"""A database that goes away and comes back."""

import asyncio
import signal
import socket
import sys
from pathlib import Path

import pytest

from domain.work_item import Status
from tests.integration.worker.test_processes import a_probe, begun, ends, finished, look_at
from tests.support.outages import Outage
from tests.support.processes import Workers, environment
from tests.support.sql import a_sql_house


@pytest.fixture
def url(postgres_url: str) -> str:
    return postgres_url


async def test_an_outage_shorter_than_the_lease_costs_a_running_item_nothing(
    postgres_url: str, outage: Outage, workers: Workers
) -> None:
    async with a_sql_house(postgres_url) as house:
        item = await a_probe(house, "waits", 2.5)
        worker = workers.start()
        await begun(house, item)

    outage.begin()
    await asyncio.sleep(1)
    outage.end()

    async with a_sql_house(postgres_url) as house:
        await finished(house, item)
        found = await look_at(house, item)
        assert (found.attempt, found.stalls) == (1, 0)
        following = await a_probe(house, "waits", 0)
        await finished(house, following)
    assert worker.lives


async def test_a_finish_that_falls_into_an_outage_is_written_after_it(
    postgres_url: str, outage: Outage, workers: Workers
) -> None:
    async with a_sql_house(postgres_url) as house:
        item = await a_probe(house, "waits", 0.5)
        workers.start()
        await begun(house, item)

    outage.begin()
    await asyncio.sleep(1.5)
    outage.end()

    async with a_sql_house(postgres_url) as house:
        await finished(house, item)
        found = await look_at(house, item)
        assert (found.attempt, found.stalls) == (1, 0)


async def test_an_outage_longer_than_the_lease_fences_the_run_and_the_worker_comes_back(
    postgres_url: str, outage: Outage, workers: Workers
) -> None:
    async with a_sql_house(postgres_url) as house:
        item = await a_probe(house, again=60)
        worker = workers.start()
        await begun(house, item)

    outage.begin()
    await worker.told("fenced")
    outage.end()

    async with a_sql_house(postgres_url) as house:
        await begun(house, item, attempt=2)
        assert (await look_at(house, item)).stalls == 1
        worker.send(signal.SIGTERM)
        assert await worker.exit_code() == 0
        assert [how.value for how in await ends(house, item)] == ["stalled", "released"]
    assert worker.log("fenced")[0]["by"] == "watchdog"


async def test_an_outage_is_told_in_a_few_lines_and_not_in_a_flood(
    postgres_url: str, outage: Outage, workers: Workers
) -> None:
    worker = workers.start()
    await worker.told("worker arrived")

    outage.begin()
    await asyncio.sleep(4)
    outage.end()
    async with a_sql_house(postgres_url) as house:
        await finished(house, await a_probe(house, "waits", 0))

    faults = worker.log("machine fault")
    assert {fault["part"] for fault in faults} >= {"recovery", "schedule", "claim"}
    assert len(faults) <= 4


async def test_a_worker_that_is_started_during_an_outage_waits_for_its_end(
    postgres_url: str, outage: Outage, workers: Workers
) -> None:
    async with a_sql_house(postgres_url) as house:
        item = await a_probe(house, "waits", 0)
    outage.begin()
    worker = workers.start()
    await worker.told("machine fault")
    outage.end()

    async with a_sql_house(postgres_url) as house:
        await finished(house, item)
    assert worker.log("machine fault")[0]["part"] == "start"


async def test_a_worker_that_waits_for_its_database_heeds_a_signal(outage: Outage, workers: Workers) -> None:
    outage.begin()
    worker = workers.start()
    await worker.told("machine fault")

    worker.send(signal.SIGTERM)

    assert await worker.exit_code(within=1) == 0


async def test_once_without_a_database_ends_with_69_and_one_line(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "entrypoints", "worker", "--once"),
        env=environment(f"postgresql://nobody@127.0.0.1:{port}/none"),
        stderr=asyncio.subprocess.PIPE,
        cwd=tmp_path,
    )

    _, told = await process.communicate()

    assert process.returncode == 69
    assert told.decode().startswith("anichron: the database is out of reach: ")
    assert told.count(b"\n") == 1


async def test_the_queue_is_there_after_everybody_was_killed(postgres_url: str, workers: Workers) -> None:
    async with a_sql_house(postgres_url) as house:
        items = [await a_probe(house, "waits", 0.2) for _ in range(6)]
        crew = [workers.start() for _ in range(2)]
        await begun(house, items[0])
        for worker in crew:
            worker.kill()
        workers.start()
        for item in items:
            await finished(house, item)

        assert {(await look_at(house, item)).status for item in items} == {Status.SUCCEEDED}
        assert {(await look_at(house, item)).stalls for item in items} <= {0, 1}
