"""Keep sessions of people, and how often a sign-in failed.

Revision ID: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

Instant = sa.DateTime(timezone=True).with_variant(sa.String(24), "sqlite")


def upgrade() -> None:
    """Refresh tokens get a session each; nobody has been given one before this revision."""
    op.drop_table("refresh_tokens")
    create_sessions()
    create_refresh_tokens()
    create_sign_in_failures()


def create_sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.Uuid, nullable=False, comment="UUIDv7"),
        sa.Column("user_id", sa.Uuid, nullable=False, comment="Who signed in"),
        sa.Column("created_at", Instant, nullable=False, comment="When they did"),
        sa.Column("ends_at", Instant, nullable=False, comment="When they have to do so again, however busy"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_sessions_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        comment="Sessions of people: who ends one deletes its row, and its tokens go with it",
    )
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"])


def create_refresh_tokens() -> None:
    op.create_table(
        "refresh_tokens",
        sa.Column("id", sa.Uuid, nullable=False, comment="UUIDv7"),
        sa.Column("session_id", sa.Uuid, nullable=False, comment="Which session it prolongs"),
        sa.Column("token_hash", sa.LargeBinary, nullable=False, comment="SHA-256 of the token"),
        sa.Column("created_at", Instant, nullable=False, comment="When it was given out"),
        sa.Column("expires_at", Instant, nullable=False, comment="Refused, and soon deleted, after this"),
        sa.Column(
            "rotated_at",
            Instant,
            comment="When another took its place: seen again, it ends the session; null = good",
        ),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name="fk_refresh_tokens_session_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_refresh_tokens"),
        sa.UniqueConstraint("token_hash", name="uq_refresh_tokens_token_hash"),
        comment="Refresh tokens, hashed at rest. Of one session at most one is good",
    )
    op.create_index("ix_refresh_tokens_expires_at", "refresh_tokens", ["expires_at"])
    op.create_index("ix_refresh_tokens_session_id", "refresh_tokens", ["session_id"])


def create_sign_in_failures() -> None:
    op.create_table(
        "sign_in_failures",
        sa.Column("suspect", sa.LargeBinary, nullable=False, comment="SHA-256 of the account or the address"),
        sa.Column("failures", sa.Integer, nullable=False, comment="How many since the window began"),
        sa.Column("until", Instant, nullable=False, comment="When the window is over"),
        sa.CheckConstraint("failures >= 0", name="ck_sign_in_failures_counts"),
        sa.PrimaryKeyConstraint("suspect", name="pk_sign_in_failures"),
        comment="How often sign-ins failed in the last minute, by account and by address",
    )
    op.create_index("ix_sign_in_failures_until", "sign_in_failures", ["until"])
