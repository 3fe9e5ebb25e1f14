"""What every store of accounts promises."""

import asyncio
from datetime import timedelta

import pytest

from application.ports.errors import StoreRefused
from domain.account import User
from domain.ids import UserId
from tests.support.accounts import Accounts
from tests.support.builders import ids
from tests.support.reading import nearly


class UsersContract:
    """An adapter's test supplies `accounts`."""

    @pytest.fixture
    def accounts(self) -> Accounts:
        raise NotImplementedError

    async def test_an_added_user_is_as_it_was_told(self, accounts: Accounts) -> None:
        user = UserId(ids.next())

        added = await accounts.users.add(
            user, name="Ada", email="Ada@Example.org", password_hash="$argon2id$x", is_admin=True
        )

        assert added == User(
            id=user,
            name="Ada",
            email="Ada@Example.org",
            password_hash="$argon2id$x",
            is_admin=True,
            is_disabled=False,
            created_at=added.created_at,
        )
        assert await accounts.users.get(user) == added
        assert await accounts.users.all() == (added,)

    @pytest.mark.parametrize(
        "typed",
        ["Élodie", "éLODIE", "e\u0301lodie", "ÉLODIE@exemple.fr", "élodie@EXEMPLE.FR"],
    )
    async def test_a_user_is_found_by_name_or_address_capitals_aside(
        self, accounts: Accounts, typed: str
    ) -> None:
        await accounts.a_user("Elodie", email="elodie@exemple.fr")
        user = await accounts.a_user("Élodie", email="Élodie@exemple.fr")

        assert await accounts.users.named(typed) == user

    @pytest.mark.parametrize("typed", ["", "Ad", "Ada ", "%", "ada@example", "Ada\0", "\udcff"])
    async def test_nobody_else_is_found(self, accounts: Accounts, typed: str) -> None:
        await accounts.a_user("Ada", email="ada@example.org")

        assert await accounts.users.named(typed) is None
        assert await accounts.users.get(UserId(ids.next())) is None

    @pytest.mark.parametrize(
        ("name", "email"),
        [
            ("ADA", "other@example.org"),
            ("other", "ADA@EXAMPLE.ORG"),
            ("ada@example.org", "other@example.org"),
            ("other", "Ada"),
        ],
    )
    async def test_what_somebody_is_called_is_taken(self, accounts: Accounts, name: str, email: str) -> None:
        ada = await accounts.a_user("Ada", email="ada@example.org")

        with pytest.raises(StoreRefused, match="the name or the e-mail address is taken"):
            await accounts.a_user(name, email=email)

        assert await accounts.users.all() == (ada,)

    async def test_somebody_may_be_called_by_the_address(self, accounts: Accounts) -> None:
        ada = await accounts.a_user("ada@example.org", email="ada@example.org")

        assert await accounts.users.named("ada@example.org") == ada

    @pytest.mark.parametrize(("name", "email"), [("a\0b", "a@b"), ("ab", "a\udcff@b")])
    async def test_text_that_no_store_can_keep_is_refused(
        self, accounts: Accounts, name: str, email: str
    ) -> None:
        with pytest.raises(StoreRefused):
            await accounts.a_user(name, email=email)

        assert await accounts.users.all() == ()

    async def test_a_repeated_add_answers_what_is_stored(self, accounts: Accounts) -> None:
        ada = await accounts.a_user("Ada", email="ada@example.org")

        again = await accounts.users.add(
            ada.id, name="Ada", email="ada@example.org", password_hash="-", is_admin=False
        )

        assert again == ada
        with pytest.raises(StoreRefused):
            await accounts.users.add(
                ada.id, name="Bob", email="bob@example.org", password_hash="-", is_admin=False
            )
        assert await accounts.users.all() == (ada,)

    async def test_the_oldest_comes_first_by_the_clock_of_the_store(self, accounts: Accounts) -> None:
        first = await accounts.a_user("zoe")
        await accounts.pokes.age(timedelta(hours=1))
        second = await accounts.a_user("ada")

        older, younger = await accounts.users.all()

        assert (older.id, younger.id) == (first.id, second.id)
        assert nearly(younger.created_at - older.created_at, timedelta(hours=1))

    async def test_of_those_who_want_one_name_at_once_one_gets_it(self, accounts: Accounts) -> None:
        answers = await asyncio.gather(
            *(accounts.a_user("ADA" if n % 2 else "ada") for n in range(6)),
            *(accounts.a_user(f"other-{n}", email="Ada") for n in range(6)),
            return_exceptions=True,
        )

        added = tuple(answer for answer in answers if isinstance(answer, User))
        assert [type(answer) for answer in answers if not isinstance(answer, User)] == [StoreRefused] * 11
        assert await accounts.users.all() == added
