"""Threads that each hold one connection. Every statement of this adapter runs on one of them."""

import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Protocol

from adapters.sql.session import Session
from application.ports.errors import StoreUnavailable


class PieceOfWork(Protocol):
    """Something to be done with a thread's connection."""

    def run(self, session: Session) -> Callable[[], None]:
        """Do it; never raises. What is returned tells whoever waits for it."""
        ...


_Mailbox = SimpleQueue[PieceOfWork | None]


class ConnectionThreads:
    """At most `size` threads, begun as they are needed.

    The one that fell idle last works next, so that light use keeps few connections, and those warm.
    They are daemons: a process that must end does not wait for a store that does not answer (R22).
    """

    def __init__(self, size: int, make_session: Callable[[], Session], *, name: str) -> None:
        """Begin none yet."""
        self._size = size
        self._make_session = make_session
        self._name = name
        self._lock = threading.Lock()
        self._idle: list[_Mailbox] = []
        self._backlog: deque[PieceOfWork] = deque()
        self._threads: list[threading.Thread] = []
        self._is_closed = False

    def give(self, piece: PieceOfWork) -> None:
        """Have a thread do the piece of work, as soon as one is free."""
        with self._lock:
            if self._is_closed:
                raise StoreUnavailable("The database was closed.")
            if self._idle:
                self._idle.pop().put(piece)
            elif len(self._threads) < self._size:
                self._begin_thread(piece)
            else:
                self._backlog.append(piece)

    def close(self) -> tuple[threading.Thread, ...]:
        """Let every thread end once nothing is left to do; these are they."""
        with self._lock:
            self._is_closed = True
            while self._idle:
                self._idle.pop().put(None)
            return tuple(self._threads)

    def _begin_thread(self, piece: PieceOfWork) -> None:
        mailbox: _Mailbox = SimpleQueue()
        mailbox.put(piece)
        name = f"{self._name}-{len(self._threads) + 1}"
        thread = threading.Thread(target=self._work, args=(mailbox,), name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self, mailbox: _Mailbox) -> None:
        session = self._make_session()
        while (piece := mailbox.get()) is not None:
            tell = piece.run(session)
            # Free first, then the answer: whoever asks on at once finds this thread, not a cold one.
            self._take_next(mailbox)
            tell()
        session.close()

    def _take_next(self, mailbox: _Mailbox) -> None:
        with self._lock:
            if self._backlog:
                mailbox.put(self._backlog.popleft())
            elif self._is_closed:
                mailbox.put(None)
            else:
                self._idle.append(mailbox)
