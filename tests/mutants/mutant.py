"""One rule broken on purpose."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Suite:
    """The tests that must notice."""

    name: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """What stands in one source file exactly once, and what stands there instead.

    `noticed_by` selects the tests that should notice, as pytest's `-k` does. They run first, since that is
    quicker; if they do not notice, the whole suite is asked.
    """

    name: str
    suite: Suite
    path: str
    original: str
    broken: str
    noticed_by: str

    def apply(self, sources: Path) -> None:
        """Break the copy of the sources; raises where the original is not there, or not once."""
        file = sources / self.path
        text = file.read_text(encoding="utf-8")
        times = text.count(self.original)
        if times != 1:
            raise LookupError(f"{self.name}: what it replaces stands {times} times in {self.path}")
        file.write_text(text.replace(self.original, self.broken), encoding="utf-8")
