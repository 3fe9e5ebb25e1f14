"""`anichron users grant-admin`."""

import rich_click as click

from entrypoints.commands.options import json_option
from entrypoints.commands.users.changing import change_account


@click.command("grant-admin")
@click.argument("user", metavar="USER")
@json_option
def command(user: str, *, as_json: bool) -> None:
    """Let USER (a name or e-mail address) see and cancel everybody's work.

    \b
    Example:
      anichron users grant-admin ada@photos.example
    """  # noqa: D301 -- \b keeps click from filling the lines
    change_account(
        user,
        lambda desk, found: desk.account_care().grant_admin(found.id),
        done="is an admin now",
        as_json=as_json,
    )
