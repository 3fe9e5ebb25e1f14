"""What a file's bytes say it is, and which bytes they are."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

HASH_BYTES: Final = 32

HEAD_BYTES: Final = 128
"""As many bytes from a file's start as `media_type_of` looks at."""


@dataclass(frozen=True, slots=True)
class ContentHash:
    """BLAKE3-256 of all bytes of a file."""

    digest: bytes

    def __post_init__(self) -> None:
        """Refuse anything that is not 32 bytes."""
        if len(self.digest) != HASH_BYTES:
            raise ValueError(f"a content hash has {HASH_BYTES} bytes, not {len(self.digest)}")

    @property
    def hexadecimal(self) -> str:
        """64 lower-case digits."""
        return self.digest.hex()


class MediaType(StrEnum):
    """What is recognised. Recognised need not mean that it can be rendered."""

    JPEG = "image/jpeg"
    PNG = "image/png"
    GIF = "image/gif"
    WEBP = "image/webp"
    TIFF = "image/tiff"
    BMP = "image/bmp"
    HEIC = "image/heic"
    AVIF = "image/avif"
    QUICKTIME = "video/quicktime"
    MP4 = "video/mp4"
    AVI = "video/x-msvideo"
    MATROSKA = "video/x-matroska"
    WMV = "video/x-ms-wmv"

    @property
    def is_video(self) -> bool:
        """Whether it runs; everything else is a picture."""
        return self.startswith("video/")


def media_type_of(head: bytes) -> MediaType | None:
    """What a file that starts with `head` is, whatever its name says; None when it is nothing known."""
    for start, media_type in STARTS:
        if head.startswith(start):
            return media_type
    if head.startswith(b"RIFF"):
        return RIFF_FORMS.get(head[8:12])
    if head[4:8] == b"ftyp":
        return _of_brands(head)
    if head[4:8] in QUICKTIME_ATOMS:
        return MediaType.QUICKTIME
    return None


STARTS: Final = (
    (b"\xff\xd8\xff", MediaType.JPEG),
    (b"\x89PNG\r\n\x1a\n", MediaType.PNG),
    (b"GIF87a", MediaType.GIF),
    (b"GIF89a", MediaType.GIF),
    (b"II*\0", MediaType.TIFF),
    (b"MM\0*", MediaType.TIFF),
    (b"II+\0", MediaType.TIFF),
    (b"MM\0+", MediaType.TIFF),
    (b"BM", MediaType.BMP),
    (b"\x1a\x45\xdf\xa3", MediaType.MATROSKA),
    (b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", MediaType.WMV),
)
RIFF_FORMS: Final = {b"WEBP": MediaType.WEBP, b"AVI ": MediaType.AVI}
HEIC_BRANDS: Final = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"})
AVIF_BRANDS: Final = frozenset({b"avif", b"avis"})
GENERIC_PICTURE_BRANDS: Final = frozenset({b"mif1", b"msf1", b"mif2"})
QUICKTIME_ATOMS: Final = frozenset({b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot"})
"""First atoms of QuickTime files from before there was a `ftyp` atom."""


def _of_brands(head: bytes) -> MediaType:
    """An ISO base media file says in its first box what it can be read as: the main brand, then others."""
    end = min(int.from_bytes(head[:4], "big"), len(head))
    main, others = head[8:12], {head[at : at + 4] for at in range(16, end - 3, 4)}
    if main in AVIF_BRANDS or (main in GENERIC_PICTURE_BRANDS and others & AVIF_BRANDS):
        return MediaType.AVIF
    if main in HEIC_BRANDS | GENERIC_PICTURE_BRANDS:
        return MediaType.HEIC
    return MediaType.QUICKTIME if main == b"qt  " else MediaType.MP4
