"""Signing in and out, and what a page does when its session ends."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.builders import an_item
from tests.browser.conftest import OpenPage, served
from tests.browser.fake_api import FakeApi, Reply
from tests.browser.waiting import until, until_live

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_whoever_is_not_signed_in_is_asked_first(open_page: OpenPage, api: FakeApi) -> None:
    api.is_signed_in = False
    api.put(an_item(), tell=False)
    page = await open_page("/")

    await sign_in(page, "right")

    await expect(page.locator("main tbody tr")).to_have_count(1)
    assert api.requests("POST", "auth/sign-in")[0].body == {"name": "ada", "password": "right"}


async def test_a_wrong_password_says_no_more_than_that(open_page: OpenPage, api: FakeApi) -> None:
    api.is_signed_in = False
    page = await open_page()

    await sign_in(page, "wrong")

    await expect(page.get_by_role("dialog")).to_contain_text("No account has this name and password.")
    await expect(page.get_by_label("Name or e-mail address")).to_be_focused()


async def test_too_many_tries_are_told_how_long_to_wait(open_page: OpenPage, api: FakeApi) -> None:
    api.is_signed_in = False
    api.script("POST", "auth/sign-in", Reply(429, {}, {"Retry-After": "42"}))
    page = await open_page()

    await sign_in(page, "right")

    await expect(page.get_by_role("dialog")).to_contain_text("Too many tries. Try again in 42 s.")


async def test_a_session_that_ends_asks_in_place_and_keeps_the_address(
    open_page: OpenPage, api: FakeApi
) -> None:
    api.put(an_item(), tell=False)
    page = await open_page("/admin/work-items?kind=crawl")
    await until_live(api)

    api.is_signed_in = False
    api.expire_tokens()
    api.drop()

    await expect(page.get_by_role("dialog", name="Your session has ended")).to_be_visible()
    await expect(page.locator("#alarm")).to_have_text("Your session has ended. Sign in to go on.")
    await page.keyboard.press("Escape")
    await sign_in(page, "right")
    await until_live(api)
    await expect(page.locator("main tbody tr")).to_have_count(1)
    assert page.url.endswith("?kind=crawl")


async def test_signing_out_ends_the_session(open_page: OpenPage, api: FakeApi) -> None:
    page = await open_page()
    await until_live(api)

    await page.get_by_role("button", name="Sign out").click()

    await expect(page.get_by_role("dialog")).to_be_visible()
    assert not api.is_signed_in


async def test_tokens_of_a_minute_are_not_noticed(open_page: OpenPage, api: FakeApi) -> None:
    api.token_seconds = 1
    waiting = api.put(an_item(), tell=False)
    page = await open_page()
    await until_live(api)

    for stalls in (1, 2, 3):
        api.expire_tokens()
        api.tell("bye", {"reason": "token-expired", "retryMs": 0})
        api.drop()
        await until_streams(api, stalls + 1)
        api.change(waiting["id"], stalls=stalls)

    await expect(page.get_by_text("Stalled 3 of 3 times")).to_be_visible()
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_no_token_is_ever_kept_where_scripts_can_read_it(open_page: OpenPage, api: FakeApi) -> None:
    page = await open_page()
    await until_live(api)

    kept = await page.evaluate(
        "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])"
    )

    assert "token" not in kept


async def test_everything_stays_below_the_path_that_a_proxy_gives(browser: Browser) -> None:
    api = FakeApi("/anichron")
    api.put(an_item(), tell=False)
    context = await browser.new_context()
    page = await context.new_page()
    async with served(api) as address:
        await page.goto(f"{address}/anichron")
        await until_live(api)
        await expect(page.locator("main tbody tr")).to_have_count(1)
        await page.get_by_role("link", name="Workers").click()
        await expect(page.get_by_role("heading", name="Workers")).to_be_visible()
        assert page.url == f"{address}/anichron/admin/workers"
        await page.get_by_label("Theme").select_option("dark")
        shell = await page.reload()
        assert shell is not None
        assert 'data-theme="dark"' in await shell.text()
        await until_live(api)
        await context.close()


async def until_streams(api: FakeApi, opened: int) -> None:
    path = "admin/work-items/stream"
    await until(lambda: len(api.requests("GET", path)) >= opened, what="the next stream")


async def sign_in(page: Page, password: str) -> None:
    await page.get_by_label("Name or e-mail address").fill("ada")
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Sign in", exact=True).click()
