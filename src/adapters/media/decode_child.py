"""The program that a decode child runs: it reads what it is handed and never opens, writes or connects anything."""

import os
import socket
import sys
from typing import assert_never

import msgspec

from adapters.media.confinement import allow_cpu, confine, keep_memory
from adapters.media.identify import identify
from adapters.media.pillow_renderer import render
from adapters.media.video import render_video
from adapters.media.wire import (
    LARGEST_REQUEST,
    LENGTH_BYTES,
    DecodeLimits,
    HugeReply,
    IdentifiedReply,
    Identify,
    ReadyReply,
    Render,
    RenderedReply,
    Reply,
    Request,
    UnrenderableReply,
    frame,
    requests,
)
from application.ports.image_renderer import Identified, Rendered, Unrenderable
from domain.media.failure import FailureReason


def main(connection: int, parent: int, limits: DecodeLimits) -> None:
    """Answer requests until the worker hangs up."""
    confine(limits, parent=parent)
    keep_memory()
    with socket.socket(fileno=connection) as worker:
        worker.sendall(frame(ReadyReply()))
        while True:
            document, descriptors, _, _ = socket.recv_fds(worker, LARGEST_REQUEST, 1)
            if not document:
                return
            with os.fdopen(descriptors[0], "rb", buffering=0) as file:
                reply = _answer(requests.decode(document[LENGTH_BYTES:]), file.fileno(), limits)
            worker.sendall(frame(reply))


def _answer(request: Request, descriptor: int, limits: DecodeLimits) -> Reply:
    try:
        return _reply(_result(request, descriptor, limits))
    except MemoryError:
        return UnrenderableReply(FailureReason.OUT_OF_MEMORY)
    except OSError:
        return UnrenderableReply(FailureReason.UNREADABLE)


def _result(
    request: Request, descriptor: int, limits: DecodeLimits
) -> Identified | Rendered | Unrenderable | HugeReply:
    match request:
        case Identify():
            allow_cpu(limits.cpu_seconds + os.fstat(descriptor).st_size // limits.bytes_a_cpu_second)
            return identify(descriptor, limits)
        case Render(media_type, may_be_huge):
            allow_cpu(limits.cpu_seconds)
            os.lseek(descriptor, 0, os.SEEK_SET)
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                if media_type.is_video:
                    return render_video(file, media_type, limits)
                return render(file, media_type, limits, may_be_huge=may_be_huge)
        case _:
            assert_never(request)


def _reply(result: Identified | Rendered | Unrenderable | HugeReply) -> Reply:
    match result:
        case Identified():
            return IdentifiedReply(result)
        case Rendered():
            return RenderedReply(result)
        case Unrenderable(reason):
            return UnrenderableReply(reason)
        case HugeReply():
            return result
        case _:
            assert_never(result)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), msgspec.json.decode(sys.argv[3], type=DecodeLimits))
