"""A decode child that somebody has taken over: it begins as it should, and answers with a lie."""

import socket
import sys

import msgspec

from adapters.media.wire import DecodeLimits, ReadyReply, RenderedReply, frame
from application.ports.image_renderer import Rendered
from domain.media.metadata import Metadata

LIES = (
    b"\x00\x00\x00\x03\xc1\xc1\xc1",  # no MessagePack
    b"\xff\xff\xff\xff",  # more than anybody can hold
    b"\x00\x00\x00\x10\x00",  # less than announced, then silence
    frame(ReadyReply()),  # the answer to nothing
    frame(RenderedReply(Rendered(Metadata(1, 1), (), (), ""))),  # the answer to another question
    b"\x00\x00\x00\x15"
    + msgspec.msgpack.encode({"type": "IdentifiedReply"}),  # an answer without its content
)


def main() -> None:
    """Lie once, and leave."""
    lie = msgspec.json.decode(sys.argv[3], type=DecodeLimits).largest_picture
    with socket.socket(fileno=int(sys.argv[1])) as worker:
        worker.sendall(frame(ReadyReply()))
        worker.recv(4096)
        worker.sendall(LIES[lie])


if __name__ == "__main__":
    main()
