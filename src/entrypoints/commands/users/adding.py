"""Adding accounts: what `create` and `create-admin` have in common."""

from typing import assert_never

import rich_click as click

from application.accounts import AccountAdded, AccountRefused, AccountTaken
from domain.account import User
from entrypoints.commands.asking import at_terminal
from entrypoints.commands.documents import user_view
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.output import say, show_document
from entrypoints.commands.passwords import given_password
from entrypoints.wiring.desk import Desk


def add_account(
    email: str | None, name: str | None, password_file: str | None, *, is_admin: bool, as_json: bool
) -> None:
    """Add it, asking for what was not given; print its id, or all of it."""
    email = email or _asked("E-mail address", instead="--email")
    name = name or email.partition("@")[0]
    password = given_password(password_file)

    async def add(desk: Desk) -> None:
        user = await _added(desk, name, email, password, is_admin=is_admin)
        if as_json:
            show_document(user_view(user))
            return
        click.echo(user.id)
        say(f"{user.name} is an admin now." if is_admin else f"{user.name} may sign in now.")

    at_desk(read_settings(), add, begins=True)


async def _added(desk: Desk, name: str, email: str, password: str, *, is_admin: bool) -> User:
    answer = await desk.accounts().add(name=name, email=email, password=password, is_admin=is_admin)
    match answer:
        case AccountAdded(user=user):
            return user
        case AccountTaken(taken=taken):
            raise CommandError(f"somebody is called {taken!r} already", ExitCode.CONFLICT)
        case AccountRefused(why=why):
            raise click.UsageError(why)
        case _:
            assert_never(answer)


def _asked(question: str, *, instead: str) -> str:
    if not at_terminal():
        raise click.UsageError(f"Nobody can be asked here: give {instead}.")
    answer: str = click.prompt(question, err=True)
    return answer.strip()
