from datetime import timedelta

from adapters.memory.database import MemoryDatabase
from adapters.memory.refresh_tokens import MemoryRefreshTokens
from application.handlers.token_cleanup import TokenCleanupHandler
from application.handling import Run, RunId, Stopped, StopReason
from domain.ids import Attempt
from domain.kinds.token_cleanup import TokenCleanupPayload, TokenCleanupResult
from domain.progress import Progress
from tests.support.builders import an_id
from tests.support.clock import START, ManualClock
from tests.support.ids import nth_id


def a_run() -> Run[TokenCleanupPayload]:
    return Run(RunId(an_id(), Attempt(1)), TokenCleanupPayload())


def tokens(*, expired: int, valid: int) -> MemoryRefreshTokens:
    tokens = MemoryRefreshTokens(MemoryDatabase(ManualClock()))
    for number in range(expired):
        tokens.expiries[nth_id(number)] = START
    for number in range(valid):
        tokens.expiries[nth_id(expired + number)] = START + timedelta(seconds=1)
    return tokens


async def test_expired_tokens_go_and_valid_ones_stay() -> None:
    kept = tokens(expired=2_500, valid=7)
    run = a_run()

    result = await TokenCleanupHandler(kept).handle(run)

    assert result == TokenCleanupResult(2_500)
    assert len(kept.expiries) == 7
    assert run.progress.latest == Progress(2_500)


async def test_a_second_run_converges() -> None:
    kept = tokens(expired=3, valid=7)
    handler = TokenCleanupHandler(kept)
    await handler.handle(a_run())

    assert await handler.handle(a_run()) == TokenCleanupResult(0)
    assert len(kept.expiries) == 7


async def test_it_stops_between_batches_when_asked_to_and_another_run_does_the_rest() -> None:
    kept = tokens(expired=2_500, valid=7)
    handler = TokenCleanupHandler(kept)
    run = a_run()
    run.cancel.request(StopReason.CANCEL_REQUESTED)

    assert await handler.handle(run) == Stopped(TokenCleanupResult(1_000))
    assert await handler.handle(a_run()) == TokenCleanupResult(1_500)
    assert len(kept.expiries) == 7
