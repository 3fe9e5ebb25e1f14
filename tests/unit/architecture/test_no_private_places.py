"""Nothing that is published names a package registry or a place on somebody's machine."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from tests.unit.architecture.seeded import ROOT

NOT_PUBLISHED = {".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "__pycache__"}
# Put together here, so that this file names none either.
REGISTRIES = (
    ("pypi", "org"),
    ("python" + "hosted", "org"),
    ("npmjs", "(org|com)"),
    ("crates", "io"),
    ("docker", "io"),
    ("ghcr", "io"),
    ("debian", "org"),
)
REGISTRY = re.compile("|".join(rf"{name}\.{domain}" for name, domain in REGISTRIES))
MACHINE_PATH = re.compile(r"/root[/]|/work[/]|/opt[/](wheels|pypi)|file:[/]{3}")


def test_no_file_names_a_registry_or_a_machine_path() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in published()
        for pattern in (REGISTRY, MACHINE_PATH)
        if (match := pattern.search(path.read_text(encoding="utf-8", errors="ignore")))
    ]

    assert found == []


def test_the_search_would_find_one() -> None:
    assert REGISTRY.search("https://" + "pypi" + ".org/simple")
    assert MACHINE_PATH.search("/" + "root/.cache")


def published() -> Iterator[Path]:
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in NOT_PUBLISHED]
        yield from (Path(folder, name) for name in files if name not in NOT_PUBLISHED)
