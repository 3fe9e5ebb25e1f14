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

    `noticed_by` selects the tests of the suite that must notice, as pytest's `-k` does.
    """

    name: str
    suite: Suite
    path: str
    original: str
    broken: str
    noticed_by: str

    def apply(self, sources: Path) -> None:
        """Break a copy of the sources, even where its files are the same ones as those of the original."""
        broken, file = self.text_in(sources), sources / self.path
        for same in (file, *file.parent.glob(f"__pycache__/{file.stem}.*.pyc")):
            same.unlink()
        file.write_text(broken, encoding="utf-8")

    def text_in(self, sources: Path) -> str:
        """The file as the mutant has it; raises `LookupError` where the original is not there, or not once."""
        text = (sources / self.path).read_text(encoding="utf-8")
        times = text.count(self.original)
        if times != 1:
            raise LookupError(f"{self.name}: what it replaces stands {times} times in {self.path}")
        return text.replace(self.original, self.broken)
