"""The live stream over the stores of one install."""

from typing import Final

import structlog
from dependency_injector import containers, providers

from adapters.system.clock import SystemClock
from adapters.telemetry.journal import LogJournal
from adapters.web.page import PAGE_VERSION
from adapters.web.stream import NotStreaming
from adapters.web.stream_frames import Greeting, SseFrames
from adapters.web.stream_response import SlowClient, Streaming
from adapters.web.views.work_items import Limits
from application.live.hub import Hub
from application.live.options import LiveOptions
from application.live.parts import LiveParts
from application.overview import Overview
from application.ports.change_feed import ChangeFeed
from application.ports.users import Users
from entrypoints.settings.model import ApiSettings, Settings

OPTIONS: Final = LiveOptions()


def report(slow: SlowClient) -> None:
    """Log that a client was cut."""
    structlog.get_logger().warning("cut a slow stream", requestId=slow.request_id, user=slow.user)


def streaming_or_not(settings: ApiSettings, streaming: Streaming) -> Streaming | NotStreaming:
    """Streams, unless the settings want none."""
    return streaming if settings.stream else NotStreaming()


class Live(containers.DeclarativeContainer):
    """The hub of this process, and what its clients are told."""

    settings = providers.Dependency(instance_of=Settings)
    feed: providers.Dependency[ChangeFeed] = providers.Dependency()
    users: providers.Dependency[Users] = providers.Dependency()
    limits = providers.Dependency(instance_of=Limits)
    clock = providers.Dependency(instance_of=SystemClock)
    overview = providers.Dependency(instance_of=Overview)

    options = providers.Singleton(
        LiveOptions, poll=settings.provided.api.stream, keep_alive=OPTIONS.keep_alive
    )
    greeting = providers.Singleton(
        Greeting,
        poll=settings.provided.api.stream,
        keep_alive=OPTIONS.keep_alive,
        heartbeat=settings.provided.worker.heartbeat,
        lease=settings.provided.worker.lease,
        retention=settings.provided.worker.retention,
        version=PAGE_VERSION,
    )
    frames = providers.Singleton(SseFrames, greeting, limits, clock.provided.now, overview.provided.glance)
    parts = providers.Singleton(
        LiveParts,
        feed=feed,
        users=users,
        frames=frames,
        clock=clock,
        journal=providers.Singleton(LogJournal),
    )
    hub = providers.Singleton(Hub, parts, options)
    streaming = providers.Singleton(
        streaming_or_not,
        settings.provided.api,
        providers.Singleton(Streaming, hub=hub, report=providers.Object(report)),
    )
