"""Workers and libraries."""

import pytest
from playwright.async_api import expect

from tests.browser.builders import ago, an_item
from tests.browser.conftest import OpenPage
from tests.browser.fake_api import LIBRARY, USER, FakeApi, Json, Reply
from tests.browser.waiting import until_live

pytestmark = pytest.mark.asyncio(loop_scope="session")

LIBRARY_PATH = f"admin/storage-configs/{LIBRARY}"


def a_worker(**fields: object) -> Json:
    usual = {"name": "all@nas-1#7", "userId": None, "version": "0.1.0", "slots": 2}
    return {**usual, "startedAt": ago(hours=2), "lastSeenAt": ago(seconds=2), **fields}


async def test_workers_are_online_or_silent(open_page: OpenPage, api: FakeApi) -> None:
    api.workers += [a_worker(), a_worker(name="ada@nas-2#9", userId=USER["id"], lastSeenAt=ago(minutes=3))]

    page = await open_page("/admin/workers")

    rows = page.locator("main tbody tr")
    await expect(rows.first).to_contain_text("Online all@nas-1#7 Everybody 2 0.1.0 2 h ago just now")
    await expect(rows.last).to_contain_text("Silent ada@nas-2#9 Ada 2 0.1.0 2 h ago 3 min ago")


async def test_without_a_worker_the_page_says_how_to_start_one(open_page: OpenPage) -> None:
    page = await open_page("/admin/workers")

    await expect(page.get_by_text("Start one: anichron worker")).to_be_visible()


async def test_a_library_is_crawled_now(open_page: OpenPage, api: FakeApi) -> None:
    api.script("POST", "admin/work-items/crawls", lambda _: Reply(202, api.put(an_item())))
    page = await open_page("/admin/libraries")

    await page.get_by_role("button", name="Crawl now").click()

    await expect(page.locator("#said")).to_have_text("Crawl added.")
    assert api.requests("POST", "admin/work-items/crawls")[0].body == {"storageConfigId": LIBRARY}


async def test_a_library_is_removed_with_what_goes_with_it(open_page: OpenPage, api: FakeApi) -> None:
    item = api.put(an_item(), tell=False)

    def removed(_: object) -> Reply:
        api.libraries.clear()
        api.remove(item["id"])
        return Reply(200, {"removedItems": 1})

    api.script("DELETE", LIBRARY_PATH, removed)
    page = await open_page("/admin/libraries")
    await until_live(api)

    await page.get_by_role("button", name="Remove: Library 3f2a9c · Ada").click()
    question = page.get_by_role("dialog", name="Remove Library 3f2a9c · Ada?")
    await expect(question).to_contain_text("Its 1 work item and all that is known of its photos go with it.")
    await expect(question.get_by_role("button", name="Keep it")).to_be_focused()
    await question.get_by_role("button", name="Remove it").click()

    await expect(page.locator("#said")).to_have_text("Removed, with 1 work item.")
    await expect(page.get_by_text("There is no library yet.")).to_be_visible()
    await page.get_by_role("link", name="Work queue").click()
    await expect(page.get_by_text("Nothing has run yet.")).to_be_visible()


async def test_a_library_is_added_and_its_folder_not_shown(open_page: OpenPage, api: FakeApi) -> None:
    def added(_: object) -> Reply:
        new = {**api.libraries[0], "id": "7d0c2222-0000-7000-8000-0000004f4b5d"}
        api.libraries.append(new)
        return Reply(201, {"config": new, "crawlId": "…"})

    taken = {"detail": "There is a storage config of this folder already.", "type": "/problems/folder-taken"}
    api.script("POST", "admin/storage-configs", Reply(409, taken))
    api.script("POST", "admin/storage-configs", added)
    page = await open_page("/admin/libraries")

    await page.get_by_role("button", name="Add a library").click()
    dialog = page.get_by_role("dialog", name="Add a library")
    await dialog.get_by_label("Folder, as workers see it").fill("/photos/secret")
    await dialog.get_by_role("button", name="Add it").click()
    await expect(dialog.get_by_role("alert")).to_have_text(taken["detail"])
    await dialog.get_by_role("button", name="Add it").click()

    await expect(page.locator("main tbody tr")).to_have_count(2)
    assert api.requests("POST", "admin/storage-configs")[1].body == {
        "userId": USER["id"],
        "rootPath": "/photos/secret",
    }
    assert "secret" not in await page.locator("body").inner_text()


async def test_a_library_is_switched_off(open_page: OpenPage, api: FakeApi) -> None:
    def switched(_: object) -> Reply:
        api.libraries[0]["isActive"] = False
        return Reply(200, api.libraries[0])

    api.script("PATCH", LIBRARY_PATH, switched)
    page = await open_page("/admin/libraries")

    await page.get_by_role("button", name="Switch off").click()

    await expect(page.locator("main tbody tr")).to_contain_text("Not active")
    await expect(page.get_by_role("button", name="Crawl now")).to_be_disabled()
    assert api.requests("PATCH", LIBRARY_PATH)[0].body == {"isActive": False}
