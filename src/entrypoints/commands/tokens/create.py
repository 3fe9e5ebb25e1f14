"""`anichron tokens create`."""

from datetime import timedelta
from typing import assert_never

import rich_click as click

from adapters.web.views.instants import instant
from application.access import LONGEST_TOKEN
from application.accounts import DisabledUser, UnknownUser
from application.ports.access_tokens import IssuedToken
from entrypoints.commands.documents import TokenView
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import Span, json_option
from entrypoints.commands.output import say, show_document
from entrypoints.wiring.desk import Desk


@click.command("create")
@click.argument("user", metavar="USER")
@click.option(
    "--expires", "lasts", type=Span(), default="1h", show_default=True, help="How long it is good for."
)
@json_option
def command(user: str, lasts: timedelta, *, as_json: bool) -> None:
    """Make a bearer token that speaks for USER (a name or e-mail address). It is shown this once.

    What it may do is judged at each request by what the account may do then.

    \b
    Example:
      curl -H "Authorization: Bearer $(anichron tokens create ada --expires 1h)" \\
        http://127.0.0.1:8080/api/v1/admin/work-items
    """  # noqa: D301 -- \b keeps click from filling the lines
    if lasts > LONGEST_TOKEN:
        raise click.BadParameter("must be at most 24h: the API takes no longer ones.", param_hint="--expires")

    async def create(desk: Desk) -> None:
        token = await _created(desk, user, lasts)
        if as_json:
            show_document(TokenView(token=token.text, expires_at=instant(token.expires_at)))
            return
        click.echo(token.text)
        say(f"It is good until {instant(token.expires_at)}.")

    at_desk(read_settings(), create)


async def _created(desk: Desk, user: str, lasts: timedelta) -> IssuedToken:
    match await desk.tokens().create(user, lasts=lasts):
        case IssuedToken() as token:
            return token
        case UnknownUser():
            raise CommandError(f"nobody is called {user!r}: see 'anichron users list'", ExitCode.NOT_FOUND)
        case DisabledUser():
            raise CommandError(f"the account {user!r} is disabled", ExitCode.CONFLICT)
        case answer:
            assert_never(answer)
