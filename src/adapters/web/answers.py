"""What came of a request, as status and body: one place for each outcome."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, assert_never
from urllib.parse import urlencode

from litestar import Response

from adapters.web.arrival import arrival_of
from adapters.web.openapi.examples import ITEMS_PATH
from adapters.web.problem_types import STORAGE_CONFIG_INACTIVE, WORK_ITEM_FINISHED
from adapters.web.problems import Problem, ProblemError
from adapters.web.requests import BAD_CURSOR, NO_SUCH_CONFIG, NO_SUCH_ITEM, SCHEDULE, ListRequest
from adapters.web.views.instants import instant
from adapters.web.views.page_cursors import cursor_text
from adapters.web.views.work_items import (
    Limits,
    WorkItemDetailView,
    WorkItemPageView,
    WorkItemView,
    work_item_detail_view,
    work_item_view,
)
from application.admin import ItemHistory
from application.asking import Accepted, AskAnswer, InactiveScope, WaitsAlready
from domain.outcomes import (
    AlreadyFinished,
    CancelAnswer,
    CancelledNow,
    CancelRequested,
    UnknownItem,
    UnknownScope,
)
from domain.outlook import Outlook
from domain.page import Page, PlaceLost, Schedule
from domain.work_item import WorkItem

INACTIVE_CONFIG: Final = Problem(
    STORAGE_CONFIG_INACTIVE, "The storage config is not active, so it gets no new work."
)
ENTITY_TAG: Final = re.compile(r'(?:W/)?("[^"]*")')


def page_answer(
    page: Page | PlaceLost, asked: ListRequest, limits: Limits, outlook: Outlook
) -> Response[WorkItemPageView]:
    """The items, and the way to the next ones in the body and as a link."""
    if isinstance(page, PlaceLost):
        raise ProblemError(BAD_CURSOR)
    cursor = None if page.next is None else cursor_text(page.next, asked.which)
    view = WorkItemPageView(
        items=tuple(work_item_view(item, limits, outlook) for item in page.items),
        next_cursor=cursor,
        event_cursor=page.cursor,
        server_time=instant(page.as_of),
    )
    return Response(view, headers=next_page(_pairs(asked), asked.limit, cursor))


def next_page(pairs: Iterable[tuple[str, str]], limit: int, cursor: str | None) -> dict[str, str]:
    """The way to the next page with the same filter, as a header."""
    if cursor is None:
        return {}
    query = urlencode([*pairs, ("limit", str(limit)), ("cursor", cursor)])
    return {"Link": f'<?{query}>; rel="next"'}


def detail_answer(
    answer: ItemHistory | UnknownItem, limits: Limits, outlook: Outlook, *, known: str
) -> Response[WorkItemDetailView | None]:
    """The item, unless `known` names it as it stands: the tags that the client has, if any."""
    match answer:
        case ItemHistory(item=item, attempts=attempts):
            view = work_item_detail_view(item, attempts, limits, outlook)
            headers = {"ETag": _tag(view)}
            if _names(known, headers["ETag"]):
                return Response(None, status_code=304, headers=headers)
            return Response(view, headers=headers)
        case UnknownItem():
            raise ProblemError(NO_SUCH_ITEM)
        case _:
            assert_never(answer)


def asked_answer(
    answer: AskAnswer, limits: Limits, outlook: Outlook, asked_at: Mapping[str, Any]
) -> Response[WorkItemView]:
    """A new item, and where it is; or the one that waits already."""
    match answer:
        case Accepted(item=item):
            headers = location(item, asked_at)
            return Response(work_item_view(item, limits, outlook), status_code=202, headers=headers)
        case WaitsAlready(item=item):
            return Response(work_item_view(item, limits, outlook), status_code=200)
        case UnknownScope():
            raise ProblemError(NO_SUCH_CONFIG)
        case InactiveScope():
            raise ProblemError(INACTIVE_CONFIG)
        case _:
            assert_never(answer)


def location(item: WorkItem, asked_at: Mapping[str, Any]) -> dict[str, str]:
    """Where a new item is, as a header."""
    return {"Location": f"{arrival_of(asked_at).root}{ITEMS_PATH}/{item.id}"}


def cancel_answer(answer: CancelAnswer, limits: Limits) -> Response[WorkItemView]:
    """Done, asked for, or too late: then with the item as it is now."""
    match answer:
        case CancelledNow(item=item):
            return Response(work_item_view(item, limits), status_code=200)
        case CancelRequested(item=item):
            return Response(work_item_view(item, limits), status_code=202)
        case AlreadyFinished(item=item):
            view = work_item_view(item, limits)
            detail = f"It had finished already ({item.status}), so nothing was changed."
            members = {"item": view, "finishedAt": view.finished_at}
            raise ProblemError(Problem(WORK_ITEM_FINISHED, detail, members))
        case UnknownItem():
            raise ProblemError(NO_SUCH_ITEM)
        case _:
            assert_never(answer)


def _pairs(asked: ListRequest) -> list[tuple[str, str]]:
    which = asked.which
    pairs = [("status", status.value) for status in sorted(which.statuses)]
    pairs += [("kind", kind) for kind in sorted(which.kinds)]
    if which.storage_config_id is not None:
        pairs.append(("storageConfigId", str(which.storage_config_id)))
    match which.requested_by:
        case None:
            pass
        case Schedule():
            pairs.append(("requestedBy", SCHEDULE))
        case user:
            pairs.append(("requestedBy", str(user)))
    return pairs


def _tag(view: WorkItemView) -> str:
    """The revision; of a waiting item also what it waits for, which changes without it."""
    reason = "" if view.wait_reason is None else f"-{view.wait_reason}"
    return f'"{view.revision}{reason}"'


def _names(if_none_match: str, tag: str) -> bool:
    return if_none_match.strip() == "*" or tag in ENTITY_TAG.findall(if_none_match)
