import pytest

from domain.media.vanish import is_suspicious


@pytest.mark.parametrize(
    ("missing", "live", "suspicious"),
    [
        (0, 0, False),
        (20, 20, False),
        (21, 21, True),
        (21, 209, True),
        (21, 210, False),
        (100, 1_000, False),
        (101, 1_000, True),
    ],
)
def test_more_than_twenty_and_more_than_a_tenth_is_suspicious(
    missing: int, live: int, *, suspicious: bool
) -> None:
    assert is_suspicious(missing, of_live=live) is suspicious
