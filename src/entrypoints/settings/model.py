"""Every setting, with its name, its default and its bounds. Attributes hold values, never texts."""

from datetime import UTC, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, SecretStr
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from entrypoints.settings.values import (
    DatabaseUrl,
    Days,
    Folder,
    Host,
    Hours,
    Names,
    Networks,
    Origins,
    PathPrefix,
    Port,
    Seconds,
    SecondsOrNever,
    Server,
    SigningSecret,
    Zone,
)

NESTED = "__"
SKIPPED_NAMES = ("@eaDir", "#recycle", ".@__thumb", "$RECYCLE.BIN", "lost+found")
"""Where NAS systems and file systems keep their own."""


class Migrate(StrEnum):
    """What a host does at its start about the schema of the database."""

    AUTO = "auto"
    CHECK = "check"
    OFF = "off"


class LogLevel(StrEnum):
    """The least that is worth a line."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogFormat(StrEnum):
    """How a line looks; `auto` is text on a terminal and JSON elsewhere."""

    AUTO = "auto"
    JSON = "json"
    TEXT = "text"


class Section(BaseModel):
    """Settings that share the first part of their names."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class DatabaseSettings(Section):
    """DATABASE__*."""

    migrate: Migrate = Migrate.AUTO
    behind_pooler: bool = False


class PostgresSettings(Section):
    """POSTGRES_CONNECTION__*: the parts of a DATABASE_URL, for those who have them apart."""

    host: Server | None = None
    port: Port = 5432
    dbname: str = "anichron"
    user: str | None = None
    password: SecretStr | None = None


class WorkerSettings(Section):
    """WORKER__*."""

    user: str | None = None
    root: Folder = Path("/data/originals")
    proxy_path: Folder | None = None
    poll: Seconds = Field(default=timedelta(seconds=5), alias="poll_seconds")
    heartbeat: Seconds = Field(default=timedelta(seconds=2), alias="heartbeat_seconds")
    lease: Seconds = Field(default=timedelta(seconds=60), alias="lease_seconds")
    stall_limit: Annotated[int, Field(ge=1, le=100)] = 3
    retention: Days = Field(default=timedelta(days=30), alias="retention_days")
    retention_interval: Hours = Field(default=timedelta(hours=24), alias="retention_interval_hours")
    token_cleanup_interval: Hours = Field(default=timedelta(hours=24), alias="token_cleanup_interval_hours")
    crawl_interval: Hours = Field(default=timedelta(hours=4), alias="crawl_interval_hours")
    max_concurrent_files: Annotated[int, Field(ge=1, le=64)] = 4
    time_zone: Zone = UTC
    settling: SecondsOrNever = Field(default=timedelta(seconds=3), alias="settling_seconds")
    skipped_names: Names = SKIPPED_NAMES
    slots: Annotated[int, Field(ge=1, le=64)] = 1
    shutdown_grace: Seconds = Field(default=timedelta(seconds=8), alias="shutdown_grace_seconds")


class ApiSettings(Section):
    """API__*."""

    host: Host = "127.0.0.1"
    port: Port = 8080
    stream: SecondsOrNever = Field(default=timedelta(seconds=2), alias="stream_seconds")
    root_path: PathPrefix = ""


class ForwardedSettings(Section):
    """FORWARDED__*: the proxies whose word on who asked, and over https or not, is taken."""

    allow_ips: Networks = ()


class TokenSettings(Section):
    """JWT__*: how access tokens are signed, and how long those of a session are good."""

    secret: SigningSecret | None = None
    access: Seconds = Field(default=timedelta(minutes=15), alias="access_seconds")
    issuer: str = "anichron"
    audience: str = "anichron"


class SessionSettings(Section):
    """SESSION__*: how long somebody stays signed in without coming back, and at most."""

    idle: Days = Field(default=timedelta(days=30), alias="idle_days")
    longest: Days = Field(default=timedelta(days=90), alias="longest_days")


class AdminSettings(Section):
    """ADMIN__*: the first admin, added by the API where there is no account at all."""

    email: str | None = None
    password: SecretStr | None = None


class CorsSettings(Section):
    """CORS__*: whose pages may call the API from a browser."""

    allowed_origins: Origins = ()


class LogSettings(Section):
    """LOG__*."""

    level: LogLevel = LogLevel.INFO
    format: LogFormat = LogFormat.AUTO

    @property
    def as_json(self) -> bool | None:
        """Whether lines are JSON; None where that is for the terminal to say."""
        return None if self.format is LogFormat.AUTO else self.format is LogFormat.JSON


class Settings(BaseSettings):
    """All of them. It reads nothing by itself: `entrypoints.settings.loading` hands it the values."""

    model_config = SettingsConfigDict(
        frozen=True, extra="ignore", env_nested_delimiter=NESTED, env_ignore_empty=True
    )

    data: Folder = Field(
        default_factory=lambda: platformdirs.user_data_path("anichron", appauthor=False),
        alias="anichron_data",
    )
    database_url: DatabaseUrl | None = None
    database: DatabaseSettings = Field(default_factory=DatabaseSettings)
    postgres_connection: PostgresSettings = Field(default_factory=PostgresSettings)
    worker: WorkerSettings = Field(default_factory=WorkerSettings)
    api: ApiSettings = Field(default_factory=ApiSettings)
    forwarded: ForwardedSettings = Field(default_factory=ForwardedSettings)
    jwt: TokenSettings = Field(default_factory=TokenSettings)
    session: SessionSettings = Field(default_factory=SessionSettings)
    admin: AdminSettings = Field(default_factory=AdminSettings)
    cors: CorsSettings = Field(default_factory=CorsSettings)
    log: LogSettings = Field(default_factory=LogSettings)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 -- the library's signature
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what it is handed, so that a test's settings never depend on its surroundings."""
        return (init_settings,)
