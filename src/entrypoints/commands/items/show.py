"""`anichron items show`."""

from collections.abc import Iterator

import rich_click as click

from adapters.web.views.instants import instant
from adapters.web.views.work_items import work_item_detail_view
from application.admin import ItemHistory
from domain.attempt import EndedAttempt
from domain.flat_state import flattened
from domain.work_item import WorkItem
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.finding import found_item
from entrypoints.commands.item_words import outcome, span, status_text, waiting_words
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option
from entrypoints.commands.output import Cell, show_document, show_table
from entrypoints.commands.pointers import point_on
from entrypoints.wiring.desk import Desk

VALUE = "Value"
NO_ACCOUNT = "no account (the schedule, or somebody at the command line)"
ATTEMPT_COLUMNS = ("Attempt", "Ended", "Started", "Took", "Worker", "Error")


@click.command("show")
@click.argument("item", metavar="ID")
@json_option
def command(item: str, *, as_json: bool) -> None:
    """Show one work item with its history. ID may be shortened to a unique beginning.

    \b
    Example:
      anichron items show 0192f3c8-6d1e
    """  # noqa: D301 -- \b keeps click from filling the lines

    async def read(desk: Desk) -> None:
        history = await desk.admin().item((await found_item(desk, item)).id)
        if not isinstance(history, ItemHistory):
            raise CommandError("the work item has just gone", ExitCode.NOT_FOUND)
        outlook = await desk.overview().outlook()
        if as_json:
            show_document(work_item_detail_view(history.item, history.attempts, desk.limits(), outlook))
            return
        asked_by = await _asker(desk, history.item)
        show_table(
            ("Fact", VALUE),
            _facts(history.item, asked_by, waiting_words(outlook.reason(history.item))),
            wraps=VALUE,
        )
        if history.attempts:
            click.echo()
            show_table(ATTEMPT_COLUMNS, map(_attempt, history.attempts), wraps="Error")
        await point_on(desk, history.item)

    at_desk(read_settings(), read)


async def _asker(desk: Desk, item: WorkItem) -> str:
    if item.requested_by is not None:
        user = await desk.users().get(item.requested_by)
        return str(item.requested_by) if user is None else user.name
    return NO_ACCOUNT


def _facts(item: WorkItem, asked_by: str, waits: str) -> Iterator[tuple[str, Cell]]:
    flat = flattened(item.state)
    yield "Id", str(item.id)
    yield "Kind", item.kind
    yield "Status", status_text(item)
    optional = (
        ("Waits", waits),
        ("Outcome", outcome(item)),
        ("Result", flat.result or ""),
        ("Photo folder", "" if item.storage_config_id is None else str(item.storage_config_id)),
        ("Requested by", asked_by),
        ("Requested at", instant(item.requested_at)),
        ("Ready at", "" if flat.run_after is None else instant(flat.run_after)),
        ("Started at", "" if flat.started_at is None else instant(flat.started_at)),
        ("Cancel asked at", "" if flat.cancel_requested_at is None else instant(flat.cancel_requested_at)),
        ("Finished at", "" if flat.finished_at is None else instant(flat.finished_at)),
        ("Worker", flat.claimed_by or ""),
        ("Attempt", str(item.attempt)),
        ("Stalls", str(item.stalls) if item.stalls else ""),
        ("Retries", str(item.retries) if item.retries else ""),
        ("Payload", item.payload),
    )
    yield from ((name, value) for name, value in optional if value)


def _attempt(ended: EndedAttempt) -> tuple[str, ...]:
    error = "" if ended.failure is None else f"{ended.failure.code}: {ended.failure.text}"
    return (
        str(ended.attempt),
        ended.how.value,
        instant(ended.started_at),
        span(ended.ended_at - ended.started_at),
        ended.claimed_by,
        error,
    )
