"""Workers on the wire."""

from typing import assert_never

from msgspec import Struct

from adapters.web.views.instants import Instant, instant
from domain.presence import SeenWorker
from domain.scope import AllScopes, Scope, UserScope


class WorkerView(Struct, frozen=True, kw_only=True, rename="camel"):
    """A worker as it was last heard of. A null `userId` serves everybody."""

    name: str
    user_id: str | None
    version: str
    slots: int
    started_at: Instant
    last_seen_at: Instant


class WorkersView(Struct, frozen=True, kw_only=True, rename="camel"):
    """Every worker heard of within a day, most recently seen first."""

    items: tuple[WorkerView, ...]


def worker_view(seen: SeenWorker) -> WorkerView:
    """Who it is, what it serves, and when it was last heard of."""
    return WorkerView(
        name=seen.presence.name,
        user_id=_user_id(seen.presence.scope),
        version=seen.presence.version,
        slots=seen.presence.slots,
        started_at=instant(seen.started_at),
        last_seen_at=instant(seen.last_seen_at),
    )


def _user_id(scope: Scope) -> str | None:
    match scope:
        case UserScope(user_id=user):
            return str(user)
        case AllScopes():
            return None
        case _:
            assert_never(scope)
