"""What the admin page costs a browser: `python -m benchmarks.page`, from the top of the checkout.

Prints bytes and requests of a first look, the time of a repaint for 20 changed of 200 rows, and what is left on
the heap after 10,000 events. The server behind it is that of the tests, in this process.
"""

import asyncio
import statistics
from typing import Final

from playwright.async_api import CDPSession, Page, async_playwright

from tests.browser.builders import a_finished, a_running, ago, an_item, progress
from tests.browser.conftest import CHROMIUM, FLAGS, served
from tests.browser.fake_api import FakeApi
from tests.browser.waiting import until_live, until_loaded

ROUNDS: Final = 150
CHANGED: Final = 20
EVENTS: Final = 10_000
TOTAL: Final = 1_000_000

# A frame's work is all that runs between the browser's call for it and the end of that call.
MEASURE: Final = """
window.paints = [];
const ask = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (paint) => ask((at) => {
  const began = performance.now();
  paint(at);
  document.body.getBoundingClientRect();
  window.paints.push(performance.now() - began);
});
"""
SIZES: Final = """
[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
.map(({ name, transferSize }) => [name.includes("/api/"), transferSize])
"""


async def main() -> None:
    """Measure, and say what came of it."""
    api = FakeApi()
    running = [str(api.put(a_running(progress=progress(0, TOTAL)), tell=False)["id"]) for _ in range(CHANGED)]
    for _ in range(80):
        api.put(an_item(requestedAt=ago(seconds=1)), tell=False)
        api.put(a_finished(result={"found": 12, "new": 3}), tell=False)
    for _ in range(20):
        api.put(a_finished("failed", error="The folder is empty."), tell=False)
    async with served(api) as address, async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*FLAGS, "--enable-precise-memory-info"]
        )
        page = await chromium.new_page()
        await page.add_init_script(MEASURE)
        await page.goto(f"{address}/admin/work-items")
        await until_live(api)
        first = await page.evaluate(SIZES)
        await until_loaded(page)
        everything = await page.evaluate(SIZES)
        print(f"first look     {told(first)}")
        print(f"whole page     {told(everything)}")
        await repaints(page, api, running)
        await heap(page, await page.context.new_cdp_session(page), api, running)
        await chromium.close()


def told(sizes: list[tuple[bool, int]]) -> str:
    """The bytes of files, and of what the API answered with 200 items."""
    files = sum(size for is_answer, size in sizes if not is_answer)
    answers = sum(size for is_answer, size in sizes if is_answer)
    # The stream is not among them: it has not ended.
    return f"{files:7,} bytes of files, {answers:,} of answers, in {len(sizes) + 1} requests"


async def repaints(page: Page, api: FakeApi, running: list[str]) -> None:
    """20 of 200 rows change, ten times a second."""
    await page.evaluate("window.paints.length = 0")
    for done in range(1, ROUNDS + 1):
        for item in running:
            api.change(item, progress=progress(done, TOTAL))
        await asyncio.sleep(0.1)
    paints = sorted(await page.evaluate("window.paints"))
    p95 = paints[int(len(paints) * 0.95)]
    print(
        f"repaint        {statistics.median(paints):7.1f} ms median, {p95:.1f} ms p95, {len(paints)} of them"
    )


async def heap(page: Page, devtools: CDPSession, api: FakeApi, running: list[str]) -> None:
    """What 10,000 events leave behind, once as many as there are rows have been told."""
    told_before = await follow(page, api, running, ROUNDS, EVENTS // 10)
    before = await used(devtools)
    await follow(page, api, running, told_before, EVENTS)
    after = await used(devtools)
    print(f"heap           {before / 1e6:7.1f} MB before, {after / 1e6:.1f} MB after {EVENTS:,} events")


async def follow(page: Page, api: FakeApi, running: list[str], done: int, events: int) -> int:
    """Tell that many events, and wait until the last one is seen: how far the runs are then."""
    for number in range(events):
        api.change(running[number % CHANGED], progress=progress(done + number // CHANGED, TOTAL))
        if number % 100 == 0:
            await asyncio.sleep(0.02)
    last = done + (events - 1) // CHANGED
    await page.locator(f"#row-{running[-1]}").filter(has_text=f"{last} of").wait_for()
    return last


async def used(devtools: CDPSession) -> int:
    """Bytes in use, once everything is gone that nobody holds."""
    await devtools.send("HeapProfiler.collectGarbage")
    return int((await devtools.send("Runtime.getHeapUsage"))["usedSize"])


if __name__ == "__main__":
    asyncio.run(main())
