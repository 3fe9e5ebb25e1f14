"""Proxy sweep: the proxies folder is compared with the rows, and what does not fit is reported."""

from dataclasses import dataclass
from typing import ClassVar, Final

from domain.ids import DedupKey
from domain.kinds.kind import WorkKind, WorkPayload, WorkResult

DEDUP_KEY: Final = DedupKey(WorkKind.PROXY_SWEEP.value)


@dataclass(frozen=True, slots=True)
class ProxySweepPayload(WorkPayload):
    """Asks for nothing beside the work itself."""

    kind: ClassVar[WorkKind] = WorkKind.PROXY_SWEEP


@dataclass(frozen=True, slots=True)
class ProxySweepResult(WorkResult):
    """How many files and rows were looked at, and what was found; sizes are in bytes.

    `young_files` are unknown, too, and too young to be judged. `foreign_files` have names that no proxy has: they are left alone for ever.
    """

    files: int
    rows: int
    orphan_files: int
    orphan_bytes: int
    temporary_leftovers: int
    leftover_bytes: int
    missing_files: int
    young_files: int
    foreign_files: int
