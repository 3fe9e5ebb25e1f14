"""Photo folders and the crawls that are asked for them."""

import pytest

from adapters.codec.payloads import MsgspecPayloadCodec
from adapters.memory.database import MemoryDatabase
from adapters.memory.storage_configs import MemoryStorageConfigs
from adapters.memory.users import MemoryUsers
from adapters.memory.work_store import MemoryWorkStore
from application.configs import (
    AmbiguousConfig,
    ConfigAdded,
    Configs,
    FolderOverlaps,
    FolderRefused,
    FolderTaken,
    UnknownConfig,
    UnknownOwner,
)
from application.enqueue import WorkQueue
from application.ports.errors import StoreUnavailable
from application.ports.inbox import WorkInbox
from application.ports.storage_configs import NoSuchConfig, Removed
from application.ports.transactions import Transaction
from domain.account import User
from domain.ids import StorageConfigId, UserId
from domain.outcomes import Coalesced, Created, EnqueueAnswer, UnknownScope
from domain.photo_root import ANYWHERE, RootBounds
from domain.work_item import NewWorkItem, WorkItem
from tests.support.clock import ManualClock
from tests.support.ids import CountingIds, nth_id
from tests.support.reading import page_of


class Shelf:
    """The folders of a store of one's own, with one account."""

    def __init__(self, bounds: RootBounds = ANYWHERE) -> None:
        """Start without any folder."""
        self.bounds = bounds
        self.database = MemoryDatabase(ManualClock())
        self.store = MemoryWorkStore(self.database)
        self.configs = self.with_inbox(self.store)

    def with_inbox(self, inbox: WorkInbox) -> Configs:
        """The use case over another way in."""
        ids = CountingIds()
        queue = WorkQueue(inbox, MsgspecPayloadCodec(), ids)
        users = MemoryUsers(self.database)
        return Configs(
            MemoryStorageConfigs(self.database), queue, self.database, users, ids, bounds=self.bounds
        )

    async def ada(self) -> User:
        """The one account."""
        return await MemoryUsers(self.database).add(
            UserId(nth_id(1000)), name="Ada", email="a@b", password_hash="!", is_admin=False
        )

    async def items(self) -> tuple[WorkItem, ...]:
        """Everything that was asked for."""
        return (await page_of(self.store, limit=200)).items


class BrokenInbox(MemoryWorkStore):
    """Loses every request."""

    async def insert(
        self,
        new: NewWorkItem,  # noqa: ARG002 -- nothing arrives
        *,
        within: Transaction | None = None,  # noqa: ARG002
    ) -> EnqueueAnswer:
        """Fail as a store that went away does."""
        raise StoreUnavailable("gone")


async def added(shelf: Shelf, root_path: str = "/photos/ada") -> ConfigAdded:
    """A folder of Ada's."""
    user = next(iter(shelf.database.users.values()), None) or await shelf.ada()
    answer = await shelf.configs.add(user=user.id, root_path=root_path)
    assert isinstance(answer, ConfigAdded)
    return answer


async def test_a_folder_is_added_together_with_its_first_crawl() -> None:
    shelf = Shelf()

    answer = await added(shelf)

    (crawl,) = await shelf.items()
    assert answer.config.root_path == "/photos/ada"
    assert answer.crawl == crawl.id
    assert crawl.storage_config_id == answer.config.id
    assert crawl.dedup_key == f"crawl:{answer.config.id}"
    assert crawl.requested_by == answer.config.user_id
    assert crawl.payload == f'{{"storageConfigId":"{answer.config.id}"}}'


async def test_without_its_crawl_a_folder_is_not_added() -> None:
    shelf = Shelf()
    user = await shelf.ada()

    with pytest.raises(StoreUnavailable):
        await shelf.with_inbox(BrokenInbox(shelf.database)).add(user=user.id, root_path="/photos/ada")

    assert await shelf.configs.all() == ()


async def test_a_folder_that_is_there_already_is_named() -> None:
    shelf = Shelf()
    first = await added(shelf)

    answer = await shelf.configs.add(user=first.config.user_id, root_path="/photos/ada")

    assert answer == FolderTaken(first.config)
    assert len(await shelf.items()) == 1


async def test_a_folder_that_is_there_already_is_known_however_it_is_written() -> None:
    shelf = Shelf()
    first = await added(shelf)

    assert await shelf.configs.add(user=first.config.user_id, root_path="//photos/./ada/") == FolderTaken(
        first.config
    )


