"""Takes the README's pictures of the admin page: `make screenshots`.

The server behind it is the one of the tests, so that each picture shows every state and no machine's own names.
"""

import asyncio
import io
import sys
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.async_api import Browser, Page, async_playwright, expect

from tests.browser.builders import a_finished, a_running, ago, ahead, an_item, progress
from tests.browser.conftest import CHROMIUM, FLAGS, served
from tests.browser.fake_api import FakeApi, Json
from tests.browser.waiting import until_live

DESK: Final = {"width": 1180, "height": 860}
TELEPHONE: Final = {"width": 360, "height": 720}
LONG_RUN_SECONDS: Final = 50
QUALITY: Final = 82


async def main(folder: Path) -> None:
    """Take all of them."""
    api = FakeApi()
    running = queue(api)
    async with served(api) as address, async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        for scheme in ("light", "dark"):
            page = await opened(chromium, f"{address}/admin/work-items", color_scheme=scheme, viewport=DESK)
            await until_live(api)
            run_on(api, running)
            await expect(page.get_by_text("left (estimate)")).to_be_visible()
            await taken(page, folder / f"page-queue-{scheme}.webp")
            if scheme == "light":
                await page.locator(f"#row-{running} button").click()
                await taken(page, folder / "page-cancel.webp")
                await page.keyboard.press("Escape")
                await page.goto(f"{address}/admin/work-items/{history(api)}")
                await expect(page.get_by_role("heading", name="Timeline")).to_be_visible()
                await taken(page, folder / "page-item.webp")
            await page.context.close()
        page = await opened(chromium, f"{address}/admin/work-items", color_scheme="dark", viewport=TELEPHONE)
        await expect(page.get_by_role("progressbar").first).to_be_visible()
        await taken(page, folder / "page-telephone.webp")
        await chromium.close()


def queue(api: FakeApi) -> str:
    """A queue with something of everything; the id of a crawl that runs."""
    for item in (
        an_item(kind="proxy-sweep", requestedAt=ago(minutes=3)),
        an_item(requestedAt=ago(minutes=2), stalls=1),
        an_item(
            kind="retention",
            storageConfigId=None,
            runAfter=ahead(minutes=6),
            retries=1,
            maxRetries=2,
            error="The disk is away.",
        ),
        a_running(progress=progress(812), startedAt=ago(seconds=22), claimedBy="ada@nas-2#3"),
        a_finished(result={"found": 3900, "new": 41, "updated": 2, "failed": 3}),
        a_finished("failed", error="The folder is empty.", errorCode="root-empty", progress=progress(0)),
        a_finished(
            "cancelled", partial=True, result={"found": 1204, "new": 377}, cancelRequestedAt=ago(minutes=2)
        ),
    ):
        api.put(item, tell=False)
    api.workers.append({"name": "all@nas-1#7", "lastSeenAt": ahead(hours=1)})
    return str(api.put(a_running(startedAt=ago(seconds=90)), tell=False)["id"])


def run_on(api: FakeApi, item_id: str) -> None:
    """Tell of a minute's steady progress, so that there is an estimate."""
    for seconds in range(LONG_RUN_SECONDS, -1, -2):
        done = 1204 - 7 * seconds
        api.change(item_id, updatedAt=ago(seconds=seconds), progress=progress(done, 3900, "12 failed"))


def history(api: FakeApi) -> str:
    """An item that went through something; its id."""
    first: Json = {
        "attempt": 1,
        "claimedBy": "all@nas-1#7",
        "how": "stalled",
        "error": None,
        "errorCode": None,
    }
    second = {**first, "attempt": 2, "claimedBy": "all@nas-3#2", "how": "succeeded"}
    item = a_finished(
        requestedAt=ago(minutes=20),
        attempt=2,
        stalls=1,
        claimedBy="all@nas-3#2",
        result={
            "found": 3900,
            "processed": 3900,
            "new": 41,
            "failed": 3,
            "failedByReason": {"truncated": 2, "timed_out": 1},
        },
        attempts=[
            {**first, "startedAt": ago(minutes=19, seconds=48), "endedAt": ago(minutes=16)},
            {**second, "startedAt": ago(minutes=15, seconds=55), "endedAt": ago(minutes=2)},
        ],
        finishedAt=ago(minutes=2),
        startedAt=ago(minutes=15, seconds=55),
    )
    return str(api.put(item, tell=False)["id"])


async def opened(browser: Browser, address: str, **options: Any) -> Page:  # noqa: ANN401 -- whatever the browser takes
    context = await browser.new_context(timezone_id="UTC", reduced_motion="reduce", **options)
    page = await context.new_page()
    await page.goto(address)
    return page


async def taken(page: Page, file: Path) -> None:
    """Take one, small enough for a README."""
    picture = Image.open(io.BytesIO(await page.screenshot()))
    picture.save(file, quality=QUALITY, method=6)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
