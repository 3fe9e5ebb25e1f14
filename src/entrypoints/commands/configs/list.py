"""`anichron configs list`."""

import rich_click as click

from adapters.web.views.instants import instant
from entrypoints.commands.documents import ConfigsView, config_view
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option
from entrypoints.commands.output import say, show_document, show_table
from entrypoints.wiring.desk import Desk

COLUMNS = ("Id", "User", "Folder", "Active", "Added")


@click.command("list")
@json_option
def command(*, as_json: bool) -> None:
    """List photo folders, oldest first."""

    async def read(desk: Desk) -> None:
        configs = await desk.configs().all()
        if as_json:
            show_document(ConfigsView(tuple(map(config_view, configs))))
            return
        if not configs:
            say("There is no photo folder yet: add one with 'anichron configs add USER PATH'.")
            return
        names = {user.id: user.name for user in await desk.accounts().all()}
        rows = (
            (
                str(config.id),
                names.get(config.user_id, str(config.user_id)),
                config.root_path,
                "yes" if config.is_active else "no",
                instant(config.created_at),
            )
            for config in configs
        )
        show_table(COLUMNS, rows, wraps="Folder", only_wide=2)

    at_desk(read_settings(), read)
