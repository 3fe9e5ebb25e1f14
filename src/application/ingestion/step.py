"""What a step is, what passes between steps, and how the way of one file can end."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from application.ports.file_tree import OpenFile
from application.ports.image_renderer import Identified, Rendered
from application.ports.media_library import Added, Replaced
from domain.ids import StorageConfigId
from domain.media.asset import KnownAsset
from domain.media.capture_date import CaptureDate
from domain.media.failed_file import FailedFile
from domain.media.failure import FailureReason
from domain.media.file import FoundFile

Record_contra = TypeVar("Record_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Folder:
    """The library that is being taken in: a storage config and the root of its files."""

    config: StorageConfigId
    root: str


@dataclass(frozen=True, slots=True)
class Visit:
    """One crawl of a folder: when it began, and what was asked of it."""

    folder: Folder
    began_at: datetime
    verify: bool = False
    accept_removals: bool = False


@dataclass(frozen=True, slots=True)
class WantedFile:
    """A file that must be read: new, changed, or to be verified.

    `earlier` is what its path had before, `failed` how the path failed before.
    """

    found: FoundFile
    earlier: KnownAsset | None
    failed: FailedFile | None = None


@dataclass(frozen=True, slots=True)
class HashedFile:
    """An open file of known content."""

    file: WantedFile
    opened: OpenFile
    identified: Identified


@dataclass(frozen=True, slots=True)
class RenderedFile:
    """A decoded file with its proxies, still in memory."""

    hashed: HashedFile
    rendered: Rendered


@dataclass(frozen=True, slots=True)
class DescribedFile:
    """All that is known of a file; nothing of it is stored yet."""

    hashed: HashedFile
    rendered: Rendered
    captured: CaptureDate | None


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The file's bytes are those that its asset was made of."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The same, of an asset that had been gone: it is back, with its id."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The file was at another path before: its asset has moved along, with its id."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """What becomes of the file is decided when the walk is over."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The file is so young that somebody may still be writing it: the next crawl takes it."""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Nothing for a photo library."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The file stays out, and the others do not suffer from it."""

    reason: FailureReason


FileOutcome = Added | Replaced | Unchanged | Returned | Moved | SetAside | Waiting | PassedOver | Failed


class Step(Protocol[Record_contra]):
    """One stage of the way. It ends the way with an outcome, or passes a richer record to its successor."""

    async def take(self, record: Record_contra) -> FileOutcome:
        """Carry one file as far as it goes from here.

        Raises only what concerns every file, such as a store that is away.
        """
        ...
