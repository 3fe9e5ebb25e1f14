"""What holds for every answer: HEAD, pages of other origins, and how much is read."""

import pytest
from httpx import Response

from tests.support.builders import an_id, enqueued
from tests.support.house import House
from tests.support.web import ITEMS, ORIGIN, WebClient, assert_is_safe, problem_of

FOREIGN = "https://evil.example"
ASKING = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}


async def test_answers_of_the_api_are_kept_nowhere(house: House, web: WebClient) -> None:
    item = await enqueued(house.store)

    for path in (ITEMS, f"{ITEMS}/{item}", "/api/v1/healthz", "/nothing"):
        response = await web.get(path)
        assert response.headers["Cache-Control"] == "no-store"
        assert_is_safe(response)


async def test_head_is_get_without_the_body(house: House, web: WebClient) -> None:
    path = f"{ITEMS}/{await enqueued(house.store)}"

    got, head = await web.get(path), await web.ask("HEAD", path)

    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["Content-Length"] == str(len(got.content))
    assert head.headers["ETag"] == got.headers["ETag"]


async def test_a_page_of_an_allowed_origin_may_ask_and_read(web: WebClient) -> None:
    preflight = await web.ask("OPTIONS", ITEMS, headers={"Origin": ORIGIN, **ASKING}, anonymous=True)
    read = await web.get(ITEMS, headers={"Origin": ORIGIN})

    assert preflight.status_code == 204
    assert "authorization" in preflight.headers["Access-Control-Allow-Headers"]
    for response in (preflight, read):
        assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
        assert response.headers["Vary"] == "Origin"
        assert "Access-Control-Allow-Credentials" not in response.headers
    assert "X-Request-Id" in read.headers["Access-Control-Expose-Headers"]


@pytest.mark.parametrize(
    "origin", [FOREIGN, "null", f"{ORIGIN}.evil.example", ORIGIN.upper(), f"{ORIGIN}:8443"]
)
async def test_a_page_of_another_origin_is_allowed_nothing(web: WebClient, origin: str) -> None:
    preflight = await web.ask("OPTIONS", ITEMS, headers={"Origin": origin, **ASKING}, anonymous=True)
    read = await web.get(ITEMS, headers={"Origin": origin})

    problem_of(preflight, 401, "unauthenticated")
    assert read.status_code == 200
    assert allowed_by(preflight) | allowed_by(read) == set()


async def test_a_large_body_is_refused_also_where_nobody_would_read_it(house: House, web: WebClient) -> None:
    path = f"{ITEMS}/{await enqueued(house.store)}/cancel"

    refused = await web.ask("POST", path, content=b"x" * (64 * 1024 + 1))
    taken = await web.ask("POST", path, content=b"x" * (64 * 1024))

    problem_of(refused, 413, "content-too-large")
    assert taken.status_code == 200


async def test_a_body_cannot_change_what_is_cancelled(house: House, web: WebClient) -> None:
    item = await enqueued(house.store)
    body = f'{{"id":"{an_id()}","kind":"crawl","status":"succeeded"}}'.encode()

    response = await web.ask("POST", f"{ITEMS}/{item}/cancel", content=body)

    assert (response.json()["id"], response.json()["status"]) == (str(item), "cancelled")
    assert response.json()["kind"] == "token-cleanup"


def allowed_by(response: Response) -> set[str]:
    return {name for name in response.headers if name.lower().startswith("access-control-")}
