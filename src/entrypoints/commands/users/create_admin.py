"""`anichron users create-admin`."""

import sys
from pathlib import Path
from typing import assert_never

import rich_click as click

from application.accounts import AccountAdded, AccountRefused, AccountTaken
from domain.account import User
from entrypoints.commands.asking import at_terminal
from entrypoints.commands.documents import user_view
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option
from entrypoints.commands.output import say, show_document
from entrypoints.settings.files import Unreadable, text_of
from entrypoints.wiring.desk import Desk

STDIN = "-"


@click.command("create-admin")
@click.option("--email", help="E-mail address; asked for if not given.")
@click.option("--name", help="Name; without it, what stands before the @ of the address.")
@click.option(
    "--password-file",
    help="File with the password, '-' for stdin; one newline at its end is not part of it. "
    "Without it the password is asked for.",
)
@json_option
def command(email: str | None, name: str | None, password_file: str | None, *, as_json: bool) -> None:
    """Add an account that may see and cancel everybody's work.

    A password is never an argument: other accounts of the host could read it.

    \b
    Examples:
      anichron users create-admin --email ada@photos.example
      anichron users create-admin --email ada@photos.example --password-file /run/secrets/ada
    """  # noqa: D301 -- \b keeps click from filling the lines
    email = email or _asked("E-mail address", instead="--email")
    name = name or email.split("@")[0]
    password = _password(password_file)

    async def add(desk: Desk) -> None:
        user = await _added(desk, name, email, password)
        if as_json:
            show_document(user_view(user))
            return
        click.echo(user.id)
        say(f"{user.name} is an admin now.")

    at_desk(read_settings(), add, begins=True)


async def _added(desk: Desk, name: str, email: str, password: str) -> User:
    match await desk.accounts().add(name=name, email=email, password=password, is_admin=True):
        case AccountAdded(user=user):
            return user
        case AccountTaken(taken=taken):
            raise CommandError(f"somebody is called {taken!r} already", ExitCode.CONFLICT)
        case AccountRefused(why=why):
            raise click.UsageError(why)
        case answer:
            assert_never(answer)


def _asked(question: str, *, instead: str) -> str:
    if not at_terminal():
        raise click.UsageError(f"Nobody can be asked here: give {instead}.")
    answer: str = click.prompt(question, err=True)
    return answer.strip()


def _password(file: str | None) -> str:
    if file == STDIN:
        return sys.stdin.read().removesuffix("\n")
    if file is not None:
        text = text_of(Path(file))
        if isinstance(text, Unreadable):
            raise click.BadParameter(f"{file}: the file {text.why}.", param_hint="--password-file")
        return text
    if not at_terminal():
        raise click.UsageError("Nobody can be asked here: give --password-file.")
    answer: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    return answer
