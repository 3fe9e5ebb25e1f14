"""Asking for a crawl: `POST /api/v1/admin/work-items/crawls`."""

from typing import Any, Final
from uuid import UUID

from litestar import Controller, Request, Response, post
from litestar.di import NamedDependency
from msgspec import Struct

from adapters.web.answers import asked_answer
from adapters.web.arrival import granted_of
from adapters.web.bodies import body_of
from adapters.web.openapi.examples import CONFIG_ID, ITEMS_PATH, WAITING_ITEM
from adapters.web.openapi.operations import taking
from adapters.web.openapi.responses import Responses, answer, for_bodies, problem
from adapters.web.problem_types import STORAGE_CONFIG_INACTIVE, STORAGE_CONFIG_NOT_FOUND
from adapters.web.requests import no_parameters
from adapters.web.views.work_items import Limits, WorkItemView
from application.asking import Asking, RequestedWork
from application.overview import Overview
from domain.ids import StorageConfigId
from domain.kinds.crawl import CrawlPayload, dedup_key

PATH: Final = f"{ITEMS_PATH}/crawls"


class CrawlRequest(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Which storage config to crawl.

    `verify` reads every file again, changed or not. `acceptRemovals` says that however much is gone was meant to go.
    """

    storage_config_id: UUID
    verify: bool = False
    accept_removals: bool = False


EXAMPLE: Final = {"storageConfigId": CONFIG_ID, "verify": False, "acceptRemovals": False}
ANSWERS: Final[Responses] = {
    **for_bodies(
        PATH,
        pointer="/storageConfigId",
        detail="Invalid UUID",
    ),
    200: answer(WorkItemView, "One like it waits already; this is it", WAITING_ITEM),
    202: answer(WorkItemView, "A new item waits", WAITING_ITEM),
    404: problem(STORAGE_CONFIG_NOT_FOUND, "No storage config has this id.", path=PATH),
    409: problem(
        STORAGE_CONFIG_INACTIVE, "The storage config is not active, so it gets no new work.", path=PATH
    ),
}


class CrawlsController(Controller):
    """Asks for crawls."""

    path = "/work-items/crawls"
    tags = ("work items",)

    @post(
        operation_id="askForCrawl",
        summary="Ask for a crawl",
        status_code=202,
        operation_class=taking(CrawlRequest, EXAMPLE, made=202),
        responses=ANSWERS,
    )
    async def crawl(
        self,
        request: Request[Any, Any, Any],
        asking: NamedDependency[Asking],
        overview: NamedDependency[Overview],
        limits: NamedDependency[Limits],
    ) -> Response[WorkItemView]:
        """Have a storage config crawled soon, instead of when it is due. Of several waiting ones there is but one."""
        no_parameters(request.query_params.items())
        asked = await body_of(request, CrawlRequest)
        answered = await asking.ask(_work(asked), by=granted_of(request.scope).user)
        return asked_answer(answered, limits, await overview.outlook(), request.scope)


def _work(asked: CrawlRequest) -> RequestedWork:
    config = StorageConfigId(asked.storage_config_id)
    crawl = CrawlPayload(storage_config_id=config, verify=asked.verify, accept_removals=asked.accept_removals)
    return RequestedWork(payload=crawl, storage_config_id=config, dedup_key=dedup_key(crawl))
