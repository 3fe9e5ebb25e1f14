"""Live Photos: a picture and a short film of the same moment, which phones store as two files."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from domain.media.asset import AssetId
from domain.media.capture_date import OF_THE_FILE, CaptureDate
from domain.media.content import MediaType
from domain.media.file import RelativePath

SAME_MOMENT: Final = timedelta(seconds=5)
"""The film begins a moment before the picture, and some phones write down when it ended."""

BETWEEN_CLOCKS: Final = timedelta(hours=26)
"""As far as any two zones of this world are apart."""

STILLS: Final = (MediaType.HEIC, MediaType.JPEG)
"""What a Live Photo's picture may be, the likelier first."""

FILM: Final = MediaType.QUICKTIME


@dataclass(frozen=True, slots=True)
class PairCandidate:
    """As much of an asset as tells what it belongs to, and what it is paired with now."""

    id: AssetId
    path: RelativePath
    media_type: MediaType
    captured: CaptureDate | None
    content_identifier: str
    is_gone: bool
    paired_with: AssetId | None


@dataclass(frozen=True, slots=True)
class Pairing:
    """An asset's other half from now on, or None when it has none any more."""

    asset: AssetId
    half: AssetId | None


def pair_key(path: RelativePath) -> bytes:
    """The same for all files of one folder whose names differ in capitals and in what follows the last dot only."""
    folder, slash, name = path.rpartition(b"/")
    stem = name.rpartition(b".")[0] or name
    try:
        return folder + slash + stem.decode().casefold().encode()
    except UnicodeDecodeError:
        return folder + slash + stem.lower()


def pairings(candidates: Iterable[PairCandidate]) -> tuple[Pairing, ...]:
    """What has to change so that every Live Photo is whole and nothing else is paired."""
    everyone = list(candidates)
    by_key: dict[bytes, list[PairCandidate]] = defaultdict(list)
    for candidate in everyone:
        if not candidate.is_gone:
            by_key[pair_key(candidate.path)].append(candidate)
    halves: dict[AssetId, AssetId] = {}
    for alike in by_key.values():
        halves.update(_halves(sorted(alike, key=lambda candidate: candidate.path)))
    return tuple(
        Pairing(candidate.id, halves.get(candidate.id))
        for candidate in everyone
        if candidate.paired_with != halves.get(candidate.id)
    )


def _halves(alike: Sequence[PairCandidate]) -> Mapping[AssetId, AssetId]:
    """Each half with its other one, among files of one key."""
    halves: dict[AssetId, AssetId] = {}
    for still, film in _couples(alike):
        if still.id not in halves and film.id not in halves:
            halves |= {still.id: film.id, film.id: still.id}
    return halves


def _couples(alike: Sequence[PairCandidate]) -> Iterator[tuple[PairCandidate, PairCandidate]]:
    """Everything that could be a couple, the surest first."""
    films = [candidate for candidate in alike if candidate.media_type is FILM]
    stills = [candidate for kind in STILLS for candidate in alike if candidate.media_type is kind]
    couples = [(still, film) for still in stills for film in films if _may_belong(still, film)]
    yield from sorted(couples, key=lambda couple: not _share_identifier(*couple))


def _may_belong(still: PairCandidate, film: PairCandidate) -> bool:
    if still.content_identifier and film.content_identifier:
        return _share_identifier(still, film)
    apart = _apart(still.captured, film.captured)
    return apart is None or apart <= SAME_MOMENT


def _share_identifier(still: PairCandidate, film: PairCandidate) -> bool:
    return bool(still.content_identifier) and still.content_identifier == film.content_identifier


def _apart(one: CaptureDate | None, other: CaptureDate | None) -> timedelta | None:
    """How far two moments are apart; None where their own contents do not say enough to tell."""
    if one is None or other is None or {one.source, other.source} & OF_THE_FILE:
        return None
    apart = abs(_instant(one) - _instant(other))
    if (one.offset is None) != (other.offset is None):
        # Whose clock one of them shows is not known: no clock explains more than a day, anything less may be one's.
        return apart if apart > BETWEEN_CLOCKS else None
    return apart


def _instant(captured: CaptureDate) -> datetime:
    local = datetime.combine(captured.day, captured.wall_time)
    return local - (captured.offset or timedelta())
