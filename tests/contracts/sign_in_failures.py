"""What every store of failed sign-ins promises."""

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Final

import pytest

from application.ports.sign_in_failures import Admitted, LockedOut, Suspect
from tests.support.accounts import Accounts
from tests.support.reading import nearly

ADA: Final = Suspect("account ada")
HERE: Final = Suspect("address 192.0.2.1")
THERE: Final = Suspect("address 192.0.2.2")


class SignInFailuresContract:
    """An adapter's test supplies `accounts`."""

    @pytest.fixture
    def accounts(self) -> Accounts:
        raise NotImplementedError

    async def test_so_many_are_admitted_and_the_next_has_to_wait_for_the_end_of_the_window(
        self, accounts: Accounts
    ) -> None:
        for _ in range(10):
            assert await accounts.failures.admit({HERE: 10}) == Admitted()
            await accounts.pokes.age(timedelta(seconds=1))

        answer = await accounts.failures.admit({HERE: 10})

        assert isinstance(answer, LockedOut)
        assert nearly(answer.wait, timedelta(seconds=50))
        await accounts.pokes.age(timedelta(seconds=50))
        assert await accounts.failures.admit({HERE: 10}) == Admitted()

    async def test_a_try_that_is_not_admitted_counts_for_nobody(self, accounts: Accounts) -> None:
        await accounts.failures.admit({HERE: 1})

        for _ in range(5):
            assert isinstance(await accounts.failures.admit({ADA: 2, HERE: 1}), LockedOut)

        for _ in range(2):
            assert await accounts.failures.admit({ADA: 2, THERE: 10}) == Admitted()
        assert isinstance(await accounts.failures.admit({ADA: 2, THERE: 10}), LockedOut)

    async def test_waiting_makes_no_wait_longer(self, accounts: Accounts) -> None:
        await accounts.failures.admit({HERE: 1})
        await accounts.pokes.age(timedelta(seconds=59))
        assert isinstance(await accounts.failures.admit({HERE: 1}), LockedOut)

        await accounts.pokes.age(timedelta(seconds=1))

        assert await accounts.failures.admit({HERE: 1}) == Admitted()

    async def test_what_is_forgiven_gives_one_try_back_and_no_more(self, accounts: Accounts) -> None:
        for _ in range(2):
            await accounts.failures.admit({HERE: 2})

        await accounts.failures.forgive(frozenset({HERE}))

        assert await accounts.failures.admit({HERE: 2}) == Admitted()
        assert isinstance(await accounts.failures.admit({HERE: 2}), LockedOut)

    async def test_nobody_has_tries_in_stock(self, accounts: Accounts) -> None:
        for _ in range(3):
            await accounts.failures.forgive(frozenset({HERE, ADA}))
        await accounts.failures.admit({HERE: 1})
        for _ in range(3):
            await accounts.failures.forgive(frozenset({HERE}))

        assert await accounts.failures.admit({HERE: 1}) == Admitted()
        assert isinstance(await accounts.failures.admit({HERE: 1}), LockedOut)

    async def test_of_those_who_try_at_once_no_more_than_the_limit_are_admitted(
        self, accounts: Accounts
    ) -> None:
        answers = await asyncio.gather(
            *(accounts.failures.admit({ADA: 100, HERE: 10}) for _ in range(15)),
            *(accounts.failures.admit({HERE: 10, ADA: 100}) for _ in range(15)),
        )

        assert Counter(map(type, answers)) == {Admitted: 10, LockedOut: 20}

    async def test_what_is_over_is_deleted_by_and_by(self, accounts: Accounts) -> None:
        for number in range(5):
            await accounts.failures.admit({Suspect(f"address {number}"): 10})
        await accounts.pokes.age(timedelta(minutes=1))

        deleted = [await accounts.failures.delete_expired(limit=2) for _ in range(4)]

        assert deleted == [2, 2, 1, 0]
        assert await accounts.pokes.failure_count() == 0

    async def test_old_counts_make_room_for_new_ones_by_themselves(self, accounts: Accounts) -> None:
        for number in range(8):
            await accounts.failures.admit({Suspect(f"address {number}"): 10})
        await accounts.pokes.age(timedelta(minutes=1))

        await accounts.failures.admit({HERE: 10})

        assert await accounts.pokes.failure_count() == 1

    @pytest.mark.parametrize("odd", ["", "a\0b", "\udcff", "x" * 100_000, "ü'; --"])
    async def test_a_suspect_may_be_called_anything(self, accounts: Accounts, odd: str) -> None:
        assert await accounts.failures.admit({Suspect(odd): 1}) == Admitted()
        assert isinstance(await accounts.failures.admit({Suspect(odd): 1}), LockedOut)
