"""What is known of a request from the moment it arrives, whatever becomes of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

KEY: Final = "arrival"


@dataclass(frozen=True, slots=True)
class Arrival:
    """The id that this server gave the request, and the path that the client asked for, as a URI reference.

    `root` is what all paths of this install begin with, as clients see them; empty where there is no such.
    """

    request_id: str
    path: str
    root: str = ""


def arrival_of(scope: Mapping[str, Any]) -> Arrival:
    """What `adapters.web.edge` noted of this request."""
    arrival: Arrival = scope["state"][KEY]
    return arrival
