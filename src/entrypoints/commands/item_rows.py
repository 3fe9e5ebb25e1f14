"""Work items as rows of a table."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from domain.flat_state import flattened
from domain.work_item import WorkItem
from entrypoints.commands.item_words import ago, id_length, outcome, span, status_text
from entrypoints.commands.output import Cell

OUTCOME: Final = "Progress or outcome"
ITEM_COLUMNS: Final = ("Id", "Kind", "Status", OUTCOME, "Requested", "Took", "Attempt", "Worker")
ONLY_WIDE: Final = 3
"""How many of the last columns need a wide terminal."""


def item_rows(items: Sequence[WorkItem], now: datetime) -> Iterator[tuple[Cell, ...]]:
    """One row an item, with as much of its id as tells it from the others."""
    length = id_length(item.id for item in items)
    for item in items:
        flat = flattened(item.state)
        until = flat.finished_at or now
        yield (
            str(item.id)[:length],
            item.kind,
            status_text(item),
            outcome(item),
            ago(item.requested_at, now),
            "" if flat.started_at is None else span(until - flat.started_at),
            str(item.attempt),
            flat.claimed_by or "",
        )
