"""What every store promises of the halves of Live Photos."""

from dataclasses import replace

from application.ports.media_library import Vanished
from domain.media.asset import MediaAsset
from domain.media.content import MediaType
from domain.media.file import RelativePath
from domain.media.live_photo import PairCandidate, Pairing
from tests.contracts.shelves import SECOND_CRAWL, Shelf, a_bare_asset, an_asset


class LivePhotosContract:
    """An adapter's test supplies `shelf`."""

    async def test_candidates_are_films_and_what_has_their_key(self, shelf: Shelf) -> None:
        still, film = await a_still(shelf, b"a/IMG_1.HEIC"), await a_film(shelf, b"a/img_1.mov")
        await a_still(shelf, b"a/IMG_2.HEIC")
        await a_still(shelf, b"b/IMG_1.HEIC")

        found = await shelf.live_photos.candidates(shelf.config)

        assert sorted(found, key=lambda candidate: candidate.path) == [
            PairCandidate(
                id=still.id,
                path=still.path,
                media_type=MediaType.HEIC,
                captured=still.captured,
                content_identifier="8A5E6B3C-0001",
                is_gone=False,
                paired_with=None,
            ),
            PairCandidate(
                id=film.id,
                path=film.path,
                media_type=MediaType.QUICKTIME,
                captured=None,
                content_identifier="",
                is_gone=False,
                paired_with=None,
            ),
        ]
        assert await shelf.live_photos.candidates(shelf.other_config) == ()

    async def test_pairs_are_kept_and_parted(self, shelf: Shelf) -> None:
        still, film = await a_still(shelf, b"1.heic"), await a_film(shelf, b"1.mov")

        await shelf.live_photos.pair(shelf.config, [Pairing(still.id, film.id), Pairing(film.id, still.id)])

        assert await shelf.stored(still.path) == replace(still, paired_with=film.id)
        assert await shelf.stored(film.path) == replace(film, paired_with=still.id)

        await shelf.live_photos.pair(shelf.config, [Pairing(still.id, None)])
        await shelf.live_photos.pair(shelf.config, [])

        assert await shelf.stored(still.path) == still
        assert (await shelf.stored(film.path)).paired_with == still.id

    async def test_what_is_paired_stays_a_candidate_when_its_half_is_gone(self, shelf: Shelf) -> None:
        still, film = await a_still(shelf, b"1.heic"), await a_film(shelf, b"1.mov")
        await shelf.live_photos.pair(shelf.config, [Pairing(still.id, film.id), Pairing(film.id, still.id)])

        await shelf.library.change(shelf.config, [Vanished(film.known)], at=SECOND_CRAWL)

        found = {one.id: one.is_gone for one in await shelf.live_photos.candidates(shelf.config)}
        assert found == {still.id: False, film.id: True}

    async def test_storing_new_content_parts_nothing(self, shelf: Shelf) -> None:
        still, film = await a_still(shelf, b"1.heic"), await a_film(shelf, b"1.mov")
        await shelf.live_photos.pair(shelf.config, [Pairing(still.id, film.id), Pairing(film.id, still.id)])

        await shelf.library.store(replace(a_bare_asset(shelf.config, still.path), media_type=MediaType.HEIC))

        assert (await shelf.stored(still.path)).paired_with == film.id


async def a_still(shelf: Shelf, path: bytes) -> MediaAsset:
    asset = replace(an_asset(shelf.config, RelativePath(path)), media_type=MediaType.HEIC)
    await shelf.library.store(asset)
    return asset


async def a_film(shelf: Shelf, path: bytes) -> MediaAsset:
    asset = a_bare_asset(shelf.config, RelativePath(path))
    await shelf.library.store(asset)
    return asset
