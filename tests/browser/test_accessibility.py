"""The page by keyboard, by ear, in the dark, in high contrast, and on a telephone."""

from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Page, expect

from tests.browser.builders import a_finding, a_finished, a_running, a_sweep, ago, ahead, an_item, progress
from tests.browser.conftest import OpenPage
from tests.browser.fake_api import FakeApi
from tests.browser.waiting import until, until_live, until_loaded

pytestmark = pytest.mark.asyncio(loop_scope="session")

AXE: Final = (Path(__file__).parent / "vendor/axe-core-4.14.1/axe.min.js").read_text(encoding="utf-8")
TELEPHONE: Final = {"viewport": {"width": 320, "height": 640}}
DESK: Final = {"viewport": {"width": 1280, "height": 900}}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [DESK, TELEPHONE], ids=["desk", "telephone"])
async def test_axe_finds_nothing(
    open_page: OpenPage, api: FakeApi, scheme: str, screen: dict[str, Any]
) -> None:
    shown = one_of_each(api)
    page = await open_page(color_scheme=scheme, **screen)
    await page.add_init_script(AXE)
    address = page.url.partition("/admin")[0]

    for path in ("work-items", f"work-items/{shown}", "workers", "libraries"):
        await page.goto(f"{address}/admin/{path}")
        await until_live(api)
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        if shown in path:
            await expect(page.get_by_role("checkbox")).to_be_visible()
        assert await violations(page) == [], path
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog", name="Help")).to_be_visible()
    assert await violations(page) == []


async def test_axe_finds_nothing_in_the_sign_in_form(open_page: OpenPage, api: FakeApi) -> None:
    api.is_signed_in = False
    page = await open_page()
    await expect(page.get_by_role("dialog")).to_be_visible()

    await page.evaluate(AXE)

    assert await violations(page) == []


