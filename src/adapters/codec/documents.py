"""JSON documents within bounds that every store and every reader of JSON can keep (R28)."""

import math
from typing import Any, Final

import msgspec

from application.ports.errors import CodecError
from domain.ids import JsonText
from domain.progress import LARGEST_COUNT
from domain.text import clean_text

DEEPEST: Final = 32
Tree = Any
"""What JSON can say, as plain values."""


def encoded(tree: Tree, *, what: str, largest_bytes: int) -> JsonText:
    """The tree as text: its texts cleaned, no larger and no deeper than allowed."""
    document = msgspec.json.encode(_bounded(tree, what, cleaning=largest_bytes))
    if len(document) > largest_bytes:
        raise CodecError(f"The {what} is larger than {largest_bytes // 1024} KiB.")
    return JsonText(document.decode())


def decoded(document: JsonText, *, what: str, largest_bytes: int) -> Tree:
    """The tree that a text holds."""
    try:
        content = document.encode()
        if len(content) > largest_bytes:
            raise CodecError(f"The {what} is larger than {largest_bytes // 1024} KiB.")
        return _bounded(msgspec.json.decode(content), what)
    except RecursionError:
        raise _too_deep(what) from None
    except (msgspec.DecodeError, UnicodeError):
        # msgspec's own words can repeat what stands in the document.
        raise CodecError(f"The {what} is not JSON.") from None


def _bounded(tree: Tree, what: str, *, depth: int = 1, cleaning: int | None = None) -> Tree:
    """The tree, if all numbers can be kept exact and it is not too deep. `cleaning`: the longest text."""
    match tree:
        case dict() | list() | tuple() if depth > DEEPEST:
            raise _too_deep(what)
        case dict():
            return {
                _bounded(key, what, cleaning=cleaning): _bounded(
                    value, what, depth=depth + 1, cleaning=cleaning
                )
                for key, value in tree.items()
            }
        case list() | tuple():
            return [_bounded(value, what, depth=depth + 1, cleaning=cleaning) for value in tree]
        case str() if cleaning is not None:
            return clean_text(tree, longest=cleaning)
        case bool():
            return tree
        case int() if abs(tree) > LARGEST_COUNT:
            raise CodecError(f"The {what} holds a whole number beyond {LARGEST_COUNT}.")
        case float() if not math.isfinite(tree):
            raise CodecError(f"The {what} holds a number that is not finite.")
        case _:
            return tree


def _too_deep(what: str) -> CodecError:
    return CodecError(f"The {what} is more than {DEEPEST} levels deep.")
