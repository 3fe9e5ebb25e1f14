"""The addresses that problems are named by: a short page for people, without scripts, styles or pictures."""

from typing import Final

from litestar import Controller, MediaType, Response, get
from litestar.params import FromPath

from adapters.web.problem_types import NOT_FOUND, PROBLEM_TYPES, ProblemType
from adapters.web.problems import Problem, ProblemError

PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>{title} ({status})</title>
<h1>{title}</h1>
<p>HTTP status {status}, problem type <code>{reference}</code>.</p>
<p>{advice}</p>
</html>
"""


class ProblemPagesController(Controller):
    """Explains each type of problem."""

    path = "/problems"
    include_in_schema = False

    @get("/{slug:str}", media_type=MediaType.HTML)
    async def page(self, slug: FromPath[str]) -> Response[str]:
        """What the problem of this name means, and what to do about it."""
        type_ = PROBLEM_TYPES.get(slug)
        if type_ is None:
            raise ProblemError(Problem(NOT_FOUND, "No problem has this name."))
        return Response(_page(type_), media_type=MediaType.HTML)


def _page(type_: ProblemType) -> str:
    return PAGE.format(title=type_.title, status=type_.status, reference=type_.reference, advice=type_.advice)
