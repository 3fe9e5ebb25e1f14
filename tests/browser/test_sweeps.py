"""Proxy sweeps: asking for one, looking at what it has found, and having some of that deleted."""

from typing import Final

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.builders import a_finding, a_finished, a_sweep, an_item
from tests.browser.conftest import OpenPage
from tests.browser.fake_api import Asked, FakeApi, Json, Reply
from tests.browser.waiting import until_live

pytestmark = pytest.mark.asyncio(loop_scope="session")

SWEEPS: Final = "admin/work-items/proxy-sweeps"
DELETIONS: Final = "admin/work-items/proxy-deletions"
ONE_WAITS: Final = "One is already waiting, so no second one was added."


async def test_of_two_sweeps_that_are_asked_for_one_is_added(open_page: OpenPage, api: FakeApi) -> None:
    sweep = an_item(kind="proxy-sweep", storageConfigId=None)
    api.script("POST", SWEEPS, lambda _: Reply(202, api.put(sweep)))
    api.script("POST", SWEEPS, lambda _: Reply(200, api.items[sweep["id"]]))
    page = await open_page()
    await until_live(api)

    await ask_for_a_sweep(page)
    await expect(said(page)).to_have_text("Proxy sweep added.")
    await expect(page.locator("#waiting tbody tr")).to_contain_text("Proxy sweep")
    await ask_for_a_sweep(page)

    await expect(said(page)).to_have_text(ONE_WAITS)
    await expect(page.locator("#waiting tr.found")).to_have_count(1)
    assert [asked.body for asked in api.requests("POST", SWEEPS)] == [{}, {}]


async def test_findings_are_read_some_at_a_time_and_filtered(open_page: OpenPage, api: FakeApi) -> None:
    missing = a_finding(121, what="missing-file", modifiedAt=None, size=1_234)
    sweep = a_sweep(api, *map(a_finding, range(1, 121)), missing)
    page = await open_page(f"/admin/work-items/{sweep['id']}")

    await expect(page.get_by_role("region", name="Result")).to_contain_text("orphan bytes 72 MB")
    await expect(rows(page)).to_have_count(100)
    await page.get_by_role("button", name="Load more").click()
    await expect(rows(page)).to_have_count(121)
    await expect(said(page)).to_have_text("121 findings shown.")
    await expect(rows(page).nth(100).get_by_role("rowheader")).to_be_focused()
    await expect(page.get_by_role("button", name="Load more")).to_have_count(0)
    await page.get_by_label("What").select_option("Missing file")

    await expect(rows(page)).to_have_count(1)
    await expect(rows(page)).to_contain_text(f"Missing file {missing['path']} 1.2 kB Library 3f2a9c · Ada")
    await expect(page.get_by_role("checkbox")).to_have_count(0)


async def test_the_selected_are_deleted_once_however_often_that_is_sent(
    open_page: OpenPage, api: FakeApi
) -> None:
    found = [a_finding(number) for number in (1, 2, 3)]
    sweep = a_sweep(api, *found, a_finding(4, what="missing-file"))
    deletion = an_item(kind="proxy-deletion")
    api.script("POST", DELETIONS, Reply(503))
    api.script("POST", DELETIONS, lambda _: Reply(202, {"items": [api.put(deletion)]}))
    page = await open_page(f"/admin/work-items/{sweep['id']}")

    await page.get_by_role("button", name="Select all shown").click()
    await expect(page.get_by_role("button", name="Delete 3 selected (1.8 MB)")).to_be_visible()
    await page.get_by_role("checkbox", name=f"Select {found[1]['path']}").uncheck()
    await page.get_by_role("button", name="Delete 2 selected (1.2 MB)").click()
    question = page.get_by_role("dialog", name="Delete 2 files (1.2 MB)?")
    await expect(question.get_by_role("button", name="Keep them")).to_be_focused()
    await question.get_by_role("button", name="Delete 2 files").click()
    await expect(question.get_by_role("alert")).to_have_text(
        "No answer from the server. Try again: it is not asked for twice."
    )
    await question.get_by_role("button", name="Delete 2 files").click()

    await expect(said(page)).to_have_text("Deletion of 2 files added.")
    link = page.get_by_role("link", name="Proxy deletion · Library 3f2a9c · Ada")
    await expect(link).to_have_attribute("href", page.url.replace(sweep["id"], deletion["id"]))
    await expect(page.get_by_role("checkbox", checked=True)).to_have_count(0)
    sent = api.requests("POST", DELETIONS)
    assert [one.body for one in sent] == [{"sweepId": sweep["id"], "findingIds": ["1", "3"]}] * 2
    assert len({key(one) for one in sent}) == 1


