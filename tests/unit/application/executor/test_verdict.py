import asyncio
from datetime import timedelta

import pytest

from adapters.codec.payloads import MsgspecPayloadCodec
from application.executor.verdict import REFUSED, Answer, LeftBehind, Verdict, plainer_than
from application.handling import CancelToken, PermanentError, Stopped, StopReason, WorkError
from application.ports.errors import StoreUnavailable
from application.ports.lanes import Raised, Returned
from domain.events import Fail, Release, Retry, RunEnd, Stop, Succeed
from domain.failure import Failure
from domain.ids import Attempt, JsonText
from domain.progress import Progress
from domain.retry import NO_RETRY, Backoff, RetryPolicy
from domain.work_item import WorkItem
from tests.support.builders import a_new_item
from tests.support.clock import START
from tests.support.ids import FixedChance
from tests.support.probes import ProbeResult

SECOND = Attempt(2)
SO_FAR = Progress(done=3, total=9)
TWICE = Backoff(max_retries=2)
AWAY = StoreUnavailable("no answer")
RESULT = JsonText('{"done":3.0}')


def verdict(
    answer: Answer,
    *told: StopReason,
    policy: RetryPolicy = NO_RETRY,
    retries: int = 0,
    stalls: int = 0,
    attempt: Attempt = SECOND,
) -> RunEnd:
    queued = a_new_item().queued_at(START)
    item = WorkItem(
        id=queued.id,
        kind=queued.kind,
        payload=queued.payload,
        storage_config_id=None,
        dedup_key=None,
        requested_by=None,
        requested_at=START,
        updated_at=START,
        attempt=attempt,
        retries=retries,
        stalls=stalls,
    )
    cancel = CancelToken()
    for reason in told:
        cancel.request(reason)
    judge = Verdict(
        item=item,
        policy=policy,
        cancel=cancel,
        progress=SO_FAR,
        codec=MsgspecPayloadCodec(),
        chance=FixedChance(),
    )
    return judge.on(answer)


def failed(code: str, text: str) -> Fail:
    return Fail(SECOND, Failure(code, text), SO_FAR)


def test_a_result_succeeds() -> None:
    assert verdict(Returned(ProbeResult(3))) == Succeed(SECOND, RESULT, SO_FAR)


@pytest.mark.parametrize("told", list(StopReason))
def test_a_result_succeeds_whatever_was_asked_meanwhile(told: StopReason) -> None:
    assert verdict(Returned(ProbeResult(3)), told) == Succeed(SECOND, RESULT, SO_FAR)


def test_stopped_after_a_cancel_request_keeps_the_partial_result() -> None:
    end = verdict(Returned(Stopped(ProbeResult(3))), StopReason.CANCEL_REQUESTED)

    assert end == Stop(SECOND, RESULT, SO_FAR)


def test_stopped_at_a_shutdown_hands_the_item_back() -> None:
    assert verdict(Returned(Stopped(ProbeResult(3))), StopReason.SHUTTING_DOWN) == Release(SECOND)


def test_a_cancel_request_outweighs_a_shutdown() -> None:
    end = verdict(Returned(Stopped(ProbeResult(3))), StopReason.SHUTTING_DOWN, StopReason.CANCEL_REQUESTED)

    assert end == Stop(SECOND, RESULT, SO_FAR)


def test_stopped_without_a_request_is_the_handlers_error() -> None:
    end = verdict(Returned(Stopped(ProbeResult(3))))

    assert end == failed("handler-error", "It stopped without having been asked to.")


def test_a_result_that_cannot_be_encoded_is_a_named_failure() -> None:
    end = verdict(Returned(ProbeResult(float("nan"))))

    assert end == failed("result-invalid", "The result holds a number that is not finite.")


def test_a_partial_result_that_cannot_be_encoded_is_one_too() -> None:
    end = verdict(Returned(Stopped(ProbeResult(float("inf")))), StopReason.CANCEL_REQUESTED)

    assert end == failed("result-invalid", "The result holds a number that is not finite.")


def test_no_result_at_all_is_one_too() -> None:
    end = verdict(Returned(None), policy=TWICE)  # type: ignore[arg-type]

    assert end == failed("result-invalid", "The handler did not return a result.")


def test_a_named_error_keeps_its_words() -> None:
    end = verdict(Raised(WorkError("root-unreadable", "The folder cannot be read.")))

    assert end == failed("root-unreadable", "The folder cannot be read.")


