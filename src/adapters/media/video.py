"""Videos, which need PyAV. Where it is not installed nothing is learned of them. Runs in a decode child."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import BinaryIO, Protocol, cast

from adapters.media.wire import DecodeLimits
from application.ports.image_renderer import Rendered, Unrenderable
from domain.media.content import MediaType
from domain.media.metadata import Metadata


class VideoRenderer(Protocol):
    """What a module that knows videos offers."""

    def __call__(
        self, file: BinaryIO, media_type: MediaType, limits: DecodeLimits
    ) -> Rendered | Unrenderable:
        """Make proxies of a picture from it, and take down what it says of itself."""
        ...


def render_video(file: BinaryIO, media_type: MediaType, limits: DecodeLimits) -> Rendered | Unrenderable:
    """As for pictures. Without PyAV a video is known by its type and its bytes, and that is no failure."""
    renderer = _installed()
    if renderer is None:
        return Rendered(Metadata(), date_claims=(), proxies=(), blurhash="")
    return renderer(file, media_type, limits)


@cache
def _installed() -> VideoRenderer | None:
    """Loaded for the first video only: it takes longer and needs more memory than all else in here."""
    if find_spec("av") is None:
        return None
    return cast("VideoRenderer", import_module("adapters.media.pyav_renderer").render)
