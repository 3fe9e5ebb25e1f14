"""Asking for the deletion of what a proxy sweep has found."""

import asyncio
from dataclasses import replace
from typing import Final

import pytest

from adapters.codec.payloads import MsgspecPayloadCodec
from adapters.memory.database import MemoryDatabase
from adapters.memory.storage_configs import MemoryStorageConfigs
from adapters.memory.work_store import MemoryWorkStore
from application.enqueue import WorkQueue
from application.ports.errors import StoreUnavailable
from application.ports.inbox import WorkInbox
from application.ports.request_keys import KeyMisused, RequestKey
from application.ports.storage_configs import StorageConfigs
from application.ports.transactions import Transaction
from application.proxy_deletions import (
    MOST_CHOSEN,
    MOST_OWNERS,
    AllOfThem,
    ChoiceRefused,
    DeletionAnswer,
    DeletionPorts,
    DeletionsAccepted,
    DeletionsAskedBefore,
    ProxyDeletions,
    These,
)
from application.sweeps import SweepUnfinished, SweepUnknown
from domain.account import StorageConfig
from domain.ids import StorageConfigId, WorkItemId
from domain.kinds.proxy_deletion import ProxyDeletionPayload
from domain.media.proxy_finding import FindingKind, FindingNumber
from domain.outcomes import CancelledNow, EnqueueAnswer
from domain.work_item import NewWorkItem, Status, WorkItem
from tests.support.builders import a_failure, a_new_item, an_id, enqueued, ids
from tests.support.reading import everything
from tests.support.sweeping import Sweeping, a_finding, memory_sweeping

CODEC: Final = MsgspecPayloadCodec()
MISSING: Final = FindingKind.MISSING_FILE
LEFTOVER: Final = FindingKind.TEMPORARY_LEFTOVER


def these(*numbers: int) -> These:
    """The findings of these numbers."""
    return These(frozenset(map(FindingNumber, numbers)))


def asked_for(answer: DeletionAnswer) -> dict[StorageConfigId | None, ProxyDeletionPayload]:
    """What the new items are to do, by their scope; asserts that there are any."""
    assert isinstance(answer, DeletionsAccepted)
    asked = {
        item.storage_config_id: CODEC.decode_payload(item.payload, ProxyDeletionPayload)
        for item in answer.items
    }
    assert len(asked) == len(answer.items)
    return asked


async def deletions_in(place: Sweeping) -> list[WorkItem]:
    """Every deletion that there is."""
    items = await everything(place.house.store)
    return [item for item in items.values() if item.kind == "proxy-deletion"]


async def is_refused(place: Sweeping, answer: DeletionAnswer) -> str:
    """Why; asserts that it was refused and nothing was asked for."""
    assert isinstance(answer, ChoiceRefused)
    assert await deletions_in(place) == []
    return answer.why


def with_other(
    place: Sweeping, *, inbox: WorkInbox | None = None, configs: StorageConfigs | None = None
) -> ProxyDeletions:
    """The use case over another way in, or over configs that are not what they seem."""
    house = place.house
    ports = DeletionPorts(
        ledger=house.store,
        findings=place.findings,
        configs=configs or house.storage_configs,
        transactions=house.transactions,
        keys=place.keys,
    )
    return ProxyDeletions(WorkQueue(inbox or house.store, CODEC, ids), ports)


def memory_of(place: Sweeping) -> MemoryDatabase:
    assert isinstance(place.house.transactions, MemoryDatabase)
    return place.house.transactions


async def test_chosen_files_of_a_config_are_deleted_in_its_scope() -> None:
    place = memory_sweeping()
    user = await place.house.a_user()
    config = await place.house.a_config(of=user)
    sweep = await place.swept(*(a_finding(number, owner=config) for number in range(1, 6)))

    answer = await place.deletions.ask(sweep.id, these(5, 2, 4), by=user)

    assert asked_for(answer) == {
        config: ProxyDeletionPayload(sweep_id=sweep.id, attempt=1, owners=(config,), findings=(2, 4, 5))
    }
    (item,) = await deletions_in(place)
    assert answer == DeletionsAccepted((item,))
    assert (item.status, item.requested_by, item.dedup_key) == (Status.QUEUED, user, None)


