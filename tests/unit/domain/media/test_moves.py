import random
from uuid import UUID

from domain.media.asset import AssetId, KnownAsset
from domain.media.content import ContentHash
from domain.media.file import FileSignature, FoundFile, RelativePath
from domain.media.moves import Arrival, moves

SIGNATURE = FileSignature(size=1, mtime_ns=2, ctime_ns=3, inode=4)


def an_asset(path: str, content: str = "a", *, is_gone: bool = False) -> KnownAsset:
    known = RelativePath(path.encode())
    return KnownAsset(AssetId(UUID(int=1)), known, SIGNATURE, a_content(content), is_gone)


def an_arrival(path: str, content: str = "a") -> Arrival:
    return Arrival(FoundFile(RelativePath(path.encode()), SIGNATURE), a_content(content))


def a_content(text: str) -> ContentHash:
    return ContentHash(text.encode().ljust(32))


def moved(gone: list[KnownAsset], arrivals: list[Arrival]) -> dict[str, str]:
    return {move.asset.path.decode(): move.to.path.decode() for move in moves(gone, arrivals)}


def test_equal_content_is_a_move_and_other_content_is_none() -> None:
    assert moved([an_asset("a.jpg")], [an_arrival("b.jpg")]) == {"a.jpg": "b.jpg"}
    assert moved([an_asset("a.jpg", "a")], [an_arrival("b.jpg", "b")]) == {}
    assert moved([], [an_arrival("b.jpg")]) == {}
    assert moved([an_asset("a.jpg")], []) == {}


def test_each_asset_moves_once_and_each_file_is_one_asset() -> None:
    assert moved([an_asset("a.jpg"), an_asset("b.jpg")], [an_arrival("c.jpg")]) == {"a.jpg": "c.jpg"}
    assert moved([an_asset("a.jpg")], [an_arrival("b.jpg"), an_arrival("c.jpg")]) == {"a.jpg": "b.jpg"}


def test_the_same_name_counts_first_then_the_same_folder_then_the_order_of_paths() -> None:
    gone = [an_asset("x/1.jpg"), an_asset("x/2.jpg"), an_asset("x/3.jpg"), an_asset("x/4.jpg")]
    arrivals = [an_arrival("a/0.jpg"), an_arrival("a/3.jpg"), an_arrival("x/9.jpg"), an_arrival("b/0.jpg")]

    assert moved(gone, arrivals) == {
        "x/3.jpg": "a/3.jpg",
        "x/1.jpg": "x/9.jpg",
        "x/2.jpg": "a/0.jpg",
        "x/4.jpg": "b/0.jpg",
    }


def test_what_went_just_now_comes_before_what_has_been_gone_for_longer() -> None:
    gone = [an_asset("a.jpg", is_gone=True), an_asset("b.jpg")]

    assert moved(gone, [an_arrival("c.jpg")]) == {"b.jpg": "c.jpg"}


def test_the_order_in_which_files_are_met_decides_nothing() -> None:
    gone = [an_asset(f"{number % 3}/{number}.jpg", str(number % 2)) for number in range(30)]
    arrivals = [an_arrival(f"{number % 5}/{number + 15}.jpg", str(number % 2)) for number in range(30)]
    expected = moved(gone, arrivals)
    chance = random.Random(7)  # noqa: S311 -- no secret

    for _ in range(20):
        chance.shuffle(gone)
        chance.shuffle(arrivals)
        assert moved(gone, arrivals) == expected


def test_ten_thousand_equal_files_are_matched_quickly() -> None:
    gone = [an_asset(f"x/{number}.jpg") for number in range(10_000)]
    arrivals = [an_arrival(f"y/{number}.png") for number in range(10_000)]

    assert len(moved(gone, arrivals)) == 10_000
