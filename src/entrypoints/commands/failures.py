"""`anichron failures`."""

from collections.abc import Sequence

import rich_click as click

from adapters.web.views.instants import instant
from application.ports.media_library import Stretch
from domain.ids import StorageConfigId
from domain.media.failed_file import RememberedFailure
from domain.media.file import path_text
from entrypoints.commands.finding import found_config
from entrypoints.commands.media_documents import FailuresView, failure_view
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option
from entrypoints.commands.output import say, show_document, show_table
from entrypoints.wiring.desk import Desk

COLUMNS = ("Reason", "File", "Bytes", "First failed", "Last tried")
PAGE = 1_000


@click.command("failures")
@click.argument("config", metavar="CONFIG")
@json_option
def command(config: str, *, as_json: bool) -> None:
    """List the files of the photo folder CONFIG that could not be taken in, and why.

    CONFIG is its id, a unique beginning of it, or the folder itself. A broken file is tried again when it
    changes, or by 'anichron crawl CONFIG --verify'.
    """

    async def read(desk: Desk) -> None:
        failures = await _all(desk, (await found_config(desk, config)).id)
        if as_json:
            show_document(FailuresView(tuple(map(failure_view, failures))))
        elif failures:
            show_table(COLUMNS, map(_row, failures), wraps="File", only_wide=3)
        else:
            say("Every file could be taken in.")

    at_desk(read_settings(), read)


async def _all(desk: Desk, config: StorageConfigId) -> Sequence[RememberedFailure]:
    failures: list[RememberedFailure] = []
    stretch = Stretch()
    while page := await desk.failures().known(config, stretch, limit=PAGE):
        failures += page
        stretch = Stretch(after=page[-1].failed.path)
    return failures


def _row(failure: RememberedFailure) -> Sequence[str]:
    failed = failure.failed
    return (
        failed.reason.value,
        path_text(failed.path),
        str(failed.size),
        instant(failure.first_seen_at),
        instant(failure.last_seen_at),
    )
