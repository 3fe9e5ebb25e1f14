"""A worker that is killed in the middle of a sweep, or of a deletion: another ends it as if nothing had been."""

from pathlib import Path
from typing import Final

import pytest

from application.proxy_deletions import AllOfThem, DeletionsAccepted
from application.sweeps import FindingsPage
from domain.attempt import AttemptEnd, RunId
from domain.ids import Attempt, StorageConfigId, WorkItemId
from domain.kinds.proxy_sweep import DEDUP_KEY, ProxySweepPayload
from domain.media.proxy_finding import FindingKind
from domain.outcomes import Created
from domain.work_item import Status, Succeeded
from tests.integration.worker.test_processes import ends, look_at
from tests.support.halting import halting
from tests.support.house import House
from tests.support.processes import Workers, eventually
from tests.support.proxy_files import a_file, files_below
from tests.support.reading import state_of
from tests.support.sweeping import Sweeping, a_finding, a_proxy_path, sweeping_over

FILES: Final = 1_200
"""A part of a sweep has 1,000, and of a deletion 500."""

LEASE: Final = {"WORKER__LEASE_SECONDS": "2"}


class Attic:
    """A proxies folder in which rows know one file of all."""

    def __init__(self, house: House, folder: Path, config: StorageConfigId) -> None:
        self.sweeping: Sweeping = sweeping_over(house)
        self.proxies = folder / "proxies"
        self.config = config
        self.settings = {"WORKER__ROOT": str(folder), "WORKER__PROXY_PATH": str(self.proxies), **LEASE}
        self.known = a_proxy_path(config, number=2)
        self.orphans = [a_proxy_path(config, name=f"{number:04}.jpg") for number in range(FILES)]

    async def fill(self) -> None:
        """Files and rows."""
        for path in (*self.orphans, self.known):
            a_file(self.proxies, path)
        await self.sweeping.put_known(self.config, self.known)


@pytest.fixture
async def attic(house: House, tmp_path: Path) -> Attic:
    attic = Attic(house, tmp_path, await house.a_config(root_path=str(tmp_path / "nowhere")))
    await attic.fill()
    return attic


async def succeeded(house: House, item: WorkItemId) -> str:
    """Its result, once it has succeeded."""

    async def is_over() -> bool:
        return (await look_at(house, item)).status is Status.SUCCEEDED

    await eventually(is_over, what="it has succeeded")
    assert await ends(house, item) == [AttemptEnd.STALLED, AttemptEnd.SUCCEEDED]
    return state_of(await look_at(house, item), Succeeded).result


async def test_a_sweep_that_is_killed_half_way_is_done_again_and_finds_the_same(
    house: House, workers: Workers, attic: Attic
) -> None:
    answer = await attic.sweeping.queue.enqueue(ProxySweepPayload(), dedup_key=DEDUP_KEY)
    assert isinstance(answer, Created)
    doomed = workers.start("--own-kinds", halting("stat", "1100.jpg"), **attic.settings)
    cut_off = RunId(answer.id, Attempt(1))

    async def found_by_the_doomed() -> int:
        kinds = frozenset(FindingKind)
        return len(await attic.sweeping.findings.page(cut_off, kinds=kinds, limit=FILES))

    async def is_half_way() -> bool:
        return await found_by_the_doomed() == 1_000

    await eventually(is_half_way, what="the first part is reported")
    doomed.kill()
    workers.start("--own-kinds", **attic.settings)
    result = await succeeded(house, answer.id)

    page = await attic.sweeping.sweeps.findings(answer.id, limit=2 * FILES)
    assert isinstance(page, FindingsPage)
    assert [finding.path for finding in page.findings] == attic.orphans
    assert f'"files":{FILES + 1},"rows":1,"orphanFiles":{FILES},' in result
    assert await found_by_the_doomed() == 1_000


async def test_a_deletion_that_is_killed_half_way_is_done_again_and_deletes_the_same(
    house: House, workers: Workers, attic: Attic
) -> None:
    found = [a_finding(number, owner=attic.config, path=path) for number, path in enumerate(attic.orphans, 1)]
    sweep = await attic.sweeping.swept(*found)
    answer = await attic.sweeping.deletions.ask(sweep.id, AllOfThem(FILES), by=None)
    assert isinstance(answer, DeletionsAccepted)
    (item,) = answer.items
    doomed = workers.start("--own-kinds", halting("unlink", "0700.jpg"), **attic.settings)

    async def is_half_way() -> bool:
        return len(files_below(attic.proxies)) == FILES - 700 + 1

    await eventually(is_half_way, what="700 files are deleted")
    doomed.kill()
    workers.start("--own-kinds", **attic.settings)
    result = await succeeded(house, item.id)

    assert files_below(attic.proxies) == {attic.known}
    assert '"deleted":500,"deletedBytes":3500,"kept":0,"alreadyGone":700' in result
