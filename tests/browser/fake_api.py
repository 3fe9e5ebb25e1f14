"""A server for the page that does what a test scripts: it drops, refuses, falls silent, and is late."""

import asyncio
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, Final
from urllib.parse import parse_qsl

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from adapters.system.ids import RandomIds
from adapters.web.edge import Edge
from adapters.web.exceptions import exception_handlers
from adapters.web.page import PAGE_VERSION, PageController

Json = dict[str, Any]

API: Final = "/api/v1/"
FINAL: Final = ("succeeded", "failed", "cancelled")
USER: Final = {"id": "0192f3c0-7b1e-7f64-a1d5-2c9be0a4d3f6", "name": "Ada"}
LIBRARY: Final = "7d0c1111-0000-7000-8000-0000003f2a9c"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request that arrived."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True, slots=True)
class Reply:
    """What is answered. After `late` is set, where there is one; None as `status` drops the connection."""

    status: int | None
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    late: asyncio.Event | None = None


Script = Callable[[Asked], Reply]


class Stream:
    """One connection to the live stream."""

    def __init__(self) -> None:
        self.pieces: asyncio.Queue[bytes | None] = asyncio.Queue()

    def send(self, piece: bytes) -> None:
        self.pieces.put_nowait(piece)

    def drop(self) -> None:
        self.pieces.put_nowait(None)


