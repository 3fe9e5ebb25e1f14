"""What came of requests about proxy sweeps, as status and body."""

from collections.abc import Mapping
from typing import Any, Final, assert_never

from litestar import Response

from adapters.web.answers import location, next_page
from adapters.web.findings_request import NO_SUCH_SWEEP, WHAT, FindingsRequest
from adapters.web.idempotency import IDEMPOTENCY_KEY
from adapters.web.problem_types import IDEMPOTENCY_KEY_REUSED, INVALID_SELECTION, SWEEP_NOT_FINISHED
from adapters.web.problems import FaultView, Problem, ProblemError
from adapters.web.views.findings import FindingsPageView, finding_cursor_text, finding_view
from adapters.web.views.proxy_deletions import DeletionsView
from adapters.web.views.work_items import Limits, work_item_view
from application.ports.request_keys import KeyMisused
from application.proxy_deletions import (
    ChoiceRefused,
    DeletionAnswer,
    DeletionsAccepted,
    DeletionsAskedBefore,
    NothingToChoose,
)
from application.sweeps import FindingsPage, SweepUnfinished, SweepUnknown
from domain.media.proxy_finding import FindingKind
from domain.outlook import Outlook

SWEEP_CHOSEN_AT: Final = "/sweepId"

UNFINISHED: Final = Problem(SWEEP_NOT_FINISHED, "The sweep has not finished.")
KEY_REUSED: Final = Problem(
    IDEMPOTENCY_KEY_REUSED,
    "Something else was asked for with this key.",
    {"errors": [FaultView(parameter=IDEMPOTENCY_KEY, detail="Take another key for another request.")]},
)


def findings_answer(
    answer: FindingsPage | SweepUnknown | SweepUnfinished, asked: FindingsRequest
) -> Response[FindingsPageView]:
    """The findings, and the way to the next ones in the body and as a link."""
    match answer:
        case FindingsPage(findings=findings, next=last):
            cursor = None if last is None else finding_cursor_text(last, asked.sweep, asked.kinds)
            view = FindingsPageView(
                items=tuple(map(finding_view, findings)),
                next_cursor=cursor,
                partial=answer.is_partial,
                status=answer.sweep.status.value,
            )
            return Response(view, headers=next_page(_pairs(asked), asked.limit, cursor))
        case SweepUnknown():
            raise ProblemError(NO_SUCH_SWEEP)
        case SweepUnfinished():
            raise ProblemError(UNFINISHED)
        case _:
            assert_never(answer)


def deletion_answer(
    answer: DeletionAnswer, limits: Limits, outlook: Outlook, *, asked_at: Mapping[str, Any], chosen_at: str
) -> Response[DeletionsView]:
    """New items, and where the first is; or those of the first time. `chosen_at` points at the choice in the body."""
    match answer:
        case DeletionsAccepted(items=items) | DeletionsAskedBefore(items=items):
            view = DeletionsView(items=tuple(work_item_view(item, limits, outlook) for item in items))
            if isinstance(answer, DeletionsAskedBefore):
                return Response(view, status_code=200)
            # Those of a config that goes at this very moment go with it.
            headers = location(items[0], asked_at) if items else {}
            return Response(view, status_code=202, headers=headers)
        case NothingToChoose(why=why):
            raise ProblemError(_not_deletable(why, SWEEP_CHOSEN_AT))
        case ChoiceRefused(why=why):
            raise ProblemError(_not_deletable(why, chosen_at))
        case SweepUnknown():
            raise ProblemError(NO_SUCH_SWEEP)
        case SweepUnfinished():
            raise ProblemError(UNFINISHED)
        case KeyMisused():
            raise ProblemError(KEY_REUSED)
        case _:
            assert_never(answer)


def _not_deletable(why: str, chosen_at: str) -> Problem:
    return Problem(INVALID_SELECTION, why, {"errors": [FaultView(pointer=chosen_at, detail=why)]})


def _pairs(asked: FindingsRequest) -> list[tuple[str, str]]:
    return [] if asked.kinds == set(FindingKind) else [(WHAT, kind) for kind in sorted(asked.kinds)]
