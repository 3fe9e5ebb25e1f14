"""The halves of Live Photos, in SQL."""

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa

from adapters.sql.engine import Database
from adapters.sql.media_rows import pair_candidate
from adapters.sql.media_tables import media_assets, media_metadata
from application.ports.live_photos import LivePhotos
from domain.ids import StorageConfigId
from domain.media.live_photo import FILM, PairCandidate, Pairing

CANDIDATES: Final = sa.select(
    *(
        media_assets.c[name]
        for name in (
            "id",
            "file_path",
            "media_type",
            "date_captured",
            "utc_offset",
            "date_source",
            "is_soft_deleted",
            "paired_asset_id",
        )
    ),
    media_metadata.c.content_identifier,
).join_from(media_assets, media_metadata, media_metadata.c.asset_id == media_assets.c.id)

PAIR: Final = (
    sa.update(media_assets)
    .where(
        media_assets.c.id == sa.bindparam("asset"), media_assets.c.storage_config_id == sa.bindparam("config")
    )
    .values(paired_asset_id=sa.bindparam("half"))
)


class SqlLivePhotos(LivePhotos):
    """The pairs of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def candidates(self, config: StorageConfigId) -> tuple[PairCandidate, ...]:
        return await self._database.read(
            lambda connection: tuple(map(pair_candidate, connection.execute(_candidates(config)).all()))
        )

    async def pair(self, config: StorageConfigId, pairings: Sequence[Pairing]) -> None:
        if pairings:
            rows = [{"asset": pairing.asset, "config": config, "half": pairing.half} for pairing in pairings]
            await self._database.write(lambda connection: connection.execute(PAIR, rows).close())


def _candidates(config: StorageConfigId) -> sa.Select[Any]:
    film = media_assets.alias("film")
    with_film = sa.select(film.c.pair_key).where(
        film.c.storage_config_id == config, film.c.media_type == FILM.value, sa.not_(film.c.is_soft_deleted)
    )
    return CANDIDATES.where(
        media_assets.c.storage_config_id == config,
        media_assets.c.paired_asset_id.is_not(None) | media_assets.c.pair_key.in_(with_film),
    )
