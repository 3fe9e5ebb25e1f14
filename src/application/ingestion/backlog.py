"""Files that wait to be read, and the few that are read at a time."""

import asyncio
import logging
from typing import Final

from application.ingestion.failure_book import FailureBook
from application.ingestion.overseer import Overseer
from application.ingestion.step import Failed, FileOutcome, Step, WantedFile
from application.ports.errors import PortError, StoreRefused
from domain.media.failure import FailureReason

MOST_WAITING: Final = 50_000
"""The walk may run this far ahead, so that a crawl soon knows its total; about 20 MB."""

log = logging.getLogger(__name__)


class Backlog:
    """Passes files to the first step, a bounded number side by side.

    A file that makes a step fail in a way nobody foresaw is counted as failed. What concerns every file
    (a store that is away, a full disk) leaves `work` as an exception.
    """

    def __init__(self, first: Step[WantedFile], overseer: Overseer, book: FailureBook) -> None:
        """Take the first step of every file's way."""
        self._first = first
        self._overseer = overseer
        self._book = book
        self._waiting: asyncio.Queue[WantedFile | None] = asyncio.Queue(MOST_WAITING)

    async def add(self, file: WantedFile) -> None:
        """Let a file wait; blocks while too many do."""
        await self._waiting.put(file)

    async def close(self) -> None:
        """No file follows: every `work` returns when all that wait are done."""
        await self._waiting.put(None)

    async def work(self) -> None:
        """Take file after file. Once a stop is requested the rest is dropped."""
        while (file := await self._waiting.get()) is not None:
            if self._overseer.stop_requested:
                self._overseer.note_interruption()
            else:
                outcome = await self._outcome(file)
                await self._book.note((file, outcome))
                self._overseer.count(outcome)
        # The end mark is for every worker: whoever takes it puts it back for the next.
        self._waiting.put_nowait(None)

    async def _outcome(self, file: WantedFile) -> FileOutcome:
        try:
            return await self._first.take(file)
        except StoreRefused:
            log.debug("the store refused the content of a file", exc_info=True)
        except PortError:
            raise
        except Exception as error:
            # Its text may hold a name, its type cannot.
            log.warning("a file failed unforeseen: %s", type(error).__name__)
            log.debug("the trace of that failure", exc_info=True)
        return Failed(FailureReason.INTERNAL)
