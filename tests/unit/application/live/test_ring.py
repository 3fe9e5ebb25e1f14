"""The ring keeps the latest batches, within its bounds, and knows where somebody goes on."""

from application.live.ring import Batch, Overtaken, Position, Ring, UpToDate
from domain.feed import FeedCursor


def a_ring(*, most_batches: int = 3, most_bytes: int = 100) -> Ring:
    return Ring(FeedCursor("a"), most_batches=most_batches, most_bytes=most_bytes)


def test_at_its_end_there_is_nothing_yet() -> None:
    ring = a_ring()

    assert ring.position_of(FeedCursor("a")) == ring.end
    assert ring.at(ring.end) == UpToDate()


def test_whoever_knew_a_batch_s_start_finds_it() -> None:
    ring = a_ring()

    ring.append((b"one",), FeedCursor("b"))
    ring.append((b"two", b"three"), FeedCursor("c"))

    assert ring.position_of(FeedCursor("b")) == Position(1)
    assert ring.at(Position(1)) == Batch((b"two", b"three"), FeedCursor("b"), FeedCursor("c"))
    assert ring.position_of(FeedCursor("c")) == ring.end
    assert ring.position_of(FeedCursor("x")) is None


def test_it_forgets_the_oldest_batch_when_there_are_too_many() -> None:
    ring = a_ring(most_batches=2)

    for cursor in "bcd":
        ring.append((b"x",), FeedCursor(cursor))

    assert ring.at(Position(0)) == Overtaken()
    assert ring.position_of(FeedCursor("a")) is None
    assert ring.position_of(FeedCursor("b")) == Position(1)


def test_it_forgets_the_oldest_batches_when_they_are_too_large() -> None:
    ring = a_ring(most_bytes=10)

    ring.append((b"123456",), FeedCursor("b"))
    ring.append((b"123456",), FeedCursor("c"))

    assert ring.size_bytes == 6
    assert ring.at(Position(0)) == Overtaken()


def test_after_a_restart_every_earlier_position_is_overtaken() -> None:
    ring = a_ring()
    ring.append((b"one",), FeedCursor("b"))
    end = ring.end

    ring.restart(FeedCursor("z"))

    assert (ring.at(Position(0)), ring.at(end)) == (Overtaken(), Overtaken())
    assert ring.at(ring.end) == UpToDate()
    assert ring.position_of(FeedCursor("z")) == ring.end
