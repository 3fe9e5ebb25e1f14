"""Snapshots as cursors: every text is read without an exception, and a short one never claims to know more."""

import re
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.sql.snapshots import (
    LONGEST,
    Snapshot,
    SnapshotCursor,
    Span,
    Standing,
    lost,
    snapshot_cursor,
)
from domain.feed import CursorLost, Epoch, Lost, NoCursor

EPOCH = Epoch("0a1b2c3d")


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    """Any that PostgreSQL could have, with up to 60 open transactions."""
    first = draw(st.integers(3, 10**17))
    steps = draw(st.lists(st.integers(1, 10**6), max_size=60))
    places = tuple(accumulate(steps, initial=first))
    return Snapshot(first, places[-1], places[:-1]) if steps else Snapshot(first, first)


@given(snapshots())
def test_a_cursor_is_short_and_never_knows_more_than_its_snapshot(snapshot: Snapshot) -> None:
    text = SnapshotCursor(EPOCH, snapshot).text

    read = snapshot_cursor(text)

    assert re.fullmatch(r"[0-9A-Za-z._-]{1,120}", text)
    assert isinstance(read, SnapshotCursor)
    assert read.epoch == EPOCH
    probes = {snapshot.xmin - 1, snapshot.xmax - 1, snapshot.xmax, snapshot.xmax + 1, *snapshot.open}
    assert all(snapshot.sees(xid) for xid in probes if read.snapshot.sees(xid))
    if len(text) < LONGEST - 20:
        assert read.snapshot == snapshot


@given(snapshots())
def test_a_snapshot_is_written_as_postgresql_writes_it(snapshot: Snapshot) -> None:
    assert Snapshot.of(str(snapshot)) == snapshot


@given(
    st.text(max_size=150)
    | st.from_regex(r"[0-9a-z]{8}(\.[0-9]{1,25}){0,4}(-[0-9]{1,20}){0,3}", fullmatch=True)
)
def test_any_text_is_a_cursor_or_none(text: str) -> None:
    read = snapshot_cursor(text)

    if isinstance(read, SnapshotCursor):
        assert 0 < read.snapshot.xmin <= read.snapshot.xmax < 2**63
        assert Snapshot.of(str(read.snapshot)) == read.snapshot


def test_what_a_snapshot_does_not_see_are_the_open_and_all_from_its_end_on() -> None:
    assert Snapshot(100, 110, (100, 104)).unseen() == (Span(100, 100), Span(104, 104), Span(110, 2**63 - 1))


@pytest.mark.parametrize(
    "text",
    [
        "0a1b2c3d.0.5",
        "0a1b2c3d.6.5",
        "0a1b2c3d.5.9.4-3",
        "0a1b2c3d.5.9.1-1",
        "0a1b2c3d.5.9.4",
        "0a1b2c3d.5.9.",
        "0a1b2c3d.5.9.-1",
        "0A1B2C3D.5.9",
    ],
)
def test_numbers_that_no_snapshot_can_have_are_no_cursor(text: str) -> None:
    assert snapshot_cursor(text) == NoCursor()


@pytest.mark.parametrize(
    ("before", "now", "purged", "why"),
    [
        (Snapshot(10, 10), Snapshot(10, 10), 0, None),
        (Snapshot(10, 10), Snapshot(20, 20), 9, None),
        (Snapshot(10, 10), Snapshot(20, 20), 10, Lost.EXPIRED),
        (Snapshot(21, 21), Snapshot(20, 20), 0, Lost.INVALID),
        # Open still: it has written nothing that could have been purged.
        (Snapshot(5, 10, (5,)), Snapshot(5, 20, (5,)), 9, None),
        (Snapshot(5, 10, (5,)), Snapshot(20, 20), 9, Lost.EXPIRED),
        (Snapshot(5, 10, (5,)), Snapshot(20, 20), 4, None),
    ],
)
def test_a_cursor_is_judged_by_how_far_the_database_is(
    before: Snapshot, now: Snapshot, purged: int, why: Lost | None
) -> None:
    standing = Standing(EPOCH, now, purged)

    judged = lost(SnapshotCursor(EPOCH, before), standing)

    assert judged == (None if why is None else CursorLost(why, standing.cursor))
