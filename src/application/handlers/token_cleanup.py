"""Deletes refresh tokens past their expiry, sessions that have none left, and counts of failures long past."""

from typing import Final

from application.handling import Handler, Run, Stopped
from application.ports.refresh_tokens import RefreshTokens
from application.ports.sign_in_failures import SignInFailures
from domain.kinds.token_cleanup import TokenCleanupPayload, TokenCleanupResult

BATCH: Final = 1_000


class TokenCleanupHandler(Handler[TokenCleanupPayload]):
    """Deletes in small batches until none is left, so a run that was cut off is simply followed by another."""

    def __init__(self, tokens: RefreshTokens, failures: SignInFailures) -> None:
        self._tokens = tokens
        self._failures = failures

    async def handle(self, run: Run[TokenCleanupPayload]) -> TokenCleanupResult | Stopped:
        deleted = 0
        while batch := await self._tokens.delete_expired(limit=BATCH):
            deleted += batch
            run.progress.report(done=deleted)
            if run.cancel.requested:
                return Stopped(TokenCleanupResult(deleted))
        # They are nobody's but this run's business: the result counts tokens.
        while await self._failures.delete_expired(limit=BATCH):
            if run.cancel.requested:
                return Stopped(TokenCleanupResult(deleted))
        return TokenCleanupResult(deleted)