async def test_there_is_one_item_for_each_active_owner_and_one_for_all_others() -> None:
    place = memory_sweeping()
    ada, bob = await place.house.a_config(), await place.house.a_config()
    inactive, removed = await place.house.a_config(), await place.house.a_config()
    never_known = StorageConfigId(ids.next())
    await place.house.pokes.deactivate(inactive)
    await place.house.storage_configs.remove(removed)
    owners = (never_known, ada, removed, bob, inactive, ada)
    sweep = await place.swept(*(a_finding(number, owner=owner) for number, owner in enumerate(owners, 1)))

    answer = await place.deletions.ask(sweep.id, these(1, 2, 3, 4, 5, 6), by=None)

    assert asked_for(answer) == {
        ada: ProxyDeletionPayload(sweep.id, 1, (ada,), (2, 6)),
        bob: ProxyDeletionPayload(sweep.id, 1, (bob,), (4,)),
        None: ProxyDeletionPayload(sweep.id, 1, (inactive, removed, never_known), (1, 3, 5)),
    }


async def test_all_of_them_are_named_by_their_owners_alone() -> None:
    place = memory_sweeping()
    config, stranger = await place.house.a_config(), StorageConfigId(ids.next())
    sweep = await place.swept(
        a_finding(1, owner=config),
        a_finding(2, owner=config, what=LEFTOVER),
        a_finding(3, owner=config, what=MISSING),
        a_finding(4, owner=stranger),
    )

    answer = await place.deletions.ask(sweep.id, AllOfThem(3), by=None)

    assert asked_for(answer) == {
        config: ProxyDeletionPayload(sweep.id, 1, (config,), ()),
        None: ProxyDeletionPayload(sweep.id, 1, (stranger,), ()),
    }


@pytest.mark.parametrize("seen", [0, 2, 4])
async def test_all_of_them_are_refused_if_somebody_saw_another_number(seen: int) -> None:
    place = memory_sweeping()
    sweep = await place.swept(a_finding(1), a_finding(2), a_finding(3), a_finding(4, what=MISSING))

    answer = await place.deletions.ask(sweep.id, AllOfThem(seen), by=None)

    assert await is_refused(place, answer) == f"The sweep found 3 files that can be deleted, not {seen}."


async def test_all_files_of_more_owners_than_a_payload_can_name_are_refused() -> None:
    place = memory_sweeping()
    sweep = await place.swept(*map(a_finding, range(1, MOST_OWNERS + 2)))

    answer = await place.deletions.ask(sweep.id, AllOfThem(MOST_OWNERS + 1), by=None)

    assert await is_refused(place, answer) == "The files are of more than 10000 owners: choose some of them."


async def test_all_files_of_as_many_owners_as_a_payload_can_name_are_one_item() -> None:
    place = memory_sweeping()
    sweep = await place.swept(*map(a_finding, range(1, MOST_OWNERS + 1)))

    answer = await place.deletions.ask(sweep.id, AllOfThem(MOST_OWNERS), by=None)

    assert len(asked_for(answer)[None].owners) == 10_000


async def test_all_of_nothing_is_refused() -> None:
    place = memory_sweeping()
    sweep = await place.swept(a_finding(1, what=MISSING))

    answer = await place.deletions.ask(sweep.id, AllOfThem(0), by=None)

    assert await is_refused(place, answer) == "The sweep found no file that could be deleted."


async def test_nothing_is_no_choice() -> None:
    place = memory_sweeping()
    sweep = await place.swept(a_finding(1))

    assert await is_refused(place, await place.deletions.ask(sweep.id, these(), by=None)) == (
        "Nothing was chosen."
    )


async def test_more_than_can_be_named_is_no_choice() -> None:
    place = memory_sweeping()
    sweep = await place.swept(*(a_finding(number) for number in range(1, MOST_CHOSEN + 2)))

    answer = await place.deletions.ask(sweep.id, these(*range(1, 10_002)), by=None)

    assert await is_refused(place, answer) == "More than 10000 findings were chosen."
    accepted = await place.deletions.ask(sweep.id, these(*range(1, 10_001)), by=None)
    assert len(asked_for(accepted)[None].findings) == 10_000


@pytest.mark.parametrize("unknown", [0, 4, -1])
async def test_numbers_that_no_finding_has_are_refused(unknown: int) -> None:
    place = memory_sweeping()
    sweep = await place.swept(a_finding(1), a_finding(2), a_finding(3))

    answer = await place.deletions.ask(sweep.id, these(1, 2, unknown), by=None)

    assert await is_refused(place, answer) == (
        "1 of 3 chosen findings cannot be deleted: not there, or no files."
    )


