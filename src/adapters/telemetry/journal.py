"""The worker's journal as log lines."""

from contextlib import suppress
from typing import Any

import structlog

from adapters.telemetry.rate_limit import LIMITED_BY
from application.ports.errors import PortError
from application.ports.journal import (
    AttemptClaimed,
    AttemptEntry,
    AttemptFault,
    AttemptFenced,
    AttemptFinished,
    AttemptRecovered,
    Entry,
    HandlerLeftBehind,
    HandlerRaised,
    Journal,
    MachineFault,
    OfAttempt,
    StrayReleased,
    WorkerArrived,
    WorkerEntry,
    WorkerLeaving,
    WorkerLeft,
    WorkScheduled,
)
from domain.presence import WorkerPresence
from domain.scope import UserScope


class LogJournal(Journal):
    """One line an entry. Faults of the machine are told once in ten seconds for each part."""

    def __init__(self) -> None:
        self._log = structlog.get_logger()

    def record(self, entry: Entry) -> None:
        # A log that cannot be written must not stop the work that it is about.
        with suppress(OSError, ValueError):
            if isinstance(entry, OfAttempt):
                self._of_attempt(entry)
            else:
                self._of_worker(entry)

    def _fault(self, entry: MachineFault | AttemptFault) -> None:
        error = entry.error
        # A port's own errors say in plain words what is wrong; where they were raised says nothing more.
        why = {"reason": str(error)} if isinstance(error, PortError) else {"exc_info": error}
        alike = {LIMITED_BY: f"{entry.part}: {type(error).__qualname__}"}
        self._log.warning("machine fault", part=entry.part, **_attempt(entry), **why, **alike)

    def _of_attempt(self, entry: AttemptEntry) -> None:
        match entry:
            case AttemptClaimed():
                self._log.info("claimed", **_attempt(entry))
            case AttemptFinished():
                self._finished(entry)
            case AttemptFenced(by=by):
                self._log.warning("fenced", by=by.value, **_attempt(entry))
            case AttemptRecovered(status=status):
                self._log.warning("recovered", status=status.value, **_attempt(entry))
            case HandlerRaised(error=error):
                self._log.warning("handler raised", exc_info=error, **_attempt(entry))
            case AttemptFault():
                self._fault(entry)
            case HandlerLeftBehind():
                self._log.error("handler left behind", **_attempt(entry))

    def _finished(self, entry: AttemptFinished) -> None:
        if entry.code is None:
            self._log.info("finished", how=entry.how.value, **_attempt(entry))
        else:
            self._log.warning("finished", how=entry.how.value, errorCode=entry.code, **_attempt(entry))

    def _of_worker(self, entry: WorkerEntry) -> None:
        match entry:
            case MachineFault():
                self._fault(entry)
            case StrayReleased(item=item, attempt=attempt):
                self._log.warning("released a claim whose answer was lost", itemId=item, attempt=attempt)
            case WorkScheduled(item=item, kind=kind, dedup_key=key):
                self._log.info("scheduled", itemId=item, kind=kind, dedupKey=key)
            case WorkerArrived(presence=presence):
                self._log.info("worker arrived", **_worker(presence))
            case WorkerLeaving(worker=worker, running=running):
                self._log.info("worker leaving", worker=worker, running=running)
            case WorkerLeft(worker=worker, running=running):
                self._log.info("worker left", worker=worker, running=running)


def _attempt(entry: Entry) -> dict[str, Any]:
    if not isinstance(entry, OfAttempt):
        return {}
    return {"itemId": entry.item, "kind": entry.kind, "attempt": entry.attempt}


def _worker(presence: WorkerPresence) -> dict[str, Any]:
    scope = presence.scope
    served = scope.user_id if isinstance(scope, UserScope) else "all"
    return {"worker": presence.name, "user": served, "version": presence.version, "slots": presence.slots}
