"""Which findings of a proxy sweep a request asks for, checked."""

from dataclasses import dataclass
from typing import Final

from adapters.web.parameters import (
    LIMIT,
    Pairs,
    Values,
    echo,
    grouped,
    limit_faults,
    limit_of,
    misnamed,
    refuse,
)
from adapters.web.problem_types import INVALID_CURSOR, SWEEP_NOT_FOUND
from adapters.web.problems import FaultView, Problem, ProblemError
from adapters.web.requests import UUID_TEXT, work_item_id
from adapters.web.views.findings import finding_cursor_from
from adapters.web.views.opaque import InvalidCursor
from domain.ids import WorkItemId
from domain.media.proxy_finding import FindingKind, FindingNumber

WHAT: Final = "what"
CURSOR: Final = "cursor"
FINDINGS_PARAMETERS: Final = (WHAT, LIMIT, CURSOR)

BAD_CURSOR: Final = Problem(
    INVALID_CURSOR,
    "The cursor is not one of this sweep's findings with this filter.",
    {"errors": [FaultView(parameter=CURSOR, detail="Not a cursor of this list.")]},
)
NO_SUCH_SWEEP: Final = Problem(SWEEP_NOT_FOUND, "No proxy sweep has this id.")


@dataclass(frozen=True, slots=True)
class FindingsRequest:
    """Which findings of which sweep, how many at most, and beyond which."""

    sweep: WorkItemId
    kinds: frozenset[FindingKind]
    limit: int
    after: FindingNumber


def findings_request(item_id: str, pairs: Pairs) -> FindingsRequest:
    """What is asked for. Ends the request where a parameter is unknown, doubled or not allowed."""
    values = grouped(pairs)
    faults = misnamed(values, FINDINGS_PARAMETERS, once=(LIMIT, CURSOR))
    refuse([*faults, *_unknown_kinds(values), *limit_faults(values)])
    if UUID_TEXT.fullmatch(item_id) is None:
        raise ProblemError(NO_SUCH_SWEEP)
    sweep = work_item_id(item_id)
    kinds = frozenset(map(FindingKind, values.get(WHAT, FindingKind)))
    return FindingsRequest(sweep, kinds, limit_of(values), _after(values, sweep, kinds))


def _unknown_kinds(values: Values) -> list[FaultView]:
    allowed = list(FindingKind)
    unknown = (what for what in values.get(WHAT, []) if what not in allowed)
    return [
        FaultView(parameter=WHAT, detail=f"Unknown {echo(what)!r}. Allowed: {', '.join(allowed)}.")
        for what in unknown
    ]


def _after(values: Values, sweep: WorkItemId, kinds: frozenset[FindingKind]) -> FindingNumber:
    if CURSOR not in values:
        return FindingNumber(0)
    last = finding_cursor_from(values[CURSOR][0], sweep, kinds)
    if isinstance(last, InvalidCursor):
        raise ProblemError(BAD_CURSOR)
    return last
