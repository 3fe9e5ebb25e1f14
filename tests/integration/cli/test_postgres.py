"""The command line on a server, where there is more than one of everything."""

from pathlib import Path

import pytest

from tests.support.command_line import Install
from tests.support.photos import a_jpeg, written


@pytest.fixture
def on_server(new_install: Install, postgres_url: str, tmp_path: Path) -> Install:
    """An install whose database is a migrated server's."""
    new_install.set(
        DATABASE_URL=postgres_url,
        JWT__SECRET="correct-horse-battery-staple-0123456789",
        WORKER__PROXY_PATH=str(tmp_path / "proxies"),
    )
    new_install.data.mkdir()
    return new_install


def test_from_an_account_to_a_finished_crawl(on_server: Install, tmp_path: Path) -> None:
    on_server.ada()
    written(tmp_path / "photos" / "one.jpg", a_jpeg())
    id_ = on_server.library(tmp_path / "photos")
    (asked,) = on_server.json("items", "list")["items"]
    assert on_server.json("items", "show", asked["id"][:18])["id"] == asked["id"]

    on_server.set(WORKER__USER="ada")
    worked = on_server.process("worker", "--once")

    assert worked.returncode == 0, worked.stderr
    (crawl,) = on_server.json("items", "list", "--kind", "crawl")["items"]
    assert (crawl["status"], crawl["result"]["new"]) == ("succeeded", 1)
    assert crawl["claimedBy"].startswith("ada@")
    extra = on_server.ok("crawl", id_[:13]).stdout.strip()
    assert on_server.ok("items", "cancel", extra).stdout == "cancelled\n"
    assert on_server.run("items", "cancel", extra).exit_code == 4
    assert on_server.ok("tokens", "create", "ada").stdout.count(".") == 2
    on_server.ok("configs", "remove", id_, "--yes")
    assert on_server.json("items", "list", "--kind", "crawl")["items"] == []


def test_a_server_without_tables_is_told_from_one_that_is_away(
    new_install: Install, empty_postgres_url: str
) -> None:
    new_install.set(DATABASE_URL=empty_postgres_url)

    missing = new_install.run("items", "list")

    assert missing.exit_code == 1
    assert "there is no database yet" in missing.stderr
    new_install.ok("db", "migrate")
    assert new_install.ok("db", "current").stdout == "0005\n"


def test_nothing_is_made_in_the_data_folder_of_who_uses_a_server(
    new_install: Install, empty_postgres_url: str
) -> None:
    new_install.set(DATABASE_URL=empty_postgres_url)

    new_install.ok("db", "migrate")

    assert not new_install.data.exists()
