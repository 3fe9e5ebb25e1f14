"""Waiting for what a test scripts and expects: on conditions, never on time alone."""

import asyncio
import os
import time
from collections.abc import Callable
from typing import Final

from playwright.async_api import Page

from tests.browser.fake_api import FakeApi

PATIENCE_SECONDS: Final = float(os.environ.get("BROWSER_PATIENCE_SECONDS", "20"))


async def until(holds: Callable[[], bool], *, what: str) -> None:
    """Wait until it holds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, f"not in time: {what}"
        await asyncio.sleep(0.02)


async def until_live(api: FakeApi, streams: int = 1) -> None:
    """Wait until that many pages listen."""
    await until(lambda: len(api.streams) == streams, what=f"{streams} open streams")


async def cut(api: FakeApi) -> None:
    """Cut every stream, and let nobody back in until `api.is_streaming` again."""
    api.is_streaming = False
    api.drop()
    await until(lambda: not api.streams, what="the cut")


async def until_loaded(page: Page) -> None:
    """Wait until the page has all its files, also those that are wanted later."""
    loaded = "performance.getEntriesByType('resource').map(({ name }) => name.split('/').pop())"
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not {"actions.js", "banner.js", "libraries.js", "sign-in.js"} <= set(await page.evaluate(loaded)):
        assert time.monotonic() < deadline, "not in time: the rest of the page"
        await asyncio.sleep(0.05)
