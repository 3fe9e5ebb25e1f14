"""Who is first in line. For people to look at: workers find their next item by claiming it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.ids import KindName
from domain.outlook import Head


@dataclass(frozen=True, slots=True)
class Heads:
    """The first in line of each kind and scope, at one instant of the store's clock."""

    heads: tuple[Head, ...]
    as_of: datetime


class WaitingLine(Protocol):
    """Looks at those that wait."""

    async def heads(self, kinds: frozenset[KindName]) -> Heads:
        """The longest waiting item that is ready, of each of these kinds in each scope.

        What it costs grows with the kinds and the storage configs, not with the items. Of those that waited for
        another try, one stands for all.
        """
        ...
