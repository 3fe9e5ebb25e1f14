"""How often sign-ins failed of late, in memory."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from adapters.memory.database import MemoryDatabase
from application.ports.sign_in_failures import WINDOW, Admitted, LockedOut, SignInFailures, Suspect


@dataclass(frozen=True, slots=True)
class FailureRow:
    """A window that began with a first failure."""

    failures: int
    until: datetime


class MemorySignInFailures(SignInFailures):
    """The counts of one memory database."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database
        self.rows: dict[Suspect, FailureRow] = database.table()

    async def admit(self, limits: Mapping[Suspect, int]) -> Admitted | LockedOut:
        async with self._database.step():
            now = self._database.now()
            self._sweep(len(self.rows))
            known = {suspect: self.rows.get(suspect, FailureRow(0, now + WINDOW)) for suspect in limits}
            waits = [row.until - now for suspect, row in known.items() if row.failures >= limits[suspect]]
            if waits:
                return LockedOut(max(waits))
            for suspect, row in known.items():
                self.rows[suspect] = replace(row, failures=row.failures + 1)
            return Admitted()

    async def forgive(self, suspects: frozenset[Suspect]) -> None:
        async with self._database.step():
            for suspect in suspects & self.rows.keys():
                row = self.rows[suspect]
                self.rows[suspect] = replace(row, failures=max(0, row.failures - 1))

    async def delete_expired(self, *, limit: int) -> int:
        async with self._database.step():
            return self._sweep(limit)

    def _sweep(self, limit: int) -> int:
        now = self._database.now()
        over = sorted((row.until, suspect) for suspect, row in self.rows.items() if row.until <= now)[:limit]
        for _, suspect in over:
            del self.rows[suspect]
        return len(over)
