"""What the framework finds wrong with a request, before any of our code has seen it."""

from collections.abc import AsyncIterator
from typing import cast

import pytest
from httpx import Response
from litestar import Litestar, get, post
from litestar.exceptions import ImproperlyConfiguredException
from litestar.params import FromQuery, JSONBody
from litestar.testing import AsyncTestClient
from litestar.types import HTTPRequestEvent, Message, Scope
from msgspec import Struct

from adapters.codec.payloads import MsgspecPayloadCodec
from adapters.system.ids import RandomIds
from adapters.web.body_limit import LARGEST_BODY_BYTES, refuse_large_bodies
from adapters.web.edge import Edge
from adapters.web.exceptions import RequestFault, exception_handlers
from domain.ids import Attempt, WorkItemId
from domain.kinds.proxy_deletion import ProxyDeletionPayload
from tests.support.builders import an_id
from tests.support.web import Headers, Json, problem_of

JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Part(Struct, forbid_unknown_fields=True):
    count: int


class Wish(Struct, forbid_unknown_fields=True):
    count: int
    parts: list[Part] = []


@post("/wishes")
async def wish(data: JSONBody[Wish]) -> int:
    return data.count


@get("/pages")
async def pages(number: FromQuery[int]) -> int:
    return number


@get("/broken")
async def broken() -> int:
    raise ImproperlyConfiguredException("a text that nobody may see")


@post("/deletions")
async def deletion(data: JSONBody[Wish]) -> str:
    payload = ProxyDeletionPayload(WorkItemId(an_id()), Attempt(1), (), findings=(data.count,))
    return MsgspecPayloadCodec().encode_payload(payload)


faults: list[RequestFault] = []
app = Edge(
    Litestar(
        [wish, pages, broken, deletion],
        exception_handlers=exception_handlers(faults.append),
        middleware=[refuse_large_bodies],
        request_max_body_size=LARGEST_BODY_BYTES,
        openapi_config=None,
        logging_config=None,
    ),
    RandomIds(),
    (),
)


@pytest.fixture
async def client() -> AsyncIterator[AsyncTestClient[Edge]]:
    async with AsyncTestClient(app) as client:
        yield client


@pytest.mark.parametrize(
    ("body", "pointer", "detail"),
    [
        (b'{"count":"x"}', "/count", "Expected `int`, got `str`"),
        (b'{"count":1,"parts":[{"count":2},{"count":"x"}]}', "/parts/1/count", "Expected `int`, got `str`"),
        (b'{"count":1,"status":"succeeded"}', "", "Object contains unknown field `status`"),
        (b"[]", "", "Expected `object`, got `array`"),
        (b"null", "", "Expected `object`, got `null`"),
        (b"", "", "Is missing."),
    ],
)
async def test_a_body_that_does_not_fit_is_told_where(
    client: AsyncTestClient[Edge], body: bytes, pointer: str, detail: str
) -> None:
    problem = problem_of(await wished(client, body), 422, "invalid-body")

    assert problem["errors"] == [{"pointer": pointer, "detail": detail}]


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 60_000, b'{"parts":' + b"[" * 60_000])
async def test_a_body_that_is_no_json_or_too_deep_is_malformed(
    client: AsyncTestClient[Edge], body: bytes
) -> None:
    problem_of(await wished(client, body), 400, "malformed-request")


async def test_a_body_that_is_not_said_to_be_json_is_not_read_as_such(client: AsyncTestClient[Edge]) -> None:
    problem_of(await wished(client, b"count=1", FORM), 400, "malformed-request")


@pytest.mark.parametrize("length", [str(LARGEST_BODY_BYTES + 1), "9" * 5_000])
async def test_a_body_that_announces_too_much_is_refused(client: AsyncTestClient[Edge], length: str) -> None:
    response = await wished(client, b"{}", {**JSON, "Content-Length": length})

    problem_of(response, 413, "content-too-large")


async def test_a_body_that_announces_nothing_is_refused_once_it_is_too_large() -> None:
    sent: list[Message] = []
    scope: Json = {
        "type": "http",
        "method": "POST",
        "path": "/wishes",
        "headers": [(b"content-type", b"application/json"), (b"transfer-encoding", b"chunked")],
        "query_string": b"",
    }

    async def receive() -> HTTPRequestEvent:
        return HTTPRequestEvent(type="http.request", body=b"[" * 10_000, more_body=True)

    async def send(message: Message) -> None:
        sent.append(message)

    await app(cast("Scope", scope), receive, send)

    assert [message["status"] for message in sent if message["type"] == "http.response.start"] == [413]


@pytest.mark.parametrize("count", [2**53, -(2**53)])
async def test_work_that_no_payload_can_hold_is_told_in_the_codecs_words(
    client: AsyncTestClient[Edge], count: int
) -> None:
    response = await client.post("/deletions", json={"count": count})

    detail = "The payload holds a whole number beyond 9007199254740991."
    assert problem_of(response, 422, "invalid-body")["errors"] == [{"pointer": "", "detail": detail}]
    assert (await client.post("/deletions", json={"count": 2**53 - 1})).status_code == 201


async def test_a_parameter_of_another_type_is_named(client: AsyncTestClient[Edge]) -> None:
    problem = problem_of(await client.get("/pages?number=x"), 400, "invalid-parameter")

    assert problem["errors"] == [{"parameter": "number", "detail": "Expected `int`, got `str`"}]


async def test_a_host_that_is_none_is_malformed(client: AsyncTestClient[Edge]) -> None:
    problem_of(await client.get("/pages?number=1", headers={"Host": "a b<>"}), 400, "malformed-request")


async def test_an_error_of_the_framework_itself_is_told_by_its_id_alone(
    client: AsyncTestClient[Edge],
) -> None:
    response = await client.get("/broken")

    problem = problem_of(response, 500, "internal")
    assert "nobody may see" not in response.text
    assert faults[-1].request_id == problem["requestId"]


async def wished(client: AsyncTestClient[Edge], body: bytes, headers: Headers | None = None) -> Response:
    return await client.post("/wishes", content=body, headers=headers or JSON)
