"""The life of a work item: one table of all moves, and the only code that decides a status.

`TRANSITIONS` has four readers: `advance` (which the stores run), `sources` (which guards the SQL
statements), the diagram in docs/lifecycle.md, and the property tests.
"""

from collections.abc import Callable, Mapping
from typing import Final

from domain.events import (
    Claim,
    Event,
    ExpireLease,
    Fail,
    FencedEvent,
    Heartbeat,
    Moment,
    Release,
    RequestCancel,
    Retry,
    Stop,
    Succeed,
    TakeOver,
)
from domain.moves import (
    Moved,
    ask_to_stop,
    cancel_running,
    cancel_waiting,
    extend_lease,
    fail,
    requeue,
    requeue_later,
    requeue_or_fail_stalled,
    start,
    succeed,
    take_over,
)
from domain.outcomes import Fenced, Refused
from domain.work_item import Status, WorkItem

Move = Callable[..., Moved | Refused]

TRANSITIONS: Final[Mapping[tuple[Status, type[Event]], Move]] = {
    (Status.QUEUED, Claim): start,
    (Status.QUEUED, RequestCancel): cancel_waiting,
    (Status.QUEUED, TakeOver): take_over,
    (Status.RUNNING, Heartbeat): extend_lease,
    (Status.RUNNING, RequestCancel): ask_to_stop,
    (Status.RUNNING, Succeed): succeed,
    (Status.RUNNING, Fail): fail,
    (Status.RUNNING, Retry): requeue_later,
    (Status.RUNNING, Stop): cancel_running,
    (Status.RUNNING, Release): requeue,
    (Status.RUNNING, ExpireLease): requeue_or_fail_stalled,
}


def advance(item: WorkItem, event: Event, moment: Moment) -> Moved | Fenced | Refused:
    """Apply one event, or say why it does not apply. Pure: what time it is arrives in `moment`."""
    move = TRANSITIONS.get((item.status, type(event)))
    if isinstance(event, FencedEvent) and (move is None or event.attempt != item.attempt):
        return Fenced()
    if move is None:
        return Refused(item.status)
    return move(item, item.state, event, moment)


def sources(event: type[Event]) -> frozenset[Status]:
    """The statuses that `event` can move an item out of."""
    return frozenset(status for status, known in TRANSITIONS if known is event)
