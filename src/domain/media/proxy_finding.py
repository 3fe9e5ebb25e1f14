"""What a proxy sweep finds: files that no row knows, and rows whose file is gone."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NewType

from domain.ids import StorageConfigId

FindingNumber = NewType("FindingNumber", int)
"""Counts the findings of one attempt of one sweep, from 1."""

SETTLED_AFTER: Final = timedelta(hours=1)
"""A younger file may belong to a row that is still to be written: proxies come first."""


class FindingKind(StrEnum):
    """What is wrong."""

    ORPHAN_FILE = "orphan-file"
    TEMPORARY_LEFTOVER = "temporary-leftover"
    MISSING_FILE = "missing-file"


DELETABLE: Final = frozenset({FindingKind.ORPHAN_FILE, FindingKind.TEMPORARY_LEFTOVER})
"""Those that are files, which an admin may have deleted."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong. `path` is relative to the proxies folder; `size` is in bytes.

    Of a missing file the size is what its row says, and nobody knows when it was modified. `owner` is the config
    that the path tells, which need not exist any more.
    """

    number: FindingNumber
    what: FindingKind
    path: str
    size: int
    modified_at: datetime | None
    owner: StorageConfigId


@dataclass(frozen=True, slots=True)
class Amount:
    """So many files, and their bytes together."""

    files: int
    size: int


def is_settled(modified_at: datetime, *, now: datetime) -> bool:
    """Whether a file is old enough to be judged."""
    return now - modified_at > SETTLED_AFTER
