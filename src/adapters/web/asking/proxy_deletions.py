"""Asking for the deletion of what a sweep has found: `POST /api/v1/admin/work-items/proxy-deletions`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from litestar import Controller, Request, Response, post
from litestar.di import NamedDependency

from adapters.web.arrival import granted_of
from adapters.web.bodies import document_of, fitted, invalid_body
from adapters.web.idempotency import key_in, request_key
from adapters.web.openapi.proxy_deletions import DELETIONS, LARGEST_CHOICE_BYTES, DeletionOperation
from adapters.web.requests import no_parameters
from adapters.web.sweep_answers import deletion_answer
from adapters.web.views.proxy_deletions import AllProxies, ChosenProxies, DeletionsView
from adapters.web.views.work_items import Limits
from application.overview import Overview
from application.proxy_deletions import AllOfThem, Choice, ProxyDeletions, These
from domain.ids import WorkItemId
from domain.media.proxy_finding import FindingNumber

FORMS: Final = frozenset({"findingIds", "all", "files"})
NO_FORM: Final = (
    "Must have either `findingIds`, or `all` with `files`: how many files were seen, which is `orphanFiles` and "
    "`temporaryLeftovers` of the sweep's result together."
)


@dataclass(frozen=True, slots=True)
class Wish:
    """What a body asks for; `pointer` says where in it the choice is, and `canonical` is one text for one wish."""

    sweep: WorkItemId
    choice: Choice
    pointer: str

    @property
    def canonical(self) -> Sequence[object]:
        """The same for all bodies that ask for the same, however they are written."""
        match self.choice:
            case These(numbers=numbers):
                return (str(self.sweep), "these", sorted(numbers))
            case AllOfThem(files=files):
                return (str(self.sweep), "all", files)


class ProxyDeletionsController(Controller):
    """Asks for proxy deletions."""

    path = "/work-items/proxy-deletions"
    tags = ("work items",)

    @post(
        operation_id="askForProxyDeletion",
        summary="Ask for a proxy deletion",
        status_code=202,
        request_max_body_size=LARGEST_CHOICE_BYTES,
        operation_class=DeletionOperation,
        responses=DELETIONS,
    )
    async def delete(
        self,
        request: Request[Any, Any, Any],
        proxy_deletions: NamedDependency[ProxyDeletions],
        overview: NamedDependency[Overview],
        limits: NamedDependency[Limits],
    ) -> Response[DeletionsView]:
        """Have files deleted that a finished sweep has found: chosen ones, or all. Each is looked at again before it goes.

        There is one item for each storage config that has some of the files, and one for those of none.
        """
        no_parameters(request.query_params.items())
        key = key_in(request)
        wish = _wish(await document_of(request))
        answer = await proxy_deletions.ask(
            wish.sweep,
            wish.choice,
            by=granted_of(request.scope).user,
            key=None if key is None else request_key(key, request, wish.canonical),
        )
        outlook = await overview.outlook()
        return deletion_answer(answer, limits, outlook, asked_at=request.scope, chosen_at=wish.pointer)


def _wish(document: object) -> Wish:
    """One of the two forms; a body that has something of both is neither."""
    form = FORMS & document.keys() if isinstance(document, dict) else {"findingIds"}
    if form == {"all", "files"}:
        every = fitted(document, AllProxies)
        if not every.all:
            raise invalid_body("/all", "Must be true.")
        return Wish(WorkItemId(every.sweep_id), AllOfThem(every.files), "/files")
    if form != {"findingIds"}:
        raise invalid_body("", NO_FORM)
    chosen = fitted(document, ChosenProxies)
    numbers = frozenset(FindingNumber(int(number)) for number in chosen.finding_ids)
    return Wish(WorkItemId(chosen.sweep_id), These(numbers), "/findingIds")
