"""What proxy sweeps have found: `/api/v1/admin/work-items/{id}/orphans`."""

from typing import Annotated, Any

from litestar import Controller, Request, Response, get
from litestar.di import NamedDependency

from adapters.web.findings_request import findings_request
from adapters.web.openapi.operations import id_in_path
from adapters.web.openapi.sweeps import FINDINGS, SWEEP_ID, FindingsOperation
from adapters.web.sweep_answers import findings_answer
from adapters.web.views.findings import FindingsPageView
from application.sweeps import Sweeps

SweepId = Annotated[str, id_in_path("Id of the proxy sweep", SWEEP_ID)]


class SweepsController(Controller):
    """Shows what sweeps have found."""

    path = "/work-items"
    tags = ("work items",)

    @get(
        "/{item_id:str}/orphans",
        operation_id="listSweepFindings",
        summary="List what a proxy sweep has found",
        operation_class=FindingsOperation,
        responses=FINDINGS,
    )
    async def findings(
        self, request: Request[Any, Any, Any], item_id: SweepId, sweeps: NamedDependency[Sweeps]
    ) -> Response[FindingsPageView]:
        """Some findings of a finished sweep, in the order in which they were found. They never change any more.

        One that was cancelled shows what it had found until then. One that has failed shows nothing: `status` tells it
        from one that found nothing wrong.
        """
        asked = findings_request(item_id, request.query_params.items())
        found = await sweeps.findings(asked.sweep, kinds=asked.kinds, after=asked.after, limit=asked.limit)
        return findings_answer(found, asked)