class FakeApi:
    """Items, libraries, workers and a stream, in memory, and all that is asked of them."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self.items: dict[str, Json] = {}
        self.libraries: list[Json] = [
            {"id": LIBRARY, "userId": USER["id"], "owner": "Ada", "isActive": True, "createdAt": stamp()}
        ]
        self.workers: list[Json] = []
        self.findings: dict[str, list[Json]] = {}
        """What each sweep has found."""
        self.is_signed_in = True
        self.is_admin = True
        self.is_streaming = True
        self.token_seconds = 900
        self.keep_alive_seconds = 15.0
        self.retry_ms = 30
        self.ui_version = PAGE_VERSION
        self.asked: list[Asked] = []
        self.streams: list[Stream] = []
        self.stream_scripts: list[str] = []
        """What becomes of the next connections to the stream; after these, all is well."""
        self._scripts: list[tuple[str, str, Script, bool]] = []
        self._events: list[tuple[str, Json]] = []
        self._horizon = 0
        self._tokens: set[str] = set()
        self._page: ASGIApp = Edge(
            Litestar(
                [PageController],
                exception_handlers=exception_handlers(print),
                openapi_config=None,
                logging_config=None,
            ),
            RandomIds(),
            (),
            root,
        )

    # What tests do

    def script(self, method: str, path: str, reply: Reply | Script, *, always: bool = False) -> None:
        """Answer the next such request like this, or all of them."""
        answer: Script = (lambda _: reply) if isinstance(reply, Reply) else reply
        self._scripts.append((method, path, answer, always))

    def put(self, item: Json, *, tell: bool = True) -> Json:
        """Have this item, one revision newer than what there was, and tell those who listen."""
        known = self.items.get(item["id"])
        changed = {**item, "revision": max(item["revision"], 1 + (known["revision"] if known else 0))}
        self.items[item["id"]] = changed
        if tell:
            self.event("item", changed)
        return changed

    def change(self, item_id: str, **fields: object) -> Json:
        return self.put({**self.items[item_id], "updatedAt": stamp(), **fields})

    def remove(self, *ids: str) -> None:
        for item_id in ids:
            self.items.pop(item_id, None)
        self.event("removed", {"ids": list(ids), "reason": "deleted"})

    def event(self, name: str, data: Json) -> None:
        """Something that whoever listens is told, and whoever comes back."""
        self._events.append((name, data))
        for stream in self.streams:
            stream.send(frame(name, data, len(self._events)))

    def forget_history(self) -> None:
        """From here on whoever comes back with an older cursor has to read the list again."""
        self._horizon = len(self._events)

    def tell(self, name: str, data: Json) -> None:
        """Something about the connection itself."""
        for stream in self.streams:
            stream.send(frame(name, data, None))

    def drop(self) -> None:
        """Cut every stream."""
        for stream in self.streams:
            stream.drop()

    def expire_tokens(self) -> None:
        self._tokens.clear()

    def requests(self, method: str, path: str) -> list[Asked]:
        return [one for one in self.asked if (one.method, one.path) == (method, path)]

    # What the page sees

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the page, and the API that it is a client of."""
        if scope["type"] != ScopeType.HTTP or not scope["path"].startswith(self._root + API):
            await self._page(scope, receive, send)
            return
        asked = await _asked(scope, receive, self._root + API)
        self.asked.append(asked)
        if asked.path == "admin/work-items/stream" and self._may(asked):
            await self._stream(asked, receive, send)
            return
        reply = self._reply(asked)
        if reply.late is not None:
            await reply.late.wait()
        await _answer(reply, send)

    def _reply(self, asked: Asked) -> Reply:
        if asked.path.startswith("admin/") and not self._may(asked):
            return Reply(401, {"type": "/problems/unauthenticated"})
        for script in self._scripts:
            method, path, answer, always = script
            if (method, path) == (asked.method, asked.path):
                if not always:
                    self._scripts.remove(script)
                return answer(asked)
        if asked.path.startswith("admin/") and not self.is_admin:
            return Reply(403, {"type": "/problems/not-admin"})
        return self._usual(asked)

    def _usual(self, asked: Asked) -> Reply:
        match asked.method, asked.path.split("/"):
            case _, ["auth", verb]:
                return self._identify(verb, asked)
            case "GET", ["admin", "work-items", *rest]:
                return self._work_items(rest, asked)
            case "POST", ["admin", "work-items", item_id, "cancel"] if item_id in self.items:
                return self._cancel(item_id)
            case "GET", ["admin", "storage-configs"]:
                return Reply(200, {"items": self.libraries})
            case "GET", ["admin", "workers"]:
                return Reply(200, {"items": self.workers})
            case _:
                return Reply(404, {"type": "/problems/not-found"})

    def _identify(self, verb: str, asked: Asked) -> Reply:
        if verb == "sign-out":
            self.is_signed_in = False
            return Reply(204)
        if verb == "sign-in" and asked.body["password"] == "right":
            self.is_signed_in = True
            return self._session()
        if verb == "refresh" and self.is_signed_in:
            return self._session()
        return Reply(401, {"type": "/problems/unauthenticated"})

    def _work_items(self, rest: list[str], asked: Asked) -> Reply:
        match rest:
            case []:
                return self._list(asked)
            case ["counts"]:
                return self._counts()
            case [item_id] if item_id in self.items:
                return Reply(200, {"payload": {}, "attempts": [], **self.items[item_id]})
            case [item_id, "orphans"] if item_id in self.findings:
                return self._findings(item_id, asked.query)
            case _:
                return Reply(404, {"type": "/problems/work-item-not-found"})

    def _findings(self, sweep_id: str, wanted: dict[str, list[str]]) -> Reply:
        found = [one for one in self.findings[sweep_id] if one["what"] in wanted.get("what", [one["what"]])]
        start, limit = int(wanted.get("cursor", ["0"])[0]), int(wanted.get("limit", ["50"])[0])
        more = str(start + limit) if start + limit < len(found) else None
        told = {name: self.items[sweep_id][name] for name in ("status", "partial")}
        return Reply(200, {"items": found[start : start + limit], "nextCursor": more, **told})

    def _may(self, asked: Asked) -> bool:
        return asked.headers.get("authorization", "").removeprefix("Bearer ") in self._tokens

    def _session(self) -> Reply:
        token = f"token-{len(self.asked)}"
        self._tokens.add(token)
        ends = datetime.now(UTC) + timedelta(seconds=self.token_seconds)
        return Reply(200, {"accessToken": token, "expiresAt": stamp(ends), "user": USER})

    def _list(self, asked: Asked) -> Reply:
        wanted = asked.query
        rows = [
            item
            for item in sorted(self.items.values(), key=lambda one: str(one["updatedAt"]), reverse=True)
            if item["status"] in wanted.get("status", [item["status"]])
            and item["kind"] in wanted.get("kind", [item["kind"]])
            and item["storageConfigId"] in wanted.get("storageConfigId", [item["storageConfigId"]])
            and (item["requestedBy"] or "schedule")
            in wanted.get("requestedBy", [item["requestedBy"] or "schedule"])
        ]
        start, limit = int(wanted.get("cursor", ["0"])[0]), int(wanted.get("limit", ["50"])[0])
        more = str(start + limit) if start + limit < len(rows) else None
        body = {"items": rows[start : start + limit], "nextCursor": more, "serverTime": stamp()}
        return Reply(200, {**body, "eventCursor": cursor(len(self._events))})

    def _counts(self) -> Reply:
        statuses = [item["status"] for item in self.items.values()]
        by_status = {status: statuses.count(status) for status in ("queued", "running", *FINAL)}
        waiting = [item["requestedAt"] for item in self.items.values() if item["status"] == "queued"]
        body = {"byStatus": by_status, "byKind": {}, "oldestWaitingAt": min(waiting, default=None)}
        return Reply(200, {**body, "workersOnline": len(self.workers), "asOf": stamp()})

    def _cancel(self, item_id: str) -> Reply:
        item = self.items[item_id]
        if item["status"] in FINAL:
            problem = {"type": "/problems/work-item-finished", "item": item, "finishedAt": item["finishedAt"]}
            return Reply(409, problem)
        if item["status"] == "queued":
            return Reply(200, self.change(item_id, status="cancelled", finishedAt=stamp(), cancellable=False))
        return Reply(202, self.change(item_id, cancelRequestedAt=stamp(), cancellable=False))

    async def _stream(self, asked: Asked, receive: Receive, send: Send) -> None:
        script = self.stream_scripts.pop(0) if self.stream_scripts else "open"
        if not self.is_admin:
            script = "403"
        elif not self.is_streaming:
            script = "503"
        if script.isdigit():
            await _answer(Reply(int(script), {}), send)
            return
        if script == "buffer":
            await _gone(receive)
            return
        headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        stream = Stream()
        for welcome in self._welcome(asked) if script == "open" else ():
            stream.send(welcome)
        self.streams.append(stream)
        leaving = asyncio.ensure_future(_gone(receive))
        leaving.add_done_callback(lambda _: stream.drop())
        while (piece := await stream.pieces.get()) is not None:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        self.streams.remove(stream)
        leaving.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _welcome(self, asked: Asked) -> Iterable[bytes]:
        known = asked.headers.get("last-event-id") or asked.query.get("after", [""])[0]
        position = int(known.rpartition(".")[2]) if known else len(self._events)
        hello = {
            "protocol": 1,
            "serverTime": stamp(),
            "keepAliveSeconds": self.keep_alive_seconds,
            "heartbeatSeconds": 2,
            "leaseSeconds": 60,
            "retentionDays": 30,
            "uiVersion": self.ui_version,
            "resumed": bool(known),
        }
        yield f"retry: {self.retry_ms}\n".encode() + frame("hello", hello, None)
        if position < self._horizon:
            yield frame("reset", {"reason": "cursor-expired"}, len(self._events))
            return
        for number, (name, data) in enumerate(self._events[position:], start=position + 1):
            yield frame(name, data, number)
        yield frame("sync", {"serverTime": stamp()}, len(self._events))


