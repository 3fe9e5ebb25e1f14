"""How often sign-ins failed of late, in SQL."""

import hashlib
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from adapters.sql.engine import Database
from adapters.sql.session_tables import sign_in_failures
from application.ports.sign_in_failures import WINDOW, Admitted, LockedOut, SignInFailures, Suspect

SWEPT: Final = 20
"""Counts that are over, and go whenever a new one comes: so the table cannot grow for long."""


class _AtLimit(Exception):  # noqa: N818 -- takes the transaction back, with what it has counted
    pass


class SqlSignInFailures(SignInFailures):
    """One row for each suspect. The rows of a try are taken in the order of their digests, as everybody does."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def admit(self, limits: Mapping[Suspect, int]) -> Admitted | LockedOut:
        digests = {digest_of(suspect): limit for suspect, limit in limits.items()}
        try:
            await self._database.write(lambda connection: self._admit(connection, digests))
        except _AtLimit:
            return LockedOut(await self._database.read(lambda connection: self._wait(connection, digests)))
        return Admitted()

    async def forgive(self, suspects: frozenset[Suspect]) -> None:
        digests = sorted(map(digest_of, suspects))
        await self._database.write(lambda connection: self._forgive(connection, digests))

    async def delete_expired(self, *, limit: int) -> int:
        return await self._database.write(lambda connection: self._sweep(connection, limit))

    def _admit(self, connection: sa.Connection, limits: Mapping[bytes, int]) -> None:
        for digest, limit in sorted(limits.items()):
            if connection.execute(self._counted(digest, limit)).one_or_none() is None:
                raise _AtLimit
        self._sweep(connection, SWEPT)

    def _counted(self, digest: bytes, limit: int) -> sa.Executable:
        """One more in the window that runs, or the first of a new one; nothing where the limit is reached."""
        dialect = self._database.dialect
        table = sign_in_failures.c
        until = dialect.later(dialect.as_of, WINDOW)
        is_over = table.until <= dialect.as_of
        first = (
            sqlite.insert(sign_in_failures) if dialect.single_writer else postgresql.insert(sign_in_failures)
        )
        return (
            first.values(suspect=digest, failures=1, until=until)
            .on_conflict_do_update(
                index_elements=[table.suspect],
                set_={
                    "failures": sa.case((is_over, 1), else_=table.failures + 1),
                    "until": sa.case((is_over, until), else_=table.until),
                },
                where=is_over | (table.failures < limit),
            )
            .returning(table.failures)
        )

    def _wait(self, connection: sa.Connection, limits: Mapping[bytes, int]) -> timedelta:
        now = self._database.dialect.as_of
        table = sign_in_failures.c
        query = sa.select(table.suspect, table.failures, table.until, now.label("now"))
        rows = connection.execute(query.where(table.suspect.in_(list(limits)))).all()
        waits = (row.until - row.now for row in rows if row.failures >= limits[row.suspect])
        return max(waits, default=timedelta())

    def _forgive(self, connection: sa.Connection, digests: list[bytes]) -> None:
        table = sign_in_failures.c
        for digest in digests:
            counted = (table.suspect == digest) & (table.failures > 0)
            connection.execute(sa.update(sign_in_failures).where(counted).values(failures=table.failures - 1))

    def _sweep(self, connection: sa.Connection, limit: int) -> int:
        table = sign_in_failures.c
        over = (
            sa.select(table.suspect)
            .where(table.until <= self._database.dialect.as_of)
            .order_by(table.until)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        delete = sa.delete(sign_in_failures).where(table.suspect.in_(over))
        return connection.execute(delete).rowcount


def digest_of(suspect: Suspect) -> bytes:
    """What is kept of a suspect."""
    # People type their password where their name belongs: nothing of it may be readable in a backup.
    return hashlib.sha256(suspect.encode(errors="surrogatepass")).digest()
