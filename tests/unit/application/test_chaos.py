"""Three workers in bad weather, by dice: crashes, outages, lost messages, cancels, restarts.

The real executor, heartbeat, scheduler and recovery run; what must hold is asked after every second.
"""

import asyncio
import random
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from application.handling import Run, Stopped, StopReason, WorkError
from application.worker import Worker
from domain.attempt import RunId
from domain.ids import WorkerName, WorkItemId
from domain.retry import Backoff
from domain.work_item import TERMINAL, Failed, Running, WorkItem
from tests.support.faulty import Line
from tests.support.probes import ProbePayload, ProbeResult
from tests.support.reading import everything
from tests.support.workers import Workshop

SECONDS_OF_STORM = 150
SECONDS_OF_CALM = 400
VERBS = ("claim", "finish", "finish_and_claim", "heartbeat", "held_by", "expired", "recover", "seen", "gone")


@dataclass(slots=True)
class Life:
    """One process run of a worker."""

    worker: Worker
    line: Line
    task: asyncio.Task[None]
    is_killed: bool = False


@dataclass(slots=True)
class Storm:
    """What happens is decided by the seed alone."""

    seed: int
    shop: Workshop = field(default_factory=Workshop)
    lives: list[Life] = field(default_factory=list)
    runs: dict[WorkItemId, list[tuple[Life, Run[ProbePayload]]]] = field(default_factory=dict)
    seen: dict[WorkItemId, WorkItem] = field(default_factory=dict)
    doubles: list[tuple[RunId, RunId]] = field(default_factory=list)
    begun: int = 0
    dice: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)  # noqa: S311 -- weather, no secrets

    def start(self) -> None:
        """A new worker process."""
        line = Line()
        handler = Careful(self)
        self.begun += 1
        name = WorkerName(f"worker-{self.begun}")
        options = self.shop.options(slots=self.dice.choice([1, 2]))
        worker = self.shop.worker(
            handler, name=name, line=line, options=options, retry=Backoff(max_retries=1)
        )
        handler.life = Life(worker, line, asyncio.create_task(worker.run()))
        self.lives.append(handler.life)

    async def second(self) -> None:
        """One second of bad weather."""
        match self.dice.randrange(10):
            case 0 | 1 | 2:
                await self.shop.a_probe(self.dice.choice([0, 0, 1, 5, 70]))
            case 3:
                known = sorted(await everything(self.shop.store))
                if known:
                    await self.shop.store.cancel(self.dice.choice(known))
            case 4:
                lost = self.dice.choice(self.lives).line
                side = self.dice.choice([lost.loses_requests, lost.loses_replies])
                side[self.dice.choice(VERBS)] = 1
            case 5 if self.dice.random() < 0.4:
                line = self.dice.choice(self.lives).line
                line.is_away = not line.is_away
            case 6 if self.dice.random() < 0.3:
                self.kill(self.dice.choice(self.lives))
            case 7 if self.dice.random() < 0.3:
                self.dice.choice(self.lives).worker.stop()
        await self.shop.pass_time(1)
        self.replace_the_gone()
        await self.check()

    def kill(self, life: Life) -> None:
        """Nothing that it sends arrives any more; its handlers are as good as dead."""
        life.is_killed = True
        life.line.is_away = True
        life.worker.stop()

    def replace_the_gone(self) -> None:
        for life in [life for life in self.lives if life.task.done() or life.is_killed]:
            self.lives.remove(life)
            self.start()

    async def check(self) -> None:
        """What must hold at every moment (invariants 1, 2 and 12)."""
        now = await everything(self.shop.store)
        for item in now.values():
            before = self.seen.get(item.id)
            if before is None:
                continue
            assert before.status not in TERMINAL or item == before
            assert item.attempt >= before.attempt
            assert item.stalls <= item.attempt
        self.seen = now


class Careful:
    """A handler that minds its runs: no two of one item may both believe that they hold it (invariant 4)."""

    def __init__(self, storm: Storm) -> None:
        self._storm = storm
        self.life: Life | None = None

    async def handle(self, run: Run[ProbePayload]) -> ProbeResult | Stopped:
        assert self.life is not None
        others = self._storm.runs.setdefault(run.id.work_item_id, [])
        self._storm.doubles += [
            (other.id, run.id)
            for life, other in others
            if not (life.is_killed or other.cancel.told(StopReason.FENCED))
            or other.id.attempt >= run.id.attempt
        ]
        mine = (self.life, run)
        others.append(mine)
        try:
            return await self._work(run)
        finally:
            others.remove(mine)

    async def _work(self, run: Run[ProbePayload]) -> ProbeResult | Stopped:
        for second in range(run.payload.number):
            run.progress.report(done=second, total=run.payload.number)
            await self._storm.shop.clock.sleep(timedelta(seconds=1))
            if run.cancel.requested:
                return Stopped(ProbeResult(second))
        if self._storm.dice.random() < 0.1:
            raise WorkError("bad-luck", "The dice said so.")
        return ProbeResult(run.payload.number)


@pytest.mark.parametrize("seed", range(8))
async def test_whatever_the_weather_every_item_comes_to_a_good_end(seed: int) -> None:
    storm = Storm(seed)
    for _ in range(3):
        storm.start()
    for _ in range(SECONDS_OF_STORM):
        await storm.second()

    for life in storm.lives:
        life.line.is_away = False
        life.line.loses_requests.clear()
        life.line.loses_replies.clear()
    await storm.shop.pass_time(SECONDS_OF_CALM)
    await storm.check()

    assert storm.doubles == []
    assert storm.begun > 3
    assert {item.status for item in storm.seen.values()} <= TERMINAL
    for item in storm.seen.values():
        if isinstance(item.state, Failed):
            assert item.state.failure.code in {"bad-luck", "stalled"}
            assert (item.state.failure.code == "stalled") == (item.stalls == 3)

    for life in storm.lives:
        life.worker.stop()
    await storm.shop.pass_time(8)
    assert not [item for item in storm.seen.values() if isinstance(item.state, Running)]
