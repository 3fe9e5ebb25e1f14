"""The codec of payloads and results."""

import re
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec

from adapters.codec.documents import decoded, encoded
from adapters.codec.wire_types import wire_type
from application.ports.errors import CodecError
from application.ports.payload_codec import PayloadCodec
from domain.ids import JsonText
from domain.kinds.kind import WorkPayload, WorkResult

P = TypeVar("P", bound=WorkPayload)

LARGEST_PAYLOAD: Final = 512 * 1024
LARGEST_RESULT: Final = 64 * 1024

HARMLESS: Final = re.compile(
    r"(?P<what>Expected `[^`]*`(?:, got `[^`]*`)?|Object missing required field `[^`]*`|Invalid [\w-]+(?: value)?)"
)
"""The beginnings of msgspec's messages that speak of types and our own field names, never of a value."""

PLACE: Final = re.compile(r" - at `(?P<place>\$[\w.\[\]]*)`$")


@dataclass(frozen=True, slots=True)
class MsgspecPayloadCodec(PayloadCodec):
    """Strict both ways: what it encodes it can decode, and what does not fit is refused in plain words."""

    def encode_payload(self, payload: WorkPayload) -> JsonText:
        return encoded(_tree(payload, "payload"), what="payload", largest_bytes=LARGEST_PAYLOAD)

    def decode_payload(self, document: JsonText, payload: type[P]) -> P:
        tree = decoded(document, what="payload", largest_bytes=LARGEST_PAYLOAD)
        try:
            read = msgspec.convert(tree, wire_type(payload))
            return msgspec.convert(read, payload, from_attributes=True)
        except (msgspec.ValidationError, RecursionError) as error:
            raise CodecError(_plain(str(error))) from None

    def encode_result(self, result: WorkResult) -> JsonText:
        return encoded(_tree(result, "result"), what="result", largest_bytes=LARGEST_RESULT)


def _tree(record: WorkPayload | WorkResult, what: str) -> Any:  # noqa: ANN401 -- what JSON can say
    """The record in plain values, held to its own type on the way: `deleted: int` takes no text."""
    try:
        written = msgspec.convert(record, wire_type(type(record)), from_attributes=True)
        return msgspec.to_builtins(written)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        raise CodecError(f"The {what} cannot be written: {_plain(str(error))}") from None


def _plain(message: str) -> str:
    """What is wrong and where, without the values."""
    harmless = HARMLESS.match(message)
    place = PLACE.search(message)
    what = harmless["what"] if harmless else "It does not fit its type"
    if message.startswith("Object contains unknown field"):
        what = "Object contains an unknown field"
    return f"{what}, at {place['place']}." if place else f"{what}."
