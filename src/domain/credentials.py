"""What somebody may be called, and may have for a password."""

import re
from typing import Final

from domain.text import clean_text, is_storable

SHORTEST_PASSWORD: Final = 8
LARGEST_PASSWORD: Final = 1024
LARGEST_NAME: Final = 100
LARGEST_EMAIL: Final = 254
EMAIL: Final = re.compile(r"[^\s@]+@[^\s@]+")


def name_problem(name: str) -> str | None:
    """Why nobody can be called so, in words for whoever typed it; None for a name that is fine."""
    if not name.strip() or name != clean_text(name, longest=LARGEST_NAME) or "\n" in name:
        return f"The name must be 1 to {LARGEST_NAME} printable characters long."
    return None


def email_problem(email: str) -> str | None:
    """Why it is no e-mail address; None for one that may be."""
    if EMAIL.fullmatch(email) is None or email != clean_text(email, longest=LARGEST_EMAIL):
        return "The e-mail address must look like ada@photos.example."
    return None


def password_problem(password: str) -> str | None:
    """Why it is too weak, or cannot be hashed; None for a password that will do."""
    if len(password) < SHORTEST_PASSWORD:
        return f"The password must be at least {SHORTEST_PASSWORD} characters long."
    if len(password) > LARGEST_PASSWORD:
        return f"The password must be at most {LARGEST_PASSWORD} characters long."
    if not is_storable(password):
        return "The password holds characters that cannot be typed."
    return None
