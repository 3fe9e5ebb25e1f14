"""Which database an environment means, and where the rest then lies."""

from pathlib import Path

import pytest

from entrypoints.settings.errors import SettingsError
from entrypoints.settings.loading import load
from entrypoints.settings.model import Settings
from entrypoints.settings.stores import (
    PostgresServer,
    SqliteFile,
    described,
    is_embedded,
    proxy_path,
    store_location,
)


def settings(**environ: str) -> Settings:
    """The settings of this environment."""
    return load(environ).settings


def postgres_url(**environ: str) -> str:
    """The URL of the server that this environment means."""
    location = store_location(settings(**environ))
    assert isinstance(location, PostgresServer)
    return location.url


def test_nothing_set_means_a_file_in_the_data_folder() -> None:
    chosen = settings(ANICHRON_DATA="/srv/anichron")

    assert store_location(chosen) == SqliteFile(Path("/srv/anichron/anichron.db"), embedded=True)
    assert is_embedded(chosen)
    assert proxy_path(chosen) == Path("/srv/anichron/proxies")


@pytest.mark.parametrize(
    "url",
    [
        "postgres://ada:p%40ss@db/photos",
        "postgresql://ada:p%40ss@db/photos",
        "postgresql+psycopg://ada:p%40ss@db/photos",
    ],
)
def test_every_spelling_of_postgresql_is_mapped_to_the_driver(url: str) -> None:
    assert postgres_url(DATABASE_URL=url) == "postgresql+psycopg://ada:p%40ss@db/photos"


def test_a_url_keeps_its_options() -> None:
    assert (
        postgres_url(DATABASE_URL="postgresql://db/photos?sslmode=require")
        == "postgresql+psycopg://db/photos?sslmode=require"
    )


def test_the_parts_of_a_connection_make_a_url() -> None:
    url = postgres_url(
        POSTGRES_CONNECTION__HOST="db.example",
        POSTGRES_CONNECTION__PORT="6432",
        POSTGRES_CONNECTION__DBNAME="photos",
        POSTGRES_CONNECTION__USER="ada",
        POSTGRES_CONNECTION__PASSWORD="p@ss/word:1",
    )

    assert url == "postgresql+psycopg://ada:p%40ss%2Fword%3A1@db.example:6432/photos"


def test_a_socket_folder_is_a_host_too() -> None:
    url = postgres_url(POSTGRES_CONNECTION__HOST="/run/postgresql", POSTGRES_CONNECTION__USER="ada")

    assert url == "postgresql+psycopg://ada@/anichron?host=%2Frun%2Fpostgresql&port=5432"


def test_an_address_of_version_six_is_put_in_brackets() -> None:
    assert postgres_url(POSTGRES_CONNECTION__HOST="::1") == "postgresql+psycopg://[::1]:5432/anichron"


def test_a_url_and_parts_are_not_both_heeded() -> None:
    with pytest.raises(SettingsError) as raised:
        settings(
            DATABASE_URL="postgresql://one/photos",
            POSTGRES_CONNECTION__HOST="two",
            POSTGRES_CONNECTION__PASSWORD="hunter2",
        )

    assert raised.value.lines == (
        "POSTGRES_CONNECTION__HOST=two: cannot stand beside DATABASE_URL, which names a database as a whole: keep one of them",
        "POSTGRES_CONNECTION__PASSWORD: cannot stand beside DATABASE_URL, which names a database as a whole: keep one of them",
    )


@pytest.mark.parametrize(
    "host", ["db_1.internal.", "xn--bcher-kva.example", "192.0.2.1", "%2Frun%2Fpostgresql"]
)
def test_hosts_of_all_sorts_may_stand_in_a_url(host: str) -> None:
    assert postgres_url(DATABASE_URL=f"postgresql://{host}/photos") == f"postgresql+psycopg://{host}/photos"


def test_a_named_sqlite_file_is_no_embedded_default() -> None:
    chosen = settings(DATABASE_URL="sqlite:////srv/queue.db")

    assert store_location(chosen) == SqliteFile(Path("/srv/queue.db"))
    assert not is_embedded(chosen)
    assert proxy_path(chosen) == Path("/data/proxies")


def test_a_proxy_folder_that_was_set_is_kept() -> None:
    assert proxy_path(settings(WORKER__PROXY_PATH="/srv/proxies")) == Path("/srv/proxies")


def test_a_description_holds_no_password() -> None:
    location = store_location(settings(DATABASE_URL="postgresql://ada:hunter2@db.example:6432/photos"))

    assert described(location) == "PostgreSQL db.example:6432/photos"
    assert "hunter2" not in repr(location)
