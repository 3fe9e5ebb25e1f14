"""Why a run did not succeed, in words that hold no file or folder name."""

from dataclasses import dataclass
from enum import StrEnum

from domain.text import clean_text

LARGEST_ERROR = 4_000
"""Characters of an error text."""

LARGEST_CODE = 64


class FailureCode(StrEnum):
    """The stable words of the queue itself. Kinds add their own (`root-unreadable`, ...)."""

    HANDLER_ERROR = "handler-error"
    STALLED = "stalled"
    SUPERSEDED = "superseded"
    PAYLOAD_INVALID = "payload-invalid"
    RESULT_INVALID = "result-invalid"
    STORE_UNAVAILABLE = "store-unavailable"


@dataclass(frozen=True, slots=True)
class Failure:
    """A stable kebab-case code for machines and a text for people. Texts may change, codes do not."""

    code: str
    text: str

    @classmethod
    def bounded(cls, code: str, text: str) -> "Failure":
        """A failure that every store can keep, whatever it was told (R28)."""
        return cls(
            code=clean_text(code, longest=LARGEST_CODE),
            text=clean_text(text, longest=LARGEST_ERROR),
        )
