"""A server that crashes forgets transactions that were rolled back, and gives their numbers to others."""

import os
import signal
import time
from collections.abc import Iterator
from typing import Final

import psycopg
import pytest
import sqlalchemy as sa

from adapters.sql.migrations import migrate
from domain.feed import CursorLost, FeedCursor, Lost
from tests.support.builders import enqueued
from tests.support.postgres import a_server_to_crash
from tests.support.sql import a_sql_house

PATIENCE_SECONDS: Final = 30


@pytest.fixture
def url() -> Iterator[str]:
    with a_server_to_crash() as url:
        migrate(url)
        yield url


async def test_after_a_crash_nobody_goes_on_from_a_cursor_of_before(url: str) -> None:
    async with a_sql_house(url) as house:
        await enqueued(house.store)
        await enqueued(house.store)
        roll_back(url, times=20)
        cursor = await house.feed.here()

    crash(url)
    until_it_answers(url)

    async with a_sql_house(url) as house:
        for _ in range(30):
            await enqueued(house.store)
        answer = await house.feed.since(cursor, limit=100)
        assert isinstance(answer, CursorLost)
        assert answer.why is Lost.EPOCH
        assert not isinstance(await house.feed.since(answer.cursor, limit=100), CursorLost)


async def test_each_connection_is_of_the_same_epoch(url: str) -> None:
    epochs = []
    for zone in ("Asia/Kathmandu", "America/St_Johns"):
        with psycopg.connect(plain(url), autocommit=True) as connection:
            connection.execute(f"ALTER ROLE CURRENT_USER SET timezone = '{zone}'")
        async with a_sql_house(url) as house:
            epochs.append(epoch_of(await house.feed.here()))

    assert epochs[0] == epochs[1]


def epoch_of(cursor: FeedCursor) -> str:
    return cursor.partition(".")[0]


def plain(url: str) -> str:
    return sa.make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def roll_back(url: str, *, times: int) -> None:
    """Use up numbers of transactions that nothing is ever seen of."""
    with psycopg.connect(plain(url)) as connection:
        for _ in range(times):
            connection.execute("UPDATE work_items SET revision = revision")
            connection.rollback()


def crash(url: str) -> None:
    """Kill one of the server's processes: it ends all others, and recovers."""
    with psycopg.connect(plain(url)) as connection:
        os.kill(connection.info.backend_pid, signal.SIGKILL)


def until_it_answers(url: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with psycopg.connect(plain(url), connect_timeout=1) as connection:
                connection.execute("SELECT 1")
        except psycopg.OperationalError:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        else:
            return
