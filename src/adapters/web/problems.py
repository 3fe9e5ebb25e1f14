"""Errors on the wire: `application/problem+json` (RFC 9457), whoever noticed them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Request, Response
from msgspec import UNSET, Struct, UnsetType

from adapters.web.arrival import arrival_of
from adapters.web.problem_types import MALFORMED_REQUEST, ProblemType
from adapters.web.views.health import ChecksView
from adapters.web.views.instants import Instant
from adapters.web.views.work_items import WorkItemView

PROBLEM_JSON: Final = "application/problem+json"


class ProblemView(Struct, frozen=True, kw_only=True, rename="camel"):
    """An error as every address tells it. `requestId` is what the server's log knows it by."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    request_id: str


class FaultView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One fault of a request: where it is, and what would be allowed there."""

    detail: str
    parameter: str | UnsetType = UNSET
    pointer: str | UnsetType = UNSET


class InvalidRequestView(ProblemView, frozen=True, kw_only=True, rename="camel"):
    """A request that has to be written differently; every fault of it is listed."""

    errors: tuple[FaultView, ...]


class FinishedProblemView(ProblemView, frozen=True, kw_only=True, rename="camel"):
    """The item had finished; this is how it stands."""

    item: WorkItemView
    finished_at: Instant


class FolderTakenView(ProblemView, frozen=True, kw_only=True, rename="camel"):
    """A config has this folder already, or one within it or around it."""

    storage_config_id: str


class UnhealthyView(ProblemView, frozen=True, kw_only=True, rename="camel"):
    """The API cannot do its work; this is what is wrong."""

    checks: ChecksView


@dataclass(frozen=True, slots=True)
class Problem:
    """What went wrong in this case. `members` are those that its type has beside the usual ones."""

    type: ProblemType
    detail: str
    members: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


class ProblemError(Exception):
    """Ends a request with a problem."""

    def __init__(self, problem: Problem) -> None:
        """Take what is to be answered."""
        super().__init__(problem.detail)
        self.problem = problem


def problem_response(request: Request[Any, Any, Any], problem: Problem) -> Response[dict[str, object]]:
    """The problem as the answer to this request."""
    arrival = arrival_of(request.scope)
    body: dict[str, object] = {
        "type": problem.type.reference,
        "title": problem.type.title,
        "status": problem.type.status,
        "detail": problem.detail,
        "instance": arrival.path,
        "requestId": arrival.request_id,
        **problem.members,
    }
    return Response(
        body, status_code=problem.type.status, media_type=PROBLEM_JSON, headers=dict(problem.headers)
    )


def unread_request(request_id: UUID) -> bytes:
    """The whole answer to bytes that are no request; its connection is to be closed after it."""
    view = InvalidRequestView(
        type=MALFORMED_REQUEST.reference,
        title=MALFORMED_REQUEST.title,
        status=MALFORMED_REQUEST.status,
        detail="The request could not be read.",
        instance="",
        request_id=str(request_id),
        errors=(FaultView(detail="Must be one request of HTTP/1.1."),),
    )
    body = msgspec.json.encode(view)
    return (
        b"HTTP/1.1 400 Bad Request\r\n"
        b"content-type: %b\r\ncontent-length: %d\r\nx-content-type-options: nosniff\r\n"
        b"cache-control: no-store\r\nconnection: close\r\n\r\n%b"
    ) % (PROBLEM_JSON.encode(), len(body), body)
