"""Everything that ingestion works with."""

from dataclasses import dataclass
from datetime import timedelta, tzinfo

from application.ports.clock import Clock
from application.ports.file_tree import FileTree
from application.ports.image_renderer import Renderers
from application.ports.live_photos import LivePhotos
from application.ports.media_failures import MediaFailures
from application.ports.media_library import MediaAssets, MediaLibrary
from application.ports.new_ids import NewIds
from application.ports.proxy_store import ProxyStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The ports, and the few settings. A file younger than `settle_for` waits for the next crawl."""

    tree: FileTree
    renderers: Renderers
    proxies: ProxyStore
    library: MediaLibrary
    assets: MediaAssets
    live_photos: LivePhotos
    failures: MediaFailures
    new_ids: NewIds
    clock: Clock
    zone: tzinfo
    max_concurrent_files: int
    settle_for: timedelta = timedelta(seconds=3)
