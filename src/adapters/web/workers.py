"""Workers: `/api/v1/admin/workers`."""

from typing import Any

from litestar import Controller, Request, Response, get
from litestar.di import NamedDependency

from adapters.web.openapi import responses
from adapters.web.requests import no_parameters
from adapters.web.views.workers import WorkersView, worker_view
from application.admin import Admin


class WorkersController(Controller):
    """Shows who works."""

    path = "/workers"
    tags = ("workers",)

    @get(operation_id="listWorkers", summary="List workers", responses=responses.WORKERS)
    async def workers(
        self, request: Request[Any, Any, Any], admin: NamedDependency[Admin]
    ) -> Response[WorkersView]:
        """Every worker heard of within a day, most recently seen first."""
        no_parameters(request.query_params.items())
        return Response(WorkersView(items=tuple(worker_view(seen) for seen in await admin.workers())))
