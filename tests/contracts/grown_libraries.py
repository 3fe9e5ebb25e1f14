"""What becomes of the assets of an older version when the photo library learns more (revision 0004)."""

from uuid import UUID

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from adapters.sql.engine import Database
from adapters.sql.live_photos import SqlLivePhotos
from adapters.sql.media_library import SqlMediaLibrary
from adapters.sql.migrations import migrate
from adapters.sql.migrations.connections import migrating
from application.ports.media_library import Stretch
from domain.ids import StorageConfigId
from domain.media.asset import AssetId
from domain.media.content import MediaType
from domain.media.file import RelativePath
from domain.media.live_photo import pairings

USER, CONFIG = UUID(int=1), UUID(int=2)
SEEN_AT = "2025-03-01T12:00:00.000Z"
STILL, FILM = b"a/caf\xe9.HEIC", b"a/CAF\xe9.mov"


class GrownLibraryContract:
    """Run on an empty database, whose URL is `url`."""

    @pytest.fixture
    def url(self) -> str:
        raise NotImplementedError

    async def test_assets_keep_what_they_say_and_are_found_as_pairs(self, url: str) -> None:
        older_library(url)

        migrate(url)

        database = Database(url)
        try:
            library, live_photos = SqlMediaLibrary(database), SqlLivePhotos(database)
            config = StorageConfigId(CONFIG)
            known = await library.known(config, Stretch(), limit=2_000)
            assert len(known) == 1_202
            still = await library.get(config, RelativePath(STILL))
            assert still is not None
            assert (still.id, still.media_type, still.metadata.width) == (UUID(int=3), MediaType.HEIC, 4032)
            assert [(proxy.path, proxy.size) for proxy in still.proxies] == [("01/a/thumbnail.jpg", 12_000)]
            halves = {one.asset: one.half for one in pairings(await live_photos.candidates(config))}
            assert halves == {
                AssetId(UUID(int=3)): AssetId(UUID(int=4)),
                AssetId(UUID(int=4)): AssetId(UUID(int=3)),
            }
        finally:
            await database.close()


def older_library(url: str) -> None:
    """A database at revision 0003 with a Live Photo and enough else to fill more than one batch."""
    with migrating(sa.make_url(url)) as connection:
        alembic = Config()
        alembic.set_main_option("script_location", "adapters.sql:migrations")
        alembic.attributes["connection"] = connection
        command.upgrade(alembic, "0003")
    with migrating(sa.make_url(url)) as connection:
        tables = sa.MetaData()
        tables.reflect(connection)
        put = Filler(connection, tables)
        put.row("users", id=USER, name="ada", name_key="ada", email="a@b", email_key="a@b", password_hash="-")
        put.row("storage_configs", id=CONFIG, user_id=USER, root_path="/photos", is_active=True)
        put.asset(3, STILL, "image/heic")
        put.asset(4, FILM, "video/quicktime")
        for number in range(5, 1_205):
            put.asset(number, b"b/%d.jpg" % number, "image/jpeg")
        put.row(
            "media_proxies",
            asset_id=UUID(int=3),
            proxy_type="thumbnail",
            path="01/a/thumbnail.jpg",
            size=12_000,
            width=225,
            height=300,
        )


class Filler:
    """Writes rows as an older version did; columns that nobody names and that must not be null get something."""

    def __init__(self, connection: sa.Connection, tables: sa.MetaData) -> None:
        self._connection = connection
        self._tables = tables

    def asset(self, number: int, path: bytes, media_type: str) -> None:
        self.row(
            "media_assets",
            id=UUID(int=number),
            storage_config_id=CONFIG,
            file_path=path,
            file_name="name",
            content_hash=number.to_bytes(32, "big"),
            media_type=media_type,
            is_soft_deleted=False,
        )
        self.row("media_metadata", asset_id=UUID(int=number), width=4032, height=3024, orientation=1)

    def row(self, table: str, **values: object) -> None:
        columns = self._tables.tables[table].columns
        missing = {
            column.name: _anything(column.name)
            for column in columns
            if not column.nullable and column.name not in values and column.server_default is None
        }
        if self._connection.dialect.name == "sqlite":
            values = {name: value.hex if isinstance(value, UUID) else value for name, value in values.items()}
        row = {**missing, **values}
        names = ", ".join(row)
        binds = ", ".join(f":{name}" for name in row)
        self._connection.execute(sa.text(f"INSERT INTO {table} ({names}) VALUES ({binds})"), row)  # noqa: S608 -- names of columns


def _anything(column: str) -> object:
    """A value for a column that the test does not care for, by its name."""
    if column.startswith("is_"):
        return False
    return SEEN_AT if column.endswith("_at") else 0
