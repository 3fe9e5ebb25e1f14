"""Writes docs/lifecycle.md: every move of a work item, as the transition table makes it.

Where a move leads to is not read from anywhere: each event is let happen to an item in each situation.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from domain.events import Claim, Event, ExpireLease, FencedEvent, Moment, RequestCancel, TakeOver
from domain.ids import Attempt, WorkItemId
from domain.lease import Lease
from domain.lifecycle import TRANSITIONS, advance
from domain.moves import Moved
from domain.work_item import Queued, Running, State, Status, WorkItem
from tests.support.builders import (
    ADA,
    LEASE,
    STALL_LIMIT,
    a_failure,
    a_heartbeat,
    a_new_item,
    a_release,
    a_retry,
    a_stop,
    a_success,
)
from tests.support.clock import START
from tests.support.ids import nth_id

PAGE: Final = Path(__file__).parents[2] / "docs" / "lifecycle.md"

EVENTS: Final[Mapping[str, Event]] = {
    "claim": Claim(holder=ADA, lease_for=LEASE),
    "cancel": RequestCancel(),
    "take over": TakeOver(requested_at=START, stalls=0),
    "heartbeat": a_heartbeat(Attempt(1)),
    "succeed": a_success(Attempt(1)),
    "fail": a_failure(Attempt(1)),
    "retry": a_retry(Attempt(1)),
    "stop": a_stop(Attempt(1)),
    "release": a_release(Attempt(1)),
    "lease ran out": ExpireLease(stall_limit=STALL_LIMIT),
}

HEAD: Final = """\
# The life of a work item

Written by `make lifecycle` from the transition table in `src/domain/lifecycle.py`; a test keeps it true.
What is not listed here is refused. Words are those of the [glossary](glossary.md).

"""

FOOT: Final = """
*Fenced* events are heard only from the attempt that holds the lease: they carry its number, and a late one
changes nothing. A *twin* is an item that waits with the same dedup key: the returning item makes way for it,
and the twin takes over its place in the queue and its stalls. The three final statuses are left by nothing
but retention, which deletes.
"""


@dataclass(frozen=True, slots=True)
class Situation:
    """What else is true as an event happens."""

    words: str
    asked_to_stop: bool = False
    twin: bool = False
    at_the_stall_limit: bool = False


PLAIN: Final = Situation("")
SPECIAL: Final = (
    Situation("after a cancel request", asked_to_stop=True),
    Situation("at the stall limit", at_the_stall_limit=True),
    Situation("while a twin waits", twin=True),
)


@dataclass(frozen=True, slots=True)
class Edge:
    """One way from one status to another."""

    source: Status
    event: str
    target: Status
    when: str
    fenced: bool


def edges() -> Iterator[Edge]:
    """Every way there is, in the order of the table."""
    for source, kind in TRANSITIONS:
        name, event = next((name, event) for name, event in EVENTS.items() if type(event) is kind)
        plain = _target(source, event, PLAIN)
        yield Edge(source, name, plain, "", isinstance(event, FencedEvent))
        others: dict[Status, list[str]] = {}
        for situation in SPECIAL if source is Status.RUNNING else ():
            target = _target(source, event, situation)
            if target is not plain:
                others.setdefault(target, []).append(situation.words)
        for target, words in others.items():
            yield Edge(source, name, target, ", or ".join(words), isinstance(event, FencedEvent))


def page() -> str:
    """The whole document."""
    every = tuple(edges())
    return HEAD + _diagram(every) + "\n" + _table(every) + FOOT


def _target(source: Status, event: Event, situation: Situation) -> Status:
    stalls = STALL_LIMIT - 1 if situation.at_the_stall_limit else 0
    asked_at = START if situation.asked_to_stop else None
    running = Running(lease=Lease(ADA, START), started_at=START, cancel_requested_at=asked_at)
    states: Mapping[Status, State] = {Status.QUEUED: Queued(), Status.RUNNING: running}
    item: WorkItem = replace(
        a_new_item().queued_at(START), attempt=Attempt(1), stalls=stalls, state=states[source]
    )
    moment = Moment(now=START + LEASE, twin=WorkItemId(nth_id(2)) if situation.twin else None)
    outcome = advance(item, event, moment)
    if not isinstance(outcome, Moved):
        raise TypeError(f"{source} does not move by {event}")
    return outcome.item.status


def _diagram(every: tuple[Edge, ...]) -> str:
    arrows: dict[tuple[Status, Status], list[str]] = {}
    for edge in every:
        arrows.setdefault((edge.source, edge.target), []).append(edge.event)
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> queued: enqueue"]
    lines += [
        f"    {source} --> {target}: {', '.join(dict.fromkeys(events))}"
        for (source, target), events in arrows.items()
    ]
    final = [status for status in Status if status not in {source for source, _ in TRANSITIONS}]
    lines += [f"    {status} --> [*]" for status in final]
    return "\n".join([*lines, "```", ""])


def _table(every: tuple[Edge, ...]) -> str:
    lines = ["| from | event | to | when | what happens |", "|---|---|---|---|---|"]
    for edge in every:
        move = TRANSITIONS[edge.source, type(EVENTS[edge.event])]
        words = "" if edge.when else _first_line(move.__doc__ or "")
        event = f"{edge.event} (fenced)" if edge.fenced else edge.event
        lines.append(f"| {edge.source} | {event} | {edge.target} | {edge.when} | {words} |")
    return "\n".join([*lines, ""])


def _first_line(docstring: str) -> str:
    return re.sub(r"\s+", " ", docstring.strip().split("\n\n")[0])


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else PAGE).write_text(page(), encoding="utf-8")
