"""Requests that their senders may repeat: each key is remembered with what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol

from application.ports.transactions import Transaction
from domain.ids import UserId, WorkItemId

REMEMBERED_FOR: Final = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class RequestKey:
    """What a sender calls a request (the header `Idempotency-Key`), and a hash of what it asked for."""

    user: UserId
    text: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class KeyIsNew:
    """Nobody has used it: from now on it is taken, if the transaction commits."""


@dataclass(frozen=True, slots=True)
class KeyWasUsed:
    """The same was asked with this key; these items came of it."""

    items: tuple[WorkItemId, ...]


@dataclass(frozen=True, slots=True)
class KeyMisused:
    """Something else was asked with this key."""


KeyAnswer = KeyIsNew | KeyWasUsed | KeyMisused


class RequestKeys(Protocol):
    """The keys of the last 24 hours, by the store's clock; older ones are forgotten."""

    async def take(self, key: RequestKey, *, within: Transaction) -> KeyAnswer:
        """Take the key. Of two transactions that take it at once, one waits for the end of the other."""
        ...

    async def note(self, key: RequestKey, items: Sequence[WorkItemId], *, within: Transaction) -> None:
        """Say what came of the request whose key this transaction has taken."""
        ...
