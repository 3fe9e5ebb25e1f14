"""Records to JSON text and back, within bounds alike on every store (R28)."""

from typing import Protocol, TypeVar

from domain.ids import JsonText
from domain.kinds.kind import WorkPayload, WorkResult

P = TypeVar("P", bound=WorkPayload)


class PayloadCodec(Protocol):
    """Encodes and decodes what kinds say. JSON names are camelCase."""

    def encode_payload(self, payload: WorkPayload) -> JsonText:
        """One JSON object of at most 512 KiB and depth 32. Raises `CodecError` where it cannot be."""
        ...

    def decode_payload(self, document: JsonText, payload: type[P]) -> P:
        """The payload record. Unknown fields are refused. Raises `CodecError` with a text fit for the admin."""
        ...

    def encode_result(self, result: WorkResult) -> JsonText:
        """One JSON object of at most 64 KiB and depth 32. Raises `CodecError` for NaN, infinities and excess."""
        ...
