"""From what somebody typed to the one thing that it means."""

from typing import assert_never

from application.accounts import UnknownUser
from application.admin import AmbiguousId
from application.configs import AmbiguousConfig, UnknownConfig
from domain.account import StorageConfig, User
from domain.outcomes import UnknownItem
from domain.work_item import WorkItem
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.wiring.desk import Desk


async def found_item(desk: Desk, text: str) -> WorkItem:
    """The item whose id begins like this."""
    match await desk.admin().identified(text):
        case UnknownItem():
            raise CommandError(f"no work item has an id that begins with {text!r}", ExitCode.NOT_FOUND)
        case AmbiguousId(some=some):
            both = " and ".join(map(str, some))
            raise CommandError(
                f"{text!r} begins more than one id, such as {both}: type more of it", ExitCode.USAGE
            )
        case id_:
            history = await desk.admin().item(id_)
    if isinstance(history, UnknownItem):
        raise CommandError(f"work item {id_} is gone", ExitCode.NOT_FOUND)
    return history.item


async def found_config(desk: Desk, text: str) -> StorageConfig:
    """The config of this folder, or whose id begins like this."""
    match await desk.configs().named(text):
        case StorageConfig() as config:
            return config
        case UnknownConfig():
            raise CommandError(
                f"no photo folder is {text!r}, or has an id that begins so: see 'anichron configs list'",
                ExitCode.NOT_FOUND,
            )
        case AmbiguousConfig(some=some):
            both = " and ".join(str(config.id) for config in some[:2])
            raise CommandError(
                f"{text!r} begins more than one id, such as {both}: type more of it", ExitCode.USAGE
            )
        case answer:
            assert_never(answer)


async def found_user(desk: Desk, text: str) -> User:
    """The account with this name or e-mail address."""
    user = await desk.accounts().named(text)
    if isinstance(user, UnknownUser):
        raise CommandError(f"nobody is called {text!r}: see 'anichron users list'", ExitCode.NOT_FOUND)
    return user
