"""The folder of proxies, for whoever tidies it up."""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from application.ports.errors import PortError
from domain.media.proxy_path import ProxyPath


class ProxiesUnreadable(PortError):  # noqa: N818 -- reads as the state it names
    """The proxies folder cannot be looked at: not there, or not allowed. Its text names no path."""


@dataclass(frozen=True, slots=True)
class SeenProxy:
    """A regular file with the name of a proxy, or of one that is being written."""

    path: ProxyPath
    size: int
    modified_at: datetime


@dataclass(frozen=True, slots=True)
class FolderPart:
    """Some files of the folder, and how many others were met whose names are no proxy's."""

    proxies: tuple[SeenProxy, ...]
    foreign: int


@dataclass(frozen=True, slots=True)
class FileDeleted:
    """It was there and is not any more."""

    size: int


@dataclass(frozen=True, slots=True)
class FileGone:
    """Nothing is at its path."""


@dataclass(frozen=True, slots=True)
class FileStuck:
    """It could not be deleted: a read-only folder, or a broken disk. Another try may; `why` names no path."""

    why: str


class KeptBecause(StrEnum):
    """Why a file was left where it is."""

    KNOWN = "known"
    TOO_YOUNG = "too-young"
    NOT_A_FILE = "not-a-file"


FileFate = FileDeleted | FileGone | FileStuck | KeptBecause


class ProxyFolder(Protocol):
    """Lists the proxies that there are, and deletes some. Never follows a link, wherever one stands."""

    def walk(self) -> AsyncIterator[FolderPart]:
        """Every file, in parts of bounded size, however many there are.

        Links, folders in the place of files and other things that are no regular files count as foreign. A root that
        is not there is empty, and so is a folder that goes while it is being listed. Raises `ProxiesUnreadable`
        where the root, or any folder in it, cannot be listed: half a list would be a wrong one.
        """
        ...

    async def absent(self, paths: Collection[str]) -> frozenset[str]:
        """Those of these paths at which no regular file is. Raises `ProxiesUnreadable` where that cannot be told, and without a root."""
        ...

    async def delete(self, paths: Sequence[ProxyPath], *, before: datetime) -> tuple[FileFate, ...]:
        """Delete those that are regular files and were last modified before this instant; the fate of each, in order.

        Each is looked at again right before it is deleted, from folders that are held open from the root on. A
        folder that this empties goes, too. What cannot be deleted keeps none of the others.
        """
        ...
