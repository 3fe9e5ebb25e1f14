"""The web API over a store, and people who use it."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import jwt
import sqlalchemy as sa
from httpx import Response
from litestar.testing import AsyncTestClient

from adapters.codec.payloads import MsgspecPayloadCodec
from adapters.identity.tokens import JwtTokens
from adapters.memory.database import MemoryDatabase
from adapters.memory.presences import MemoryPresences
from adapters.memory.request_keys import MemoryRequestKeys
from adapters.memory.store_schema import MemoryStoreSchema
from adapters.memory.sweep_findings import MemorySweepFindings
from adapters.memory.waiting_line import MemoryWaitingLine
from adapters.memory.work_lookup import MemoryWorkLookup
from adapters.sql.engine import Database
from adapters.sql.presences import SqlPresences
from adapters.sql.request_keys import SqlRequestKeys
from adapters.sql.store_schema import SqlStoreSchema
from adapters.sql.sweep_findings import SqlSweepFindings
from adapters.sql.tables import users
from adapters.sql.waiting_line import SqlWaitingLine
from adapters.sql.work_lookup import SqlWorkLookup
from adapters.system.clock import SystemClock
from adapters.system.ids import RandomIds
from adapters.web.app import WebParts, make_app
from adapters.web.edge import Edge
from adapters.web.exceptions import RequestFault
from adapters.web.stream import NOT_STREAMING, NotStreaming
from adapters.web.stream_response import Streaming
from adapters.web.views.work_items import Limits, limits_of
from application.access import AdminAccess
from application.admin import Admin
from application.asking import Asking
from application.cancel import Cancel
from application.configs import Configs, SwitchedConfigs
from application.enqueue import WorkQueue
from application.health import Health
from application.overview import Overview, OverviewPorts
from application.ports.cancels import WorkCancels
from application.ports.inbox import WorkInbox
from application.ports.ledger import WorkLedger
from application.ports.lookup import WorkLookup
from application.ports.presence import Presences
from application.ports.request_keys import RequestKeys
from application.ports.store_schema import StoreSchema
from application.ports.sweep_findings import SweepFindings
from application.ports.transactions import Transactions
from application.ports.users import Users
from application.ports.waiting_line import WaitingLine
from application.proxy_deletions import DeletionPorts, ProxyDeletions
from application.sessions import Sessions
from application.sign_in import SignIn
from application.sweeps import Sweeps
from domain.ids import UserId
from domain.photo_root import ANYWHERE, RootBounds
from tests.support.builders import ids
from tests.support.house import House
from tests.support.web_sessions import (
    SignInPorts,
    memory_sign_in_ports,
    sessions_over,
    sign_in_over,
    sql_sign_in_ports,
)

SECRET: Final = "correct-horse-battery-staple-" * 3
BOUNDS: Final = RootBounds(beneath="/photos", apart_from="/photos/proxies")
ORIGIN: Final = "https://photos.example"
ITEMS: Final = "/api/v1/admin/work-items"
CONFIGS: Final = "/api/v1/admin/storage-configs"
WORKERS: Final = "/api/v1/admin/workers"
LIMITS: Final = limits_of(stall_limit=3)

PROBLEM_JSON: Final = "application/problem+json"

Json = dict[str, Any]
Headers = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPorts:
    """What a store has behind the API."""

    inbox: WorkInbox
    ledger: WorkLedger
    cancels: WorkCancels
    line: WaitingLine
    lookup: WorkLookup
    presences: Presences
    users: Users
    configs: SwitchedConfigs
    transactions: Transactions
    schema: StoreSchema
    findings: SweepFindings
    keys: RequestKeys
    signing_in: SignInPorts


def an_app(  # noqa: PLR0913 -- the knobs of an API
    ports: WebPorts,
    report: Callable[[RequestFault], None],
    *,
    root_path: str = "",
    bounds: RootBounds = ANYWHERE,
    streaming: Streaming | NotStreaming = NOT_STREAMING,
    limits: Limits = LIMITS,
) -> Edge:
    """The API over these ports, as it is served."""
    clock = SystemClock()
    queue = WorkQueue(ports.inbox, MsgspecPayloadCodec(), RandomIds())
    return make_app(
        WebParts(
            access=AdminAccess(some_tokens(), ports.users, clock),
            admin=Admin(ports.ledger, ports.lookup, ports.presences),
            asking=Asking(queue, ports.ledger, ports.configs),
            cancel=Cancel(ports.cancels),
            configs=Configs(
                ports.configs, queue, ports.transactions, ports.users, RandomIds(), bounds=bounds
            ),
            health=Health(ports.schema, clock),
            limits=limits,
            overview=Overview(
                OverviewPorts(
                    ledger=ports.ledger, presences=ports.presences, configs=ports.configs, line=ports.line
                ),
                clock,
                fresh_for=timedelta(0),
            ),
            proxy_deletions=ProxyDeletions(
                queue,
                DeletionPorts(
                    ledger=ports.ledger,
                    findings=ports.findings,
                    configs=ports.configs,
                    transactions=ports.transactions,
                    keys=ports.keys,
                ),
            ),
            sessions=some_sessions(ports),
            sign_in=some_sign_in(ports),
            sweeps=Sweeps(ports.ledger, ports.findings),
            ids=RandomIds(),
            report=report,
            streaming=streaming,
            origins=(ORIGIN,),
            root_path=root_path,
        )
    )


def some_sessions(ports: WebPorts) -> Sessions:
    """Real ones, with every secret that they need."""
    return sessions_over(ports.signing_in, ports.users, some_tokens(), secret=SECRET)


def some_sign_in(ports: WebPorts) -> SignIn:
    """As an API does it."""
    return sign_in_over(ports.signing_in, ports.users, some_sessions(ports))


def some_tokens() -> JwtTokens:
    """The real thing, on the real clock: the library that checks them knows no other."""
    return JwtTokens(SystemClock(), secret=SECRET, issuer="anichron", audience="anichron")


def bearing(token: str) -> Headers:
    """The headers of whoever has this token."""
    return {"Authorization": f"Bearer {token}"}


def signed_as(
    user: UserId, changed: Mapping[str, object] | None = None, *, key: str = SECRET, algorithm: str = "HS256"
) -> str:
    """A token for this user, good but for what is `changed`; None leaves a claim out."""
    now = datetime.now(UTC)
    claims: Json = {
        "sub": str(user),
        "iat": now,
        "exp": now + timedelta(hours=1),
        "iss": "anichron",
        "aud": "anichron",
        **(changed or {}),
    }
    return jwt.encode({name: value for name, value in claims.items() if value is not None}, key, algorithm)


def ports_of(house: House) -> WebPorts:
    """The ports of a house, and those beside it on the same database."""
    match house.transactions:
        case MemoryDatabase() as memory:
            line: WaitingLine = MemoryWaitingLine(memory)
            lookup: WorkLookup = MemoryWorkLookup(memory)
            presences: Presences = MemoryPresences(memory)
            schema: StoreSchema = MemoryStoreSchema()
            findings: SweepFindings = MemorySweepFindings(memory)
            keys: RequestKeys = MemoryRequestKeys(memory)
            signing_in = memory_sign_in_ports(memory)
        case Database() as database:
            line, lookup = SqlWaitingLine(database), SqlWorkLookup(database)
            presences = SqlPresences(database)
            schema = SqlStoreSchema(database)
            findings, keys = SqlSweepFindings(database), SqlRequestKeys(database)
            signing_in = sql_sign_in_ports(database)
        case other:
            raise AssertionError(f"no such database: {other}")
    return WebPorts(
        inbox=house.store,
        ledger=house.store,
        cancels=house.store,
        line=line,
        lookup=lookup,
        presences=presences,
        users=house.users,
        configs=house.storage_configs,
        transactions=house.transactions,
        schema=schema,
        findings=findings,
        keys=keys,
        signing_in=signing_in,
    )


async def changed_user(
    house: House, user: UserId, *, is_admin: bool = True, is_disabled: bool = False
) -> None:
    """What an operator does to an account, and no port allows yet."""
    match house.transactions:
        case MemoryDatabase() as memory:
            memory.users[user] = replace(memory.users[user], is_admin=is_admin, is_disabled=is_disabled)
        case Database() as database:
            update = sa.update(users).where(users.c.id == user)
            values = update.values(is_admin=is_admin, is_disabled=is_disabled)
            await database.write(lambda connection: connection.execute(values))
        case other:
            raise AssertionError(f"no such database: {other}")


async def somebody(accounts: Users, *, is_admin: bool) -> UserId:
    """An account."""
    user = UserId(ids.next())
    name = f"user-{user}"
    await accounts.add(user, name=name, email=f"{name}@example.org", password_hash="-", is_admin=is_admin)
    return user


class WebClient:
    """An admin in front of the API."""

    def __init__(self, client: AsyncTestClient[Any], admin: UserId, faults: list[RequestFault]) -> None:
        """Take the way to the API."""
        self._client = client
        self.admin = admin
        self.faults = faults

    async def ask(
        self,
        method: str,
        path: str,
        *,
        headers: Headers | None = None,
        anonymous: bool = False,
        content: bytes | None = None,
    ) -> Response:
        """Whatever the API answers: to an admin, or to who has these headers."""
        own = {} if anonymous else bearing(some_tokens().issue(self.admin, lasts=timedelta(hours=1)).text)
        return await self._client.request(method, path, headers={**own, **(headers or {})}, content=content)

    async def get(self, path: str, *, headers: Headers | None = None, anonymous: bool = False) -> Response:
        return await self.ask("GET", path, headers=headers, anonymous=anonymous)

    async def post(self, path: str) -> Response:
        return await self.ask("POST", path)

    async def raw(self, method: str, path: str, headers: list[tuple[str, str]]) -> Response:
        """Send just these headers, as often as they stand there."""
        return await self._client.request(method, path, headers=headers, content=b"{}")

    async def send(
        self, path: str, body: Json | bytes, *, method: str = "POST", headers: Headers | None = None
    ) -> Response:
        """Send a body, as JSON unless the headers say otherwise."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        told = {"Content-Type": "application/json", **(headers or {})}
        return await self.ask(method, path, headers=told, content=content)

    async def json(self, path: str) -> Json:
        """What stands there; asserts that there is something."""
        response = await self.get(path)
        assert response.status_code == 200, response.text
        body: Json = response.json()
        return body