def frame(name: str, data: Json, position: int | None) -> bytes:
    told = "" if position is None else f"id: {cursor(position)}\n"
    return f"event: {name}\ndata: {json.dumps(data)}\n{told}\n".encode()


def cursor(position: int) -> str:
    return f"1.fake.{position}"


def stamp(at: datetime | None = None) -> str:
    return (at or datetime.now(UTC)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


async def _asked(scope: HTTPScope, receive: Receive, api: str) -> Asked:
    body = b""
    while True:
        message: Any = await receive()
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    query: dict[str, list[str]] = {}
    for name, value in parse_qsl(scope["query_string"].decode()):
        query.setdefault(name, []).append(value)
    headers = {name.decode(): value.decode() for name, value in scope["headers"]}
    path = scope["path"].removeprefix(api)
    return Asked(scope["method"], path, query, headers, json.loads(body) if body else None)


async def _answer(reply: Reply, send: Send) -> None:
    if reply.status is None:
        raise ConnectionError("dropped, as scripted")
    headers = {
        "content-type": "application/json" if reply.status < 400 else "application/problem+json",
        "date": format_datetime(datetime.now(UTC), usegmt=True),
        **reply.headers,
    }
    listed = [(name.encode(), value.encode()) for name, value in headers.items()]
    content = b"" if reply.status == 204 else json.dumps(reply.body).encode()
    await send({"type": "http.response.start", "status": reply.status, "headers": listed})
    await send({"type": "http.response.body", "body": content, "more_body": False})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
