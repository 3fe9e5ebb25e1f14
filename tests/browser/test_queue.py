"""The work queue: three groups that change before one's eyes."""

import re
from collections.abc import Callable

import pytest
from playwright.async_api import Locator, Page, expect

from adapters.web.page import PAGE_VERSION
from tests.browser.builders import a_finished, a_running, ago, ahead, an_item, progress
from tests.browser.conftest import OpenPage
from tests.browser.fake_api import LIBRARY, FakeApi, Json, Reply
from tests.browser.waiting import until_live

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_empty_queue_says_when_there_will_be_something(open_page: OpenPage) -> None:
    page = await open_page()

    await expect(page.get_by_text("Nothing has run yet.")).to_be_visible()


@pytest.mark.parametrize(
    ("built", "words"),
    [
        (an_item, ["Waiting", "Crawl", "Library 3f2a9c · Ada", "Next", "schedule"]),
        (lambda: an_item(kind="proxy-sweep"), ["Proxy sweep"]),
        (lambda: an_item(stalls=1), ["Waiting again", "Stalled 1 of 3 times"]),
        (lambda: an_item(waitReason="no-worker"), ["No worker serves this library."]),
        (
            lambda: an_item(runAfter=ahead(hours=2), retries=1, maxRetries=2, error="The disk is away."),
            ["Retry at", "Try 2 of 3 · last error: The disk is away."],
        ),
        (
            lambda: a_running(progress=progress(1204, 3900, "12 failed")),
            ["Running", "1 204 of 3 900 · 30 % · 12 failed"],
        ),
        (lambda: a_running(progress=progress(1204)), ["Running", "1 204 so far"]),
        (lambda: a_running(progress=progress(40, 40)), ["40 of 40 · 99 %"]),
        (lambda: a_running(updatedAt=ago(seconds=14)), ["Running", "No news for 1"]),
        (
            lambda: a_running(leaseUntil=ago(seconds=9)),
            ["Not responding", "It goes back to the queue by itself."],
        ),
        (lambda: a_running(cancelRequestedAt=ago(seconds=1)), ["Cancelling…"]),
        (lambda: a_finished(result={"found": 9, "new": 3, "moved": 0}), ["Succeeded", "9 found · 3 new"]),
        (lambda: a_finished(kind="retention", result={"removed": 0}), ["Succeeded", "0 removed"]),
        (lambda: a_finished(result={"found": 9, "failed": 1}), ["Succeeded", "9 found · 1 file failed"]),
        (
            lambda: a_finished(
                "failed", error="The folder is empty.", errorCode="root-empty", progress=progress(5, 9)
            ),
            ["Failed", "The folder is empty.", "Stopped at 5 of 9"],
        ),
        (
            lambda: a_finished("failed", errorCode="stalled", error="…", stalls=3),
            ["Failed · stalled", "Its worker stopped responding 3 times; last on all@nas-1#7."],
        ),
        (lambda: a_finished("cancelled", startedAt=None, attempt=0), ["Cancelled", "Never started"]),
        (lambda: a_finished("cancelled", startedAt=None), ["Cancelled", "Cancelled while it waited"]),
        (
            lambda: a_finished("cancelled", partial=True, result={"found": 9}),
            ["Cancelled · partial", "Partial 9 found"],
        ),
        (
            lambda: a_finished("cancelled", errorCode="superseded", error="…"),
            ["Superseded", "The same work waits already"],
        ),
    ],
)
async def test_each_state_has_its_words(
    open_page: OpenPage, api: FakeApi, built: Callable[[], Json], words: list[str]
) -> None:
    api.put(built(), tell=False)

    page = await open_page()

    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader"))
    for text in words:
        await expect(row).to_contain_text(text)


async def test_a_bar_has_no_value_until_the_total_is_known(open_page: OpenPage, api: FakeApi) -> None:
    running = api.put(a_running(progress=progress(12)), tell=False)
    page = await open_page()
    bar = page.get_by_role("progressbar", name="Crawl")
    await expect(bar).not_to_have_attribute("value", re.compile(".*"))

    await until_live(api)
    api.change(running["id"], progress=progress(12, 40))

    await expect(bar).to_have_attribute("value", "12")
    await expect(bar).to_have_attribute("max", "40")


