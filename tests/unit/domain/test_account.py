import pytest

from domain.account import lookup_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "aDA"),
        ("ÉLODIE", "élodie"),
        ("\u00e9lodie", "e\u0301lodie"),
        ("Straße", "STRASSE"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("\N{FULLWIDTH LATIN CAPITAL LETTER A}da", "ada"),
    ],
)
def test_capitals_and_encodings_are_set_aside(one: str, other: str) -> None:
    assert lookup_key(one) == lookup_key(other)


@pytest.mark.parametrize(("one", "other"), [("elodie", "élodie"), ("ada", "ada "), ("ada", "adam")])
def test_different_names_stay_different(one: str, other: str) -> None:
    assert lookup_key(one) != lookup_key(other)


def test_a_key_is_its_own_key() -> None:
    assert lookup_key("İstanbul") == lookup_key(lookup_key("İstanbul"))
