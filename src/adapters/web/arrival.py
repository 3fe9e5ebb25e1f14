"""What is known of a request from the moment it arrives, whatever becomes of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

KEY: Final = "arrival"


@dataclass(frozen=True, slots=True)
class Arrival:
    """The id that this server gave the request, and the path it asked for, as a URI reference."""

    request_id: str
    path: str


def arrival_of(scope: Mapping[str, Any]) -> Arrival:
    """What `adapters.web.edge` noted of this request."""
    arrival: Arrival = scope["state"][KEY]
    return arrival
