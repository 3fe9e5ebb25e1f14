"""The data of the live stream's events. An `item` event carries a `WorkItemView`."""

from typing import Final, Literal

from msgspec import Struct

from adapters.web.views.instants import Instant

PROTOCOL: Final = 1

ResetReason = Literal["cursor-expired", "cursor-invalid", "epoch", "too-many"]


class HelloView(Struct, frozen=True, kw_only=True, rename="camel"):
    """The stream is open. `resumed` where it goes on from a cursor of the client's."""

    protocol: int
    server_time: Instant
    poll_seconds: float
    keep_alive_seconds: float
    heartbeat_seconds: float
    lease_seconds: float
    retention_days: float
    ui_version: str
    resumed: bool


class RemovedView(Struct, frozen=True, kw_only=True, rename="camel"):
    """These items are gone: forget them."""

    ids: tuple[str, ...]
    reason: Literal["deleted"]


class SyncView(Struct, frozen=True, kw_only=True, rename="camel"):
    """Whatever was missed was told, up to the server's latest look; from here on changes come as they happen."""

    server_time: Instant


class ResetView(Struct, frozen=True, kw_only=True, rename="camel"):
    """Not everything can be told: read the list again. The stream goes on from the id of this event."""

    reason: ResetReason


class ByeView(Struct, frozen=True, kw_only=True, rename="camel"):
    """The last event. Come back after `retryMs`; on `forbidden` not at all."""

    reason: Literal["shutdown", "token-expired", "max-age", "forbidden", "overloaded"]
    retry_ms: int
