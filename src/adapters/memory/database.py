"""What all memory ports share: the tables, the store's clock, and one lock that makes every verb one step."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, TypeVar

from adapters.memory.changes import ChangeLog, RecordedItems
from adapters.memory.session_rows import SessionRow, TokenRow
from adapters.memory.sweep_rows import KeyRow
from application.ports.clock import Clock
from application.ports.errors import StoreRefused
from application.ports.refresh_tokens import TokenDigest
from application.ports.transactions import Transaction
from domain.account import StorageConfig, User
from domain.attempt import EndedAttempt, RunId
from domain.ids import SessionId, StorageConfigId, UserId, WorkItemId
from domain.media.asset import MediaAsset
from domain.media.file import RelativePath
from domain.media.proxy_finding import Finding, FindingNumber
from domain.work_item import WorkItem

K = TypeVar("K")
V = TypeVar("V")


class MemoryTransaction:
    """An open transaction: it holds the lock of its database."""

    def __init__(self, database: "MemoryDatabase") -> None:
        self.database = database
        self.is_open = True


class MemoryDatabase:
    """One process's database. Its ports, `Transactions` among them, serve one event loop.

    Rows are frozen records, so a table's copy is a snapshot of it. Everything waits for an open
    transaction, so nothing that it did can be seen, or started, before it ends (S-7).
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = asyncio.Lock()
        self._tables: list[dict[Any, Any]] = []
        self.users: dict[UserId, User] = self.table()
        self.sessions: dict[SessionId, SessionRow] = self.table()
        self.refresh_tokens: dict[TokenDigest, TokenRow] = self.table()
        self.storage_configs: dict[StorageConfigId, StorageConfig] = self.table()
        self.changes = ChangeLog(self.table, self.now)
        self.work_items: dict[WorkItemId, WorkItem] = RecordedItems(self.changes)
        self._tables.append(self.work_items)
        self.attempts: dict[WorkItemId, tuple[EndedAttempt, ...]] = self.table()
        self.media_assets: dict[tuple[StorageConfigId, RelativePath], MediaAsset] = self.table()
        self.sweep_findings: dict[RunId, Mapping[FindingNumber, Finding]] = self.table()
        self.request_keys: dict[tuple[UserId, str], KeyRow] = self.table()

    def table(self) -> dict[K, V]:
        """A new table, which transactions roll back with all the others."""
        table: dict[K, V] = {}
        self._tables.append(table)
        return table

    def now(self) -> datetime:
        """The time by this store's clock."""
        return self._clock.now()

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[Transaction]:
        """Everything that joins happens together or not at all; everybody else waits."""
        async with self._lock:
            before = [table.copy() for table in self._tables]
            transaction = MemoryTransaction(self)
            try:
                yield transaction
            except BaseException:
                self._restore(before)
                raise
            finally:
                transaction.is_open = False

    @asynccontextmanager
    async def step(self, within: Transaction | None = None) -> AsyncIterator[None]:
        """One atomic step: a part of the transaction, or one of its own.

        There is no rollback of its own: inside it, check first and write last, and never await.
        """
        if within is None:
            async with self._lock:
                yield
        elif isinstance(within, MemoryTransaction) and within.database is self and within.is_open:
            yield
        else:
            raise StoreRefused("the transaction has ended, or belongs to another store")

    def end_sessions(self, which: Collection[SessionId]) -> None:
        """Delete sessions with their tokens."""
        for session in which:
            del self.sessions[session]
        for digest in [digest for digest, token in self.refresh_tokens.items() if token.session in which]:
            del self.refresh_tokens[digest]

    def sessions_of(self, user: UserId) -> frozenset[SessionId]:
        """Every session of a user."""
        return frozenset(session for session, row in self.sessions.items() if row.user == user)

    def forget_config(self, config: StorageConfigId) -> bool:
        """Delete a config with its items and their attempts; whether there was one."""
        orphans = [item.id for item in self.work_items.values() if item.storage_config_id == config]
        for item in orphans:
            self.forget_item(item)
        return self.storage_configs.pop(config, None) is not None

    def forget_item(self, item: WorkItemId) -> None:
        """Delete an item with its attempts and its findings."""
        del self.work_items[item]
        self.attempts.pop(item, None)
        for run in [run for run in self.sweep_findings if run.work_item_id == item]:
            del self.sweep_findings[run]

    def _restore(self, before: list[dict[Any, Any]]) -> None:
        for table, rows in zip(self._tables, before, strict=True):
            # What was never committed was no change: the table of items must not record that it goes.
            dict.clear(table)
            table.update(rows)
