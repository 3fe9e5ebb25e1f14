"""The findings of proxy sweeps: rows tagged with the run that found them (S-21)."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from domain.attempt import RunId
from domain.ids import StorageConfigId
from domain.media.proxy_finding import Amount, Finding, FindingKind, FindingNumber


class SweepFindings(Protocol):
    """Every method is one atomic step. Rows go with their work item."""

    async def record(self, run: RunId, findings: Sequence[Finding]) -> None:
        """Keep them. A number that the run has used already is left as it is, so a repeated call changes nothing.

        Raises `StoreRefused` when the item does not exist any more.
        """
        ...

    async def page(
        self,
        run: RunId,
        *,
        kinds: Collection[FindingKind],
        owners: Collection[StorageConfigId] | None = None,
        after: FindingNumber = FindingNumber(0),  # noqa: B008 -- a number
        limit: int,
    ) -> tuple[Finding, ...]:
        """The first `limit` of a run's findings of these kinds beyond `after`, in the order of their numbers.

        `owners` narrows it to theirs.
        """
        ...

    async def numbered(self, run: RunId, numbers: Collection[FindingNumber]) -> tuple[Finding, ...]:
        """Those of a run's findings that have one of these numbers, in the order of their numbers."""
        ...

    async def deletable(self, run: RunId) -> Mapping[StorageConfigId, Amount]:
        """How many files of a run's findings could be deleted, by whose they are."""
        ...