@pytest.mark.parametrize(("total", "words"), [(None, "70 so far"), (1000, "70 of 1 000 · 7 %")])
async def test_a_rate_is_told_whether_the_total_is_known_or_not(
    open_page: OpenPage, api: FakeApi, total: int | None, words: str
) -> None:
    began, later = ago(seconds=10), ago(seconds=3)
    running = api.put(a_running(progress=progress(0, total), updatedAt=began), tell=False)
    page = await open_page()
    await until_live(api)

    api.put({**running, "progress": progress(70, total), "updatedAt": later})

    await expect(page.get_by_text(f"{words} · 10 per s")).to_be_visible()


async def test_progress_never_goes_back_within_an_attempt(open_page: OpenPage, api: FakeApi) -> None:
    running = api.put(a_running(progress=progress(20, 40)), tell=False)
    page = await open_page()
    await until_live(api)

    api.change(running["id"], progress=progress(19, 40))
    api.change(running["id"], progress=progress(19, 40, "a new note"))

    await expect(page.get_by_text("20 of 40 · 50 % · a new note")).to_be_visible()


async def test_an_item_that_ends_keeps_its_place_and_then_moves(open_page: OpenPage, api: FakeApi) -> None:
    running = api.put(a_running(), tell=False)
    page = await open_page()
    await until_live(api)

    api.change(running["id"], status="succeeded", finishedAt=ago(), cancellable=False, result={"new": 3})

    await expect(page.locator("#running")).to_contain_text("Succeeded")
    await expect(page.locator("#finished")).to_contain_text("Succeeded")
    await expect(page.locator("#running")).to_contain_text("Nothing is running right now.")


async def test_new_finished_rows_wait_behind_a_button_while_somebody_reads(
    open_page: OpenPage, api: FakeApi
) -> None:
    api.put(a_finished(), tell=False)
    page = await open_page()
    await until_live(api)
    await page.locator("#finished a").focus()

    for _ in range(3):
        api.put(a_finished(finishedAt=ago()))

    newer = page.get_by_role("button", name="3 newer")
    await expect(newer).to_be_visible()
    await expect(page.locator("#finished tbody tr")).to_have_count(1)
    await newer.click()
    await expect(page.locator("#finished tbody tr")).to_have_count(4)


async def test_waiting_rows_stand_in_the_order_in_which_they_are_taken(
    open_page: OpenPage, api: FakeApi
) -> None:
    api.put(an_item(kind="second", requestedAt=ago(seconds=20)), tell=False)
    api.put(an_item(kind="first", requestedAt=ago(seconds=30)), tell=False)
    api.put(an_item(kind="third", requestedAt=ago(hours=1), runAfter=ahead(hours=1)), tell=False)

    page = await open_page()

    await expect(page.locator("#waiting tbody th a")).to_have_text(["First", "Second", "Third"])


async def test_filters_stand_in_the_address(open_page: OpenPage, api: FakeApi) -> None:
    api.put(an_item(kind="crawl"), tell=False)
    api.put(an_item(kind="proxy-sweep", requestedBy="somebody"), tell=False)
    page = await open_page()

    await page.get_by_label("Kind").select_option("proxy-sweep")

    await expect(rows(page)).to_have_count(1)
    assert page.url.endswith("/admin/work-items?kind=proxy-sweep")
    await expect(page.locator("#said")).to_have_text("1 item matches this filter.")
    await page.reload()
    await expect(rows(page)).to_have_count(1)
    await page.get_by_label("Requested by").select_option("schedule")
    await expect(page.get_by_text("No item matches this filter.")).to_be_visible()
    await page.get_by_role("button", name="Clear filter").click()
    await expect(rows(page)).to_have_count(2)
    await page.go_back()
    await expect(page.get_by_text("No item matches this filter.")).to_be_visible()


async def test_a_filter_in_the_address_finds_what_is_beyond_the_first_page(
    open_page: OpenPage, api: FakeApi
) -> None:
    for _ in range(230):
        api.put(a_finished(), tell=False)
    api.put(a_finished("failed", kind="rare", updatedAt=ago(days=3), error="The disk is away."), tell=False)

    page = await open_page("/admin/work-items?kind=rare")

    await expect(rows(page)).to_contain_text("The disk is away.")


