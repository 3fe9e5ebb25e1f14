"""Refresh tokens as random texts, and those that follow upon them as keyed hashes."""

import base64
import hashlib
import hmac
import re
import secrets
from typing import Final

from application.ports.refresh_tokens import TokenDigest
from application.ports.session_secrets import NoSecret, SessionSecret, SessionSecrets

BYTES: Final = 32
TEXT: Final = re.compile(r"[A-Za-z0-9_-]{43}")
PURPOSE: Final = b"anichron refresh token successor\0"


class KeyedSessionSecrets(SessionSecrets):
    """The successor is a keyed hash: so a repeated request is answered alike, and nobody keeps any token."""

    def __init__(self, *, secret: str) -> None:
        """Take the install's secret."""
        self._key = hashlib.sha256(PURPOSE + secret.encode()).digest()

    def fresh(self) -> SessionSecret:
        return _secret(secrets.token_bytes(BYTES))

    def read(self, text: str) -> SessionSecret | NoSecret:
        if TEXT.fullmatch(text) is None:
            return NoSecret()
        return SessionSecret(text, _digest(text))

    def successor(self, secret: SessionSecret) -> SessionSecret:
        return _secret(hmac.digest(self._key, secret.text.encode(), hashlib.sha256))


def _secret(random: bytes) -> SessionSecret:
    text = base64.urlsafe_b64encode(random).decode().rstrip("=")
    return SessionSecret(text, _digest(text))


def _digest(text: str) -> TokenDigest:
    # A token is too random to be guessed from its digest, so this needs to be neither salted nor slow.
    return TokenDigest(hashlib.sha256(text.encode()).digest())
