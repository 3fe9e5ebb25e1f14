"""Sessions: how they are prolonged, and how they end."""

from dataclasses import replace
from datetime import timedelta

import pytest

from application.ports.refresh_tokens import Reused, SessionEnded, SignInOvertaken, UnknownToken
from application.sessions import SignedIn, SignedOut
from tests.support.clock import START
from tests.support.signing_in import FrontDoor

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)


async def signed_in(door: FrontDoor) -> SignedIn:
    """Somebody who has just signed in."""
    answer = await door.sessions.begin(await door.somebody())
    assert isinstance(answer, SignedIn)
    return answer


async def prolonged(door: FrontDoor, text: str) -> SignedIn:
    """The session of this refresh token, a while longer."""
    answer = await door.sessions.refresh(text)
    assert isinstance(answer, SignedIn)
    return answer


async def test_a_session_begins_with_a_short_access_token_and_a_long_refresh_token() -> None:
    door = FrontDoor()
    user = await door.somebody()

    answer = await door.sessions.begin(user)

    assert isinstance(answer, SignedIn)
    assert answer.user == user
    assert answer.access.text == str(user.id)
    assert answer.access.expires_at == START + 15 * MINUTE
    assert answer.refresh_expires_at == START + 30 * DAY


async def test_who_was_overtaken_by_another_password_is_told_so() -> None:
    door = FrontDoor()
    user = await door.somebody()

    assert await door.sessions.begin(replace(user, password_hash="old")) == SignInOvertaken()


async def test_a_session_goes_on_as_long_as_it_is_used() -> None:
    door = FrontDoor()
    answer = await signed_in(door)

    for _ in range(3):
        door.clock.advance(25 * DAY)
        following = await prolonged(door, answer.refresh)
        assert following.refresh != answer.refresh
        answer = following

    assert answer.access.expires_at == START + 75 * DAY + 15 * MINUTE
    assert answer.refresh_expires_at == START + 90 * DAY


async def test_two_tabs_that_ask_at_the_same_instant_get_one_token() -> None:
    door = FrontDoor()
    begun = await signed_in(door)

    first = await prolonged(door, begun.refresh)
    second = await prolonged(door, begun.refresh)

    assert first.refresh == second.refresh
    assert door.reused == []
    door.clock.advance(15 * MINUTE)
    await prolonged(door, second.refresh)


async def test_a_lost_answer_signs_nobody_out() -> None:
    door = FrontDoor()
    begun = await signed_in(door)
    await prolonged(door, begun.refresh)
    door.clock.advance(timedelta(seconds=9))

    again = await prolonged(door, begun.refresh)

    door.clock.advance(15 * MINUTE)
    await prolonged(door, again.refresh)


async def test_a_stolen_token_ends_the_session_whoever_comes_second() -> None:
    door = FrontDoor()
    begun = await signed_in(door)
    thief = await prolonged(door, begun.refresh)
    door.clock.advance(15 * MINUTE)

    assert await door.sessions.refresh(begun.refresh) == SignedOut()

    assert await door.sessions.refresh(thief.refresh) == SignedOut()
    assert [(type(reuse), reuse.user) for reuse in door.reused] == [(Reused, begun.user.id)]


async def test_a_token_that_was_used_up_long_ago_is_known_for_stolen() -> None:
    door = FrontDoor()
    answers = [await signed_in(door)]
    for _ in range(10):
        door.clock.advance(DAY)
        answers.append(await prolonged(door, answers[-1].refresh))

    assert await door.sessions.refresh(answers[0].refresh) == SignedOut()

    assert len(door.reused) == 1
    assert await door.sessions.refresh(answers[-1].refresh) == SignedOut()


async def test_a_token_that_nobody_was_given_ends_nothing() -> None:
    door = FrontDoor()
    begun = await signed_in(door)

    for text in ("", "x", "A" * 43, begun.refresh[:-1], begun.refresh + "="):
        assert await door.sessions.refresh(text) == SignedOut()

    assert door.reused == []
    await prolonged(door, begun.refresh)


async def test_who_signs_out_cannot_go_on_not_even_by_an_older_token() -> None:
    door = FrontDoor()
    begun = await signed_in(door)
    following = await prolonged(door, begun.refresh)

    assert await door.sessions.end(following.refresh) == SessionEnded(begun.user.id)

    for text in (begun.refresh, following.refresh):
        assert await door.sessions.refresh(text) == SignedOut()
    assert await door.sessions.end(following.refresh) == UnknownToken()


async def test_signing_out_everywhere_ends_every_session_of_the_user() -> None:
    door = FrontDoor()
    here = await signed_in(door)
    there = await door.sessions.begin(here.user)
    bob = await door.sessions.begin(await door.somebody("bob"))
    assert isinstance(there, SignedIn)
    assert isinstance(bob, SignedIn)

    assert await door.sessions.end_everywhere(here.refresh) == SessionEnded(here.user.id)

    assert await door.sessions.refresh(there.refresh) == SignedOut()
    await prolonged(door, bob.refresh)


async def test_an_account_that_is_disabled_cannot_go_on() -> None:
    door = FrontDoor()
    begun = await signed_in(door)
    # Behind the back of the port, which would have ended the session.
    door.database.users[begun.user.id] = replace(begun.user, is_disabled=True)

    assert await door.sessions.refresh(begun.refresh) == SignedOut()


async def test_another_password_ends_what_was_begun_by_the_old_one() -> None:
    door = FrontDoor()
    begun = await signed_in(door)

    await door.care.reset_password(begun.user.id, "battery staple")

    assert await door.sessions.refresh(begun.refresh) == SignedOut()


async def test_a_token_is_not_shown_by_accident() -> None:
    door = FrontDoor()
    begun = await signed_in(door)

    assert begun.refresh not in repr(begun)
    assert "hash of" not in repr(begun)


@pytest.mark.parametrize("late", [30 * DAY, 31 * DAY])
async def test_a_session_that_nobody_used_is_over(late: timedelta) -> None:
    door = FrontDoor()
    begun = await signed_in(door)
    door.clock.advance(late)

    assert await door.sessions.refresh(begun.refresh) == SignedOut()
    assert door.reused == []
