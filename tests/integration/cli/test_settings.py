"""`anichron config`, and every command on settings that are wrong."""

import pytest

from entrypoints.settings.variables import VARIABLES
from tests.support.command_line import Install

SECRET = "correct-horse-battery-staple-0123456789"


def test_good_settings_are_code_0_and_name_the_database(new_install: Install) -> None:
    result = new_install.ok("config", "check")

    assert result.stderr == f"The settings are fine. The database is: SQLite file {new_install.database}.\n"


@pytest.mark.parametrize(
    "command",
    [
        ["config", "check"],
        ["config", "show"],
        ["items", "list"],
        ["up"],
        ["worker"],
        ["api"],
        ["db", "migrate"],
    ],
)
def test_wrong_settings_stop_every_command_with_one_line_each(
    new_install: Install, command: list[str]
) -> None:
    new_install.set(WORKER__LEASE_SECONDS="5", API__PORT="x", JWT__SECRET="hunter2", JWT__SECRET_FILE="/x")

    result = new_install.run(*command)

    assert result.exit_code == 78
    assert result.stdout == ""
    assert result.stderr.splitlines() == [
        "API__PORT=x: must be a whole number",
        "JWT__SECRET and JWT__SECRET_FILE are both set: keep one of them",
        "WORKER__LEASE_SECONDS=5: must be at least 3 \N{MULTIPLICATION SIGN} WORKER__HEARTBEAT_SECONDS (2)",
    ]
    assert not new_install.data.exists()


def test_a_misspelled_setting_is_a_warning_and_no_error(new_install: Install) -> None:
    new_install.set(WORKER__SLOT="2")

    result = new_install.ok("config", "check")

    assert result.stderr.splitlines()[0] == (
        "anichron: warning: WORKER__SLOT is not a setting; did you mean WORKER__SLOTS?"
    )


def test_a_server_without_a_signing_secret_is_a_warning(new_install: Install) -> None:
    new_install.set(DATABASE_URL="postgresql://db/photos")

    result = new_install.ok("config", "check")

    assert "JWT__SECRET is not set: 'anichron api' and 'anichron tokens' need it" in result.stderr


def test_every_setting_is_shown_with_its_origin_and_no_secret(new_install: Install) -> None:
    new_install.set(JWT__SECRET=SECRET, WORKER__SLOTS="2", DATABASE_URL="postgresql://ada:hunter2@db/photos")

    document = new_install.json("config", "show")
    table = new_install.ok("config", "show").stdout

    shown = {one["name"]: one for one in document["settings"]}
    assert shown.keys() == VARIABLES.keys()
    assert shown["WORKER__SLOTS"] == {
        "name": "WORKER__SLOTS",
        "value": "2",
        "isSecret": False,
        "origin": "environment, WORKER__SLOTS",
    }
    assert shown["WORKER__POLL_SECONDS"]["value"] == "5"
    assert shown["WORKER__TIME_ZONE"]["value"] == "UTC"
    assert shown["API__PORT"]["origin"] == "default"
    assert shown["JWT__SECRET"]["value"] == "(hidden)"
    assert document["database"] == "PostgreSQL db/photos"
    assert document["proxies"] == "/data/proxies"
    for text in (str(document), table):
        assert SECRET not in text
        assert "hunter2" not in text


def test_the_api_of_a_server_needs_a_signing_secret(new_install: Install) -> None:
    new_install.set(DATABASE_URL="postgresql://127.0.0.1:1/photos")

    result = new_install.process("api")

    assert result.returncode == 78
    assert result.stderr.splitlines()[-1].startswith("JWT__SECRET: is needed to sign access tokens")


def test_a_worker_of_nobody_is_code_78(install: Install) -> None:
    install.set(WORKER__USER="bob")

    result = install.process("worker", "--once")

    assert result.returncode == 78
    assert result.stderr.splitlines()[-1] == (
        "WORKER__USER=bob: nobody is called that; see 'anichron users list'"
    )
