from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.codec.payloads import MsgspecPayloadCodec
from application.ports.errors import CodecError
from domain.ids import JsonText, StorageConfigId
from domain.kinds.crawl import CrawlPayload, CrawlResult
from domain.kinds.kind import Kind, WorkPayload, WorkResult
from domain.kinds.token_cleanup import TokenCleanupPayload, TokenCleanupResult
from tests.support.ids import nth_id
from tests.support.probes import ProbeKind

CODEC = MsgspecPayloadCodec()
CONFIG = StorageConfigId(nth_id(7))


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Part:
    part_name: str


@dataclass(frozen=True, slots=True)
class RichPayload(WorkPayload):
    kind: ClassVar[Kind] = ProbeKind.PROBE
    a_colour: Colour = Colour.RED
    at: datetime | None = None
    the_parts: tuple[Part, ...] = ()
    by_name: Mapping[str, Part] = field(default_factory=dict)
    anything: Any = None


@dataclass(frozen=True, slots=True)
class AnyResult(WorkResult):
    anything: Any


def nested(depth: int) -> object:
    tree: object = 1
    for _ in range(depth):
        tree = [tree]
    return tree


def refused(document: str, payload: type[WorkPayload] = CrawlPayload) -> str:
    with pytest.raises(CodecError) as error:
        CODEC.decode_payload(JsonText(document), payload)
    return str(error.value)


def test_names_are_camel_case_in_json() -> None:
    document = CODEC.encode_payload(CrawlPayload(CONFIG, verify=True))

    assert document == '{"storageConfigId":"00000000-0007-7000-8000-000000000000","verify":true}'
    assert CODEC.decode_payload(document, CrawlPayload) == CrawlPayload(CONFIG, verify=True)


def test_what_is_left_out_has_its_default() -> None:
    document = JsonText('{"storageConfigId":"00000000-0007-7000-8000-000000000000"}')

    assert CODEC.decode_payload(document, CrawlPayload) == CrawlPayload(CONFIG, verify=False)


@dataclass(frozen=True, slots=True)
class OldCrawlPayload(WorkPayload):
    kind: ClassVar[Kind] = ProbeKind.PROBE
    storage_config_id: StorageConfigId


def test_an_older_worker_reads_what_asks_for_nothing_that_it_does_not_know() -> None:  # S-11
    document = CODEC.encode_payload(CrawlPayload(CONFIG))

    assert CODEC.decode_payload(document, OldCrawlPayload) == OldCrawlPayload(CONFIG)


def test_an_older_worker_refuses_what_asks_for_more_than_it_knows() -> None:  # S-11
    document = CODEC.encode_payload(CrawlPayload(CONFIG, accept_removals=True))

    assert refused(document, OldCrawlPayload) == "Object contains an unknown field."


def test_records_in_records_come_back_as_they_were() -> None:
    payload = RichPayload(
        at=datetime(2025, 3, 1, tzinfo=UTC),
        the_parts=(Part("a_b"),),
        by_name={"left_over": Part("c")},
        anything=[1, "x", None, {"y": 1.5}],
    )

    document = CODEC.encode_payload(payload)

    assert document == (
        '{"at":"2025-03-01T00:00:00Z","theParts":[{"partName":"a_b"}],'
        '"byName":{"left_over":{"partName":"c"}},"anything":[1,"x",null,{"y":1.5}]}'
    )
    assert CODEC.decode_payload(document, RichPayload) == payload


def test_the_keys_of_a_mapping_are_values_and_stay_as_they_are() -> None:
    result = CrawlResult(1, 1, 0, 0, 0, 0, 0, 0, 1, {"too_many_pixels": 1})

    assert '"failedByReason":{"too_many_pixels":1}' in CODEC.encode_result(result)


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ("", "The payload is not JSON."),
        ("{", "The payload is not JSON."),
        ('{"verify":NaN}', "The payload is not JSON."),
        ('{"verify":Infinity}', "The payload is not JSON."),
        ('{"verify":1e999}', "The payload is not JSON."),
        ('"\ud800"', "The payload is not JSON."),
        ("[]", "Expected `object`, got `array`."),
        ("{}", "Object missing required field `storageConfigId`."),
        ('{"storageConfigId":5}', "Expected `uuid`, got `int`, at $.storageConfigId."),
        ('{"storageConfigId":"/photos/secret"}', "Invalid UUID, at $.storageConfigId."),
        ('{"storageConfigId":9007199254740992}', "The payload holds a whole number beyond 9007199254740991."),
        ("[" * 33 + "]" * 33, "The payload is more than 32 levels deep."),
        ("[" * 100_000 + "]" * 100_000, "The payload is more than 32 levels deep."),
        ('"' + "x" * 524_288 + '"', "The payload is larger than 512 KiB."),
    ],
)
def test_what_does_not_fit_is_refused_in_plain_words(document: str, told: str) -> None:
    assert refused(document) == told


