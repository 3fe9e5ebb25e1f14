"""Access tokens as JWT, signed with HMAC-SHA256."""

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import jwt

from application.ports.access_tokens import AccessTokens, Bearer, InvalidToken, IssuedToken
from application.ports.clock import Clock
from domain.ids import UserId

ALGORITHM: Final = "HS256"
CLAIMS: Final = ("sub", "iat", "exp", "iss", "aud")


class JwtTokens(AccessTokens):
    """Tokens of one issuer for one audience. They name a user and grant nothing by themselves."""

    def __init__(self, clock: Clock, *, secret: str, issuer: str, audience: str) -> None:
        """Take the secret, which must be at least as long as the hash."""
        self._clock = clock
        self._secret = secret
        self._issuer = issuer
        self._audience = audience

    def issue(self, user: UserId, *, lasts: timedelta) -> IssuedToken:
        """Sign who and until when, to the second."""
        now = self._clock.now().replace(microsecond=0)
        claims = {
            "sub": str(user),
            "iat": now,
            "exp": now + lasts,
            "iss": self._issuer,
            "aud": self._audience,
        }
        return IssuedToken(jwt.encode(claims, self._secret, ALGORITHM), now + lasts)

    def read(self, text: str) -> Bearer | InvalidToken:
        """Check the signature, the algorithm, the issuer, the audience and the time."""
        try:
            claims = jwt.decode(
                text,
                self._secret,
                algorithms=[ALGORITHM],
                issuer=self._issuer,
                audience=self._audience,
                options={"require": list(CLAIMS), "strict_aud": True},
            )
            return Bearer(UserId(UUID(claims["sub"])), datetime.fromtimestamp(claims["exp"], UTC))
        except (jwt.InvalidTokenError, ValueError, TypeError, OverflowError, RecursionError):
            # The library leaves some claims of odd types to whoever does arithmetic with them.
            return InvalidToken()
