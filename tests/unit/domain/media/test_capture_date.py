from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.media.capture_date import CaptureDate, DateClaim, DateSource, capture_date
from domain.media.name_date import claim_of_file_time, claim_of_name

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
SUMMER_IN_BERLIN = timezone(timedelta(hours=2))


def settled(*claims: DateClaim | None) -> CaptureDate | None:
    return capture_date([claim for claim in claims if claim is not None], now=NOW, zone=SUMMER_IN_BERLIN)


def original(text: str, subseconds: str = "", offset: str = "") -> DateClaim:
    return DateClaim(DateSource.EXIF_ORIGINAL, text, subseconds, offset)


def wall_time_of(captured: CaptureDate | None) -> time | None:
    return None if captured is None else captured.wall_time


def offset_of(captured: CaptureDate | None) -> timedelta | None:
    return None if captured is None else captured.offset


def source_of(captured: CaptureDate | None) -> DateSource | None:
    return None if captured is None else captured.source


def day_of(captured: CaptureDate | None) -> date | None:
    return None if captured is None else captured.day


def test_the_local_wall_time_is_kept_as_it_was_written() -> None:
    captured = settled(original("2025:09:07 23:30:43", "472", "-04:00"))

    assert captured == CaptureDate(
        day=date(2025, 9, 7),
        wall_time=time(23, 30, 43, 472_000),
        offset=timedelta(hours=-4),
        source=DateSource.EXIF_ORIGINAL,
    )


@pytest.mark.parametrize(
    ("subseconds", "microseconds"),
    [
        ("0532", 53_200),
        ("5", 500_000),
        ("780685", 780_685),
        ("123456789", 123_456),
        ("40  ", 400_000),
        ("", 0),
        ("x", 0),
    ],
)
def test_subseconds_are_digits_after_the_point(subseconds: str, microseconds: int) -> None:
    captured = settled(original("2019:09:26 16:38:00", subseconds))

    assert wall_time_of(captured) == time(16, 38, 0, microseconds)


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("+05:45", timedelta(hours=5, minutes=45)),
        ("-0330", -timedelta(hours=3, minutes=30)),
        ("+14:00", timedelta(hours=14)),
        ("Z", timedelta()),
        ("+02:00\0", timedelta(hours=2)),
        ("   :  ", None),
        ("+2", None),
        ("+99:00", None),
        ("", None),
    ],
)
def test_offsets_are_read_and_blanks_are_unknown(text: str, offset: timedelta | None) -> None:
    captured = settled(original("2019:09:26 16:38:00", offset=text))

    assert day_of(captured) == date(2019, 9, 26)
    assert offset_of(captured) == offset


@pytest.mark.parametrize(
    "text",
    [
        "2019:09:26 16:38:00",
        "2019-09-26T16:38:00",
        "2019/09/26 16:38:00",
        "2019:09:26 16:38",
        "2019:9:26 16:38:00\0\0",
        " 2019.09.26 16:38:00 ",
        "2019-09-26T16:38:00.000",
    ],
)
def test_dates_are_read_in_the_ways_that_cameras_write_them(text: str) -> None:
    captured = settled(original(text))

    assert (day_of(captured), wall_time_of(captured)) == (date(2019, 9, 26), time(16, 38))


def test_a_date_may_bring_its_own_fraction_and_offset() -> None:
    captured = settled(DateClaim(DateSource.XMP, "2017-03-13T23:03:09.25-07:00"))

    assert wall_time_of(captured) == time(23, 3, 9, 250_000)
    assert offset_of(captured) == timedelta(hours=-7)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "    :  :     :  :  ",
        ":  :     :  :",
        "0000:00:00 00:00:00",
        "2019:13:01 00:00:00",
        "2019:02:30 10:00:00",
        "2019:01:01 25:00:00",
        "2019",
        "2019:09",
        "yesterday",
        "\uff12\uff10\uff11\uff19:09:26 16:38:00",
    ],
)
def test_what_is_no_date_counts_as_missing(text: str) -> None:
    assert settled(original(text)) is None


