"""What a handler is given, and what it may answer. Nothing here speaks of leases or fencing (S-20)."""

from collections.abc import Awaitable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from domain.attempt import RunId
from domain.kinds.kind import WorkPayload, WorkResult
from domain.progress import NO_PROGRESS, Progress, bounded_progress

P = TypeVar("P", bound=WorkPayload)


class WorkError(Exception):
    """A failure that the handler can name: a stable code, and a text without file or folder names.

    It is retried where the kind's policy says so. Any other exception counts as `handler-error`,
    and its text stays in the worker's own log.
    """

    def __init__(self, code: str, text: str) -> None:
        """Take the kebab-case code and the text that the admin will read."""
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text


class PermanentError(WorkError):
    """A failure that another try cannot mend: never retried."""


class StopReason(StrEnum):
    """Why a run should stop, the weightiest reason first."""

    FENCED = "fenced"
    CANCEL_REQUESTED = "cancel-requested"
    SHUTTING_DOWN = "shutting-down"


class CancelToken:
    """Tells a handler that it should stop, from any thread and without a lock.

    A handler looks at `requested` between its steps, and then returns `Stopped`.
    """

    __slots__ = ("_reasons",)

    def __init__(self) -> None:
        """Start without a request."""
        self._reasons = dict.fromkeys(StopReason, False)

    @property
    def requested(self) -> bool:
        """Whether the run should stop, for whatever reason."""
        return self.reason is not None

    @property
    def reason(self) -> StopReason | None:
        """Why the run should stop: the weightiest of all reasons given."""
        return next((reason for reason, given in self._reasons.items() if given), None)

    def told(self, reason: StopReason) -> bool:
        """Whether this reason was given, whatever others were."""
        return self._reasons[reason]

    def request(self, reason: StopReason) -> None:
        """Ask the run to stop. No reason that was given is ever taken back."""
        # Each reason has a place of its own, so requests of two threads cannot undo each other.
        self._reasons[reason] = True


class ProgressSink:
    """Takes a handler's reports. It never blocks and never writes: the next heartbeat takes the latest."""

    __slots__ = ("_latest",)

    def __init__(self) -> None:
        """Start with nothing done."""
        self._latest = NO_PROGRESS

    @property
    def latest(self) -> Progress:
        """The last report."""
        return self._latest

    def report(self, *, done: int, total: int | None = None, note: str = "") -> None:
        """Say how far the run has come; `total` stays None while it is unknown. Counts and ids only."""
        self._latest = bounded_progress(done, total, note)


@dataclass(frozen=True, slots=True)
class Run(Generic[P]):
    """One run, as its handler sees it."""

    id: RunId
    payload: P
    progress: ProgressSink = field(default_factory=ProgressSink)
    cancel: CancelToken = field(default_factory=CancelToken)


@dataclass(frozen=True, slots=True)
class Stopped:
    """The handler stopped because it was asked to; this is what it had done by then.

    After a cancel request that becomes the partial result; at a shutdown the item is handed back whole.
    """

    result: WorkResult


class Handler(Protocol[P]):
    """Does one kind of work, on an event loop of its own.

    Each run starts from scratch and converges: side effects are safe to repeat, since a run can be cut
    off anywhere and followed by another. A handler holds no transaction while it works (S-20). When the
    worker leaves, or has lost the item, the handler is cancelled at its next await.
    """

    def handle(self, run: Run[P]) -> Awaitable[WorkResult | Stopped]:
        """Do the work; see `WorkError` for how to fail."""
        ...


class BlockingHandler(Protocol[P]):
    """The same for a plain function, which gets a thread of its own. Nothing can cancel it but itself."""

    def handle(self, run: Run[P]) -> WorkResult | Stopped:
        """Do the work; see `WorkError` for how to fail."""
        ...
