"""`anichron users create-admin`."""

import rich_click as click

from entrypoints.commands.options import json_option
from entrypoints.commands.passwords import password_file_option
from entrypoints.commands.users.adding import add_account


@click.command("create-admin")
@click.option("--email", help="E-mail address; asked for if not given.")
@click.option("--name", help="Name; without it, what stands before the @ of the address.")
@password_file_option
@json_option
def command(email: str | None, name: str | None, password_file: str | None, *, as_json: bool) -> None:
    """Add an account that may see and cancel everybody's work.

    A password is never an argument: other accounts of the host could read it.

    \b
    Examples:
      anichron users create-admin --email ada@photos.example
      anichron users create-admin --email ada@photos.example --password-file /run/secrets/ada
    """  # noqa: D301 -- \b keeps click from filling the lines
    add_account(email, name, password_file, is_admin=True, as_json=as_json)
