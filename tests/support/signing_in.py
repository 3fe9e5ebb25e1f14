"""Signing in on ports that a test can read: hashes and tokens that are plain, time that stands still."""

from datetime import timedelta
from typing import Final

from adapters.identity.session_secrets import KeyedSessionSecrets
from adapters.memory.account_changes import MemoryAccountChanges
from adapters.memory.database import MemoryDatabase
from adapters.memory.refresh_tokens import MemoryRefreshTokens
from adapters.memory.sign_in_failures import MemorySignInFailures
from adapters.memory.users import MemoryUsers
from application.account_care import AccountCare
from application.ports.access_tokens import AccessTokens, Bearer, InvalidToken, IssuedToken
from application.ports.passwords import Passwords
from application.ports.refresh_tokens import Lives, Reused
from application.sessions import SessionParts, Sessions
from application.sign_in import SignIn, SignInParts
from domain.account import User
from domain.ids import UserId
from tests.support.clock import START, ManualClock
from tests.support.ids import CountingIds

LIVES: Final = Lives(idle=timedelta(days=30), longest=timedelta(days=90), grace=timedelta(seconds=10))
ACCESS_LASTS: Final = timedelta(minutes=15)
PASSWORD: Final = "correct horse"


class PlainPasswords(Passwords):
    """Hashes that a test can read. Each comparison is noted."""

    def __init__(self) -> None:
        self.compared: list[tuple[str, str]] = []

    async def hashed(self, password: str) -> str:
        """The password, marked."""
        return f"hash of {password}"

    async def match(self, password: str, password_hash: str) -> bool:
        """By comparing."""
        self.compared.append((password, password_hash))
        return password_hash.removeprefix("old ") == f"hash of {password}"

    def is_outdated(self, password_hash: str) -> bool:
        """Those that are said to be old."""
        return password_hash.startswith("old ")


class PlainTokens(AccessTokens):
    """Tokens that a test can read."""

    def __init__(self, clock: ManualClock | None = None) -> None:
        self._clock = clock

    def issue(self, user: UserId, *, lasts: timedelta) -> IssuedToken:
        """The user's id."""
        now = START if self._clock is None else self._clock.now()
        return IssuedToken(str(user), now + lasts)

    def read(self, text: str) -> Bearer | InvalidToken:  # noqa: ARG002 -- nobody reads here
        """Refuse everything."""
        return InvalidToken()


class FrontDoor:
    """Signing in to an install of one's own."""

    def __init__(self, passwords: PlainPasswords | None = None) -> None:
        """Start without any account."""
        self.clock = ManualClock()
        self.database = MemoryDatabase(self.clock)
        self.users = MemoryUsers(self.database)
        self.changes = MemoryAccountChanges(self.database)
        self.failures = MemorySignInFailures(self.database)
        self.passwords = passwords or PlainPasswords()
        self.reused: list[Reused] = []
        self._ids = CountingIds()
        tokens = MemoryRefreshTokens(self.database)
        self.care = AccountCare(self.changes, tokens, self.passwords)
        self.sessions = Sessions(
            SessionParts(
                users=self.users,
                tokens=tokens,
                access=PlainTokens(self.clock),
                secrets=KeyedSessionSecrets(secret="correct-horse-battery-staple-0123456789"),
                ids=self._ids,
                lives=LIVES,
                access_lasts=ACCESS_LASTS,
                note_reuse=self.reused.append,
            )
        )
        self.sign_in = SignIn(
            SignInParts(
                users=self.users,
                changes=self.changes,
                passwords=self.passwords,
                failures=self.failures,
                sessions=self.sessions,
            )
        )

    async def somebody(self, name: str = "ada", *, password_hash: str = f"hash of {PASSWORD}") -> User:
        """An account that `PASSWORD` opens."""
        return await self.users.add(
            UserId(self._ids.next()),
            name=name,
            email=f"{name}@photos.example",
            password_hash=password_hash,
            is_admin=True,
        )
