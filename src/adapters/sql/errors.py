"""Drivers' errors, told apart by meaning and translated into those of the ports (R16)."""

import sqlite3
from typing import Final

import psycopg
import sqlalchemy as sa

from application.ports.errors import StoreError, StoreRefused, StoreUnavailable, StoreUnfit

REFUSED_CLASSES: Final = frozenset({"22", "23", "54"})
"""SQLSTATE classes of data exceptions, broken constraints, and excess of limits: asking again cannot help."""

POOLERS_COMPLAINT: Final = "startup parameter"
"""What PgBouncer says of settings for a session, which its clients do not have."""

CONFLICTS: Final = frozenset({"40001", "40P01"})
"""Serialization failures and deadlocks: the transaction was rolled back and may simply be run again."""


class TryAgain(Exception):  # noqa: N818 -- reads as the order it is
    """Raised by a piece of work that another transaction overtook: it wants to run again, from the start."""


class UnknownReference(StoreRefused):
    """A row names another one that does not exist."""


class Taken(StoreRefused):
    """Another row has this value already, where each must have its own."""


def is_conflict(error: BaseException) -> bool:
    """Whether the same work may succeed if it is run again at once."""
    cause = _driver_error(error)
    return isinstance(cause, TryAgain) or (isinstance(cause, psycopg.Error) and cause.sqlstate in CONFLICTS)


def is_duplicate(error: BaseException) -> bool:
    """Whether a unique index refused a row."""
    cause = _driver_error(error)
    if isinstance(cause, sqlite3.Error):
        return _sqlite_code(cause) in {sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY}
    return isinstance(cause, psycopg.errors.UniqueViolation)


def translated(error: BaseException) -> BaseException:
    """What a port raises in place of this error; an error that is not the store's stays as it is."""
    cause = _driver_error(error)
    told: BaseException = error
    match cause:
        case StoreError():
            told = cause
        case TryAgain():
            told = StoreUnavailable("Too many writers got in each other's way.")
        case psycopg.Error():
            told = _of_postgres(cause)
        case sqlite3.Error():
            told = _of_sqlite(cause)
        case UnicodeEncodeError() | OverflowError():
            told = StoreRefused(f"No store can keep this: {type(cause).__name__}.")
        case sa.exc.SQLAlchemyError():
            told = StoreUnavailable(type(cause).__name__)
        case _:
            pass
    return told


def _driver_error(error: BaseException) -> BaseException:
    original = error.orig if isinstance(error, sa.exc.StatementError) else None
    return original or error


def _of_postgres(error: psycopg.Error) -> StoreError:
    # Only the primary message: DETAIL quotes the row's content, which may hold names of files.
    text = f"PostgreSQL {error.sqlstate or 'client'}: {_first_line(error.diag.message_primary or str(error))}"
    if error.sqlstate is None and POOLERS_COMPLAINT in text:
        return StoreUnfit(f"{text}: a pooler lies between, set DATABASE__BEHIND_POOLER=true")
    if isinstance(error, psycopg.errors.ForeignKeyViolation):
        return UnknownReference(text)
    if isinstance(error, psycopg.errors.UniqueViolation):
        return Taken(text)
    refused = (
        isinstance(error, psycopg.DataError)
        if error.sqlstate is None
        else error.sqlstate[:2] in REFUSED_CLASSES
    )
    return StoreRefused(text) if refused else StoreUnavailable(text)


def _of_sqlite(error: sqlite3.Error) -> StoreError:
    text = f"SQLite: {_first_line(str(error))}"
    if _sqlite_code(error) == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
        return UnknownReference(text)
    if is_duplicate(error):
        return Taken(text)
    refused = isinstance(error, sqlite3.IntegrityError | sqlite3.DataError)
    return StoreRefused(text) if refused else StoreUnavailable(text)


def _sqlite_code(error: sqlite3.Error) -> int | None:
    # The module itself raises some errors, and those have no code.
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return code


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0]
