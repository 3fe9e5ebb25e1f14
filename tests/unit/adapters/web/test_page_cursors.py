"""Cursors of lists: opaque, exact, and good for one filter alone."""

import pytest

from adapters.web.views.opaque import InvalidCursor
from adapters.web.views.page_cursors import cursor_from, cursor_text
from domain.feed import Epoch
from domain.ids import KindName, StorageConfigId, WorkItemId
from domain.page import EVERYTHING, Filter, PageCursor
from domain.work_item import Status
from tests.support.ids import nth_id

CURSOR = PageCursor(Epoch("0a1b2c3d"), 2**63 - 1, WorkItemId(nth_id(7)))
FAILED = Filter(statuses=frozenset({Status.FAILED}), kinds=frozenset({KindName("crawl")}))


@pytest.mark.parametrize("which", [EVERYTHING, FAILED, Filter(storage_config_id=StorageConfigId(nth_id(2)))])
def test_a_cursor_comes_back_exactly_as_it_was_given(which: Filter) -> None:
    assert cursor_from(cursor_text(CURSOR, which), which) == CURSOR


def test_a_cursor_is_safe_in_an_address() -> None:
    text = cursor_text(CURSOR, FAILED)

    assert text.replace("-", "").replace("_", "").isalnum()


@pytest.mark.parametrize("other", [EVERYTHING, Filter(statuses=frozenset({Status.QUEUED}))])
def test_a_cursor_of_another_filter_is_refused(other: Filter) -> None:
    assert cursor_from(cursor_text(CURSOR, FAILED), other) == InvalidCursor()


@pytest.mark.parametrize("garbage", ["", "x", "%%%", "é", "AAAA", "A" * 500, "\0", "f" * 44])
def test_garbage_is_refused_without_an_exception(garbage: str) -> None:
    assert cursor_from(garbage, EVERYTHING) == InvalidCursor()
