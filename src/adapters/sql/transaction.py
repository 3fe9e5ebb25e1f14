"""A transaction that several steps take part in. It keeps a thread, and with it a connection, until it ends."""

from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeVar

import sqlalchemy as sa

from adapters.sql.retrying import retried
from adapters.sql.session import Session
from adapters.sql.threads import PieceOfWork

T = TypeVar("T")


class SqlTransaction:
    """Runs its steps in order. Belongs to the database that began it."""

    def __init__(self, owner: object) -> None:
        """Wait for a thread."""
        self.owner = owner
        self.is_open = False
        self._steps: SimpleQueue[PieceOfWork | None] = SimpleQueue()

    def run(self, session: Session) -> Callable[[], None]:
        """Keep the thread until the end."""
        while (step := self._steps.get()) is not None:
            step.run(session)()
        session.settle()
        return _nothing

    def give(self, step: PieceOfWork) -> None:
        """Do this after what was given before."""
        self._steps.put(step)

    def end(self) -> None:
        """Undo what was not committed, and let go of the thread."""
        self.is_open = False
        self._steps.put(None)


def joining(work: Callable[[sa.Connection], T]) -> Callable[[Session], T]:
    """The work as one step of an open transaction: if it fails, only the step is undone."""

    def run(session: Session) -> T:
        def once() -> T:
            connection = session.open()
            with connection.begin_nested():
                return work(connection)

        return retried(once, _nothing)

    return run


def _nothing() -> None:
    """What a step did is undone by its savepoint, and nobody waits for a transaction's thread."""
