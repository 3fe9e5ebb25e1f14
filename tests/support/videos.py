"""Videos to test with, made by PyAV."""

from collections.abc import Iterable, Mapping
from io import BytesIO
from itertools import repeat
from typing import Final

import av
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.video.frame import VideoFrame
from av.video.stream import VideoStream
from PIL import Image

from tests.support.photos import four_corners

FRAMES_A_SECOND: Final = 10

TRACK_HEADER: Final = b"tkhd"
MATRIX_AT: Final = 44
"""From the name of the box."""

MATRICES: Final[Mapping[int, tuple[int, int, int, int]]] = {
    0: (1, 0, 0, 1),
    90: (0, 1, -1, 0),
    180: (-1, 0, 0, -1),
    270: (0, -1, 1, 0),
}
"""By how many degrees clockwise a track is to be turned."""


def a_video(
    container: str = "mov",
    codec: str = "mpeg4",
    *,
    pictures: Iterable[Image.Image] | None = None,
    tags: Mapping[str, str] | None = None,
) -> bytes:
    """Two seconds of four colours, or these pictures, each of which can be shown by itself."""
    frames = list(pictures or repeat(four_corners((320, 160)), 2 * FRAMES_A_SECOND))
    content = BytesIO()
    options = {"movflags": "use_metadata_tags"} if container == "mov" else {}
    with av.open(content, "w", format=container, options=options) as output:
        output.metadata.update(tags or {})
        stream = output.add_stream(codec, rate=FRAMES_A_SECOND)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height = frames[0].size
        stream.pix_fmt = "yuv420p"
        stream.gop_size = 1
        for picture in frames:
            frame = VideoFrame.from_image(picture)  # type: ignore[no-untyped-call]
            output.mux(stream.encode(frame))
        output.mux(stream.encode())
    return content.getvalue()


def turned(video: bytes, degrees: int) -> bytes:
    """The same with a track that is to be turned clockwise."""
    start = video.index(TRACK_HEADER) + MATRIX_AT
    a, b, c, d = (one * 0x10000 for one in MATRICES[degrees])
    numbers = (a, b, 0, c, d, 0, 0, 0, 0x40000000)
    matrix = b"".join(number.to_bytes(4, "big", signed=True) for number in numbers)
    return video[:start] + matrix + video[start + len(matrix) :]


def a_sound() -> bytes:
    """A file like a video in all but that there is nothing to see."""
    content = BytesIO()
    with av.open(content, "w", format="mp4") as output:
        stream = output.add_stream("aac", rate=8000)
        assert isinstance(stream, AudioStream)
        silence = AudioFrame(format="fltp", layout="mono", samples=1024)
        for plane in silence.planes:
            plane.update(bytes(plane.buffer_size))
        silence.sample_rate = 8000
        output.mux(stream.encode(silence))
        output.mux(stream.encode())
    return content.getvalue()
