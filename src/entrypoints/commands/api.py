"""`anichron api`."""

import rich_click as click

from entrypoints.api import serve
from entrypoints.commands.lifeline import leave_with_parent_option
from entrypoints.commands.opening import read_settings
from entrypoints.signals import leave


@click.command("api")
@leave_with_parent_option
def command() -> None:
    """Serve the web API on API__HOST and API__PORT until SIGTERM or Ctrl-C.

    \b
    Example:
      API__HOST=0.0.0.0 API__PORT=8080 anichron api
    """  # noqa: D301 -- \b keeps click from filling the lines
    leave(serve(read_settings().settings))
