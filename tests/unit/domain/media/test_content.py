import pytest

from domain.media.content import ContentHash, MediaType, media_type_of


def brands(main: bytes, *others: bytes) -> bytes:
    content = b"ftyp" + main + b"\0\0\0\0" + b"".join(others)
    return (len(content) + 4).to_bytes(4, "big") + content


@pytest.mark.parametrize(
    ("head", "media_type"),
    [
        (b"\xff\xd8\xff\xe1", MediaType.JPEG),
        (b"\x89PNG\r\n\x1a\n", MediaType.PNG),
        (b"GIF89a", MediaType.GIF),
        (b"GIF87a", MediaType.GIF),
        (b"RIFF\x10\0\0\0WEBPVP8 ", MediaType.WEBP),
        (b"II*\0", MediaType.TIFF),
        (b"MM\0*", MediaType.TIFF),
        (b"II+\0\x08\0\0\0", MediaType.TIFF),
        (b"BM6\0", MediaType.BMP),
        (brands(b"heic", b"mif1", b"heic"), MediaType.HEIC),
        (brands(b"mif1", b"mif1", b"heic"), MediaType.HEIC),
        (brands(b"mif1", b"mif1", b"avif"), MediaType.AVIF),
        (brands(b"avif", b"avif"), MediaType.AVIF),
        (brands(b"qt  "), MediaType.QUICKTIME),
        (brands(b"isom", b"mp41"), MediaType.MP4),
        (b"\0\0\0\x08wide\0\0\x10\0mdat", MediaType.QUICKTIME),
        (b"RIFF\x10\0\0\0AVI LIST", MediaType.AVI),
        (b"\x1a\x45\xdf\xa3", MediaType.MATROSKA),
        (b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", MediaType.WMV),
    ],
)
def test_content_tells_the_type(head: bytes, media_type: MediaType) -> None:
    assert media_type_of(head) is media_type


@pytest.mark.parametrize(
    "head", [b"", b"\xff", b"<html>", b"%!PS-Adobe", b"8BPS", b"\0" * 64, b"RIFF\0\0\0\0WAVE", b"\0\0\0"]
)
def test_anything_else_is_nothing_known(head: bytes) -> None:
    assert media_type_of(head) is None


def test_a_lying_box_length_is_bounded_by_what_is_there() -> None:
    assert media_type_of(b"\xff\xff\xff\xffftypmif1\0\0\0\0avif") is MediaType.AVIF
    assert media_type_of(b"\0\0\0\0ftypmif1") is MediaType.HEIC


def test_a_hash_has_32_bytes() -> None:
    assert ContentHash(b"\x0f" * 32).hexadecimal == "0f" * 32
    with pytest.raises(ValueError, match="32 bytes, not 31"):
        ContentHash(b"\x0f" * 31)


def test_what_runs_is_a_video() -> None:
    assert [one for one in MediaType if one.is_video] == [
        MediaType.QUICKTIME,
        MediaType.MP4,
        MediaType.AVI,
        MediaType.MATROSKA,
        MediaType.WMV,
    ]
