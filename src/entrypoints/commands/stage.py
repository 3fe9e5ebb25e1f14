"""Where `anichron up` shows what happens: a live picture with the log above it, or plain lines."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from entrypoints.commands.following import LineTeller, Teller
from entrypoints.commands.live import LiveItems


@dataclass(frozen=True, slots=True)
class Stage:
    """`relay` takes each line of the children's log; None lets them write it themselves."""

    relay: Callable[[str], None] | None
    teller: Callable[[], AbstractContextManager[Teller]]


@contextmanager
def stage() -> Iterator[Stage]:
    """On standard error: there is no data here."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Stage(None, lambda: nullcontext(LineTeller(err=True)))
        return

    def relay(line: str) -> None:
        console.print(Text.from_ansi(line))

    yield Stage(relay, lambda: LiveItems(console))
