"""Health: told to anybody, by a store that is asked once a second."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from application.health import Health, StoreAway
from application.ports.errors import StoreUnavailable
from application.ports.store_schema import (
    SchemaAhead,
    SchemaBehind,
    SchemaCondition,
    SchemaFits,
    StoreSchema,
)
from tests.support.clock import ManualClock
from tests.support.memory import a_memory_house
from tests.support.web import WebClient, a_web_client, ports_of, problem_of

HEALTH = "/api/v1/healthz"
LIFE = "/api/v1/livez"


class KnownSchema(StoreSchema):
    """Answers what a test has told it, and counts how often it is asked."""

    def __init__(self, condition: SchemaCondition | None) -> None:
        """Know that; None is a store that does not answer."""
        self.known = condition
        self.asked = 0

    async def condition(self) -> SchemaCondition:
        self.asked += 1
        if self.known is None:
            raise StoreUnavailable("the server at 10.0.0.7 does not answer")
        return self.known


@pytest.fixture
async def web() -> AsyncIterator[WebClient]:
    async with a_web_client(ports_of(a_memory_house())) as client:
        yield client


async def test_a_healthy_api_says_so_to_anybody(web: WebClient) -> None:
    response = await web.get(HEALTH, anonymous=True)

    assert response.status_code == 200
    assert response.json() == {"status": "ok", "checks": {"database": "ok", "schema": "ok"}}


@pytest.mark.parametrize(
    ("condition", "database", "schema"),
    [
        (SchemaBehind("0003", "0004"), "ok", "behind"),
        (SchemaAhead("0005", "0004"), "ok", "ahead"),
        (None, "unreachable", "unknown"),
    ],
)
async def test_an_api_that_cannot_work_says_why_but_names_nothing(
    condition: SchemaCondition | None, database: str, schema: str
) -> None:
    ports = replace(ports_of(a_memory_house()), schema=KnownSchema(condition))
    async with a_web_client(ports) as web:
        response = await web.get(HEALTH, anonymous=True)
        alive = await web.get(LIFE, anonymous=True)

    problem = problem_of(response, 503, "database-unavailable")
    assert problem["checks"] == {"database": database, "schema": schema}
    assert response.headers["Retry-After"] == "5"
    assert "10.0.0.7" not in response.text
    assert (alive.status_code, alive.json()) == (200, {"status": "ok"})


async def test_health_ignores_parameters_so_that_probes_may_send_what_they_like(web: WebClient) -> None:
    assert (await web.get(f"{HEALTH}?probe=1", anonymous=True)).status_code == 200


async def test_the_store_is_asked_once_a_second_however_many_ask() -> None:
    clock, schema = ManualClock(), KnownSchema(SchemaFits("0004"))
    health = Health(schema, clock)

    first = [await health.condition() for _ in range(5)]
    schema.known = None
    clock.advance(timedelta(milliseconds=999))
    still = await health.condition()
    clock.advance(timedelta(milliseconds=1))
    then = await health.condition()

    assert first == [SchemaFits("0004")] * 5
    assert (still, then) == (SchemaFits("0004"), StoreAway())
    assert schema.asked == 2
