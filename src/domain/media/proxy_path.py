"""Names in the proxies folder: which of them are proxies, whose, and which were left behind half written."""

import re
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from domain.ids import StorageConfigId

FILE: Final = r"[a-z0-9][a-z0-9_-]{0,63}\.(?:jpg|jpeg|png|webp|avif)"

CONFIG: Final = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"

FOLDER: Final = re.compile(rf"[0-9a-f]{{2}}(?:/{CONFIG}-[0-9a-f]{{64}})?")
PROXY: Final = re.compile(
    rf"(?P<start>[0-9a-f]{{2}})/(?P<owner>{CONFIG})-(?P=start)[0-9a-f]{{62}}/"
    rf"(?:{FILE}|(?P<leftover>\.{FILE}\.[0-9]+-[0-9a-f]+\.tmp))"
)
"""`{hash[0:2]}/{config id}-{hash}/{file}`, and the temporary names under which files come to be there."""


@dataclass(frozen=True, slots=True)
class ProxyPath:
    """A path below the proxies folder that fits the pattern of its names, so that it holds ids and one short plain name.

    Made by `proxy_path` only. `is_leftover`: a name that a file has until it is whole.
    """

    text: str
    owner: StorageConfigId
    is_leftover: bool


@dataclass(frozen=True, slots=True)
class ForeignName:
    """Nothing that this program would have written: nobody's proxy, and never deleted."""


def proxy_path(text: str) -> ProxyPath | ForeignName:
    """What a relative path is by its name."""
    named = PROXY.fullmatch(text)
    if named is None:
        return ForeignName()
    return ProxyPath(text, StorageConfigId(UUID(named["owner"])), named["leftover"] is not None)


def may_hold_proxies(folder: str) -> bool:
    """Whether a folder at this relative path is one of those that lead to proxies."""
    return FOLDER.fullmatch(folder) is not None
