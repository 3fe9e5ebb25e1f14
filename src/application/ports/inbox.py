"""The one door through which work items come in (S-6). Only `application.enqueue` may use it."""

from datetime import timedelta
from typing import Protocol

from application.ports.transactions import Transaction
from domain.outcomes import DueAnswer, EnqueueAnswer
from domain.work_item import NewWorkItem


class WorkInbox(Protocol):
    """Takes in new items. Every method is one atomic step, and may be repeated after a lost reply."""

    async def insert(self, new: NewWorkItem, *, within: Transaction | None = None) -> EnqueueAnswer:
        """Queue the item, unless one with its dedup key waits already: then that one is the answer.

        Never raises for a duplicate, whatever is claimed or finished at the same moment. The answer was
        waiting at some instant within the call; inside a transaction it cannot start before that ends.
        A repeated call with an id that is stored already answers `Created` with that id.
        """
        ...

    async def insert_if_due(self, new: NewWorkItem, *, interval: timedelta) -> DueAnswer:
        """Queue the item if its dedup key is due (`domain.due.is_due`), by the store's clock.

        The check and the insert are one step under a lock of the key: however many schedulers race, one
        interval yields one item, also when the first one's is claimed and finished in between (S-10).
        The item must have a dedup key.
        """
        ...
