"""`anichron health worker`."""

import socket
from datetime import timedelta
from typing import Final

import rich_click as click

from domain.page import EVERYTHING
from domain.presence import SeenWorker
from entrypoints.commands.exits import CommandError
from entrypoints.commands.item_words import ago
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.output import say
from entrypoints.wiring.desk import Desk

MISSED_POLLS: Final = 12
SHORTEST: Final = timedelta(seconds=60)


@click.command("worker")
def command() -> None:
    """Look for a worker of this host; exit code 1 when none was heard of for twelve polls, or a minute.

    It asks the database, so it also tells whether that can be reached (exit code 69).
    """
    loaded = read_settings()
    patience = max(MISSED_POLLS * loaded.settings.worker.poll, SHORTEST)

    async def look(desk: Desk) -> None:
        now = (await desk.admin().items(EVERYTHING, limit=1)).as_of
        own = [seen for seen in await desk.admin().workers() if _is_of_this_host(seen)]
        if not own:
            raise CommandError("no worker of this host was heard of")
        if now - own[0].last_seen_at > patience:
            raise CommandError(f"the worker of this host was last heard of {ago(own[0].last_seen_at, now)}")
        say(f"{own[0].presence.name} was heard of {ago(own[0].last_seen_at, now)}.")

    at_desk(loaded, look)


def _is_of_this_host(seen: SeenWorker) -> bool:
    """By its name: `<user or all>@<host>#<process>`."""
    host = seen.presence.name.rpartition("@")[2].partition("#")[0]
    return host == socket.gethostname()
