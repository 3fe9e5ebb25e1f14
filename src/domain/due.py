"""When periodic work is due: derived from the items themselves, never from a timer."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class KeyHistory:
    """What the store knows of one dedup key.

    `active`: an item with the key is queued or running. `last_finished_at`: when the latest finished
    one ended, of any outcome; None when there is none.
    """

    active: bool
    last_finished_at: datetime | None


NEVER_SEEN = KeyHistory(active=False, last_finished_at=None)


def is_due(interval: timedelta, history: KeyHistory, now: datetime) -> bool:
    """Whether periodic work should be queued now (S-10). Never finished counts as overdue.

    `now` and the history must come from the same clock. Overdue work is due once, however long the
    downtime was: nothing counts the intervals that were missed.
    """
    if history.active:
        return False
    if history.last_finished_at is None:
        return True
    return history.last_finished_at + interval <= now
