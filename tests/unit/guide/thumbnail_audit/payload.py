"""Step 2: what is asked for, and what comes of it."""

from dataclasses import dataclass
from typing import ClassVar

from domain.kinds.kind import WorkPayload, WorkResult
from tests.unit.guide.thumbnail_audit.kind import GuideKind


@dataclass(frozen=True, slots=True)
class ThumbnailAuditPayload(WorkPayload):
    """How many thumbnails to look at."""

    kind: ClassVar[GuideKind] = GuideKind.THUMBNAIL_AUDIT
    sample_size: int


@dataclass(frozen=True, slots=True)
class ThumbnailAuditResult(WorkResult):
    """How many were looked at, and how many of them nobody could show."""

    checked: int
    broken: int
