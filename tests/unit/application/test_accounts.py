"""Accounts: who may be added, and who gets a token."""

from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.memory.database import MemoryDatabase
from adapters.memory.users import MemoryUsers
from application.accounts import (
    AccountAdded,
    AccountRefused,
    Accounts,
    AccountTaken,
    DisabledUser,
    NotTheFirst,
    Tokens,
    UnknownUser,
)
from application.ports.access_tokens import IssuedToken
from domain.account import User
from tests.support.clock import START, ManualClock
from tests.support.ids import CountingIds
from tests.support.signing_in import PlainPasswords, PlainTokens


class Office:
    """Accounts of a store of one's own."""

    def __init__(self) -> None:
        """Start without any account."""
        self.database = MemoryDatabase(ManualClock())
        users = MemoryUsers(self.database)
        self.accounts = Accounts(users, PlainPasswords(), CountingIds())
        self.tokens = Tokens(users, PlainTokens())

    async def add(
        self,
        name: str = "Ada",
        email: str = "ada@photos.example",
        password: str = "long enough",  # noqa: S107 -- of nobody
    ) -> object:
        """Add an admin; the answer."""
        return await self.accounts.add(name=name, email=email, password=password, is_admin=True)


async def test_an_admin_is_added_with_a_hash_of_the_password() -> None:
    answer = await Office().add()

    assert isinstance(answer, AccountAdded)
    assert (answer.user.name, answer.user.email) == ("Ada", "ada@photos.example")
    assert answer.user.password_hash == "hash of long enough"
    assert answer.user.is_admin
    assert not answer.user.is_disabled


@pytest.mark.parametrize(
    ("name", "email"),
    [
        ("ADA", "other@photos.example"),
        ("other", "Ada@Photos.Example"),
        ("ada@photos.example", "other@photos.example"),
    ],
)
async def test_a_name_or_address_that_is_taken_is_named(name: str, email: str) -> None:
    office = Office()
    await office.add()

    answer = await office.add(name=name, email=email)

    assert answer == AccountTaken(email if name == "other" else name)


@pytest.mark.parametrize(
    ("name", "email", "password", "why"),
    [
        ("", "a@b", "long enough", "The name must be 1 to 100 printable characters long."),
        ("  ", "a@b", "long enough", "The name must be 1 to 100 printable characters long."),
        ("a\x1b[31m", "a@b", "long enough", "The name must be 1 to 100 printable characters long."),
        ("a\nb", "a@b", "long enough", "The name must be 1 to 100 printable characters long."),
        ("n" * 101, "a@b", "long enough", "The name must be 1 to 100 printable characters long."),
        ("Ada", "ada", "long enough", "The e-mail address must look like ada@photos.example."),
        ("Ada", "a b@c", "long enough", "The e-mail address must look like ada@photos.example."),
        ("Ada", "a@b", "short", "The password must be at least 8 characters long."),
        ("Ada", "a@b", "x" * 1025, "The password must be at most 1024 characters long."),
    ],
)
async def test_what_cannot_be_an_account_is_refused_in_words(
    name: str, email: str, password: str, why: str
) -> None:
    assert await Office().add(name=name, email=email, password=password) == AccountRefused(why)


async def test_the_first_account_is_an_admin_whom_no_password_opens() -> None:
    office = Office()

    user = await office.accounts.first()

    assert (user.name, user.email, user.is_admin) == ("admin", "admin@localhost", True)
    assert user.password_hash == "!"
    assert await office.accounts.first() == user


async def test_no_account_is_made_where_there_is_one() -> None:
    office = Office()
    await office.add()

    assert (await office.accounts.first()).name == "Ada"
    assert len(await office.accounts.all()) == 1


async def test_somebody_may_be_added_who_is_no_admin() -> None:
    answer = await Office().accounts.add(
        name="Bob", email="bob@photos.example", password="long enough", is_admin=False
    )

    assert isinstance(answer, AccountAdded)
    assert not answer.user.is_admin


async def test_the_first_admin_of_the_settings_is_added_to_an_install_without_accounts_alone() -> None:
    office = Office()

    first = await office.accounts.add_first_admin(email="ada@photos.example", password="long enough")
    again = await office.accounts.add_first_admin(email="bob@photos.example", password="long enough")

    assert isinstance(first, AccountAdded)
    assert (first.user.name, first.user.is_admin) == ("ada", True)
    assert again == NotTheFirst()
    assert await office.accounts.all() == (first.user,)


async def test_an_account_is_found_by_name_or_address() -> None:
    office = Office()
    await office.add()

    for wanted in ("ada", "ADA@photos.example"):
        user = await office.accounts.named(wanted)
        assert not isinstance(user, UnknownUser)
        assert user.name == "Ada"
    assert await office.accounts.named("bob") == UnknownUser()


async def test_a_token_speaks_for_its_account_for_as_long_as_was_asked() -> None:
    office = Office()
    added = await office.add()
    assert isinstance(added, AccountAdded)

    token = await office.tokens.create("ada", lasts=timedelta(hours=1))

    assert token == IssuedToken(str(added.user.id), START + timedelta(hours=1))


async def test_nobody_gets_a_token_for_an_unknown_or_disabled_account() -> None:
    office = Office()
    added = await office.add()
    assert isinstance(added, AccountAdded)
    office.database.users[added.user.id] = disabled(added)

    assert await office.tokens.create("bob", lasts=timedelta(hours=1)) == UnknownUser()
    assert await office.tokens.create("ada", lasts=timedelta(hours=1)) == DisabledUser()


def disabled(added: AccountAdded) -> User:
    """The same account, shut."""
    return replace(added.user, is_disabled=True)
