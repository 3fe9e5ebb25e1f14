"""`anichron users end-sessions`."""

import rich_click as click

from entrypoints.commands.documents import EndedSessionsView
from entrypoints.commands.finding import found_user
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option
from entrypoints.commands.output import say, show_document
from entrypoints.wiring.desk import Desk


@click.command("end-sessions")
@click.argument("user", metavar="USER")
@json_option
def command(user: str, *, as_json: bool) -> None:
    """Sign USER (a name or e-mail address) out on every device.

    Access tokens that were given out before run out within minutes; 'users disable' stops them at once.

    \b
    Example:
      anichron users end-sessions ada@photos.example
    """  # noqa: D301 -- \b keeps click from filling the lines

    async def end(desk: Desk) -> None:
        found = await found_user(desk, user)
        sessions = await desk.account_care().end_sessions(found.id)
        if as_json:
            show_document(EndedSessionsView(user_id=str(found.id), sessions=sessions))
        ended = {0: "had no session", 1: "had 1 session; it is ended"}
        say(f"{found.name} {ended.get(sessions, f'had {sessions} sessions; they are ended')}.")

    at_desk(read_settings(), end)
