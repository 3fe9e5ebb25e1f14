"""Asking for the deletion of what a proxy sweep has found."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from application.enqueue import WorkQueue
from application.ports.ledger import WorkLedger
from application.ports.request_keys import KeyIsNew, KeyMisused, KeyWasUsed, RequestKey, RequestKeys
from application.ports.storage_configs import StorageConfigs
from application.ports.sweep_findings import SweepFindings
from application.ports.transactions import Transaction, Transactions
from application.sweeps import FinishedSweep, SweepUnfinished, SweepUnknown, finished_sweep
from domain.attempt import RunId
from domain.ids import StorageConfigId, UserId, WorkItemId
from domain.kinds.proxy_deletion import ProxyDeletionPayload
from domain.media.proxy_finding import DELETABLE, FindingNumber
from domain.outcomes import Coalesced, Created, UnknownItem, UnknownScope
from domain.work_item import WorkItem

MOST_CHOSEN: Final = 10_000
"""How many findings can be named in one request; all of them have a word of their own."""

MOST_OWNERS: Final = 10_000
"""Of how many configs all files can be deleted in one go: a payload names them, and is bounded."""


@dataclass(frozen=True, slots=True)
class These:
    """The findings with these numbers."""

    numbers: frozenset[FindingNumber]


@dataclass(frozen=True, slots=True)
class AllOfThem:
    """Every file that the sweep has found; `files` is how many somebody saw when they decided so."""

    files: int


Choice = These | AllOfThem

Shares = Mapping[StorageConfigId | None, ProxyDeletionPayload]
"""What is to be asked for, by scope."""


@dataclass(frozen=True, slots=True)
class DeletionsAccepted:
    """One new item for each library that has some of the files, and one for those of no library."""

    items: tuple[WorkItem, ...]


@dataclass(frozen=True, slots=True)
class DeletionsAskedBefore:
    """The same was asked with the same key: these items came of it, as far as they are still there."""

    items: tuple[WorkItem, ...]


@dataclass(frozen=True, slots=True)
class ChoiceRefused:
    """Nothing was asked for. `why` is for people, and names no path."""

    why: str


@dataclass(frozen=True, slots=True)
class NothingToChoose(ChoiceRefused):
    """The same, whatever the choice: the sweep itself has no findings, and never will have."""


DeletionAnswer = (
    DeletionsAccepted | DeletionsAskedBefore | ChoiceRefused | SweepUnknown | SweepUnfinished | KeyMisused
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletionPorts:
    """What deletions are asked with."""

    ledger: WorkLedger
    findings: SweepFindings
    configs: StorageConfigs
    transactions: Transactions
    keys: RequestKeys


class ProxyDeletions:
    """Asks for one item for each owner of the files: all of them, or none."""

    def __init__(self, queue: WorkQueue, ports: DeletionPorts) -> None:
        """Take what it needs."""
        self._queue = queue
        self._ports = ports

    async def ask(
        self, sweep: WorkItemId, choice: Choice, *, by: UserId | None, key: RequestKey | None = None
    ) -> DeletionAnswer:
        """Ask for it in the name of `by`. With a key, the same request sent again is answered by what came of it."""
        match await finished_sweep(self._ports.ledger, sweep):
            case FinishedSweep(shown=RunId() as run):
                shares = await self._shares(run, choice)
                return shares if isinstance(shares, ChoiceRefused) else await self._asked(shares, by, key)
            case FinishedSweep():
                return NothingToChoose("The sweep has failed or was broken off, so it has no findings.")
            case (SweepUnknown() | SweepUnfinished()) as answer:
                return answer
            case answer:
                assert_never(answer)

    async def _shares(self, run: RunId, choice: Choice) -> Shares | ChoiceRefused:
        match choice:
            case AllOfThem(files=seen):
                return await self._shares_of_all(run, seen)
            case These(numbers=numbers):
                return await self._shares_of(run, numbers)
            case _:
                assert_never(choice)

    async def _shares_of_all(self, run: RunId, seen: int) -> Shares | ChoiceRefused:
        amounts = await self._ports.findings.deletable(run)
        there = sum(amount.files for amount in amounts.values())
        if not there:
            return ChoiceRefused("The sweep found no file that could be deleted.")
        if there != seen:
            return ChoiceRefused(f"The sweep found {there} files that can be deleted, not {seen}.")
        if len(amounts) > MOST_OWNERS:
            return ChoiceRefused(f"The files are of more than {MOST_OWNERS} owners: choose some of them.")
        return await self._by_scope(run, dict.fromkeys(amounts, ()))

    async def _shares_of(self, run: RunId, numbers: frozenset[FindingNumber]) -> Shares | ChoiceRefused:
        if not numbers:
            return ChoiceRefused("Nothing was chosen.")
        if len(numbers) > MOST_CHOSEN:
            return ChoiceRefused(f"More than {MOST_CHOSEN} findings were chosen.")
        numbers_of: dict[StorageConfigId, list[int]] = defaultdict(list)
        for finding in await self._ports.findings.numbered(run, numbers):
            if finding.what in DELETABLE:
                numbers_of[finding.owner].append(finding.number)
        unfit = len(numbers) - sum(map(len, numbers_of.values()))
        if unfit:
            return ChoiceRefused(
                f"{unfit} of {len(numbers)} chosen findings cannot be deleted: not there, or no files."
            )
        return await self._by_scope(run, numbers_of)

    async def _by_scope(self, run: RunId, numbers_of: Mapping[StorageConfigId, Sequence[int]]) -> Shares:
        """The files of an active config are deleted in its scope; nobody serves that of any other."""
        active = {config.id for config in await self._ports.configs.all() if config.is_active}
        owners_of: dict[StorageConfigId | None, list[StorageConfigId]] = defaultdict(list)
        for owner in sorted(numbers_of):
            owners_of[owner if owner in active else None].append(owner)
        return {
            scope: ProxyDeletionPayload(
                sweep_id=run.work_item_id,
                attempt=run.attempt,
                owners=tuple(owners),
                findings=tuple(sorted(number for owner in owners for number in numbers_of[owner])),
            )
            for scope, owners in owners_of.items()
        }

    async def _asked(self, shares: Shares, by: UserId | None, key: RequestKey | None) -> DeletionAnswer:
        async with self._ports.transactions.begin() as transaction:
            taken = KeyIsNew() if key is None else await self._ports.keys.take(key, within=transaction)
            match taken:
                case KeyIsNew():
                    ids = tuple([await self._enqueued(*share, by, transaction) for share in shares.items()])
                    if key is not None:
                        await self._ports.keys.note(key, ids, within=transaction)
                case KeyWasUsed(items=ids):
                    pass
                case KeyMisused():
                    return taken
                case _:
                    assert_never(taken)
        found = [await self._ports.ledger.get(item) for item in ids]
        items = tuple(item for item in found if not isinstance(item, UnknownItem))
        return DeletionsAccepted(items) if isinstance(taken, KeyIsNew) else DeletionsAskedBefore(items)

    async def _enqueued(
        self,
        scope: StorageConfigId | None,
        payload: ProxyDeletionPayload,
        by: UserId | None,
        transaction: Transaction,
    ) -> WorkItemId:
        answer = await self._queue.enqueue(
            payload, storage_config_id=scope, requested_by=by, within=transaction
        )
        match answer:
            case Created(id=item) | Coalesced(id=item):
                return item
            case UnknownScope():
                # The config went just now: its files are nobody's.
                return await self._enqueued(None, payload, by, transaction)
            case _:
                assert_never(answer)