async def test_a_status_filter_shows_one_table(open_page: OpenPage, api: FakeApi) -> None:
    api.put(an_item(), tell=False)
    api.put(a_finished("failed", error="The folder is empty."), tell=False)
    page = await open_page()

    await page.get_by_role("link", name="Failed 1").click()

    await expect(page.get_by_role("table")).to_have_count(1)
    await expect(rows(page)).to_contain_text("The folder is empty.")
    assert page.url.endswith("?status=failed")


async def test_counts_are_of_all_items_and_not_of_those_on_the_page(
    open_page: OpenPage, api: FakeApi
) -> None:
    for _ in range(230):
        api.put(a_finished(), tell=False)
    api.put(an_item(updatedAt=ago(hours=1)), tell=False)

    page = await open_page()

    await expect(page.get_by_role("link", name="Succeeded 230")).to_be_visible()
    await expect(page.get_by_role("link", name="Waiting 1")).to_be_visible()
    await expect(page.locator("#waiting tbody tr")).to_have_count(1)


async def test_older_ones_are_loaded_when_asked_for(open_page: OpenPage, api: FakeApi) -> None:
    for minutes in range(230):
        api.put(a_finished(updatedAt=ago(minutes=minutes), finishedAt=ago(minutes=minutes)), tell=False)
    page = await open_page()
    await expect(page.locator("#finished tbody tr")).to_have_count(200)

    await page.get_by_role("button", name="Load older").click()

    await expect(page.locator("#finished tbody tr")).to_have_count(230)


async def test_asking_for_work_adds_a_row(open_page: OpenPage, api: FakeApi) -> None:
    api.script("POST", "admin/work-items/crawls", lambda _: Reply(202, api.put(an_item(requestedBy=None))))
    page = await open_page()
    await until_live(api)

    await page.get_by_role("button", name="Ask for work").click()
    await page.get_by_role("dialog").get_by_role("button", name="Crawl · Library 3f2a9c · Ada").click()

    await expect(page.locator("#said")).to_have_text("Crawl added.")
    await expect(page.locator("#waiting tbody tr")).to_have_count(1)
    assert api.requests("POST", "admin/work-items/crawls")[0].body == {"storageConfigId": LIBRARY}


async def test_asking_for_what_waits_already_shows_it(open_page: OpenPage, api: FakeApi) -> None:
    waiting = api.put(an_item(), tell=False)
    api.script("POST", "admin/work-items/crawls", Reply(200, waiting))
    page = await open_page()

    await page.get_by_role("button", name="Ask for work").click()
    await page.get_by_role("dialog").get_by_role("button", name="Crawl").click()

    await expect(page.locator("#said")).to_have_text("One is already waiting, so no second one was added.")
    await expect(page.locator("tr.found")).to_have_count(1)
    await expect(page.locator("#waiting tbody tr")).to_have_count(1)


async def test_silent_workers_are_told_of_once_work_has_waited(open_page: OpenPage, api: FakeApi) -> None:
    api.put(an_item(requestedAt=ago(minutes=5)), tell=False)
    api.workers.append({"name": "all@nas-1", "lastSeenAt": ago(minutes=3, seconds=5)})

    page = await open_page()

    await expect(page.get_by_text(re.compile(r"No worker has reported for 3 min \d+ s\."))).to_be_visible()


@pytest.mark.parametrize(
    ("samples", "minutes_left"),
    [
        ([(0, 0), (10, 100), (20, 200), (31, 310), (40, 400)], 2),
        ([(0, 0), (10, 100), (20, 200), (29, 290)], None),
        ([(0, 0), (10, 5), (20, 300), (31, 310), (40, 400)], None),
        ([(0, 100), (10, 100), (20, 100), (40, 100)], None),
    ],
    ids=["steady", "too short", "unsteady", "standing still"],
)
async def test_an_estimate_is_there_only_where_it_can_be_trusted(
    open_page: OpenPage, samples: list[tuple[int, int]], minutes_left: int | None
) -> None:
    page = await open_page()
    looks = [{"at": seconds * 1000, "done": done} for seconds, done in samples]

    left = await page.evaluate(
        """async ([looks, url]) => (await import(url)).left(looks, 1600)""",
        [looks, f"/admin/assets/{PAGE_VERSION}/items.js"],
    )

    assert (None if left is None else round(left / 60_000)) == minutes_left


def rows(page: Page) -> Locator:
    return page.locator("main tbody tr")
