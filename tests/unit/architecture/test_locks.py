"""The locks pin every file by its hash and say nothing of where it comes from."""

import re

import pytest
from packaging.requirements import Requirement

from tests.unit.architecture.seeded import ROOT, project_rules

LOCKS = ("runtime", "video", "build", "dev")
PINNED = re.compile(
    r"^(?P<name>[a-z0-9-]+)(\[[a-z,]+\])?==(?P<version>\S+)(?P<rest>.*(\n    .*)*)", re.MULTILINE
)
ADDRESS = re.compile(
    r"https?:|file:|git\+|--index|--extra-index|--find-links|--trusted-host| @ ", re.IGNORECASE
)


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_address(lock: str) -> None:
    assert ADDRESS.findall(lock_text(lock)) == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_a_hash_for_each_pin(lock: str) -> None:
    pins = list(PINNED.finditer(lock_text(lock)))

    assert pins
    assert [pin["name"] for pin in pins if "--hash=sha256:" not in pin["rest"]] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_only_pins(lock: str) -> None:
    requirements = re.findall(r"^[^\s#].*", lock_text(lock), re.MULTILINE)

    assert [line for line in requirements if not PINNED.match(line)] == []


def test_the_locks_agree_with_each_other() -> None:
    versions: dict[str, set[str]] = {}
    for lock in LOCKS:
        for name, version in pinned(lock).items():
            versions.setdefault(name, set()).add(version)

    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


def test_the_locks_satisfy_what_the_project_asks_for() -> None:
    rules = project_rules()
    asked = {
        "runtime": rules["project"]["dependencies"],
        "video": rules["project"]["optional-dependencies"]["video"],
        "build": rules["dependency-groups"]["build"],
        "dev": rules["dependency-groups"]["dev"],
    }

    unsatisfied = [
        text for lock, texts in asked.items() for text in texts if not satisfied(Requirement(text), lock)
    ]

    assert unsatisfied == []


def lock_text(lock: str) -> str:
    return (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")


def pinned(lock: str) -> dict[str, str]:
    return {pin["name"]: pin["version"] for pin in PINNED.finditer(lock_text(lock))}


def satisfied(wanted: Requirement, lock: str) -> bool:
    version = pinned(lock).get(wanted.name.lower())
    return version is not None and wanted.specifier.contains(version)
