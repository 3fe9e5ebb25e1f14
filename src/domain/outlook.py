"""What waiting items wait for, as far as it can be told without asking the workers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from domain.account import StorageConfig
from domain.ids import StorageConfigId, WorkItemId
from domain.scope import AllScopes, Scope, UserScope
from domain.work_item import Queued, WorkItem


class WaitReason(StrEnum):
    """Why an item has not begun; the word that a client is told."""

    NEXT = "next"
    BEHIND = "behind"
    RETRY_AT = "retry-at"
    NO_WORKER = "no-worker"


@dataclass(frozen=True, slots=True)
class Head:
    """The first in line, of those of one kind and one scope that are ready."""

    id: WorkItemId
    requested_at: datetime
    storage_config_id: StorageConfigId | None


Place = tuple[datetime, UUID]


@dataclass(frozen=True, slots=True)
class Outlook:
    """Who takes what next: for the scope of each worker that lives, the place of the first in its line.

    It is a picture of one instant, so what it says of an item may be a moment behind.
    """

    firsts: Mapping[Scope, Place | None]
    configs: Mapping[StorageConfigId, StorageConfig]
    as_of: datetime

    def reason(self, item: WorkItem) -> WaitReason | None:
        """What the item waits for; None when it does not wait."""
        if not isinstance(item.state, Queued):
            return None
        if item.state.run_after is not None and item.state.run_after > self.as_of:
            return WaitReason.RETRY_AT
        serving = [scope for scope in self.firsts if _serves(scope, item.storage_config_id, self.configs)]
        if not serving:
            return WaitReason.NO_WORKER
        firsts = [self.firsts[scope] for scope in serving]
        own = (item.requested_at, item.id)
        return WaitReason.NEXT if any(not first or own <= first for first in firsts) else WaitReason.BEHIND


def outlook(
    heads: Iterable[Head], configs: Iterable[StorageConfig], scopes: Iterable[Scope], *, as_of: datetime
) -> Outlook:
    """What workers of these scopes will take, of these heads."""
    by_id = {config.id: config for config in configs}
    some = tuple(heads)
    firsts: dict[Scope, Place | None] = {}
    for scope in scopes:
        served = (head for head in some if _serves(scope, head.storage_config_id, by_id))
        firsts[scope] = min(((head.requested_at, head.id) for head in served), default=None)
    return Outlook(firsts, by_id, as_of)


def _serves(
    scope: Scope, config: StorageConfigId | None, configs: Mapping[StorageConfigId, StorageConfig]
) -> bool:
    match scope:
        case AllScopes():
            return True
        case UserScope(user_id=user):
            known = None if config is None else configs.get(config)
            return config is None or (known is not None and known.user_id == user and known.is_active)
