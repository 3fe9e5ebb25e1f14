"""The page before the real thing: API and worker as processes of their own, on SQLite."""

import asyncio
import os
import subprocess
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Final

import httpx
import pytest
from playwright.async_api import Browser, Page, expect

from tests.support.command_line import Install
from tests.support.photos import a_jpeg, written
from tests.support.serving import LIFE, a_free_port

pytestmark = pytest.mark.asyncio(loop_scope="session")

PATIENCE_MS: Final = 60_000
LONG_AGO: Final = 1_700_000_000
SHARD: Final = "2f"
PASSWORD: Final = "correct horse"


class Real:
    """An install with Ada, who is its admin, and what is started of it."""

    def __init__(self, folder: Path) -> None:
        self.install = Install(folder / "data")
        self.port = a_free_port()
        self.install.set(API__PORT=str(self.port), API__STREAM_SECONDS="0.5")
        self.install.ok("db", "migrate")
        self.install.ada()
        self._log = folder / "log"
        self._started: list[subprocess.Popen[str]] = []

    async def start(self, *arguments: str) -> "subprocess.Popen[str]":
        """Start a command, and wait until the API answers."""
        with self._log.open("a") as log:
            self._started.append(self.install.start(*arguments, stderr=log.fileno()))
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}") as client:
            while not await _answers(client):
                assert self._started[-1].poll() is None, self._log.read_text()
                await asyncio.sleep(0.05)
        return self._started[-1]

    async def ok(self, *arguments: str) -> str:
        """What a command says; asserts that it ended well."""
        ended = await asyncio.to_thread(self.install.process, *arguments)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout.strip()

    def end(self) -> None:
        for process in self._started:
            process.kill()
            process.communicate()


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Real]:
    """The real thing; nothing is started yet."""
    install = Real(tmp_path)
    yield install
    install.end()


async def test_a_crawl_a_sweep_and_a_deletion_are_seen_to_their_ends(
    browser: Browser, real: Real, tmp_path: Path
) -> None:
    real.install.set(WORKER__POLL_SECONDS="0.2")
    photos = tmp_path / "photos"
    for number in range(30):
        written(photos / f"{number}.jpg", a_jpeg((800, 600), comment=str(number)))
    await real.start("up", "--photos", str(photos))

    page = await signed_in(browser, real)

    row = page.locator("main tbody tr").filter(has_text="Crawl")
    await expect(row.filter(has_text="Succeeded")).to_contain_text("30 new", timeout=PATIENCE_MS)
    await page.get_by_role("link", name="Crawl").click()
    await expect(page.get_by_role("region", name="Result")).to_contain_text("found 30")
    assert str(photos) not in await page.content()

    orphan = an_orphan(real.install.data / "proxies")
    await page.get_by_role("link", name="Work queue").click()
    await page.get_by_role("button", name="Ask for work").click()
    await page.get_by_role("dialog").get_by_role("button", name="Proxy sweep").click()
    await page.get_by_role("link", name="Proxy sweep").click()
    await page.get_by_role("checkbox", name=f"Select {SHARD}/").check(timeout=PATIENCE_MS)
    await page.get_by_role("button", name="Delete 1 selected (5 B)").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete 1 file").click()
    await page.get_by_role("link", name="Proxy deletion").click()

    await expect(page.get_by_role("region", name="Result")).to_contain_text("deleted 1", timeout=PATIENCE_MS)
    assert not orphan.exists()


async def test_a_crawl_that_runs_is_stopped_and_says_that_it_is_partial(
    browser: Browser, real: Real, tmp_path: Path
) -> None:
    photos = tmp_path / "photos"
    for number in range(600):
        written(photos / f"{number}.jpg", a_jpeg((800, 600), comment=str(number)))
    await real.start("up", "--photos", str(photos))
    page = await signed_in(browser, real)
    row = page.locator("main tbody tr").filter(has_text="Crawl")
    await expect(row.get_by_role("progressbar")).to_be_visible(timeout=PATIENCE_MS)

    await row.get_by_role("button", name="Cancel").click()
    await page.get_by_role("dialog").get_by_role("button", name="Stop it").click()

    await expect(row).to_contain_text("Cancelled · partial", timeout=PATIENCE_MS)


