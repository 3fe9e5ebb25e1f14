"""Takes the README's picture: real commands on the sample photos, drawn as a terminal.

Run from the top of the checkout: `make pictures`.
"""

import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent
ANICHRON = Path(sys.executable).parent / "anichron"
COLUMNS = 132


def main() -> None:
    """Crawl the samples in a data folder of its own, then show what there is to see."""
    with tempfile.TemporaryDirectory() as data:
        environment = {**os.environ, "ANICHRON_DATA": data, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS)}
        environment.pop("NO_COLOR", None)
        _said_by(environment, "up", "--photos", "samples/photos", "--once")
        crawl = _said_by(environment, "items", "list", "--kind", "crawl", "--json").split('"id": "')[1][:13]
        console = Console(record=True, width=COLUMNS, file=io.StringIO())
        for arguments in (["items", "list"], ["items", "show", crawl]):
            console.print(Text.assemble(("$ ", "bold green"), "anichron " + " ".join(arguments)))
            console.print(Text.from_ansi(_said_by(environment, *arguments)))
        picture = console.export_svg(title="make up, and then")
        # The fonts that rich names live on somebody else's server; any monospace will do.
        (HERE / "terminal.svg").write_text(re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL))


def _said_by(environment: dict[str, str], *arguments: str) -> str:
    command = [str(ANICHRON), *arguments]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
