"""`anichron items list`."""

import rich_click as click

from adapters.web.views.instants import instant
from adapters.web.views.opaque import InvalidCursor
from adapters.web.views.page_cursors import cursor_from, cursor_text
from adapters.web.views.work_items import WorkItemPageView, work_item_view
from domain.ids import KindName
from domain.kinds.kind import WorkKind
from domain.outlook import Outlook
from domain.page import Filter, Page, PageCursor, PlaceLost
from domain.work_item import Status
from entrypoints.commands.item_rows import ITEM_COLUMNS, ONLY_WIDE, OUTCOME, item_rows
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option
from entrypoints.commands.output import say, show_document, show_table
from entrypoints.wiring.desk import Desk

LARGEST_LIMIT = 200
NOTHING_YET = "Nothing has run yet. Workers add their own work: a crawl starts soon after a worker does."
NO_MATCH = "No item matches this filter."


@click.command("list")
@click.option(
    "--status",
    "statuses",
    multiple=True,
    type=click.Choice([status.value for status in Status]),
    help="Only items with this status. May be given several times.",
)
@click.option("--kind", "kinds", multiple=True, help="Only items of this kind. May be given several times.")
@click.option(
    "--limit", type=click.IntRange(1, LARGEST_LIMIT), default=50, show_default=True, help="How many."
)
@click.option("--cursor", help="Go on after an earlier list; it must have had the same filter.")
@json_option
def command(
    statuses: tuple[str, ...], kinds: tuple[str, ...], limit: int, cursor: str | None, *, as_json: bool
) -> None:
    """List work items, newest change first.

    \b
    Examples:
      anichron items list --status failed --status running
      anichron items list --kind crawl --limit 200 --json
    """  # noqa: D301 -- \b keeps click from filling the lines
    which = Filter(statuses=frozenset(map(Status, statuses)), kinds=frozenset(map(KindName, kinds)))
    after = _after(cursor, which)

    async def read(desk: Desk) -> None:
        page = await desk.admin().items(which, limit=limit, after=after)
        if isinstance(page, PlaceLost):
            raise _no_cursor()
        if as_json:
            show_document(_document(page, which, desk, await desk.overview().outlook()))
        elif page.items:
            _show(page, which)
        else:
            say(NOTHING_YET if which == Filter() else NO_MATCH)
        if not page.items:
            _doubt(which)

    at_desk(read_settings(), read)


def _after(cursor: str | None, which: Filter) -> PageCursor | None:
    if cursor is None:
        return None
    after = cursor_from(cursor, which)
    if isinstance(after, InvalidCursor):
        raise _no_cursor()
    return after


def _no_cursor() -> click.BadParameter:
    return click.BadParameter(
        "it is none, or of a list with another filter, or of another database.", param_hint="--cursor"
    )


def _document(page: Page, which: Filter, desk: Desk, outlook: Outlook) -> WorkItemPageView:
    limits = desk.limits()
    return WorkItemPageView(
        items=tuple(work_item_view(item, limits, outlook) for item in page.items),
        event_cursor=page.cursor,
        next_cursor=None if page.next is None else cursor_text(page.next, which),
        server_time=instant(page.as_of),
    )


def _doubt(which: Filter) -> None:
    """Name the kinds that are not of this version: they may be another's, so they are no mistake by themselves."""
    unheard_of = sorted(which.kinds.difference(kind.row_name for kind in WorkKind))
    if unheard_of:
        say(
            f"This version knows no kind {' and no '.join(map(repr, unheard_of))}, but {', '.join(WorkKind)}."
        )


def _show(page: Page, which: Filter) -> None:
    show_table(ITEM_COLUMNS, item_rows(page.items, page.as_of), wraps=OUTCOME, only_wide=ONLY_WIDE)
    if page.next is not None:
        say(f"There are more: go on with --cursor {cursor_text(page.next, which)}")
