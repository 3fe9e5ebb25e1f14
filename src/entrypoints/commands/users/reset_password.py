"""`anichron users reset-password`."""

from typing import assert_never

import rich_click as click

from application.account_care import PasswordRefused
from application.ports.account_changes import AccountChanged, AccountGone
from entrypoints.commands.documents import NewPasswordView
from entrypoints.commands.finding import found_user
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option
from entrypoints.commands.output import say, show_document
from entrypoints.commands.passwords import generated_password, given_password, password_file_option
from entrypoints.commands.users.changing import ended, is_gone
from entrypoints.wiring.desk import Desk


@click.command("reset-password")
@click.argument("user", metavar="USER")
@password_file_option
@click.option("--generate", is_flag=True, help="Make one, and print it this once.")
@json_option
def command(user: str, password_file: str | None, *, generate: bool, as_json: bool) -> None:
    """Give USER (a name or e-mail address) another password, and sign them out on every device.

    A password is never an argument: other accounts of the host could read it.

    \b
    Examples:
      anichron users reset-password ada@photos.example
      anichron users reset-password ada@photos.example --generate
    """  # noqa: D301 -- \b keeps click from filling the lines
    if generate and password_file is not None:
        raise click.UsageError("--generate and --password-file contradict each other: keep one of them.")
    instead = "--password-file or --generate"
    password = generated_password() if generate else given_password(password_file, instead=instead)

    async def reset(desk: Desk) -> None:
        changed = await _changed(desk, user, password)
        if as_json:
            shown = password if generate else None
            view = NewPasswordView(user_id=str(changed.user.id), sessions=changed.sessions, password=shown)
            show_document(view)
        elif generate:
            click.echo(password)
        say(f"{changed.user.name} has another password.{ended(changed.sessions)}")

    at_desk(read_settings(), reset)


async def _changed(desk: Desk, user: str, password: str) -> AccountChanged:
    found = await found_user(desk, user)
    answer = await desk.account_care().reset_password(found.id, password)
    match answer:
        case AccountChanged():
            return answer
        case PasswordRefused(why=why):
            raise click.UsageError(why)
        case AccountGone():
            raise is_gone(user)
        case _:
            assert_never(answer)
