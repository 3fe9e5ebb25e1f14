"""What a stream says on the wire: one event is one event, whatever stands in it."""

from dataclasses import replace
from typing import Final

from hypothesis import example, given
from hypothesis import strategies as st

from adapters.web.stream_frames import SseFrames
from adapters.web.views.work_items import Limits
from application.ports.stream_frames import Bye, Farewell, Hello, KeepAlive, Overflow, Reset, Synced
from domain.failure import Failure
from domain.feed import Changes, FeedCursor, Lost, Rest
from domain.ids import JsonText, WorkerName
from domain.lease import Lease
from domain.outlook import outlook
from domain.progress import Progress
from domain.scope import AllScopes
from domain.work_item import Failed, LastRun, Queued, Running, Succeeded, WorkItem
from tests.support.clock import START
from tests.support.events import events_of, sse_of
from tests.support.feeds import an_item
from tests.support.listening import GREETING

FRAMES: Final = SseFrames(GREETING, Limits(stall_limit=3), lambda: START)
CURSOR: Final = FeedCursor("k3f9.5247")
ADA: Final = WorkerName("ada")

NASTY: Final = "\n\r\r\n\u2028\u2029\u0085\v\f\x1c\x1d\x1e\0 data: x\n\nevent: bye\ndata: {}\nid: 7\n\n: \N{PARTY POPPER}"


def running(note: str) -> WorkItem:
    """An item that says this of itself."""
    lease = Lease(holder=WorkerName(note), until=START)
    return replace(an_item(kind=note), state=Running(lease, START, Progress(1, 2, note)))


def test_hello_comes_with_the_paces_of_the_install_and_how_soon_to_come_back() -> None:
    frame = FRAMES.frame(Hello(resumed=True))

    assert frame == (
        b"retry: 3000\n"
        b"event: hello\n"
        b'data: {"protocol":1,"serverTime":"2025-03-01T12:00:00.000Z","pollSeconds":2,"keepAliveSeconds":15,'
        b'"heartbeatSeconds":2,"leaseSeconds":60,"retentionDays":30,"uiVersion":"1.2.3","resumed":true}\n\n'
    )


def test_the_small_events_say_what_they_are() -> None:
    assert FRAMES.frame(Synced(CURSOR)) == (
        b'event: sync\ndata: {"serverTime":"2025-03-01T12:00:00.000Z"}\nid: k3f9.5247\n\n'
    )
    assert FRAMES.frame(Reset(Lost.EPOCH, CURSOR)) == (
        b'event: reset\ndata: {"reason":"epoch"}\nid: k3f9.5247\n\n'
    )
    assert FRAMES.frame(Bye(Farewell.SHUTDOWN)) == (
        b'retry: 5000\nevent: bye\ndata: {"reason":"shutdown","retryMs":5000}\n\n'
    )
    assert FRAMES.frame(Bye(Farewell.TOKEN_EXPIRED)) == (
        b'event: bye\ndata: {"reason":"token-expired","retryMs":0}\n\n'
    )


def test_every_reason_has_its_word() -> None:
    resets = [FRAMES.frame(Reset(why, CURSOR)) for why in (*Lost, *Overflow)]
    byes = [FRAMES.frame(Bye(why)) for why in Farewell]

    assert [event.data["reason"] for event in events_of(resets)] == [
        "cursor-expired",
        "cursor-invalid",
        "epoch",
        "too-many",
    ]
    assert [(event.data["reason"], event.data["retryMs"]) for event in events_of(byes)] == [
        ("shutdown", 5000),
        ("token-expired", 0),
        ("max-age", 0),
        ("forbidden", 0),
        ("overloaded", 3000),
    ]


def test_only_the_last_event_of_a_batch_has_an_id() -> None:
    items = (an_item(), an_item())
    gone = (an_item().id,)

    whole = FRAMES.changes(Changes(items, gone, CURSOR))
    part = FRAMES.changes(Changes(items, gone, CURSOR, Rest("x")))

    assert [(event.name, event.id) for event in events_of(whole)] == [
        ("removed", ""),
        ("item", ""),
        ("item", "k3f9.5247"),
    ]
    assert [event.id for event in events_of(part)] == ["", "", ""]


def test_a_cursor_that_nothing_comes_with_still_travels_on_an_event() -> None:
    events = events_of(FRAMES.changes(Changes((), (), CURSOR)))

    assert [(event.name, event.id) for event in events] == [("sync", "k3f9.5247")]


