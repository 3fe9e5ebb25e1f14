"""A journal that a test can read."""

from typing import TypeVar

from application.ports.journal import Entry

E = TypeVar("E")


class RecordingJournal:
    """The `Journal` of tests."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def record(self, entry: Entry) -> None:
        self.entries.append(entry)

    def of(self, kind: type[E]) -> list[E]:
        """The entries of one kind, first to last."""
        return [entry for entry in self.entries if isinstance(entry, kind)]
