"""Every wall between the rooms holds, and each is shown falling when somebody breaks it."""

from pathlib import Path

import pytest

from tests.unit.architecture.seeded import contract_names, copy_sources

# The contract that must break, the module that breaks it, and the line that does.
VIOLATIONS = (
    ("rooms", "domain.stray", "import application.ports.clock"),
    ("rooms", "application.ports.stray", "import adapters"),
    ("rooms", "adapters.memory.stray", "import entrypoints"),
    ("domain", "domain.stray", "import logging"),
    ("domain", "domain.stray", "from time import monotonic"),
    ("domain", "domain.kinds.stray", "import sqlalchemy.sql"),
    ("application", "application.ports.stray", "import msgspec"),
    ("application", "application.ports.stray", "from threading import Thread"),
    ("no-container-in-adapters", "adapters.web.stray", "from dependency_injector.wiring import inject"),
    ("adapters", "adapters.memory.stray", "import adapters.sql.tables"),
    ("adapters", "adapters.web.stray", "import adapters.codec"),
    ("inbox", "application.ports.stray", "import application.ports.inbox"),
    ("inbox", "adapters.web.stray", "from application.ports.inbox import WorkInbox"),
    ("claims", "application.ports.stray", "import application.ports.claims"),
    ("leases", "application.ports.stray", "import application.ports.leases"),
    ("expired", "application.ports.stray", "import application.ports.expired"),
    ("cancels", "adapters.web.stray", "import application.ports.cancels"),
    ("purge", "application.ports.stray", "import application.ports.purge"),
    ("work-store", "adapters.codec.stray", "import application.ports.work_store"),
    ("kinds", "entrypoints.stray", "import application.handlers.crawl"),
    ("kinds", "adapters.memory.stray", "import application.schedules.crawl"),
    ("api", "adapters.web.stray", "import application.executor"),
    ("api", "entrypoints.wiring.api", "from application.recovery import Recovery"),
    ("api", "adapters.web.stray", "from application.scheduler import Scheduler"),
    ("api", "entrypoints.api", "from application.worker import Worker"),
    ("application-layers", "application.helpers", "import domain.ids"),
    ("application-layers", "application.waiting", "import application.enqueue"),
    ("cycles", "domain.ids", "import domain.work_item"),
    ("cycles", "application.ports.errors", "import application.ports.file_tree"),
    ("cycles", "adapters.codec.documents", "import adapters.codec.payloads"),
    ("cycles", "entrypoints.commands.exits", "import entrypoints.commands.finding"),
)


@pytest.mark.parametrize(("contract", "module", "line"), VIOLATIONS)
def test_a_seeded_violation_breaks_its_contract_and_no_other(
    contract: str, module: str, line: str, tmp_path: Path
) -> None:
    sources = copy_sources(tmp_path)

    sources.append(module, line)

    assert sources.broken_contracts() == {contract}


def test_the_tree_as_it_stands_keeps_every_contract(tmp_path: Path) -> None:
    assert copy_sources(tmp_path).broken_contracts() == frozenset()


def test_every_contract_is_shown_broken() -> None:
    assert {contract for contract, _, _ in VIOLATIONS} == set(contract_names().values())
