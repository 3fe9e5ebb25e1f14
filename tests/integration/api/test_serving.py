"""The API as a process: it serves without its database, says what is wrong, and leaves in time."""

import json
import socket
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from domain.ids import UserId
from tests.support.ids import nth_id
from tests.support.outages import outages_of
from tests.support.serving import HEALTH, LIFE, ApiProcess, a_free_port, serving, until
from tests.support.web import ITEMS, SECRET, bearing, problem_of, signed_as

JWT: Final = {"JWT__SECRET": SECRET}
NOBODY_LISTENS_HERE: Final = "postgresql://anichron:hunter2@127.0.0.1:1/anichron"
TOKEN: Final = bearing(signed_as(UserId(nth_id(1))))


def test_the_first_start_makes_the_database_and_sigterm_ends_it_well(empty_sqlite_url: str) -> None:
    with serving(empty_sqlite_url, **JWT) as api:
        until(lambda: api.answers(200), what="health")

        code, seconds = api.stop()

    assert code == 0
    assert seconds < 3


def test_open_connections_do_not_hold_it_up(sqlite_url: str) -> None:
    with (
        serving(sqlite_url, **JWT) as api,
        socket.create_connection(("127.0.0.1", api.port)) as idle,
        socket.create_connection(("127.0.0.1", api.port)) as slow,
    ):
        idle.sendall(f"GET {LIFE} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
        assert idle.recv(4096).startswith(b"HTTP/1.1 200")
        slow.sendall(b"POST /api/v1/admin/work-items/x/cancel HTTP/1.1\r\nHost: here\r\nContent-Le")

        code, seconds = api.stop()

    assert code == 0
    assert seconds < 3


def test_a_database_that_hangs_does_not_hold_it_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        url = f"postgresql://anichron@127.0.0.1:{deaf.getsockname()[1]}/anichron"
        with (
            serving(url, **JWT) as api,
            socket.create_connection(("127.0.0.1", api.port)) as asking,
        ):
            asking.sendall(f"GET {HEALTH} HTTP/1.1\r\nHost: here\r\n\r\n".encode())

            code, seconds = api.stop()

    assert code == 0
    assert seconds < 3


def test_a_port_that_is_taken_is_told_in_one_line(sqlite_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        code, said = ApiProcess(sqlite_url, port, **JWT).ended()

    assert code == 69
    assert said == (
        f"anichron: cannot listen on 127.0.0.1 port {port}: address already in use; "
        "see API__HOST and API__PORT\n"
    )


def test_a_host_that_is_not_this_one_is_told_in_one_line(sqlite_url: str) -> None:
    code, said = ApiProcess(sqlite_url, a_free_port(), API__HOST="192.0.2.1", **JWT).ended()

    assert code == 69
    assert said.startswith("anichron: cannot listen on 192.0.2.1 port ")
    assert said.count("\n") == 1


def test_without_its_database_it_serves_and_says_so() -> None:
    with serving(NOBODY_LISTENS_HERE, **JWT) as api:
        problem_of(api.get(HEALTH), 503, "database-unavailable")
        problem = problem_of(api.get(ITEMS, **TOKEN), 503, "database-unavailable")
        problem_of(api.get(ITEMS), 401, "unauthenticated")
        code, seconds = api.stop()
        said = api.said

    assert "127.0.0.1" not in json.dumps(problem)
    assert (code, seconds < 3) == (0, True)
    assert "hunter2" not in said


def test_it_works_as_soon_as_its_database_is_back(postgres_url: str) -> None:
    with outages_of(postgres_url) as outage:
        outage.begin()
        with serving(postgres_url, **JWT) as api:
            assert api.answers(503)

            outage.end()
            until(lambda: api.answers(200), what="health after the outage at the start")
            outage.begin()
            until(lambda: api.answers(503), what="health during another outage")
            outage.end()
            until(lambda: api.answers(200), what="health after that")

            problem_of(api.get(ITEMS, **TOKEN), 401, "unauthenticated")
            assert TOKEN["Authorization"].split()[1] not in api.said


def test_a_secret_that_is_too_short_stops_the_start(tmp_path: Path) -> None:
    api = ApiProcess(
        f"sqlite:///{tmp_path / 'a.db'}", a_free_port(), JWT__SECRET="only-thirty-one-bytes-long-oops"
    )

    code, said = api.ended()

    assert (code, said) == (78, "JWT__SECRET: must be at least 32 bytes long\n")
    assert not (tmp_path / "a.db").exists()


def test_a_database_of_a_newer_version_is_refused_and_not_touched(sqlite_url: str) -> None:
    engine = sa.create_engine(sqlite_url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()

    code, said = ApiProcess(sqlite_url, a_free_port(), **JWT).ended()

    assert code == 5
    assert "anichron: The database is at revision 9999;" in said
