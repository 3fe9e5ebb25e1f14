"""Parameters of lists: each that is wrong is named, with what would be allowed."""

import pytest

from tests.support.builders import a_new_item, an_id, enqueued
from tests.support.house import House
from tests.support.web import ITEMS, WORKERS, WebClient, problem_of

STATUSES = "Allowed: queued, running, succeeded, failed, cancelled."
PARAMETERS = "Unknown parameter. Allowed: status, kind, storageConfigId, requestedBy, limit, cursor."
LIMIT = "Must be a whole number from 1 to 200."
KIND = "Must be 1 to 100 characters, no NUL."
ONCE = "Allowed only once."


@pytest.mark.parametrize(
    ("query", "parameter", "detail"),
    [
        ("stats=failed", "stats", PARAMETERS),
        ("Status=failed", "Status", PARAMETERS),
        ("status=done", "status", f"Unknown status 'done'. {STATUSES}"),
        ("status=FAILED", "status", f"Unknown status 'FAILED'. {STATUSES}"),
        ("status=", "status", f"Unknown status ''. {STATUSES}"),
        ("status=%0A%1B[31m", "status", f"Unknown status '\\n\N{REPLACEMENT CHARACTER}[31m'. {STATUSES}"),
        ("kind=", "kind", KIND),
        (f"kind={'x' * 101}", "kind", KIND),
        ("kind=a%00b", "kind", KIND),
        ("&".join(f"kind={number}" for number in range(51)), "kind", "Allowed at most 50 times."),
        ("storageConfigId=7", "storageConfigId", "Must be a UUID."),
        ("storageConfigId={00000000-0001-7000-8000-000000000000}", "storageConfigId", "Must be a UUID."),
        ("requestedBy=ada", "requestedBy", "Must be schedule or the UUID of a user."),
        ("requestedBy=Schedule", "requestedBy", "Must be schedule or the UUID of a user."),
        ("requestedBy=schedule&requestedBy=schedule", "requestedBy", "Allowed only once."),
        ("limit=0", "limit", LIMIT),
        ("limit=201", "limit", LIMIT),
        ("limit=-1", "limit", LIMIT),
        ("limit=1.5", "limit", LIMIT),
        ("limit=%2B5", "limit", LIMIT),
        ("limit=1_0", "limit", LIMIT),
        ("limit=%D9%A3", "limit", LIMIT),
        ("limit=", "limit", LIMIT),
        (f"limit={'9' * 5_000}", "limit", LIMIT),
        ("limit=5&limit=5", "limit", ONCE),
        ("cursor=x&cursor=x", "cursor", ONCE),
    ],
)
async def test_a_wrong_parameter_is_named(web: WebClient, query: str, parameter: str, detail: str) -> None:
    problem = problem_of(await web.get(f"{ITEMS}?{query}"), 400, "invalid-parameter")

    assert problem["errors"] == [{"parameter": parameter, "detail": detail}]


async def test_all_that_is_wrong_is_told_at_once(web: WebClient) -> None:
    problem = problem_of(
        await web.get(f"{ITEMS}?a=1&b=2&status=done&limit=0&cursor=x"), 400, "invalid-parameter"
    )

    assert [fault["parameter"] for fault in problem["errors"]] == ["a", "b", "status", "limit"]


async def test_an_endless_name_is_not_echoed_whole(web: WebClient) -> None:
    problem = problem_of(await web.get(f"{ITEMS}?{'x' * 5_000}=1"), 400, "invalid-parameter")

    assert len(problem["errors"][0]["parameter"]) == 60


@pytest.mark.parametrize(
    "cursor", ["", "x", "%00", "%F0%9F%92%A9", "AAAA", "A" * 44, "A" * 9_000, "f" * 43, "-" * 44, "../../etc"]
)
async def test_a_cursor_that_was_not_made_here_is_refused(web: WebClient, cursor: str) -> None:
    problem = problem_of(await web.get(f"{ITEMS}?cursor={cursor}"), 400, "invalid-cursor")

    assert problem["errors"] == [{"parameter": "cursor", "detail": "Not a cursor of this list."}]


async def test_a_cursor_that_somebody_changed_is_refused_or_harmless(house: House, web: WebClient) -> None:
    await enqueued(house.store)
    await enqueued(house.store)
    cursor = (await web.json(f"{ITEMS}?limit=1"))["nextCursor"]

    for place in range(len(cursor)):
        changed = cursor[:place] + ("A" if cursor[place] != "A" else "B") + cursor[place + 1 :]
        response = await web.get(f"{ITEMS}?limit=1&cursor={changed}")
        assert response.status_code in {200, 400}
    problem_of(await web.get(f"{ITEMS}?cursor={cursor}!"), 400, "invalid-cursor")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"{ITEMS}/counts"),
        ("GET", f"{ITEMS}/{an_id()}"),
        ("POST", f"{ITEMS}/{an_id()}/cancel"),
        ("GET", WORKERS),
    ],
)
async def test_an_address_without_parameters_takes_none(web: WebClient, method: str, path: str) -> None:
    problem = problem_of(await web.ask(method, f"{path}?kind=crawl"), 400, "invalid-parameter")

    assert problem["errors"] == [
        {"parameter": "kind", "detail": "Unknown parameter. This address takes none."}
    ]


async def test_fifty_items_come_unless_another_number_is_asked_for(house: House, web: WebClient) -> None:
    for _ in range(201):
        await enqueued(house.store, a_new_item())

    assert len((await web.json(ITEMS))["items"]) == 50
    assert len((await web.json(f"{ITEMS}?limit=1"))["items"]) == 1
    assert len((await web.json(f"{ITEMS}?limit=200"))["items"]) == 200
