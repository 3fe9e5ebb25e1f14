"""The first admin, where the settings name one: a fresh install has nobody who could let somebody in."""

from typing import assert_never

import structlog

from application.accounts import AccountAdded, AccountRefused, AccountTaken, NotTheFirst
from entrypoints.settings.model import AdminSettings
from entrypoints.wiring.desk import Desk


async def add_first_admin(desk: Desk, wanted: AdminSettings) -> None:
    """Add the admin of `ADMIN__EMAIL`, if there is no account at all. Later changes of the settings change nobody."""
    if wanted.email is None or wanted.password is None:
        return
    password = wanted.password.get_secret_value()
    answer = await desk.accounts().add_first_admin(email=wanted.email, password=password)
    match answer:
        case AccountAdded(user=user):
            structlog.get_logger().info("added the first admin", userId=str(user.id))
        case NotTheFirst() | AccountTaken():
            # It is there, or another process was faster.
            return
        case AccountRefused(why=why):
            structlog.get_logger().error("cannot add the first admin", why=why)
        case _:
            assert_never(answer)
