"""The faces of the queue's store together. For adapters and wiring only."""

from typing import Protocol

from application.ports.cancels import WorkCancels
from application.ports.claims import WorkClaims
from application.ports.expired import ExpiredLeases
from application.ports.inbox import WorkInbox
from application.ports.leases import WorkLeases
from application.ports.ledger import WorkLedger
from application.ports.purge import FinishedWork


class WorkStore(
    WorkInbox, WorkClaims, WorkLeases, ExpiredLeases, WorkCancels, FinishedWork, WorkLedger, Protocol
):
    """What every store of work items promises; `tests/contracts` holds each of them to it."""
