"""`anichron users enable`."""

import rich_click as click

from entrypoints.commands.options import json_option
from entrypoints.commands.users.changing import change_account


@click.command("enable")
@click.argument("user", metavar="USER")
@json_option
def command(user: str, *, as_json: bool) -> None:
    """Let USER (a name or e-mail address) sign in again.

    \b
    Example:
      anichron users enable bob
    """  # noqa: D301 -- \b keeps click from filling the lines
    change_account(
        user,
        lambda desk, found: desk.account_care().enable(found.id),
        done="may sign in again",
        as_json=as_json,
    )
