"""Requests made up from the API's own description: each is answered as that says, and none breaks it."""

import asyncio
from typing import Any

import schemathesis
from schemathesis import Case

from adapters.web.exceptions import RequestFault
from tests.support.described import an_admin_of_a_busy_queue, judge, thorough
from tests.support.memory import a_memory_house
from tests.support.web import an_app, ports_of

house = a_memory_house()
faults: list[RequestFault] = []
admin = asyncio.run(an_admin_of_a_busy_queue(house))

schema = schemathesis.openapi.from_asgi("/schema/openapi.json", an_app(ports_of(house), faults.append))


@schema.parametrize()
@thorough
def test_what_is_answered_is_what_the_description_says(case: Case[Any]) -> None:
    faults.clear()
    judge(case, admin)

    assert faults == []
