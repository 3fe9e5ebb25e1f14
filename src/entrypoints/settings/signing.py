"""The secret that access tokens are signed with."""

import os
import secrets
from pathlib import Path
from typing import Final

from entrypoints.settings.errors import SettingsError
from entrypoints.settings.model import Settings
from entrypoints.settings.stores import is_embedded
from entrypoints.settings.values import SMALLEST_SECRET

SECRET_FILE: Final = "jwt-secret"  # noqa: S105 -- the name of a file
SECRET_BYTES: Final = 48
NEEDED: Final = (
    "JWT__SECRET: is needed to sign access tokens; set it to at least 32 random bytes, "
    "alike for every API of this install"
)


def signing_secret(settings: Settings) -> str:
    """The secret that was set; the embedded default makes one for itself, once, and keeps it.

    Raises `SettingsError` where there is none and none may be made, or where it cannot be kept.
    """
    if settings.jwt.secret is not None:
        return settings.jwt.secret.get_secret_value()
    if not is_embedded(settings):
        raise SettingsError([NEEDED])
    path = settings.data / SECRET_FILE
    try:
        secret = _kept(path)
    except OSError as error:
        line = f"ANICHRON_DATA={settings.data}: cannot keep the signing secret there ({error.strerror})"
        raise SettingsError([line]) from None
    if len(secret) < SMALLEST_SECRET:
        raise SettingsError([f"{path}: is too short for a secret; delete it, and a new one is made"])
    return secret


def _kept(path: Path) -> str:
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        pass
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(SECRET_BYTES))
        # A link fails where the name is taken: of two processes that start at once, one wins for both.
        os.link(fresh, path)
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
    return path.read_text().strip()
