"""Which database the settings mean."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, assert_never
from urllib.parse import quote, unquote, urlsplit

from domain.photo_root import RootBounds
from entrypoints.settings.model import PostgresSettings, Settings
from entrypoints.settings.values import SQLITE_PREFIX

EMBEDDED_FILE: Final = "anichron.db"
EMBEDDED_PROXIES: Final = "proxies"
SERVED_PROXIES: Final = Path("/data/proxies")
DRIVER: Final = "postgresql+psycopg"


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """A file of this host. `embedded`: nobody named it, so it is the one in the data folder."""

    path: Path
    embedded: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class PostgresServer:
    """A server. The URL holds a password, so this record does not show itself."""

    url: str


StoreLocation = SqliteFile | PostgresServer


def store_location(settings: Settings) -> StoreLocation:
    """DATABASE_URL, else POSTGRES_CONNECTION__*, else the file in the data folder."""
    if settings.database_url is not None:
        return _from_url(settings.database_url.get_secret_value())
    if settings.postgres_connection.host is not None:
        return PostgresServer(_url_of(settings.postgres_connection, settings.postgres_connection.host))
    return SqliteFile(settings.data / EMBEDDED_FILE, embedded=True)


def is_embedded(settings: Settings) -> bool:
    """Whether nothing was set up beside this program: then everything lives in the data folder."""
    location = store_location(settings)
    return isinstance(location, SqliteFile) and location.embedded


def proxy_path(settings: Settings) -> Path:
    """The folder of proxies; the embedded default keeps it in the data folder."""
    if settings.worker.proxy_path is not None:
        return settings.worker.proxy_path
    return settings.data / EMBEDDED_PROXIES if is_embedded(settings) else SERVED_PROXIES


def root_bounds(settings: Settings) -> RootBounds:
    """Where photo folders may lie, as far as somebody has said so: these folders need not be on this host."""
    beneath = settings.worker.root if "root" in settings.worker.model_fields_set else None
    proxies = settings.worker.proxy_path
    return RootBounds(
        beneath=None if beneath is None else str(beneath),
        apart_from=None if proxies is None else str(proxies),
    )


def described(location: StoreLocation) -> str:
    """The database in words, without a password."""
    match location:
        case SqliteFile():
            return f"SQLite file {location.path}"
        case PostgresServer():
            parts = urlsplit(location.url)
            port = "" if parts.port is None else f":{parts.port}"
            return f"PostgreSQL {parts.hostname or 'on this host'}{port}{parts.path}"
        case _:
            assert_never(location)


def _from_url(url: str) -> StoreLocation:
    if url.startswith(SQLITE_PREFIX):
        return SqliteFile(Path(unquote(url.removeprefix(SQLITE_PREFIX))).absolute())
    return PostgresServer(f"{DRIVER}://{url.split('://', 1)[1]}")


def _url_of(parts: PostgresSettings, host: str) -> str:
    password = "" if parts.password is None else f":{_quoted(parts.password.get_secret_value())}"
    account = "" if parts.user is None else f"{_quoted(parts.user)}{password}@"
    # A path names the folder of a Unix socket, which a URL can only hold in its query.
    if host.startswith("/"):
        return f"{DRIVER}://{account}/{_quoted(parts.dbname)}?host={_quoted(host)}&port={parts.port}"
    address = f"[{host}]" if ":" in host else host
    return f"{DRIVER}://{account}{address}:{parts.port}/{_quoted(parts.dbname)}"


def _quoted(text: str) -> str:
    return quote(text, safe="")
