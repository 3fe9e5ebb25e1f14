"""What could not be taken in, remembered for the library's owner. Its names never leave for the web."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from application.ports.media_library import Stretch
from domain.ids import StorageConfigId
from domain.media.failed_file import FailedFile, RememberedFailure
from domain.media.file import RelativePath


class MediaFailures(Protocol):
    """The failed files of each storage config, one for each path. Every method is one atomic step."""

    async def known(
        self, config: StorageConfigId, stretch: Stretch, *, limit: int
    ) -> tuple[RememberedFailure, ...]:
        """The first `limit` failures of a stretch, in the order of paths, byte by byte."""
        ...

    async def record(self, config: StorageConfigId, failures: Sequence[FailedFile], *, at: datetime) -> None:
        """Remember that these files failed. A path that had failed before keeps the time when it did first."""
        ...

    async def forget(self, config: StorageConfigId, paths: Sequence[RelativePath]) -> None:
        """These are well again, or not there any more."""
        ...
