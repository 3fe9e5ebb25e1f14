"""Refresh tokens: nobody can guess them, and a repeated request is answered alike."""

import hashlib

import pytest

from adapters.identity.session_secrets import KeyedSessionSecrets
from application.ports.session_secrets import NoSecret, SessionSecret

SECRET = "correct-horse-battery-staple-0123456789"


def secrets(secret: str = SECRET) -> KeyedSessionSecrets:
    """Those of one install."""
    return KeyedSessionSecrets(secret=secret)


def test_no_two_fresh_tokens_are_alike() -> None:
    made = [secrets().fresh() for _ in range(100)]

    assert len({one.text for one in made}) == 100
    assert {len(one.text) for one in made} == {43}


def test_the_store_keeps_the_digest_of_what_its_holder_has() -> None:
    made = secrets().fresh()

    assert made.digest == hashlib.sha256(made.text.encode()).digest()
    assert secrets().read(made.text) == made


def test_a_successor_is_always_the_same_and_is_a_token_like_any_other() -> None:
    made = secrets().fresh()

    successor = secrets().successor(made)

    assert successor == secrets().successor(made)
    assert successor != made
    assert secrets().read(successor.text) == successor
    assert secrets().successor(successor) not in {made, successor}


def test_another_install_would_have_another_successor() -> None:
    made = secrets().fresh()

    assert secrets("another-secret-that-is-as-long-as-ours").successor(made) != secrets().successor(made)


@pytest.mark.parametrize(
    "text", ["", "x", "é" * 43, "\0" * 43, "x" * 42, "x" * 44, "x" * 10_000, "x" * 42 + "\n", "x" * 42 + "="]
)
def test_what_is_no_token_is_told_so(text: str) -> None:
    assert secrets().read(text) == NoSecret()


def test_a_token_is_not_shown_by_accident() -> None:
    made = secrets().fresh()

    assert isinstance(made, SessionSecret)
    assert made.text not in repr(made)
