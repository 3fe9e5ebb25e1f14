"""The diagram in docs is the transition table's."""

from domain.lifecycle import TRANSITIONS
from tests.support.lifecycle import PAGE, edges, page


def test_the_page_is_what_the_table_makes_of_it() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make lifecycle`"


def test_the_page_shows_every_move() -> None:
    assert len({(edge.source, edge.event) for edge in edges()}) == len(TRANSITIONS)
