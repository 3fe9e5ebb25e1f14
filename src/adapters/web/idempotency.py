"""Requests that may be sent again: the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07)."""

import hashlib
import re
from typing import Any, Final

import msgspec
from litestar import Request

from adapters.web.arrival import granted_of
from adapters.web.problem_types import INVALID_PARAMETER
from adapters.web.problems import FaultView, Problem, ProblemError
from application.ports.request_keys import RequestKey

IDEMPOTENCY_KEY: Final = "Idempotency-Key"
LONGEST_KEY: Final = 255

CHARACTERS: Final = rf"[!#-\[\]-~]{{1,{LONGEST_KEY}}}"
KEY: Final = re.compile(rf'{CHARACTERS}|"{CHARACTERS}"')
"""With the quotes of the draft or without; in between, quotes and backslashes would need rules of their own."""

BAD_KEY: Final = Problem(
    INVALID_PARAMETER,
    "The request has a header that is not allowed.",
    {
        "errors": [
            FaultView(
                parameter=IDEMPOTENCY_KEY,
                detail=f'Must be 1 to {LONGEST_KEY} visible ASCII characters other than " and \\, in quotes or not. Allowed only once.',
            )
        ]
    },
)


def key_in(request: Request[Any, Any, Any]) -> str | None:
    """What the sender calls this request, if it does. Ends the request where that is no name."""
    match request.headers.getall(IDEMPOTENCY_KEY, []):
        case []:
            return None
        case [text] if KEY.fullmatch(text):
            return text.strip('"')
        case _:
            raise ProblemError(BAD_KEY)


def request_key(text: str, request: Request[Any, Any, Any], asked: object) -> RequestKey:
    """The key with whose it is, and a hash of what is asked for, however that was written down."""
    digest = hashlib.sha256(msgspec.json.encode(asked, order="deterministic")).digest()
    return RequestKey(granted_of(request.scope).user, text, digest)
