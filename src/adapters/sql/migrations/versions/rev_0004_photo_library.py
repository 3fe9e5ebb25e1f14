"""Let the library remember failures, pairs and where a date came from.

Revision ID: 0004
"""

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Nothing yet."""
