"""Signing in: who may, who has to wait, and what nobody learns from the answers."""

import asyncio
from collections import Counter
from datetime import timedelta
from itertools import islice

import pytest

from application.ports.passwords import NO_PASSWORD
from application.ports.sign_in_failures import LockedOut
from application.sessions import SignedIn, SignedOut
from application.sign_in import SignInAnswer, TooBusy, WrongCredentials
from tests.support.signing_in import PASSWORD, FrontDoor, PlainPasswords

HERE = "192.0.2.1"


async def tried(
    door: FrontDoor, name: str = "ada", password: str = PASSWORD, *, address: str = HERE
) -> SignInAnswer:
    """Somebody tries to sign in."""
    return await door.sign_in.sign_in(name, password, address=address)


@pytest.mark.parametrize("name", ["ada", "ADA", "ada@photos.example", "Ada@PHOTOS.example"])
async def test_who_knows_the_password_is_signed_in_by_name_or_address(name: str) -> None:
    door = FrontDoor()
    user = await door.somebody()

    answer = await tried(door, name)

    assert isinstance(answer, SignedIn)
    assert answer.user == user
    assert isinstance(await door.sessions.refresh(answer.refresh), SignedIn)


async def test_wrong_unknown_and_disabled_are_one_answer_after_as_many_comparisons() -> None:
    door = FrontDoor()
    await door.somebody()
    bob = await door.somebody("bob")
    nobody = await door.somebody("nobody", password_hash=NO_PASSWORD)
    await door.changes.set_disabled(bob.id, is_disabled=True, even_last=False)

    for name, password in (
        ("ada", "wrong"),
        ("bob", PASSWORD),
        ("carol", PASSWORD),
        (nobody.name, NO_PASSWORD),
    ):
        assert await tried(door, name, password) == WrongCredentials()

    assert door.passwords.compared == [
        ("wrong", "hash of correct horse"),
        (PASSWORD, "hash of correct horse"),
        (PASSWORD, "!"),
        ("!", "!"),
    ]
    assert door.database.sessions == {}


@pytest.mark.parametrize("name", ["", "\0", "ada\r\nSet-Cookie: x=y", "\udcff", "' OR 1=1 --", "x" * 10_000])
async def test_nobody_is_called_so(name: str) -> None:
    door = FrontDoor()
    await door.somebody()

    assert await tried(door, name) == WrongCredentials()


async def test_the_eleventh_try_within_a_minute_from_one_address_has_to_wait() -> None:
    door = FrontDoor()
    await door.somebody()
    for number in range(10):
        assert await tried(door, f"user-{number}", "wrong") == WrongCredentials()
    door.clock.advance(timedelta(seconds=20))

    assert await tried(door) == LockedOut(timedelta(seconds=40))

    assert len(door.passwords.compared) == 10
    door.clock.advance(timedelta(seconds=40))
    assert isinstance(await tried(door), SignedIn)


async def test_a_stranger_locks_nobody_elses_address_out() -> None:
    door = FrontDoor()
    await door.somebody()
    for _ in range(30):
        await tried(door, password="wrong", address="198.51.100.7")

    assert isinstance(await tried(door), SignedIn)


async def test_many_addresses_together_lock_an_account_for_the_rest_of_the_minute() -> None:
    door = FrontDoor()
    begun = await door.sessions.begin(await door.somebody())
    assert isinstance(begun, SignedIn)
    for number in range(50):
        name = "ada" if number % 2 else "Ada@photos.example"
        assert await tried(door, name, "wrong", address=f"198.51.100.{number}") == WrongCredentials()

    assert await tried(door) == LockedOut(timedelta(minutes=1))

    # Whoever is signed in stays so, and nothing that comes meanwhile makes the wait longer.
    assert isinstance(await door.sessions.refresh(begun.refresh), SignedIn)
    door.clock.advance(timedelta(seconds=59))
    assert isinstance(await tried(door, password="wrong", address="203.0.113.9"), LockedOut)
    door.clock.advance(timedelta(seconds=1))
    assert isinstance(await tried(door), SignedIn)


async def test_signing_in_costs_no_try_and_clears_no_failure() -> None:
    door = FrontDoor()
    await door.somebody()
    for _ in range(9):
        await tried(door, "bob", "wrong")

    for _ in range(20):
        assert isinstance(await tried(door), SignedIn)

    assert await tried(door, "bob", "wrong") == WrongCredentials()
    assert isinstance(await tried(door, "bob", "wrong"), LockedOut)


class HeldPasswords(PlainPasswords):
    """Compares only when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.let = asyncio.Event()
        self.begun: asyncio.Queue[str] = asyncio.Queue()
        self.at_once = 0
        self.most_at_once = 0

    async def match(self, password: str, password_hash: str) -> bool:
        self.at_once += 1
        self.begun.put_nowait(password_hash)
        self.most_at_once = max(self.most_at_once, self.at_once)
        await self.let.wait()
        self.at_once -= 1
        return await super().match(password, password_hash)


async def test_two_passwords_are_compared_at_a_time_and_of_the_rest_some_wait() -> None:
    passwords = HeldPasswords()
    door = FrontDoor(passwords)
    await door.somebody()

    tries = [asyncio.create_task(tried(door, address=f"192.0.2.{number}")) for number in range(40)]
    first_answers = [await answer for answer in islice(asyncio.as_completed(tries), 22)]
    passwords.let.set()
    answers = await asyncio.gather(*tries)

    assert first_answers == [TooBusy()] * 22
    assert Counter(map(type, answers)) == {SignedIn: 18, TooBusy: 22}
    assert passwords.most_at_once == 2
    assert isinstance(await tried(door), SignedIn)


async def test_who_goes_away_makes_room_for_others() -> None:
    passwords = HeldPasswords()
    door = FrontDoor(passwords)
    await door.somebody()
    gone = [asyncio.create_task(tried(door, address=f"192.0.2.{number}")) for number in range(18)]
    for _ in range(2):
        await passwords.begun.get()

    for one in gone:
        one.cancel()
    await asyncio.gather(*gone, return_exceptions=True)
    passwords.let.set()

    assert isinstance(await tried(door), SignedIn)


async def test_a_hash_of_old_parameters_is_made_anew_at_the_next_sign_in() -> None:
    door = FrontDoor()
    user = await door.somebody(password_hash=f"old hash of {PASSWORD}")

    answer = await tried(door)

    assert isinstance(answer, SignedIn)
    renewed = await door.users.get(user.id)
    assert renewed is not None
    assert renewed.password_hash == f"hash of {PASSWORD}"
    assert isinstance(await door.sessions.refresh(answer.refresh), SignedIn)


async def test_a_password_that_changes_while_it_is_compared_opens_nothing() -> None:
    passwords = HeldPasswords()
    door = FrontDoor(passwords)
    user = await door.somebody()
    trying = asyncio.create_task(tried(door))
    await passwords.begun.get()

    await door.changes.set_password(user.id, "hash of another")
    passwords.let.set()

    assert await trying == WrongCredentials()
    assert door.database.sessions == {}


async def test_the_new_password_opens_and_the_old_one_does_not() -> None:
    door = FrontDoor()
    user = await door.somebody()
    before = await tried(door)
    assert isinstance(before, SignedIn)

    await door.care.reset_password(user.id, "battery staple")

    assert await tried(door) == WrongCredentials()
    assert isinstance(await tried(door, password="battery staple"), SignedIn)
    assert await door.sessions.refresh(before.refresh) == SignedOut()
