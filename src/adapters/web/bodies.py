"""What requests say in their bodies: JSON of a known shape, or a problem that says where it is not."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import msgspec
from litestar import Request
from litestar.exceptions import InternalServerException

from adapters.web.problem_types import INVALID_BODY, MALFORMED_REQUEST, UNSUPPORTED_MEDIA_TYPE
from adapters.web.problems import FaultView, Problem, ProblemError
from domain.text import clean_text

JSON_MEDIA_TYPE: Final = re.compile(r'application/json\s*(;\s*charset="?utf-8"?\s*)?', re.IGNORECASE)
WHERE: Final = re.compile(r"(?P<detail>.*?)(?: - at `\$(?P<path>.*)`)?", re.DOTALL)
PATH_PARTS: Final = re.compile(r"[^.\[\]]+")
LARGEST_DETAIL: Final = 200
OF_PATTERN: Final = "Expected `str` matching regex"
UNLIKE_PATTERN: Final = "Is not written as it must be."

NOT_JSON: Final = Problem(UNSUPPORTED_MEDIA_TYPE, "The body of the request must be application/json.")
UNREADABLE: Final = Problem(
    MALFORMED_REQUEST,
    "The body of the request is no JSON, or is nested too deep.",
    {"errors": [FaultView(pointer="", detail="Must be one JSON document in UTF-8.")]},
)

Record = TypeVar("Record", bound=msgspec.Struct)


async def body_of(request: Request[Any, Any, Any], record: type[Record]) -> Record:
    """What the body says. Ends the request where that is no JSON, or does not fit the record."""
    return fitted(await document_of(request), record)


async def optional_body_of(request: Request[Any, Any, Any], record: type[Record]) -> Record:
    """The same where no body at all says as much as an empty object."""
    return fitted(await document_of(request) if await _read(request) else {}, record)


async def document_of(request: Request[Any, Any, Any]) -> object:
    """The body as JSON, whatever it says. Ends the request where it is none."""
    _require_json(request)
    body = await _read(request)
    with _faults_told():
        return msgspec.json.decode(body)


def fitted(document: object, record: type[Record]) -> Record:
    """The document as this record. Ends the request where it does not fit.

    A step of its own: whether a body is JSON at all must not depend on what its first part says.
    """
    with _faults_told():
        return msgspec.convert(document, record)


def invalid_body(pointer: str, detail: str) -> ProblemError:
    """The end of a request whose body has the right shape and a value that will not do."""
    faults = {"errors": [FaultView(pointer=pointer, detail=detail)]}
    return ProblemError(Problem(INVALID_BODY, "The body is not what this address takes.", faults))


@contextmanager
def _faults_told() -> Iterator[None]:
    try:
        yield
    except msgspec.ValidationError as error:
        raise ProblemError(_unfit(error)) from None
    except (ValueError, RecursionError):
        raise ProblemError(UNREADABLE) from None


async def _read(request: Request[Any, Any, Any]) -> bytes:
    try:
        return await request.body()
    except InternalServerException:
        # So the framework says that the client left: nobody hears the answer, and nothing is the server's fault.
        raise ProblemError(UNREADABLE) from None


def _require_json(request: Request[Any, Any, Any]) -> None:
    types = request.headers.getall("content-type", [])
    encodings = {encoding.lower() for encoding in request.headers.getall("content-encoding", [])}
    if len(types) != 1 or JSON_MEDIA_TYPE.fullmatch(types[0].strip()) is None or encodings - {"identity"}:
        raise ProblemError(NOT_JSON)


def _unfit(error: msgspec.ValidationError) -> Problem:
    told = WHERE.fullmatch(str(error))
    detail, path = (told["detail"], told["path"] or "") if told else ("Does not fit.", "")
    if detail.startswith(OF_PATTERN):
        # Patterns are for programs: the description of the API has them.
        detail = UNLIKE_PATTERN
    pointer = "".join(f"/{part}" for part in PATH_PARTS.findall(path))
    return invalid_body(pointer, clean_text(detail, longest=LARGEST_DETAIL)).problem
