"""The API's only write beside the enqueue (S-34)."""

from typing import Protocol

from domain.ids import WorkItemId
from domain.outcomes import CancelAnswer


class WorkCancels(Protocol):
    """Cancels work."""

    async def cancel(self, item: WorkItemId) -> CancelAnswer:
        """Cancel a waiting item at once, or ask a running one to stop. The answer is true when given."""
        ...
