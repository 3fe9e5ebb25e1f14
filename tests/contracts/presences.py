"""What every store of the workers' presence promises (S-23)."""

from datetime import timedelta

import pytest

from application.ports.errors import StoreRefused
from domain.ids import UserId, WorkerName
from domain.presence import SeenWorker, WorkerPresence
from domain.scope import AllScopes, Scope, UserScope
from tests.support.accounts import Accounts
from tests.support.builders import ADA, BOB, ids
from tests.support.reading import nearly

HOUR = timedelta(hours=1)


class PresencesContract:
    """An adapter's test supplies `accounts`."""

    @pytest.fixture
    def accounts(self) -> Accounts:
        raise NotImplementedError

    async def test_a_worker_that_was_seen_is_known_as_it_told(self, accounts: Accounts) -> None:
        user = await accounts.a_user()
        mine, everybodys = a_presence(ADA, scope=UserScope(user.id)), a_presence(BOB)
        await accounts.presences.seen(mine)
        await accounts.pokes.age(HOUR)
        await accounts.presences.seen(everybodys)

        latest, earlier = await accounts.presences.workers()

        assert (latest.presence, earlier.presence) == (everybodys, mine)
        assert (latest.started_at, earlier.started_at) == (latest.last_seen_at, earlier.last_seen_at)
        assert nearly(latest.last_seen_at - earlier.last_seen_at, HOUR)

    async def test_seen_again_it_stays_one_worker(self, accounts: Accounts) -> None:
        user = await accounts.a_user()
        await accounts.presences.seen(a_presence(ADA, scope=UserScope(user.id)))
        await accounts.pokes.age(HOUR)
        changed = WorkerPresence(name=ADA, scope=AllScopes(), version="2.0", slots=8)

        await accounts.presences.seen(changed)

        (worker,) = await accounts.presences.workers()
        assert worker.presence == changed
        assert nearly(worker.last_seen_at - worker.started_at, HOUR)

    async def test_whoever_was_seen_last_comes_first(self, accounts: Accounts) -> None:
        for name in (ADA, BOB, ADA):
            await accounts.pokes.age(HOUR)
            await accounts.presences.seen(a_presence(name))

        assert names(await accounts.presences.workers()) == [ADA, BOB]

    async def test_a_worker_that_left_is_forgotten(self, accounts: Accounts) -> None:
        await accounts.presences.seen(a_presence(ADA))
        await accounts.presences.seen(a_presence(BOB))

        for _ in range(2):
            await accounts.presences.gone(ADA)

        assert names(await accounts.presences.workers()) == [BOB]

    async def test_a_worker_silent_for_over_a_day_is_forgotten(self, accounts: Accounts) -> None:
        await accounts.presences.seen(a_presence(ADA))
        await accounts.pokes.age(timedelta(hours=23))
        assert names(await accounts.presences.workers()) == [ADA]

        await accounts.pokes.age(timedelta(hours=2))
        assert names(await accounts.presences.workers()) == []

        await accounts.presences.seen(a_presence(BOB))
        assert names(await accounts.presences.workers()) == [BOB]
        assert await accounts.pokes.presence_count() == 1

    async def test_a_worker_of_nobody_is_refused(self, accounts: Accounts) -> None:
        with pytest.raises(StoreRefused):
            await accounts.presences.seen(a_presence(ADA, scope=UserScope(UserId(ids.next()))))

        assert await accounts.presences.workers() == ()


def a_presence(name: WorkerName, *, scope: Scope | None = None) -> WorkerPresence:
    return WorkerPresence(name=name, scope=scope or AllScopes(), version="1.0", slots=1)


def names(workers: tuple[SeenWorker, ...]) -> list[WorkerName]:
    return [worker.presence.name for worker in workers]
