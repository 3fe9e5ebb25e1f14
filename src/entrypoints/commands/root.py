"""The root of the command line: what there is, and how every error becomes one line and an exit code."""

import errno
import sys
import traceback
from collections.abc import Sequence
from typing import Any, NoReturn

import rich_click as click

from application.ports.errors import PortError, SchemaFromTheFuture, StoreUnavailable, StoreUnfit
from application.registry import RegistryError
from entrypoints.commands.deferred import DeferredGroup
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.settings.errors import SettingsError

PROGRAM = "anichron"
COMMANDS = {
    "up": "Crawl a photo folder and serve it: everything in one go.",
    "api": "Serve the web API.",
    "worker": "Work off the queue.",
    "items": "List, show, watch and cancel work items.",
    "crawl": "Ask for a crawl of a photo folder.",
    "sweeps": "Look for proxies that no photo has, and for photos whose proxy is gone.",
    "deletions": "Delete files that a sweep has found.",
    "memories": "List what was photographed on a day, of every year.",
    "failures": "List the files of a photo folder that could not be taken in.",
    "configs": "Add, list and remove photo folders.",
    "users": "Add accounts and look after them.",
    "tokens": "Make bearer tokens for scripts.",
    "workers": "See who is working.",
    "db": "Migrate and back up the database.",
    "config": "Show and check the settings.",
    "health": "Tell a container's runtime whether it is well.",
    "completion": "Print the completion script of a shell.",
}


class RootGroup(DeferredGroup):
    """Ends the process with one line on stderr and the documented exit code, never with a traceback."""

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        **extra: Any,  # noqa: ANN401 -- handed on
    ) -> NoReturn:
        """Run the command line and leave."""
        sys.exit(self._code(args, prog_name or PROGRAM, extra))

    def _code(self, args: Sequence[str] | None, prog_name: str, extra: dict[str, Any]) -> int:
        try:
            answer = super().main(args, prog_name, **{**extra, "standalone_mode": False})
            # A command returns nothing; the code of `ctx.exit(code)` comes back as a number.
            return answer if isinstance(answer, int) else ExitCode.OK
        except Exception as error:  # noqa: BLE001 -- whatever it is, nobody is shown a traceback
            return _reported(error)


def _reported(error: Exception) -> int:
    """Say what went wrong on stderr; the exit code that tells the same to a script."""
    lines, code = _told(error)
    for line in lines:
        click.echo(line, err=True)
    return code


def _told(error: Exception) -> tuple[tuple[str, ...], int]:
    match error:
        case SettingsError():
            return error.lines, ExitCode.CONFIG
        case StoreUnfit() | RegistryError():
            return (f"{PROGRAM}: {_first_line(error)}",), ExitCode.CONFIG
        case click.UsageError():
            return (_usage(error),), ExitCode.USAGE
        case BrokenPipeError() | click.Abort():
            # Nobody reads on, or somebody pressed Ctrl-C: neither wants to be told so.
            return (), ExitCode.INTERRUPTED if isinstance(error, click.Abort) else ExitCode.ERROR
        case _:
            message, code = _message(error)
            return (f"{PROGRAM}: {message}",), code


def _message(error: Exception) -> tuple[str, int]:
    match error:
        case CommandError():
            return str(error), error.code
        case StoreUnavailable():
            hint = "'anichron config show' tells which one it is"
            return f"the database is out of reach: {_first_line(error)}; {hint}", ExitCode.UNAVAILABLE
        case SchemaFromTheFuture():
            return _first_line(error), ExitCode.VERSION
        case OSError():
            return _refused(error), ExitCode.ERROR
        case PortError() | click.ClickException():
            return _first_line(error), ExitCode.ERROR
        case _:
            return _unexpected(error), ExitCode.ERROR


def _usage(error: click.UsageError) -> str:
    path = PROGRAM if error.ctx is None else error.ctx.command_path
    # click lists the choices of a missing argument on lines of their own, and ends them with no full stop.
    message = " ".join(error.format_message().split())
    stop = "" if message.endswith((".", "?")) else "."
    return f"{path}: {message}{stop} See '{path} --help'."


def _refused(error: OSError) -> str:
    reason = (error.strerror or str(error)).lower()
    place = "" if error.filename is None else f"{error.filename}: "
    hint = "; free some space, or choose another ANICHRON_DATA" if error.errno == errno.ENOSPC else ""
    return f"{place}{reason}{hint}"


def _unexpected(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}"
    return f"unexpected {type(error).__name__} at {where}: {_first_line(error)}"


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


@click.group(
    PROGRAM,
    cls=RootGroup,
    package=__package__,
    deferred=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name=PROGRAM, prog_name=PROGRAM)
def root() -> None:
    """A durable work queue that crawls photo libraries.

    It works on the database, so it also works while the API is down. Data goes to stdout and everything
    else to stderr. Settings come from the environment: see 'anichron config show'.

    \b
    Examples:
      anichron up --photos ~/Pictures      crawl a folder and serve it
      anichron items list                  what was done, what runs, what waits
      anichron items watch                 the same, live
    """  # noqa: D301 -- \b keeps click from filling the lines
