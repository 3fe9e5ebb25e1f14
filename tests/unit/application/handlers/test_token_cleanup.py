from datetime import timedelta

from adapters.memory.database import MemoryDatabase
from adapters.memory.refresh_tokens import MemoryRefreshTokens
from adapters.memory.session_rows import SessionRow, TokenRow
from adapters.memory.sign_in_failures import FailureRow, MemorySignInFailures
from application.handlers.token_cleanup import TokenCleanupHandler
from application.handling import Run, Stopped, StopReason
from application.ports.refresh_tokens import TokenDigest
from application.ports.sign_in_failures import Suspect
from domain.attempt import RunId
from domain.ids import Attempt, SessionId, UserId
from domain.kinds.token_cleanup import TokenCleanupPayload, TokenCleanupResult
from domain.progress import Progress
from tests.support.builders import an_id
from tests.support.clock import START, ManualClock
from tests.support.ids import nth_id

LATER = START + timedelta(seconds=1)


def a_run() -> Run[TokenCleanupPayload]:
    return Run(RunId(an_id(), Attempt(1)), TokenCleanupPayload())


class Shelf:
    """Tokens and counts, some of them over."""

    def __init__(self, *, expired: int, valid: int, failures: int = 0) -> None:
        self.database = MemoryDatabase(ManualClock())
        self.failures = MemorySignInFailures(self.database)
        self.handler = TokenCleanupHandler(MemoryRefreshTokens(self.database), self.failures)
        for number in range(expired + valid):
            session = SessionId(nth_id(number))
            self.database.sessions[session] = SessionRow(UserId(nth_id(1)), LATER)
            expires_at = START if number < expired else LATER
            digest = TokenDigest(number.to_bytes(32))
            self.database.refresh_tokens[digest] = TokenRow(nth_id(number), session, expires_at)
        for number in range(failures):
            self.failures.rows[Suspect(str(number))] = FailureRow(1, START)
        self.failures.rows[Suspect("somebody")] = FailureRow(1, LATER)

    @property
    def left(self) -> tuple[int, int, int]:
        """How many tokens, sessions and counts there are."""
        database = self.database
        return len(database.refresh_tokens), len(database.sessions), len(self.failures.rows)


async def test_what_is_over_goes_and_the_rest_stays() -> None:
    shelf = Shelf(expired=2_500, valid=7, failures=1_001)
    run = a_run()

    result = await shelf.handler.handle(run)

    assert result == TokenCleanupResult(2_500)
    assert shelf.left == (7, 7, 1)
    assert run.progress.latest == Progress(2_500)


async def test_a_second_run_converges() -> None:
    shelf = Shelf(expired=3, valid=7, failures=2)
    await shelf.handler.handle(a_run())

    assert await shelf.handler.handle(a_run()) == TokenCleanupResult(0)
    assert shelf.left == (7, 7, 1)


async def test_it_stops_between_batches_when_asked_to_and_another_run_does_the_rest() -> None:
    shelf = Shelf(expired=2_500, valid=7, failures=1)
    run = a_run()
    run.cancel.request(StopReason.CANCEL_REQUESTED)

    assert await shelf.handler.handle(run) == Stopped(TokenCleanupResult(1_000))
    assert await shelf.handler.handle(a_run()) == TokenCleanupResult(1_500)
    assert shelf.left == (7, 7, 1)


async def test_it_stops_between_batches_of_counts_too() -> None:
    shelf = Shelf(expired=0, valid=1, failures=2_000)
    run = a_run()
    run.cancel.request(StopReason.CANCEL_REQUESTED)

    assert await shelf.handler.handle(run) == Stopped(TokenCleanupResult(0))
    assert shelf.left == (1, 1, 1_001)
