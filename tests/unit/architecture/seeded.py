"""A copy of the source tree in which a rule can be broken on purpose."""

import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
TOOLS = Path(sys.executable).parent
VERDICTS = (" KEPT", " BROKEN")


@dataclass(frozen=True, slots=True)
class SourceCopy:
    """The project's sources and rules in a folder of their own."""

    root: Path

    def append(self, module: str, code: str) -> None:
        """Add the code to the end of the module, which is made if there is none of this name."""
        path = self.root.joinpath("src", *module.split("."))
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as text:
            text.write(f"\n{code}\n")

    def broken_contracts(self) -> frozenset[str]:
        """The ids of the contracts that import-linter reports as broken."""
        lint = [str(TOOLS / "lint-imports"), "--no-cache", "--no-logo", str(self.root / "pyproject.toml")]
        # import-linter looks for the packages where it stands, before it looks at what is installed.
        run = subprocess.run(lint, cwd=self.root / "src", capture_output=True, text=True, check=False)
        verdicts = dict(line.rsplit(" ", 1) for line in run.stdout.splitlines() if line.endswith(VERDICTS))
        names = contract_names()
        assert verdicts.keys() == names.keys(), f"import-linter did not judge every contract:\n{run.stdout}"
        return frozenset(names[name] for name, verdict in verdicts.items() if verdict == "BROKEN")

    def banned_calls(self) -> tuple[str, ...]:
        """What ruff says about calls that a room must not make, one line a complaint."""
        lint = [
            str(TOOLS / "ruff"),
            "check",
            "--no-cache",
            "--quiet",
            "--select=TID251",
            "--output-format=concise",
        ]
        run = subprocess.run(lint, cwd=self.root, capture_output=True, text=True, check=False)
        assert not run.stderr, run.stderr
        return tuple(run.stdout.splitlines())


def copy_sources(target: Path) -> SourceCopy:
    """Copy everything that the linters read."""
    shutil.copytree(ROOT / "src", target / "src", ignore=shutil.ignore_patterns("__pycache__", ".*"))
    return copy_rules(target)


def copy_rules(target: Path) -> SourceCopy:
    """Copy the rules alone, for a linter that looks at one file at a time."""
    shutil.copy(ROOT / "pyproject.toml", target)
    return SourceCopy(target)


def contract_names() -> dict[str, str]:
    """The id of each contract, by its name."""
    contracts = project_rules()["tool"]["importlinter"]["contracts"]
    return {contract["name"]: contract["id"] for contract in contracts}


def project_rules() -> dict[str, Any]:
    """pyproject.toml as it stands."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
