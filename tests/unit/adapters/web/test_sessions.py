"""The doors of signing in and out: who may knock, and what they may say."""

from collections.abc import AsyncIterator

import pytest
from httpx import Response

from adapters.web.client_address import address_of
from adapters.web.views.sessions import SignInRequest
from tests.contracts.web_sessions import AUTH, COOKIE, JSON, Door, cookie_of
from tests.support.house import House
from tests.support.memory import a_memory_house
from tests.support.web import ORIGIN, Headers, a_web_client, ports_of, problem_of

ROUTES = ("sign-in", "refresh", "sign-out", "sign-out-everywhere")
CREDENTIALS = b'{"name": "ada", "password": "correct horse"}'


@pytest.fixture
def house() -> House:
    return a_memory_house()


@pytest.fixture
async def door(house: House) -> AsyncIterator[Door]:
    ports = ports_of(house)
    async with a_web_client(ports) as web:
        yield Door(web, house, ports)


async def asked(door: Door, route: str, headers: Headers) -> Response:
    """A request that would be fine, but for these headers."""
    if route == "sign-in":
        return await door.post(route, headers={**JSON, **headers}, content=CREDENTIALS)
    return await door.post(route, headers={"Cookie": f"{COOKIE}={'A' * 43}", **headers})


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "https://other.photos.example"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "nonsense"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://"},
        {"Origin": "http://["},
        {"Origin": "file://testserver"},
        {"Origin": "http://testserver.evil.example"},
        {"Origin": "http://testserver@evil.example"},
        {"Origin": "http://testserver:8080"},
    ],
    ids=str,
)
async def test_a_page_of_another_site_is_kept_out(door: Door, route: str, headers: Headers) -> None:
    response = await asked(door, route, {"Host": "testserver", **headers})

    problem_of(response, 403, "cross-site")
    assert "Set-Cookie" not in response.headers
    assert "Access-Control-Allow-Origin" not in response.headers


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://testserver"},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://testserver"},
        {"Origin": "http://TESTSERVER:80"},
        {"Origin": "https://testserver"},
        {"Origin": "https://testserver:443"},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "cross-site"},
    ],
    ids=str,
)
async def test_own_pages_and_programs_may_knock(door: Door, headers: Headers) -> None:
    await door.somebody()

    assert (await asked(door, "sign-in", {"Host": "testserver", **headers})).status_code == 200
    assert (await asked(door, "sign-out", {"Host": "testserver", **headers})).status_code == 204


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (b"{}", ""),
        (b"[]", ""),
        (b"null", ""),
        (b'"ada"', ""),
        (b'{"name": "ada"}', ""),
        (b'{"name": 1, "password": "x"}', "/name"),
        (b'{"name": "ada", "password": null}', "/password"),
        (b'{"name": "", "password": "x"}', "/name"),
        (b'{"name": "ada", "password": ""}', "/password"),
        (b'{"name": "ada", "password": "x", "isAdmin": true}', ""),
        (b'{"name": "' + b"a" * 255 + b'", "password": "x"}', "/name"),
        (b'{"name": "ada", "password": "' + b"x" * 1025 + b'"}', "/password"),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_what_is_no_sign_in_is_told_where(door: Door, body: bytes, pointer: str) -> None:
    problem = problem_of(await door.post("sign-in", headers=JSON, content=body), 422, "invalid-body")

    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert door.ports.signing_in.reused == []


@pytest.mark.parametrize(
    "body", [b"", b"{", b'{"name": "\xff", "password": "x"}', b"[" * 60_000, b'{"name": "a' + b"\0" + b'"}']
)
async def test_what_is_no_json_cannot_be_read(door: Door, body: bytes) -> None:
    response = await door.post("sign-in", headers=JSON, content=body)

    assert response.status_code in {400, 422}
    assert response.json()["type"] in {"/problems/malformed-request", "/problems/invalid-body"}


@pytest.mark.parametrize(
    "media_type", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "json"]
)
async def test_a_form_is_no_sign_in(door: Door, media_type: str | None) -> None:
    await door.somebody()
    headers = {} if media_type is None else {"Content-Type": media_type}

    response = await door.post("sign-in", headers=headers, content=CREDENTIALS)

    problem_of(response, 415, "unsupported-media-type")


