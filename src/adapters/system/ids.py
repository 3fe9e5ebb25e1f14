"""Fresh ids, real chance, and a name for this process."""

import os
import random
import secrets
import socket
from typing import Final
from uuid import UUID

import uuid_utils

from application.ports.new_ids import Chance, NewIds
from domain.ids import WorkerName
from domain.text import clean_text

EVERYBODY: Final = "all"
LONGEST_PART: Final = 64


class RandomIds(NewIds):
    """UUIDv7: they sort by the time of their making, and no two are alike."""

    def next(self) -> UUID:
        return UUID(int=uuid_utils.uuid7().int)


class SystemChance(Chance):
    """The operating system's randomness, so that forked or cloned workers do not roll the same."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()

    def random(self) -> float:
        return self._random.random()


def worker_name(user: str | None) -> WorkerName:
    """`<user or all>@<host>#<pid>-<random>`: for people to read, and alike for no two process runs (S-24)."""
    served, host = _one_line(user or EVERYBODY), _one_line(socket.gethostname())
    return WorkerName(f"{served}@{host}#{os.getpid()}-{secrets.token_hex(3)}")


def _one_line(text: str) -> str:
    return " ".join(clean_text(text, longest=LONGEST_PART).split())
