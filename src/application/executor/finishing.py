"""Writes how attempts ended, for as long as it takes and the attempt is held."""

from dataclasses import dataclass

from application.executor.verdict import plainer_than
from application.heartbeat import Grip, Heartbeat
from application.ports.claims import WorkClaims
from application.ports.clock import Clock
from application.ports.errors import StoreRefused, StoreUnavailable
from application.ports.journal import AttemptFault, AttemptFinished, EndWord, FencedBy, Journal
from application.ports.new_ids import Chance
from application.waiting import Contact, Patience
from application.worker_options import WorkerOptions
from domain.events import Fail, Release, Retry, RunEnd, Stop, Succeed
from domain.outcomes import Fenced, FinishAnswer, Recorded

BEATS_BETWEEN_TRIES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Finishing:
    """The finishing write, made to last."""

    claims: WorkClaims
    heartbeat: Heartbeat
    contact: Contact
    chance: Chance
    clock: Clock
    journal: Journal
    options: WorkerOptions

    async def record(self, grip: Grip, end: RunEnd) -> None:
        """Write the end until the store has answered, or the attempt is lost.

        The beats for it must have ended before. An end whose content the store refuses becomes a plain
        failure; where that is refused too, the item is left to recovery: this never loops (R16).
        """
        wait = self.options.heartbeat * BEATS_BETWEEN_TRIES
        patience = Patience(self.clock, self.chance, longest=wait)
        plain: RunEnd | None = end
        while plain is not None and self.heartbeat.still_holds(grip):
            end = plain
            try:
                self.note(grip, end, await self.claims.finish(grip.item.id, end))
            except StoreRefused as error:
                self.fault(grip, error)
                plain = plainer_than(end)
                if plain is None:
                    self.heartbeat.give_up(grip, FencedBy.REFUSAL)
            except StoreUnavailable as error:
                self.fault(grip, error)
                await patience.wait()
                await self.heartbeat.renew(grip)
            else:
                return

    def fault(self, grip: Grip, error: Exception) -> None:
        """Note that a finishing write did not go through."""
        if isinstance(error, StoreUnavailable):
            self.contact.lost()
        item = grip.item
        self.journal.record(AttemptFault(item.id, item.kind, item.attempt, part="finish", error=error))

    def note(self, grip: Grip, end: RunEnd, answer: FinishAnswer) -> None:
        """Note what became of the finishing write."""
        item = grip.item
        match answer:
            case Recorded():
                how, code = _words(end)
                entry = AttemptFinished(item.id, item.kind, item.attempt, how=how, code=code)
                self.journal.record(entry)
            case Fenced():
                self.heartbeat.give_up(grip, FencedBy.STORE)


def _words(end: RunEnd) -> tuple[EndWord, str | None]:
    match end:
        case Succeed():
            return EndWord.SUCCEEDED, None
        case Fail(failure=failure):
            return EndWord.FAILED, failure.code
        case Retry(failure=failure):
            return EndWord.RETRIED, failure.code
        case Stop():
            return EndWord.STOPPED, None
        case Release():
            return EndWord.RELEASED, None
