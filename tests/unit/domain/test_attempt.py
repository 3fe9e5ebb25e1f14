"""Which ends are an attempt's own, told again (R15)."""

from typing import Final

import pytest

from domain.attempt import AttemptEnd, EndedAttempt
from domain.events import RunEnd
from domain.failure import Failure
from domain.ids import Attempt
from tests.support.builders import ADA, a_failure, a_reason, a_release, a_retry, a_stop, a_success
from tests.support.clock import START

ENDS: Final[dict[str, RunEnd]] = {
    "success": a_success(Attempt(2)),
    "failure": a_failure(Attempt(2), code="root-unreadable"),
    "retry": a_retry(Attempt(2), code="root-unreadable"),
    "stop": a_stop(Attempt(2)),
    "release": a_release(Attempt(2)),
}


@pytest.mark.parametrize(
    ("how", "failure", "own"),
    [
        (AttemptEnd.SUCCEEDED, None, ["success"]),
        (AttemptEnd.FAILED, "root-unreadable", ["failure"]),
        (AttemptEnd.FAILED, "another", []),
        (AttemptEnd.RETRIED, "root-unreadable", ["retry"]),
        (AttemptEnd.RETRIED, "another", []),
        (AttemptEnd.CANCELLED, None, ["stop", "release"]),
        (AttemptEnd.CANCELLED, "root-unreadable", ["failure", "retry"]),
        (AttemptEnd.RELEASED, None, ["release"]),
        (AttemptEnd.STALLED, None, []),
        (AttemptEnd.STALLED, "root-unreadable", []),
        (AttemptEnd.SUPERSEDED, None, ["release"]),
        (AttemptEnd.SUPERSEDED, "root-unreadable", ["retry"]),
    ],
)
def test_an_end_is_an_attempts_own_if_it_could_have_ended_it_so(
    how: AttemptEnd, failure: str | None, own: list[str]
) -> None:
    ended = an_ended_attempt(how, None if failure is None else a_reason(failure))

    assert [name for name, end in ENDS.items() if ended.is_end_of(end)] == own


def test_an_end_of_another_attempt_is_never_its_own() -> None:
    ended = an_ended_attempt(AttemptEnd.SUCCEEDED)

    assert not ended.is_end_of(a_success(Attempt(1)))
    assert not ended.is_end_of(a_success(Attempt(3)))


def an_ended_attempt(how: AttemptEnd, failure: Failure | None = None) -> EndedAttempt:
    """The second attempt, ended in this way."""
    return EndedAttempt(
        attempt=Attempt(2), claimed_by=ADA, started_at=START, ended_at=START, how=how, failure=failure
    )
