"""What files say of themselves: packets, notes and old habits."""

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from adapters.media.apple_note import content_identifier
from adapters.media.isolated_renderer import IsolatedRenderer
from domain.media.capture_date import DateClaim, DateSource
from tests.support.photos import REAL_PHOTOS, a_jpeg, a_renderer, encoded, exif, well_rendered, written

ORIGINAL, DIGITIZED, MAKER_NOTE = 0x9003, 0x9004, 0x927C
SUBSECONDS, SUBSECONDS_DIGITIZED, OFFSET_DIGITIZED = 0x9291, 0x9292, 0x9012

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def renderer() -> AsyncIterator[IsolatedRenderer]:
    async with a_renderer() as one:
        yield one


def packet(attributes: str = "", elements: str = "") -> bytes:
    """An XMP packet of one description."""
    return (
        '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>'
        f'<rdf:Description rdf:about="" {attributes}>{elements}</rdf:Description>'
        '</rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
    ).encode()


@pytest.mark.parametrize(
    ("attributes", "elements", "texts"),
    [
        ('exif:DateTimeOriginal="2019-07-08T12:34:56.78+02:00"', "", ["2019-07-08T12:34:56.78+02:00"]),
        ("", "<exif:DateTimeOriginal>2019-07-08T12:34:56Z</exif:DateTimeOriginal>", ["2019-07-08T12:34:56Z"]),
        ("photoshop:DateCreated='2019-07-08'", "", ["2019-07-08"]),
        ("", "<photoshop:DateCreated>2019-07-08T12:34</photoshop:DateCreated>", ["2019-07-08T12:34"]),
        ('xmp:CreateDate = "2019-07-08T12:34:56"', "", ["2019-07-08T12:34:56"]),
        ("", "<xap:CreateDate>2019-07-08T12:34:56</xap:CreateDate>", ["2019-07-08T12:34:56"]),
        (
            'xmp:CreateDate="2017-01-01T00:00:01" photoshop:DateCreated="2018-01-01T00:00:01"',
            "<exif:DateTimeOriginal>2019-01-01T00:00:01</exif:DateTimeOriginal>",
            ["2019-01-01T00:00:01", "2018-01-01T00:00:01", "2017-01-01T00:00:01"],
        ),
        ('xmp:ModifyDate="2021-01-01T00:00:01" xmp:MetadataDate="2021-01-01T00:00:01"', "", []),
        ('xmp:CreateDate=""', "", []),
    ],
)
@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP", "TIFF"])
async def test_xmp_dates_are_read_as_attributes_and_as_elements(  # noqa: PLR0913, PLR0917 -- one a column
    renderer: IsolatedRenderer,
    tmp_path: Path,
    file_format: str,
    attributes: str,
    elements: str,
    texts: list[str],
) -> None:
    content = with_packet(file_format, packet(attributes, elements))

    picture = await well_rendered(renderer, written(tmp_path / "photo", content))

    assert picture.date_claims == tuple(DateClaim(DateSource.XMP, text) for text in texts)


def with_packet(file_format: str, content: bytes) -> bytes:
    image = Image.new("RGB", (8, 8))
    if file_format == "PNG":
        chunks = PngInfo()
        chunks.add_itxt("XML:com.adobe.xmp", content.decode())
        return encoded(image, "PNG", pnginfo=chunks)
    if file_format == "TIFF":
        return encoded(image, "TIFF", tiffinfo={700: content})
    return encoded(image, file_format, xmp=content)


async def test_each_exif_date_goes_with_its_own_fraction_and_offset(
    renderer: IsolatedRenderer, tmp_path: Path
) -> None:
    details = {
        ORIGINAL: "2019:07:08 12:34:56",
        SUBSECONDS: "1",
        DIGITIZED: "2020:07:08 12:34:56",
        SUBSECONDS_DIGITIZED: "2",
        OFFSET_DIGITIZED: "+03:00",
    }

    picture = await well_rendered(renderer, written(tmp_path / "photo", a_jpeg(exif=exif({}, details))))

    assert picture.date_claims == (
        DateClaim(DateSource.EXIF_ORIGINAL, "2019:07:08 12:34:56", "1", ""),
        DateClaim(DateSource.EXIF_DIGITIZED, "2020:07:08 12:34:56", "2", "+03:00"),
    )


IDENTIFIER = "1745E022-9712-43C7-B024-F308EC6413CB"


def note(identifier: bytes = IDENTIFIER.encode()) -> bytes:
    """Apple's note with nothing in it but an identifier."""
    text = identifier + b"\0"
    entry = b"\0\x11" + b"\0\x02" + len(text).to_bytes(4, "big") + (14 + 2 + 12 + 4).to_bytes(4, "big")
    return b"Apple iOS\0\0\x01MM" + b"\0\x01" + entry + bytes(4) + text


async def test_a_jpeg_half_of_a_live_photo_has_its_identifier_too(
    renderer: IsolatedRenderer, tmp_path: Path
) -> None:
    content = a_jpeg(exif=exif({}, {MAKER_NOTE: note()}))

    picture = await well_rendered(renderer, written(tmp_path / "photo", content))

    assert picture.metadata.content_identifier == IDENTIFIER


@pytest.mark.parametrize(
    ("written_note", "identifier"),
    [
        (note(), IDENTIFIER),
        (note(IDENTIFIER.lower().encode()), IDENTIFIER),
        (note(b"<script>"), ""),
        (note(b"A" * 65), ""),
        (note()[:20], ""),
        (note()[:-20], ""),
        (b"Nikon\0" + note()[10:], ""),
        (b"", ""),
        (None, ""),
        ("Apple iOS", ""),
    ],
)
async def test_a_note_that_makes_no_sense_says_nothing(written_note: object, identifier: str) -> None:
    assert content_identifier(written_note) == identifier


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("seed", range(50))
async def test_no_damage_to_a_note_raises(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 -- damage, not secrets
    damaged = bytearray(note())
    for _ in range(4):
        damaged[dice.randrange(14, len(damaged))] = dice.randrange(256)

    identifier = content_identifier(bytes(damaged))

    assert len(identifier) <= 64


async def test_a_file_that_calls_itself_something_else_is_what_its_bytes_are(
    renderer: IsolatedRenderer, tmp_path: Path
) -> None:
    lying = written(tmp_path / "photo.mov", (REAL_PHOTOS / "gps_paris.jpg").read_bytes())

    assert (await well_rendered(renderer, lying)).metadata.camera_model == "FinePixS2Pro"
