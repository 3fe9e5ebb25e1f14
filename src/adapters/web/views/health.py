"""Health on the wire."""

from msgspec import Struct


class ChecksView(Struct, frozen=True):
    """What was looked at. A word that is not `ok` says what is wrong."""

    database: str
    schema: str


class HealthView(Struct, frozen=True):
    """All is well."""

    status: str
    checks: ChecksView


class LifeView(Struct, frozen=True):
    """The process answers."""

    status: str
