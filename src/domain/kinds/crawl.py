"""Crawl: one storage config's folder goes through the ingestion pipeline."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from domain.ids import DedupKey, StorageConfigId
from domain.kinds.kind import WorkKind, WorkPayload, WorkResult


@dataclass(frozen=True, slots=True)
class CrawlPayload(WorkPayload):
    """Which folder to walk.

    `verify` reads every file again, unchanged or not, and refills what the proxies folder has lost.
    `accept_removals` says that however much is gone was meant to go (S-27).
    """

    kind: ClassVar[WorkKind] = WorkKind.CRAWL
    periodic: ClassVar[bool] = True
    storage_config_id: StorageConfigId
    verify: bool = False
    accept_removals: bool = False


@dataclass(frozen=True, slots=True)
class CrawlResult(WorkResult):
    """Counts of files; `failed_by_reason` breaks `failed` down by reason code.

    Everything but `missing` adds up to `processed`. `skipped`: unchanged, too young to be whole, or of no kind
    that a photo library keeps. `returned` were gone before, `missing` went.
    """

    found: int
    processed: int
    new: int
    updated: int
    moved: int
    returned: int
    missing: int
    skipped: int
    failed: int
    failed_by_reason: Mapping[str, int] = field(default_factory=dict)


def dedup_key(crawl: CrawlPayload) -> DedupKey:
    """At most one crawl of a config waits, and one for each set of wishes: none does the work of another (S-8)."""
    wishes = {"accept-removals": crawl.accept_removals, "verify": crawl.verify}
    wanted = (wish for wish, is_wanted in wishes.items() if is_wanted)
    return DedupKey(":".join((WorkKind.CRAWL.value, str(crawl.storage_config_id), *wanted)))