def test_pieces_are_small_and_cut_between_events() -> None:
    pieces = FRAMES.changes(Changes(tuple(an_item() for _ in range(500)), (), CURSOR))

    assert max(map(len, pieces)) <= 32 * 1024
    assert all(piece.endswith(b"\n\n") and piece.startswith(b"event: ") for piece in pieces)
    assert len(events_of(pieces)) == 500


def test_a_comment_is_no_event() -> None:
    frames = [FRAMES.frame(Synced(CURSOR)), *[FRAMES.frame(KeepAlive())] * 3, FRAMES.frame(Synced(CURSOR))]

    assert [sse.event for sse in sse_of(frames)] == ["sync", "sync"]
    assert list(sse_of([FRAMES.frame(KeepAlive())] * 3)) == []


@given(note=st.text())
@example(note=NASTY)
def test_no_text_adds_a_line_a_field_or_an_event(note: str) -> None:
    pieces = FRAMES.changes(Changes((running(note),), (), CURSOR))

    lines = b"".join(pieces).decode().splitlines()
    assert [line.partition(":")[0] for line in lines] == ["event", "data", "id", ""]
    [event] = events_of(pieces)
    assert (event.name, event.id) == ("item", "k3f9.5247")
    assert event.data["progress"] == {"done": 1, "total": 2, "note": note}
    assert (event.data["claimedBy"], event.data["kind"]) == (note, note)


def test_line_breaks_between_the_values_of_a_result_are_none_on_the_wire() -> None:
    run = LastRun(ADA, START, Progress(1, 1, ""))
    result = JsonText('{\n  "crawled":\r\n 3, "note": "a\u2028b"\n}')
    item = replace(an_item(), state=Succeeded(START, run, result))

    [event] = events_of(FRAMES.changes(Changes((item,), (), CURSOR)))

    assert event.data["result"] == {"crawled": 3, "note": "a\u2028b"}


def test_an_error_s_text_is_data_and_nothing_else() -> None:
    run = LastRun(ADA, START, Progress(0, None, ""))
    item = replace(an_item(), state=Failed(START, run, Failure(code="handler-error", text=NASTY)))

    [event] = events_of(FRAMES.changes(Changes((item,), (), CURSOR)))

    assert event.data["error"] == NASTY


@given(data=st.data())
def test_frames_split_anywhere_parse_alike(data: st.DataObject) -> None:
    wire = b"".join(
        (
            FRAMES.frame(Hello(resumed=False)),
            *FRAMES.changes(
                Changes((running(NASTY), running("ünïcödé \N{PARTY POPPER}")), (an_item().id,), CURSOR)
            ),
            FRAMES.frame(KeepAlive()),
            FRAMES.frame(Bye(Farewell.SHUTDOWN)),
        )
    )
    cuts = sorted(data.draw(st.sets(st.integers(0, len(wire)), max_size=40)))
    pieces = [wire[start:end] for start, end in zip([0, *cuts], [*cuts, len(wire)], strict=True)]

    assert events_of(pieces) == events_of([wire])


def test_a_frame_split_at_every_byte_parses_alike() -> None:
    wire = b"".join(FRAMES.changes(Changes((running("ünïcödé"),), (), CURSOR)))

    one_by_one = [wire[place : place + 1] for place in range(len(wire))]

    assert events_of(one_by_one) == events_of([wire])
    for place in range(len(wire)):
        assert events_of([wire[:place], wire[place:]]) == events_of([wire])


def test_lines_that_end_otherwise_parse_alike() -> None:
    wire = b"".join(FRAMES.changes(Changes((running("x"),), (), CURSOR)))

    for end in (b"\r\n", b"\r"):
        changed = wire.replace(b"\n", end)
        for place in range(len(changed)):
            assert events_of([changed[:place], changed[place:]])[:1] == events_of([wire])


def test_waiting_items_say_what_for_as_far_as_a_glance_can_tell() -> None:
    waiting = replace(an_item(kind="crawl"), state=Queued())
    line = outlook([], [], [AllScopes()], as_of=START)
    frames = SseFrames(GREETING, Limits(stall_limit=3), lambda: START, lambda: line)

    told = b"".join(frames.changes(Changes((waiting,), (), CURSOR)))

    assert b'"waitReason":"next"' in told
    assert b'"waitReason":null' in b"".join(FRAMES.changes(Changes((waiting,), (), CURSOR)))
