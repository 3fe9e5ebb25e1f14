"""Signing in to the API as a process: behind a proxy, over TLS, and with a first admin of the settings."""

import json
import statistics
import time
from http.cookies import Morsel, SimpleCookie
from pathlib import Path
from typing import Final

import httpx
import sqlalchemy as sa

from tests.support.serving import ApiProcess, serving, until
from tests.support.web import ITEMS, SECRET, bearing, problem_of

AUTH: Final = "/api/v1/auth"
EMAIL: Final = "ada@photos.example"
PASSWORD: Final = "correct horse"
COOKIE: Final = "anichron-session"
FIRST: Final = {"JWT__SECRET": SECRET, "ADMIN__EMAIL": EMAIL}
PROXY: Final = {"FORWARDED__ALLOW_IPS": "127.0.0.0/8"}


def test_the_first_admin_of_the_settings_signs_in_and_stays_signed_in(
    empty_sqlite_url: str, tmp_path: Path
) -> None:
    with serving(empty_sqlite_url, **FIRST, ADMIN__PASSWORD_FILE=password_file(tmp_path)) as api:
        signed_in = at_last_signed_in(api, empty_sqlite_url)
        api_answer = api.get(ITEMS, **bearing(signed_in.json()["accessToken"]))
        refreshed = post(api, "refresh", Cookie=f"{COOKIE}={cookie_of(signed_in).value}")
        said = api.said

    assert api_answer.status_code == 200
    assert refreshed.status_code == 200
    for secret in (
        PASSWORD,
        SECRET,
        signed_in.json()["accessToken"],
        cookie_of(signed_in).value,
        cookie_of(refreshed).value,
    ):
        assert secret not in said
    assert "added the first admin" in said


def test_the_settings_change_no_account_that_is_there(empty_sqlite_url: str, tmp_path: Path) -> None:
    with serving(empty_sqlite_url, **FIRST, ADMIN__PASSWORD_FILE=password_file(tmp_path)) as api:
        at_last_signed_in(api, empty_sqlite_url)
    (tmp_path / "other").write_text("battery staple")

    with serving(empty_sqlite_url, **FIRST, ADMIN__PASSWORD_FILE=str(tmp_path / "other")) as api:
        until(lambda: api.answers(200), what="health")
        assert sign_in(api, password="battery staple").status_code == 401
        assert sign_in(api).status_code == 200

    assert accounts_in(empty_sqlite_url) == [EMAIL]


def test_a_proxy_that_is_not_known_is_not_believed(empty_sqlite_url: str, tmp_path: Path) -> None:
    with serving(empty_sqlite_url, **FIRST, ADMIN__PASSWORD_FILE=password_file(tmp_path)) as api:
        signed_in = at_last_signed_in(
            api, empty_sqlite_url, **{"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
        )
        for number in range(10):
            headers = {"X-Forwarded-For": f"192.0.2.{number}"}
            assert sign_in(api, password="wrong", **headers).status_code == 401
        locked = sign_in(api, **{"X-Forwarded-For": "192.0.2.77"})

    assert cookie_of(signed_in)["secure"] == ""
    problem_of(locked, 429, "too-many-attempts")


def test_a_known_proxy_is_believed_who_asks_and_that_it_was_over_https(
    empty_sqlite_url: str, tmp_path: Path
) -> None:
    settings = {**FIRST, **PROXY, "ADMIN__PASSWORD_FILE": password_file(tmp_path)}
    with serving(empty_sqlite_url, **settings) as api:
        signed_in = at_last_signed_in(
            api, empty_sqlite_url, **{"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
        )
        for number in range(10):
            # What a client says of itself stands before what the proxy knows.
            forged = {"X-Forwarded-For": f"198.51.100.{number}, 192.0.2.66"}
            assert sign_in(api, password="wrong", **forged).status_code == 401
        locked = sign_in(api, **{"X-Forwarded-For": "192.0.2.66"})
        other = sign_in(api, **{"X-Forwarded-For": "192.0.2.1"})

    assert cookie_of(signed_in)["secure"] is True
    problem_of(locked, 429, "too-many-attempts")
    assert other.status_code == 200


def test_below_a_path_the_cookie_is_for_that(empty_sqlite_url: str, tmp_path: Path) -> None:
    settings = {**FIRST, "ADMIN__PASSWORD_FILE": password_file(tmp_path), "API__ROOT_PATH": "/anichron"}
    with serving(empty_sqlite_url, **settings) as api:
        signed_in = at_last_signed_in(api, empty_sqlite_url)

    assert cookie_of(signed_in)["path"] == f"/anichron{AUTH}"


def test_an_account_that_is_not_there_takes_as_long_as_one_that_is(
    empty_sqlite_url: str, tmp_path: Path
) -> None:
    settings = {**FIRST, **PROXY, "ADMIN__PASSWORD_FILE": password_file(tmp_path)}
    with serving(empty_sqlite_url, **settings) as api:
        at_last_signed_in(api, empty_sqlite_url)
        known, unknown = [], []
        for number in range(20):
            headers = {"X-Forwarded-For": f"192.0.2.{number}"}
            known.append(seconds_of(api, EMAIL, headers))
            unknown.append(seconds_of(api, f"user-{number}@photos.example", headers))

    ratio = statistics.median(unknown) / statistics.median(known)
    assert 0.5 < ratio < 2, ratio


def password_file(folder: Path) -> str:
    path = folder / "password"
    path.write_text(f"{PASSWORD}\n")
    return str(path)


def seconds_of(api: ApiProcess, name: str, headers: dict[str, str]) -> float:
    """How long it took to be refused."""
    began = time.perf_counter()
    assert sign_in(api, name, "wrong", **headers).status_code == 401
    return time.perf_counter() - began


def at_last_signed_in(api: ApiProcess, url: str, **headers: str) -> httpx.Response:
    """Signed in, as soon as there is somebody."""
    until(lambda: api.answers(200), what="health")
    until(lambda: accounts_in(url) != [], what="an account")
    response = sign_in(api, **headers)
    assert response.status_code == 200, response.text
    return response


def sign_in(api: ApiProcess, name: str = EMAIL, password: str = PASSWORD, **headers: str) -> httpx.Response:
    body = json.dumps({"name": name, "password": password})
    return post(api, "sign-in", body, **{"Content-Type": "application/json", **headers})


def post(api: ApiProcess, route: str, body: str = "", **headers: str) -> httpx.Response:
    url = f"http://127.0.0.1:{api.port}{AUTH}/{route}"
    return httpx.post(url, content=body, headers=headers, timeout=30)


def cookie_of(response: httpx.Response) -> "Morsel[str]":
    """The cookie that was set."""
    return SimpleCookie(response.headers["Set-Cookie"])[COOKIE]


def accounts_in(url: str) -> list[str]:
    """The addresses of all accounts."""
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        found = [row.email for row in connection.execute(sa.text("SELECT email FROM users"))]
    engine.dispose()
    return found
