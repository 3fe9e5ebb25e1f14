"""One event happens to one item: the row is locked, `advance` decides, and what it decided is written."""

from typing import Final

import sqlalchemy as sa

from adapters.sql.dialect import Dialect
from adapters.sql.errors import TryAgain, is_duplicate
from adapters.sql.rows import attempt_row_of, changeable_of, item_of
from adapters.sql.statements import ADD_ATTEMPT, CHANGE_ITEM, LOCKED_ITEM, LOCKED_TWIN
from domain.events import Event, ExpireLease, Moment, Release, Retry
from domain.ids import DedupKey, WorkItemId
from domain.lifecycle import advance
from domain.moves import Moved
from domain.outcomes import Fenced, Refused, UnknownItem
from domain.work_item import WorkItem

GOING_BACK: Final = (Retry, Release, ExpireLease)
"""The events that may bring a running item back to the queue, where a twin may wait."""

Outcome = Moved | Fenced | Refused


def apply(
    connection: sa.Connection, dialect: Dialect, item: WorkItemId, event: Event
) -> Outcome | UnknownItem:
    """Apply the event to whatever state the item is in by the time nobody else changes it.

    In a transaction that may write. Raises `TryAgain` when a twin appears at the last moment.
    """
    row = connection.execute(LOCKED_ITEM, {"item": item}).one_or_none()
    return UnknownItem() if row is None else advance_locked(connection, dialect, item_of(row), event)


def advance_locked(connection: sa.Connection, dialect: Dialect, item: WorkItem, event: Event) -> Outcome:
    """The same for an item whose row this transaction has locked already."""
    twin = _twin(connection, item.dedup_key) if isinstance(event, GOING_BACK) else None
    # Asked after the locks, for which it may have waited.
    now = connection.execute(dialect.clock).scalar_one()
    outcome = advance(item, event, Moment(now, None if twin is None else twin.id))
    if isinstance(outcome, Moved):
        _keep(connection, item, outcome)
        if outcome.inheritance is not None and twin is not None:
            heir = advance(twin, outcome.inheritance, Moment(now))
            assert isinstance(heir, Moved)  # noqa: S101 -- it waits, and is locked
            _write(connection, heir.item)
    return outcome


def _twin(connection: sa.Connection, key: DedupKey | None) -> WorkItem | None:
    if key is None:
        return None
    row = connection.execute(LOCKED_TWIN, {"key": key}).one_or_none()
    return None if row is None else item_of(row)


def _keep(connection: sa.Connection, before: WorkItem, moved: Moved) -> None:
    # Being asked to stop a second time changes nothing, not even the revision.
    if moved.item is not before:
        _write(connection, moved.item)
    if moved.ended is not None:
        connection.execute(ADD_ATTEMPT, attempt_row_of(before.id, moved.ended))


def _write(connection: sa.Connection, item: WorkItem) -> None:
    try:
        connection.execute(CHANGE_ITEM, {"item": item.id, **changeable_of(item)})
    except sa.exc.IntegrityError as error:
        if is_duplicate(error):
            raise TryAgain from error
        raise
