"""A work item in words, as tables and lines of the command line tell it."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Final, assert_never
from uuid import UUID

import msgspec
from rich.filesize import decimal
from rich.text import Text

from domain.failure import Failure, FailureCode
from domain.ids import JsonText
from domain.kinds.kind import WorkKind
from domain.outlook import WaitReason
from domain.progress import Progress
from domain.retry import max_retries
from domain.text import one_line
from domain.work_item import Cancelled, Failed, PartialResult, Queued, Running, Status, Succeeded, WorkItem

TRIES: Final = {kind.row_name: 1 + most for kind in WorkKind if (most := max_retries(kind.retry))}
"""How often the kinds are tried that are tried more than once."""

HUMP: Final = re.compile("[A-Z]")
BYTES: Final = " bytes"
SHORTEST_ID: Final = len("0192f3c8-6d1e")
MOST_NUMBERS: Final = 9
LONGEST_WORDS: Final = 400
UNITS: Final = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))

WAITS: Final = {
    WaitReason.NEXT: "It is next.",
    WaitReason.BEHIND: "Others are before it.",
    WaitReason.RETRY_AT: "It is tried again when it is ready.",
    WaitReason.NO_WORKER: "No worker serves it: it waits until one is started ('anichron worker').",
}

STYLES: Final = {
    Status.QUEUED: "",
    Status.RUNNING: "cyan",
    Status.SUCCEEDED: "green",
    Status.FAILED: "red",
    Status.CANCELLED: "yellow",
}


def status_text(item: WorkItem) -> Text:
    """The status, in words and in colour."""
    return Text(status_word(item), STYLES[item.status])


def status_word(item: WorkItem) -> str:
    """The status, and what makes this one special."""
    match item.state:
        case Running(cancel_requested_at=asked) if asked is not None:
            return "stopping"
        case Cancelled(left=PartialResult()):
            return "cancelled, partial"
        case Cancelled(left=Failure(code=FailureCode.SUPERSEDED)):
            return "superseded"
        case Failed(failure=Failure(code=FailureCode.STALLED)):
            return "failed, stalled"
        case _:
            return item.status.value


def waiting_words(reason: WaitReason | None) -> str:
    """Why it has not begun; nothing of what does not wait."""
    return "" if reason is None else WAITS[reason]


def outcome(item: WorkItem) -> str:
    """How far it is, or what came of it."""
    match item.state:
        case Queued(run_after=datetime() as at, last_failure=Failure() as failure):
            of_all = f" of {TRIES[item.kind]}" if item.kind in TRIES else ""
            next_try = f"try {item.retries + 1}{of_all} at {at.astimezone(UTC):%H:%M:%S} UTC"
            return f"{next_try} · last error: {failure.code}: {failure.text}"
        case Queued():
            return f"stalled {_times(item.stalls)}" if item.stalls else ""
        case Running(progress=progress):
            return progress_words(progress)
        case Succeeded(result=result):
            return numbers(result)
        case Failed(failure=failure):
            return f"{failure.code}: {failure.text}"
        case Cancelled():
            return _left(item, item.state)
        case _:
            assert_never(item.state)


def progress_words(progress: Progress) -> str:
    """Done of total; a total that is unknown is left out, and so is a percentage of nothing."""
    if progress.total is None:
        done = f"{progress.done:,} so far" if progress.done else ""
    elif progress.total:
        done = f"{progress.done:,} of {progress.total:,} · {100 * progress.done // progress.total} %"
    else:
        done = f"{progress.done:,} of 0"
    return " · ".join(part for part in (done, progress.note) if part)


def numbers(result: JsonText) -> str:
    """The counts of a result, the zeros left out; names that end in bytes are sizes."""
    document = msgspec.json.decode(result.encode())
    if not isinstance(document, dict):
        return ""
    counts = [
        _count_words(name, count) + _reasons(document.get(f"{name}ByReason"))
        for name, count in document.items()
        if _is_count(count) and count
    ]
    return ", ".join(counts[:MOST_NUMBERS]) or "nothing to do"


def line(item: WorkItem) -> str:
    """The item as one line of a log."""
    words = (str(item.id)[:SHORTEST_ID], item.kind, status_word(item), outcome(item))
    return "  ".join(one_line(word, longest=LONGEST_WORDS) for word in words if word)


def id_length(ids: Iterable[UUID]) -> int:
    """How much of these ids tells each of them from the others."""
    texts = sorted(map(str, ids))
    needed = [_common(one, other) + 1 for one, other in pairwise(texts)]
    return max([SHORTEST_ID, *needed])


def ago(moment: datetime | None, now: datetime) -> str:
    """How long ago that was, roughly."""
    return "" if moment is None else f"{_parts(now - moment)[0]} ago"


def span(length: timedelta) -> str:
    """A length of time in its two largest units."""
    return " ".join(_parts(length))


def _parts(length: timedelta) -> tuple[str, ...]:
    seconds = max(0, round(length.total_seconds()))
    for (unit, size), (smaller, smaller_size) in pairwise(UNITS):
        if seconds >= size:
            rest = seconds % size // smaller_size
            return (f"{seconds // size} {unit}", *([f"{rest} {smaller}"] if rest else []))
    return (f"{seconds} s",)


def _left(item: WorkItem, state: Cancelled) -> str:
    match state.left:
        case PartialResult(result=result):
            return numbers(result)
        case Failure(code=code, text=text):
            return f"{code}: {text}"
        case None if state.run is not None:
            return progress_words(state.run.progress)
        case None:
            return "not run again" if item.attempt else "never started"
        case _:
            assert_never(state.left)


def _count_words(name: str, count: float) -> str:
    words = HUMP.sub(lambda hump: f" {hump[0].lower()}", name)
    if words.endswith(BYTES):
        return f"{words.removesuffix(BYTES)} size {decimal(int(count))}"
    return f"{words} {count:,}"


def _reasons(by_reason: object) -> str:
    if not isinstance(by_reason, dict):
        return ""
    known = [f"{reason} {count:,}" for reason, count in by_reason.items() if _is_count(count) and count]
    return f" ({', '.join(known)})" if known else ""


def _is_count(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = zip(one, other, strict=False)
    return next((place for place, (left, right) in enumerate(pairs) if left != right), len(one))
