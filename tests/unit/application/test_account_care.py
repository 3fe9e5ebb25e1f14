"""What operators do to accounts."""

from application.account_care import PasswordRefused
from application.ports.account_changes import AccountChanged, AccountGone, LastAdmin
from application.sessions import SignedIn
from domain.ids import UserId
from tests.support.ids import nth_id
from tests.support.signing_in import FrontDoor

NOBODY = UserId(nth_id(99))


async def test_a_password_that_is_too_weak_changes_nothing() -> None:
    door = FrontDoor()
    ada = await door.somebody()
    await door.sessions.begin(ada)

    answer = await door.care.reset_password(ada.id, "short")

    assert answer == PasswordRefused("The password must be at least 8 characters long.")
    assert await door.users.get(ada.id) == ada
    assert len(door.database.sessions) == 1


async def test_a_reset_tells_how_many_sessions_it_ended() -> None:
    door = FrontDoor()
    ada = await door.somebody()
    for _ in range(2):
        await door.sessions.begin(ada)

    answer = await door.care.reset_password(ada.id, "battery staple")

    assert isinstance(answer, AccountChanged)
    assert answer.sessions == 2
    assert answer.user.password_hash == "hash of battery staple"


async def test_the_last_admin_stays_one_unless_that_is_meant() -> None:
    door = FrontDoor()
    ada = await door.somebody()

    assert await door.care.revoke_admin(ada.id, even_last=False) == LastAdmin()
    assert await door.care.disable(ada.id, even_last=False) == LastAdmin()
    assert isinstance(await door.care.revoke_admin(ada.id, even_last=True), AccountChanged)

    again = await door.care.grant_admin(ada.id)
    assert again == AccountChanged(ada)


async def test_who_is_disabled_may_be_enabled_again() -> None:
    door = FrontDoor()
    await door.somebody()
    bob = await door.somebody("bob")
    await door.sessions.begin(bob)

    shut = await door.care.disable(bob.id, even_last=False)
    opened = await door.care.enable(bob.id)

    assert isinstance(shut, AccountChanged)
    assert (shut.user.is_disabled, shut.sessions) == (True, 1)
    assert opened == AccountChanged(bob)


async def test_sessions_end_and_the_account_stays() -> None:
    door = FrontDoor()
    ada = await door.somebody()
    await door.sessions.begin(ada)

    assert await door.care.end_sessions(ada.id) == 1
    assert await door.care.end_sessions(ada.id) == 0
    assert isinstance(await door.sessions.begin(ada), SignedIn)


async def test_nobody_can_be_looked_after_who_is_not_there() -> None:
    door = FrontDoor()

    assert await door.care.reset_password(NOBODY, "battery staple") == AccountGone()
    assert await door.care.grant_admin(NOBODY) == AccountGone()
    assert await door.care.enable(NOBODY) == AccountGone()
    assert await door.care.end_sessions(NOBODY) == 0
