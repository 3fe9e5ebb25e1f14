"""How the live stream goes about it: its paces and its bounds."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveOptions:
    """Paces and bounds of one process.

    `poll`: how often it looks for changes while somebody listens; `soonest`: after a hint not sooner than that.
    `keep_alive`: how long it may be silent. `longest`: how long a stream may last. `role_check`: how often the
    role of those who listen is read again. `page`: how many changes are read at a time, by at most `catch_ups`
    at once; more than `most_changes` are not told one by one.
    """

    poll: timedelta = timedelta(seconds=2)
    soonest: timedelta = timedelta(milliseconds=250)
    keep_alive: timedelta = timedelta(seconds=15)
    longest: timedelta = timedelta(minutes=60)
    role_check: timedelta = timedelta(seconds=60)
    most_streams: int = 200
    most_streams_of_user: int = 10
    page: int = 500
    most_changes: int = 5_000
    catch_ups: int = 2
    ring_batches: int = 512
    ring_bytes: int = 4 * 1024 * 1024
