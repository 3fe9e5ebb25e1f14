"""What is known of a request before any route sees it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from application.access import Granted

KEY: Final = "arrival"
GRANTED: Final = "granted"


@dataclass(frozen=True, slots=True)
class Arrival:
    """The id that this server gave the request, and the path that the client asked for, as a URI reference.

    `root` is what all paths of this install begin with, as clients see them; empty where there is no such.
    `is_head`: whether only the headers of the answer are wanted. `origin`: whose page asks, by the word of the
    browser; what other sites' pages must not do is judged by it.
    """

    request_id: str
    path: str
    root: str = ""
    is_head: bool = False
    origin: str | None = None


def arrival_of(scope: Mapping[str, Any]) -> Arrival:
    """What `adapters.web.edge` noted of this request."""
    arrival: Arrival = scope["state"][KEY]
    return arrival


def note_granted(scope: Mapping[str, Any], granted: Granted) -> None:
    """Keep who asks, for the routes behind the door."""
    scope["state"][GRANTED] = granted


def granted_of(scope: Mapping[str, Any]) -> Granted:
    """The admin who asks; only behind the door of the admin API there is one."""
    granted: Granted = scope["state"][GRANTED]
    return granted
