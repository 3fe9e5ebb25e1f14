"""People, and the folders that are theirs."""

from dataclasses import dataclass
from datetime import datetime

from domain.ids import StorageConfigId, UserId


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who may sign in. The role is judged by this record, not by what a token says."""

    id: UserId
    name: str
    email: str
    password_hash: str
    is_admin: bool
    is_disabled: bool
    created_at: datetime


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