@pytest.mark.parametrize(
    "text",
    [
        "0001:01:01 00:00:00",
        "1825:12:31 23:59:59",
        "1970:01:01 00:00:00",
        "1980:01:01 00:00:00",
        "2002:12:08 12:00:00",
        "2026:06:03 12:00:01",
        "2099:09:29 10:10:10",
    ],
)
def test_a_date_that_nobody_can_have_taken_a_picture_at_is_passed_over(text: str) -> None:
    fallback = DateClaim(DateSource.EXIF_DIGITIZED, "2003:09:10 20:59:18")

    assert source_of(settled(original(text), fallback)) is DateSource.EXIF_DIGITIZED


@pytest.mark.parametrize("text", ["1826:01:01 00:00:00", "1970:01:01 00:00:01", "2026:06:02 11:59:59"])
def test_dates_just_inside_the_bounds_are_believed(text: str) -> None:
    assert source_of(settled(original(text))) is DateSource.EXIF_ORIGINAL


def test_tomorrow_is_judged_with_the_offset_of_the_date() -> None:
    # 13:00 at +14:00 on the 2nd is 23:00 UTC on the 1st; without an offset the day of grace would be over.
    assert settled(original("2026:06:02 13:00:00")) is None
    assert settled(original("2026:06:02 13:00:00", offset="+14:00")) is not None


def test_sources_are_trusted_in_their_order_whatever_order_they_come_in() -> None:
    claims = [
        DateClaim(DateSource.MODIFIED, "2016:01:01 00:00:01", offset="Z"),
        DateClaim(DateSource.FILE_NAME, "2015:01:01 00:00:01"),
        DateClaim(DateSource.GPS, "2014:01:01 00:00:01", offset="Z"),
        DateClaim(DateSource.VIDEO_HEADER, "2013-07-01T00:00:01.000000Z"),
        DateClaim(DateSource.QUICKTIME, "2013-06-01T00:00:01+0200"),
        DateClaim(DateSource.XMP, "2013:01:01 00:00:01"),
        DateClaim(DateSource.EXIF_DIGITIZED, "2012:01:01 00:00:01"),
        original("2011:01:01 00:00:01"),
    ]

    order = []
    while claims:
        order.append(source_of(settled(*claims)))
        claims.pop()

    assert order == [
        DateSource.EXIF_ORIGINAL,
        DateSource.EXIF_DIGITIZED,
        DateSource.XMP,
        DateSource.QUICKTIME,
        DateSource.VIDEO_HEADER,
        DateSource.GPS,
        DateSource.FILE_NAME,
        DateSource.MODIFIED,
    ]


def test_a_videos_own_date_is_local_and_the_one_in_its_header_becomes_so() -> None:
    by_phone = settled(DateClaim(DateSource.QUICKTIME, "2020-05-04T22:39:11-0400"))
    by_header = settled(DateClaim(DateSource.VIDEO_HEADER, "2020-05-04T22:39:11.000000Z"))

    assert by_phone == CaptureDate(
        date(2020, 5, 4), time(22, 39, 11), timedelta(hours=-4), DateSource.QUICKTIME
    )
    assert by_header == CaptureDate(
        date(2020, 5, 5), time(0, 39, 11), timedelta(hours=2), DateSource.VIDEO_HEADER
    )


@pytest.mark.parametrize("text", ["1904-01-01T00:00:00.000000Z", "1970-01-01T00:00:00.000000Z", "1989-12-31"])
def test_the_zero_of_a_videos_clock_is_no_date(text: str) -> None:
    assert settled(DateClaim(DateSource.VIDEO_HEADER, text)) is None


def test_a_scanned_picture_of_1904_is_believed() -> None:
    assert source_of(settled(original("1904:01:01 00:00:00"))) is DateSource.EXIF_ORIGINAL


