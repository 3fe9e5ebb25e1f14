"""People, and the folders that are theirs."""

import unicodedata
from dataclasses import dataclass, field
from datetime import datetime

from domain.ids import StorageConfigId, UserId


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who may sign in. The role is judged by this record, not by what a token says."""

    id: UserId
    name: str
    email: str
    password_hash: str = field(repr=False)
    is_admin: bool
    is_disabled: bool
    created_at: datetime

    @property
    def lookup_keys(self) -> frozenset[str]:
        """What the user is found by."""
        return frozenset({lookup_key(self.name), lookup_key(self.email)})

    @property
    def may_administer(self) -> bool:
        """Whether they may see and cancel everybody's work."""
        return self.is_admin and not self.is_disabled


@dataclass(frozen=True, slots=True)
class StorageConfig:
    """A photo folder of one user. Its id is the scope of the work on it.

    `root_path` is absolute. An inactive config keeps its rows and gets no new work.
    """

    id: StorageConfigId
    user_id: UserId
    root_path: str
    is_active: bool
    created_at: datetime


def lookup_key(name: str) -> str:
    """What names and e-mail addresses are compared by.

    Two are the same that differ only in capitals, or in how an accent or a wide letter is encoded.
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
