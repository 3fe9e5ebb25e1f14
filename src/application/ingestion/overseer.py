"""What the outside learns of a crawl while it runs, and may ask of it."""

from collections.abc import Callable
from typing import Protocol

from application.ingestion.step import FileOutcome
from application.ingestion.tally import Tally


class StopSignal(Protocol):
    """Says whether a crawl should end early."""

    @property
    def requested(self) -> bool:
        """Looked at before each file."""
        ...


class Overseer:
    """Counts outcomes, tells each count, and remembers whether anything was left undone on request."""

    def __init__(self, stop: StopSignal, report: Callable[[Tally], None]) -> None:
        """Take `report`, which is called often and must be quick."""
        self._stop = stop
        self._report = report
        self.tally = Tally()
        self.was_interrupted = False

    @property
    def stop_requested(self) -> bool:
        """Whether no further file should be begun."""
        return self._stop.requested

    def note_interruption(self) -> None:
        """Something was left undone because of the stop."""
        self.was_interrupted = True

    def found(self, files: int) -> None:
        """Count what the walk met."""
        self.tally.found += files
        self._report(self.tally)

    def found_all(self) -> None:
        """The walk is over."""
        self.tally.walk_is_over = True
        self._report(self.tally)

    def count(self, outcome: FileOutcome, times: int = 1) -> None:
        """Count what became of files."""
        if times:
            self.tally.count(outcome, times)
            self._report(self.tally)

    def lost(self, assets: int) -> None:
        """Count assets whose files are gone."""
        self.tally.missing += assets
        self._report(self.tally)
