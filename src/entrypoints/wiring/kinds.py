"""The kinds of work that a worker can do: each with its payload, its handler, and its schedule where it has one."""

import os

from dependency_injector import containers, providers

from adapters.filesystem.file_tree import MountedFileTree
from adapters.filesystem.proxy_folder import MountedProxyFolder
from adapters.filesystem.proxy_store import FolderProxyStore
from adapters.filesystem.walk import WalkRules
from adapters.media.isolated_renderer import IsolatedRenderer
from adapters.media.wire import DecodeLimits
from adapters.system.clock import SystemClock
from adapters.system.ids import RandomIds
from application.handlers.crawl import CrawlHandler
from application.handlers.proxy_deletion import ProxyDeletionHandler
from application.handlers.proxy_sweep import ProxySweepHandler
from application.handlers.retention import WorkItemRetentionHandler
from application.handlers.token_cleanup import TokenCleanupHandler
from application.ingestion.ingest import Ingest
from application.ingestion.surroundings import Surroundings
from application.registry import KindRegistry, Registration
from application.schedules.crawl import CrawlSchedule
from application.schedules.retention import WorkItemRetentionSchedule
from application.schedules.token_cleanup import TokenCleanupSchedule
from domain.kinds.crawl import CrawlPayload
from domain.kinds.proxy_deletion import ProxyDeletionPayload
from domain.kinds.proxy_sweep import ProxySweepPayload
from domain.kinds.retention import WorkItemRetentionPayload
from domain.kinds.token_cleanup import TokenCleanupPayload
from entrypoints.settings.model import Settings
from entrypoints.settings.stores import proxy_path


def decoders(max_concurrent_files: int) -> int:
    """How many processes decode: more than there are processors would only cost memory."""
    return min(max_concurrent_files, os.cpu_count() or 1)


class Kinds(containers.DeclarativeContainer):
    """One registration a kind. A new kind is a new one here, and nothing else changes."""

    settings = providers.Dependency(instance_of=Settings)
    stores = providers.DependenciesContainer()
    worker = settings.provided.worker
    clock = providers.Singleton(SystemClock)
    proxies = providers.Callable(proxy_path, settings)

    renderer = providers.Factory(
        IsolatedRenderer,
        children=providers.Callable(decoders, worker.max_concurrent_files),
        limits=providers.Factory(DecodeLimits),
    )
    ingest = providers.Singleton(
        Ingest,
        providers.Singleton(
            Surroundings,
            tree=providers.Singleton(MountedFileTree, providers.Singleton(WalkRules, worker.skipped_names)),
            renderers=renderer.provider,
            proxies=providers.Singleton(FolderProxyStore, proxies),
            library=stores.library,
            assets=stores.library,
            live_photos=stores.live_photos,
            failures=stores.failures,
            new_ids=providers.Singleton(RandomIds),
            clock=clock,
            zone=worker.time_zone,
            max_concurrent_files=worker.max_concurrent_files,
            settle_for=worker.settling,
        ),
    )

    token_cleanup = providers.Factory(
        Registration,
        payload=providers.Object(TokenCleanupPayload),
        handler=providers.Factory(TokenCleanupHandler, stores.refresh_tokens, stores.past_failures),
        schedule=providers.Factory(TokenCleanupSchedule, worker.token_cleanup_interval),
    )
    work_item_retention = providers.Factory(
        Registration,
        payload=providers.Object(WorkItemRetentionPayload),
        handler=providers.Factory(WorkItemRetentionHandler, stores.finished_work, keep_for=worker.retention),
        schedule=providers.Factory(WorkItemRetentionSchedule, worker.retention_interval),
    )
    crawl = providers.Factory(
        Registration,
        payload=providers.Object(CrawlPayload),
        handler=providers.Factory(CrawlHandler, stores.crawled_configs, ingest),
        schedule=providers.Factory(CrawlSchedule, worker.crawl_interval),
    )

    tidying = (
        providers.Factory(MountedProxyFolder, proxies),
        stores.known_proxies,
        stores.patient_findings,
        clock,
    )
    proxy_sweep = providers.Factory(
        Registration,
        payload=providers.Object(ProxySweepPayload),
        handler=providers.Factory(ProxySweepHandler, *tidying),
    )
    proxy_deletion = providers.Factory(
        Registration,
        payload=providers.Object(ProxyDeletionPayload),
        handler=providers.Factory(ProxyDeletionHandler, *tidying),
    )

    registry = providers.Singleton(
        KindRegistry, providers.List(token_cleanup, work_item_retention, crawl, proxy_sweep, proxy_deletion)
    )
