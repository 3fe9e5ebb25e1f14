"""Where a client of the live stream wants to go on."""

import re
from typing import Any, Final

from litestar import Request

from adapters.web.parameters import grouped, misnamed, refuse
from adapters.web.problem_types import INVALID_CURSOR
from adapters.web.problems import FaultView, Problem, ProblemError
from domain.feed import FeedCursor

AFTER: Final = "after"
LAST_EVENT_ID: Final = "last-event-id"
CURSOR_TEXT: Final = re.compile(r"[0-9A-Za-z._-]{1,120}")

BAD_CURSOR: Final = Problem(
    INVALID_CURSOR,
    "The cursor is not one of this stream.",
    {"errors": [FaultView(parameter=AFTER, detail="Neither an eventCursor nor the id of an event.")]},
)


def cursor_of(request: Request[Any, Any, Any]) -> FeedCursor | None:
    """What the client knows already; None where it wants to begin now.

    The header of a client that comes back counts more than its address, which it asks for again unchanged.
    """
    values = grouped(request.query_params.multi_items())
    refuse(misnamed(values, (AFTER,), once=(AFTER,)))
    asked = values.get(AFTER, [])
    known = [text for text in request.headers.getall(LAST_EVENT_ID, []) if text]
    if len(known) > 1 or not all(map(CURSOR_TEXT.fullmatch, [*known, *asked])):
        raise ProblemError(BAD_CURSOR)
    return next(map(FeedCursor, [*known, *asked]), None)
