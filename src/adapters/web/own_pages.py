"""Signing in and out is for this server's own pages, and for programs that are no browsers.

The cookie is `SameSite=Strict` already. This is for browsers that know no better, for pages of the same site on
another host or port, and for pages that would sign somebody in to an account of their own choosing.
"""

from collections.abc import Collection
from typing import Any, Final
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.types import Guard

from adapters.web.arrival import arrival_of
from adapters.web.problem_types import CROSS_SITE
from adapters.web.problems import Problem, ProblemError

OWN: Final = frozenset({"same-origin", "none"})
"""What browsers say in `Sec-Fetch-Site` of requests that no other page is behind."""

DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}

FOREIGN: Final = Problem(CROSS_SITE, "The request comes from a page of another site.")


def own_pages_only(origins: Collection[str]) -> Guard:
    """A guard that keeps foreign pages out. Those of these origins are as good as own ones."""
    known = frozenset(origins)

    async def guard(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        origin = arrival_of(connection.scope).origin
        if origin is not None and origin in known:
            return
        if connection.headers.get("sec-fetch-site", "none") not in OWN:
            raise ProblemError(FOREIGN)
        # Browsers say nothing of sites over plain http. They tell the origin all the same.
        if origin is not None and not _is_of(origin, connection.headers.get("host", "")):
            raise ProblemError(FOREIGN)

    return guard


def _is_of(origin: str, host: str) -> bool:
    """Whether the origin is on this host, by whatever scheme: a proxy may have taken TLS off."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    port = DEFAULT_PORTS.get(parts.scheme)
    return port is not None and _named(parts.netloc, port) == _named(host, port) != ""


def _named(host: str, default_port: str) -> str:
    return host.lower().removesuffix(default_port)
