"""Requests made up from the API's own description, as many as it takes to be sure."""

import os
from typing import Any, Final
from uuid import UUID

from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from adapters.web.openapi.examples import CONFIG_ID, ITEM_ID, USER_ID
from adapters.web.openapi.sweeps import SWEEP_ID
from domain.ids import StorageConfigId, UserId, WorkItemId
from tests.support.builders import a_claim, a_new_item, a_success, claimed, enqueued
from tests.support.house import House
from tests.support.moves import Arranged
from tests.support.sweeping import RESULT, SWEEP, a_finding, run_of, sweeping_over
from tests.support.web import Headers, Json, bearing, signed_as

EXAMPLES: Final = int(os.environ.get("DESCRIBED_EXAMPLES", "240"))
"""How many requests are made up for each operation: of all operations over the three stores, 10 000 and more."""

thorough: Final = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)


async def an_admin_of_a_busy_queue(house: House) -> Headers:
    """Somebody whose token opens an API that has items in every state, and whatever the examples speak of."""
    admin = UserId(UUID(USER_ID))
    await house.users.add(admin, name="ada", email="ada@photos.example", password_hash="-", is_admin=True)
    config = StorageConfigId(UUID(CONFIG_ID))
    await house.storage_configs.add(config, user=admin, root_path="/srv/ada")
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
    await _a_sweep_that_has_found_files(house, owner=config)
    item = a_new_item(id=WorkItemId(UUID(ITEM_ID)), kind="crawl", storage_config_id=config)
    await enqueued(house.store, item)
    return bearing(signed_as(admin))


async def _a_sweep_that_has_found_files(house: House, *, owner: StorageConfigId) -> None:
    sweep = a_new_item(id=WorkItemId(UUID(SWEEP_ID)), kind="proxy-sweep")
    await enqueued(house.store, sweep)
    running = await claimed(house.store, a_claim(kinds=SWEEP))
    found = [a_finding(number, owner=owner) for number in (17, 18)]
    await sweeping_over(house).findings.record(run_of(running), found)
    await house.store.finish(running.id, a_success(running.attempt, result=RESULT))


def judge(case: Case[Any], admin: Headers, *, at: str | None = None) -> None:
    """Send the request; the answer must be one that the description tells of, and none that says the API broke."""
    case.call_and_validate(base_url=at, headers=admin, excluded_checks=_unjudged(case))


def _unjudged(case: Case[Any]) -> list[Any]:
    query = case.query or {}
    unjudged: list[Any] = []
    if "cursor" in query:
        # Which cursors are good cannot be described: they are opaque.
        unjudged.append(positive_data_acceptance)
    if isinstance(case.body, dict) and _is_more_than_a_shape(case.body):
        unjudged.append(positive_data_acceptance)
    if "kind" in query or case.operation.path.endswith("/stream"):
        # What is no text becomes some on its way, and any text is a kind. Streams are switched off here.
        unjudged.append(negative_data_rejection)
    return unjudged


def _is_more_than_a_shape(body: Json) -> bool:
    """What a sweep has found, and which keys were used before, cannot be described. And 2.0 files are no 2 files."""
    return body.get("sweepId") == SWEEP_ID or isinstance(body.get("files"), float)
