"""Requests made up from the API's own description, as many as it takes to be sure."""

import os
from typing import Any, Final
from uuid import UUID

from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from adapters.web.openapi.examples import CONFIG_ID, ITEM_ID, USER_ID
from domain.ids import StorageConfigId, UserId, WorkItemId
from tests.support.builders import a_new_item, enqueued
from tests.support.house import House
from tests.support.moves import Arranged
from tests.support.web import Headers, bearing, signed_as

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
    item = a_new_item(id=WorkItemId(UUID(ITEM_ID)), kind="crawl", storage_config_id=config)
    await enqueued(house.store, item)
    return bearing(signed_as(admin))


def judge(case: Case[Any], admin: Headers, *, at: str | None = None) -> None:
    """Send the request; the answer must be one that the description tells of, and none that says the API broke."""
    case.call_and_validate(base_url=at, headers=admin, excluded_checks=_unjudged(case))


def _unjudged(case: Case[Any]) -> list[Any]:
    query = case.query or {}
    unjudged: list[Any] = []
    if "cursor" in query:
        # Which cursors are good cannot be described: they are opaque.
        unjudged.append(positive_data_acceptance)
    if "kind" in query or case.operation.path.endswith("/stream"):
        # What is no text becomes some on its way, and any text is a kind. Streams are switched off here.
        unjudged.append(negative_data_rejection)
    return unjudged
