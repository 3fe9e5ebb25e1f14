"""The connection: whatever becomes of it, the page ends up with what is so, and says how things stand."""

import asyncio
import re
from collections.abc import Callable

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.builders import a_running, ago, an_item, progress
from tests.browser.conftest import OpenPage
from tests.browser.fake_api import FakeApi, Reply, stamp
from tests.browser.waiting import cut, until, until_live, until_loaded

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_stream_goes_on_from_where_the_list_was_read(open_page: OpenPage, api: FakeApi) -> None:
    api.put(an_item())

    await open_page()
    await until_live(api)

    assert stream_cursors(api) == ["1.fake.1"]


async def test_a_dropped_stream_is_taken_up_where_it_broke_off(open_page: OpenPage, api: FakeApi) -> None:
    running = api.put(a_running(progress=progress(1, 40)))
    page = await open_page()
    await until_live(api)

    for done in range(2, 6):
        api.change(running["id"], progress=progress(done, 40))
        await cut(api)
        api.change(running["id"], progress=progress(done, 40, f"step {done}"))
        api.is_streaming = True
        await until_live(api)

    # How fast it goes stands between the two, if all this took long enough for the page to know.
    await expect(page.locator("main tbody tr")).to_contain_text(re.compile("5 of 40 · 12 % · .*step 5"))
    assert len(api.requests("GET", "admin/work-items")) == 1


async def test_loss_and_return_are_told_and_what_is_shown_stays(open_page: OpenPage, api: FakeApi) -> None:
    api.put(an_item(), tell=False)
    api.retry_ms = 3_600_000
    page = await open_page()
    await until_live(api)

    api.drop()

    await expect(banner(page)).to_contain_text("Connection lost. Next try in ")
    await expect(page.locator("#said")).to_have_text("Connection lost. Trying again…")
    await expect(page.locator(".tools")).to_contain_text("as of ")
    await expect(page.locator("#waiting tbody tr")).to_have_count(1)
    await page.get_by_role("button", name="Try now").click()
    await expect(page.locator("#said")).to_have_text("Connected again.")
    await expect(banner(page)).to_have_count(0)


async def test_a_token_that_ends_in_mid_stream_is_not_noticed(open_page: OpenPage, api: FakeApi) -> None:
    waiting = api.put(an_item(), tell=False)
    page = await open_page()
    await until_live(api)
    api.retry_ms = 3_600_000

    api.expire_tokens()
    api.tell("bye", {"reason": "token-expired", "retryMs": 0})
    api.drop()
    await until(lambda: len(stream_cursors(api)) == 2, what="the next stream")
    await until_live(api)
    api.change(waiting["id"], stalls=1)

    await expect(page.locator("main tbody tr")).to_contain_text("Waiting again")
    await expect(banner(page)).to_have_count(0)


async def test_a_401_in_mid_stream_is_answered_by_a_new_token(open_page: OpenPage, api: FakeApi) -> None:
    await open_page()
    await until_live(api)

    api.expire_tokens()
    api.drop()

    await until(lambda: len(stream_cursors(api)) == 3, what="a second try")
    await until_live(api)
    assert len(api.requests("POST", "auth/refresh")) == 2


async def test_a_body_of_a_401_is_never_read_as_events(open_page: OpenPage, api: FakeApi) -> None:
    api.stream_scripts = ["401"]

    page = await open_page()

    await until_live(api)
    await expect(page.get_by_text("Live", exact=True)).to_be_visible()


async def test_reset_reads_the_list_again_and_forgets_what_is_gone(open_page: OpenPage, api: FakeApi) -> None:
    gone = api.put(an_item(kind="gone"))
    api.put(an_item(kind="stays"))
    page = await open_page()
    await until_live(api)
    await expect(page.locator("main tbody tr")).to_have_count(2)

    await cut(api)
    del api.items[gone["id"]]
    api.put(an_item(kind="new"))
    api.forget_history()
    api.is_streaming = True

    await expect(page.locator("main tbody th a")).to_have_text(["Stays", "New"])


