"""`anichron workers list`."""

from typing import assert_never

import rich_click as click

from adapters.web.views.workers import WorkersView, worker_view
from domain.ids import UserId
from domain.page import EVERYTHING
from domain.scope import AllScopes, Scope, UserScope
from entrypoints.commands.item_words import ago
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option
from entrypoints.commands.output import say, show_document, show_table
from entrypoints.wiring.desk import Desk

COLUMNS = ("Name", "Serves", "Version", "Slots", "Started", "Last seen")


@click.command("list")
@json_option
def command(*, as_json: bool) -> None:
    """List the workers that were heard of lately, the latest first."""

    async def read(desk: Desk) -> None:
        workers = await desk.admin().workers()
        # What "lately" means is for the database's clock to say, not for that of this host.
        now = (await desk.admin().items(EVERYTHING, limit=1)).as_of
        if as_json:
            show_document(WorkersView(items=tuple(map(worker_view, workers))))
            return
        if not workers:
            say("No worker was heard of: start one with 'anichron worker'.")
            return
        names = {user.id: user.name for user in await desk.accounts().all()}
        rows = (
            (
                seen.presence.name,
                _served(seen.presence.scope, names),
                seen.presence.version,
                str(seen.presence.slots),
                ago(seen.started_at, now),
                ago(seen.last_seen_at, now),
            )
            for seen in workers
        )
        show_table(COLUMNS, rows, wraps="Serves")

    at_desk(read_settings(), read)


def _served(scope: Scope, names: dict[UserId, str]) -> str:
    match scope:
        case AllScopes():
            return "all"
        case UserScope(user_id=user):
            return names.get(user, str(user))
        case _:
            assert_never(scope)