async def test_all_are_deleted_by_their_count_with_another_key_for_each_question(
    open_page: OpenPage, api: FakeApi
) -> None:
    sweep = a_sweep(
        api, *map(a_finding, range(1, 121)), a_finding(121, what="temporary-leftover", size=300_000)
    )
    items = [an_item(kind="proxy-deletion"), an_item(kind="proxy-deletion", storageConfigId=None)]
    api.script(
        "POST", DELETIONS, lambda _: Reply(202, {"items": [api.put(item) for item in items]}), always=True
    )
    page = await open_page(f"/admin/work-items/{sweep['id']}")
    for_all = page.get_by_role("button", name="Delete all 121 files (72.3 MB)")
    question = page.get_by_role("dialog", name="Delete all 121 files (72.3 MB)?")

    await for_all.click()
    await question.get_by_role("button", name="Keep them").click()
    await expect(for_all).to_be_focused()
    assert api.requests("POST", DELETIONS) == []
    for _ in range(2):
        await for_all.click()
        await question.get_by_role("button", name="Delete 121 files").click()
        await expect(question).to_have_count(0)

    await expect(page.get_by_role("link", name="Proxy deletion · ")).to_have_count(2)
    sent = api.requests("POST", DELETIONS)
    assert [one.body for one in sent] == [{"sweepId": sweep["id"], "all": True, "files": 121}] * 2
    assert len({key(one) for one in sent}) == 2


async def test_a_refused_selection_is_told_and_stays(open_page: OpenPage, api: FakeApi) -> None:
    why = "1 of 2 chosen findings cannot be deleted: not there, or no files."
    api.script("POST", DELETIONS, Reply(422, {"type": "/problems/invalid-selection", "detail": why}))
    sweep = a_sweep(api, a_finding(1))
    page = await open_page(f"/admin/work-items/{sweep['id']}")

    await page.get_by_role("checkbox").check()
    await page.get_by_role("button", name="Delete 1 selected (600 kB)").click()
    question = page.get_by_role("dialog", name="Delete 1 file (600 kB)?")
    await question.get_by_role("button", name="Delete 1 file").click()

    await expect(question.get_by_role("alert")).to_have_text(f"Nothing was deleted. {why}")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("checkbox", checked=True)).to_have_count(1)


async def test_a_cancelled_sweep_has_some_findings_and_a_failed_one_none(
    open_page: OpenPage, api: FakeApi
) -> None:
    cancelled = a_sweep(api, a_finding(1), status="cancelled", partial=True)
    failed = api.put(a_finished("failed", kind="proxy-sweep", error="The folder is away."), tell=False)
    page = await open_page(f"/admin/work-items/{cancelled['id']}")

    findings = page.get_by_role("region", name="Findings")
    await expect(findings).to_contain_text(
        "Partial: the sweep was cancelled before it had looked at everything."
    )
    await expect(rows(page)).to_have_count(1)
    await page.goto(page.url.replace(cancelled["id"], failed["id"]))

    await expect(page.get_by_role("region", name="Error")).to_be_visible()
    await expect(findings).to_have_count(0)
    assert api.requests("GET", f"admin/work-items/{failed['id']}/orphans") == []


async def test_a_deletion_that_waits_to_be_tried_again_says_so_and_is_cancelled(
    open_page: OpenPage, api: FakeApi
) -> None:
    run = {
        "attempt": 1,
        "claimedBy": "all@nas-1#7",
        "how": "retried",
        "error": "12 of 40 files cannot be deleted: Input/output error.",
    }
    times = {"startedAt": "2026-11-29T14:00:12.000Z", "endedAt": "2026-11-29T14:00:20.000Z"}
    waiting: Json = an_item(
        kind="proxy-deletion",
        requestedAt="2026-11-29T14:00:00.000Z",
        runAfter="2099-11-29T14:05:00.000Z",
        attempt=1,
        retries=1,
        maxRetries=5,
        error="12 of 40 files cannot be deleted: Input/output error.",
        errorCode="proxies-undeletable",
        attempts=[{**run, **times, "errorCode": "proxies-undeletable"}],
    )
    api.put(waiting, tell=False)
    page = await open_page(f"/admin/work-items/{waiting['id']}")

    item = page.get_by_role("article")
    await expect(item.locator(".chip")).to_have_text("Retry at 14:05")
    await expect(page.get_by_role("region", name="Progress")).to_contain_text(
        "Try 2 of 6 · last error: 12 of 40 files cannot be deleted: Input/output error."
    )
    await expect(page.get_by_role("region", name="Last error")).to_contain_text("proxies-undeletable")
    await expect(page.locator(".timeline li").nth(2)).to_have_text(
        "ran 8 s Failed; it is tried again: 12 of 40 files cannot be deleted: Input/output error. 2026-11-29 14:00:20"
    )
    await expect(page.locator(".timeline li").last).to_have_text("Try 2 of 6 2099-11-29 14:05:00")
    await page.get_by_role("button", name="Cancel Proxy deletion").click()

    await expect(said(page)).to_have_text("Cancelled.")
    await expect(page.get_by_role("region", name="Outcome")).to_contain_text("Cancelled while it waited")


async def ask_for_a_sweep(page: Page) -> None:
    await page.get_by_role("button", name="Ask for work").click()
    await page.get_by_role("dialog").get_by_role("button", name="Proxy sweep").click()


def key(asked: Asked) -> str:
    return asked.headers["idempotency-key"]


def rows(page: Page) -> Locator:
    return page.get_by_role("region", name="Findings").locator("tbody tr")


def said(page: Page) -> Locator:
    return page.locator("#said")
