"""Brings the halves of Live Photos together."""

from application.ingestion.settlement import in_batches
from application.ports.live_photos import LivePhotos
from domain.ids import StorageConfigId
from domain.media.live_photo import pairings


async def pair_halves(live_photos: LivePhotos, config: StorageConfigId) -> None:
    """Pair what belongs together and part what does not any more; a library that is right is not written to."""
    changes = pairings(await live_photos.candidates(config))
    for some in in_batches(changes):
        await live_photos.pair(config, some)
