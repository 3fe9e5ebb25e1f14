"""The secrets that sessions hang on."""

from dataclasses import dataclass, field
from typing import Protocol

from application.ports.refresh_tokens import TokenDigest


@dataclass(frozen=True, slots=True)
class SessionSecret:
    """A refresh token as its holder has it, and what a store may keep of it."""

    text: str = field(repr=False)
    digest: TokenDigest


@dataclass(frozen=True, slots=True)
class NoSecret:
    """The text is no refresh token of any install."""


class SessionSecrets(Protocol):
    """Makes refresh tokens that nobody can guess."""

    def fresh(self) -> SessionSecret:
        """A token of 256 random bits."""
        ...

    def read(self, text: str) -> SessionSecret | NoSecret:
        """A token that somebody presents. Never raises."""
        ...

    def successor(self, secret: SessionSecret) -> SessionSecret:
        """The token that follows upon this one: always the same, and known to none but this install."""
        ...
