"""Proxy deletion: chosen files of one finished sweep are deleted, each after another look at it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from domain.ids import StorageConfigId, WorkItemId
from domain.kinds.kind import WorkKind, WorkPayload, WorkResult


@dataclass(frozen=True, slots=True)
class ProxyDeletionPayload(WorkPayload):
    """Which findings of which sweep to delete: those of `owners`, and of them only `findings` unless that is empty.

    A sweep that has finished never changes, so this stands for the same files for ever. `attempt` is the one that
    finished it.
    """

    kind: ClassVar[WorkKind] = WorkKind.PROXY_DELETION
    sweep_id: WorkItemId
    attempt: int
    owners: tuple[StorageConfigId, ...]
    findings: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ProxyDeletionResult(WorkResult):
    """What became of the files; `kept_by_reason` breaks `kept` down."""

    deleted: int
    deleted_bytes: int
    kept: int
    already_gone: int
    kept_by_reason: Mapping[str, int] = field(default_factory=dict)
