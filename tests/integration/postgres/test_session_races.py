"""Two at one session at once, each step when the test says so, on PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest
import sqlalchemy as sa

from adapters.sql import account_changes
from adapters.sql.account_changes import SqlAccountChanges
from adapters.sql.engine import Database
from adapters.sql.refresh_tokens import SqlRefreshTokens, ended_sessions
from adapters.sql.sign_in_failures import SqlSignInFailures, digest_of
from adapters.sql.users import SqlUsers
from application.ports.account_changes import AccountChanged, LastAdmin
from application.ports.refresh_tokens import Reused, Rotated, SessionBegun, SignInOvertaken, UnknownToken
from application.ports.sign_in_failures import Admitted, LockedOut, Suspect
from domain.account import User
from domain.ids import UserId
from tests.contracts.refresh_tokens import LIVES, STRICT, a_session, a_token, again_as
from tests.support.builders import ids
from tests.support.interleaving import never_committed, uncommitted, waits

TOKENS = sa.text("SELECT count(*) FROM refresh_tokens")


@dataclass(frozen=True, slots=True)
class Office:
    """The ports of one database."""

    database: Database
    users: SqlUsers
    tokens: SqlRefreshTokens
    changes: SqlAccountChanges
    failures: SqlSignInFailures

    async def somebody(self, *, is_admin: bool = False) -> User:
        user = UserId(ids.next())
        name = f"user-{user}"
        return await self.users.add(
            user, name=name, email=f"{name}@example.org", password_hash="-", is_admin=is_admin
        )

    async def token_count(self) -> int:
        count: int = await self.database.read(lambda seen: seen.execute(TOKENS).scalar_one())
        return count


@pytest.fixture
async def office(postgres_url: str) -> AsyncIterator[Office]:
    async with opened(postgres_url) as office:
        yield office


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Office]:
    database = Database(url)
    try:
        yield Office(
            database,
            SqlUsers(database),
            SqlRefreshTokens(database),
            SqlAccountChanges(database),
            SqlSignInFailures(database),
        )
    finally:
        await database.close()


async def test_who_presents_a_token_that_is_being_rotated_waits_and_gets_the_same(office: Office) -> None:
    session = a_session(await office.somebody())
    await office.tokens.begin(session, LIVES)
    successor = a_token()

    async with uncommitted(office.database) as verbs:
        first = await verbs._run(
            lambda connection: office.tokens._rotate(connection, session.token.digest, successor, LIVES)
        )
        second = asyncio.create_task(office.tokens.rotate(session.token.digest, again_as(successor), LIVES))
        await waits(second, office.database)

    assert isinstance(first, Rotated)
    assert await second == first
    assert await office.token_count() == 2


async def test_a_thief_who_is_a_moment_behind_ends_the_session_where_there_is_no_grace(
    office: Office,
) -> None:
    user = await office.somebody()
    session = a_session(user)
    await office.tokens.begin(session, LIVES)
    successor = a_token()

    async with uncommitted(office.database) as verbs:
        await verbs._run(
            lambda connection: office.tokens._rotate(connection, session.token.digest, successor, STRICT)
        )
        second = asyncio.create_task(office.tokens.rotate(session.token.digest, a_token(), STRICT))
        await waits(second, office.database)

    assert await second == Reused(session.id, user.id)
    assert await office.tokens.rotate(successor.digest, a_token(), STRICT) == UnknownToken()
    assert await office.token_count() == 0


async def test_a_rotation_that_is_rolled_back_leaves_the_token_good(office: Office) -> None:
    session = a_session(await office.somebody())
    await office.tokens.begin(session, LIVES)

    async with never_committed(office.database) as verbs:
        await verbs._run(
            lambda connection: office.tokens._rotate(connection, session.token.digest, a_token(), STRICT)
        )
        second = asyncio.create_task(office.tokens.rotate(session.token.digest, a_token(), STRICT))
        await waits(second, office.database)

    assert isinstance(await second, Rotated)


async def test_no_token_outlives_a_session_that_ends_while_it_is_prolonged(office: Office) -> None:
    user = await office.somebody()
    session = a_session(user)
    await office.tokens.begin(session, LIVES)
    successor = a_token()

    async with uncommitted(office.database) as verbs:
        await verbs._run(
            lambda connection: office.tokens._rotate(connection, session.token.digest, successor, LIVES)
        )
        ending = asyncio.create_task(office.tokens.end_all(user.id))
        await waits(ending, office.database)

    assert await ending == 1
    assert await office.token_count() == 0
    assert await office.tokens.rotate(successor.digest, a_token(), LIVES) == UnknownToken()


async def test_no_session_is_prolonged_that_is_being_ended(office: Office) -> None:
    user = await office.somebody()
    session = a_session(user)
    await office.tokens.begin(session, LIVES)

    async with uncommitted(office.database) as verbs:
        await verbs._run(lambda connection: ended_sessions(connection, user.id))
        rotating = asyncio.create_task(office.tokens.rotate(session.token.digest, a_token(), LIVES))
        await waits(rotating, office.database)

    assert await rotating == UnknownToken()
    assert await office.token_count() == 0


async def test_a_sign_in_by_the_old_password_does_not_outlive_the_new_one(office: Office) -> None:
    user = await office.somebody()
    session = a_session(user)

    async with uncommitted(office.database) as verbs:
        await verbs._run(lambda connection: office.tokens._begin(connection, session, LIVES))
        changing = asyncio.create_task(office.changes.set_password(user.id, "another"))
        await waits(changing, office.database)

    assert await changing == AccountChanged(replace(user, password_hash="another"), sessions=1)
    assert await office.token_count() == 0


async def test_nobody_signs_in_by_a_password_that_is_being_changed(office: Office) -> None:
    user = await office.somebody()

    async with uncommitted(office.database) as verbs:
        await verbs._run(
            lambda connection: account_changes._changed(
                connection, user.id, ends=True, password_hash="another"
            )
        )
        signing_in = asyncio.create_task(office.tokens.begin(a_session(user), LIVES))
        await waits(signing_in, office.database)

    assert await signing_in == SignInOvertaken()


async def test_a_sign_in_goes_on_where_the_change_was_taken_back(office: Office) -> None:
    user = await office.somebody()

    async with never_committed(office.database) as verbs:
        await verbs._run(
            lambda connection: account_changes._changed(connection, user.id, ends=True, is_disabled=True)
        )
        signing_in = asyncio.create_task(office.tokens.begin(a_session(user), LIVES))
        await waits(signing_in, office.database)

    assert isinstance(await signing_in, SessionBegun)


async def test_of_two_last_admins_who_are_demoted_at_once_one_stays(office: Office) -> None:
    ada, bob = await office.somebody(is_admin=True), await office.somebody(is_admin=True)

    async with uncommitted(office.database) as verbs:
        assert not await verbs._run(lambda connection: office.changes._is_last_admin(connection, ada.id))
        await verbs._run(
            lambda connection: account_changes._changed(connection, ada.id, ends=False, is_admin=False)
        )
        second = asyncio.create_task(office.changes.set_role(bob.id, is_admin=False, even_last=False))
        await waits(second, office.database)

    assert await second == LastAdmin()


async def test_the_last_try_is_given_to_one_of_two(office: Office) -> None:
    here = Suspect("address 192.0.2.1")

    async with uncommitted(office.database) as verbs:
        limits = {digest_of(here): 1}
        await verbs._run(lambda connection: office.failures._admit(connection, limits))
        second = asyncio.create_task(office.failures.admit({here: 1}))
        await waits(second, office.database)

    assert isinstance(await second, LockedOut)


async def test_two_api_processes_count_together(office: Office, postgres_url: str) -> None:
    here = Suspect("address 192.0.2.1")
    async with opened(postgres_url) as other:
        for process in (office, other, office):
            assert await process.failures.admit({here: 3}) == Admitted()

        assert isinstance(await other.failures.admit({here: 3}), LockedOut)
