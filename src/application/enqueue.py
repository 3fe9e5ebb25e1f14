"""The only way in: every work item is made here (S-6)."""

from application.ports.inbox import WorkInbox
from application.ports.new_ids import NewIds
from application.ports.payload_codec import PayloadCodec
from application.ports.transactions import Transaction
from application.scheduling import PeriodicWork
from domain.ids import DedupKey, StorageConfigId, UserId, WorkItemId
from domain.kinds.kind import WorkPayload
from domain.outcomes import DueAnswer, EnqueueAnswer
from domain.work_item import NewWorkItem


class WorkQueue:
    """Asks for work."""

    def __init__(self, inbox: WorkInbox, codec: PayloadCodec, ids: NewIds) -> None:
        """Take what it needs."""
        self._inbox = inbox
        self._codec = codec
        self._ids = ids

    async def enqueue(
        self,
        payload: WorkPayload,
        *,
        storage_config_id: StorageConfigId | None = None,
        dedup_key: DedupKey | None = None,
        requested_by: UserId | None = None,
        within: Transaction | None = None,
    ) -> EnqueueAnswer:
        """Ask for work; with a dedup key, an item that waits already is the answer (S-7).

        With `within` the item becomes real when the caller's transaction does, or not at all.
        """
        new = self._new(payload, storage_config_id, dedup_key, requested_by)
        return await self._inbox.insert(new, within=within)

    async def enqueue_if_due(self, work: PeriodicWork) -> DueAnswer:
        """Ask for periodic work, if its dedup key is due by the store's clock (S-10)."""
        new = self._new(work.payload, work.storage_config_id, work.dedup_key, None)
        return await self._inbox.insert_if_due(new, interval=work.interval)

    def _new(
        self,
        payload: WorkPayload,
        storage_config_id: StorageConfigId | None,
        dedup_key: DedupKey | None,
        requested_by: UserId | None,
    ) -> NewWorkItem:
        return NewWorkItem(
            id=WorkItemId(self._ids.next()),
            kind=payload.kind.row_name,
            payload=self._codec.encode_payload(payload),
            storage_config_id=storage_config_id,
            dedup_key=dedup_key,
            requested_by=requested_by,
        )
