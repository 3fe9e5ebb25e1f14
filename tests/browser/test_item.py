"""One item: its outcome, its history, and all that is known of it."""

import json

import pytest
from playwright.async_api import expect

from tests.browser.builders import a_finished, a_running, ago, progress
from tests.browser.conftest import OpenPage
from tests.browser.fake_api import FakeApi, Json
from tests.browser.waiting import until_live

pytestmark = pytest.mark.asyncio(loop_scope="session")


def an_attempt(**fields: object) -> Json:
    usual = {"attempt": 1, "claimedBy": "all@nas-1#7", "error": None, "errorCode": None}
    return {**usual, **fields}


async def test_the_timeline_tells_every_run(open_page: OpenPage, api: FakeApi) -> None:
    item = api.put(
        a_finished(
            requestedAt="2026-11-29T14:00:00.000Z",
            startedAt="2026-11-29T14:05:00.000Z",
            finishedAt="2026-11-29T14:09:03.000Z",
            attempt=2,
            stalls=1,
            attempts=[
                an_attempt(
                    startedAt="2026-11-29T14:00:12.000Z", endedAt="2026-11-29T14:04:00.000Z", how="stalled"
                ),
                an_attempt(
                    attempt=2,
                    startedAt="2026-11-29T14:05:00.000Z",
                    endedAt="2026-11-29T14:09:03.000Z",
                    how="succeeded",
                ),
            ],
        )
    )

    page = await open_page(f"/admin/work-items/{item['id']}")

    await expect(page.locator(".timeline li")).to_have_text(
        [
            "Requested by schedule 2026-11-29 14:00:00",
            "waited 12 s Started, attempt 1, worker all@nas-1#7 2026-11-29 14:00:12",
            "ran 3 min 48 s Its worker went quiet 2026-11-29 14:04:00",
            "waited 1 min Started, attempt 2, worker all@nas-1#7 2026-11-29 14:05:00",
            "ran 4 min 3 s Succeeded 2026-11-29 14:09:03",
        ]
    )
    await expect(page.get_by_text("stalled 1 of 3")).to_be_visible()


async def test_a_running_item_is_followed_to_its_end(open_page: OpenPage, api: FakeApi) -> None:
    item = api.put(a_running(progress=progress(12, 40)), tell=False)
    page = await open_page(f"/admin/work-items/{item['id']}")
    await until_live(api)
    await expect(page.get_by_text("12 of 40 · 30 %")).to_be_visible()

    api.change(item["id"], status="succeeded", finishedAt=ago(), cancellable=False, result={"found": 40})

    await expect(page.get_by_role("region", name="Result")).to_contain_text("found 40")
    await expect(page.get_by_role("button", name="Cancel Crawl")).to_have_count(0)


async def test_a_failure_says_its_code_and_what_to_search_for(open_page: OpenPage, api: FakeApi) -> None:
    item = api.put(a_finished("failed", error="The folder is empty.", errorCode="root-empty", attempt=2))

    page = await open_page(f"/admin/work-items/{item['id']}")

    error = page.get_by_role("region", name="Error")
    await expect(error).to_contain_text("The folder is empty.")
    await expect(error).to_contain_text(f"itemId={item['id']} attempt=2")
    await expect(page.get_by_role("region", name="Result")).to_have_count(0)


async def test_a_partial_result_is_called_so(open_page: OpenPage, api: FakeApi) -> None:
    item = api.put(
        a_finished("cancelled", partial=True, result={"found": 9, "failedByReason": {"truncated": 2}})
    )

    page = await open_page(f"/admin/work-items/{item['id']}")

    await expect(page.get_by_text("Partial result: the work was stopped before it was done.")).to_be_visible()
    result = page.get_by_role("region", name="Partial result")
    await expect(result).to_contain_text("failed by reason truncated 2")


async def test_large_numbers_keep_their_digits(open_page: OpenPage, api: FakeApi) -> None:
    item = api.put(a_finished(result={"bytes": 9007199254740993}, payload={"seed": 12345678901234567890}))
    page = await open_page(f"/admin/work-items/{item['id']}")

    await page.get_by_text("Technical details").click()

    await expect(page.get_by_role("region", name="Result")).to_contain_text("9007199254740993")
    await expect(page.locator("pre").first).to_have_text('{\n  "seed": 12345678901234567890\n}')
    async with page.expect_download() as downloading:
        await page.get_by_role("button", name="Download").click()
    saved = await (await downloading.value).path()
    assert json.loads(saved.read_text())["payload"] == {"seed": 12345678901234567890}


async def test_copying_works_where_there_is_no_clipboard(open_page: OpenPage, api: FakeApi) -> None:
    item = api.put(a_finished())
    page = await open_page(f"/admin/work-items/{item['id']}")
    await page.evaluate("Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })")
    await page.evaluate("document.addEventListener('copy', () => (window.copied = String(getSelection())))")

    await page.get_by_role("button", name="Copy id").click()

    await expect(page.locator("#said")).to_have_text("Copied.")
    assert await page.evaluate("window.copied") == item["id"]
    await expect(page.get_by_role("button", name="Copy id")).to_be_focused()


async def test_an_item_that_goes_while_it_is_shown_is_told_of(open_page: OpenPage, api: FakeApi) -> None:
    item = api.put(a_finished(), tell=False)
    page = await open_page(f"/admin/work-items/{item['id']}")
    await until_live(api)
    await expect(page.get_by_role("heading", name="Crawl")).to_be_visible()

    api.remove(item["id"])

    await expect(
        page.get_by_text("This item is gone. Finished items are removed after 30 days")
    ).to_be_visible()
    await page.get_by_role("link", name="Back to the work queue").click()
    await expect(page.get_by_role("heading", name="Work queue")).to_be_focused()


async def test_what_is_no_item_is_told_of(open_page: OpenPage) -> None:
    page = await open_page("/admin/work-items/nonsense")

    await expect(page.get_by_text("This item is gone.")).to_be_visible()


async def test_earlier_runs_are_a_click_away(open_page: OpenPage, api: FakeApi) -> None:
    item = api.put(a_finished(kind="proxy-sweep"), tell=False)
    api.put(a_finished(kind="proxy-sweep"), tell=False)
    api.put(a_finished(kind="crawl"), tell=False)
    page = await open_page(f"/admin/work-items/{item['id']}")

    await page.get_by_role("link", name="Earlier runs").click()

    await expect(page.locator("main tbody tr")).to_have_count(2)
