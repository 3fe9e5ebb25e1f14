"""`anichron health api`."""

from http.client import HTTPConnection, HTTPException
from typing import Final

import rich_click as click

from entrypoints.commands.exits import CommandError
from entrypoints.commands.opening import read_settings
from entrypoints.commands.output import say

PATH: Final = "/api/v1/healthz"
SECONDS: Final = 3
OK: Final = 200
ANY_ADDRESS: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 -- looked up, not listened on


@click.command("api")
def command() -> None:
    """Ask the API of this host how it is; exit code 1 when it is not well."""
    settings = read_settings().settings.api
    host = ANY_ADDRESS.get(settings.host, settings.host)
    connection = HTTPConnection(host, settings.port, timeout=SECONDS)
    try:
        connection.request("GET", PATH)
        status = connection.getresponse().status
    except (OSError, HTTPException) as error:
        reason = str(error) or type(error).__name__
        raise CommandError(f"no API answers at {host} port {settings.port}: {reason}") from None
    finally:
        connection.close()
    if status != OK:
        raise CommandError(f"the API at {host} port {settings.port} is not well: it answers {status}")
    say("The API is well.")
