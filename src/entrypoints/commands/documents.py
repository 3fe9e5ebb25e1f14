"""JSON that only the command line prints: what operators see of accounts and folders."""

from msgspec import Struct

from adapters.web.views.instants import Instant, instant
from domain.account import StorageConfig, User


class UserView(Struct, frozen=True, kw_only=True, rename="camel"):
    """An account, without its password's hash."""

    id: str
    name: str
    email: str
    is_admin: bool
    is_disabled: bool
    created_at: Instant


class UsersView(Struct, frozen=True):
    """Every account, oldest first."""

    items: tuple[UserView, ...]


class EndedSessionsView(Struct, frozen=True, kw_only=True, rename="camel"):
    """Whose sessions came to their end, and how many it were."""

    user_id: str
    sessions: int


class NewPasswordView(Struct, frozen=True, kw_only=True, rename="camel"):
    """Who has another password, and how many sessions that ended. A password that was made is shown this once."""

    user_id: str
    sessions: int
    password: str | None


class ConfigView(Struct, frozen=True, kw_only=True, rename="camel"):
    """A photo folder."""

    id: str
    user_id: str
    root_path: str
    is_active: bool
    created_at: Instant


class ConfigsView(Struct, frozen=True):
    """Every photo folder, oldest first."""

    items: tuple[ConfigView, ...]


class AddedConfigView(Struct, frozen=True, kw_only=True, rename="camel"):
    """A new photo folder, and the work item that crawls it first."""

    config: ConfigView
    crawl_id: str


class RequestedView(Struct, frozen=True, rename="camel"):
    """A work item that was asked for; `coalesced` when one waited already."""

    id: str
    coalesced: bool


class FindingsHead(Struct, frozen=True):
    """Whether the sweep whose findings follow ended before it had looked at everything."""

    partial: bool


class TokenView(Struct, frozen=True, kw_only=True, rename="camel"):
    """A bearer token, shown this once."""

    token: str
    expires_at: Instant


class SettingView(Struct, frozen=True, kw_only=True, rename="camel"):
    """One setting. A secret's value is never shown."""

    name: str
    value: str
    is_secret: bool
    origin: str


class SettingsView(Struct, frozen=True):
    """Every setting, and the database and folders that follow from them."""

    settings: tuple[SettingView, ...]
    database: str
    proxies: str


def user_view(user: User) -> UserView:
    """The account as operators see it."""
    return UserView(
        id=str(user.id),
        name=user.name,
        email=user.email,
        is_admin=user.is_admin,
        is_disabled=user.is_disabled,
        created_at=instant(user.created_at),
    )


def config_view(config: StorageConfig) -> ConfigView:
    """The photo folder as operators see it."""
    return ConfigView(
        id=str(config.id),
        user_id=str(config.user_id),
        root_path=config.root_path,
        is_active=config.is_active,
        created_at=instant(config.created_at),
    )
