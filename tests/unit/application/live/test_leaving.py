"""How streams end: the limits at the door, tokens, roles, slow clients, and the end of the process."""

from contextlib import suppress
from datetime import timedelta

from application.live.hub import TooManyStreams
from application.live.options import LiveOptions
from application.ports.errors import StoreUnavailable
from application.ports.journal import MachineFault
from domain.feed import FeedCursor
from tests.support.clock import settled
from tests.support.events import Json
from tests.support.feeds import an_item
from tests.support.listening import HOUR, POLL, Listener, Studio

TIGHT = LiveOptions(poll=POLL, most_streams=3, most_streams_of_user=2, ring_batches=2)


async def test_one_user_has_only_so_many_streams_and_gets_another_when_one_ends() -> None:
    studio = Studio(TIGHT)
    user = await studio.an_admin()
    first = await studio.a_listener(user=user)
    await studio.a_listener(user=user)

    assert studio.hub.enter(user, studio.clock.now() + HOUR) == TooManyStreams()
    assert studio.hub.stats.refused == 1

    first.hang_up()
    await studio.a_listener(user=user)


async def test_a_process_has_only_so_many_streams() -> None:
    studio = Studio(TIGHT)
    for _ in range(3):
        await studio.a_listener()

    assert studio.hub.enter(await studio.an_admin(), studio.clock.now() + HOUR) == TooManyStreams()


async def test_a_stream_ends_with_its_token() -> None:
    studio = Studio()
    listener = await studio.a_listener(lasts=timedelta(minutes=15))

    await studio.run_for(timedelta(minutes=14, seconds=59))
    assert not listener.is_over
    await studio.run_for(timedelta(seconds=1))

    assert bye_of(listener) == {"reason": "token-expired", "retryMs": 0}


async def test_a_stream_ends_with_its_token_though_its_client_is_never_up_to_date() -> None:
    studio = Studio()
    listener = await studio.a_listener(reads=False, lasts=timedelta(seconds=60))
    ring = await studio.hub.ring()
    await listener.subscriber.join(ring, None)
    pieces = listener.subscriber.pieces(ring)
    listener.pieces = [await anext(pieces), await anext(pieces)]

    for _ in range(40):
        studio.feed.change(an_item())
        await studio.run_for(POLL)
        with suppress(StopAsyncIteration):
            # One change is always left in the ring.
            listener.pieces += [await anext(pieces)] if ring.end > 1 else []

    assert bye_of(listener) == {"reason": "token-expired", "retryMs": 0}
    assert len(listener.told()) == 28


async def test_a_stream_ends_with_its_token_in_the_middle_of_a_long_catch_up() -> None:
    studio = Studio()
    studio.feed.change(*[an_item() for _ in range(1_200)])
    await studio.a_listener()
    late = await studio.a_listener(reads=False, lasts=timedelta(seconds=30))
    ring = await studio.hub.ring()
    await late.subscriber.join(ring, FeedCursor("c.0"))
    pieces = late.subscriber.pieces(ring)
    late.pieces = [await anext(pieces), await anext(pieces)]

    await studio.run_for(timedelta(seconds=31))
    late.pieces += [piece async for piece in pieces]

    assert bye_of(late) == {"reason": "token-expired", "retryMs": 0}
    assert len(late.told()) < 1_200


async def test_a_stream_ends_after_an_hour_whatever_its_token_says() -> None:
    studio = Studio()
    listener = await studio.a_listener(lasts=timedelta(hours=24))

    await studio.run_for(timedelta(minutes=59))
    assert not listener.is_over
    await studio.run_for(timedelta(minutes=1))

    assert bye_of(listener) == {"reason": "max-age", "retryMs": 0}


async def test_whoever_loses_the_role_is_told_within_a_minute_on_every_stream() -> None:
    studio = Studio()
    user = await studio.an_admin()
    streams = [await studio.a_listener(user=user) for _ in range(3)]
    other = await studio.a_listener()
    studio.demote(user)

    await studio.run_for(timedelta(seconds=60))

    assert [bye_of(stream)["reason"] for stream in streams] == ["forbidden"] * 3
    assert not other.is_over