@asynccontextmanager
async def a_web_client(
    ports: WebPorts, *, root_path: str = "", bounds: RootBounds = ANYWHERE, limits: Limits = LIMITS
) -> AsyncIterator[WebClient]:
    """Somebody who is an admin now, in front of the API over these ports."""
    faults: list[RequestFault] = []
    admin = await somebody(ports.users, is_admin=True)
    app = an_app(ports, faults.append, root_path=root_path, bounds=bounds, limits=limits)
    async with AsyncTestClient(app) as client:
        yield WebClient(client, admin, faults)


def problem_of(response: Response, status: int, slug: str) -> Json:
    """The problem that was answered; asserts which it is, and that it has the shape of every problem."""
    problem: Json = response.json()
    assert (response.status_code, problem.get("type")) == (status, f"/problems/{slug}"), problem
    assert_is_problem(response)
    return problem


def assert_is_problem(response: Response) -> None:
    """Every error has this shape (RFC 9457)."""
    problem: Json = response.json()
    assert response.headers["Content-Type"] == PROBLEM_JSON
    assert problem["type"].startswith("/problems/")
    assert problem["status"] == response.status_code
    assert all(isinstance(problem[name], str) and problem[name] for name in ("title", "detail", "instance"))
    assert problem["requestId"] == response.headers["X-Request-Id"]
    assert_is_safe(response)


def assert_is_safe(response: Response) -> None:
    """Every answer tells browsers this."""
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert response.headers["X-Robots-Tag"] == "none"
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert response.headers["X-Request-Id"]