async def test_missing_files_cannot_be_deleted() -> None:
    place = memory_sweeping()
    sweep = await place.swept(a_finding(1), a_finding(2, what=MISSING))

    answer = await place.deletions.ask(sweep.id, these(1, 2), by=None)

    assert await is_refused(place, answer) == (
        "1 of 2 chosen findings cannot be deleted: not there, or no files."
    )


async def test_findings_of_another_sweep_are_not_meant() -> None:
    place = memory_sweeping()
    await place.swept(a_finding(1), a_finding(2))
    sweep = await place.swept(a_finding(1))

    await is_refused(place, await place.deletions.ask(sweep.id, these(1, 2), by=None))


async def test_what_a_stopped_sweep_had_found_can_be_deleted() -> None:
    place = memory_sweeping()
    sweep = await place.stopped(a_finding(1), a_finding(2))

    assert asked_for(await place.deletions.ask(sweep.id, these(2), by=None))[None].findings == (2,)


async def test_what_a_failed_sweep_had_found_cannot_be_deleted() -> None:
    place = memory_sweeping()
    sweep = await place.swept(a_finding(1), end=a_failure)

    for choice in (these(1), AllOfThem(1)):
        answer = await place.deletions.ask(sweep.id, choice, by=None)
        assert await is_refused(place, answer) == (
            "The sweep has failed or was broken off, so it has no findings."
        )


async def test_of_a_sweep_that_never_ran_nothing_can_be_deleted() -> None:
    place = memory_sweeping()
    waiting = await enqueued(place.house.store, a_new_item(kind="proxy-sweep"))
    assert isinstance(await place.house.store.cancel(waiting), CancelledNow)

    await is_refused(place, await place.deletions.ask(waiting, AllOfThem(0), by=None))


async def test_a_sweep_that_runs_has_to_finish_first() -> None:
    place = memory_sweeping()
    running = await place.running()

    assert await place.deletions.ask(running.id, AllOfThem(1), by=None) == SweepUnfinished(running)
    assert await deletions_in(place) == []


async def test_what_is_no_sweep_has_nothing_to_delete() -> None:
    place = memory_sweeping()
    sweep = await place.swept(a_finding(1))
    deletion = await place.deletions.ask(sweep.id, these(1), by=None)
    assert isinstance(deletion, DeletionsAccepted)

    assert await place.deletions.ask(deletion.items[0].id, these(1), by=None) == SweepUnknown()
    assert await place.deletions.ask(an_id(), these(1), by=None) == SweepUnknown()
    assert len(await deletions_in(place)) == 1


async def test_two_deletions_stay_two_items() -> None:
    place = memory_sweeping()
    config = await place.house.a_config()
    sweep = await place.swept(a_finding(1, owner=config), a_finding(2, owner=config))

    first = await place.deletions.ask(sweep.id, these(1), by=None)
    second = await place.deletions.ask(sweep.id, these(2), by=None)

    assert asked_for(first)[config].findings == (1,)
    assert asked_for(second)[config].findings == (2,)
    assert len(await deletions_in(place)) == 2


class LeavingConfigs(MemoryStorageConfigs):
    """Those that are shown are gone a moment later."""

    async def all(self) -> tuple[StorageConfig, ...]:
        """Show them, and remove them."""
        configs = await super().all()
        for config in configs:
            await self.remove(config.id)
        return configs


async def test_files_of_a_config_that_is_removed_meanwhile_are_nobodys() -> None:
    place = memory_sweeping()
    config = await place.house.a_config()
    sweep = await place.swept(a_finding(1, owner=config), a_finding(2, owner=config))
    leaving = with_other(place, configs=LeavingConfigs(memory_of(place)))

    answer = await leaving.ask(sweep.id, these(1, 2), by=None)

    assert asked_for(answer) == {None: ProxyDeletionPayload(sweep.id, 1, (config,), (1, 2))}


class InboxThatBreaks(MemoryWorkStore):
    """Takes one item in, and goes away with the next."""

    taken = 0

    async def insert(self, new: NewWorkItem, *, within: Transaction | None = None) -> EnqueueAnswer:
        """Take it in, or fail as a store that went away does."""
        if self.taken:
            raise StoreUnavailable("gone")
        self.taken += 1
        return await super().insert(new, within=within)


