"""Which items a worker may serve."""

from dataclasses import dataclass

from domain.ids import UserId


@dataclass(frozen=True, slots=True)
class AllScopes:
    """Every item, whatever its storage config: an all-user worker."""


@dataclass(frozen=True, slots=True)
class UserScope:
    """Items of this user's active storage configs, and unscoped ones.

    A user without a config is served the unscoped only: an empty list never means "all". The configs
    are read by the store in the claim's own statement, so that one added or removed counts at once.
    """

    user_id: UserId


Scope = AllScopes | UserScope
