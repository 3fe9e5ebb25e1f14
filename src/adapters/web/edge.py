"""The outermost layer: what holds for every answer, whichever route gives it, or none."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from adapters.web.arrival import KEY, Arrival
from application.ports.new_ids import NewIds

SECURITY_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Robots-Tag": "none",
    "Cache-Control": "no-store",
}
"""What an answer says unless its route says otherwise."""

PATH_CHARACTERS: Final = "/:@!$&'()*+,;=~"


class Edge:
    """Names each request, says what browsers may do with the answer, and answers HEAD as GET without a body.

    Under a root path requests may come with it or without: proxies keep it, or strip it. Routes never see it.
    A foreign page's `Origin` is dropped here: so the answer to it, preflights included, is that of a request
    from no page at all, which no browser shows to that page.
    """

    def __init__(self, app: ASGIApp, ids: NewIds, origins: Iterable[str], root_path: str = "") -> None:
        """Take the application, the origins whose pages may read its answers, and what paths begin with."""
        self._app = app
        self._ids = ids
        self._origins = frozenset(origins)
        self._root_path = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        path = self._below_root(scope["path"])
        asked_for = self._root_path + quote(path, safe=PATH_CHARACTERS)
        is_head = scope["method"] == "HEAD"
        # Not by the framework's class: that would keep the headers as they are before one is dropped.
        origin = next(
            (value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"), None
        )
        arrival = Arrival(str(self._ids.next()), asked_for, self._root_path, is_head, origin)

        async def dressed(message: Message) -> None:
            await send(_dressed(message, arrival, bodiless=is_head))

        await self._app(self._noted(scope, path, arrival), receive, dressed)

    def _below_root(self, path: str) -> str:
        below = path.removeprefix(self._root_path)
        return below or "/" if below.startswith("/") or not below else path

    def _noted(self, scope: HTTPScope, path: str, arrival: Arrival) -> HTTPScope:
        noted = scope.copy()
        noted["path"] = path
        noted["state"] = {**scope.get("state", {}), KEY: arrival}
        if scope["method"] == "HEAD":
            noted["method"] = "GET"
        if arrival.origin not in self._origins:
            noted["headers"] = [(name, value) for name, value in scope["headers"] if name != b"origin"]
        return noted


def _dressed(message: Message, arrival: Arrival, *, bodiless: bool) -> Message:
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in SECURITY_HEADERS.items():
            headers.setdefault(name, value)
        headers["X-Request-Id"] = arrival.request_id
    elif message["type"] == "http.response.body" and bodiless:
        message["body"] = b""
    return message
