"""Stamp each change with its place in the feed.

Revision ID: 0002
"""

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Nothing yet."""
