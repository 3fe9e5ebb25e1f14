"""Media type and hash of an open file. Runs in a decode child."""

import os
from collections.abc import Iterator

from blake3 import blake3

from adapters.media.wire import DecodeLimits
from application.ports.image_renderer import Identified, Unrenderable
from domain.media.content import HEAD_BYTES, ContentHash, media_type_of
from domain.media.failure import FailureReason

CHUNK_BYTES = 1024 * 1024


def identify(descriptor: int, limits: DecodeLimits) -> Identified | Unrenderable:
    """Tell what the file is; only what is known is read whole."""
    head = os.pread(descriptor, HEAD_BYTES, 0)
    if not head:
        return Unrenderable(FailureReason.EMPTY)
    media_type = media_type_of(head)
    if media_type is None:
        return Unrenderable(FailureReason.UNSUPPORTED)
    largest = limits.largest_video if media_type.is_video else limits.largest_picture
    if os.fstat(descriptor).st_size > largest:
        return Unrenderable(FailureReason.TOO_LARGE)
    hasher = blake3()
    for chunk in _chunks(descriptor):
        hasher.update(chunk)
    return Identified(media_type, ContentHash(hasher.digest()))


def _chunks(descriptor: int) -> Iterator[memoryview]:
    """All bytes, in one buffer. Never by mapping: a file that shrinks meanwhile would end the process."""
    buffer = bytearray(CHUNK_BYTES)
    position = 0
    while read := os.preadv(descriptor, [buffer], position):
        yield memoryview(buffer)[:read]
        position += read