def test_the_words_of_a_named_error_are_cleaned_and_bounded() -> None:
    end = verdict(Raised(WorkError("bad", "\0" * 10_000_000)))

    assert isinstance(end, Fail)
    assert end.failure.text == "\N{REPLACEMENT CHARACTER}" * 3_999 + "…"


def test_any_other_exception_tells_no_more_than_its_type() -> None:
    end = verdict(Raised(FileNotFoundError("/photos/secret.jpg")))

    assert end == failed("handler-error", "FileNotFoundError was raised.")


@pytest.mark.parametrize("error", [SystemExit(1), KeyboardInterrupt(), GeneratorExit(), MemoryError()])
def test_no_exception_is_too_base_to_fail_the_item(error: BaseException) -> None:
    end = verdict(Raised(error))

    assert end == failed("handler-error", f"{type(error).__name__} was raised.")


def test_a_kind_that_retries_is_tried_again_later() -> None:
    end = verdict(Raised(ValueError()), policy=TWICE, retries=1)

    assert end == Retry(SECOND, Failure("handler-error", "ValueError was raised."), timedelta(seconds=60))


def test_with_no_tries_left_the_item_fails() -> None:
    end = verdict(Raised(WorkError("busy", "Try later.")), policy=TWICE, retries=2)

    assert end == failed("busy", "Try later.")


def test_a_permanent_error_is_never_tried_again() -> None:
    end = verdict(Raised(PermanentError("gone", "It is gone.")), policy=TWICE)

    assert end == failed("gone", "It is gone.")


def test_after_a_cancel_request_nothing_is_tried_again() -> None:
    end = verdict(Raised(WorkError("busy", "Try later.")), StopReason.CANCEL_REQUESTED, policy=TWICE)

    assert end == failed("busy", "Try later.")


@pytest.mark.parametrize("policy", [NO_RETRY, TWICE])
def test_a_store_that_is_away_is_no_fault_of_the_item(policy: RetryPolicy) -> None:
    assert verdict(Raised(AWAY), policy=policy) == Release(SECOND)


def test_runs_that_were_counted_already_leave_it_its_patience() -> None:
    assert verdict(Raised(AWAY), attempt=Attempt(25), retries=3, stalls=2) == Release(Attempt(25))


def test_yet_after_twenty_such_runs_it_is_tried_more_and_more_rarely() -> None:
    end = verdict(Raised(AWAY), attempt=Attempt(30), retries=9)

    failure = Failure("store-unavailable", "The store did not answer while it ran.")
    assert end == Retry(Attempt(30), failure, timedelta(minutes=15))


def test_and_not_for_ever() -> None:
    failure = Failure("store-unavailable", "The store did not answer while it ran.")
    assert verdict(Raised(AWAY), attempt=Attempt(31), retries=10) == Fail(Attempt(31), failure, SO_FAR)


def test_a_store_that_is_away_after_a_cancel_request_ends_the_run() -> None:
    end = verdict(Raised(AWAY), StopReason.CANCEL_REQUESTED)

    assert end == failed("store-unavailable", "The store did not answer while it ran.")


@pytest.mark.parametrize("error", [asyncio.CancelledError(), OSError(), StoreUnavailable(), SystemExit()])
def test_what_the_shutdown_tears_down_is_handed_back(error: BaseException) -> None:
    assert verdict(Raised(error), StopReason.SHUTTING_DOWN) == Release(SECOND)


def test_a_named_error_counts_at_a_shutdown_too() -> None:
    end = verdict(Raised(WorkError("root-unreadable", "Gone.")), StopReason.SHUTTING_DOWN)

    assert end == failed("root-unreadable", "Gone.")


def test_a_handler_that_cancels_itself_out_of_the_blue_has_failed() -> None:
    assert verdict(Raised(asyncio.CancelledError())) == failed("handler-error", "CancelledError was raised.")


def test_a_handler_left_behind_has_its_item_handed_back() -> None:
    assert verdict(LeftBehind(), StopReason.SHUTTING_DOWN) == Release(SECOND)


@pytest.mark.parametrize(
    "end",
    [
        Succeed(SECOND, RESULT),
        Stop(SECOND, RESULT),
        Fail(SECOND, Failure("x", "\0")),
        Retry(SECOND, Failure("x", "\0"), timedelta()),
    ],
)
def test_an_end_that_the_store_refuses_has_a_plainer_one(end: RunEnd) -> None:
    assert plainer_than(end) == Fail(SECOND, REFUSED)


@pytest.mark.parametrize("end", [Release(SECOND), Fail(SECOND, REFUSED)])
def test_nothing_is_plainer_than_the_plainest(end: RunEnd) -> None:
    assert plainer_than(end) is None
