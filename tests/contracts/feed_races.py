"""Writers race, commit late, roll back and delete; readers are cut at random. Each reader ends with the truth (S-30)."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Final

import pytest

from application.ports.errors import StoreRefused
from domain.events import RunEnd
from domain.ids import StorageConfigId, WorkItemId
from domain.work_item import WorkItem
from tests.support.builders import (
    CLEANUP,
    CRAWL,
    a_claim,
    a_failure,
    a_heartbeat,
    a_new_item,
    a_release,
    a_retry,
    a_stop,
    a_success,
)
from tests.support.following import Follower, a_follower
from tests.support.house import House
from tests.support.reading import everything

CHANGES: Final = 5_000
CUTS: Final = 200
WRITERS: Final = 6
READERS: Final = 3


class ChangeOfMindError(Exception):
    """Leaves a transaction."""


@dataclass(slots=True)
class Writers:
    """Do random things to one store until there were enough of them."""

    house: House
    dice: Random
    left: int = CHANGES
    items: list[WorkItemId] = field(default_factory=list)
    running: list[WorkItem] = field(default_factory=list)
    configs: list[StorageConfigId] = field(default_factory=list)
    progress: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def are_done(self) -> bool:
        return self.left <= 0

    async def write(self) -> None:
        """One writer's share."""
        deeds: list[tuple[int, Callable[[], Awaitable[None]]]] = [
            (25, self._enqueue),
            (20, self._claim),
            (20, self._beat),
            (20, self._finish),
            (6, self._cancel),
            (6, self._enqueue_together),
            (2, self._purge),
            (1, self._replace_a_config),
        ]
        weights, verbs = zip(*deeds, strict=True)
        while not self.are_done:
            (deed,) = self.dice.choices(verbs, weights)
            await deed()
            async with self.progress:
                self.left -= 1
                self.progress.notify_all()

    async def have_done(self, more: int) -> None:
        """Return after so many more deeds."""
        goal = self.left - more
        async with self.progress:
            await self.progress.wait_for(lambda: self.left <= goal or self.are_done)

    async def _enqueue(self) -> None:
        config = self.dice.choice([None, *self.configs])
        new = a_new_item(kind=CLEANUP if config is None else CRAWL, storage_config_id=config)
        await self.house.store.insert(new)
        self.items.append(new.id)

    async def _enqueue_together(self) -> None:
        """Some items in one transaction, which ends after others have committed, or is rolled back."""
        news = [a_new_item() for _ in range(self.dice.randint(1, 4))]
        try:
            async with self.house.transactions.begin() as transaction:
                for new in news:
                    await self.house.store.insert(new, within=transaction)
                for _ in range(self.dice.randint(0, 20)):
                    await asyncio.sleep(0)
                self._change_their_mind(0.3)
        except ChangeOfMindError:
            return
        self.items += [new.id for new in news]

    def _change_their_mind(self, probability: float) -> None:
        if self.dice.random() < probability:
            raise ChangeOfMindError

    async def _claim(self) -> None:
        self.running += await self.house.store.claim(a_claim(limit=self.dice.randint(1, 3)))

    async def _beat(self) -> None:
        if self.running:
            item = self.dice.choice(self.running)
            await self.house.store.heartbeat(item.id, a_heartbeat(item.attempt))

    async def _finish(self) -> None:
        if self.running:
            item = self.running.pop(self.dice.randrange(len(self.running)))
            ends: list[RunEnd] = [
                a_success(item.attempt),
                a_failure(item.attempt),
                a_retry(item.attempt, wait=timedelta()),
                a_release(item.attempt),
                a_stop(item.attempt),
            ]
            await self.house.store.finish(item.id, self.dice.choice(ends))

    async def _cancel(self) -> None:
        if self.items:
            await self.house.store.cancel(self.dice.choice(self.items))

    async def _purge(self) -> None:
        await self.house.store.purge(older_than=timedelta(), limit=self.dice.randint(1, 20))

    async def _replace_a_config(self) -> None:
        try:
            self.configs.append(await self.house.a_config())
        except StoreRefused as refusal:  # pragma: no cover -- no two have one path
            raise AssertionError from refusal
        if len(self.configs) > 3:
            await self.house.storage_configs.remove(self.configs.pop(0))


@dataclass(slots=True)
class Reader:
    """Follows, but loses the thread again and again in the middle of a look."""

    follower: Follower
    dice: Random
    cuts: int = 0

    async def read(self, writers: Writers) -> None:
        """Until the writers are done, then once more."""
        while not writers.are_done:
            await writers.have_done(self.dice.randint(1, 30))
            await self._look(limit=self.dice.randint(1, 30))
        await self.follower.catch_up(limit=self.dice.randint(1, 200))

    async def _look(self, *, limit: int) -> None:
        part = await self.follower.look(limit=limit)
        while part is not None:
            if self.dice.random() < 0.4:
                # What it was told stays told, and the cursor stays behind.
                self.cuts += 1
                return
            if part.rest is None:
                self.follower.cursor = part.cursor
                return
            part = await self.follower.read_on(part.rest, limit=limit)


class FeedRaceContract:
    """An adapter's test subclasses this and supplies `house`."""

    @pytest.mark.parametrize("seed", [1])
    async def test_readers_that_are_cut_at_random_end_with_the_truth(self, house: House, seed: int) -> None:
        writers = Writers(house, Random(seed))  # noqa: S311 -- dice
        followers = [await a_follower(house.feed, house.store) for _ in range(READERS)]
        dice = [Random(f"{seed} {nth}") for nth in range(READERS)]  # noqa: S311
        readers = [Reader(*pair) for pair in zip(followers, dice, strict=True)]

        await asyncio.gather(
            *(writers.write() for _ in range(WRITERS)), *(reader.read(writers) for reader in readers)
        )
        for follower in followers:
            await follower.catch_up()

        truth = await everything(house.store)
        assert len(truth) > 100
        assert sum(reader.cuts for reader in readers) >= CUTS
        for follower in followers:
            assert follower.view == truth
            assert follower.resets == 0
