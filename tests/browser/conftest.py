"""A real Chromium, the page in it, and a server behind it that does what each test says."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio
import uvicorn
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from tests.browser.fake_api import FakeApi
from tests.browser.waiting import PATIENCE_SECONDS

CHROMIUM: Final = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
PATIENCE_MS: Final = PATIENCE_SECONDS * 1_000

# Nobody is called: the browser looks up no name, and asks its maker nothing.
FLAGS: Final = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-first-run",
    "--no-pings",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
WATCH_POLICY: Final = """
window.refusedByPolicy = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.refusedByPolicy.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`));
"""

OpenPage = Callable[..., Awaitable[Page]]

expect.set_options(timeout=PATIENCE_MS)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One for all tests: each has a profile of its own in it."""
    if not CHROMIUM.exists():
        pytest.fail(
            f"no browser at {CHROMIUM}: install Debian's with `make browser` (or `apt-get install chromium`), "
            "or name another one in CHROMIUM",
            pytrace=False,
        )
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield chromium
        await chromium.close()


@pytest.fixture
def api() -> FakeApi:
    """The server, empty, with somebody signed in."""
    return FakeApi()


@pytest_asyncio.fixture(loop_scope="session")
async def address(api: FakeApi) -> AsyncIterator[str]:
    """Where the server is."""
    async with served(api) as url:
        yield url


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser, address: str) -> AsyncIterator[OpenPage]:
    """Open the page; afterwards it must have broken neither its policy nor itself.

    Another one `beside` it is a tab of the same browser. With `by_hand`, the page's clock can be put forward.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    async def opened(
        path: str = "/admin/work-items",
        *,
        beside: Page | None = None,
        by_hand: bool = False,
        **options: Any,  # noqa: ANN401 -- whatever the browser takes
    ) -> Page:
        if beside is None:
            contexts.append(await browser.new_context(**{"timezone_id": "UTC", **options}))
            if by_hand:
                await contexts[-1].clock.install()
            await contexts[-1].add_init_script(WATCH_POLICY)
        context = contexts[-1] if beside is None else beside.context
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        await page.goto(address + path)
        return page

    yield opened
    for context in contexts:
        for page in context.pages:
            faults += await page.evaluate("window.refusedByPolicy")
        await context.close()
    assert faults == []


@asynccontextmanager
async def served(app: FakeApi) -> AsyncIterator[str]:
    """An application on a port of its own."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    serving = asyncio.ensure_future(server.serve(sockets=[listening]))
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await serving
        listening.close()
