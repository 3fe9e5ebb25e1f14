"""The web API over the stores of one install."""

from typing import Final

import structlog
from dependency_injector import containers, providers

from adapters.web.app import WebParts, make_app
from adapters.web.exceptions import RequestFault
from application.access import AdminAccess
from application.health import Health
from entrypoints.settings.model import Settings
from entrypoints.wiring.desk import Desk
from entrypoints.wiring.live import Live
from entrypoints.wiring.signing_in import SigningIn

CONNECTIONS: Final = 5
"""How many requests are at the database at a time; health has one of its own beside them."""


def report(fault: RequestFault) -> None:
    """Log a request that failed; people quote its id."""
    structlog.get_logger().error("request failed", requestId=fault.request_id, exc_info=fault.error)


class Api(containers.DeclarativeContainer):
    """The application and its parts. It can list, show, cancel and ask for work, and has no way to run any."""

    settings = providers.Dependency(instance_of=Settings)
    desk = providers.Container(Desk, settings=settings, name="anichron-api", size=CONNECTIONS)
    signing_in = providers.Container(SigningIn, settings=settings, desk=desk, stores=desk.stores)

    live = providers.Container(
        Live,
        settings=settings,
        feed=desk.feed,
        users=desk.users,
        limits=desk.limits,
        overview=desk.overview,
        clock=desk.clock,
    )

    app = providers.Singleton(
        make_app,
        providers.Factory(
            WebParts,
            access=providers.Singleton(AdminAccess, desk.access_tokens, desk.users, desk.clock),
            admin=desk.admin,
            asking=desk.asking,
            cancel=desk.cancel,
            configs=desk.bounded_configs,
            health=providers.Singleton(Health, desk.schema, desk.clock),
            limits=desk.limits,
            overview=desk.overview,
            proxy_deletions=desk.proxy_deletions,
            sessions=signing_in.sessions,
            sign_in=signing_in.sign_in,
            sweeps=desk.sweeps,
            ids=desk.ids,
            report=providers.Object(report),
            streaming=live.streaming,
            origins=settings.provided.cors.allowed_origins,
            root_path=settings.provided.api.root_path,
        ),
    )
