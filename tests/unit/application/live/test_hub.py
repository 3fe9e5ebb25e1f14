"""One look tells everybody, and nobody is told too little."""

import asyncio
from datetime import timedelta

from application.live.options import LiveOptions
from application.ports.journal import MachineFault
from tests.support.clock import settled
from tests.support.feeds import an_item
from tests.support.listening import POLL, Studio


async def test_who_begins_now_is_greeted_at_once_and_told_what_changes_from_then_on() -> None:
    studio = Studio()
    studio.feed.change(an_item())
    listener = await studio.a_listener()
    assert listener.names() == ["hello", "sync"]
    assert listener.events[0].data["resumed"] is False
    assert listener.events[1].id == "c.1"

    item = an_item()
    studio.feed.change(item)
    await studio.run_for(POLL)

    assert listener.names() == ["hello", "sync", "item"]
    assert listener.events[2].data["id"] == str(item.id)
    assert listener.last_id() == "c.2"


async def test_five_hundred_cost_as_many_statements_as_one() -> None:
    alone, crowded = Studio(), Studio(LiveOptions(poll=POLL, most_streams=500, most_streams_of_user=500))
    user = await crowded.an_admin()
    one = await alone.a_listener()
    many = [await crowded.a_listener(user=user) for _ in range(500)]

    for _ in range(10):
        alone.feed.change(an_item())
        crowded.feed.change(an_item())
        await alone.run_for(timedelta(seconds=6))
        await crowded.run_for(timedelta(seconds=6))

    assert len(one.told()) == 10
    assert {len(listener.told()) for listener in many} == {10}
    assert alone.feed.asked == crowded.feed.asked == 32


async def test_nobody_looks_while_nobody_listens() -> None:
    studio = Studio()
    await studio.run_for(timedelta(minutes=1))
    assert studio.feed.asked == 0

    listener = await studio.a_listener()
    listener.hang_up()
    asked = studio.feed.asked
    await studio.run_for(timedelta(minutes=1))

    assert studio.feed.asked == asked


async def test_who_comes_back_is_told_from_the_ring_what_the_others_were_told() -> None:
    studio = Studio()
    stayed = await studio.a_listener()
    left = await studio.a_listener()
    left.hang_up()
    items = [an_item() for _ in range(3)]
    for item in items:
        studio.feed.change(item)
        await studio.run_for(POLL)
    asked = studio.feed.asked

    back = await studio.a_listener(after=left.last_id())

    assert studio.feed.asked == asked
    assert back.told() == stayed.told() == [str(item.id) for item in items]
    assert back.names() == ["hello", "item", "item", "item", "sync"]
    assert back.events[0].data["resumed"] is True
    assert back.last_id() == stayed.last_id() == "c.3"


async def test_who_was_away_longer_than_the_ring_reaches_catches_up_by_a_query() -> None:
    studio = Studio()
    items = [an_item() for _ in range(1_200)]
    studio.feed.change(*items)
    await studio.a_listener()
    asked = studio.feed.asked

    back = await studio.a_listener(after="c.0")

    assert studio.feed.asked - asked == 3
    assert back.told() == [str(item.id) for item in items]
    assert {event.id for event in back.events[:-2]} == {""}
    assert back.events[-2].id == back.events[-1].id == "c.1200"
    assert back.names()[-1] == "sync"


async def test_what_changes_while_a_catch_up_is_under_way_is_told_too() -> None:
    studio = Studio()
    studio.feed.change(*[an_item() for _ in range(3)])
    await studio.a_listener()
    arrived = studio.feed.held["c.0"] = asyncio.Event()

    coming = asyncio.create_task(studio.a_listener(after="c.0"))
    await settled()
    late = an_item()
    studio.feed.change(late)
    await studio.run_for(POLL)
    arrived.set()
    back = await coming

    assert len(back.told()) == 4
    assert back.told()[-1] == str(late.id)
    assert back.last_id() == "c.4"


async def test_no_more_than_two_catch_ups_are_at_the_database_at_a_time() -> None:
    studio = Studio()
    studio.feed.change(*[an_item() for _ in range(3)])
    await studio.a_listener()
    arrived = studio.feed.held["c.0"] = asyncio.Event()
    asked = studio.feed.asked

    coming = [asyncio.create_task(studio.a_listener(after="c.0")) for _ in range(5)]
    await settled()
    assert studio.feed.asked - asked == 2

    arrived.set()
    assert [len((await listener).told()) for listener in coming] == [3] * 5


async def test_over_five_thousand_changes_are_a_reset_to_who_catches_up() -> None:
    studio = Studio()
    studio.feed.change(*[an_item()] * 5_001)
    back = await studio.a_listener(after="c.0")

    reset = next(event for event in back.events if event.name == "reset")
    assert (reset.data, reset.id) == ({"reason": "too-many"}, "c.5001")
    assert back.names()[-1] == "sync"

    item = an_item()
    studio.feed.change(item)
    await studio.run_for(POLL)
    assert back.told()[-1] == str(item.id)


