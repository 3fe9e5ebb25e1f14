"""How storage configs are kept by the web API, whatever store is behind it."""

from uuid import UUID

import pytest
from httpx import Response

from domain.ids import StorageConfigId
from tests.support.builders import a_new_item, an_id, enqueued
from tests.support.house import House
from tests.support.web import (
    CONFIGS,
    ITEMS,
    Json,
    WebClient,
    bearing,
    problem_of,
    signed_as,
    somebody,
)

FOLDER = "/photos/Ada's wedding"


async def added(house: House, web: WebClient, root_path: str = FOLDER) -> Json:
    """What is answered to who adds this folder for somebody new."""
    response = await add(web, str(await house.a_user()), root_path)
    assert response.status_code == 201, response.text
    body: Json = response.json()
    return body


async def add(web: WebClient, user: str, root_path: str) -> Response:
    return await web.send(CONFIGS, {"userId": user, "rootPath": root_path})


class WebConfigs:
    async def test_an_added_config_is_crawled_first_thing(self, house: House, web: WebClient) -> None:
        user = await house.a_user()

        response = await add(web, str(user), FOLDER)

        config, crawl = response.json()["config"], response.json()["crawlId"]
        assert response.status_code == 201
        assert config == {
            "id": config["id"],
            "userId": str(user),
            "owner": f"user-{user}",
            "isActive": True,
            "createdAt": config["createdAt"],
        }
        assert response.headers["Location"] == f"{CONFIGS}/{config['id']}"
        assert await web.json(response.headers["Location"]) == config
        assert (await web.json(CONFIGS))["items"] == [config]
        item = await web.json(f"{ITEMS}/{crawl}")
        assert (item["kind"], item["status"]) == ("crawl", "queued")
        assert (item["storageConfigId"], item["requestedBy"]) == (config["id"], str(web.admin))

    async def test_the_folder_is_kept_and_never_told(self, house: House, web: WebClient) -> None:
        config = (await added(house, web))["config"]["id"]

        kept = await house.storage_configs.get(StorageConfigId(UUID(config)))
        told = [
            await add(web, str(await house.a_user()), FOLDER),
            await add(web, str(await house.a_user()), f"{FOLDER}/2024"),
            await web.get(CONFIGS),
            await web.get(f"{CONFIGS}/{config}"),
            await web.send(f"{CONFIGS}/{config}", {"isActive": False}, method="PATCH"),
            await web.get(ITEMS),
            await web.ask("DELETE", f"{CONFIGS}/{config}"),
        ]

        assert kept is not None
        assert kept.root_path == FOLDER
        assert [response.status_code for response in told] == [409, 409, 200, 200, 200, 200, 200]
        assert not any("wedding" in response.text for response in told)

    async def test_the_same_folder_again_is_a_conflict_that_says_with_which(
        self, house: House, web: WebClient
    ) -> None:
        first = await added(house, web)

        again = await add(web, str(await house.a_user()), f"{FOLDER}//")

        problem = problem_of(again, 409, "folder-taken")
        assert problem["storageConfigId"] == first["config"]["id"]
        assert len((await web.json(ITEMS))["items"]) == 1

    @pytest.mark.parametrize(
        "root_path", ["/photos/ada/2024", "/photos/ada/2024/05", "/photos/./ada//2024/05/07"]
    )
    async def test_a_folder_within_another_or_around_it_is_a_conflict_that_says_with_which(
        self, house: House, web: WebClient, root_path: str
    ) -> None:
        first = await added(house, web, "/photos/ada/2024/05")

        again = await add(web, str(await house.a_user()), root_path)

        assert problem_of(again, 409, "folder-taken")["storageConfigId"] == first["config"]["id"]
        assert len((await web.json(CONFIGS))["items"]) == 1

    @pytest.mark.parametrize(
        "root_path",
        [
            "",
            "photos",
            "photos/bob",
            "/photos/../etc",
            "/photos/bob\0",
            "/photos/" + "a/" * 3000,
            "/elsewhere",
            "/photos2",
            "/photos/proxies",
            "/photos/proxies/bob",
        ],
    )
    async def test_a_folder_that_will_not_do_is_told_where_and_nothing_is_asked_for(
        self, house: House, web: WebClient, root_path: str
    ) -> None:
        await added(house, web)

        response = await add(web, str(await house.a_user()), root_path)

        (fault,) = problem_of(response, 422, "invalid-body")["errors"]
        assert fault["pointer"] == "/rootPath"
        assert len((await web.json(ITEMS))["items"]) == 1
        assert len((await web.json(CONFIGS))["items"]) == 1

    async def test_nobody_owns_no_folder(self, web: WebClient) -> None:
        problem_of(await add(web, str(an_id()), FOLDER), 404, "user-not-found")

        assert (await web.json(CONFIGS))["items"] == []

    @pytest.mark.parametrize("more", ["isActive", "id", "createdAt", "owner"])
    async def test_only_owner_and_folder_can_be_said(self, house: House, web: WebClient, more: str) -> None:
        body = {"userId": str(await house.a_user()), "rootPath": FOLDER, more: "x"}

        problem_of(await web.send(CONFIGS, body), 422, "invalid-body")

        assert (await web.json(CONFIGS))["items"] == []

    async def test_a_config_is_switched_off_and_on(self, house: House, web: WebClient) -> None:
        config = (await added(house, web))["config"]
        path = f"{CONFIGS}/{config['id']}"

        off = await web.send(path, {"isActive": False}, method="PATCH")
        again = await web.send(path, {"isActive": False}, method="PATCH")
        refused = await web.send(f"{ITEMS}/crawls", {"storageConfigId": config["id"]})
        on = await web.send(path, {"isActive": True}, method="PATCH")

        assert off.json() == again.json() == {**config, "isActive": False}
        problem_of(refused, 409, "storage-config-inactive")
        assert on.json() == config

    @pytest.mark.parametrize(
        "body", [{}, {"isActive": "no"}, {"isActive": None}, {"isActive": False, "userId": "x"}]
    )
    async def test_nothing_but_the_switch_can_be_changed(
        self, house: House, web: WebClient, body: Json
    ) -> None:
        config = (await added(house, web))["config"]

        response = await web.send(f"{CONFIGS}/{config['id']}", body, method="PATCH")

        problem_of(response, 422, "invalid-body")
        assert (await web.json(CONFIGS))["items"] == [config]

    async def test_a_removed_config_takes_its_items_along_and_says_how_many(
        self, house: House, web: WebClient
    ) -> None:
        going, staying = await added(house, web), await added(house, web, "/photos/bob")
        config = StorageConfigId(UUID(going["config"]["id"]))
        for _ in range(3):
            await enqueued(house.store, a_new_item(kind="crawl", storage_config_id=config))

        gone = await web.ask("DELETE", f"{CONFIGS}/{config}")

        assert (gone.status_code, gone.json()) == (200, {"removedItems": 4})
        assert (await web.json(CONFIGS))["items"] == [staying["config"]]
        assert [item["id"] for item in (await web.json(ITEMS))["items"]] == [staying["crawlId"]]
        problem_of(await web.get(f"{ITEMS}/{going['crawlId']}"), 404, "work-item-not-found")
        await added(house, web)

    @pytest.mark.parametrize("text", [str(an_id()), "library", "%00", "%ff"])
    async def test_a_config_that_is_not_there_is_not_found_by_its_address(
        self, web: WebClient, text: str
    ) -> None:
        path = f"{CONFIGS}/{text}"

        for response in (
            await web.get(path),
            await web.send(path, {"isActive": True}, method="PATCH"),
            await web.ask("DELETE", path),
        ):
            problem_of(response, 404, "storage-config-not-found")

    async def test_only_admins_see_and_keep_configs(self, house: House, web: WebClient) -> None:
        config = (await added(house, web))["config"]
        user = bearing(signed_as(await somebody(house.users, is_admin=False)))
        path = f"{CONFIGS}/{config['id']}"

        for response in (
            await web.get(CONFIGS, headers=user),
            await web.send(CONFIGS, {"userId": config["userId"], "rootPath": "/photos/b"}, headers=user),
            await web.get(path, headers=user),
            await web.send(path, {"isActive": False}, method="PATCH", headers=user),
            await web.ask("DELETE", path, headers=user),
        ):
            problem_of(response, 403, "not-admin")
        assert (await web.json(CONFIGS))["items"] == [config]
