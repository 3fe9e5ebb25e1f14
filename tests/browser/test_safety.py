"""Whatever stands in an item is text, and the browser would refuse what is not."""

import httpx
import pytest
from playwright.async_api import expect

from tests.browser.builders import a_finished, a_running, an_item, progress
from tests.browser.conftest import OpenPage
from tests.browser.fake_api import LIBRARY, FakeApi
from tests.browser.waiting import until_live

pytestmark = pytest.mark.asyncio(loop_scope="session")

MARKUP = "<img src=x onerror=alert(1)>\u202e&amp;<b>bold</b>"


async def test_markup_in_every_text_is_shown_as_text(open_page: OpenPage, api: FakeApi) -> None:
    api.libraries[0]["owner"] = MARKUP
    hostile = {"kind": MARKUP, "claimedBy": MARKUP, "requestedBy": MARKUP, "progress": progress(1, 2, MARKUP)}
    api.put(a_running(**hostile), tell=False)
    api.put(an_item(**hostile, runAfter="2099-01-01T00:00:00.000Z", error=MARKUP), tell=False)
    failed = api.put(
        a_finished(
            "failed",
            **hostile,
            error=MARKUP,
            errorCode=MARKUP,
            payload={MARKUP: MARKUP},
            attempts=[
                {
                    "attempt": 1,
                    "claimedBy": MARKUP,
                    "startedAt": "2026-11-29T14:00:00.000Z",
                    "endedAt": "2026-11-29T14:00:01.000Z",
                    "how": MARKUP,
                    "error": MARKUP,
                    "errorCode": MARKUP,
                }
            ],
        ),
        tell=False,
    )
    finished = api.put(a_finished(kind=MARKUP, result={MARKUP: MARKUP, "found": 1}), tell=False)
    api.workers.append(
        {
            "name": MARKUP,
            "userId": None,
            "version": MARKUP,
            "slots": 1,
            "startedAt": "2026-11-29T14:00:00.000Z",
            "lastSeenAt": "2026-11-29T14:00:00.000Z",
        }
    )
    page = await open_page()
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))

    for path, times in (
        ("work-items", 10),
        ("workers", 2),
        ("libraries", 1),
        (f"work-items/{failed['id']}", 8),
        (f"work-items/{finished['id']}", 4),
    ):
        await page.goto(page.url.partition("/admin")[0] + f"/admin/{path}")
        await until_live(api)
        for closed in await page.locator("details").all():
            await closed.locator("summary").click()
        await expect(page.locator("main")).to_contain_text("<img src=x onerror=alert(1)>")
        shown = (await page.locator("main").inner_text()).count("<b>bold</b>")
        assert (shown >= times, await page.locator("main img, main b:text('bold')").count()) == (True, 0), (
            path
        )
    assert dialogs == []


async def test_the_policy_is_there_and_is_strict(address: str) -> None:
    async with httpx.AsyncClient(base_url=address) as client:
        shell = await client.get("/admin/work-items/whatever")

    assert shell.headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types lit-html"
    )
    assert shell.headers["Cache-Control"] == "no-cache"
    assert shell.headers["X-Content-Type-Options"] == "nosniff"
    assert shell.headers["Referrer-Policy"] == "no-referrer"
    assert "<script>" not in shell.text
    assert "style=" not in shell.text


async def test_a_script_that_the_policy_does_not_know_is_refused_and_noticed(
    open_page: OpenPage, api: FakeApi
) -> None:
    page = await open_page()
    await until_live(api)

    await page.evaluate(
        "document.body.append(Object.assign(document.createElement('style'), {textContent: '*{}'}))"
    )

    # Emptied again, as the end of every test asks for none.
    refused = await page.evaluate("window.refusedByPolicy.splice(0)")
    assert len(refused) == 1
    assert refused[0].startswith("style-src-elem: inline")


async def test_the_address_of_a_library_is_no_way_to_its_folder(open_page: OpenPage, api: FakeApi) -> None:
    api.libraries[0]["rootPath"] = "/photos/secret"
    page = await open_page(f"/admin/work-items?storageConfigId={LIBRARY}")
    await until_live(api)

    assert "secret" not in await page.content()
