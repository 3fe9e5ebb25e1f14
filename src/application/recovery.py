"""Brings back items whose worker went quiet."""

from datetime import timedelta

from application.one_by_one import OneByOne
from application.ports.clock import Clock
from application.ports.expired import ExpiredLease, ExpiredLeases
from application.ports.journal import AttemptRecovered, Journal
from application.waiting import Contact
from application.worker_options import WorkerOptions
from domain.outcomes import NotExpired, Recovered

BATCH = 100
HEARTBEATS_BETWEEN_SIGHTINGS = 2
HEARTBEATS_AFTER_RECONNECT = 3


class Recovery:
    """Recovers a lease that it has seen expired twice, some beats apart by its own monotonic clock (R13).

    So a step of the store's clock fences nobody: a worker that lives beats in between, and its lease is
    another one then. For the same reason it recovers nothing shortly after its own connection came back.
    """

    def __init__(
        self,
        expired: ExpiredLeases,
        contact: Contact,
        clock: Clock,
        journal: Journal,
        options: WorkerOptions,
    ) -> None:
        self._expired = expired
        self._contact = contact
        self._clock = clock
        self._journal = journal
        self._stall_limit = options.stall_limit
        self._settling = options.heartbeat * HEARTBEATS_AFTER_RECONNECT
        self._apart = options.heartbeat * HEARTBEATS_BETWEEN_SIGHTINGS
        self._first_seen: dict[ExpiredLease, timedelta] = {}
        self._rows = OneByOne[ExpiredLease]("recovery", journal)

    @property
    def is_watching(self) -> bool:
        """Whether there are expired leases that it means to recover."""
        return bool(self._first_seen.keys() - self._rows.troubled)

    async def recover(self) -> None:
        """Look at the expired leases, and recover those that have been sighted long enough ago."""
        # Rows that cannot be recovered stay the longest expired ones: the batch grows by them.
        sightings = await self._expired.expired(limit=BATCH + len(self._rows.troubled))
        self._contact.made()
        now = self._clock.monotonic()
        self._first_seen = {sighting: self._first_seen.get(sighting, now) for sighting in sightings}
        if self._contact.lasts_for(self._settling):
            due = [seen for seen, first_at in self._first_seen.items() if now - first_at >= self._apart]
            await self._rows.each(due, self._recover)

    async def _recover(self, sighting: ExpiredLease) -> None:
        answer = await self._expired.recover(sighting, stall_limit=self._stall_limit)
        del self._first_seen[sighting]
        match answer:
            case Recovered(item=item):
                entry = AttemptRecovered(item.id, item.kind, item.attempt, status=item.status)
                self._journal.record(entry)
            case NotExpired():
                pass
