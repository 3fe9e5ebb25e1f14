"""The crawl, and what is kept of sweeps, broken one rule at a time."""

from typing import Final

from tests.mutants.mutant import Mutant, Suite

CRAWL: Final = Suite(
    "crawl",
    (
        "tests/unit/application/ingestion/test_vanishing.py",
        "tests/unit/application/ingestion/test_moving.py",
        "tests/unit/application/ingestion/test_remembered_failures.py",
        "tests/unit/application/ingestion/test_full_disks.py",
        "tests/unit/adapters/filesystem",
    ),
)
SHELF: Final = Suite("library", ("tests/integration/sqlite/test_media_library.py",))
FINDINGS: Final = Suite(
    "findings",
    (
        "tests/unit/application/test_sweeps.py",
        "tests/unit/application/test_proxy_deletions.py",
        "tests/integration/sqlite/test_proxy_sweeps.py",
        "tests/integration/postgres/test_repeated_requests.py",
    ),
)

SETTLEMENT: Final = "application/ingestion/settlement.py"
INVENTORY: Final = "application/ingestion/inventory.py"
CHANGES: Final = "adapters/sql/media_changes.py"
DELETIONS: Final = "application/proxy_deletions.py"


def of_the_crawl(name: str, path: str, original: str, broken: str, noticed_by: str) -> Mutant:
    """A mutant that the tests of the crawl must notice."""
    return Mutant(name=name, suite=CRAWL, path=path, original=original, broken=broken, noticed_by=noticed_by)


def of_the_library(name: str, path: str, original: str, broken: str, noticed_by: str) -> Mutant:
    """A mutant that the contract of the library must notice."""
    return Mutant(name=name, suite=SHELF, path=path, original=original, broken=broken, noticed_by=noticed_by)


def of_findings(name: str, path: str, original: str, broken: str, noticed_by: str) -> Mutant:
    """A mutant that the tests around the findings of sweeps must notice."""
    return Mutant(
        name=name, suite=FINDINGS, path=path, original=original, broken=broken, noticed_by=noticed_by
    )


MUTANTS: Final = (
    of_the_crawl(
        "root that may become another one",
        SETTLEMENT,
        "if await self._tree.mark(self._visit.folder.root) != root:",
        "if await self._tree.mark(self._visit.folder.root) == 0:",
        "root_that_vanishes",
    ),
    of_the_crawl(
        "files below barred folders that go",
        SETTLEMENT,
        "unmet = [asset for asset in inventory.unmet if not inventory.is_barred(asset.path)]",
        "unmet = list(inventory.unmet)",
        "below_a_folder_that_cannot_be_listed",
    ),
    of_the_crawl(
        "no second look at what was not met",
        SETTLEMENT,
        "gone = [asset for asset in unmet if asset.path in absent]",
        "gone = unmet",
        "walk_missed",
    ),
    of_the_crawl(
        "removals that nobody accepted",
        SETTLEMENT,
        "if is_suspicious(len(missing), of_live=live):",
        "if not missing and live < 0:",
        "if_more_go",
    ),
    of_the_crawl(
        "empty roots that are believed",
        SETTLEMENT,
        "if missing and not found:",
        "if missing and found < 0:",
        "root_that_is_empty_now",
    ),
    of_the_crawl(
        "moved assets that are missing as well",
        SETTLEMENT,
        "missing = tuple(asset for asset in gone if asset.id not in movers)",
        "missing = tuple(gone)",
        "renamed_file_keeps_its_id",
    ),
    of_the_crawl(
        "broken files that are tried on every crawl",
        INVENTORY,
        "elif file.failed is not None and not verify and file.failed.spares(found):",
        "elif file.failed is not None and verify and file.failed.spares(found):",
        "remembered_and_not_read_again",
    ),
    of_the_crawl(
        "young files that do not wait",
        INVENTORY,
        "return abs(now_us - found.signature.mtime_ns // 1_000) * MICROSECOND < self._settle_for",
        "return False",
        "young_file_waits",
    ),
    of_the_crawl(
        "rows before their files",
        "application/ingestion/store_asset.py",
        "proxies = await self._proxies.write(shard(config, identified.content), record.rendered.proxies)",
        """folder = shard(config, identified.content)
        from domain.media.proxy import proxy_file
        proxies = tuple(proxy_file(folder, image) for image in record.rendered.proxies)
        import asyncio
        asyncio.get_running_loop().call_later(
            0.2, lambda: asyncio.ensure_future(self._proxies.write(folder, record.rendered.proxies))
        )""",
        "disk_that_fills_up",
    ),
    of_the_crawl(
        "walk in the order of folders",
        "adapters/filesystem/walk.py",
        "end = bisect_left(files, other, start, key=PATH)",
        "end = len(files)",
        "order_of_paths",
    ),
    of_the_library(
        "vanishing without a look at the row",
        CHANGES,
        "VANISH: Final = sa.update(media_assets).where(AS_READ).values(is_soft_deleted=True)",
        'VANISH: Final = sa.update(media_assets).where(ASSETS.id == sa.bindparam("asset")).values(is_soft_deleted=True)',
        "left_alone",
    ),
    of_the_library(
        "dates that follow every name",
        CHANGES,
        '.where(ASSETS.id == sa.bindparam("asset"), ASSETS.date_source.is_(None) | ASSETS.date_source.in_(BY_NAME))',
        '.where(ASSETS.id == sa.bindparam("asset"))',
        "move_keeps_everything",
    ),
    of_findings(
        "findings of lost attempts that show",
        "adapters/sql/sweep_findings.py",
        "return (TABLE.work_item_id == run.work_item_id) & (TABLE.attempt == run.attempt)",
        "return TABLE.work_item_id == run.work_item_id",
        "another_attempt_has_found",
    ),
    of_findings(
        "proxies told once for each copy",
        "adapters/sql/known_proxies.py",
        "sa.select(PROXIES.path).distinct().order_by(PROXIES.path)",
        "sa.select(PROXIES.path).order_by(PROXIES.path)",
        "copies_share",
    ),
    of_findings(
        "old keys that count after all",
        "adapters/sql/request_keys.py",
        ".where(_is(key), sa.not_(forgotten))",
        ".where(_is(key))",
        "forgot_it_first_was_rolled_back",
    ),
    of_findings(
        "cancelled sweeps that show half a page",
        "application/sweeps.py",
        "case Succeeded() | Cancelled(left=PartialResult()):",
        "case Succeeded() | Cancelled():",
        "failed_when_it_was_to_stop",
    ),
    of_findings(
        "deletions that nobody serves",
        DELETIONS,
        "owners_of[owner if owner in active else None]",
        "owners_of[owner]",
        "one_item_for_each_active_owner",
    ),
    of_findings(
        "all of them, however many there are by now",
        DELETIONS,
        "if there != seen:",
        "if there < 0:",
        "saw_another_number",
    ),
)
