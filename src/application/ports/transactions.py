"""Several writes that happen together or not at all."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol


class Transaction(Protocol):
    """An open transaction of one store. Opaque: only the store's own ports can use it."""

    @property
    def is_open(self) -> bool:
        """Whether writes can still join it."""
        ...


class Transactions(Protocol):
    """Opens transactions that the ports of the same store can join."""

    def begin(self) -> AbstractAsyncContextManager[Transaction]:
        """Commits when its block ends well, rolls back when an exception leaves it.

        Hold it briefly: until it ends, an item that an enqueue in it returned cannot start (S-7).
        """
        ...
