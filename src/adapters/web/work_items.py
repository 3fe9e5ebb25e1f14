"""Work items: `/api/v1/admin/work-items`."""

from typing import Annotated, Any, Final

from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency

from adapters.web.answers import cancel_answer, detail_answer, page_answer
from adapters.web.openapi import responses
from adapters.web.openapi.examples import ITEM_ID
from adapters.web.openapi.operations import DetailOperation, ListOperation, id_in_path
from adapters.web.requests import list_request, no_parameters, work_item_id
from adapters.web.views.counts import CountsView, counts_view
from adapters.web.views.work_items import Limits, WorkItemDetailView, WorkItemPageView, WorkItemView
from application.admin import Admin
from application.cancel import Cancel
from application.overview import Overview

COUNTS_MAX_AGE_SECONDS: Final = 2

AnyRequest = Request[Any, Any, Any]
ItemId = Annotated[str, id_in_path("Id of the work item", ITEM_ID)]


class WorkItemsController(Controller):
    """Lists, shows and cancels work items."""

    path = "/work-items"
    tags = ("work items",)

    @get(
        operation_id="listWorkItems",
        summary="List work items",
        operation_class=ListOperation,
        responses=responses.LIST,
    )
    async def items(
        self,
        request: AnyRequest,
        admin: NamedDependency[Admin],
        overview: NamedDependency[Overview],
        limits: NamedDependency[Limits],
    ) -> Response[WorkItemPageView]:
        """Some items, newest change first. Pages lose and repeat nothing that does not change meanwhile."""
        asked = list_request(request.query_params.items())
        page = await admin.items(asked.which, limit=asked.limit, after=asked.after)
        return page_answer(page, asked, limits, await overview.outlook())

    @get("/counts", operation_id="countWorkItems", summary="Count work items", responses=responses.COUNTS)
    async def counts(self, request: AnyRequest, overview: NamedDependency[Overview]) -> Response[CountsView]:
        """How many items there are of each kind and status, at most two seconds ago."""
        no_parameters(request.query_params.items())
        view = counts_view(await overview.numbers())
        return Response(view, headers={"Cache-Control": f"private, max-age={COUNTS_MAX_AGE_SECONDS}"})

    @get(
        "/{item_id:str}",
        operation_id="getWorkItem",
        summary="Show a work item",
        operation_class=DetailOperation,
        responses=responses.DETAIL,
    )
    async def item(
        self,
        request: AnyRequest,
        item_id: ItemId,
        admin: NamedDependency[Admin],
        overview: NamedDependency[Overview],
        limits: NamedDependency[Limits],
    ) -> Response[WorkItemDetailView | None]:
        """One item with what was asked for and how its runs ended. Its `ETag` is its revision, and what it waits for."""
        no_parameters(request.query_params.items())
        known = ", ".join(request.headers.getall("if-none-match", []))
        found = await admin.item(work_item_id(item_id))
        return detail_answer(found, limits, await overview.outlook(), known=known)

    @post(
        "/{item_id:str}/cancel",
        operation_id="cancelWorkItem",
        summary="Cancel a work item",
        status_code=200,
        responses=responses.CANCEL,
    )
    async def cancel(
        self,
        request: AnyRequest,
        item_id: ItemId,
        cancel: NamedDependency[Cancel],
        limits: NamedDependency[Limits],
    ) -> Response[WorkItemView]:
        """Cancel an item that waits, or ask one that runs to stop. Repeating it changes nothing."""
        no_parameters(request.query_params.items())
        return cancel_answer(await cancel.cancel(work_item_id(item_id)), limits)
