"""What there is to count about the live stream, for whoever measures it."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class StreamStats:
    """Figures since the start of the process; `active` is how many streams are open now.

    `ends` counts why streams ended: the words of `Farewell`, `slow`, and `gone` where the client left.
    """

    active: int = 0
    opened: int = 0
    refused: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    changes: int = 0
