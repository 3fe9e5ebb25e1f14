"""Changing accounts: from what was answered to what the person and the program are told."""

from collections.abc import Awaitable, Callable
from typing import assert_never

import rich_click as click

from application.ports.account_changes import AccountChanged, AccountGone, LastAdmin
from domain.account import User
from entrypoints.commands.documents import user_view
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.finding import found_user
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.output import say, show_document
from entrypoints.wiring.desk import Desk

Change = Callable[[Desk, User], Awaitable[AccountChanged | LastAdmin | AccountGone]]


def change_account(user: str, change: Change, *, done: str, as_json: bool) -> None:
    """Change the account of this name or address. `done` is said afterwards, after its name."""

    async def work(desk: Desk) -> None:
        changed = _changed(user, await change(desk, await found_user(desk, user)))
        if as_json:
            show_document(user_view(changed.user))
        say(f"{changed.user.name} {done}.{ended(changed.sessions)}")

    at_desk(read_settings(), work)


def ended(sessions: int) -> str:
    """How many sessions came to their end by it, as a sentence; nothing where there were none."""
    if sessions == 0:
        return ""
    return " 1 session was ended." if sessions == 1 else f" {sessions} sessions were ended."


def is_gone(user: str) -> CommandError:
    """The account went away since it was found."""
    return CommandError(f"the account {user!r} is gone", ExitCode.NOT_FOUND)


def _changed(user: str, answer: AccountChanged | LastAdmin | AccountGone) -> AccountChanged:
    match answer:
        case AccountChanged():
            return answer
        case LastAdmin():
            raise click.UsageError(
                f"{user!r} is the last admin who can sign in: nobody could look after this install any more. "
                "If that is meant, say --yes."
            )
        case AccountGone():
            raise is_gone(user)
        case _:
            assert_never(answer)
