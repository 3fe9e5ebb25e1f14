"""Asking for work on somebody's behalf: what an admin may have done now, instead of when it is due."""

from dataclasses import dataclass
from typing import assert_never

from application.enqueue import WorkQueue
from application.ports.ledger import WorkLedger
from application.ports.storage_configs import StorageConfigs
from domain.ids import DedupKey, StorageConfigId, UserId, WorkItemId
from domain.kinds.kind import WorkPayload
from domain.outcomes import Coalesced, Created, UnknownItem, UnknownScope
from domain.work_item import WorkItem


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedWork:
    """What is wanted. With a dedup key, an item that waits already is as good as a new one."""

    payload: WorkPayload
    storage_config_id: StorageConfigId | None = None
    dedup_key: DedupKey | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """A new item is there."""

    item: WorkItem


@dataclass(frozen=True, slots=True)
class WaitsAlready:
    """One like it waited already when this was asked; it may have begun since."""

    item: WorkItem


@dataclass(frozen=True, slots=True)
class InactiveScope:
    """The storage config gets no new work."""


AskAnswer = Accepted | WaitsAlready | UnknownScope | InactiveScope


class Asking:
    """Asks for work of any kind. It knows none of them: each has its own door, which says what it takes."""

    def __init__(self, queue: WorkQueue, ledger: WorkLedger, configs: StorageConfigs) -> None:
        """Take what it needs."""
        self._queue = queue
        self._ledger = ledger
        self._configs = configs

    async def ask(self, work: RequestedWork, *, by: UserId | None) -> AskAnswer:
        """Ask for it, in the name of `by`, or of nobody. Asked again after a lost answer, it is still there once."""
        scope = work.storage_config_id
        config = None if scope is None else await self._configs.get(scope)
        if config is not None and not config.is_active:
            return InactiveScope()
        answer = await self._queue.enqueue(
            work.payload, storage_config_id=scope, dedup_key=work.dedup_key, requested_by=by
        )
        match answer:
            case Created(id=new):
                item = await self._found(new)
                return item if isinstance(item, UnknownScope) else Accepted(item)
            case Coalesced(id=waiting):
                item = await self._found(waiting)
                return item if isinstance(item, UnknownScope) else WaitsAlready(item)
            case UnknownScope():
                return answer
            case _:
                assert_never(answer)

    async def _found(self, item: WorkItemId) -> WorkItem | UnknownScope:
        found = await self._ledger.get(item)
        # An item that is gone a moment after it was seen went with its config.
        return UnknownScope() if isinstance(found, UnknownItem) else found
