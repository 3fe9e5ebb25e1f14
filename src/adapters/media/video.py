"""Videos, which need PyAV. Where it is not installed they have no poster. Runs in a decode child."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import BinaryIO, Final, Protocol, cast

from adapters.media.film_boxes import Film, read_film
from adapters.media.video_tags import read_tags
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
    """As for pictures. Without PyAV a video has no poster, and what it says of itself only in MOV and MP4: no failure."""
    renderer = _installed()
    if renderer is not None:
        return renderer(file, media_type, limits)
    film = read_film(file) if media_type in BOXED else Film()
    tags = read_tags(film.tags)
    metadata = Metadata(
        place=tags.place,
        camera_make=tags.camera_make,
        camera_model=tags.camera_model,
        duration=film.duration,
        content_identifier=tags.content_identifier,
    )
    return Rendered(metadata, tags.date_claims, proxies=(), blurhash="")


BOXED: Final = frozenset({MediaType.QUICKTIME, MediaType.MP4})


@cache
def _installed() -> VideoRenderer | None:
    """Loaded for the first video only: it takes longer and needs more memory than all else in here."""
    if find_spec("av") is None:
        return None
    return cast("VideoRenderer", import_module("adapters.media.pyav_renderer").render)
