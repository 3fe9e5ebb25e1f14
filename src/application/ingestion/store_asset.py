"""The last step: from now on the file is an asset."""

from application.ingestion.step import DescribedFile, FileOutcome, Visit
from application.ports.media_library import MediaLibrary
from application.ports.new_ids import NewIds
from application.ports.proxy_store import ProxyStore
from domain.media.asset import AssetId, MediaAsset
from domain.media.proxy import shard


class StoreAsset:
    """Writes proxies first and rows second, so that no row ever names a proxy that is not there."""

    def __init__(self, proxies: ProxyStore, library: MediaLibrary, new_ids: NewIds, visit: Visit) -> None:
        """Take both stores."""
        self._proxies = proxies
        self._library = library
        self._new_ids = new_ids
        self._visit = visit

    async def take(self, record: DescribedFile) -> FileOutcome:
        """Keep it. An asset that its path had before keeps its id."""
        wanted, identified = record.hashed.file, record.hashed.identified
        config = self._visit.folder.config
        proxies = await self._proxies.write(shard(config, identified.content), record.rendered.proxies)
        return await self._library.store(
            MediaAsset(
                id=wanted.earlier.id if wanted.earlier is not None else AssetId(self._new_ids.next()),
                storage_config_id=config,
                path=wanted.found.path,
                signature=record.hashed.opened.signature,
                content=identified.content,
                media_type=identified.media_type,
                captured=record.captured,
                metadata=record.rendered.metadata,
                blurhash=record.rendered.blurhash,
                proxies=proxies,
                seen_at=self._visit.began_at,
            )
        )
