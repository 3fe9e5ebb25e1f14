"""The tables around signing in, for both dialects."""

import sqlalchemy as sa

from adapters.sql.tables import metadata
from adapters.sql.types import Instant

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("id", sa.Uuid, primary_key=True, comment="UUIDv7"),
    sa.Column(
        "user_id",
        sa.ForeignKey("users.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
        comment="Who signed in",
    ),
    sa.Column("created_at", Instant, nullable=False, comment="When they did"),
    sa.Column("ends_at", Instant, nullable=False, comment="When they have to do so again, however busy"),
    comment="Sessions of people: who ends one deletes its row, and its tokens go with it",
)

refresh_tokens = sa.Table(
    "refresh_tokens",
    metadata,
    sa.Column("id", sa.Uuid, primary_key=True, comment="UUIDv7"),
    sa.Column(
        "session_id",
        sa.ForeignKey("sessions.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
        comment="Which session it prolongs",
    ),
    sa.Column("token_hash", sa.LargeBinary, nullable=False, unique=True, comment="SHA-256 of the token"),
    sa.Column("created_at", Instant, nullable=False, comment="When it was given out"),
    sa.Column(
        "expires_at", Instant, nullable=False, index=True, comment="Refused, and soon deleted, after this"
    ),
    sa.Column(
        "rotated_at",
        Instant,
        comment="When another took its place: seen again, it ends the session; null = good",
    ),
    comment="Refresh tokens, hashed at rest. Of one session at most one is good",
)

sign_in_failures = sa.Table(
    "sign_in_failures",
    metadata,
    sa.Column("suspect", sa.LargeBinary, primary_key=True, comment="SHA-256 of the account or the address"),
    sa.Column("failures", sa.Integer, nullable=False, comment="How many since the window began"),
    sa.Column("until", Instant, nullable=False, index=True, comment="When the window is over"),
    sa.CheckConstraint("failures >= 0", name="counts"),
    comment="How often sign-ins failed in the last minute, by account and by address",
)
