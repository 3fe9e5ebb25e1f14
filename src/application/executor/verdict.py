"""What a handler's answer makes of its attempt. Nothing here waits or writes."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from application.handling import CancelToken, PermanentError, Stopped, StopReason, WorkError
from application.ports.errors import CodecError, StoreUnavailable
from application.ports.lanes import Raised, Returned
from application.ports.new_ids import Chance
from application.ports.payload_codec import PayloadCodec
from domain.events import Fail, Release, Retry, RunEnd, Stop, Succeed
from domain.failure import Failure, FailureCode
from domain.ids import JsonText
from domain.kinds.kind import WorkResult
from domain.progress import Progress
from domain.retry import NO_RETRY, Backoff, GiveUp, RetryAfter, RetryPolicy, next_try
from domain.work_item import WorkItem


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """The handler was told to stop and did not: nobody waits for its answer any more."""


Answer = Returned[WorkResult | Stopped] | Raised | LeftBehind

UNCOUNTED_RUNS: Final = 20
"""So many runs that neither stalled nor were retried, and a store that is away may be a fault of the item after all."""

STORE_FAULTS: Final = Backoff(max_retries=10)
"""How that is tried then, whatever its kind says: nothing is tried for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Says how one attempt ends, once its handler has answered."""

    item: WorkItem
    policy: RetryPolicy
    cancel: CancelToken
    progress: Progress
    codec: PayloadCodec
    chance: Chance

    def on(self, answer: Answer) -> RunEnd:
        """The end that the executor then writes, if it still holds the attempt."""
        match answer:
            case LeftBehind():
                return Release(self.item.attempt)
            case Returned(value=Stopped(result=partial)):
                return self._stopped(partial)
            case Returned(value=WorkResult() as result):
                return self._encoded(result, self._succeed)
            case Returned():
                failure = Failure(FailureCode.RESULT_INVALID, "The handler did not return a result.")
                return self._failed(failure, NO_RETRY)
            case Raised(error=error) if self._torn_down(error) or self._let_down(error):
                return Release(self.item.attempt)
            case Raised(error=error):
                return self._failed(failure_of(error), self._policy_for(error))

    def _stopped(self, partial: WorkResult) -> RunEnd:
        if self.cancel.told(StopReason.CANCEL_REQUESTED):
            return self._encoded(partial, self._stop)
        if self.cancel.told(StopReason.SHUTTING_DOWN):
            return Release(self.item.attempt)
        unasked = Failure(FailureCode.HANDLER_ERROR, "It stopped without having been asked to.")
        return self._failed(unasked, self.policy)

    def _succeed(self, result: JsonText) -> RunEnd:
        return Succeed(self.item.attempt, result, self.progress)

    def _stop(self, partial: JsonText) -> RunEnd:
        return Stop(self.item.attempt, partial, self.progress)

    def _encoded(self, result: WorkResult, end: Callable[[JsonText], RunEnd]) -> RunEnd:
        try:
            return end(self.codec.encode_result(result))
        except CodecError as error:
            failure = Failure.bounded(FailureCode.RESULT_INVALID, str(error))
            return Fail(self.item.attempt, failure, self.progress)

    def _torn_down(self, error: BaseException) -> bool:
        """Whether the shutdown made the handler raise: what breaks then is not its own doing."""
        if not self.cancel.told(StopReason.SHUTTING_DOWN):
            return False
        if isinstance(error, asyncio.CancelledError):
            return True
        return not isinstance(error, WorkError) and not self.cancel.told(StopReason.CANCEL_REQUESTED)

    def _let_down(self, error: BaseException) -> bool:
        """Whether it was the machine that failed (S-19): then the item goes back unblamed, once the store is there."""
        if not isinstance(error, StoreUnavailable) or self.cancel.told(StopReason.CANCEL_REQUESTED):
            return False
        return self.item.attempt - self.item.stalls - self.item.retries <= UNCOUNTED_RUNS

    def _policy_for(self, error: BaseException) -> RetryPolicy:
        match error:
            case PermanentError():
                return NO_RETRY
            case StoreUnavailable():
                return STORE_FAULTS
            case _:
                return self.policy

    def _failed(self, failure: Failure, policy: RetryPolicy) -> RunEnd:
        if self.cancel.told(StopReason.CANCEL_REQUESTED):
            return Fail(self.item.attempt, failure, self.progress)
        match next_try(policy, self.item.retries, chance=self.chance.random()):
            case RetryAfter(wait=wait):
                return Retry(self.item.attempt, failure, wait)
            case GiveUp():
                return Fail(self.item.attempt, failure, self.progress)


def failure_of(error: BaseException) -> Failure:
    """What the admin reads of an exception: a handler's own words, else no more than the exception's type."""
    match error:
        case WorkError(code=code, text=text):
            return Failure.bounded(code, text)
        case StoreUnavailable():
            return Failure(FailureCode.STORE_UNAVAILABLE, "The store did not answer while it ran.")
        case _:
            return Failure.bounded(FailureCode.HANDLER_ERROR, f"{type(error).__name__} was raised.")


REFUSED: Final = Failure(FailureCode.RESULT_INVALID, "The store refused what the run had to say.")


def plainer_than(end: RunEnd) -> Fail | None:
    """What to write instead of an end whose content the store refuses; None where nothing is plainer."""
    if isinstance(end, Release) or end == Fail(end.attempt, REFUSED):
        return None
    return Fail(end.attempt, REFUSED)
