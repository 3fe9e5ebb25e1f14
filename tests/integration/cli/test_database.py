"""`anichron db`, and what every command does about a database that is not as it should be."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.command_line import Install

NOWHERE = "postgresql://ada:hunter2@127.0.0.1:1/photos"


def set_revision(install: Install, revision: str) -> None:
    """Say that some other version has migrated the database."""
    with closing(sqlite3.connect(install.database)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", [revision])
        connection.commit()


def test_a_database_is_made_where_there_is_none(new_install: Install) -> None:
    assert new_install.run("db", "migrate", "--check").exit_code == 1
    assert new_install.run("db", "current").exit_code == 1
    assert not new_install.data.exists()

    made = new_install.ok("db", "migrate")

    place = f"SQLite file {new_install.database}"
    assert made.stderr == f"The tables were made, at revision 0005: {place}.\n"
    assert new_install.data.stat().st_mode & 0o777 == 0o700
    new_install.ok("db", "migrate", "--check")
    assert new_install.ok("db", "current").stdout == "0005\n"
    again = new_install.ok("db", "migrate")
    assert again.stderr == f"There was nothing to do: the database is at revision 0005: {place}.\n"


@pytest.mark.parametrize(
    "command", [["items", "list"], ["items", "watch"], ["users", "list"], ["workers", "list"], ["crawl", "x"]]
)
def test_a_command_that_reads_makes_no_database(new_install: Install, command: list[str]) -> None:
    result = new_install.run(*command)

    assert result.exit_code == 1
    assert result.stderr == (
        f"anichron: there is no database yet (SQLite file {new_install.database}): "
        "run 'anichron up --photos FOLDER', or 'anichron db migrate'\n"
    )
    assert not new_install.data.exists()


@pytest.mark.parametrize(
    "command",
    [
        ["items", "list"],
        ["db", "migrate"],
        ["db", "migrate", "--check"],
        ["db", "current"],
        ["worker", "--once"],
        ["up"],
        ["tokens", "create", "ada"],
        ["health", "worker"],
    ],
)
def test_a_database_of_a_newer_version_is_code_5(install: Install, command: list[str]) -> None:
    set_revision(install, "9999")

    result = install.process(*command) if command[0] == "worker" else install.run(*command)

    assert (result.returncode if command[0] == "worker" else result.exit_code) == 5  # type: ignore[union-attr]
    assert result.stderr == (
        "anichron: The database is at revision 9999; this version knows none after 0005. "
        "Run the version that migrated it, or a newer one.\n"
    )


def test_the_revision_of_a_newer_version_is_still_told(install: Install) -> None:
    set_revision(install, "9999")

    assert install.run("db", "current").stdout == "9999\n"


@pytest.mark.parametrize(
    "command",
    [
        ["items", "list"],
        ["db", "migrate"],
        ["db", "current"],
        ["configs", "list"],
        ["tokens", "create", "ada"],
        ["up"],
        ["health", "worker"],
    ],
)
def test_a_database_that_is_away_is_code_69_without_its_password(
    new_install: Install, command: list[str]
) -> None:
    new_install.set(DATABASE_URL=NOWHERE)

    result = new_install.run(*command)

    assert result.exit_code == 69
    (line,) = result.stderr.splitlines()
    assert line.startswith("anichron: the database is out of reach: PostgreSQL client: connection failed")
    assert "hunter2" not in line


def test_a_worker_that_is_to_work_once_does_not_wait_for_its_database(new_install: Install) -> None:
    new_install.set(DATABASE_URL=NOWHERE)

    result = new_install.process("worker", "--once")

    assert result.returncode == 69
    assert "the database is out of reach" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_file_that_is_no_database_is_code_69(install: Install) -> None:
    install.database.write_text("this is no database, and long enough to be told from an empty one")

    result = install.run("items", "list")

    assert result.exit_code == 69
    assert "file is not a database" in result.stderr


def test_a_data_folder_that_cannot_be_made_is_code_78(new_install: Install) -> None:
    new_install.data.write_text("")
    new_install.set(ANICHRON_DATA=str(new_install.data / "inner"))

    result = new_install.run("db", "migrate")

    assert result.exit_code == 78
    assert result.stderr == (
        f"ANICHRON_DATA: the folder {new_install.data / 'inner'} cannot be made: not a directory\n"
    )


def test_a_folder_that_was_named_for_the_database_is_not_made(new_install: Install, tmp_path: Path) -> None:
    new_install.set(DATABASE_URL=f"sqlite:///{tmp_path}/gone/queue.db")

    result = new_install.run("db", "migrate")

    assert result.exit_code == 78
    assert (
        result.stderr
        == f"DATABASE_URL: the folder {tmp_path}/gone does not exist; make it, or name another\n"
    )


def test_a_backup_is_whole_and_for_its_owner_alone(install: Install, tmp_path: Path) -> None:
    user = install.ada()
    copy = tmp_path / "copy" / "anichron.db"
    copy.parent.mkdir()

    install.ok("db", "backup", str(copy))

    assert copy.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in copy.parent.iterdir()] == ["anichron.db"]
    restored = Install(copy.parent)
    assert [one["id"] for one in restored.json("users", "list")["items"]] == [user]


def test_a_backup_replaces_a_file_only_when_that_is_confirmed(install: Install, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("precious")

    refused = install.run("db", "backup", str(copy))

    assert refused.exit_code == 2
    assert f"Replace {copy}? That cannot be undone, and nobody can be asked here" in refused.stderr
    assert copy.read_text() == "precious"
    install.ok("db", "backup", str(copy), "--yes")
    assert copy.read_bytes().startswith(b"SQLite format 3")


def test_a_backup_that_cannot_be_written_leaves_nothing_behind(install: Install, tmp_path: Path) -> None:
    result = install.run("db", "backup", str(tmp_path / "gone" / "copy.db"))

    assert result.exit_code == 1
    assert result.stderr.startswith("anichron: ")
    assert "no such file or directory" in result.stderr


def test_a_server_is_not_copied_by_this(new_install: Install, tmp_path: Path) -> None:
    new_install.set(DATABASE_URL=NOWHERE)

    result = new_install.run("db", "backup", str(tmp_path / "copy.db"))

    assert result.exit_code == 1
    assert result.stderr.endswith("PostgreSQL 127.0.0.1:1/photos: use pg_dump\n")
