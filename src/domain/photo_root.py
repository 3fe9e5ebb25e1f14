"""The folders that are somebody's photo library: absolute, and none inside another (S-40)."""

from collections.abc import Iterable

from domain.text import is_storable


def admitted_root(root_path: str, *, beside: Iterable[str]) -> str:
    """The path as it is kept, in the one way of writing it that can be compared.

    Raises `ValueError`, with a text that names no folder, for one that is not absolute, climbs by `..`,
    or is, holds or lies within one of the roots that it would stand `beside`.
    """
    root = _plain(root_path)
    if any(_overlap(root, other) for other in beside):
        raise ValueError("another photo folder is this one, lies within it, or holds it")
    return root


def _plain(path: str) -> str:
    if not is_storable(path):
        raise ValueError("the path of a photo folder must be text in UTF-8")
    if not path.startswith("/"):
        raise ValueError("the path of a photo folder must be absolute")
    names = [name for name in path.split("/") if name not in {"", "."}]
    if ".." in names:
        raise ValueError("the path of a photo folder must not climb: it holds '..'")
    return "/" + "/".join(names)


def _overlap(one: str, other: str) -> bool:
    inside_one, inside_other = (f"{path.rstrip('/')}/" for path in (one, other))
    return inside_one.startswith(inside_other) or inside_other.startswith(inside_one)