async def test_all_is_asked_for_or_nothing() -> None:
    place = memory_sweeping()
    owners = [await place.house.a_config(), await place.house.a_config()]
    sweep = await place.swept(*(a_finding(number, owner=owner) for number, owner in enumerate(owners, 1)))
    key = RequestKey(await place.house.a_user(), "key", b"1, 2")
    breaking = with_other(place, inbox=InboxThatBreaks(memory_of(place)))

    with pytest.raises(StoreUnavailable):
        await breaking.ask(sweep.id, these(1, 2), by=key.user, key=key)

    assert await deletions_in(place) == []
    again = await place.deletions.ask(sweep.id, these(1, 2), by=key.user, key=key)
    assert list(asked_for(again)) == owners


async def keyed(place: Sweeping, *, text: str = "key", digest: bytes = b"1, 2") -> RequestKey:
    """A key of somebody new."""
    return RequestKey(await place.house.a_user(), text, digest)


async def two_found(place: Sweeping) -> WorkItemId:
    """A sweep that has found a file of a config, and one of nobody."""
    config = await place.house.a_config()
    return (await place.swept(a_finding(1, owner=config), a_finding(2))).id


async def test_a_request_that_is_sent_again_is_answered_by_the_first_items() -> None:
    place = memory_sweeping()
    sweep, key = await two_found(place), await keyed(place)

    first = await place.deletions.ask(sweep, these(1, 2), by=key.user, key=key)
    again = await place.deletions.ask(sweep, these(1, 2), by=key.user, key=key)

    assert isinstance(first, DeletionsAccepted)
    assert again == DeletionsAskedBefore(first.items)
    assert len(first.items) == len(await deletions_in(place)) == 2


async def test_of_the_same_request_sent_twice_at_once_one_makes_the_items() -> None:
    place = memory_sweeping()
    sweep, key = await two_found(place), await keyed(place)

    answers = await asyncio.gather(
        *(place.deletions.ask(sweep, these(1, 2), by=key.user, key=key) for _ in range(3))
    )

    (first,) = [answer for answer in answers if isinstance(answer, DeletionsAccepted)]
    assert answers.count(DeletionsAskedBefore(first.items)) == 2
    assert len(await deletions_in(place)) == 2


async def test_of_the_first_items_those_that_are_still_there_are_told() -> None:
    place = memory_sweeping()
    sweep, key = await two_found(place), await keyed(place)
    first = await place.deletions.ask(sweep, these(1, 2), by=key.user, key=key)
    assert isinstance(first, DeletionsAccepted)
    scoped, unscoped = first.items
    assert scoped.storage_config_id is not None
    await place.house.storage_configs.remove(scoped.storage_config_id)

    again = await place.deletions.ask(sweep, these(1, 2), by=key.user, key=key)

    assert again == DeletionsAskedBefore((unscoped,))


async def test_another_request_with_the_same_key_is_told() -> None:
    place = memory_sweeping()
    sweep, key = await two_found(place), await keyed(place)
    await place.deletions.ask(sweep, these(1), by=key.user, key=key)

    answer = await place.deletions.ask(sweep, these(2), by=key.user, key=replace(key, digest=b"2"))

    assert answer == KeyMisused()
    assert len(await deletions_in(place)) == 1


async def test_somebody_elses_key_is_another() -> None:
    place = memory_sweeping()
    sweep = await two_found(place)
    ada, bob = await keyed(place), await keyed(place)

    first = await place.deletions.ask(sweep, these(1), by=ada.user, key=ada)
    second = await place.deletions.ask(sweep, these(1), by=bob.user, key=bob)

    assert isinstance(first, DeletionsAccepted)
    assert isinstance(second, DeletionsAccepted)
    assert len(await deletions_in(place)) == 2


async def test_a_refused_request_leaves_its_key_free() -> None:
    place = memory_sweeping()
    sweep, key = await two_found(place), await keyed(place)
    await is_refused(place, await place.deletions.ask(sweep, these(3), by=key.user, key=key))

    answer = await place.deletions.ask(sweep, these(1), by=key.user, key=replace(key, digest=b"1"))

    assert isinstance(answer, DeletionsAccepted)