def test_unknown_fields_are_refused_and_not_repeated() -> None:
    assert refused('{"/photos/secret":1}', TokenCleanupPayload) == "Object contains an unknown field."


def test_names_as_they_stand_in_code_are_unknown_fields() -> None:
    document = f'{{"storage_config_id":"{CONFIG}"}}'

    assert refused(document) == "Object contains an unknown field."


def test_a_wrong_word_is_refused_and_not_repeated() -> None:
    assert refused('{"aColour":"/photos/secret"}', RichPayload) == "Invalid enum value, at $.aColour."


@pytest.mark.parametrize("place", ['"byName":{"/photos/secret":1}', '"theParts":[{"secret":1}]'])
def test_no_key_of_the_document_is_told(place: str) -> None:
    assert "secret" not in refused(f"{{{place}}}", RichPayload)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text() | st.just("/photos/secret"),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    )
)
def test_whatever_comes_is_either_kept_exactly_or_refused_by_name(tree: object) -> None:
    try:
        document = CODEC.encode_payload(RichPayload(anything=tree))
    except CodecError as error:
        told = str(error)
    else:
        told = "kept"
        again = CODEC.decode_payload(document, RichPayload)
        assert CODEC.encode_payload(again) == document

    assert told == "kept" or told.startswith("The payload holds a ")


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (AnyResult(float("nan")), "The result holds a number that is not finite."),
        (AnyResult(float("inf")), "The result holds a number that is not finite."),
        (AnyResult([{"x": float("-inf")}]), "The result holds a number that is not finite."),
        (AnyResult(2**53), "The result holds a whole number beyond 9007199254740991."),
        (AnyResult(-(2**63)), "The result holds a whole number beyond 9007199254740991."),
        (AnyResult(10**40), "The result holds a whole number beyond 9007199254740991."),
        (AnyResult(({"x": (2**53,)},)), "The result holds a whole number beyond 9007199254740991."),
        (AnyResult((float("nan"),)), "The result holds a number that is not finite."),
        (AnyResult((nested(31),)), "The result is more than 32 levels deep."),
        (AnyResult(nested(32)), "The result is more than 32 levels deep."),
        (AnyResult("x" * 65_536), "The result is larger than 64 KiB."),
    ],
)
def test_a_result_that_cannot_be_kept_is_refused_by_name(result: WorkResult, told: str) -> None:
    with pytest.raises(CodecError) as error:
        CODEC.encode_result(result)
    assert str(error.value) == told


@pytest.mark.parametrize(("value", "its_type"), [("/photos/secret", "str"), (object(), "object")])
def test_a_result_is_held_to_its_own_types(value: Any, its_type: str) -> None:  # noqa: ANN401 -- a wrong one
    with pytest.raises(CodecError) as error:
        CODEC.encode_result(TokenCleanupResult(value))

    told = f"The result cannot be written: Expected `int`, got `{its_type}`, at $.deleted."
    assert str(error.value) == told


@pytest.mark.parametrize("value", [nested(31), 2**53 - 1, -(2**53) + 1, 1.5e300, "x" * 65_000, True, None])
def test_what_is_just_within_the_bounds_is_kept(value: object) -> None:
    assert CODEC.encode_result(AnyResult(value)).startswith('{"anything":')


def test_an_object_that_json_does_not_know_is_refused() -> None:
    with pytest.raises(CodecError, match=r"^The result cannot be written: It does not fit its type\.$"):
        CODEC.encode_result(AnyResult(object()))


def test_a_result_that_holds_itself_is_refused() -> None:
    tree: list[Any] = []
    tree.append(tree)

    with pytest.raises(CodecError):
        CODEC.encode_result(AnyResult(tree))


def test_texts_and_keys_are_cleaned_on_their_way_in() -> None:
    result = AnyResult({"a\0": "b\ud800\u202e\x1b[31m\n", "c": ("\0",)})

    assert (
        CODEC.encode_result(result) == '{"anything":{"a\ufffd":"b\ufffd\ufffd\ufffd[31m\\n","c":["\ufffd"]}}'
    )
