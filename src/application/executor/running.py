"""Runs items: a typed payload, a lane, a handler, and the handler's answer."""

import asyncio
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from application.executor.departure import Departure
from application.executor.verdict import Answer, LeftBehind, Verdict
from application.handling import Run, Stopped, StopReason
from application.heartbeat import Grip
from application.ports.clock import Clock
from application.ports.errors import CodecError
from application.ports.journal import HandlerLeftBehind, HandlerRaised, Journal
from application.ports.lanes import Errand, Lane, Lanes, Raised
from application.ports.new_ids import Chance
from application.ports.payload_codec import PayloadCodec
from application.registry import KindRegistry, Registration
from application.waiting import first_of
from application.worker_options import WorkerOptions
from domain.attempt import RunId
from domain.events import Fail, RunEnd
from domain.failure import Failure, FailureCode
from domain.kinds.kind import WorkPayload, WorkResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Runs items for the executor, each on a lane of its own. Raises nothing that a handler raises."""

    registry: KindRegistry
    codec: PayloadCodec
    chance: Chance
    lanes: Lanes
    clock: Clock
    journal: Journal
    departure: Departure
    options: WorkerOptions
    idle_lanes: list[Lane] = field(default_factory=list, init=False)

    async def end_of(self, grip: Grip) -> RunEnd:
        """Run the item to its end, which is then to be written if the grip still holds."""
        item = grip.item
        registration = self.registry.of(item.kind)
        try:
            payload = self.codec.decode_payload(item.payload, registration.payload)
        except CodecError as error:
            return Fail(item.attempt, Failure.bounded(FailureCode.PAYLOAD_INVALID, str(error)))
        run = Run(RunId(item.id, item.attempt), payload, grip.progress, grip.cancel)
        answer = await self._answer(registration, run, grip)
        verdict = Verdict(
            item=item,
            policy=registration.retry_policy,
            cancel=grip.cancel,
            progress=grip.progress.latest,
            codec=self.codec,
            chance=self.chance,
        )
        return verdict.on(answer)

    def close(self) -> None:
        """Let all idle lanes go."""
        for lane in self.idle_lanes:
            lane.close()
        self.idle_lanes.clear()

    async def _answer(self, registration: Registration, run: Run[WorkPayload], grip: Grip) -> Answer:
        lane = self.idle_lanes.pop() if self.idle_lanes else self.lanes.open("handlers")
        errand = _started(lane, registration, run)
        try:
            await self._see_through(errand, grip)
        finally:
            if not errand.is_over:
                # Also where the wait itself was cut off. A lane that its handler does not leave is lost.
                errand.cancel()
                lane.close()
        if not errand.is_over:
            self.journal.record(HandlerLeftBehind(grip.item.id, grip.item.kind, grip.item.attempt))
            return LeftBehind()
        self.idle_lanes.append(lane)
        answer = await errand.end()
        if isinstance(answer, Raised):
            self._note(answer.error, grip)
        return answer

    def _note(self, error: BaseException, grip: Grip) -> None:
        if not (isinstance(error, asyncio.CancelledError) and grip.cancel.requested):
            item = grip.item
            self.journal.record(HandlerRaised(item.id, item.kind, item.attempt, error=error))

    async def _see_through(self, errand: Errand[Any], grip: Grip) -> None:
        """Wait for the handler; once it was told to stop, only for so long."""
        await first_of(errand.end(), grip.lost.wait(), self.departure.begun.wait())
        if errand.is_over:
            return
        if self.departure.begun.is_set():
            grip.cancel.request(StopReason.SHUTTING_DOWN)
        errand.cancel()
        out_of_time = self.departure.out_of_time.wait()
        if grip.lost.is_set():
            await first_of(errand.end(), out_of_time, self.clock.sleep(self.options.patience_with_handlers))
        else:
            await first_of(errand.end(), out_of_time)


def _started(lane: Lane, registration: Registration, run: Run[WorkPayload]) -> Errand[WorkResult | Stopped]:
    handle: Callable[[Run[WorkPayload]], Any] = registration.handler.handle
    if inspect.iscoroutinefunction(handle):
        return lane.start(lambda: handle(run))
    return lane.start_blocking(lambda: handle(run))