async def test_a_body_that_is_too_large_is_refused(door: Door) -> None:
    body = b'{"name": "ada", "password": "' + b"x" * 70_000 + b'"}'

    for route in ROUTES:
        problem_of(await door.post(route, headers=JSON, content=body), 413, "content-too-large")


@pytest.mark.parametrize("route", ROUTES[1:])
async def test_the_other_doors_take_nothing_but_the_cookie(door: Door, route: str) -> None:
    problem_of(await door.post(route, headers=JSON, content=b'{"all": true}'), 422, "invalid-body")
    problem_of(await door.post(route, content=b"all=true"), 415, "unsupported-media-type")
    problem_of(await door.post(f"{route}?all=true"), 400, "invalid-parameter")
    assert (await door.post(route, headers=JSON, content=b"{}")).status_code in {204, 401}


async def test_the_doors_are_described_with_all_that_they_answer(door: Door) -> None:
    document = (await door.web.get("/schema/openapi.json", anonymous=True)).json()

    described = {route: document["paths"][f"{AUTH}/{route}"]["post"]["responses"].keys() for route in ROUTES}

    always = {"400", "403", "413", "415", "422", "500", "503"}
    assert described == {
        "sign-in": {"200", "401", "429", *always},
        "refresh": {"200", "401", *always},
        "sign-out": {"204", *always},
        "sign-out-everywhere": {"204", *always},
    }
    assert "Retry-After" in document["paths"][f"{AUTH}/sign-in"]["post"]["responses"]["429"]["headers"]
    assert "Set-Cookie" in document["paths"][f"{AUTH}/refresh"]["post"]["responses"]["200"]["headers"]
    request = document["components"]["schemas"]["SignInRequest"]
    assert request["additionalProperties"] is False
    assert request["properties"]["password"]["maxLength"] == 1024


@pytest.mark.parametrize("route", ROUTES)
async def test_credentials_in_the_address_are_refused(door: Door, route: str) -> None:
    await door.somebody()
    response = await door.post(f"{route}?name=ada&password=correct+horse", headers=JSON, content=CREDENTIALS)

    problem_of(response, 400, "invalid-parameter")
    assert "correct" not in response.text
    for method in ("GET", "PUT", "DELETE"):
        problem_of(await door.web.ask(method, f"{AUTH}/{route}", anonymous=True), 405, "method-not-allowed")


async def test_a_cookie_header_that_is_a_mess_is_no_session(door: Door) -> None:
    for mess in (";;;", "=", f"{COOKIE}", f'{COOKIE}="', f"{COOKIE}=a; {COOKIE}=b", "x" * 8_000):
        response = await door.post("refresh", headers={"Cookie": mess})
        problem_of(response, 401, "unauthenticated")


async def test_no_header_can_be_smuggled_in_by_a_name(door: Door) -> None:
    await door.somebody()
    body = b'{"name": "ada\\r\\nSet-Cookie: evil=1", "password": "correct horse"}'

    response = await door.post("sign-in", headers=JSON, content=body)

    problem_of(response, 401, "wrong-credentials")
    assert "Set-Cookie" not in response.headers


async def test_over_https_the_cookie_never_travels_without(house: House) -> None:
    ports = ports_of(house)
    async with a_web_client(ports) as web:
        web._client.base_url = "https://testserver"
        door = Door(web, house, ports)
        await door.somebody()

        assert cookie_of(await door.signed_in())["secure"] is True


def test_credentials_are_not_shown_by_accident() -> None:
    assert repr(SignInRequest(name="ada", password="correct horse")) == "SignInRequest()"


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("a socket", "a socket"),
    ],
)
def test_an_address_is_counted_by_what_one_customer_has(host: str, address: str) -> None:
    assert address_of({"client": (host, 1234)}) == address


def test_an_address_that_nobody_knows_is_one_like_any_other() -> None:
    assert address_of({"client": None}) == "unknown"
    assert address_of({}) == "unknown"