def test_satellite_time_becomes_the_time_of_the_librarys_zone() -> None:
    captured = settled(DateClaim(DateSource.GPS, "2019:07:08 22:30:00", offset="Z"))

    assert captured == CaptureDate(date(2019, 7, 9), time(0, 30), timedelta(hours=2), DateSource.GPS)


@pytest.mark.parametrize(
    ("name", "day", "wall_time"),
    [
        ("IMG_20190708_123456.jpg", date(2019, 7, 8), time(12, 34, 56)),
        ("IMG_20190708_123456_HDR.jpg", date(2019, 7, 8), time(12, 34, 56)),
        ("VID-20190708-WA0001.mp4", date(2019, 7, 8), time(0, 0)),
        ("20190708_123456.jpg", date(2019, 7, 8), time(12, 34, 56)),
        ("2019-07-08 12.34.56.jpg", date(2019, 7, 8), time(12, 34, 56)),
        ("Screenshot_2019-07-08-12-34-56.png", date(2019, 7, 8), time(12, 34, 56)),
        ("IMG20190708123456.jpg", date(2019, 7, 8), time(12, 34, 56)),
        ("signal-2019-07-08-123456.jpg", date(2019, 7, 8), time(12, 34, 56)),
        ("WhatsApp Image 2019-07-08 at 12.34.56.jpeg", date(2019, 7, 8), time(12, 34, 56)),
        ("Photo 2019-07-08, 12 34 56.jpg", date(2019, 7, 8), time(0, 0)),
        # Pixel phones write UTC: in Berlin it was two hours later.
        ("PXL_20190708_223456789.jpg", date(2019, 7, 9), time(0, 34, 56, 789_000)),
    ],
)
def test_a_date_in_the_file_name_is_read(name: str, day: date, wall_time: time) -> None:
    captured = settled(claim_of_name(name))

    assert (day_of(captured), wall_time_of(captured)) == (day, wall_time)
    assert source_of(captured) is DateSource.FILE_NAME


@pytest.mark.parametrize(
    "name",
    [
        "DSC_0001.jpg",
        "20191399_000000.jpg",
        "120190708.jpg",
        "201907081.jpg",
        "3f20190708ab.jpg",
        "2019-0708.jpg",
        "IMG_30190708.jpg",
    ],
)
def test_numbers_that_only_look_like_a_date_are_none(name: str) -> None:
    assert settled(claim_of_name(name)) is None


def test_the_file_time_is_the_last_resort_and_local() -> None:
    captured = settled(claim_of_file_time(1_562_625_296_123_456_789))

    assert captured == CaptureDate(
        date(2019, 7, 9), time(0, 34, 56, 123_456), timedelta(hours=2), DateSource.MODIFIED
    )


@pytest.mark.parametrize("seconds", [-1, 0, 315_532_800, 600_000_000, 2**33, 2**40, 2**62])
def test_a_file_time_from_before_digital_cameras_or_from_the_future_is_none(seconds: int) -> None:
    assert settled(claim_of_file_time(seconds * 1_000_000_000)) is None


@given(
    st.builds(DateClaim, st.sampled_from(DateSource), st.text(), st.text(), st.text()),
    st.integers(-1440, 1440),
)
def test_no_claim_can_fail_a_file(claim: DateClaim, minutes: int) -> None:
    zone = timezone(timedelta(minutes=max(-1439, min(1439, minutes))))

    capture_date([claim], now=NOW, zone=zone)


@given(st.text(alphabet="0123456789-:+ TZ._IMGPXL", max_size=40), st.sampled_from(DateSource))
def test_nothing_that_looks_like_a_date_can_fail_a_file_either(text: str, source: DateSource) -> None:
    settled(DateClaim(source, text, subseconds=text, offset=text), claim_of_name(text))


@given(st.integers(-(2**63), 2**63 - 1))
def test_no_file_time_can_fail_a_file(mtime_ns: int) -> None:
    settled(claim_of_file_time(mtime_ns))
