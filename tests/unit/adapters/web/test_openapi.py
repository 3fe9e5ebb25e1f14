"""The API's description of itself says what is so."""

from collections.abc import AsyncIterator, Iterator

import jsonschema_rs
import msgspec
import pytest

from adapters.web.requests import LIST_PARAMETERS
from tests.support.memory import a_memory_house
from tests.support.openapi import SNAPSHOT, described
from tests.support.web import ITEMS, PROBLEM_JSON, Json, a_web_client, ports_of

OPTIONAL = {
    "FaultView": {"parameter", "pointer"},
    "CrawlRequest": {"verify", "acceptRemovals"},
}


@pytest.fixture
async def document() -> AsyncIterator[Json]:
    async with a_web_client(ports_of(a_memory_house())) as web:
        response = await web.get("/schema/openapi.json", anonymous=True)
        assert response.headers["Content-Type"] == "application/vnd.oai.openapi+json"
        yield response.json()


async def test_every_operation_is_named_and_explained(document: Json) -> None:
    names = [operation["operationId"] for _, __, operation in operations(document)]

    assert len(set(names)) == len(names)
    for _, path, operation in operations(document):
        assert operation["summary"]
        assert operation["description"]
        assert operation["tags"][0] in {tag["name"] for tag in document["tags"]}
        if "/admin/" in path:
            assert {"400", "401", "403", "500", "503"} <= set(operation["responses"])
        if "requestBody" in operation:
            assert {"400", "413", "415", "422"} <= set(operation["responses"])


async def test_the_description_kept_with_the_documents_is_the_one_that_is_served() -> None:
    assert await described() == SNAPSHOT.read_text(encoding="utf-8"), "run: make openapi"


async def test_the_description_is_served_as_yaml_too() -> None:
    async with a_web_client(ports_of(a_memory_house())) as web:
        as_json = (await web.get("/schema/openapi.json", anonymous=True)).json()
        response = await web.get("/schema/openapi.yaml", anonymous=True)

    assert response.headers["Content-Type"] == "application/yaml"
    assert msgspec.yaml.decode(response.content) == as_json


async def test_admin_operations_ask_for_a_bearer_token_and_health_does_not(document: Json) -> None:
    assert document["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
    for _, path, operation in operations(document):
        assert operation.get("security") == ([{"bearer": []}] if "/admin/" in path else None)


async def test_the_list_names_just_the_parameters_that_it_takes(document: Json) -> None:
    parameters = document["paths"][ITEMS]["get"]["parameters"]

    assert tuple(parameter["name"] for parameter in parameters) == LIST_PARAMETERS
    assert all(parameter["description"] for parameter in parameters)


async def test_every_error_is_described_as_a_problem(document: Json) -> None:
    for _, __, operation in operations(document):
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                assert list(response["content"]) == [PROBLEM_JSON]


async def test_every_body_has_an_example_that_is_what_would_be_answered(document: Json) -> None:
    for _, __, operation in operations(document):
        for status, response in operation["responses"].items():
            for content in response.get("content", {}).values():
                examples = [example["value"] for example in content["examples"].values()]
                assert examples
                validator = jsonschema_rs.validator_for(
                    {**content["schema"], "components": document["components"]}
                )
                for example in examples:
                    validator.validate(example)
                    assert int(status) < 400 or example["status"] == int(status)


async def test_every_body_that_is_taken_has_an_example_that_would_be_taken(document: Json) -> None:
    taken = {
        operation["operationId"]: operation["requestBody"]
        for _, __, operation in operations(document)
        if "requestBody" in operation
    }

    assert [name for name, body in taken.items() if not body["required"]] == ["askForProxySweep"]
    for body in taken.values():
        content = body["content"]["application/json"]
        schema = {**content["schema"], "components": document["components"]}
        for example in content["examples"].values():
            jsonschema_rs.validator_for(schema).validate(example["value"])


async def test_every_field_is_required_also_where_it_may_be_null(document: Json) -> None:
    for name, schema in document["components"]["schemas"].items():
        optional = OPTIONAL.get(name, set())
        assert set(schema["required"]) | optional == set(schema["properties"])


async def test_what_may_be_null_is_described_so(document: Json) -> None:
    properties = document["components"]["schemas"]["WorkItemView"]["properties"]

    assert {"type": "null"} in properties["finishedAt"]["anyOf"]
    assert {"type": "string", "format": "date-time"} in properties["finishedAt"]["anyOf"]
    assert properties["revision"] == {"type": "integer"}


def operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    """Method, path and operation of everything described."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield method, path, operation
