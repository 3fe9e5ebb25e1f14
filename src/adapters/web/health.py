"""Health: `/api/v1/healthz` and `/api/v1/livez`. No sign-in, no names, no versions."""

from typing import Final, assert_never

from litestar import Controller, Response, get
from litestar.di import NamedDependency

from adapters.web.exceptions import RETRY_AFTER_SECONDS
from adapters.web.openapi import responses
from adapters.web.problem_types import DATABASE_UNAVAILABLE
from adapters.web.problems import Problem, ProblemError
from adapters.web.views.health import ChecksView, HealthView, LifeView
from application.health import Condition, Health, StoreAway
from application.ports.store_schema import SchemaAhead, SchemaBehind, SchemaFits

OK: Final = "ok"


class HealthController(Controller):
    """Tells whether the process lives, and whether it can do its work."""

    tags = ("health",)

    @get("/healthz", operation_id="getHealth", summary="Whether the API can work", responses=responses.HEALTH)
    async def health(self, health: NamedDependency[Health]) -> Response[HealthView]:
        """Whether the database answers, with the schema that this version needs. Asked once a second at most."""
        return _answer(await health.condition())

    @get("/livez", operation_id="getLife", summary="Whether the process lives", responses=responses.LIFE)
    async def life(self) -> Response[LifeView]:
        """Answers as long as the process does, with a database or without."""
        return Response(LifeView(status=OK))


def _answer(condition: Condition) -> Response[HealthView]:
    match condition:
        case SchemaFits():
            return Response(HealthView(status=OK, checks=ChecksView(database=OK, schema=OK)))
        case SchemaBehind():
            raise _ill("The database has to be migrated.", ChecksView(database=OK, schema="behind"))
        case SchemaAhead():
            raise _ill("A newer version has migrated the database.", ChecksView(database=OK, schema="ahead"))
        case StoreAway():
            raise _ill("The database does not answer.", ChecksView(database="unreachable", schema="unknown"))
        case _:
            assert_never(condition)


def _ill(detail: str, checks: ChecksView) -> ProblemError:
    headers = {"Retry-After": str(RETRY_AFTER_SECONDS)}
    return ProblemError(Problem(DATABASE_UNAVAILABLE, detail, {"checks": checks}, headers))
