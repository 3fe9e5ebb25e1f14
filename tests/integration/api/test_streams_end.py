"""A stream ends when its token does, or its user's role, and says so; the next one goes on without a gap."""

from datetime import UTC, datetime, timedelta

from httpx_sse import aconnect_sse

from tests.support.feeds import an_item
from tests.support.serving_here import an_api_here
from tests.support.streaming import STREAM, Stream, a_client
from tests.support.web import bearing, signed_as


async def test_a_token_that_ends_is_told_and_the_next_one_goes_on_where_it_was() -> None:
    async with an_api_here() as here, a_client() as client:
        url = f"http://127.0.0.1:{here.port}{STREAM}"
        ends_soon = bearing(signed_as(here.admins[0], {"exp": datetime.now(UTC) + timedelta(seconds=3)}))
        async with aconnect_sse(client, "GET", url, headers=ends_soon) as source:
            stream = Stream(source)
            await stream.until("sync")
            known = stream.id
            told = await stream.rest()
        missed = an_item()
        here.feed.change(missed)

        refused = await client.get(url, headers=ends_soon)
        again = {**here.headers(), "Last-Event-ID": known}
        async with aconnect_sse(client, "GET", url, headers=again) as source:
            later = await Stream(source).until_told_of(missed.id)

    assert [(event.name, event.data) for event in told] == [
        ("bye", {"reason": "token-expired", "retryMs": 0})
    ]
    assert refused.status_code == 401
    assert later[0].data["resumed"] is True
    assert here.hub.stats.ends["token-expired"] == 1


async def test_nothing_of_a_stream_is_compressed_whatever_its_client_would_take() -> None:
    async with an_api_here() as here, a_client() as client:
        wants = {**here.headers(), "Accept-Encoding": "gzip, br, zstd"}
        url = f"http://127.0.0.1:{here.port}{STREAM}"
        async with aconnect_sse(client, "GET", url, headers=wants) as source:
            assert (await Stream(source).next()).name == "hello"
            assert "Content-Encoding" not in source.response.headers
            assert source.response.headers["Transfer-Encoding"] == "chunked"
