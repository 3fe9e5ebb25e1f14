"""Requests made up from the API's own description: each is answered as that says, and none breaks it."""

import asyncio
from typing import Any, Final
from uuid import UUID

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import positive_data_acceptance

from adapters.web.exceptions import RequestFault
from adapters.web.openapi.examples import ITEM_ID
from domain.ids import WorkItemId
from tests.support.builders import a_new_item, enqueued
from tests.support.house import House
from tests.support.memory import a_memory_house
from tests.support.moves import Arranged
from tests.support.web import Headers, an_app, bearing, ports_of, signed_as, somebody

NOT_FOR_CURSORS: Final[list[Any]] = [positive_data_acceptance]

house = a_memory_house()
faults: list[RequestFault] = []


async def an_admin_of_a_busy_queue(house: House) -> Headers:
    """Somebody whose token opens an API that has items in every state."""
    arranged = Arranged(house)
    for bring_about in (
        arranged.failed,
        arranged.stopped,
        arranged.cancelled,
        arranged.succeeded,
        arranged.retrying,
        arranged.asked_to_stop,
    ):
        await bring_about()
    await enqueued(house.store, a_new_item(id=WorkItemId(UUID(ITEM_ID)), kind="crawl"))
    return bearing(signed_as(await somebody(house.users, is_admin=True)))


admin = asyncio.run(an_admin_of_a_busy_queue(house))


schema = schemathesis.openapi.from_asgi("/schema/openapi.json", an_app(ports_of(house), faults.append))


@schema.parametrize()
@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
def test_what_is_answered_is_what_the_description_says(case: Case[Any]) -> None:
    # Which cursors are good cannot be described: they are opaque.
    unjudged = NOT_FOR_CURSORS if "cursor" in (case.query or {}) else None

    case.call_and_validate(headers=admin, excluded_checks=unjudged)

    assert faults == []
