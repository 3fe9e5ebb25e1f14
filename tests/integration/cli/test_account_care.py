"""`anichron users`: looking after accounts that are there."""

import asyncio
import json
from pathlib import Path

import pytest

from adapters.identity.passwords import ArgonPasswords
from application.ports.refresh_tokens import Lives, NewSession, NewToken, SessionBegun, TokenDigest
from domain.account import User
from domain.ids import SessionId
from entrypoints.commands.first_steps import take_first_steps
from entrypoints.settings.loading import load
from entrypoints.wiring.desk import Desk
from entrypoints.wiring.stores import Stores, closed
from tests.support.builders import ids
from tests.support.command_line import Install
from tests.support.signing_in import LIVES

CHANGES = (["reset-password", "--generate"], ["grant-admin"], ["revoke-admin"], ["disable"], ["enable"])


@pytest.fixture
def bob(install: Install) -> str:
    """Somebody who is no admin, beside Ada, who is; their id."""
    install.ada()
    return added(install, "bob")


def added(install: Install, name: str) -> str:
    """Somebody who is no admin; their id."""
    return install.ok(
        "users",
        "create",
        "--email",
        f"{name}@photos.example",
        "--password-file",
        "-",
        typed="correct horse\n",
    ).stdout.strip()


def user_in(install: Install, name: str) -> User:
    """The account as it is stored."""

    async def look(stores: Stores) -> User | None:
        return await stores.users().named(name)

    user = install.work(look)
    assert user is not None
    return user


def opens(install: Install, name: str, password: str) -> bool:
    """Whether this is the password."""
    stored = user_in(install, name).password_hash

    async def match(_: Stores) -> bool:
        return await ArgonPasswords().match(password, stored)

    return install.work(match)


def signs_in(install: Install, name: str, *, times: int = 1, lives: Lives = LIVES) -> None:
    """Somebody is signed in on so many devices."""
    user = user_in(install, name)

    async def begin(stores: Stores) -> None:
        for _ in range(times):
            token = NewToken(ids.next(), TokenDigest(ids.next().bytes * 2))
            session = NewSession(
                id=SessionId(ids.next()), user=user.id, password_hash=user.password_hash, token=token
            )
            assert isinstance(await stores.sessions().begin(session, lives), SessionBegun)

    install.work(begin)


def test_somebody_is_added_who_is_no_admin(install: Install, bob: str) -> None:
    user = next(user for user in install.json("users", "list")["items"] if user["id"] == bob)

    assert (user["name"], user["isAdmin"], user["isDisabled"]) == ("bob", False, False)
    assert opens(install, "bob", "correct horse")


def test_a_password_is_reset_from_a_file_and_every_session_ends(
    install: Install, bob: str, tmp_path: Path
) -> None:
    signs_in(install, "bob", times=2)
    (tmp_path / "new").write_text("battery staple\n")

    result = install.ok(
        "users", "reset-password", "BOB@photos.example", "--password-file", str(tmp_path / "new")
    )

    assert result.stdout == ""
    assert result.stderr == "bob has another password. 2 sessions were ended.\n"
    assert opens(install, "bob", "battery staple")
    assert not opens(install, "bob", "correct horse")
    assert install.json("users", "end-sessions", "bob") == {"userId": bob, "sessions": 0}


def test_a_password_that_is_made_is_the_only_thing_on_stdout(install: Install, bob: str) -> None:
    first, second = (
        install.ok("users", "reset-password", "bob", "--generate").stdout.strip() for _ in range(2)
    )

    assert len(first) == len(second) == 20
    assert first != second
    assert opens(install, "bob", second)
    document = install.json("users", "reset-password", "bob", "--generate")
    assert document.keys() == {"userId", "sessions", "password"}
    assert (document["userId"], document["sessions"]) == (bob, 0)
    assert opens(install, "bob", document["password"])


def test_a_password_of_a_file_is_not_shown(install: Install, bob: str) -> None:
    result = install.ok(
        "users", "reset-password", "bob", "--password-file", "-", "--json", typed="battery staple"
    )

    assert json.loads(result.stdout) == {"userId": bob, "sessions": 0, "password": None}


