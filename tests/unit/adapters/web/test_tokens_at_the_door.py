"""Which bearer tokens the API takes: one that is good in every respect, and no other."""

import base64
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from tests.support.memory import a_memory_house
from tests.support.web import (
    ITEMS,
    Headers,
    WebClient,
    a_web_client,
    bearing,
    ports_of,
    problem_of,
    signed_as,
)

NOW = datetime.now(UTC)


@pytest.fixture
async def web() -> AsyncIterator[WebClient]:
    async with a_web_client(ports_of(a_memory_house())) as client:
        yield client


async def test_a_good_token_opens_the_door(web: WebClient) -> None:
    response = await web.get(ITEMS, headers=bearing(signed_as(web.admin)))

    assert response.status_code == 200


@pytest.mark.parametrize(
    "changed",
    [
        {"exp": None},
        {"iat": None},
        {"sub": None},
        {"iss": None},
        {"aud": None},
        {"aud": "somebody-else"},
        {"aud": ["anichron", "somebody-else"]},
        {"aud": ["anichron"]},
        {"iss": "somebody-else"},
        {"sub": "ada"},
        {"exp": NOW - timedelta(seconds=2)},
        {"exp": NOW + timedelta(hours=25)},
        {"exp": datetime(9999, 1, 1, tzinfo=UTC)},
        {"nbf": NOW + timedelta(hours=1)},
    ],
    ids=lambda changed: next(iter(changed)),
)
async def test_a_token_with_a_claim_that_is_not_right_is_refused(
    web: WebClient, changed: dict[str, object]
) -> None:
    await assert_refused(web, bearing(signed_as(web.admin, changed)))


async def test_a_token_signed_in_another_way_is_refused(web: WebClient) -> None:
    await assert_refused(web, bearing(signed_as(web.admin, key="another-key-that-is-as-long-as-ours-is")))
    await assert_refused(web, bearing(signed_as(web.admin, algorithm="HS512")))
    for unsigned in ("none", "None", "NONE", "nOnE", ""):
        claims = signed_as(web.admin).split(".")[1]
        await assert_refused(web, bearing(f"{segment({'alg': unsigned, 'typ': 'JWT'})}.{claims}."))


async def test_a_token_whose_header_is_a_trap_is_refused(web: WebClient) -> None:
    _, claims, signature = signed_as(web.admin).split(".")
    deep = base64.urlsafe_b64encode(b"[" * 2_500).decode().rstrip("=")

    for header in (
        deep,
        segment({"alg": "HS256", "crit": ["exp"]}),
        segment([]),
        segment(None),
        "",
        "%",
    ):
        await assert_refused(web, bearing(f"{header}.{claims}.{signature}"))


@pytest.mark.parametrize(
    "credentials",
    ["Bearer ", "Bearer x", "Bearer  ", "Bearer " + "x" * 5_000, "Bearer " + "x." * 5_000, "bearer a.b.c"],
)
async def test_nonsense_is_refused(web: WebClient, credentials: str) -> None:
    await assert_refused(web, {"Authorization": credentials})


async def test_the_scheme_may_be_written_in_any_way(web: WebClient) -> None:
    for scheme in ("bearer", "BEARER"):
        headers = {"Authorization": f"{scheme} {signed_as(web.admin)}"}
        assert (await web.get(ITEMS, headers=headers)).status_code == 200


async def test_a_token_anywhere_else_is_no_token(web: WebClient) -> None:
    token = signed_as(web.admin)
    elsewhere: list[tuple[str, Headers]] = [
        (f"{ITEMS}?access_token={token}", {}),
        (ITEMS, {"Cookie": f"access_token={token}; token={token}"}),
        (ITEMS, {"X-Authorization": f"Bearer {token}"}),
        (ITEMS, {"Authorization": f"Basic {token}"}),
        (ITEMS, {"Authorization": token}),
    ]

    for path, headers in elsewhere:
        response = await web.get(path, headers=headers, anonymous=True)
        problem_of(response, 401, "unauthenticated")
        assert response.headers["WWW-Authenticate"] == 'Bearer realm="anichron"'


async def test_no_answer_sets_a_cookie(web: WebClient) -> None:
    assert "Set-Cookie" not in (await web.get(ITEMS)).headers


async def assert_refused(web: WebClient, headers: Headers) -> None:
    response = await web.get(ITEMS, headers=headers, anonymous=True)
    problem_of(response, 401, "unauthenticated")
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="anichron", error="invalid_token"'


def segment(part: object) -> str:
    """A part of a token, as anybody can write it."""
    return base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