async def test_a_cascade_of_thirty_thousand_deletions_is_a_reset_and_no_jump_in_memory() -> None:
    studio = Studio()
    listener = await studio.a_listener()

    studio.feed.change(*[an_item().id] * 30_000)
    asked = studio.feed.asked
    await studio.run_for(POLL)

    assert listener.names() == ["hello", "sync", "reset"]
    assert listener.last_id() == "c.30000"
    assert studio.feed.asked - asked == 11


async def test_four_thousand_deletions_are_told_in_arrays() -> None:
    studio = Studio()
    listener = await studio.a_listener()

    gone = [an_item().id for _ in range(4_000)]
    studio.feed.change(*gone)
    await studio.run_for(POLL)

    removed = [event for event in listener.events if event.name == "removed"]
    assert [len(event.data["ids"]) for event in removed] == [500] * 8
    assert [id_ for event in removed for id_ in event.data["ids"]] == list(map(str, gone))
    assert [event.id for event in removed] == ["c.0"] * 7 + ["c.4000"]


async def test_a_lost_cursor_is_a_reset_with_the_place_to_go_on_from() -> None:
    studio = Studio()
    studio.feed.change(an_item(), an_item())
    studio.feed.lost_before = 1

    expired = await studio.a_listener(after="c.0")
    foreign = await studio.a_listener(after="d.0")

    assert expired.names() == foreign.names() == ["hello", "reset", "sync"]
    assert (expired.events[1].data, expired.events[1].id) == ({"reason": "cursor-expired"}, "c.2")
    assert (foreign.events[1].data, foreign.events[1].id) == ({"reason": "epoch"}, "c.2")


async def test_a_database_that_is_away_keeps_streams_open_and_leaves_no_gap() -> None:
    studio = Studio()
    listener = await studio.a_listener()
    studio.feed.is_away = True
    items = [an_item(), an_item()]
    studio.feed.change(*items)
    await studio.run_for(timedelta(seconds=40))
    assert not listener.is_over
    assert listener.told() == []
    assert b": k\n" in listener.pieces

    studio.feed.is_away = False
    await studio.run_for(POLL)

    assert listener.told() == [str(item.id) for item in items]
    faults = studio.journal.of(MachineFault)
    assert {fault.part for fault in faults} == {"live stream"}


async def test_a_catch_up_that_loses_its_database_starts_over_from_where_the_client_is() -> None:
    studio = Studio()
    items = [an_item() for _ in range(1_200)]
    studio.feed.change(*items)
    await studio.a_listener()
    studio.feed.answers_left = 2

    back = await studio.a_listener(after="c.0")
    await studio.run_for(timedelta(seconds=10))
    assert len(back.told()) == 1_000
    assert {event.id for event in back.events} == {""}

    studio.feed.answers_left, studio.feed.is_away = None, False
    await studio.run_for(POLL)
    assert back.told()[1_000:] == [str(item.id) for item in items]
    assert back.names()[-1] == "sync"
    assert back.last_id() == "c.1200"


async def test_a_hint_brings_the_next_look_forward_but_no_more_than_four_a_second() -> None:
    studio = Studio()
    listener = await studio.a_listener()
    asked = studio.feed.asked

    for _ in range(100):
        studio.feed.change(an_item())
        studio.hub.hint()
        await studio.run_for(timedelta(milliseconds=10))

    assert studio.feed.asked - asked == 4
    await studio.run_for(timedelta(milliseconds=250))
    assert len(listener.told()) == 100


async def test_a_pace_quicker_than_that_is_kept() -> None:
    studio = Studio(LiveOptions(poll=timedelta(milliseconds=100)))
    await studio.a_listener()
    asked = studio.feed.asked

    await studio.run_for(timedelta(seconds=1))

    assert studio.feed.asked - asked == 10


async def test_silence_is_broken_by_comments_that_are_no_events() -> None:
    studio = Studio()
    listener = await studio.a_listener()

    await studio.run_for(timedelta(seconds=61))

    assert listener.pieces[2:] == [b": k\n"] * 4
    assert listener.names() == ["hello", "sync"]


async def test_a_ring_that_nobody_filled_for_long_is_not_caught_up_with() -> None:
    studio = Studio()
    first = await studio.a_listener()
    first.hang_up()
    studio.feed.change(*[an_item() for _ in range(2_000)])
    await studio.run_for(timedelta(hours=3))
    asked = studio.feed.asked

    listener = await studio.a_listener()

    assert listener.names() == ["hello", "sync"]
    assert listener.last_id() == "c.2000"
    assert studio.feed.asked - asked == 2


async def test_the_figures_are_there_for_whoever_measures() -> None:
    studio = Studio()
    listener = await studio.a_listener()
    await studio.a_listener()
    studio.feed.change(an_item())
    await studio.run_for(POLL)
    listener.hang_up()
    await settled()

    stats = studio.hub.stats
    assert (stats.active, stats.opened, stats.changes) == (1, 2, 1)
    assert stats.ends == {"gone": 1}
