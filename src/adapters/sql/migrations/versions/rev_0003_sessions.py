"""Keep sessions of people, and how often a sign-in failed.

Revision ID: 0003
"""

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Nothing yet."""
