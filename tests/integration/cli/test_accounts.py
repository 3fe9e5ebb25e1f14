"""`anichron users` and `anichron tokens`."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.identity.passwords import ArgonPasswords
from adapters.identity.tokens import JwtTokens
from adapters.system.clock import SystemClock
from application.ports.access_tokens import Bearer
from entrypoints.wiring.stores import Stores
from tests.support.command_line import Install

SECRET = "correct-horse-battery-staple-0123456789"


def test_an_admin_is_added_with_the_password_of_a_file(install: Install, tmp_path: Path) -> None:
    password = tmp_path / "password"
    password.write_text("correct horse\n")

    result = install.ok(
        "users",
        "create-admin",
        "--email",
        "ada@photos.example",
        "--name",
        "Ada",
        "--password-file",
        str(password),
    )

    (user,) = install.json("users", "list")["items"]
    assert result.stdout == f"{user['id']}\n"
    assert result.stderr == "Ada is an admin now.\n"
    assert user.keys() == {"id", "name", "email", "isAdmin", "isDisabled", "createdAt"}
    assert (user["name"], user["email"], user["isAdmin"]) == ("Ada", "ada@photos.example", True)

    async def opens(stores: Stores) -> bool:
        stored = await stores.users().named("ada")
        assert stored is not None
        return await ArgonPasswords().match("correct horse", stored.password_hash)

    assert install.work(opens)


def test_the_name_is_what_stands_before_the_at_and_the_password_may_come_from_stdin(install: Install) -> None:
    user = json.loads(
        install.ok(
            "users", "create-admin", "--email", "bob@photos.example", "--password-file", "-", "--json",
            typed="correct horse\n",
        ).stdout
    )  # fmt: skip

    assert user["name"] == "bob"


def test_the_first_admin_may_be_the_first_command_of_all(new_install: Install, tmp_path: Path) -> None:
    (tmp_path / "password").write_text("correct horse")

    new_install.ok(
        "users", "create-admin", "--email", "a@b.example", "--password-file", str(tmp_path / "password")
    )

    assert new_install.data.stat().st_mode & 0o777 == 0o700
    assert len(new_install.json("users", "list")["items"]) == 1


@pytest.mark.parametrize(
    ("options", "flag"), [([], "--email"), (["--email", "ada@photos.example"], "--password-file")]
)
def test_where_nobody_can_be_asked_the_flag_is_named(install: Install, options: list[str], flag: str) -> None:
    result = install.run("users", "create-admin", *options)

    assert result.exit_code == 2
    assert f"Nobody can be asked here: give {flag}." in result.stderr


def test_a_password_that_is_too_short_is_code_2(install: Install) -> None:
    result = install.run(
        "users", "create-admin", "--email", "a@b.example", "--password-file", "-", typed="short"
    )

    assert result.exit_code == 2
    assert "The password must be at least 8 characters long." in result.stderr
    assert "short" not in result.stdout


def test_a_password_file_that_is_not_there_is_named(install: Install, tmp_path: Path) -> None:
    path = tmp_path / "gone"

    result = install.run("users", "create-admin", "--email", "a@b.example", "--password-file", str(path))

    assert result.exit_code == 2
    assert f"{path}: the file does not exist." in result.stderr


def test_a_name_that_is_taken_is_code_4(install: Install) -> None:
    install.ada()

    result = install.run(
        "users", "create-admin", "--email", "other@photos.example", "--name", "ADA", "--password-file", "-",
        typed="correct horse",
    )  # fmt: skip

    assert result.exit_code == 4
    assert result.stderr == "anichron: somebody is called 'ADA' already\n"


def test_a_token_is_the_only_thing_on_stdout(install: Install) -> None:
    install.set(JWT__SECRET=SECRET)
    id_ = install.ada()

    result = install.ok("tokens", "create", "ada@photos.example", "--expires", "90m")

    tokens = JwtTokens(SystemClock(), secret=SECRET, issuer="anichron", audience="anichron")
    bearer = tokens.read(result.stdout.strip())
    assert isinstance(bearer, Bearer)
    assert str(bearer.user) == id_
    left = bearer.expires_at - SystemClock().now()
    assert timedelta(minutes=85) < left <= timedelta(minutes=90)
    assert result.stderr.startswith("It is good until ")


def test_the_document_of_a_token_says_how_long_it_is_good(install: Install) -> None:
    install.ada()

    document = install.json("tokens", "create", "ada")

    assert document.keys() == {"token", "expiresAt"}


def test_a_token_for_nobody_is_code_3(install: Install) -> None:
    result = install.run("tokens", "create", "bob")

    assert result.exit_code == 3
    assert result.stderr == "anichron: nobody is called 'bob': see 'anichron users list'\n"


@pytest.mark.parametrize("span", ["1", "h", "1w", "-1h", "1.5h", "٣h", "0s", "366d", "99999999999999999999d"])
def test_a_span_that_is_none_is_code_2(install: Install, span: str) -> None:
    result = install.run("tokens", "create", "ada", f"--expires={span}")

    assert result.exit_code == 2
    assert span in result.stderr
