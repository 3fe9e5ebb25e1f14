"""Cancelling, with every answer there is."""

import asyncio

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.builders import a_finished, a_running, ago, an_item
from tests.browser.conftest import OpenPage
from tests.browser.fake_api import FakeApi, Reply
from tests.browser.waiting import until, until_live

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_waiting_item_is_cancelled_without_a_question(open_page: OpenPage, api: FakeApi) -> None:
    api.put(an_item(), tell=False)
    page = await open_page()

    await cancel(page).click()

    await expect(said(page)).to_have_text("Cancelled. It had not started.")
    await expect(page.locator("main tbody tr")).to_contain_text("Never started")


async def test_a_running_item_is_stopped_only_after_a_question(open_page: OpenPage, api: FakeApi) -> None:
    api.put(a_running(), tell=False)
    page = await open_page()

    await cancel(page).click()
    question = page.get_by_role("dialog", name="Stop this crawl?")
    await expect(question).to_contain_text("What is done so far is kept and marked partial.")
    await expect(question.get_by_role("button", name="Keep running")).to_be_focused()
    await question.get_by_role("button", name="Keep running").click()
    await expect(cancel(page)).to_be_focused()
    await cancel(page).click()
    await question.get_by_role("button", name="Stop it").click()

    await expect(said(page)).to_have_text("Asked to stop.")
    await expect(page.locator("#running tbody tr")).to_contain_text("Cancelling…")
    await expect(cancel(page)).to_have_count(0)
    await expect(page.locator("#running tbody th a")).to_be_focused()


async def test_a_slow_stop_is_told_of(open_page: OpenPage, api: FakeApi) -> None:
    api.put(a_running(), tell=False)
    page = await open_page(by_hand=True)

    await stop(page)
    await expect(page.locator("main tbody tr")).to_contain_text("Cancelling…")
    await until(lambda: len(api.streams) == 1, what="the stream")
    await page.clock.fast_forward(11_000)

    told = "Still stopping: it finishes its current step first."
    await expect(page.locator("#running .note")).to_have_text(told)


async def test_too_late_shows_what_happened_instead(open_page: OpenPage, api: FakeApi) -> None:
    running = api.put(a_running(), tell=False)
    page = await open_page()
    await until_live(api)
    api.items[running["id"]] = a_finished(
        id=running["id"], revision=9, finishedAt="2026-11-29T14:03:12.000Z", result={"new": 3}
    )

    await stop(page)

    told = "Too late: it succeeded at 14:03:12, so nothing was cancelled."
    row = page.locator("main tbody tr")
    await expect(row.locator(".note")).to_have_text(told)
    await expect(said(page)).to_have_text(told)
    await expect(row).to_contain_text("3 new")


async def test_an_item_that_is_gone_leaves_and_hands_its_focus_on(open_page: OpenPage, api: FakeApi) -> None:
    gone = api.put(an_item(requestedAt=ago(minutes=2)), tell=False)
    api.put(an_item(kind="next"), tell=False)
    page = await open_page()
    await until_live(api)
    del api.items[gone["id"]]

    await page.locator("#waiting tbody tr").first.get_by_role("button").click()

    await expect(said(page)).to_have_text("This item is gone.")
    await expect(page.locator("#waiting tbody tr")).to_have_count(1)
    await expect(page.get_by_role("link", name="Next")).to_be_focused()


@pytest.mark.parametrize("status", [500, 503, 403, None])
async def test_without_an_answer_the_item_itself_is_asked(
    open_page: OpenPage, api: FakeApi, status: int | None
) -> None:
    waiting = api.put(an_item(), tell=False)
    api.script("POST", f"admin/work-items/{waiting['id']}/cancel", Reply(status))
    page = await open_page()

    await cancel(page).click()

    told = "Not cancelled: the server did not answer. Try again."
    await expect(page.locator("#waiting .note")).to_have_text(told)
    await expect(cancel(page)).to_have_attribute("aria-disabled", "false")
    await until(
        lambda: len(api.requests("GET", f"admin/work-items/{waiting['id']}")) == 1, what="a look at the item"
    )


async def test_a_lost_answer_is_made_good_by_a_look_at_the_item(open_page: OpenPage, api: FakeApi) -> None:
    waiting = api.put(an_item(), tell=False)

    def done_but_dropped(_: object) -> Reply:
        api.items[waiting["id"]] = {**waiting, "revision": 2, "status": "cancelled", "finishedAt": ago()}
        return Reply(None)

    api.script("POST", f"admin/work-items/{waiting['id']}/cancel", done_but_dropped)
    page = await open_page()

    await cancel(page).click()

    told = "No answer from the server. The item below shows what really happened."
    await expect(page.locator("main .note")).to_have_text(told)
    await expect(page.locator("main tbody tr")).to_contain_text("Cancelled")


async def test_a_token_that_has_ended_is_renewed_and_the_cancel_repeated(
    open_page: OpenPage, api: FakeApi
) -> None:
    api.put(an_item(), tell=False)
    page = await open_page()
    await until_live(api)
    api.expire_tokens()

    await cancel(page).click()

    await expect(said(page)).to_have_text("Cancelled. It had not started.")
    assert len(api.requests("POST", "auth/refresh")) == 2


async def test_a_double_click_asks_once(open_page: OpenPage, api: FakeApi) -> None:
    waiting = api.put(an_item(), tell=False)
    path = f"admin/work-items/{waiting['id']}/cancel"
    late = asyncio.Event()
    done = {**waiting, "revision": 2, "status": "cancelled", "finishedAt": ago()}
    api.script("POST", path, Reply(200, done, late=late))
    page = await open_page()

    await cancel(page).dblclick()
    await expect(page.get_by_role("button", name="Cancelling…")).to_have_attribute("aria-disabled", "true")
    late.set()

    await expect(said(page)).to_have_text("Cancelled. It had not started.")
    assert len(api.requests("POST", path)) == 1


async def test_an_answer_that_crosses_a_newer_event_turns_no_row_back(
    open_page: OpenPage, api: FakeApi
) -> None:
    running = api.put(a_running(), tell=False)
    path = f"admin/work-items/{running['id']}/cancel"
    late = asyncio.Event()
    asked = {**running, "revision": 2, "cancelRequestedAt": ago(), "cancellable": False}
    api.script("POST", path, Reply(202, asked, late=late))
    page = await open_page()
    await until_live(api)

    await stop(page)
    await until(lambda: len(api.requests("POST", path)) == 1, what="the request")
    api.put(
        {**asked, "revision": 3, "status": "cancelled", "finishedAt": ago(), "partial": True, "result": {}}
    )
    row = page.locator("main tbody tr")
    await expect(row).to_contain_text("Partial")
    late.set()

    await expect(said(page)).to_have_text("Asked to stop.")
    await expect(row).to_contain_text("Cancelled · partial")


async def test_three_tabs_agree_on_a_cancel(open_page: OpenPage, api: FakeApi) -> None:
    api.put(an_item(), tell=False)
    first = await open_page()
    others = [await open_page(beside=first) for _ in range(2)]
    await until_live(api, 3)

    await cancel(first).click()

    for page in (first, *others):
        await expect(page.locator("main tbody tr")).to_contain_text("Never started")


async def stop(page: Page) -> None:
    await cancel(page).click()
    await page.get_by_role("dialog").get_by_role("button", name="Stop it").click()


def cancel(page: Page) -> Locator:
    return page.locator("main").get_by_role("button", name="Cancel Crawl")


def said(page: Page) -> Locator:
    return page.locator("#said")
