"""The one cleaning function for text on its way to a store (R28)."""

import unicodedata

UNSAFE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control, format (bidirectional marks among them), surrogate, private and unassigned characters, and separators
of lines and paragraphs."""

KEPT_CONTROLS = frozenset({"\n", "\t"})
ELLIPSIS = "…"


def clean_text(text: str, *, longest: int) -> str:
    """`text` as every store, terminal and page can bear it, at most `longest` characters long.

    Nothing in it commands a terminal or turns the reading direction, and only a newline begins another line:
    who must have one line replaces that, and tabs. Each unsafe character becomes U+FFFD, so that a reader sees
    that something stood there; a text that is too long ends in an ellipsis. Cleaning a clean text changes nothing.
    """
    # Text far over the bound is cut first: 10 MB of error must not cost 10 MB of cleaning.
    cut = text[: longest + 1]
    cleaned = "".join(_safe(character) for character in cut)
    if len(cleaned) <= longest:
        return cleaned
    return cleaned[: longest - 1] + ELLIPSIS


def one_line(text: str, *, longest: int) -> str:
    """The same on one line: newlines and tabs become spaces."""
    return clean_text(text, longest=longest).replace("\n", " ").replace("\t", " ")


def is_storable(text: str) -> bool:
    """Whether every store can keep it just as it stands: it holds no NUL and no surrogate."""
    return not any(character == "\0" or "\ud800" <= character <= "\udfff" for character in text)


def _safe(character: str) -> str:
    if character in KEPT_CONTROLS:
        return character
    if unicodedata.category(character) in UNSAFE_CATEGORIES:
        return "\N{REPLACEMENT CHARACTER}"
    return character
