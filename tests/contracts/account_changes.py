"""What every store promises of changes to accounts."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from application.ports.account_changes import AccountChanged, AccountGone, LastAdmin
from domain.ids import UserId
from tests.contracts.refresh_tokens import begun
from tests.support.accounts import Accounts
from tests.support.builders import ids


class AccountChangesContract:
    """An adapter's test supplies `accounts`."""

    @pytest.fixture
    def accounts(self) -> Accounts:
        raise NotImplementedError

    async def test_another_password_ends_every_session_of_the_account(self, accounts: Accounts) -> None:
        ada, bob = await accounts.a_user(), await accounts.a_user()
        await begun(accounts, ada)
        await begun(accounts, ada)
        await begun(accounts, bob)

        answer = await accounts.changes.set_password(ada.id, "another")

        changed = replace(ada, password_hash="another")
        assert answer == AccountChanged(changed, sessions=2)
        assert await accounts.users.get(ada.id) == changed
        assert await accounts.pokes.session_count() == 1

    async def test_another_hash_of_the_same_password_ends_none(self, accounts: Accounts) -> None:
        ada = await accounts.a_user()
        await begun(accounts, ada)

        await accounts.changes.renew_hash(ada.id, old="-", new="better")

        assert await accounts.users.get(ada.id) == replace(ada, password_hash="better")
        assert await accounts.pokes.session_count() == 1

    async def test_a_hash_of_a_password_that_has_changed_since_is_not_stored(
        self, accounts: Accounts
    ) -> None:
        ada = await accounts.a_user()
        await accounts.changes.set_password(ada.id, "another")

        await accounts.changes.renew_hash(ada.id, old="-", new="better")

        assert await accounts.users.get(ada.id) == replace(ada, password_hash="another")

    async def test_a_role_is_given_and_taken_and_sessions_go_on(self, accounts: Accounts) -> None:
        await accounts.a_user(is_admin=True)
        ada = await accounts.a_user()
        await begun(accounts, ada)

        given = await accounts.changes.set_role(ada.id, is_admin=True, even_last=False)
        taken = await accounts.changes.set_role(ada.id, is_admin=False, even_last=False)

        assert given == AccountChanged(replace(ada, is_admin=True))
        assert taken == AccountChanged(ada)
        assert await accounts.users.get(ada.id) == ada
        assert await accounts.pokes.session_count() == 1

    async def test_an_account_that_is_disabled_has_no_sessions_any_more(self, accounts: Accounts) -> None:
        ada = await accounts.a_user()
        await begun(accounts, ada)

        shut = await accounts.changes.set_disabled(ada.id, is_disabled=True, even_last=False)
        opened = await accounts.changes.set_disabled(ada.id, is_disabled=False, even_last=False)

        assert shut == AccountChanged(replace(ada, is_disabled=True), sessions=1)
        assert opened == AccountChanged(ada)
        assert await accounts.pokes.session_count() == 0

    async def test_the_last_admin_who_can_sign_in_stays_one_unless_that_is_meant(
        self, accounts: Accounts
    ) -> None:
        ada = await accounts.a_user(is_admin=True)
        shut = await accounts.a_user(is_admin=True)
        await accounts.changes.set_disabled(shut.id, is_disabled=True, even_last=False)

        assert await accounts.changes.set_role(ada.id, is_admin=False, even_last=False) == LastAdmin()
        assert await accounts.changes.set_disabled(ada.id, is_disabled=True, even_last=False) == LastAdmin()
        assert await accounts.users.get(ada.id) == ada

        answer = await accounts.changes.set_role(ada.id, is_admin=False, even_last=True)
        assert answer == AccountChanged(replace(ada, is_admin=False))

    async def test_what_is_so_already_may_be_asked_for_again(self, accounts: Accounts) -> None:
        await accounts.a_user(is_admin=True)
        ada = await accounts.a_user()

        for _ in range(2):
            answer = await accounts.changes.set_role(ada.id, is_admin=False, even_last=False)
            assert answer == AccountChanged(ada)

    async def test_admins_who_withdraw_each_others_role_leave_one(self, accounts: Accounts) -> None:
        admins = [await accounts.a_user(is_admin=True) for _ in range(4)]

        answers = await asyncio.gather(
            *(
                accounts.changes.set_role(admin.id, is_admin=False, even_last=False)
                if number % 2
                else accounts.changes.set_disabled(admin.id, is_disabled=True, even_last=False)
                for number, admin in enumerate(admins)
            )
        )

        assert Counter(map(type, answers)) == {AccountChanged: 3, LastAdmin: 1}

    async def test_nobody_can_be_changed_who_is_not_there(self, accounts: Accounts) -> None:
        gone = UserId(ids.next())

        assert await accounts.changes.set_password(gone, "x") == AccountGone()
        assert await accounts.changes.set_role(gone, is_admin=True, even_last=False) == AccountGone()
        assert await accounts.changes.set_role(gone, is_admin=False, even_last=False) == AccountGone()
        assert await accounts.changes.set_disabled(gone, is_disabled=True, even_last=False) == AccountGone()
        await accounts.changes.renew_hash(gone, old="-", new="x")
