"""Passwords and their hashes."""

import statistics
import time

import pytest
from argon2 import PasswordHasher

from adapters.identity.passwords import ArgonPasswords
from application.ports.passwords import NO_PASSWORD


async def test_a_hash_matches_its_password_alone() -> None:
    passwords = ArgonPasswords()

    made = await passwords.hashed("correct horse")

    assert made.startswith("$argon2id$")
    assert await passwords.match("correct horse", made)
    assert not await passwords.match("battery staple", made)


async def test_the_same_password_never_has_the_same_hash() -> None:
    passwords = ArgonPasswords()

    assert await passwords.hashed("correct horse") != await passwords.hashed("correct horse")


@pytest.mark.parametrize("nothing", [NO_PASSWORD, "", "$argon2id$", "plain text"])
async def test_a_hash_that_no_password_has_matches_none(nothing: str) -> None:
    assert not await ArgonPasswords().match(nothing, nothing)
    assert not await ArgonPasswords().match("of nobody, only to take its time", nothing)


async def test_where_there_is_no_hash_the_answer_takes_as_long() -> None:
    passwords = ArgonPasswords()
    made = await passwords.hashed("correct horse")

    known = [await cpu_seconds(passwords, made) for _ in range(9)]
    unknown = [await cpu_seconds(passwords, NO_PASSWORD) for _ in range(9)]

    ratio = statistics.median(unknown) / statistics.median(known)
    assert 0.5 < ratio < 2


async def test_a_hash_of_weaker_parameters_is_outdated_and_none_is_not() -> None:
    passwords = ArgonPasswords()
    weak = PasswordHasher(time_cost=1, memory_cost=8_192, parallelism=1).hash("correct horse")

    assert passwords.is_outdated(weak)
    assert await passwords.match("correct horse", weak)
    assert not passwords.is_outdated(await passwords.hashed("correct horse"))
    assert not passwords.is_outdated(NO_PASSWORD)


async def cpu_seconds(passwords: ArgonPasswords, password_hash: str) -> float:
    """How much work it was to compare a wrong password: of all threads, whatever else the machine does."""
    began = time.process_time()
    assert not await passwords.match("battery staple", password_hash)
    return time.process_time() - began
