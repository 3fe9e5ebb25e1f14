"""When it is more likely that a folder is not what it was than that somebody deleted so much."""

from typing import Final

FEW: Final = 20
"""As many files may always go."""

SHARE: Final = 10
"""Of so many files one may go."""


def is_suspicious(missing: int, *, of_live: int) -> bool:
    """Whether too many of a library's live assets are gone for nobody to be asked (S-27)."""
    return missing > FEW and missing * SHARE > of_live
