"""What the containers make of settings."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from dependency_injector import providers

from adapters.sql.postgres_store import PostgresWorkStore
from adapters.sql.sqlite_store import SqliteWorkStore
from application.registry import RegistryError
from application.worker_options import WorkerOptions
from domain.kinds.kind import WorkKind
from entrypoints.settings.loading import load
from entrypoints.settings.stores import PostgresServer, SqliteFile, StoreLocation
from entrypoints.wiring.kinds import Kinds
from entrypoints.wiring.stores import Stores, url_of
from entrypoints.wiring.worker import WorkerParts, opened


def parts(data: Path, **environ: str) -> WorkerParts:
    """The parts of a worker with these settings."""
    return WorkerParts(
        settings=load({"ANICHRON_DATA": str(data), **environ}).settings, once=True, max_items=7
    )


def test_a_worker_is_paced_by_its_settings(tmp_path: Path) -> None:
    made = parts(
        tmp_path,
        WORKER__POLL_SECONDS="1",
        WORKER__HEARTBEAT_SECONDS="0.5",
        WORKER__LEASE_SECONDS="30",
        WORKER__STALL_LIMIT="5",
        WORKER__SLOTS="2",
        WORKER__SHUTDOWN_GRACE_SECONDS="4",
    ).options()

    assert made == WorkerOptions(
        poll=timedelta(seconds=1),
        heartbeat=timedelta(seconds=0.5),
        lease=timedelta(seconds=30),
        stall_limit=5,
        slots=2,
        grace=timedelta(seconds=4),
        once=True,
        max_items=7,
    )


def test_every_kind_is_registered_and_the_periodic_ones_are_scheduled(tmp_path: Path) -> None:
    registry = parts(tmp_path).registry()

    assert registry.kinds == {kind.row_name for kind in WorkKind}
    assert len(registry.schedules) == 3


def test_a_kind_that_is_forgotten_stops_the_start_and_is_named(tmp_path: Path) -> None:
    incomplete = parts(tmp_path)
    without_crawl = Kinds(settings=incomplete.settings(), stores=incomplete.stores)
    incomplete.registry.override(
        providers.Factory(
            type(without_crawl.registry()),
            providers.List(without_crawl.token_cleanup, without_crawl.work_item_retention),
        )
    )

    with pytest.raises(RegistryError, match="crawl: no payload and handler registered"):
        asyncio.run(opened(incomplete))

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("location", "store"),
    [
        (SqliteFile(Path("/tmp/anichron-never-made.db")), SqliteWorkStore),  # noqa: S108 -- never opened
        (PostgresServer("postgresql+psycopg://127.0.0.1:1/photos"), PostgresWorkStore),
    ],
    ids=["sqlite", "postgres"],
)
def test_the_settings_pick_the_store(location: StoreLocation, store: type) -> None:
    stores = Stores(location=location, name="test")

    assert isinstance(stores.work(), store)
    assert stores.work() is stores.work()


def test_heartbeats_have_a_store_of_their_own() -> None:
    stores = Stores(location=PostgresServer("postgresql+psycopg://127.0.0.1:1/photos"), name="test")

    assert stores.leases() is not stores.work()


def test_what_handlers_use_outlasts_an_outage_as_long_as_a_lease(tmp_path: Path) -> None:
    stores = parts(tmp_path, WORKER__LEASE_SECONDS="30").stores

    patient = [
        stores.library(),
        stores.live_photos(),
        stores.failures(),
        stores.refresh_tokens(),
        stores.past_failures(),
        stores.crawled_configs(),
        stores.finished_work(),
    ]

    assert [store._database._outage for store in patient] == [timedelta(seconds=30)] * 7
    assert stores.database()._outage == timedelta(0)


@pytest.mark.parametrize("name", ["a b?c#d%20.db", "ü.db"])
def test_a_file_may_have_any_name(name: str, tmp_path: Path) -> None:
    location = SqliteFile(tmp_path / name)

    stores = Stores(location=location, name="test")

    assert str(stores.database()._engine.url.database) == str(tmp_path / name)
    assert url_of(location).startswith("sqlite:///")
