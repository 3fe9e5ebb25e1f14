"""The queue as a whole: how much there is, who works, and who is next. Read once in a while, however many ask."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from application.ports.clock import Clock
from application.ports.ledger import WorkLedger
from application.ports.presence import Presences
from application.ports.storage_configs import StorageConfigs
from application.ports.waiting_line import WaitingLine
from application.recent import Recent
from domain.kinds.kind import WorkKind
from domain.outlook import Outlook, outlook
from domain.page import Counts

FRESH_FOR: Final = timedelta(seconds=2)
GOOD_FOR: Final = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class Numbers:
    """How many items there are, and how many workers live."""

    counts: Counts
    workers_online: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewPorts:
    """What an overview is made of."""

    ledger: WorkLedger
    presences: Presences
    configs: StorageConfigs
    line: WaitingLine


class Overview:
    """Looks at the store at most once in two seconds for each of its answers."""

    def __init__(self, ports: OverviewPorts, clock: Clock, *, fresh_for: timedelta = FRESH_FOR) -> None:
        """Take what it needs."""
        self._ports = ports
        self._numbers = Recent(self._counted, clock, fresh_for=fresh_for)
        self._outlook = Recent(self._looked, clock, fresh_for=fresh_for)

    async def numbers(self) -> Numbers:
        """How much there is of what, at most two seconds ago."""
        return await self._numbers.value()

    async def outlook(self) -> Outlook:
        """What waiting items wait for, at most two seconds ago."""
        return await self._outlook.value()

    def glance(self) -> Outlook | None:
        """The same for who cannot wait: None until there is one that is hardly older."""
        return self._outlook.glance(good_for=GOOD_FOR)

    async def _counted(self) -> Numbers:
        counts = await self._ports.ledger.counts()
        workers = await self._ports.presences.workers()
        return Numbers(counts, sum(seen.is_online(counts.as_of) for seen in workers))

    async def _looked(self) -> Outlook:
        line = await self._ports.line.heads(frozenset(kind.row_name for kind in WorkKind))
        configs = await self._ports.configs.all()
        workers = await self._ports.presences.workers()
        scopes = {seen.presence.scope for seen in workers if seen.is_online(line.as_of)}
        return outlook(line.heads, configs, scopes, as_of=line.as_of)