async def test_a_restart_of_the_api_loses_nothing(browser: Browser, real: Real, tmp_path: Path) -> None:
    library = await a_library(real, tmp_path)
    first = await real.start("api")
    page = await signed_in(browser, real)
    await expect(page.locator("#waiting tbody tr")).to_have_count(1)

    first.terminate()
    assert await asyncio.to_thread(first.wait) == 0
    await real.ok("crawl", library)
    await real.start("api")

    await expect(page.locator("#waiting tbody tr")).to_have_count(2, timeout=PATIENCE_MS)
    await expect(page.get_by_text("Live", exact=True)).to_be_visible()


async def test_a_library_that_goes_takes_its_rows_with_it(
    browser: Browser, real: Real, tmp_path: Path
) -> None:
    library = await a_library(real, tmp_path)
    await real.start("api")
    page = await signed_in(browser, real)
    await expect(page.locator("#waiting tbody tr")).to_have_count(1)

    await real.ok("configs", "remove", library, "--yes")

    await expect(page.get_by_text("Nothing has run yet.")).to_be_visible(timeout=PATIENCE_MS)


async def test_libraries_are_added_crawled_and_removed_on_the_page(
    browser: Browser, real: Real, tmp_path: Path
) -> None:
    (tmp_path / "secret").mkdir()
    await real.start("api")
    page = await signed_in(browser, real)

    await page.get_by_role("link", name="Libraries").click()
    await page.get_by_role("button", name="Add a library").click()
    await page.get_by_label("Folder, as workers see it").fill("not/absolute")
    await page.get_by_role("button", name="Add it").click()
    await expect(page.get_by_role("dialog").get_by_role("alert")).not_to_be_empty()
    await page.get_by_label("Folder, as workers see it").fill(str(tmp_path / "secret"))
    await page.get_by_role("button", name="Add it").click()
    await expect(page.locator("main tbody tr")).to_contain_text("Active")
    await page.get_by_role("button", name="Crawl now").click()
    await expect(page.locator("#said")).to_have_text("One is already waiting, so no second one was added.")
    assert "secret" not in await page.content()
    await page.get_by_role("button", name="Remove: ").click()
    await page.get_by_role("dialog").get_by_role("button", name="Remove it").click()

    await expect(page.locator("#said")).to_have_text("Removed, with 1 work item.")
    await expect(page.get_by_text("There is no library yet.")).to_be_visible()


async def test_a_waiting_item_is_cancelled_in_one_tab_and_seen_in_the_other(
    browser: Browser, real: Real, tmp_path: Path
) -> None:
    await a_library(real, tmp_path)
    await real.start("api")
    first = await signed_in(browser, real)
    second = await first.context.new_page()
    await second.goto(first.url)
    await expect(second.locator("#waiting tbody tr")).to_have_count(1)

    await first.get_by_role("button", name="Cancel Crawl").click()

    for page in (first, second):
        await expect(page.locator("main tbody tr")).to_contain_text("Never started", timeout=PATIENCE_MS)


def an_orphan(proxies: Path) -> Path:
    """A file that looks like a proxy and is nobody's, old enough to be judged."""
    orphan = proxies / SHARD / f"7d0c1111-0000-7000-8000-0000003f2a9c-{SHARD}{'0' * 62}" / "preview.jpg"
    orphan.parent.mkdir(parents=True)
    orphan.write_bytes(b"stray")
    os.utime(orphan, (LONG_AGO, LONG_AGO))
    return orphan


async def a_library(real: Real, folder: Path) -> str:
    """A library of Ada's whose first crawl waits; its id."""
    (folder / "photos").mkdir()
    return await real.ok("configs", "add", "ada", str(folder / "photos"))


async def _answers(client: httpx.AsyncClient) -> bool:
    try:
        return (await client.get(LIFE)).status_code == HTTPStatus.OK
    except httpx.TransportError:
        return False


async def signed_in(browser: Browser, real: Real) -> Page:
    context = await browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    await page.goto(f"http://127.0.0.1:{real.port}/")
    await page.get_by_label("Name or e-mail address").fill("ada@photos.example")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await expect(page.get_by_text("Live", exact=True)).to_be_visible(timeout=PATIENCE_MS)
    return page
