"""Cancelling: all that an admin may do to an item, beside asking for one (S-34)."""

from application.ports.cancels import WorkCancels
from domain.ids import WorkItemId
from domain.outcomes import CancelAnswer


class Cancel:
    """Stops work that somebody does not want any more."""

    def __init__(self, cancels: WorkCancels) -> None:
        """Take what it needs."""
        self._cancels = cancels

    async def cancel(self, item: WorkItemId) -> CancelAnswer:
        """Cancel a waiting item at once, or ask a running one to stop; repeating it changes nothing."""
        return await self._cancels.cancel(item)
