"""Texts of the environment turned into values, each with one sentence for what is wrong with it."""

import math
import re
from collections.abc import Callable
from datetime import UTC, timedelta, tzinfo
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, SecretStr
from pydantic_settings import NoDecode

LONGEST = timedelta(days=3650)
SMALLEST_SECRET = 32
POSTGRES_SCHEMES = frozenset({"postgres", "postgresql", "postgresql+psycopg"})
SQLITE_PREFIX = "sqlite:///"
NAME_OF_A_HOST = re.compile(r"(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_-]+)*\.?")
PREFIX_OF_PATHS = re.compile(r"(/[A-Za-z0-9._~-]+)*")
EVERYBODY = "*"


def _duration(unit: timedelta, *, zero: bool) -> Callable[[object], timedelta]:
    def read(text: object) -> timedelta:
        try:
            number = float(str(text))
        except ValueError:
            raise ValueError("must be a number") from None
        if not math.isfinite(number):
            raise ValueError("must be a number")
        if number < 0 or (number == 0 and not zero):
            raise ValueError("must be 0 or more" if zero else "must be more than 0")
        if number > LONGEST / unit:
            raise ValueError(f"must be at most {LONGEST / unit:.0f}")
        return number * unit

    return read


Seconds = Annotated[timedelta, BeforeValidator(_duration(timedelta(seconds=1), zero=False))]
SecondsOrNever = Annotated[timedelta, BeforeValidator(_duration(timedelta(seconds=1), zero=True))]
Hours = Annotated[timedelta, BeforeValidator(_duration(timedelta(hours=1), zero=False))]
Days = Annotated[timedelta, BeforeValidator(_duration(timedelta(days=1), zero=False))]

Port = Annotated[int, Field(ge=1, le=65_535)]


def _absolute(text: object) -> Path:
    try:
        return Path(str(text)).expanduser().absolute()
    except RuntimeError:
        raise ValueError("names a home folder that is not known here; write it in full") from None


Folder = Annotated[Path, BeforeValidator(_absolute)]


def _host(text: object) -> str:
    host = str(text)
    try:
        ip_address(host)
    except ValueError:
        if NAME_OF_A_HOST.fullmatch(host) is None:
            raise ValueError("must be the name of a host, or an address such as 192.0.2.1 or ::1") from None
    return host


def _server(text: object) -> str:
    """A host, or the folder of a Unix socket."""
    server = str(text)
    return server if server.startswith("/") else _host(server)


Host = Annotated[str, BeforeValidator(_host)]
Server = Annotated[str, BeforeValidator(_server)]


def _zone(name: object) -> tzinfo:
    text = str(name)
    try:
        # Known without a time zone database, which small images leave out.
        return UTC if text.upper() == "UTC" else ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("must be a time zone that is known here, such as Europe/Vienna or UTC") from None


Zone = Annotated[tzinfo, PlainValidator(_zone)]


def _comma_separated(text: object) -> tuple[str, ...]:
    return tuple(part for part in (piece.strip() for piece in str(text).split(",")) if part)


def _origins(origins: tuple[str, ...]) -> tuple[str, ...]:
    for origin in origins:
        parts = urlsplit(origin)
        if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path or parts.query:
            raise ValueError("must list origins such as https://photos.example, with a comma between two")
    return origins


# Kept as the text between commas: the library would want JSON for a list.
Origins = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_origins), BeforeValidator(_comma_separated)]


def _networks(parts: tuple[str, ...]) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(
            ip_network(network)
            for part in parts
            for network in (("0.0.0.0/0", "::/0") if part == EVERYBODY else (part,))
        )
    except ValueError:
        raise ValueError(
            "must list addresses or networks such as 172.18.0.0/16, with a comma between two, or be *"
        ) from None


Networks = Annotated[
    tuple[IPv4Network | IPv6Network, ...],
    NoDecode,
    PlainValidator(lambda text: _networks(_comma_separated(text))),
]


def _prefix_of_paths(text: object) -> str:
    prefix = str(text).rstrip("/")
    if PREFIX_OF_PATHS.fullmatch(prefix) is None or {".", ".."} & set(prefix.split("/")):
        raise ValueError("must be a path such as /anichron, of letters, digits and . _ ~ -")
    return prefix


PathPrefix = Annotated[str, BeforeValidator(_prefix_of_paths)]


def _names(names: tuple[str, ...]) -> tuple[str, ...]:
    if any("/" in name for name in names):
        raise ValueError("must list names of files or folders, none of them a path, with a comma between two")
    return names


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_names), BeforeValidator(_comma_separated)]


def _long_enough_secret(secret: SecretStr) -> SecretStr:
    if len(secret.get_secret_value().encode()) < SMALLEST_SECRET:
        raise ValueError(f"must be at least {SMALLEST_SECRET} bytes long")
    return secret


def _known_database(secret: SecretStr) -> SecretStr:
    url = secret.get_secret_value()
    if url.startswith(SQLITE_PREFIX) and url.removeprefix(SQLITE_PREFIX):
        return secret
    try:
        parts = urlsplit(url)
        complete = parts.port != 0 and not parts.netloc.endswith(":")
        known = parts.scheme in POSTGRES_SCHEMES and "://" in url and complete
        if parts.hostname is not None:
            _server(unquote(parts.hostname))
    except ValueError:
        known = False
    if not known:
        raise ValueError(
            "must be postgresql://user:password@host:port/name, or sqlite:///file "
            "(a fourth slash begins an absolute path)"
        )
    return secret


SigningSecret = Annotated[SecretStr, AfterValidator(_long_enough_secret)]
DatabaseUrl = Annotated[SecretStr, AfterValidator(_known_database)]