async def test_nothing_scrolls_sideways_on_a_telephone(open_page: OpenPage, api: FakeApi) -> None:
    shown = one_of_each(api)
    page = await open_page(**TELEPHONE)
    address = page.url.partition("/admin")[0]

    for path in ("work-items", f"work-items/{shown}", "workers", "libraries"):
        await page.goto(f"{address}/admin/{path}")
        await until_live(api)
        if shown in path:
            await expect(page.get_by_role("checkbox")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") <= 320, path
    await page.goto(f"{address}/admin/work-items")
    card = page.get_by_role("table").first.get_by_role("row").nth(1)
    await expect(card.get_by_role("cell")).to_have_count(6)


async def test_focus_and_an_open_dialog_survive_1000_updates(open_page: OpenPage, api: FakeApi) -> None:
    rows = [api.put(a_running(progress=progress(0, 2000)), tell=False) for _ in range(20)]
    page = await open_page()
    await until_live(api)
    link = page.locator(f"#row-{rows[7]['id']} a")
    await link.focus()

    for done in range(1, 26):
        for row in rows:
            api.change(row["id"], progress=progress(done, 2000))
    await expect(page.locator(f"#row-{rows[19]['id']}")).to_contain_text("25 of 2 000")
    await expect(link).to_be_focused()

    await page.keyboard.press("c")
    dialog = page.get_by_role("dialog", name="Stop this crawl?")
    await expect(dialog.get_by_role("button", name="Keep running")).to_be_focused()
    for done in range(26, 51):
        for row in rows:
            api.change(row["id"], progress=progress(done, 2000))
    await expect(page.locator(f"#row-{rows[19]['id']}")).to_contain_text("50 of 2 000")
    await expect(dialog.get_by_role("button", name="Keep running")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)


async def test_everything_works_by_keyboard(open_page: OpenPage, api: FakeApi) -> None:
    first = api.put(an_item(requestedAt=ago(minutes=3)), tell=False)
    second = api.put(an_item(requestedAt=ago(minutes=2)), tell=False)
    page = await open_page()
    await until_live(api)
    await until_loaded(page)

    await page.keyboard.press("j")
    await expect(page.locator(f"#row-{first['id']} a")).to_be_focused()
    await page.keyboard.press("j")
    await page.keyboard.press("k")
    await page.keyboard.press("j")
    await expect(page.locator(f"#row-{second['id']} a")).to_be_focused()
    await page.keyboard.press("c")
    await expect(page.locator("#said")).to_have_text("Cancelled. It had not started.")
    await page.keyboard.press("k")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Crawl")).to_be_focused()
    await page.keyboard.press("g")
    await page.keyboard.press("k")
    await expect(page.get_by_role("heading", name="Workers")).to_be_focused()
    await page.keyboard.press("g")
    await page.keyboard.press("w")
    await expect(page.get_by_role("heading", name="Work queue")).to_be_focused()
    await page.keyboard.press("/")
    await expect(page.get_by_label("Kind")).to_be_focused()
    await page.get_by_role("heading", name="Work queue").focus()
    await page.keyboard.press("p")
    await expect(page.get_by_role("button", name="Resume")).to_be_visible()


async def test_keys_can_be_switched_off(open_page: OpenPage, api: FakeApi) -> None:
    page = await open_page()
    await until_live(api)
    await until_loaded(page)

    await page.keyboard.press("?")
    await page.get_by_label("Use these keys").uncheck()
    await page.get_by_role("dialog").get_by_role("button", name="Close").click()
    await page.keyboard.press("p")
    await page.get_by_role("button", name="Help").click()

    await expect(page.get_by_role("dialog", name="Help")).to_be_visible()
    await expect(page.get_by_role("button", name="Pause")).to_have_count(1)


async def test_progress_is_never_read_aloud(open_page: OpenPage, api: FakeApi) -> None:
    running = api.put(a_running(progress=progress(0, 500)), tell=False)
    page = await open_page()
    await until_live(api)
    await page.evaluate(
        """() => { window.heard = []; new MutationObserver(() => window.heard.push(document.getElementById("said").textContent))
        .observe(document.getElementById("said"), { childList: true, characterData: true, subtree: true }); }"""
    )

    for done in range(200):
        api.change(running["id"], progress=progress(done, 500))
    await expect(page.locator("main tbody tr")).to_contain_text("199 of 500")
    api.change(running["id"], status="failed", finishedAt=ago(), cancellable=False, error="The disk is away.")

    await expect(page.locator("#said")).to_have_text("Crawl failed.")
    assert [text for text in await page.evaluate("window.heard") if text] == ["Crawl failed."]


async def test_the_live_region_is_there_from_the_start_and_stays(open_page: OpenPage, api: FakeApi) -> None:
    page = await open_page()
    region = await page.locator("#said").element_handle()

    await until_live(api)
    await page.get_by_role("navigation", name="Pages").get_by_role("link", name="Workers").click()
    await expect(page.get_by_role("heading", name="Workers")).to_be_visible()

    assert region is not None
    assert (
        await region.evaluate("(element) => element.isConnected && element.getAttribute('aria-live')")
        == "polite"
    )


async def test_a_chosen_theme_is_there_before_the_first_paint(open_page: OpenPage) -> None:
    page = await open_page(color_scheme="light")
    await expect(page.get_by_role("heading", name="Work queue")).to_be_visible()
    assert await background(page) == "rgb(255, 255, 255)"

    await page.get_by_label("Theme").select_option("dark")
    assert await background(page) == "rgb(20, 24, 29)"
    shell = await page.reload()

    assert shell is not None
    assert 'data-theme="dark"' in await shell.text()
    assert await background(page) == "rgb(20, 24, 29)"
    await expect(page.get_by_label("Theme")).to_have_value("dark")


async def test_reduced_motion_moves_nothing(open_page: OpenPage, api: FakeApi) -> None:
    api.put(a_running(), tell=False)
    moving = "getComputedStyle(document.querySelector('progress')).animationName"

    page = await open_page(reduced_motion="reduce")
    await expect(page.get_by_role("progressbar")).to_be_visible()
    assert await page.evaluate(moving) == "none"

    other = await open_page(reduced_motion="no-preference")
    await expect(other.get_by_role("progressbar")).to_be_visible()
    assert await other.evaluate(moving) == "slide"


async def test_high_contrast_keeps_borders_and_icons(open_page: OpenPage, api: FakeApi) -> None:
    api.put(a_finished("failed", error="The disk is away."), tell=False)

    page = await open_page(forced_colors="active")

    chip = page.locator(".chip")
    await expect(chip).to_have_text("Failed")
    assert await chip.evaluate("(element) => getComputedStyle(element).borderTopWidth") == "1px"
    icon = chip.locator("svg")
    await expect(icon).to_be_visible()
    assert await icon.evaluate("(element) => getComputedStyle(element).stroke") != "none"


async def test_times_are_local_or_utc_throughout(open_page: OpenPage, api: FakeApi) -> None:
    api.put(an_item(requestedAt="2026-11-29T14:03:12.000Z"), tell=False)
    page = await open_page(timezone_id="Asia/Tokyo")
    time = page.locator("main time")
    await expect(time).to_have_attribute("title", "2026-11-29 23:03:12")

    await page.get_by_role("button", name="Local time").click()

    await expect(time).to_have_attribute("title", "2026-11-29 14:03:12 UTC")
    await expect(time).to_have_attribute("datetime", "2026-11-29T14:03:12.000Z")
    await until(lambda: len(api.streams) == 1, what="the stream")


def one_of_each(api: FakeApi) -> str:
    """Items of every state; the id of one that has something of everything."""
    for item in (
        an_item(),
        an_item(stalls=1),
        an_item(runAfter=ahead(hours=1), retries=1, maxRetries=2, error="The disk is away."),
        a_running(progress=progress(1204, 3900, "12 failed")),
        a_running(progress=progress(1204)),
        a_running(leaseUntil=ago(seconds=9), progress=progress(3, 9)),
        a_running(updatedAt=ago(seconds=30)),
        a_running(cancelRequestedAt=ago(seconds=1)),
        a_finished(result={"found": 9, "new": 3, "failed": 2}),
        a_finished("failed", errorCode="stalled", error="…", stalls=3),
        a_finished("cancelled", startedAt=None),
        a_finished("cancelled", errorCode="superseded", error="…"),
    ):
        api.put(item, tell=False)
    partial = a_sweep(
        api,
        a_finding(1),
        a_finding(2, what="missing-file", modifiedAt=None),
        status="cancelled",
        partial=True,
        error="The disk is away.",
        errorCode="away",
    )
    return str(partial["id"])


async def violations(page: Page) -> list[str]:
    found = await page.evaluate(
        """async () => (await axe.run({ resultTypes: ["violations"] })).violations
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => html + failureSummary).join(" | ")}`)"""
    )
    return list(found)


async def background(page: Page) -> str:
    return str(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
