"""What an install needs before its first crawl: somebody to own the photo folder, the folder, and the request."""

from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

from application.configs import ConfigAdded, FolderOverlaps, FolderRefused, FolderTaken, UnknownOwner
from domain.account import StorageConfig, User
from domain.ids import WorkItemId
from domain.outcomes import Coalesced, Created, UnknownScope
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.wiring.desk import Desk
from entrypoints.wiring.first_admin import add_first_admin


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """The first account, and the crawl to be followed where there is a folder."""

    user: User
    photos: Path | None = None
    crawl: WorkItemId | None = None


async def take_first_steps(desk: Desk, photos: Path | None) -> FirstSteps:
    """See to all of it; what is there already stays as it is. A crawl that waits is the one to be followed."""
    await add_first_admin(desk, desk.settings().admin)
    user = await desk.accounts().first()
    if photos is None:
        return FirstSteps(user)
    match await desk.configs().add(user=user.id, root_path=str(photos)):
        case ConfigAdded(crawl=crawl):
            return FirstSteps(user, photos, crawl)
        case FolderTaken(config=config):
            return FirstSteps(user, photos, await _crawl_of(desk, config))
        case FolderOverlaps(config=config):
            raise CommandError(
                f"{photos} cannot be added: another photo folder lies within it, or holds it ({config.id}); "
                "see 'anichron configs list'",
                ExitCode.CONFLICT,
            )
        case UnknownOwner():
            raise CommandError("the first account has just been removed: start again", ExitCode.CONFLICT)
        case FolderRefused(why=why):
            raise CommandError(
                f"{photos} cannot be added: {why}; see 'anichron configs list'", ExitCode.CONFLICT
            )
        case answer:
            assert_never(answer)


async def _crawl_of(desk: Desk, config: StorageConfig) -> WorkItemId:
    match await desk.configs().crawl_soon(config.id, by=config.user_id):
        case Created(id=crawl) | Coalesced(id=crawl):
            return crawl
        case UnknownScope():
            raise CommandError("the photo folder has just been removed: start again", ExitCode.CONFLICT)
        case answer:
            assert_never(answer)
