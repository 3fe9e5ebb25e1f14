"""Requests that may be sent again, in memory."""

from collections.abc import Sequence
from dataclasses import replace

from adapters.memory.database import MemoryDatabase
from adapters.memory.sweep_rows import KeyRow
from application.ports.errors import StoreRefused
from application.ports.request_keys import (
    REMEMBERED_FOR,
    KeyAnswer,
    KeyIsNew,
    KeyMisused,
    KeyWasUsed,
    RequestKey,
    RequestKeys,
)
from application.ports.transactions import Transaction
from domain.ids import WorkItemId


class MemoryRequestKeys(RequestKeys):
    """The keys of one memory database. Its transactions wait for each other anyway."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database
        self._keys = database.request_keys

    async def take(self, key: RequestKey, *, within: Transaction) -> KeyAnswer:
        async with self._database.step(within):
            now = self._database.now()
            for name in [name for name, row in self._keys.items() if row.taken_at < now - REMEMBERED_FOR]:
                del self._keys[name]
            if key.user not in self._database.users:
                raise StoreRefused("there is no such user")
            known = self._keys.get((key.user, key.text))
            if known is None:
                self._keys[key.user, key.text] = KeyRow(key.digest, (), now)
                return KeyIsNew()
            return KeyWasUsed(known.items) if known.digest == key.digest else KeyMisused()

    async def note(self, key: RequestKey, items: Sequence[WorkItemId], *, within: Transaction) -> None:
        async with self._database.step(within):
            known = self._keys[key.user, key.text]
            self._keys[key.user, key.text] = replace(known, items=tuple(items))
