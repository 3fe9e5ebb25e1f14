"""What every store of refresh tokens promises."""

from datetime import timedelta

import pytest

from tests.support.accounts import TOKEN_LIFE, Accounts

DAY = timedelta(days=1)


class RefreshTokensContract:
    """An adapter's test supplies `accounts`."""

    @pytest.fixture
    def accounts(self) -> Accounts:
        raise NotImplementedError

    async def test_only_what_has_expired_is_deleted(self, accounts: Accounts) -> None:
        await given_tokens(accounts, 2)
        await accounts.pokes.age(DAY)
        await given_tokens(accounts, 3)
        await accounts.pokes.age(TOKEN_LIFE - DAY)

        assert await accounts.refresh_tokens.delete_expired(limit=100) == 2

        assert await accounts.pokes.token_count() == 3

    async def test_a_token_lives_to_its_last_minute(self, accounts: Accounts) -> None:
        await given_tokens(accounts, 1)
        await accounts.pokes.age(TOKEN_LIFE - timedelta(minutes=1))

        assert await accounts.refresh_tokens.delete_expired(limit=100) == 0

        assert await accounts.pokes.token_count() == 1

    async def test_a_limit_leaves_the_rest_for_the_next_call(self, accounts: Accounts) -> None:
        await given_tokens(accounts, 5)
        await accounts.pokes.age(TOKEN_LIFE)

        deleted = [await accounts.refresh_tokens.delete_expired(limit=2) for _ in range(4)]

        assert deleted == [2, 2, 1, 0]
        assert await accounts.pokes.token_count() == 0


async def given_tokens(accounts: Accounts, count: int) -> None:
    user = await accounts.a_user()
    for _ in range(count):
        await accounts.pokes.give_token(user.id)
