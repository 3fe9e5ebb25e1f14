"""What the page may cost: counted here, and timed by `benchmarks/page.py`."""

from typing import Final
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, expect

from tests.browser.builders import a_finished, a_running, ago, an_item, progress
from tests.browser.conftest import OpenPage
from tests.browser.fake_api import FakeApi
from tests.browser.waiting import until, until_live, until_loaded

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOST_REQUESTS: Final = 16
MOST_BYTES: Final = 60_000
MOST_BYTES_OF_ALL: Final = 70_000
LATER: Final = (
    "actions.js",
    "banner.js",
    "dialog.js",
    "exact-json.js",
    "findings.js",
    "item.js",
    "keyboard.js",
    "libraries.js",
    "sign-in.js",
    "timeline.js",
    "workers.js",
)
"""What is loaded once the page is live."""

SIZES: Final = """
[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
.map(({ name, transferSize }) => [name.split("/").pop(), transferSize])
"""


async def test_a_first_look_takes_no_more_than_16_requests(
    browser: Browser, api: FakeApi, address: str
) -> None:
    two_hundred(api)
    context = await browser.new_context()
    page = await context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))

    await page.goto(f"{address}/admin/work-items")
    await until_live(api)
    await expect(page.locator("main tbody tr")).to_have_count(200)
    await until_loaded(page)

    # The rest of the page comes after that: it is for when somebody wants it, and the server may be away then.
    first = [path for path in asked if not path.endswith(LATER)]
    assert len(first) <= MOST_REQUESTS, first
    assert len(asked) == len(first) + len(LATER), asked
    await context.close()


async def test_a_first_look_takes_no_more_than_60_kb_and_the_whole_page_little_more(
    browser: Browser, api: FakeApi, address: str
) -> None:
    context = await browser.new_context()
    page = await context.new_page()

    await page.goto(f"{address}/admin/work-items")
    await until_live(api)
    await until_loaded(page)

    sizes = dict(await page.evaluate(SIZES))
    assert {"main.js", "lit-html.js", "libraries.js", "item.js", "page.css"} <= set(sizes)
    assert sum(size for name, size in sizes.items() if name not in LATER) <= MOST_BYTES, sizes
    assert sum(sizes.values()) <= MOST_BYTES_OF_ALL, sizes
    await context.close()


async def test_a_second_look_fetches_no_file_again(browser: Browser, api: FakeApi, address: str) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(f"{address}/admin/work-items")
    await until_live(api)
    await until_loaded(page)

    await page.goto(f"{address}/admin/work-items")
    await until_loaded(page)

    fetched = await page.evaluate(
        """performance.getEntriesByType("resource").filter(({ name, transferSize }) =>
        name.includes("/assets/") && transferSize > 0).map(({ name }) => name)"""
    )
    assert fetched == []
    await context.close()


async def test_finished_items_do_not_pile_up_for_ever(open_page: OpenPage, api: FakeApi) -> None:
    page = await open_page()
    await until_live(api)

    for _ in range(1300):
        api.put(a_finished())
    last = api.put(an_item(kind="last"))

    await expect(page.locator(f"#row-{last['id']}")).to_be_visible()
    await until(
        lambda: len(api.requests("GET", "admin/work-items/counts")) >= 1, what="counts of the server's"
    )
    await expect(page.get_by_role("link", name="Succeeded 1 300")).to_be_visible()


def two_hundred(api: FakeApi) -> None:
    """A full page."""
    items = [
        *(a_running(progress=progress(1, 100)) for _ in range(20)),
        *(an_item(requestedAt=ago(seconds=1)) for _ in range(80)),
        *(a_finished(result={"found": 12, "new": 3}) for _ in range(100)),
    ]
    for item in items:
        api.put(item, tell=False)
