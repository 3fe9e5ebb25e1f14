"""What the live stream needs of the world."""

from dataclasses import dataclass

from application.ports.change_feed import ChangeFeed
from application.ports.clock import Clock
from application.ports.journal import Journal
from application.ports.stream_frames import StreamFrames
from application.ports.users import Users


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveParts:
    """Its ports. `journal` gets what goes wrong with nobody to tell it to."""

    feed: ChangeFeed
    users: Users
    frames: StreamFrames
    clock: Clock
    journal: Journal
