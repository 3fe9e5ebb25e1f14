"""Files that were moved or renamed: the same content, gone from one path and new at another."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from domain.media.asset import KnownAsset
from domain.media.content import ContentHash
from domain.media.file import FoundFile, RelativePath, folder_of


@dataclass(frozen=True, slots=True)
class Arrival:
    """A file at a path that no asset has, and its content."""

    file: FoundFile
    content: ContentHash


@dataclass(frozen=True, slots=True)
class Move:
    """A gone asset is this file now."""

    asset: KnownAsset
    to: FoundFile


def moves(gone: Iterable[KnownAsset], arrivals: Iterable[Arrival]) -> tuple[Move, ...]:
    """Which gone assets have arrived elsewhere; each becomes one file at most, and each file one asset.

    Where several could be meant, a file of the same name is, then one in the same folder, then whichever comes
    first by its path; what went just now comes before what has been gone for longer. So equal folders
    give equal moves.
    """
    arrived: dict[ContentHash, list[Arrival]] = defaultdict(list)
    for arrival in sorted(arrivals, key=lambda arrival: arrival.file.path):
        arrived[arrival.content].append(arrival)
    left: dict[ContentHash, list[KnownAsset]] = defaultdict(list)
    for asset in sorted(gone, key=lambda asset: (asset.is_gone, asset.path)):
        if asset.content in arrived:
            left[asset.content].append(asset)
    return tuple(move for content, assets in left.items() for move in _matched(assets, arrived[content]))


def _matched(assets: Sequence[KnownAsset], arrivals: Sequence[Arrival]) -> Iterable[Move]:
    """Matches within one content, by the strongest resemblance first."""
    waiting = {arrival.file.path: arrival for arrival in arrivals}
    for resemblance in RESEMBLANCES:
        by_key: dict[bytes, deque[Arrival]] = defaultdict(deque)
        for arrival in waiting.values():
            by_key[resemblance(arrival.file.path)].append(arrival)
        unmatched = []
        for asset in assets:
            if like := by_key[resemblance(asset.path)]:
                file = like.popleft().file
                del waiting[file.path]
                yield Move(asset, file)
            else:
                unmatched.append(asset)
        assets = unmatched


def _name(path: RelativePath) -> bytes:
    return path.rpartition(b"/")[2]


def _nothing(_: RelativePath) -> bytes:
    return b""


RESEMBLANCES: Final[tuple[Callable[[RelativePath], bytes], ...]] = (_name, folder_of, _nothing)
