"""Settings that are each fine and cannot hold together."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from application.access import LONGEST_TOKEN
from domain.credentials import email_problem, password_problem
from entrypoints.settings.model import Settings

HEARTBEATS_A_LEASE = 3
SHORTEST_GRACE = timedelta(seconds=2)
SHORTEST_BEAT = timedelta(seconds=0.05)
LONGEST_LOOK = timedelta(minutes=1)
SHORTEST_SESSION = timedelta(minutes=5)

LEASE = "WORKER__LEASE_SECONDS"
HEARTBEAT = "WORKER__HEARTBEAT_SECONDS"
POLL = "WORKER__POLL_SECONDS"
RETENTION = "WORKER__RETENTION_DAYS"
GRACE = "WORKER__SHUTDOWN_GRACE_SECONDS"
STREAM = "API__STREAM_SECONDS"
DATABASE_URL = "DATABASE_URL"
POSTGRES_HOST = "POSTGRES_CONNECTION__HOST"
ACCESS = "JWT__ACCESS_SECONDS"
IDLE = "SESSION__IDLE_DAYS"
LONGEST = "SESSION__LONGEST_DAYS"
ADMIN_EMAIL = "ADMIN__EMAIL"
ADMIN_PASSWORD = "ADMIN__PASSWORD"  # noqa: S105 -- the name of a variable


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The variable to change, what it must be, and the others it was judged by."""

    variable: str
    text: str
    involves: frozenset[str] = frozenset()


def contradictions(settings: Settings, is_set: Callable[[str], bool]) -> Iterator[Contradiction]:
    """Everything that cannot hold; of two variables, the one is named that somebody set."""
    yield from _lease(settings, is_set)
    yield from _pace(settings)
    yield from _stream(settings)
    yield from _retention(settings, is_set)
    yield from _postgres(settings, is_set)
    yield from _sessions(settings, is_set)
    yield from _first_admin(settings)


def _lease(settings: Settings, is_set: Callable[[str], bool]) -> Iterator[Contradiction]:
    worker = settings.worker
    if worker.lease >= HEARTBEATS_A_LEASE * worker.heartbeat:
        return
    if is_set(HEARTBEAT) and not is_set(LEASE):
        text = f"must be at most a third of {LEASE} ({worker.lease.total_seconds():g})"
        yield Contradiction(HEARTBEAT, text, frozenset({LEASE}))
    else:
        beat = f"{worker.heartbeat.total_seconds():g}"
        text = f"must be at least {HEARTBEATS_A_LEASE} \N{MULTIPLICATION SIGN} {HEARTBEAT} ({beat})"
        yield Contradiction(LEASE, text, frozenset({HEARTBEAT}))


def _pace(settings: Settings) -> Iterator[Contradiction]:
    worker = settings.worker
    for variable, value in ((HEARTBEAT, worker.heartbeat), (POLL, worker.poll)):
        if value < SHORTEST_BEAT:
            yield Contradiction(variable, f"must be at least {SHORTEST_BEAT.total_seconds():g}")
    if worker.shutdown_grace < SHORTEST_GRACE:
        yield Contradiction(GRACE, f"must be at least {SHORTEST_GRACE.total_seconds():g}")


def _stream(settings: Settings) -> Iterator[Contradiction]:
    pace = settings.api.stream
    if pace and not SHORTEST_BEAT <= pace <= LONGEST_LOOK:
        shortest, longest = SHORTEST_BEAT.total_seconds(), LONGEST_LOOK.total_seconds()
        yield Contradiction(STREAM, f"must be from {shortest:g} to {longest:g}, or 0 for no live stream")


def _retention(settings: Settings, is_set: Callable[[str], bool]) -> Iterator[Contradiction]:
    """Due-ness reads the last finished item: what is deleted sooner than that would be due too often."""
    worker = settings.worker
    intervals = {
        "WORKER__RETENTION_INTERVAL_HOURS": worker.retention_interval,
        "WORKER__TOKEN_CLEANUP_INTERVAL_HOURS": worker.token_cleanup_interval,
        "WORKER__CRAWL_INTERVAL_HOURS": worker.crawl_interval,
    }
    longest = max(intervals, key=lambda name: intervals[name])
    if worker.retention >= intervals[longest]:
        return
    if is_set(longest) and not is_set(RETENTION):
        days = worker.retention / timedelta(days=1)
        yield Contradiction(longest, f"must be at most {RETENTION} ({days:g} days)", frozenset({RETENTION}))
    else:
        hours = intervals[longest] / timedelta(hours=1)
        text = f"must be at least {longest} ({hours:g} hours)"
        yield Contradiction(RETENTION, text, frozenset({longest}))


def _postgres(settings: Settings, is_set: Callable[[str], bool]) -> Iterator[Contradiction]:
    parts = ("PORT", "DBNAME", "USER", "PASSWORD")
    given = [name for name in (f"POSTGRES_CONNECTION__{part}" for part in parts) if is_set(name)]
    if settings.database_url is not None:
        for name in (POSTGRES_HOST, *given):
            if is_set(name):
                text = (
                    f"cannot stand beside {DATABASE_URL}, which names a database as a whole: keep one of them"
                )
                yield Contradiction(name, text, frozenset({DATABASE_URL}))
    elif given and settings.postgres_connection.host is None:
        text = f"must name the server, since {given[0]} is set; without a server unset that too"
        yield Contradiction(POSTGRES_HOST, text, frozenset(given))


def _sessions(settings: Settings, is_set: Callable[[str], bool]) -> Iterator[Contradiction]:
    if settings.jwt.access < timedelta(seconds=1):
        yield Contradiction(ACCESS, "must be at least 1")
    if settings.jwt.access > LONGEST_TOKEN:
        seconds = LONGEST_TOKEN / timedelta(seconds=1)
        yield Contradiction(ACCESS, f"must be at most {seconds:.0f}: the API takes no longer tokens")
    session = settings.session
    if session.idle < SHORTEST_SESSION:
        yield Contradiction(IDLE, f"must be at least {SHORTEST_SESSION / timedelta(days=1):.3f} (5 minutes)")
    if session.longest >= session.idle:
        return
    if is_set(IDLE) and not is_set(LONGEST):
        text = f"must be at most {LONGEST} ({session.longest / timedelta(days=1):g})"
        yield Contradiction(IDLE, text, frozenset({LONGEST}))
    else:
        text = f"must be at least {IDLE} ({session.idle / timedelta(days=1):g})"
        yield Contradiction(LONGEST, text, frozenset({IDLE}))


def _first_admin(settings: Settings) -> Iterator[Contradiction]:
    admin = settings.admin
    if admin.email is not None and (problem := email_problem(admin.email)) is not None:
        yield Contradiction(ADMIN_EMAIL, _within_a_line(problem))
    if admin.password is None:
        if admin.email is not None:
            yield Contradiction(ADMIN_PASSWORD, f"must be set, best by a file, since {ADMIN_EMAIL} is")
        return
    if admin.email is None:
        yield Contradiction(ADMIN_EMAIL, f"must be set, since {ADMIN_PASSWORD} is")
    if (problem := password_problem(admin.password.get_secret_value())) is not None:
        yield Contradiction(ADMIN_PASSWORD, _within_a_line(problem))


def _within_a_line(problem: str) -> str:
    """What is wrong, after the name of the variable: "The password must be ..." without its beginning."""
    _, must, rest = problem.rstrip(".").partition("must ")
    return must + rest if must else problem