@pytest.mark.usefixtures("bob")
def test_a_reset_that_cannot_be_is_code_2(install: Install) -> None:
    nobody = install.run("users", "reset-password", "bob")
    short = install.run("users", "reset-password", "bob", "--password-file", "-", typed="short")
    both = install.run("users", "reset-password", "bob", "--generate", "--password-file", "-")

    assert [result.exit_code for result in (nobody, short, both)] == [2, 2, 2]
    assert "Nobody can be asked here: give --password-file or --generate." in nobody.stderr
    assert "The password must be at least 8 characters long." in short.stderr
    assert "--generate and --password-file contradict each other" in both.stderr
    assert opens(install, "bob", "correct horse")


def test_a_role_is_given_and_taken(install: Install, bob: str) -> None:
    given = install.ok("users", "grant-admin", "bob")
    taken = install.json("users", "revoke-admin", "bob")

    assert given.stderr == "bob is an admin now.\n"
    assert taken.keys() == {"id", "name", "email", "isAdmin", "isDisabled", "createdAt"}
    assert (taken["id"], taken["isAdmin"]) == (bob, False)


@pytest.mark.usefixtures("bob")
@pytest.mark.parametrize("command", ["revoke-admin", "disable"])
def test_the_last_admin_stays_one_unless_that_is_meant(install: Install, command: str) -> None:
    refused = install.run("users", command, "ada")

    assert refused.exit_code == 2
    assert "'ada' is the last admin who can sign in" in refused.stderr
    assert "--yes" in refused.stderr
    assert user_in(install, "ada").is_admin
    assert not user_in(install, "ada").is_disabled

    install.ok("users", command, "ada", "--yes")

    ada = user_in(install, "ada")
    assert (ada.is_admin, ada.is_disabled) == ((False, False) if command == "revoke-admin" else (True, True))


@pytest.mark.usefixtures("bob")
def test_who_is_disabled_is_out_and_may_be_let_in_again(install: Install) -> None:
    signs_in(install, "bob")

    shut = install.ok("users", "disable", "bob")
    token = install.run("tokens", "create", "bob")
    opened = install.ok("users", "enable", "bob")

    assert shut.stderr == "bob may not sign in any more. 1 session was ended.\n"
    assert (token.exit_code, token.stderr) == (4, "anichron: the account 'bob' is disabled\n")
    assert opened.stderr == "bob may sign in again.\n"
    assert not user_in(install, "bob").is_disabled


@pytest.mark.usefixtures("bob")
def test_sessions_end_on_every_device(install: Install) -> None:
    signs_in(install, "bob", times=3)
    signs_in(install, "ada")

    first = install.ok("users", "end-sessions", "bob")
    second = install.ok("users", "end-sessions", "bob")

    assert first.stderr == "bob had 3 sessions; they are ended.\n"
    assert second.stderr == "bob had no session.\n"
    assert install.ok("users", "end-sessions", "ada").stderr == "ada had 1 session; it is ended.\n"


@pytest.mark.usefixtures("bob")
@pytest.mark.parametrize("command", [*CHANGES, ["end-sessions"]], ids=lambda command: command[0])
def test_nobody_of_that_name_is_code_3(install: Install, command: list[str]) -> None:
    result = install.run("users", *command, "carol")

    assert result.exit_code == 3
    assert result.stderr == "anichron: nobody is called 'carol': see 'anichron users list'\n"
    assert result.stdout == ""


def test_the_account_that_comes_with_up_is_the_admin_of_the_settings(
    install: Install, tmp_path: Path
) -> None:
    (tmp_path / "password").write_text("correct horse\n")
    environ = {"ANICHRON_DATA": str(install.data), "ADMIN__EMAIL": "eve@photos.example"}
    settings = load({**environ, "ADMIN__PASSWORD_FILE": str(tmp_path / "password")}).settings

    async def steps() -> User:
        desk = Desk(settings=settings, name="test")
        try:
            return (await take_first_steps(desk, None)).user
        finally:
            await closed(desk.stores())

    assert [asyncio.run(steps()).email for _ in range(2)] == ["eve@photos.example"] * 2
    assert opens(install, "eve", "correct horse")
    assert len(install.json("users", "list")["items"]) == 1
