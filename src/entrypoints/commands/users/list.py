"""`anichron users list`."""

import rich_click as click

from adapters.web.views.instants import instant
from entrypoints.commands.documents import UsersView, user_view
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option
from entrypoints.commands.output import say, show_document, show_table
from entrypoints.wiring.desk import Desk

COLUMNS = ("Id", "Name", "E-mail", "Admin", "Disabled", "Added")


@click.command("list")
@json_option
def command(*, as_json: bool) -> None:
    """List accounts, oldest first."""

    async def read(desk: Desk) -> None:
        users = await desk.accounts().all()
        if as_json:
            show_document(UsersView(tuple(map(user_view, users))))
            return
        if not users:
            say("There is no account yet: add one with 'anichron users create-admin'.")
            return
        rows = (
            (
                str(user.id),
                user.name,
                user.email,
                "yes" if user.is_admin else "no",
                "yes" if user.is_disabled else "no",
                instant(user.created_at),
            )
            for user in users
        )
        show_table(COLUMNS, rows, wraps="E-mail", only_wide=3)

    at_desk(read_settings(), read)
