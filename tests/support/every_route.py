"""Every operation of the API, and a request for it that is in order."""

from dataclasses import dataclass
from uuid import UUID

from httpx import Response

from tests.support.web import CONFIGS, ITEMS, Json, WebClient


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that the API may be asked for: by a path with places for ids, as the description has it."""

    method: str
    path: str

    @property
    def takes_json(self) -> bool:
        """Whether it reads a body."""
        return self.method in {"POST", "PATCH"} and not self.path.endswith("/cancel")


@dataclass(frozen=True, slots=True)
class Subjects:
    """What requests are about."""

    item: UUID
    config: UUID

    def path(self, operation: Operation) -> str:
        """The path with these ids in their places."""
        with_item = operation.path.replace("{item_id}", str(self.item))
        return with_item.replace("{config_id}", str(self.config))

    def body(self, operation: Operation, user: UUID) -> Json | bytes:
        """What is to be sent there."""
        bodies: dict[str, Json] = {
            f"{ITEMS}/crawls": {"storageConfigId": str(self.config)},
            f"{ITEMS}/proxy-deletions": {"sweepId": str(self.item), "findingIds": ["1"]},
            CONFIGS: {"userId": str(user), "rootPath": "/srv/photos"},
            f"{CONFIGS}/{{config_id}}": {"isActive": True},
            "/api/v1/auth/sign-in": {"name": "ada", "password": "correct horse"},
        }
        return bodies.get(operation.path, {}) if operation.takes_json else b""


async def operations(web: WebClient) -> list[Operation]:
    """All of them; those that take something away come last."""
    document = await web.json("/schema/openapi.json")
    found = [Operation(method.upper(), path) for path, item in document["paths"].items() for method in item]
    return sorted(found, key=lambda one: (one.method == "DELETE", one.path, one.method))


async def asked(web: WebClient, operation: Operation, subjects: Subjects) -> Response:
    """What is answered to a request that is in order."""
    body = subjects.body(operation, web.admin)
    return await web.send(subjects.path(operation), body, method=operation.method)
