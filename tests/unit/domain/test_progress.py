"""A bad report must not break a heartbeat (R28)."""

import pytest

from domain.progress import NO_PROGRESS, Progress, bounded_progress

LARGEST = 9_007_199_254_740_991


@pytest.mark.parametrize(
    ("done", "total", "expected"),
    [
        (0, None, (0, None)),
        (4, 8, (4, 8)),
        (9, 8, (9, 8)),
        (-1, -5, (0, 0)),
        (2**53, 2**64, (LARGEST, LARGEST)),
        (LARGEST, LARGEST, (LARGEST, LARGEST)),
    ],
)
def test_counts_are_brought_into_range(
    done: int, total: int | None, expected: tuple[int, int | None]
) -> None:
    progress = bounded_progress(done, total, "")

    assert (progress.done, progress.total) == expected


def test_a_note_is_cleaned_and_cut() -> None:
    assert bounded_progress(1, None, "a\0b").note == "a\ufffdb"
    assert bounded_progress(1, None, "x" * 201).note == "x" * 199 + "…"
    assert bounded_progress(1, None, "x" * 200).note == "x" * 200


@pytest.mark.parametrize(("done", "total"), [(-1, None), (LARGEST + 1, None), (0, -1), (0, LARGEST + 1)])
def test_a_progress_out_of_range_cannot_be_made(done: int, total: int | None) -> None:
    with pytest.raises(ValueError, match=r"progress (done|total) must be from 0 to 9007199254740991"):
        Progress(done, total)


def test_nothing_done_of_an_unknown_total_is_where_a_run_starts() -> None:
    assert Progress(done=0, total=None, note="") == NO_PROGRESS
