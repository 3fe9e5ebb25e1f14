"""What every store promises about the proxies that its rows know."""

from dataclasses import replace
from typing import Final

import pytest

from application.ports.known_proxies import KnownProxy
from application.ports.media_library import Vanished
from domain.media.file import RelativePath
from domain.media.proxy import ProxyFile, ProxyKind
from tests.contracts.shelves import SECOND_CRAWL, an_asset
from tests.support.sweeping import Sweeping

ALIKE: Final = (
    "a",
    "A",
    "a-b",
    "a.b",
    "a/b",
    "ab",
    "a b",
    "A/b",
    "-",
    ".",
    "/",
    "_",
    "Z",
    "z",
    "0",
    "\N{LATIN SMALL LETTER E WITH ACUTE}",
    "e",
    "f",
)
"""What collations put in different orders, or take for nearly the same."""


async def all_in(place: Sweeping, *, limit: int) -> list[KnownProxy]:
    """Everything, page by page."""
    read: list[KnownProxy] = []
    after: str | None = None
    while some := await place.known_proxies.page(after=after, limit=limit):
        assert len(some) <= limit
        read += some
        after = some[-1].path
    return read


class KnownProxiesContract:
    """A file is known if any row names it."""

    async def test_a_library_of_nothing_knows_nothing(self, place: Sweeping) -> None:
        assert await place.known_proxies.page(after=None, limit=10) == ()
        assert await place.known_proxies.among(["a"]) == frozenset()

    async def test_those_that_a_row_names_are_told_from_others(self, place: Sweeping) -> None:
        await place.put_known(await place.house.a_config(), "00/a.jpg", "00/b.jpg")

        assert await place.known_proxies.among(["00/a.jpg", "00/A.jpg", "00/a.jpg/", "00/a"]) == {"00/a.jpg"}
        assert await place.known_proxies.among([]) == frozenset()

    async def test_thousands_are_looked_up_at_once(self, place: Sweeping) -> None:
        paths = [f"00/{number}.jpg" for number in range(5_000)]
        await place.put_known(await place.house.a_config(), paths[0], paths[2_500], paths[-1])

        assert await place.known_proxies.among(paths) == {"00/0.jpg", "00/2500.jpg", "00/4999.jpg"}

    @pytest.mark.parametrize("limit", [1, 4, 100])
    async def test_pages_lose_and_repeat_nothing_whatever_the_order_is(
        self, place: Sweeping, limit: int
    ) -> None:
        await place.put_known(await place.house.a_config(), *ALIKE)

        read = [proxy.path for proxy in await all_in(place, limit=limit)]

        assert sorted(read) == sorted(ALIKE)

    async def test_a_page_tells_size_and_owner_of_each(self, place: Sweeping) -> None:
        ada, bob = await place.house.a_config(), await place.house.a_config()
        await place.put_known(ada, "00/a.jpg", size=2**40)
        await place.put_known(bob, "00/b.jpg", size=0)

        assert await all_in(place, limit=10) == [
            KnownProxy("00/a.jpg", 2**40, ada),
            KnownProxy("00/b.jpg", 0, bob),
        ]

    async def test_all_proxies_of_an_asset_are_known(self, place: Sweeping) -> None:
        config = await place.house.a_config()
        await place.library.store(an_asset(config))

        assert await all_in(place, limit=1) == [
            KnownProxy("01/a/preview.jpg", 400_000, config),
            KnownProxy("01/a/thumbnail.jpg", 12_000, config),
        ]

    async def test_what_copies_share_is_there_once(self, place: Sweeping) -> None:
        config = await place.house.a_config()
        await place.put_known(config, *["00/a.jpg"] * 7, "00/b.jpg")

        assert await all_in(place, limit=2) == [
            KnownProxy("00/a.jpg", 12_000, config),
            KnownProxy("00/b.jpg", 12_000, config),
        ]
        assert await place.known_proxies.among(["00/a.jpg"]) == {"00/a.jpg"}

    async def test_those_of_an_inactive_config_count(self, place: Sweeping) -> None:
        config = await place.house.a_config()
        await place.put_known(config, "00/a.jpg")

        await place.house.pokes.deactivate(config)

        assert await place.known_proxies.among(["00/a.jpg"]) == {"00/a.jpg"}
        assert [proxy.path for proxy in await all_in(place, limit=10)] == ["00/a.jpg"]

    async def test_those_of_files_that_are_gone_count(self, place: Sweeping) -> None:
        config = await place.house.a_config()
        asset = replace(
            an_asset(config, RelativePath(b"beach.jpg")),
            proxies=(ProxyFile(ProxyKind.PREVIEW, "00/a.jpg", size=1, width=2, height=2),),
        )
        await place.library.store(asset)

        await place.library.change(config, [Vanished(asset.known)], at=SECOND_CRAWL)

        assert await place.known_proxies.among(["00/a.jpg"]) == {"00/a.jpg"}
        assert await all_in(place, limit=10) == [KnownProxy("00/a.jpg", 1, config)]

    async def test_those_of_a_removed_config_do_not_count(self, place: Sweeping) -> None:
        leaving, staying = await place.house.a_config(), await place.house.a_config()
        await place.put_known(leaving, "00/a.jpg")
        await place.put_known(staying, "00/b.jpg")

        await place.house.storage_configs.remove(leaving)

        assert await place.known_proxies.among(["00/a.jpg", "00/b.jpg"]) == {"00/b.jpg"}
        assert await all_in(place, limit=10) == [KnownProxy("00/b.jpg", 12_000, staying)]