async def test_nobody_owns_no_folder() -> None:
    shelf = Shelf()

    assert await shelf.configs.add(user=UserId(nth_id(5)), root_path="/photos") == UnknownOwner()
    assert await shelf.items() == ()


@pytest.mark.parametrize(
    ("root_path", "is_taken"),
    [
        ("/data/originals", True),
        ("/data/originals/ada", True),
        ("/data/originals2", False),
        ("/data", False),
        ("/", False),
        ("/data/originals/proxies", False),
        ("/data/originals/proxies/ada", False),
    ],
)
async def test_folders_lie_where_the_install_has_them(root_path: str, *, is_taken: bool) -> None:
    beneath, apart_from = "/data/originals", "/data/originals/proxies"
    bounds = RootBounds(beneath=beneath, apart_from=None if root_path == beneath else apart_from)
    shelf = Shelf(bounds)

    answer = await shelf.configs.add(user=(await shelf.ada()).id, root_path=root_path)

    assert isinstance(answer, ConfigAdded if is_taken else FolderRefused)


async def test_the_first_crawl_is_asked_for_by_who_adds_the_folder() -> None:
    shelf = Shelf()
    admin = UserId(nth_id(1001))
    await MemoryUsers(shelf.database).add(admin, name="Bob", email="b@b", password_hash="!", is_admin=True)

    await shelf.configs.add(user=(await shelf.ada()).id, root_path="/photos", by=admin)

    assert [item.requested_by for item in await shelf.items()] == [admin]


@pytest.mark.parametrize("root_path", ["/photos", "/photos/ada/2024", "/photos/ada/./2024/"])
async def test_a_folder_within_another_or_around_it_is_told_which(root_path: str) -> None:
    shelf = Shelf()
    first = await added(shelf)

    answer = await shelf.configs.add(user=first.config.user_id, root_path=root_path)

    assert answer == FolderOverlaps(first.config)
    assert len(await shelf.items()) == 1


@pytest.mark.parametrize("root_path", ["photos", "/photos/../ada"])
async def test_a_folder_that_cannot_be_one_is_refused_in_words(root_path: str) -> None:
    shelf = Shelf()
    first = await added(shelf)

    answer = await shelf.configs.add(user=first.config.user_id, root_path=root_path)

    assert isinstance(answer, FolderRefused)
    assert "photo folder" in answer.why
    assert root_path not in answer.why


async def test_a_crawl_on_request_stands_beside_one_that_waits() -> None:
    shelf = Shelf()
    config = (await added(shelf)).config

    answer = await shelf.configs.crawl(config.id, verify=True, by=config.user_id)

    assert isinstance(answer, Created)
    asked = await shelf.store.get(answer.id)
    assert isinstance(asked, WorkItem)
    assert asked.dedup_key is None
    assert asked.payload == f'{{"storageConfigId":"{config.id}","verify":true}}'


async def test_a_crawl_that_is_only_to_be_soon_is_the_one_that_waits() -> None:
    shelf = Shelf()
    first = await added(shelf)

    assert await shelf.configs.crawl_soon(first.config.id, by=None) == Coalesced(first.crawl)


async def test_a_crawl_of_no_config_is_refused() -> None:
    unknown = StorageConfigId(nth_id(77))

    assert await Shelf().configs.crawl(unknown, verify=False, by=None) == UnknownScope()


async def test_a_config_is_found_by_its_folder_or_the_beginning_of_its_id() -> None:
    shelf = Shelf()
    config = (await added(shelf)).config

    assert await shelf.configs.named("/photos/ada") == config
    assert await shelf.configs.named(str(config.id).upper()) == config
    assert await shelf.configs.named(str(config.id)[:13]) == config
    assert await shelf.configs.named("f") == UnknownConfig()
    assert await shelf.configs.named("") == UnknownConfig()
    assert await shelf.configs.named("-") == UnknownConfig()


async def test_several_configs_that_begin_alike_are_an_answer_of_their_own() -> None:
    shelf = Shelf()
    one, two = (await added(shelf)).config, (await added(shelf, "/photos/bob")).config

    assert await shelf.configs.named("0000") == AmbiguousConfig((one, two))


async def test_a_config_goes_with_its_items() -> None:
    shelf = Shelf()
    config = (await added(shelf)).config

    assert await shelf.configs.remove(config.id) == Removed(items=1)
    assert await shelf.items() == ()
    assert await shelf.configs.remove(config.id) == NoSuchConfig()
