"""Holds what is vendored against the packages it was taken from: `python tools/page/vendored.py NODE_MODULES`.

npm has held each package against its lock before. Whatever differs is printed, and the exit code is 1 then.
"""

import json
import sys
from pathlib import Path
from typing import Final

TOP: Final = Path(__file__).parents[2]
MANIFEST: Final = TOP / "src/adapters/web/page/vendor/manifest.json"
AXE: Final = TOP / "tests/browser/vendor/axe-core-4.14.1"


def main(modules: Path) -> int:
    """Compare every file, byte by byte, and every version."""
    differing = [
        copy
        for folder, package in json.loads(MANIFEST.read_text(encoding="utf-8")).items()
        for name, file in package["files"].items()
        if not _is_same(
            copy := MANIFEST.parent / folder / name, _source(modules, package["package"], file["from"])
        )
    ]
    differing += [
        AXE / name
        for name in ("axe.min.js", "LICENSE")
        if not _is_same(AXE / name, _source(modules, "axe-core@4.14.1", name))
    ]
    for copy in differing:
        sys.stderr.write(f"{copy.relative_to(TOP)} is not as it was published\n")
    return 1 if differing else 0


def _source(modules: Path, package: str, path: str) -> Path:
    name, _, version = package.rpartition("@")
    installed = json.loads((modules / name / "package.json").read_text(encoding="utf-8"))["version"]
    if installed != version:
        sys.exit(f"{name} is vendored as {version} and locked as {installed}")
    return modules / name / path


def _is_same(copy: Path, source: Path) -> bool:
    return copy.read_bytes() == source.read_bytes()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