async def test_reset_makes_lower_revisions_true(open_page: OpenPage, api: FakeApi) -> None:
    """A restored backup takes items back to what they were."""
    item = api.put(an_item(revision=7, status="cancelled", finishedAt=ago(minutes=2)))
    page = await open_page()
    await until_live(api)
    await expect(page.locator("main tbody .chip")).to_have_text("Cancelled")

    await cut(api)
    api.put(an_item(kind="later"))
    api.items[item["id"]] = {**item, "revision": 2, "status": "queued", "finishedAt": None}
    api.forget_history()
    api.is_streaming = True

    await expect(page.locator("main tbody .chip")).to_have_text(["Waiting", "Waiting"])


async def test_a_cursor_that_is_refused_is_dropped(open_page: OpenPage, api: FakeApi) -> None:
    api.stream_scripts = ["400"]

    page = await open_page()

    await until_live(api)
    await expect(page.get_by_text("Live", exact=True)).to_be_visible()
    assert len(api.requests("GET", "admin/work-items")) == 2


async def test_silence_is_taken_for_loss(open_page: OpenPage, api: FakeApi) -> None:
    api.keep_alive_seconds = 0.1

    page = await open_page()
    await until(lambda: len(stream_cursors(api)) >= 3, what="new tries")

    api.keep_alive_seconds = 3600
    await expect(page.get_by_text("Live", exact=True)).to_be_visible()


async def test_a_proxy_that_holds_the_stream_back_is_worked_around(open_page: OpenPage, api: FakeApi) -> None:
    api.stream_scripts = ["silent", "silent"]
    waiting = api.put(an_item(), tell=False)

    page = await open_page(by_hand=True)
    await put_forward(page, 6, until_asked=lambda: len(stream_cursors(api)) == 2)
    await put_forward(page, 6, until_asked=lambda: len(api.requests("GET", "admin/work-items")) == 2)
    await expect(banner(page)).to_contain_text("Live updates are held back by a proxy.")
    api.items[waiting["id"]] = {**waiting, "revision": 2, "stalls": 1}
    await put_forward(page, 11, until_asked=lambda: len(api.requests("GET", "admin/work-items")) == 3)

    await expect(page.locator("main tbody tr")).to_contain_text("Waiting again")


async def test_where_there_is_no_stream_the_list_is_read_now_and_then(
    open_page: OpenPage, api: FakeApi
) -> None:
    api.stream_scripts = ["204"]

    page = await open_page(by_hand=True)

    await expect(page.get_by_text("Every 10 s", exact=True)).to_be_visible()
    await put_forward(page, 11, until_asked=lambda: len(api.requests("GET", "admin/work-items")) >= 3)
    assert len(stream_cursors(api)) == 1


async def test_a_lost_role_ends_the_page(open_page: OpenPage, api: FakeApi) -> None:
    page = await open_page()
    await until_live(api)

    api.is_admin = False
    api.tell("bye", {"reason": "forbidden", "retryMs": 0})
    api.drop()

    told = "This account is not an administrator any more."
    await expect(page.get_by_role("alert").first).to_have_text(told)
    await expect(banner(page)).to_have_text(told)
    assert len(stream_cursors(api)) == 1


async def test_only_a_live_page_has_a_green_dot(open_page: OpenPage, api: FakeApi) -> None:
    page = await open_page()
    await until_live(api)
    await expect(page.get_by_text("Live", exact=True)).to_be_visible()
    colour = "getComputedStyle(document.querySelector('.tools span'), '::before').backgroundColor"
    assert await page.evaluate(colour) == "rgb(26, 107, 52)"

    await page.get_by_role("button", name="Pause").click()

    await expect(page.locator(".tools")).to_contain_text("Paused at ")
    assert await page.evaluate(colour) == "rgba(0, 0, 0, 0)"


async def test_a_restart_of_the_server_shows_no_banner(open_page: OpenPage, api: FakeApi) -> None:
    page = await open_page()
    await until_live(api)

    api.tell("bye", {"reason": "shutdown", "retryMs": 200})
    await cut(api)
    await until(lambda: len(stream_cursors(api)) > 2, what="a try that finds nobody")
    await expect(banner(page)).to_have_count(0)
    api.is_streaming = True

    await expect(page.get_by_text("Live", exact=True)).to_be_visible()


