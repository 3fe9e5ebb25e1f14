"""The two halves of Live Photos among the assets."""

from collections.abc import Sequence
from typing import Protocol

from domain.ids import StorageConfigId
from domain.media.live_photo import PairCandidate, Pairing


class LivePhotos(Protocol):
    """Which assets belong together. Every method is one atomic step."""

    async def candidates(self, config: StorageConfigId) -> tuple[PairCandidate, ...]:
        """Every asset that is paired, and every one whose pair key a film that is not gone has."""
        ...

    async def pair(self, config: StorageConfigId, pairings: Sequence[Pairing]) -> None:
        """Let each asset have this other half. Nothing else of it changes."""
        ...
