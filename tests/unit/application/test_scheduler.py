from datetime import timedelta

import pytest

from adapters.codec.payloads import MsgspecPayloadCodec
from application.enqueue import WorkQueue
from application.ports.errors import StoreUnavailable
from application.ports.journal import WorkScheduled
from application.scheduler import Scheduler
from application.schedules.crawl import CrawlSchedule
from application.schedules.retention import WorkItemRetentionSchedule
from application.schedules.token_cleanup import TokenCleanupSchedule
from application.scheduling import Schedule
from domain.ids import StorageConfigId, UserId
from domain.scope import AllScopes, Scope, UserScope
from domain.work_item import Status, WorkItem
from tests.support.builders import a_claim, a_failure, a_success, claimed
from tests.support.ids import CountingIds
from tests.support.reading import everything
from tests.support.workers import Workshop

HOUR = timedelta(hours=1)
DAY = timedelta(hours=24)


class Office:
    """Schedulers over one store with two users and their folders."""

    def __init__(self) -> None:
        self.shop = Workshop()
        self.ids = CountingIds(5_000)

    def scheduler(self, *schedules: Schedule, scope: Scope | None = None) -> Scheduler:
        return Scheduler(
            queue=WorkQueue(self.shop.store, MsgspecPayloadCodec(), self.shop.ids),
            ledger=self.shop.store,
            configs=self.shop.configs,
            schedules=schedules,
            scope=scope or AllScopes(),
            journal=self.shop.journal,
        )

    async def a_user(self) -> UserId:
        user = UserId(self.ids.next())
        await self.shop.users.add(
            user, name=f"{user}", email=f"{user}@x.org", password_hash="-", is_admin=False
        )
        return user

    async def a_config(self, user: UserId) -> StorageConfigId:
        config = StorageConfigId(self.ids.next())
        await self.shop.configs.add(config, user=user, root_path=f"/photos/{config}")
        return config

    async def items(self) -> list[WorkItem]:
        found = await everything(self.shop.store)
        return sorted(found.values(), key=lambda item: item.id)

    async def keys(self) -> list[str]:
        return [str(item.dedup_key) for item in await self.items()]

    async def finish_next(self, *, well: bool = True) -> None:
        kinds = frozenset({item.kind for item in await self.items()})
        item = await claimed(self.shop.store, a_claim(kinds=kinds))
        end = a_success(item.attempt) if well else a_failure(item.attempt)
        await self.shop.store.finish(item.id, end)


@pytest.fixture
def office() -> Office:
    return Office()


async def test_what_was_never_done_is_queued_at_once(office: Office) -> None:
    user = await office.a_user()
    config = await office.a_config(user)
    scheduler = office.scheduler(
        TokenCleanupSchedule(DAY), WorkItemRetentionSchedule(DAY), CrawlSchedule(4 * HOUR)
    )

    await scheduler.schedule()

    assert await office.keys() == ["token-cleanup", "work-item-retention", f"crawl:{config}"]
    crawl = (await office.items())[2]
    assert crawl.payload == f'{{"storageConfigId":"{config}"}}'
    assert crawl.storage_config_id == config
    assert crawl.requested_by is None
    assert [entry.dedup_key for entry in office.shop.journal.of(WorkScheduled)] == await office.keys()


async def test_work_that_waits_or_runs_is_not_queued_again(office: Office) -> None:
    scheduler = office.scheduler(TokenCleanupSchedule(HOUR))
    await scheduler.schedule()
    office.shop.clock.advance(5 * HOUR)

    await scheduler.schedule()
    await claimed(office.shop.store)
    office.shop.clock.advance(timedelta(seconds=5))
    await scheduler.schedule()

    assert await office.keys() == ["token-cleanup"]
    assert office.shop.line.calls["insert_if_due"] == 1


@pytest.mark.parametrize("well", [True, False])
async def test_finished_work_is_due_an_interval_after_it_finished_however_it_ended(
    office: Office, *, well: bool
) -> None:
    scheduler = office.scheduler(TokenCleanupSchedule(HOUR))
    await scheduler.schedule()
    office.shop.clock.advance(timedelta(minutes=30))
    await office.finish_next(well=well)

    office.shop.clock.advance(HOUR - timedelta(seconds=1))
    await scheduler.schedule()
    assert len(await office.items()) == 1
    office.shop.clock.advance(timedelta(seconds=1))
    await scheduler.schedule()

    assert len(await office.items()) == 2


async def test_downtime_is_caught_up_with_once(office: Office) -> None:
    await office.scheduler(TokenCleanupSchedule(HOUR)).schedule()
    await office.finish_next()
    office.shop.clock.advance(100 * HOUR)

    restarted = office.scheduler(TokenCleanupSchedule(HOUR))
    await restarted.schedule()
    await restarted.schedule()

    assert len(await office.items()) == 2


async def test_a_restart_pushes_nothing_out(office: Office) -> None:
    await office.scheduler(TokenCleanupSchedule(HOUR)).schedule()
    await office.finish_next()

    for _ in range(6):
        office.shop.clock.advance(timedelta(minutes=10))
        await office.scheduler(TokenCleanupSchedule(HOUR)).schedule()

    assert len(await office.items()) == 2


async def test_a_worker_of_one_user_schedules_for_that_user_alone(office: Office) -> None:
    ada, bob = await office.a_user(), await office.a_user()
    await office.a_config(ada)
    his = await office.a_config(bob)

    await office.scheduler(CrawlSchedule(HOUR), scope=UserScope(bob)).schedule()

    assert await office.keys() == [f"crawl:{his}"]


async def test_a_folder_that_is_added_is_crawled_with_the_next_poll(office: Office) -> None:
    scheduler = office.scheduler(CrawlSchedule(4 * HOUR))
    await scheduler.schedule()
    assert await office.keys() == []

    config = await office.a_config(await office.a_user())
    await scheduler.schedule()

    assert await office.keys() == [f"crawl:{config}"]


async def test_one_key_in_trouble_keeps_no_other_from_its_work(office: Office) -> None:
    user = await office.a_user()
    bad, good = await office.a_config(user), await office.a_config(user)
    office.shop.line.refuses.add(f"crawl:{bad}")

    await office.scheduler(CrawlSchedule(HOUR)).schedule()

    assert await office.keys() == [f"crawl:{good}"]


async def test_many_schedulers_make_one_item_an_interval(office: Office) -> None:
    schedulers = [office.scheduler(TokenCleanupSchedule(HOUR)) for _ in range(8)]

    for _ in range(3):
        for scheduler in schedulers:
            await scheduler.schedule()
        await office.finish_next()
        for scheduler in schedulers:
            await scheduler.schedule()
        office.shop.clock.advance(HOUR)

    assert [item.status for item in await office.items()] == [Status.SUCCEEDED] * 3


async def test_nothing_due_costs_two_reads(office: Office) -> None:
    scheduler = office.scheduler(TokenCleanupSchedule(DAY), WorkItemRetentionSchedule(DAY))
    await scheduler.schedule()
    office.shop.line.calls.clear()

    await scheduler.schedule()

    assert office.shop.line.calls == {"served": 1, "histories": 1}


async def test_a_store_that_is_away_is_told_to_the_worker(office: Office) -> None:
    office.shop.line.is_away = True

    with pytest.raises(StoreUnavailable):
        await office.scheduler(TokenCleanupSchedule(HOUR)).schedule()
