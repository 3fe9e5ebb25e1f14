"""What every store of sessions and their refresh tokens promises."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest

from application.ports.refresh_tokens import (
    Lives,
    NewSession,
    NewToken,
    Reused,
    Rotated,
    SessionBegun,
    SessionEnded,
    SignInOvertaken,
    TokenDigest,
    UnknownToken,
)
from domain.account import User
from domain.ids import SessionId, UserId
from tests.support.accounts import Accounts
from tests.support.builders import ids
from tests.support.reading import nearly

DAY: Final = timedelta(days=1)
MINUTE: Final = timedelta(minutes=1)
LIVES: Final = Lives(idle=30 * DAY, longest=90 * DAY, grace=timedelta(seconds=10))
STRICT: Final = replace(LIVES, grace=timedelta(0))


class RefreshTokensContract:
    """An adapter's test supplies `accounts`."""

    @pytest.fixture
    def accounts(self) -> Accounts:
        raise NotImplementedError

    async def test_a_token_is_good_for_one_use_and_its_successor_for_the_next(
        self, accounts: Accounts
    ) -> None:
        user = await accounts.a_user()
        session = await begun(accounts, user)
        second, third = a_token(), a_token()

        first_use = await accounts.refresh_tokens.rotate(session.token.digest, second, LIVES)
        second_use = await accounts.refresh_tokens.rotate(second.digest, third, LIVES)

        for answer in (first_use, second_use):
            assert isinstance(answer, Rotated)
            assert (answer.session, answer.user) == (session.id, user.id)

    async def test_a_token_that_comes_again_a_moment_later_is_answered_as_before(
        self, accounts: Accounts
    ) -> None:
        session = await begun(accounts)
        successor = a_token()

        answer = await accounts.refresh_tokens.rotate(session.token.digest, successor, LIVES)
        again = await accounts.refresh_tokens.rotate(session.token.digest, again_as(successor), LIVES)

        assert isinstance(answer, Rotated)
        assert again == answer
        assert await accounts.pokes.token_count() == 2

    async def test_a_token_that_comes_again_later_ends_its_session_for_both_who_have_it(
        self, accounts: Accounts
    ) -> None:
        user = await accounts.a_user()
        session, other = await begun(accounts, user), await begun(accounts, user)
        successor = a_token()
        await accounts.refresh_tokens.rotate(session.token.digest, successor, LIVES)
        await accounts.pokes.age(timedelta(seconds=11))

        answer = await accounts.refresh_tokens.rotate(session.token.digest, again_as(successor), LIVES)

        assert answer == Reused(session.id, user.id)
        for gone in (session.token.digest, successor.digest):
            assert await accounts.refresh_tokens.rotate(gone, a_token(), LIVES) == UnknownToken()
        assert isinstance(await accounts.refresh_tokens.rotate(other.token.digest, a_token(), LIVES), Rotated)

    async def test_a_successor_that_nobody_was_given_is_no_answer(self, accounts: Accounts) -> None:
        session = await begun(accounts)
        await accounts.refresh_tokens.rotate(session.token.digest, a_token(), LIVES)

        answer = await accounts.refresh_tokens.rotate(session.token.digest, a_token(), LIVES)

        assert answer == UnknownToken()

    async def test_of_many_who_rotate_one_token_at_once_one_does(self, accounts: Accounts) -> None:
        session = await begun(accounts)

        answers = await asyncio.gather(
            *(accounts.refresh_tokens.rotate(session.token.digest, a_token(), STRICT) for _ in range(8))
        )

        assert Counter(map(type, answers))[Rotated] == 1
        assert Counter(map(type, answers))[Reused] == 1
        assert await accounts.pokes.session_count() == 0

    async def test_many_who_ask_at_once_within_the_grace_get_one_and_the_same(
        self, accounts: Accounts
    ) -> None:
        session = await begun(accounts)
        successor = a_token()

        answers = await asyncio.gather(
            *(
                accounts.refresh_tokens.rotate(session.token.digest, again_as(successor), LIVES)
                for _ in range(8)
            )
        )

        assert len(set(answers)) == 1
        assert isinstance(answers[0], Rotated)
        assert await accounts.pokes.token_count() == 2

    async def test_a_token_lives_to_its_last_minute_and_its_successor_as_long_again(
        self, accounts: Accounts
    ) -> None:
        session = await begun(accounts)
        successor = a_token()
        await accounts.pokes.age(30 * DAY - MINUTE)

        answer = await accounts.refresh_tokens.rotate(session.token.digest, successor, LIVES)

        assert isinstance(answer, Rotated)
        await accounts.pokes.age(30 * DAY)
        assert await accounts.refresh_tokens.rotate(successor.digest, a_token(), LIVES) == UnknownToken()

    async def test_no_session_lives_longer_than_the_longest_however_busy(self, accounts: Accounts) -> None:
        session = await begun(accounts)
        token = session.token
        for _ in range(4):
            await accounts.pokes.age(20 * DAY)
            successor = a_token()
            answer = await accounts.refresh_tokens.rotate(token.digest, successor, LIVES)
            assert isinstance(answer, Rotated)
            token = successor

        await accounts.pokes.age(10 * DAY)

        assert await accounts.refresh_tokens.rotate(token.digest, a_token(), LIVES) == UnknownToken()

    async def test_it_is_told_until_when_a_token_is_good(self, accounts: Accounts) -> None:
        user = await accounts.a_user()

        answer = await accounts.refresh_tokens.begin(a_session(user), LIVES)

        assert isinstance(answer, SessionBegun)
        assert nearly(answer.expires_at - user.created_at, 30 * DAY)

    async def test_nobody_gets_a_session_by_a_password_that_is_not_theirs_any_more(
        self, accounts: Accounts
    ) -> None:
        ada, bob = await accounts.a_user(), await accounts.a_user()
        await accounts.changes.set_password(ada.id, "another")
        await accounts.changes.set_disabled(bob.id, is_disabled=True, even_last=False)
        nobody = replace(ada, id=UserId(ids.next()))

        for user in (ada, bob, nobody):
            assert await accounts.refresh_tokens.begin(a_session(user), LIVES) == SignInOvertaken()

        assert await accounts.pokes.session_count() == 0

    async def test_whoever_has_any_of_its_tokens_can_end_a_session(self, accounts: Accounts) -> None:
        user = await accounts.a_user()
        session, other = await begun(accounts, user), await begun(accounts, user)
        successor = a_token()
        await accounts.refresh_tokens.rotate(session.token.digest, successor, LIVES)

        answer = await accounts.refresh_tokens.end(session.token.digest)

        assert answer == SessionEnded(user.id)
        assert await accounts.refresh_tokens.end(session.token.digest) == UnknownToken()
        assert await accounts.refresh_tokens.rotate(successor.digest, a_token(), LIVES) == UnknownToken()
        assert isinstance(await accounts.refresh_tokens.rotate(other.token.digest, a_token(), LIVES), Rotated)

    async def test_all_sessions_of_one_user_end_and_nobody_elses(self, accounts: Accounts) -> None:
        ada = await accounts.a_user()
        for _ in range(3):
            await begun(accounts, ada)
        other = await begun(accounts)

        assert await accounts.refresh_tokens.end_all(ada.id) == 3

        assert await accounts.refresh_tokens.end_all(ada.id) == 0
        assert isinstance(await accounts.refresh_tokens.rotate(other.token.digest, a_token(), LIVES), Rotated)

    async def test_a_token_of_nobody_is_unknown(self, accounts: Accounts) -> None:
        assert await accounts.refresh_tokens.rotate(a_token().digest, a_token(), LIVES) == UnknownToken()
        assert await accounts.refresh_tokens.end(a_token().digest) == UnknownToken()

    async def test_only_what_has_expired_is_deleted_and_sessions_with_their_last_token(
        self, accounts: Accounts
    ) -> None:
        session, _ = await begun(accounts), await begun(accounts)
        await accounts.pokes.age(DAY)
        await accounts.refresh_tokens.rotate(session.token.digest, a_token(), LIVES)
        await accounts.pokes.age(29 * DAY)

        assert await accounts.refresh_tokens.delete_expired(limit=100) == 2

        assert await accounts.pokes.token_count() == 1
        assert await accounts.pokes.session_count() == 1

    async def test_nothing_is_deleted_in_its_last_minute(self, accounts: Accounts) -> None:
        await begun(accounts)
        await accounts.pokes.age(30 * DAY - MINUTE)

        assert await accounts.refresh_tokens.delete_expired(limit=100) == 0

        assert await accounts.pokes.session_count() == 1

    async def test_a_limit_leaves_the_rest_for_the_next_call(self, accounts: Accounts) -> None:
        user = await accounts.a_user()
        for _ in range(5):
            await begun(accounts, user)
        await accounts.pokes.age(30 * DAY)

        deleted = [await accounts.refresh_tokens.delete_expired(limit=2) for _ in range(4)]

        assert deleted == [2, 2, 1, 0]
        assert await accounts.pokes.token_count() == 0
        assert await accounts.pokes.session_count() == 0


def a_token() -> NewToken:
    """A token that nobody else has."""
    return NewToken(ids.next(), TokenDigest(ids.next().bytes * 2))


def again_as(token: NewToken) -> NewToken:
    """The same token, made anew for another request."""
    return replace(token, id=ids.next())


def a_session(user: User) -> NewSession:
    """This user signs in."""
    return NewSession(
        id=SessionId(ids.next()), user=user.id, password_hash=user.password_hash, token=a_token()
    )


async def begun(accounts: Accounts, user: User | None = None) -> NewSession:
    """A session of this user, or of somebody new."""
    session = a_session(user or await accounts.a_user())
    assert isinstance(await accounts.refresh_tokens.begin(session, LIVES), SessionBegun)
    return session
