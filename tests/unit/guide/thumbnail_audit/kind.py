"""Step 1: the kind has a name, and says what becomes of its failures."""

from domain.kinds.kind import Kind
from domain.retry import Backoff


class GuideKind(Kind):
    """The kinds of an install that has one only."""

    THUMBNAIL_AUDIT = "thumbnail-audit", Backoff(max_retries=7)
