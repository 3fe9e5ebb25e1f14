"""`anichron items cancel`."""

from typing import assert_never

import rich_click as click

from adapters.web.views.work_items import work_item_view
from domain.outcomes import AlreadyFinished, CancelledNow, CancelRequested, UnknownItem
from domain.work_item import Status, WorkItem
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.finding import found_item
from entrypoints.commands.following import Teller, follow
from entrypoints.commands.item_words import status_word
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option
from entrypoints.commands.output import say, show_document
from entrypoints.wiring.desk import Desk


class _Quiet(Teller):
    """Says nothing on the way."""

    async def tell(self, items: object) -> None:
        """Say nothing."""


@click.command("cancel")
@click.argument("item", metavar="ID")
@click.option("--wait", is_flag=True, help="Leave only when it has really stopped.")
@json_option
def command(item: str, *, wait: bool, as_json: bool) -> None:
    """Cancel a waiting item at once, or ask a running one to stop.

    Prints "cancelled" or "asked to stop". A running item stops at its next step; what it has done is kept
    and marked partial.

    \b
    Example:
      anichron items cancel 0192f3c8-6d1e --wait
    """  # noqa: D301 -- \b keeps click from filling the lines

    async def cancel(desk: Desk) -> None:
        stood = await _cancelled(desk, item)
        if wait and stood.status is Status.RUNNING:
            say("It was asked to stop; waiting for its worker.")
            stood = await follow(desk, stood.id, _Quiet())
            _require_cancelled(stood)
        if as_json:
            show_document(work_item_view(stood, desk.limits()))
        else:
            click.echo("asked to stop" if stood.status is Status.RUNNING else status_word(stood))

    at_desk(read_settings(), cancel)


async def _cancelled(desk: Desk, text: str) -> WorkItem:
    """The item after the request."""
    id_ = (await found_item(desk, text)).id
    match await desk.cancel().cancel(id_):
        case CancelledNow(item=item) | CancelRequested(item=item):
            return item
        case AlreadyFinished(item=item):
            raise CommandError(
                f"too late: it is {item.status.value} already, so nothing was cancelled", ExitCode.CONFLICT
            )
        case UnknownItem():
            raise CommandError(f"work item {id_} is gone", ExitCode.NOT_FOUND)
        case answer:
            assert_never(answer)


def _require_cancelled(item: WorkItem) -> None:
    if item.status is not Status.CANCELLED:
        raise CommandError(f"too late: it {item.status.value} before it could stop", ExitCode.CONFLICT)
