import pytest

from application.handling import CancelToken, PermanentError, ProgressSink, StopReason, WorkError
from domain.progress import Progress


def test_a_token_that_nobody_touched_asks_for_nothing() -> None:
    token = CancelToken()

    assert not token.requested
    assert token.reason is None


@pytest.mark.parametrize("reason", list(StopReason))
def test_every_reason_is_a_request(reason: StopReason) -> None:
    token = CancelToken()

    token.request(reason)

    assert token.requested
    assert token.reason is reason
    assert token.told(reason)


@pytest.mark.parametrize(
    ("first", "second", "weightiest"),
    [
        (StopReason.SHUTTING_DOWN, StopReason.CANCEL_REQUESTED, StopReason.CANCEL_REQUESTED),
        (StopReason.CANCEL_REQUESTED, StopReason.SHUTTING_DOWN, StopReason.CANCEL_REQUESTED),
        (StopReason.CANCEL_REQUESTED, StopReason.FENCED, StopReason.FENCED),
        (StopReason.FENCED, StopReason.SHUTTING_DOWN, StopReason.FENCED),
    ],
)
def test_of_several_reasons_the_weightiest_shows_and_none_is_forgotten(
    first: StopReason, second: StopReason, weightiest: StopReason
) -> None:
    token = CancelToken()

    token.request(first)
    token.request(second)

    assert token.reason is weightiest
    assert token.told(first)
    assert token.told(second)


def test_a_sink_keeps_the_last_report_in_a_form_that_every_store_can_keep() -> None:
    sink = ProgressSink()
    assert sink.latest == Progress(0, None, "")

    sink.report(done=1, total=5)
    sink.report(done=10**30, total=-1, note="3 failed\0")

    assert sink.latest == Progress(2**53 - 1, 0, "3 failed\N{REPLACEMENT CHARACTER}")


def test_an_error_says_its_code_and_its_text() -> None:
    assert str(WorkError("root-unreadable", "It cannot be read.")) == "root-unreadable: It cannot be read."
    assert isinstance(PermanentError("gone", "It is gone."), WorkError)