async def test_a_newer_version_is_told_of(open_page: OpenPage, api: FakeApi) -> None:
    page = await open_page()
    await until_live(api)

    api.ui_version = "another"
    api.drop()

    await expect(banner(page)).to_contain_text("A new version is running.")


async def test_a_device_without_a_network_says_so(open_page: OpenPage, api: FakeApi) -> None:
    page = await open_page()
    await until_live(api)
    await until_loaded(page)

    await page.context.set_offline(True)
    await expect(banner(page)).to_have_text("This device is offline.")
    await page.context.set_offline(False)

    await expect(page.get_by_text("Live", exact=True)).to_be_visible()


async def test_a_hidden_tab_lets_go_of_its_connection_and_comes_back(
    open_page: OpenPage, api: FakeApi
) -> None:
    waiting = api.put(an_item(), tell=False)
    page = await open_page(by_hand=True)
    await until_live(api)

    await show(page, hidden=True)
    await page.clock.fast_forward(30_000)
    api.change(waiting["id"], kind="still-told")
    await expect(page.get_by_role("link", name="Still told")).to_be_attached()
    await page.clock.fast_forward(31_000)
    await until(lambda: not api.streams, what="the end of the stream")
    api.change(waiting["id"], stalls=1)
    await show(page, hidden=False)

    await until_live(api)
    await expect(page.locator("main tbody tr")).to_contain_text("Waiting again")
    await expect(banner(page)).to_have_count(0)


async def test_a_pause_stops_everything_and_nothing_is_lost_by_it(open_page: OpenPage, api: FakeApi) -> None:
    waiting = api.put(an_item(), tell=False)
    page = await open_page()
    await until_live(api)

    await page.get_by_role("button", name="Pause").click()
    await expect(page.locator(".tools")).to_contain_text("Paused at ")
    await until(lambda: not api.streams, what="the end of the stream")
    api.change(waiting["id"], stalls=1)
    await page.get_by_role("button", name="Resume").click()

    await expect(page.locator("main tbody tr")).to_contain_text("Waiting again")
    assert len(api.requests("GET", "admin/work-items")) == 1


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (
            503,
            "The server cannot reach its database. Work in progress goes on; this page will refresh by itself.",
        ),
        (500, "Could not read the queue. Nothing was changed."),
        (None, "Could not read the queue. Nothing was changed."),
    ],
)
async def test_a_list_that_cannot_be_read_is_tried_again(
    open_page: OpenPage, api: FakeApi, status: int | None, words: str
) -> None:
    failing = 2

    def fails_twice(_: object) -> Reply:
        nonlocal failing
        failing -= 1
        listed = {"items": [an_item()], "nextCursor": None, "serverTime": stamp(), "eventCursor": "1.fake.0"}
        return Reply(status) if failing >= 0 else Reply(200, listed)

    api.script("GET", "admin/work-items", fails_twice, always=True)

    page = await open_page()

    await expect(banner(page)).to_contain_text(words)
    await page.get_by_role("button", name="Try").click()
    await expect(page.locator("main tbody tr")).to_have_count(1)


async def test_clocks_show_the_servers_time_and_not_the_devices(open_page: OpenPage, api: FakeApi) -> None:
    api.put(an_item(requestedAt=ago(minutes=5)), tell=False)
    page = await open_page("/admin/workers")
    await page.clock.install(time="2020-01-01T00:00:00")

    await page.goto(page.url.replace("workers", "work-items"))

    await expect(page.locator("main tbody tr")).to_contain_text("5 min ago")


async def show(page: Page, *, hidden: bool) -> None:
    """Put the tab away, or take it out again."""
    await page.evaluate(
        """(hidden) => { Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event("visibilitychange")); }""",
        hidden,
    )


async def put_forward(page: Page, seconds: int, *, until_asked: Callable[[], bool]) -> None:
    """Put the page's clock forward, again and again: what it waits for may not have begun yet."""
    while not until_asked():
        await page.clock.fast_forward(seconds * 1000)
        await asyncio.sleep(0.1)


def stream_cursors(api: FakeApi) -> list[str]:
    return [
        asked.headers.get("last-event-id", "") for asked in api.requests("GET", "admin/work-items/stream")
    ]


def banner(page: Page) -> Locator:
    return page.locator("#banner .banner")
