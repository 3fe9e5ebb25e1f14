"""How work is asked for by the web API, whatever store is behind it."""

import json

import pytest

from tests.contracts.web_access import without_address
from tests.support.builders import a_claim, an_id, claimed
from tests.support.house import House
from tests.support.web import (
    ITEMS,
    Json,
    WebClient,
    bearing,
    changed_user,
    problem_of,
    signed_as,
    somebody,
)

CRAWLS = f"{ITEMS}/crawls"


class WebAsking:
    async def test_a_crawl_that_is_asked_for_waits_and_is_where_the_answer_says(
        self, house: House, web: WebClient
    ) -> None:
        config = await house.a_config()

        response = await web.send(CRAWLS, {"storageConfigId": str(config)})

        item = response.json()
        assert response.status_code == 202
        assert response.headers["Location"] == f"{ITEMS}/{item['id']}"
        assert (item["kind"], item["status"], item["attempt"]) == ("crawl", "queued", 0)
        assert (item["storageConfigId"], item["requestedBy"]) == (str(config), str(web.admin))
        detail = await web.json(response.headers["Location"])
        assert detail["payload"] == {"storageConfigId": str(config)}

    async def test_asked_again_the_one_that_waits_is_the_answer(self, house: House, web: WebClient) -> None:
        config = str(await house.a_config())
        first = await web.send(CRAWLS, {"storageConfigId": config})

        again = await web.send(CRAWLS, {"storageConfigId": config.upper(), "verify": False})

        assert again.status_code == 200
        assert "Location" not in again.headers
        assert again.json()["id"] == first.json()["id"]
        assert len((await web.json(ITEMS))["items"]) == 1

    async def test_one_that_runs_already_does_not_answer_for_a_new_one(
        self, house: House, web: WebClient
    ) -> None:
        config = str(await house.a_config())
        first = await web.send(CRAWLS, {"storageConfigId": config})
        await claimed(house.store, a_claim())

        again = await web.send(CRAWLS, {"storageConfigId": config})

        assert again.status_code == 202
        assert again.json()["id"] != first.json()["id"]

    @pytest.mark.parametrize(
        "wishes",
        [{"verify": True}, {"acceptRemovals": True}, {"verify": True, "acceptRemovals": True}],
        ids="+".join,
    )
    async def test_a_crawl_with_wishes_is_not_answered_by_one_without(
        self, house: House, web: WebClient, wishes: Json
    ) -> None:
        config = str(await house.a_config())
        plain = await web.send(CRAWLS, {"storageConfigId": config})

        wanted = await web.send(CRAWLS, {"storageConfigId": config, **wishes})
        again = await web.send(CRAWLS, {"storageConfigId": config, **wishes})

        assert [plain.status_code, wanted.status_code, again.status_code] == [202, 202, 200]
        assert again.json()["id"] == wanted.json()["id"] != plain.json()["id"]
        payload = (await web.json(f"{ITEMS}/{again.json()['id']}"))["payload"]
        assert {name for name, value in payload.items() if value is True} == set(wishes)

    async def test_a_config_that_is_not_there_is_not_found(self, web: WebClient) -> None:
        problem_of(await web.send(CRAWLS, {"storageConfigId": str(an_id())}), 404, "storage-config-not-found")

        assert (await web.json(ITEMS))["items"] == []

    async def test_a_config_that_is_not_active_gets_no_work(self, house: House, web: WebClient) -> None:
        config = await house.a_config()
        await house.pokes.deactivate(config)

        problem_of(await web.send(CRAWLS, {"storageConfigId": str(config)}), 409, "storage-config-inactive")

        assert (await web.json(ITEMS))["items"] == []

    @pytest.mark.parametrize(
        ("body", "pointer"),
        [
            ("{}", ""),
            ("[]", ""),
            ("null", ""),
            ("-0", ""),
            ('{"storageConfigId": null}', "/storageConfigId"),
            ('{"storageConfigId": 7}', "/storageConfigId"),
            ('{"storageConfigId": "library"}', "/storageConfigId"),
            ('{"storageConfigId": "CONFIG\\u0000"}', "/storageConfigId"),
            ('{"storageConfigId": "CONFIG", "verify": "true"}', "/verify"),
            ('{"storageConfigId": "CONFIG", "verify": 1}', "/verify"),
            ('{"storageConfigId": "CONFIG", "verify": 99999999999999999999999999}', "/verify"),
            ('{"storageConfigId": "CONFIG", "verify": null}', "/verify"),
            ('{"storageConfigId": "CONFIG", "kind": "token-cleanup"}', ""),
            ('{"storageConfigId": "CONFIG", "status": "succeeded"}', ""),
            ('{"storageConfigId": "CONFIG", "requestedBy": "CONFIG"}', ""),
            ('{"storageConfigId": "CONFIG", "\\ud83d\\ude00": 1}', ""),
        ],
    )
    async def test_a_body_that_is_not_what_is_taken_is_told_where_and_asks_for_nothing(
        self, house: House, web: WebClient, body: str, pointer: str
    ) -> None:
        config = str(await house.a_config())

        response = await web.send(CRAWLS, body.replace("CONFIG", config).encode())

        (fault,) = problem_of(response, 422, "invalid-body")["errors"]
        assert fault["pointer"] == pointer
        assert (await web.json(ITEMS))["items"] == []

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"{",
            b"\xff",
            b"nan",
            b"{'storageConfigId': 1}",
            b'{"storageConfigId": "\\ud800"}',
            b'{"storageConfigId": "\xff"}',
            b"[" * 60_000,
            b'{"storageConfigId": ' + b"[" * 60_000,
        ],
    )
    async def test_a_body_that_is_no_json_or_too_deep_is_malformed(self, web: WebClient, body: bytes) -> None:
        (fault,) = problem_of(await web.send(CRAWLS, body), 400, "malformed-request")["errors"]

        assert fault["pointer"] == ""

    @pytest.mark.parametrize(
        "media_type",
        ["", "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1"],
    )
    async def test_what_is_not_said_to_be_json_is_not_read(
        self, house: House, web: WebClient, media_type: str
    ) -> None:
        body = json.dumps({"storageConfigId": str(await house.a_config())}).encode()

        response = await web.send(CRAWLS, body, headers={"Content-Type": media_type})

        problem_of(response, 415, "unsupported-media-type")

    async def test_json_may_say_that_it_is_in_utf_8(self, house: House, web: WebClient) -> None:
        body = json.dumps({"storageConfigId": str(await house.a_config())}).encode()

        response = await web.send(CRAWLS, body, headers={"Content-Type": "Application/JSON; Charset=UTF-8"})

        assert response.status_code == 202

    async def test_a_body_that_is_too_large_is_not_read(self, web: WebClient) -> None:
        problem_of(await web.send(CRAWLS, b" " * (64 * 1024 + 1)), 413, "content-too-large")

    async def test_parameters_are_refused_before_the_body_is_read(self, web: WebClient) -> None:
        problem = problem_of(await web.send(f"{CRAWLS}?verify=true", b""), 400, "invalid-parameter")

        assert problem["errors"][0]["parameter"] == "verify"

    @pytest.mark.parametrize("kind", ["token-cleanups", "work-item-retentions", "token-cleanup", ""])
    async def test_work_of_the_house_cannot_be_asked_for(self, web: WebClient, kind: str) -> None:
        problem_of(await web.send(f"{ITEMS}/{kind}".rstrip("/"), {}), 405, "method-not-allowed")

        assert (await web.json(ITEMS))["items"] == []

    async def test_who_is_no_admin_asks_for_nothing_and_learns_nothing(
        self, house: House, web: WebClient
    ) -> None:
        config = str(await house.a_config())
        user = bearing(signed_as(await somebody(house.users, is_admin=False)))

        told: list[Json] = []
        for body in ({"storageConfigId": config}, {"storageConfigId": str(an_id())}, b"{"):
            response = await web.send(CRAWLS, body, headers=user)
            told.append(without_address(problem_of(response, 403, "not-admin")))
        await changed_user(house, web.admin, is_admin=False)
        problem_of(await web.send(CRAWLS, {"storageConfigId": config}), 403, "not-admin")

        assert told[0] == told[1] == told[2]
        await changed_user(house, web.admin, is_admin=True)
        assert (await web.json(ITEMS))["items"] == []
