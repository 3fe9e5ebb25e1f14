"""What every store of photo folders promises."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from application.ports.errors import StoreRefused
from application.ports.storage_configs import NoSuchConfig, Removed
from domain.account import StorageConfig
from domain.ids import StorageConfigId, UserId
from domain.scope import AllScopes, UserScope
from tests.support.accounts import Accounts
from tests.support.builders import ids
from tests.support.reading import nearly


class StorageConfigsContract:
    """An adapter's test supplies `accounts`."""

    @pytest.fixture
    def accounts(self) -> Accounts:
        raise NotImplementedError

    async def test_an_added_config_is_active(self, accounts: Accounts) -> None:
        user = (await accounts.a_user()).id
        config = StorageConfigId(ids.next())

        added = await accounts.storage_configs.add(config, user=user, root_path="/photos/Élodie//2024/")

        assert added == StorageConfig(
            id=config,
            user_id=user,
            root_path="/photos/Élodie/2024",
            is_active=True,
            created_at=added.created_at,
        )
        assert await accounts.storage_configs.get(config) == added
        assert await accounts.storage_configs.all() == (added,)

    async def test_an_unknown_config_is_none(self, accounts: Accounts) -> None:
        assert await accounts.storage_configs.get(StorageConfigId(ids.next())) is None
        assert await accounts.storage_configs.all() == ()

    @pytest.mark.parametrize(
        ("root_path", "why"),
        [
            ("photos", "must be absolute"),
            ("/photos/../etc", "must not climb"),
            (f"/{'photos/' * 600}", "at most 4096 bytes"),
            ("/photos\0", "must be text in UTF-8"),
            ("/photos/\udcff", "must be text in UTF-8"),
            ("/home/ada", "another photo folder"),
            ("/home/ada/", "another photo folder"),
            ("/home", "another photo folder"),
            ("/home/ada/photos", "another photo folder"),
            ("/", "another photo folder"),
        ],
    )
    async def test_a_root_that_will_not_do_is_refused(
        self, accounts: Accounts, root_path: str, why: str
    ) -> None:
        ada, bob = await accounts.a_user(), await accounts.a_user()
        kept = await a_config(accounts, ada.id, "/home/ada")

        with pytest.raises(StoreRefused, match=why) as refused:
            await a_config(accounts, bob.id, root_path)

        assert "ada" not in str(refused.value)
        assert await accounts.storage_configs.all() == (kept,)

    async def test_folders_side_by_side_will_do(self, accounts: Accounts) -> None:
        user = (await accounts.a_user()).id

        first = await a_config(accounts, user, "/photos")
        second = await a_config(accounts, user, "/photos2")

        assert await accounts.storage_configs.all() == (first, second)

    async def test_a_config_of_nobody_is_refused(self, accounts: Accounts) -> None:
        with pytest.raises(StoreRefused):
            await a_config(accounts, UserId(ids.next()), "/photos")

        assert await accounts.storage_configs.all() == ()

    async def test_a_repeated_add_answers_what_is_stored(self, accounts: Accounts) -> None:
        ada, bob = await accounts.a_user(), await accounts.a_user()
        config = await a_config(accounts, ada.id, "/photos")

        again = await accounts.storage_configs.add(config.id, user=ada.id, root_path="/photos/")

        assert again == config
        for user, root_path in ((ada.id, "/other"), (bob.id, "/photos")):
            with pytest.raises(StoreRefused):
                await accounts.storage_configs.add(config.id, user=user, root_path=root_path)
        assert await accounts.storage_configs.all() == (config,)

    async def test_the_oldest_comes_first_by_the_clock_of_the_store(self, accounts: Accounts) -> None:
        user = (await accounts.a_user()).id
        first = await a_config(accounts, user, "/zoo")
        await accounts.pokes.age(timedelta(hours=1))
        second = await a_config(accounts, user, "/art")

        older, younger = await accounts.storage_configs.all()

        assert (older.id, younger.id) == (first.id, second.id)
        assert nearly(younger.created_at - older.created_at, timedelta(hours=1))

    async def test_a_scope_serves_its_active_configs(self, accounts: Accounts) -> None:
        ada, bob, eve = await accounts.a_user(), await accounts.a_user(), await accounts.a_user()
        first = await a_config(accounts, ada.id, "/ada/one")
        theirs = await a_config(accounts, bob.id, "/bob")
        second = await a_config(accounts, ada.id, "/ada/two")
        inactive = await a_config(accounts, ada.id, "/ada/three")
        await accounts.pokes.deactivate(inactive.id)

        served = accounts.storage_configs.served

        assert await served(AllScopes()) == (first, theirs, second)
        assert await served(UserScope(ada.id)) == (first, second)
        assert await served(UserScope(bob.id)) == (theirs,)
        assert await served(UserScope(eve.id)) == ()

    async def test_a_removed_config_is_gone_and_its_folder_free(self, accounts: Accounts) -> None:
        user = (await accounts.a_user()).id
        config = await a_config(accounts, user, "/photos")
        other = await a_config(accounts, user, "/other")

        assert await accounts.storage_configs.remove(config.id) == Removed(items=0)

        assert await accounts.storage_configs.get(config.id) is None
        assert await accounts.storage_configs.remove(config.id) == NoSuchConfig()
        again = await a_config(accounts, user, "/photos/2024")
        assert await accounts.storage_configs.all() == (other, again)

    async def test_a_config_is_switched_off_and_on_again(self, accounts: Accounts) -> None:
        user = (await accounts.a_user()).id
        config = await a_config(accounts, user, "/photos")

        off = await accounts.config_switch.set_active(config.id, active=False)
        served = await accounts.storage_configs.served(AllScopes())
        again_off = await accounts.config_switch.set_active(config.id, active=False)
        on = await accounts.config_switch.set_active(config.id, active=True)

        assert off == again_off == replace(config, is_active=False)
        assert served == ()
        assert on == config
        assert await accounts.storage_configs.served(AllScopes()) == (config,)

    async def test_a_config_that_is_not_there_cannot_be_switched(self, accounts: Accounts) -> None:
        unknown = StorageConfigId(ids.next())

        assert await accounts.config_switch.set_active(unknown, active=True) == NoSuchConfig()
        assert await accounts.storage_configs.all() == ()

    async def test_of_folders_added_at_once_none_lies_in_another(self, accounts: Accounts) -> None:
        user = (await accounts.a_user()).id
        roots = ["/photos", "/photos/ada", "/photos/ada/2024", "/photos/ada/2024/05"] * 2

        answers = await asyncio.gather(
            *(a_config(accounts, user, root) for root in roots), return_exceptions=True
        )

        added = tuple(answer for answer in answers if isinstance(answer, StorageConfig))
        assert len(added) == 1
        assert await accounts.storage_configs.all() == added


async def a_config(accounts: Accounts, user: UserId, root_path: str) -> StorageConfig:
    return await accounts.storage_configs.add(StorageConfigId(ids.next()), user=user, root_path=root_path)
