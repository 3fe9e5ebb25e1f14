"""The parameters of a request by their names: one that is not known, or is there twice, is a fault of the request."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from adapters.web.problem_types import INVALID_PARAMETER
from adapters.web.problems import FaultView, Problem, ProblemError
from domain.text import clean_text

LARGEST_ECHO: Final = 60
LIMIT: Final = "limit"
DEFAULT_LIMIT: Final = 50
LARGEST_LIMIT: Final = 200

COUNT_TEXT: Final = re.compile(r"[0-9]{1,4}")

Pairs = Iterable[tuple[str, str]]
Values = Mapping[str, list[str]]


def grouped(pairs: Pairs) -> Values:
    """The values of each parameter, in the order of their first ones."""
    values: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in pairs:
        values[name].append(value)
    return dict(values)


def misnamed(values: Values, allowed: Collection[str], *, once: Iterable[str]) -> list[FaultView]:
    """What is wrong with the parameters, whatever their values are."""
    told = f"Allowed: {', '.join(allowed)}." if allowed else "This address takes none."
    unknown = (name for name in values if name not in allowed)
    doubled = (name for name in once if len(values.get(name, [])) > 1)
    return [
        *(FaultView(parameter=echo(name), detail=f"Unknown parameter. {told}") for name in unknown),
        *(FaultView(parameter=name, detail="Allowed only once.") for name in doubled),
    ]


def limit_faults(values: Values) -> list[FaultView]:
    """What is wrong with the `limit` of a list."""
    if all(map(_is_limit, values.get(LIMIT, []))):
        return []
    return [FaultView(parameter=LIMIT, detail=f"Must be a whole number from 1 to {LARGEST_LIMIT}.")]


def limit_of(values: Values) -> int:
    """How many are wanted at most, of a list whose `limit` is in order."""
    return int(values[LIMIT][0]) if LIMIT in values else DEFAULT_LIMIT


def refuse(faults: list[FaultView]) -> None:
    """Ends the request where there are faults, and names all of them."""
    if faults:
        detail = "The request has parameters that are not allowed."
        raise ProblemError(Problem(INVALID_PARAMETER, detail, {"errors": faults}))


def echo(text: str) -> str:
    """So much of what a client sent as can do no harm in an answer."""
    return clean_text(text, longest=LARGEST_ECHO)


def _is_limit(text: str) -> bool:
    return COUNT_TEXT.fullmatch(text) is not None and 1 <= int(text) <= LARGEST_LIMIT
