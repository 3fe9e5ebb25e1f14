"""Whatever goes wrong, on whichever route: a problem document that tells nothing but what is the client's business."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, cast

import pytest

from application.ports.errors import SchemaFromTheFuture, StoreRefused, StoreUnavailable
from tests.support.builders import a_new_item, an_id, enqueued
from tests.support.every_route import Operation, Subjects, asked, operations
from tests.support.house import House
from tests.support.web import (
    ITEMS,
    Headers,
    WebClient,
    WebPorts,
    a_web_client,
    assert_is_problem,
    bearing,
    ports_of,
    problem_of,
    signed_as,
)

SECRET_TEXT = "/photos/Ada's wedding.jpg at 10.0.0.7"

# These look nothing up. The stream is switched off here.
ASK_NOBODY = {
    Operation("GET", "/api/v1/livez"),
    Operation("GET", f"{ITEMS}/stream"),
    Operation("POST", "/api/v1/auth/refresh"),
    Operation("POST", "/api/v1/auth/sign-out"),
    Operation("POST", "/api/v1/auth/sign-out-everywhere"),
}


class Broken:
    """Stands behind any port, and keeps none of its promises."""

    def __init__(self, error: Exception) -> None:
        """Take what every call ends in."""
        self._error = error

    def __getattr__(self, _: str) -> Callable[..., Awaitable[Any]]:
        async def fail(*_: object, **__: object) -> None:
            raise self._error

        return fail


def broken(ports: WebPorts, error: Exception) -> WebPorts:
    """The ports with nothing but the door in order."""
    bad = cast("Any", Broken(error))
    signing_in = replace(ports.signing_in, failures=bad)
    return replace(
        ports,
        inbox=bad,
        ledger=bad,
        cancels=bad,
        line=bad,
        presences=bad,
        configs=bad,
        schema=bad,
        signing_in=signing_in,
    )


@pytest.mark.parametrize(
    ("error", "status", "slug"),
    [
        (RuntimeError(SECRET_TEXT), 500, "internal"),
        (StoreRefused(SECRET_TEXT), 500, "internal"),
        (StoreUnavailable(SECRET_TEXT), 503, "database-unavailable"),
        (SchemaFromTheFuture(SECRET_TEXT), 503, "database-unavailable"),
    ],
)
async def test_a_store_that_breaks_its_promises_is_a_problem_on_every_route(
    house: House, error: Exception, status: int, slug: str
) -> None:
    subjects = Subjects(an_id(), an_id())
    async with a_web_client(broken(ports_of(house), error)) as web:
        failed = set()
        for operation in await operations(web):
            response = await asked(web, operation, subjects)
            assert SECRET_TEXT not in response.text
            if operation not in ASK_NOBODY:
                problem_of(response, status, slug)
                assert ("Retry-After" in response.headers) == (status == 503)
                failed.add(operation)
        reported = len(web.faults)

    assert len(failed) >= 12
    assert reported == (len(failed) if status == 500 else 0)


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("body", "headers", "problem"),
    [
        (b"{", JSON, (400, "malformed-request")),
        (b"\xff", JSON, (400, "malformed-request")),
        (b'{"a":' * 50_000 + b"}" * 50_000, JSON, (413, "content-too-large")),
        (b"[" * 60_000, JSON, (400, "malformed-request")),
        (b'"\\ud800"', JSON, (400, "malformed-request")),
        (b"[]", JSON, (422, "invalid-body")),
        (b"-0", JSON, (422, "invalid-body")),
        (b"9" * 5_000, JSON, (422, "invalid-body")),
        (b'{"nobody knows this":1}', JSON, (422, "invalid-body")),
        (b"a=b", {"Content-Type": "application/x-www-form-urlencoded"}, (415, "unsupported-media-type")),
        (b"{}", {"Content-Type": "text/json"}, (415, "unsupported-media-type")),
        (b"{}", {**JSON, "Content-Encoding": "gzip"}, (415, "unsupported-media-type")),
        (b" " * 262_145, JSON, (413, "content-too-large")),
    ],
    ids=lambda value: str(value)[:24],
)
async def test_a_bad_body_is_a_problem_wherever_one_is_read(
    house: House, web: WebClient, body: bytes, headers: Headers, problem: tuple[int, str]
) -> None:
    config = await house.a_config()
    item = await enqueued(house.store, a_new_item(kind="crawl", storage_config_id=config))
    readers = [one for one in await operations(web) if one.takes_json and "/admin/" in one.path]

    for operation in readers:
        path = Subjects(item, config).path(operation)
        response = await web.send(path, body, method=operation.method, headers=headers)
        problem_of(response, *problem)
    assert len(readers) >= 3


@pytest.mark.parametrize("text", ["x", "%00", "%ff", "..%2f..", "0" * 500, "-0", "9" * 40, "%ud800", "{id}"])
async def test_an_id_that_is_none_is_not_found_wherever_one_is_named(web: WebClient, text: str) -> None:
    for operation in await operations(web):
        if "{" in operation.path:
            path = operation.path.replace("{item_id}", text).replace("{config_id}", text)
            response = await web.send(path, {"isActive": True}, method=operation.method)
            assert response.status_code == 404, response.text
            assert_is_problem(response)


@pytest.mark.parametrize("query", ["verbose=1", "limit=-0", "a=1&a=2", "%00=%00", "cursor", "=", "%ff=%ff"])
async def test_a_parameter_that_nobody_knows_is_a_problem_on_every_admin_route(
    house: House, web: WebClient, query: str
) -> None:
    config = await house.a_config()
    item = await enqueued(house.store, a_new_item(kind="crawl", storage_config_id=config))
    subjects = Subjects(item, config)

    for operation in await operations(web):
        if "/admin/" in operation.path and not operation.path.endswith("/stream"):
            path = f"{subjects.path(operation)}?{query}"
            body = subjects.body(operation, web.admin)
            response = await web.send(path, body, method=operation.method)
            assert response.status_code == 400, (operation, response.text)
            assert_is_problem(response)


async def test_headers_that_come_twice_are_judged_not_guessed(web: WebClient) -> None:
    own = list(bearing(signed_as(web.admin)).items())
    types = [("Content-Type", "application/json")]

    signed_twice = await web.raw("POST", f"{ITEMS}/crawls", [*own, *own, *types])
    typed_twice = await web.raw("POST", f"{ITEMS}/crawls", [*own, *types, *types])

    problem_of(signed_twice, 401, "unauthenticated")
    problem_of(typed_twice, 415, "unsupported-media-type")
