"""One cleaning for every text on its way to a store (R28)."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.failure import Failure
from domain.text import clean_text, is_storable, one_line

BIDIRECTIONAL = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
MARK = "\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("", ""),
        ("4 of 8 files", "4 of 8 files"),
        ("line one\nline two\tend", "line one\nline two\tend"),
        ("東京 Ünïcødé \N{CAMERA}", "東京 Ünïcødé \N{CAMERA}"),
        ("a\0b", f"a{MARK}b"),
        ("a\ud800b\udfff", f"a{MARK}b{MARK}"),
        ("a\rb\x1b[31mred\x7f", f"a{MARK}b{MARK}[31mred{MARK}"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe", f"{MARK}gnp.exe"),
        ("\N{ZERO WIDTH SPACE}\N{BYTE ORDER MARK}", MARK * 2),
        ("\x85\x9b", MARK * 2),
        ("\ue000\U0010ffff", MARK * 2),
        ("a\N{LINE SEPARATOR}b\N{PARAGRAPH SEPARATOR}c", f"a{MARK}b{MARK}c"),
        ("a\vb\fc\x1cd\x1de\x1ef\x85g", f"a{MARK}b{MARK}c{MARK}d{MARK}e{MARK}f{MARK}g"),
        *((character, MARK) for character in BIDIRECTIONAL),
    ],
)
def test_what_no_store_or_terminal_should_see_is_marked(text: str, cleaned: str) -> None:
    assert clean_text(text, longest=200) == cleaned


def test_where_one_line_is_wanted_newlines_and_tabs_are_spaces() -> None:
    assert one_line("a\nb\tc\u2028d", longest=200) == f"a b c{MARK}d"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [("abcde", "abcde"), ("abcdef", "abcd…"), ("abcdefghij", "abcd…"), ("abcd\0", "abcd\ufffd")],
)
def test_a_text_that_is_too_long_ends_in_an_ellipsis(text: str, cleaned: str) -> None:
    assert clean_text(text, longest=5) == cleaned


def test_ten_megabytes_of_error_cost_no_more_than_their_beginning() -> None:
    assert clean_text("x" * 10_000_000, longest=4_000) == "x" * 3_999 + "…"


@given(st.text(st.characters(), max_size=40), st.integers(1, 30))
def test_a_clean_text_is_short_storable_and_stays_as_it_is(text: str, longest: int) -> None:
    cleaned = clean_text(text, longest=longest)

    assert len(cleaned) <= longest
    assert is_storable(cleaned)
    assert cleaned.encode("utf-8").decode("utf-8") == cleaned
    assert clean_text(cleaned, longest=longest) == cleaned
    assert cleaned.splitlines() == cleaned.removesuffix("\n").split("\n" if cleaned else None)
    assert all(
        character in "\n\t" or not unicodedata.category(character).startswith("C") for character in cleaned
    )


def test_a_failure_is_bounded_whatever_it_was_told() -> None:
    failure = Failure.bounded("c\0de" * 100, "x\0" * 3_000)

    assert (len(failure.code), len(failure.text)) == (64, 4_000)
    assert failure.code.startswith(f"c{MARK}de")
    assert failure.text.endswith("…")
