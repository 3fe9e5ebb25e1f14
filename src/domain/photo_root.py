"""The folders that are somebody's photo library: absolute, and none inside another (S-40)."""

from collections.abc import Iterable
from dataclasses import dataclass

from domain.text import is_storable

LONGEST_PATH_BYTES = 4096
"""The longest that an operating system takes."""


@dataclass(frozen=True, slots=True)
class RootBounds:
    """Where the photo folders of an install lie: beneath one folder, and apart from another; None where any will do."""

    beneath: str | None = None
    apart_from: str | None = None


ANYWHERE = RootBounds()


def admitted_root(root_path: str, *, beside: Iterable[str]) -> str:
    """The path as it is kept, in the one way of writing it that can be compared.

    Raises `ValueError`, with a text that names no folder, for one that is not absolute, climbs by `..`,
    or is, holds or lies within one of the roots that it would stand `beside`.
    """
    root = _plain(root_path)
    if any(overlap(root, other) for other in beside):
        raise ValueError("another photo folder is this one, lies within it, or holds it")
    return root


def bounded_root(root_path: str, bounds: RootBounds) -> str:
    """The path as it is kept. Raises `ValueError`, with a text that names no folder, for one out of bounds."""
    root = _plain(root_path)
    if bounds.beneath is not None and not _is_within(root, bounds.beneath):
        raise ValueError("a photo folder must lie below the folder that workers read")
    if bounds.apart_from is not None and overlap(root, bounds.apart_from):
        raise ValueError("a photo folder and the folder of proxies may not hold one another")
    return root


def overlap(one: str, other: str) -> bool:
    """Whether two roots, as they are kept, are one, or one holds the other."""
    return _is_within(one, other) or _is_within(other, one)


def _plain(path: str) -> str:
    if not is_storable(path):
        raise ValueError("the path of a photo folder must be text in UTF-8")
    if not path.startswith("/"):
        raise ValueError("the path of a photo folder must be absolute")
    if len(path.encode()) > LONGEST_PATH_BYTES:
        raise ValueError(f"the path of a photo folder must be at most {LONGEST_PATH_BYTES} bytes long")
    names = [name for name in path.split("/") if name not in {"", "."}]
    if ".." in names:
        raise ValueError("the path of a photo folder must not climb: it holds '..'")
    return "/" + "/".join(names)


def _is_within(inner: str, outer: str) -> bool:
    return f"{inner.rstrip('/')}/".startswith(f"{outer.rstrip('/')}/")
