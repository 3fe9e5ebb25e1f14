"""Signing in and out by the web API, whatever store is behind it (S-40)."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.cookies import Morsel, SimpleCookie
from typing import Final

import pytest
from httpx import Response

from domain.account import User
from domain.ids import UserId
from tests.support.builders import ids
from tests.support.house import House
from tests.support.web import (
    ITEMS,
    Headers,
    WebClient,
    WebPorts,
    a_web_client,
    assert_is_safe,
    bearing,
    changed_user,
    ports_of,
    problem_of,
)
from tests.support.web_sessions import cheap_passwords

AUTH: Final = "/api/v1/auth"
PASSWORD: Final = "correct horse"
JSON: Final = {"Content-Type": "application/json"}
COOKIE: Final = "anichron-session"


@dataclass(frozen=True, slots=True)
class Door:
    """The API, seen by somebody who wants in."""

    web: WebClient
    house: House
    ports: WebPorts

    async def somebody(self, name: str = "ada", *, is_admin: bool = True) -> User:
        """An account that `PASSWORD` opens."""
        return await self.house.users.add(
            UserId(ids.next()),
            name=name,
            email=f"{name}@photos.example",
            password_hash=await cheap_passwords().hashed(PASSWORD),
            is_admin=is_admin,
        )

    async def sign_in(
        self, name: str = "ada", password: str = PASSWORD, *, headers: Headers | None = None
    ) -> Response:
        body = json.dumps({"name": name, "password": password}).encode()
        return await self.post("sign-in", headers={**JSON, **(headers or {})}, content=body)

    async def signed_in(self) -> Response:
        """Somebody is signed in; asserts that it worked."""
        response = await self.sign_in()
        assert response.status_code == 200, response.text
        return response

    async def refresh(self, text: str, *, headers: Headers | None = None) -> Response:
        return await self.post("refresh", headers={"Cookie": f"{COOKIE}={text}", **(headers or {})})

    async def post(
        self, route: str, *, headers: Headers | None = None, content: bytes | None = None
    ) -> Response:
        # The client keeps cookies as a browser does: each request here says by itself which it has.
        self.web._client.cookies.clear()
        return await self.web.ask("POST", f"{AUTH}/{route}", headers=headers, anonymous=True, content=content)


class WebSessions:
    @pytest.fixture
    async def door(self, house: House) -> AsyncIterator[Door]:
        ports = ports_of(house)
        async with a_web_client(ports) as web:
            yield Door(web, house, ports)

    async def test_who_signs_in_gets_a_token_that_opens_the_api_and_a_cookie_for_the_next_one(
        self, door: Door
    ) -> None:
        user = await door.somebody()

        response = await door.signed_in()

        body = response.json()
        assert body.keys() == {"accessToken", "expiresAt", "sessionExpiresAt", "user"}
        assert body["user"] == {
            "id": str(user.id),
            "name": "ada",
            "email": "ada@photos.example",
            "isAdmin": True,
        }
        left = datetime.fromisoformat(body["expiresAt"]) - datetime.now(UTC)
        assert timedelta(minutes=14) < left <= timedelta(minutes=15)
        assert response.headers["Cache-Control"] == "no-store"
        assert_is_safe(response)
        listed = await door.web.get(ITEMS, headers=bearing(body["accessToken"]), anonymous=True)
        assert listed.status_code == 200

    async def test_the_cookie_is_for_no_script_no_other_site_and_no_other_path(self, door: Door) -> None:
        await door.somebody()

        response = await door.signed_in()

        morsel = cookie_of(response)
        assert len(morsel.value) == 43
        assert (morsel["path"], morsel["samesite"].lower(), morsel["httponly"]) == (AUTH, "strict", True)
        assert morsel["domain"] == ""
        assert morsel["secure"] == ""
        assert morsel["max-age"] == str(30 * 86_400)
        assert morsel.value not in response.text

    @pytest.mark.parametrize(
        ("name", "password"),
        [
            ("ada", "hunter2-hunter2"),
            ("ada", PASSWORD + " "),
            ("ada", PASSWORD.upper()),
            ("nobody", PASSWORD),
            ("ada\r\nSet-Cookie: a=b", PASSWORD),
            ("ada\0", PASSWORD),
            ("' OR 1=1 --", PASSWORD),
            ("\u202eadA", PASSWORD),
            ("disabled", PASSWORD),
        ],
    )
    async def test_nobody_learns_what_was_wrong(self, door: Door, name: str, password: str) -> None:
        await door.somebody()
        shut = await door.somebody("disabled")
        await changed_user(door.house, shut.id, is_disabled=True)

        response = await door.sign_in(name, password)

        problem = problem_of(response, 401, "wrong-credentials")
        assert problem["detail"] == "There is no such account with this password that may sign in."
        assert "Set-Cookie" not in response.headers
        assert response.headers["WWW-Authenticate"] == 'Bearer realm="anichron"'
        assert password not in response.text

    async def test_after_ten_failures_a_minute_everybody_at_the_address_waits(self, door: Door) -> None:
        await door.somebody()
        for number in range(10):
            problem_of(await door.sign_in(f"user-{number}", "wrong"), 401, "wrong-credentials")

        response = await door.sign_in()

        problem_of(response, 429, "too-many-attempts")
        assert 50 <= int(response.headers["Retry-After"]) <= 60
        await door.house.age(timedelta(minutes=1))
        assert (await door.sign_in()).status_code == 200

    async def test_the_lock_is_not_lost_with_the_process(self, door: Door) -> None:
        await door.somebody()
        for _ in range(10):
            await door.sign_in(password="wrong")

        async with a_web_client(door.ports) as restarted:
            again = Door(restarted, door.house, door.ports)
            problem_of(await again.sign_in(), 429, "too-many-attempts")

    async def test_a_refresh_token_is_good_for_one_use(self, door: Door) -> None:
        user = await door.somebody()
        first = cookie_of(await door.signed_in()).value

        response = await door.refresh(first)

        assert response.status_code == 200
        second = cookie_of(response).value
        assert second != first
        listed = await door.web.get(ITEMS, headers=bearing(response.json()["accessToken"]), anonymous=True)
        assert listed.status_code == 200
        await door.house.age(timedelta(seconds=11))
        problem_of(await door.refresh(first), 401, "unauthenticated")
        problem_of(await door.refresh(second), 401, "unauthenticated")
        assert [reuse.user for reuse in door.ports.signing_in.reused] == [user.id]

    async def test_two_tabs_that_ask_at_the_same_instant_both_stay_signed_in(self, door: Door) -> None:
        await door.somebody()
        first = cookie_of(await door.signed_in()).value

        answers = await asyncio.gather(*(door.refresh(first) for _ in range(6)))

        assert Counter(answer.status_code for answer in answers) == {200: 6}
        (second,) = {cookie_of(answer).value for answer in answers}
        await door.house.age(timedelta(minutes=15))
        assert (await door.refresh(second)).status_code == 200
        assert door.ports.signing_in.reused == []

    async def test_who_has_signed_out_is_out_and_may_sign_out_again(self, door: Door) -> None:
        await door.somebody()
        token = cookie_of(await door.signed_in()).value

        for _ in range(2):
            response = await door.post("sign-out", headers={"Cookie": f"{COOKIE}={token}"})
            assert (response.status_code, response.content) == (204, b"")
            gone = cookie_of(response)
            assert (gone.value, gone["max-age"], gone["path"]) == ("", "0", AUTH)

        problem_of(await door.refresh(token), 401, "unauthenticated")

    async def test_who_signs_in_again_leaves_no_session_behind(self, door: Door) -> None:
        await door.somebody()
        before = cookie_of(await door.signed_in()).value
        kept = {"Cookie": f"{COOKIE}={before}"}

        refused = await door.sign_in(password="wrong", headers=kept)
        again = await door.sign_in(headers=kept)

        assert (refused.status_code, again.status_code) == (401, 200)
        problem_of(await door.refresh(before), 401, "unauthenticated")
        assert (await door.refresh(cookie_of(again).value)).status_code == 200

    async def test_signing_out_everywhere_ends_every_session_of_the_user(self, door: Door) -> None:
        await door.somebody()
        here, there = [cookie_of(await door.signed_in()).value for _ in range(2)]

        response = await door.post("sign-out-everywhere", headers={"Cookie": f"{COOKIE}={here}"})

        assert response.status_code == 204
        for token in (here, there):
            problem_of(await door.refresh(token), 401, "unauthenticated")

    async def test_without_a_cookie_there_is_no_session(self, door: Door) -> None:
        token = cookie_of(await signed_in_somebody(door)).value

        for headers in (
            {},
            {"Cookie": f"{COOKIE}="},
            {"Cookie": f"{COOKIE}=x"},
            {"Cookie": f"{COOKIE}={token}x"},
            {"Cookie": f"other={token}"},
            {"Authorization": f"Bearer {token}"},
            {"Cookie": f"{COOKIE}={'A' * 10_000}"},
        ):
            problem_of(await door.post("refresh", headers=headers), 401, "unauthenticated")
        assert (await door.post("sign-out")).status_code == 204
        assert (await door.refresh(token)).status_code == 200

    async def test_neither_cookie_nor_access_token_is_good_at_the_others_door(self, door: Door) -> None:
        response = await signed_in_somebody(door)
        cookie, access = cookie_of(response).value, response.json()["accessToken"]

        for headers in ({"Cookie": f"{COOKIE}={cookie}"}, bearing(cookie)):
            problem_of(await door.web.get(ITEMS, headers=headers, anonymous=True), 401, "unauthenticated")
        problem_of(await door.refresh(access), 401, "unauthenticated")

    async def test_who_is_no_admin_may_sign_in_and_sees_nothing(self, door: Door) -> None:
        await door.somebody(is_admin=False)

        response = await door.signed_in()

        assert response.json()["user"]["isAdmin"] is False
        headers = bearing(response.json()["accessToken"])
        problem_of(await door.web.get(ITEMS, headers=headers, anonymous=True), 403, "not-admin")

    async def test_a_disabled_account_is_out_at_once(self, door: Door) -> None:
        user = await door.somebody()
        response = await door.signed_in()
        await door.ports.signing_in.changes.set_disabled(user.id, is_disabled=True, even_last=True)

        problem_of(await door.refresh(cookie_of(response).value), 401, "unauthenticated")
        headers = bearing(response.json()["accessToken"])
        problem_of(await door.web.get(ITEMS, headers=headers, anonymous=True), 401, "unauthenticated")


def cookie_of(response: Response) -> "Morsel[str]":
    """The one cookie that was set."""
    (header,) = response.headers.get_list("Set-Cookie")
    cookie = SimpleCookie(header)
    return cookie[COOKIE]


async def signed_in_somebody(door: Door) -> Response:
    """Somebody new who is signed in."""
    await door.somebody()
    return await door.signed_in()
