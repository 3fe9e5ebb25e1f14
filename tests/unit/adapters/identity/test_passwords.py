"""Passwords and their hashes."""

import pytest

from adapters.identity.passwords import ArgonPasswords


async def test_a_hash_matches_its_password_alone() -> None:
    passwords = ArgonPasswords()

    made = await passwords.hashed("correct horse")

    assert made.startswith("$argon2id$")
    assert await passwords.match("correct horse", made)
    assert not await passwords.match("battery staple", made)


async def test_the_same_password_never_has_the_same_hash() -> None:
    passwords = ArgonPasswords()

    assert await passwords.hashed("correct horse") != await passwords.hashed("correct horse")


@pytest.mark.parametrize("nothing", ["!", "", "$argon2id$", "plain text"])
async def test_a_hash_that_no_password_has_matches_none(nothing: str) -> None:
    assert not await ArgonPasswords().match(nothing, nothing)
