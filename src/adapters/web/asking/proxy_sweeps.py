"""Asking for a proxy sweep: `POST /api/v1/admin/work-items/proxy-sweeps`."""

from typing import Any, Final

from litestar import Controller, Request, Response, post
from litestar.di import NamedDependency
from msgspec import Struct

from adapters.web.answers import asked_answer
from adapters.web.arrival import granted_of
from adapters.web.bodies import optional_body_of
from adapters.web.openapi.operations import taking
from adapters.web.openapi.sweeps import SWEEP
from adapters.web.requests import no_parameters
from adapters.web.views.work_items import Limits, WorkItemView
from application.asking import Asking, RequestedWork
from application.overview import Overview
from domain.kinds.proxy_sweep import DEDUP_KEY, ProxySweepPayload


class ProxySweepRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing can be chosen: a sweep looks at everything."""


WORK: Final = RequestedWork(payload=ProxySweepPayload(), dedup_key=DEDUP_KEY)


class ProxySweepsController(Controller):
    """Asks for proxy sweeps."""

    path = "/work-items/proxy-sweeps"
    tags = ("work items",)

    @post(
        operation_id="askForProxySweep",
        summary="Ask for a proxy sweep",
        status_code=202,
        operation_class=taking(ProxySweepRequest, {}, made=202, may_be_empty=True),
        responses=SWEEP,
    )
    async def sweep(
        self,
        request: Request[Any, Any, Any],
        asking: NamedDependency[Asking],
        overview: NamedDependency[Overview],
        limits: NamedDependency[Limits],
    ) -> Response[WorkItemView]:
        """Have the proxies compared with what is known of them. Nothing is changed; of several waiting there is but one.

        A body is not needed.
        """
        no_parameters(request.query_params.items())
        await optional_body_of(request, ProxySweepRequest)
        answered = await asking.ask(WORK, by=granted_of(request.scope).user)
        return asked_answer(answered, limits, await overview.outlook(), request.scope)
