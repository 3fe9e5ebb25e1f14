"""`anichron users revoke-admin`."""

import rich_click as click

from entrypoints.commands.options import json_option
from entrypoints.commands.users.changing import change_account


@click.command("revoke-admin")
@click.argument("user", metavar="USER")
@click.option("--yes", is_flag=True, help="Also the last admin: nobody looks after the install then.")
@json_option
def command(user: str, *, yes: bool, as_json: bool) -> None:
    """Let USER (a name or e-mail address) look after the install no longer.

    It holds for the next request. The last admin who can sign in stays one, unless --yes says otherwise.

    \b
    Example:
      anichron users revoke-admin bob
    """  # noqa: D301 -- \b keeps click from filling the lines
    change_account(
        user,
        lambda desk, found: desk.account_care().revoke_admin(found.id, even_last=yes),
        done="is no admin any more",
        as_json=as_json,
    )