async def test_whoever_has_lost_the_role_when_the_token_ends_is_told_that() -> None:
    studio = Studio()
    user = await studio.an_admin()
    listener = await studio.a_listener(user=user, lasts=timedelta(seconds=10))
    studio.demote(user)

    await studio.run_for(timedelta(seconds=10))

    assert bye_of(listener) == {"reason": "forbidden", "retryMs": 0}


async def test_a_token_ends_on_time_though_the_accounts_cannot_be_read() -> None:
    studio = Studio()
    listener = await studio.a_listener(lasts=timedelta(seconds=30))

    async def away(_: object) -> None:
        raise StoreUnavailable("away")

    studio.users.get = away  # type: ignore[method-assign, assignment]
    studio.feed.is_away = True
    await studio.run_for(timedelta(seconds=30))

    assert bye_of(listener) == {"reason": "token-expired", "retryMs": 0}


async def test_a_token_ends_on_time_in_the_middle_of_a_catch_up_without_a_database() -> None:
    studio = Studio()
    studio.feed.change(*[an_item() for _ in range(1_200)])
    await studio.a_listener()
    studio.feed.answers_left = 1
    listener = await studio.a_listener(after="c.0", lasts=timedelta(seconds=30))

    await studio.run_for(timedelta(seconds=31))

    assert bye_of(listener) == {"reason": "token-expired", "retryMs": 0}


async def test_the_end_of_the_process_reaches_whoever_waits_for_the_database() -> None:
    studio = Studio()
    studio.feed.change(*[an_item() for _ in range(1_200)])
    await studio.a_listener()
    studio.feed.answers_left = 1
    listener = await studio.a_listener(after="c.0")
    await studio.run_for(timedelta(seconds=1))

    studio.hub.close()
    await settled()

    assert bye_of(listener)["reason"] == "shutdown"


async def test_an_account_that_is_gone_is_told_as_one_without_the_role() -> None:
    studio = Studio()
    user = await studio.an_admin()
    listener = await studio.a_listener(user=user)
    del studio.database.users[user]

    await studio.run_for(timedelta(seconds=60))

    assert bye_of(listener)["reason"] == "forbidden"


async def test_at_the_end_of_the_process_everybody_is_told_and_so_is_whoever_still_comes() -> None:
    studio = Studio()
    listeners = [await studio.a_listener() for _ in range(50)]

    studio.hub.close()
    await settled()
    late = await studio.a_listener()

    for listener in (*listeners, late):
        assert bye_of(listener) == {"reason": "shutdown", "retryMs": 5000}
        assert listener.pieces[-1].startswith(b"retry: 5000\n")
        assert listener.is_over


async def test_whoever_falls_behind_the_ring_is_cut_and_comes_back_without_a_loss() -> None:
    studio = Studio(TIGHT)
    slow = await studio.a_listener(reads=False)
    ring = await studio.hub.ring()
    await slow.subscriber.join(ring, None)
    pieces = slow.subscriber.pieces(ring)
    told = [await anext(pieces), await anext(pieces)]
    quick = await studio.a_listener()
    items = [an_item() for _ in range(4)]
    for item in items:
        studio.feed.change(item)
        await studio.run_for(POLL)

    told += [piece async for piece in pieces]
    slow.pieces = told
    studio.hub.leave(slow.subscriber, why="overloaded")

    assert slow.names() == ["hello", "sync", "bye"]
    assert bye_of(slow) == {"reason": "overloaded", "retryMs": 3000}
    back = await studio.a_listener(after=slow.last_id())
    assert back.told() == quick.told() == [str(item.id) for item in items]


async def test_what_is_wrong_with_the_accounts_is_noted_and_ends_no_stream() -> None:
    studio = Studio()
    listener = await studio.a_listener(lasts=timedelta(minutes=5))

    async def broken(_: object) -> None:
        raise ValueError

    studio.users.get = broken  # type: ignore[method-assign, assignment]
    await studio.run_for(timedelta(minutes=4))

    assert not listener.is_over
    assert len(studio.journal.of(MachineFault)) == 4


def bye_of(listener: Listener) -> Json:
    """The last event, which must be the goodbye."""
    assert listener.names()[-1] == "bye"
    return listener.events[-1].data
