"""How far a run has come, as its latest heartbeat told."""

from dataclasses import dataclass

from domain.text import clean_text

LARGEST_COUNT = 2**53 - 1
"""The largest whole number that every JSON reader keeps exact."""

LARGEST_NOTE = 200
"""Characters of a progress note."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Work done out of a total. `total` is None while it is unknown; the note holds counts, never names."""

    done: int = 0
    total: int | None = None
    note: str = ""

    def __post_init__(self) -> None:
        """Refuse what no store could keep alike."""
        if not 0 <= self.done <= LARGEST_COUNT:
            raise ValueError(f"progress done must be from 0 to {LARGEST_COUNT}, not {self.done}")
        if self.total is not None and not 0 <= self.total <= LARGEST_COUNT:
            raise ValueError(f"progress total must be from 0 to {LARGEST_COUNT}, not {self.total}")


NO_PROGRESS = Progress()


def bounded_progress(done: int, total: int | None, note: str) -> Progress:
    """Progress made of whatever a handler reported: counts clamped, note cleaned, never an error.

    A bad report must not break a heartbeat (R28).
    """
    return Progress(
        done=_clamped(done),
        total=None if total is None else _clamped(total),
        note=clean_text(note, longest=LARGEST_NOTE),
    )


def _clamped(count: int) -> int:
    return max(0, min(count, LARGEST_COUNT))
