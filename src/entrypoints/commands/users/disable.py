"""`anichron users disable`."""

import rich_click as click

from entrypoints.commands.options import json_option
from entrypoints.commands.users.changing import change_account


@click.command("disable")
@click.argument("user", metavar="USER")
@click.option("--yes", is_flag=True, help="Also the last admin: nobody looks after the install then.")
@json_option
def command(user: str, *, yes: bool, as_json: bool) -> None:
    """Let nobody sign in as USER (a name or e-mail address); whoever is signed in is out at once.

    Photo folders and work stay as they are. The last admin who can sign in is only disabled with --yes.

    \b
    Example:
      anichron users disable bob
    """  # noqa: D301 -- \b keeps click from filling the lines
    change_account(
        user,
        lambda desk, found: desk.account_care().disable(found.id, even_last=yes),
        done="may not sign in any more",
        as_json=as_json,
    )
