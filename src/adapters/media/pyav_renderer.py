"""Reading of videos with PyAV. Runs in a decode child, and only where PyAV is installed."""

from collections.abc import Mapping
from datetime import timedelta
from typing import BinaryIO, Final

import av
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from adapters.media.heif_boxes import is_cut_off
from adapters.media.proxies import proxies_of
from adapters.media.video_tags import read_tags
from adapters.media.wire import DecodeLimits
from application.ports.image_renderer import Rendered, Unrenderable
from domain.media.content import MediaType
from domain.media.failure import FailureReason
from domain.media.metadata import Metadata, Orientation

FORMATS: Final[Mapping[MediaType, str]] = {
    MediaType.QUICKTIME: "mov",
    MediaType.MP4: "mp4",
    MediaType.AVI: "avi",
    MediaType.MATROSKA: "matroska",
    MediaType.WMV: "asf",
}
"""The only format that is tried for a type: others, such as playlists, would open more files."""

POSTER_AT: Final = 0.1
"""Of the duration: the first picture is often black."""

MOST_PACKETS: Final = 2_000
"""After so many without a picture there will be none."""

TURNS: Final[Mapping[int, Orientation]] = {
    90: Orientation.ON_ITS_RIGHT,
    180: Orientation.UPSIDE_DOWN,
    270: Orientation.ON_ITS_LEFT,
}
"""By how many degrees against the clock the picture is to be turned."""


def render(file: BinaryIO, media_type: MediaType, limits: DecodeLimits) -> Rendered | Unrenderable:
    """Take down what the video says of itself, and make proxies of one picture. Only `MemoryError` may leave it."""
    try:
        with av.open(file, "r", format=FORMATS[media_type], metadata_errors="replace") as container:
            return _rendered(container, limits)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 -- decoders raise whatever a broken file leads them to
        return Unrenderable(_reason(error, file, media_type))


def _reason(error: Exception, file: BinaryIO, media_type: MediaType) -> FailureReason:
    if isinstance(error, OSError) and not isinstance(error, av.error.FFmpegError):
        return FailureReason.UNREADABLE
    is_boxed = media_type in {MediaType.QUICKTIME, MediaType.MP4}
    if isinstance(error, av.error.EOFError) or (is_boxed and is_cut_off(file)):
        return FailureReason.TRUNCATED
    return FailureReason.DAMAGED


def _rendered(container: InputContainer, limits: DecodeLimits) -> Rendered | Unrenderable:
    # A stream whose codec is unknown has no context, whatever the types say.
    streams = [stream for stream in container.streams.video if getattr(stream, "codec_context", None)]
    if not streams:
        return Unrenderable(FailureReason.UNSUPPORTED)
    stream = streams[0]
    if stream.codec_context.width * stream.codec_context.height > limits.most_pixels:
        return Unrenderable(FailureReason.TOO_MANY_PIXELS)
    frame = _poster(container, stream)
    if frame is None:
        return Unrenderable(FailureReason.TRUNCATED)
    tags = read_tags(container.metadata, stream.metadata)
    orientation = TURNS.get(round(frame.rotation) % 360, Orientation.UPRIGHT)
    picture = frame.to_image()  # type: ignore[no-untyped-call]
    proxies = proxies_of(picture, picture.size, orientation)
    width, height = reversed(picture.size) if orientation.swaps_sides else picture.size
    return Rendered(
        metadata=Metadata(
            width=width,
            height=height,
            orientation=orientation,
            place=tags.place,
            camera_make=tags.camera_make,
            camera_model=tags.camera_model,
            duration=_duration(container, stream),
            content_identifier=tags.content_identifier,
        ),
        date_claims=tags.date_claims,
        proxies=proxies.images,
        blurhash=proxies.blurhash,
    )


def _poster(container: InputContainer, stream: VideoStream) -> VideoFrame | None:
    """A picture from early in the video, else the first that there is."""
    # Threads of a decoder's own would escape the count of children.
    stream.thread_type = "NONE"
    stream.codec_context.thread_count = 1
    stream.codec_context.skip_frame = "NONKEY"
    start = container.start_time or 0
    if container.duration:
        frame = _frame_at(container, stream, start + int(container.duration * POSTER_AT))
        if frame is not None:
            return frame
    stream.codec_context.skip_frame = "DEFAULT"
    return _frame_at(container, stream, start)


def _frame_at(container: InputContainer, stream: VideoStream, microseconds: int) -> VideoFrame | None:
    try:
        container.seek(microseconds)
        for packets, packet in enumerate(container.demux(stream)):
            for frame in packet.decode():
                return frame
            if packets >= MOST_PACKETS:
                return None
    except av.error.FFmpegError:
        return None
    return None


def _duration(container: InputContainer, stream: VideoStream) -> timedelta | None:
    if container.duration is not None and container.duration > 0:
        return timedelta(microseconds=container.duration)
    if stream.duration is not None and stream.time_base is not None and stream.duration > 0:
        return timedelta(seconds=float(stream.duration * stream.time_base))
    return None
