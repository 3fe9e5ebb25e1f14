"""The live stream, broken one rule at a time."""

from typing import Final

from tests.mutants.mutant import Mutant, Suite

STREAM: Final = Suite(
    "stream", ("tests/unit/application/live", "tests/unit/adapters/web/test_stream_frames.py")
)

FRAMES: Final = "adapters/web/stream_frames.py"
HUB: Final = "application/live/hub.py"
SUBSCRIBER: Final = "application/live/subscriber.py"


def streaming(name: str, path: str, original: str, broken: str, noticed_by: str) -> Mutant:
    """A mutant that the tests of the live stream must notice."""
    return Mutant(name=name, suite=STREAM, path=path, original=original, broken=broken, noticed_by=noticed_by)


MUTANTS: Final = (
    streaming(
        "an id on the first event of a batch",
        FRAMES,
        "last = events.pop() if events else",
        "last = events.pop(0) if events else",
        "only_the_last_event",
    ),
    streaming(
        "an id though there is a rest", FRAMES, "if changes.rest is None:", "if True:", "only_the_last_event"
    ),
    streaming("a line break in the data", FRAMES, r'    (b"\n", b" "),', "", "line_breaks"),
    streaming(
        "a line separator in the data",
        FRAMES,
        r'    ("\u2028".encode(), rb"\u2028"),',
        "",
        "no_text_adds",
    ),
    streaming("an empty line after a comment", FRAMES, r'b": k\n"', r'b": k\n\n"', "comment"),
    streaming(
        "the ring joined where it ends after the query",
        SUBSCRIBER,
        "        self._missed = found\n        return Joined()",
        "        self._missed = found\n        self._position = ring.end\n        return Joined()",
        "while_a_catch_up_is_under_way",
    ),
    streaming(
        "a stream that outlives its token",
        SUBSCRIBER,
        "min(self._told_at + self._room.options.keep_alive, self._lifetime.until)",
        "self._told_at + self._room.options.keep_alive",
        "lost_the_role_when_the_token_ends",
    ),
    streaming(
        "one stream too many for a user",
        HUB,
        "of_user >= self.options.most_streams_of_user",
        "of_user > self.options.most_streams_of_user",
        "only_so_many",
    ),
    streaming(
        "a role that is never read again",
        HUB,
        "subscriber.end(Farewell.FORBIDDEN)",
        "subscriber.poke()",
        "loses_the_role",
    ),
    streaming(
        "a newcomer who is not told that the process leaves",
        HUB,
        "        if self._is_leaving:\n",
        "        if not self._is_leaving and self._subscribers is None:\n",
        "end_of_the_process",
    ),
    streaming(
        "looks while nobody listens",
        HUB,
        "                loop.cancel()",
        "                loop.get_name()",
        "nobody_looks",
    ),
    streaming(
        "any number of catch-ups at a time",
        "application/live/catch_up.py",
        "asyncio.Semaphore(options.catch_ups)",
        "asyncio.Semaphore(1_000)",
        "two_catch_ups",
    ),
    streaming(
        "a look that leaves out its rest",
        "application/live/poller.py",
        "            if changes.rest is None:\n",
        "            if told:\n",
        "four_thousand_deletions",
    ),
)
