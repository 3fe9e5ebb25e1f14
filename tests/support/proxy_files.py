"""A proxies folder with files of any age, and a file system that changes, or refuses, at the worst moment."""

import os
from collections.abc import Callable, Collection
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from domain.media.proxy_path import ProxyPath, proxy_path
from tests.support.clock import START
from tests.support.photos import written

HOUR: Final = timedelta(hours=1)

CONFIG: Final = "0191d3a0-7c5e-7d2f-9d51-9bb1a1a0c0de"
SHARD: Final = f"ab/{CONFIG}-ab{'0' * 62}"
OTHER_SHARD: Final = f"ab/{CONFIG}-ab{'1' * 62}"
PREVIEW: Final = f"{SHARD}/preview.jpg"
THUMBNAIL: Final = f"{SHARD}/thumbnail.jpg"
LEFTOVER: Final = f"{SHARD}/.preview.jpg.4711-0badcafe.tmp"
OTHER_PREVIEW: Final = f"{OTHER_SHARD}/preview.jpg"


def a_file(root: Path, path: str, *, size: int = 7, age: timedelta = 2 * HOUR) -> Path:
    """A file of this age by the clock of the tests."""
    file = written(root / path, b"x" * size)
    moment = (START - age).timestamp()
    os.utime(file, (moment, moment))
    return file


def named(path: str) -> ProxyPath:
    """The path; asserts that it is a proxy's."""
    proxy = proxy_path(path)
    assert isinstance(proxy, ProxyPath)
    return proxy


def files_below(root: Path) -> set[str]:
    """Everything that is no folder, links too."""
    return {str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir()}


def right_before(
    monkeypatch: pytest.MonkeyPatch, call: str, name: str, happens: Callable[[], object]
) -> None:
    """Let it happen once, right before the system is asked to do this with this name."""
    real = getattr(os, call)
    left = [happens]

    def hooked(path: Any, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 -- as the system's own
        if path == name and left:
            left.pop()()
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, call, hooked)


def refusing(monkeypatch: pytest.MonkeyPatch, call: str, names: Collection[str], number: int) -> None:
    """Let the system refuse to do this with these names; its error names a path, as real ones do."""
    real = getattr(os, call)

    def hooked(path: Any, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 -- as the system's own
        if path in names:
            raise OSError(number, os.strerror(number), f"/secret/{path}")
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, call, hooked)
