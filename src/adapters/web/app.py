"""The web application, made of the use cases that it is handed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

import msgspec
from litestar import Litestar, Response, Router, get
from litestar.config.cors import CORSConfig
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.types import ControllerRouterHandler

from adapters.web.asking.crawls import CrawlsController
from adapters.web.asking.proxy_deletions import ProxyDeletionsController
from adapters.web.asking.proxy_sweeps import ProxySweepsController
from adapters.web.bearer import admins_only
from adapters.web.body_limit import LARGEST_BODY_BYTES, refuse_large_bodies
from adapters.web.edge import Edge
from adapters.web.exceptions import ReportFault, exception_handlers
from adapters.web.health import HealthController
from adapters.web.methods import told_methods
from adapters.web.openapi.document import BEARER, CONFIG, openapi_document
from adapters.web.own_pages import own_pages_only
from adapters.web.page import PageController
from adapters.web.problem_pages import ProblemPagesController
from adapters.web.sessions import SessionsController
from adapters.web.storage_configs import StorageConfigsController
from adapters.web.stream import NOT_STREAMING, NotStreaming, StreamController, Streams, hint_after_writes
from adapters.web.stream_response import Streaming
from adapters.web.sweeps import SweepsController
from adapters.web.views.work_items import Limits
from adapters.web.work_items import WorkItemsController
from adapters.web.workers import WorkersController
from application.access import AdminAccess
from application.admin import Admin
from application.asking import Asking
from application.cancel import Cancel
from application.configs import Configs
from application.health import Health
from application.overview import Overview
from application.ports.new_ids import NewIds
from application.proxy_deletions import ProxyDeletions
from application.sessions import Sessions
from application.sign_in import SignIn
from application.sweeps import Sweeps

API: Final = "/api/v1"
OPENAPI_JSON: Final = "application/vnd.oai.openapi+json"
YAML: Final = "application/yaml"
EXPOSED_HEADERS: Final = ["ETag", "Link", "Location", "Retry-After", "X-Request-Id"]

ASKED_FOR: Final = (CrawlsController, ProxySweepsController, ProxyDeletionsController)
"""The doors by which work is asked for: one for each kind that an admin may have done now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebParts:
    """What the API is made of.

    `origins` are those whose pages may call it from a browser; `root_path` is what its paths begin with.
    """

    access: AdminAccess
    admin: Admin
    asking: Asking
    cancel: Cancel
    configs: Configs
    health: Health
    limits: Limits
    overview: Overview
    proxy_deletions: ProxyDeletions
    sessions: Sessions
    sign_in: SignIn
    sweeps: Sweeps
    ids: NewIds
    report: ReportFault
    streaming: Streaming | NotStreaming = NOT_STREAMING
    origins: tuple[str, ...] = ()
    root_path: str = ""


def make_app(parts: WebParts) -> Edge:
    """The API as an ASGI application. It opens and closes nothing: whoever made the parts does."""

    # A twin with the same routes describes them, when somebody asks: the framework's own pages of its
    # document would answer what they do not know in HTML.
    @cache
    def document() -> bytes:
        return openapi_document(_litestar(parts, (), CONFIG), server=parts.root_path or "/")

    return Edge(_litestar(parts, _schema(document), None), parts.ids, parts.origins, parts.root_path)


def _litestar(
    parts: WebParts, more: tuple[ControllerRouterHandler, ...], openapi: OpenAPIConfig | None
) -> Litestar:
    admin = Router(
        f"{API}/admin",
        route_handlers=[
            WorkItemsController,
            SweepsController,
            StreamController,
            *ASKED_FOR,
            WorkersController,
            StorageConfigsController,
        ],
        guards=[admins_only(parts.access)],
        security=[{BEARER: []}],
        after_response=hint_after_writes(parts.streaming),
    )
    auth = Router(f"{API}/auth", route_handlers=[SessionsController], guards=[own_pages_only(parts.origins)])
    health = Router(API, route_handlers=[HealthController])
    return Litestar(
        [admin, auth, health, ProblemPagesController, PageController, *more],
        dependencies={
            "admin": _given(parts.admin),
            "asking": _given(parts.asking),
            "cancel": _given(parts.cancel),
            "configs": _given(parts.configs),
            "health": _given(parts.health),
            "limits": _given(parts.limits),
            "overview": _given(parts.overview),
            "proxy_deletions": _given(parts.proxy_deletions),
            "sessions": _given(parts.sessions),
            "sign_in": _given(parts.sign_in),
            "sweeps": _given(parts.sweeps),
            "streams": _given(Streams(parts.streaming)),
        },
        before_request=told_methods,
        exception_handlers=exception_handlers(parts.report),
        middleware=[refuse_large_bodies],
        request_max_body_size=LARGEST_BODY_BYTES,
        cors_config=_cors(parts.origins),
        openapi_config=openapi,
        # Nothing of the process's surroundings may turn these on.
        debug=False,
        pdb_on_exception=False,
        logging_config=None,
    )


def _given(part: object) -> Provide:
    def provided() -> object:
        return part

    return Provide(provided, sync_to_thread=False)


def _cors(origins: tuple[str, ...]) -> CORSConfig | None:
    if not origins:
        return None
    # Requests of other origins never get here: see Edge. Whatever its pages send is judged as anybody's.
    return CORSConfig(allow_origins=list(origins), expose_headers=EXPOSED_HEADERS)


def _schema(document: Callable[[], bytes]) -> tuple[HTTPRouteHandler, HTTPRouteHandler]:
    @cache
    def in_yaml() -> bytes:
        return msgspec.yaml.encode(msgspec.json.decode(document()))

    @get("/schema/openapi.json", include_in_schema=False)
    async def schema() -> Response[bytes]:
        return Response(document(), media_type=OPENAPI_JSON)

    @get("/schema/openapi.yaml", include_in_schema=False)
    async def schema_in_yaml() -> Response[bytes]:
        return Response(in_yaml(), media_type=YAML)

    return schema, schema_in_yaml
