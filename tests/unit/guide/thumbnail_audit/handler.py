"""Step 3: how it is done, and the port that it needs for it."""

from collections.abc import Sequence
from typing import Protocol

from application.handling import Handler, PermanentError, Run, Stopped, WorkError
from tests.unit.guide.thumbnail_audit.payload import ThumbnailAuditPayload, ThumbnailAuditResult


class Thumbnails(Protocol):
    """Where thumbnails are kept."""

    async def soundness(self, sample_size: int) -> Sequence[bool]:
        """For each of so many thumbnails whether it is sound. Raises `OSError`."""
        ...


class ThumbnailAuditHandler(Handler[ThumbnailAuditPayload]):
    """Counts the broken ones."""

    def __init__(self, thumbnails: Thumbnails) -> None:
        self._thumbnails = thumbnails

    async def handle(self, run: Run[ThumbnailAuditPayload]) -> ThumbnailAuditResult | Stopped:
        checked = broken = 0
        for is_sound in await self._sample(run.payload.sample_size):
            if run.cancel.requested:
                return Stopped(ThumbnailAuditResult(checked, broken))
            checked += 1
            broken += not is_sound
            run.progress.report(done=checked, total=run.payload.sample_size)
        return ThumbnailAuditResult(checked, broken)

    async def _sample(self, size: int) -> Sequence[bool]:
        try:
            return await self._thumbnails.soundness(size)
        except FileNotFoundError:
            raise PermanentError("thumbnails-gone", "There are no thumbnails here.") from None
        except OSError:
            raise WorkError("thumbnails-unreadable", "The thumbnails cannot be read now.") from None
