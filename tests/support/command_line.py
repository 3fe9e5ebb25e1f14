"""The command line, run on an install of the test's own."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar
from unittest.mock import patch

from click.testing import CliRunner, Result

from entrypoints.commands.root import root
from entrypoints.settings.stores import SqliteFile
from entrypoints.wiring.stores import Stores, closed
from tests.support.processes import OWN_VARIABLES

T = TypeVar("T")

SECONDS: Final = 60
"""How long a process of the command line may take before the test fails."""


class Install:
    """Everything in one data folder. Nothing of this machine's own settings is seen."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.database = data / "anichron.db"
        self._environ = {"ANICHRON_DATA": str(data), "NO_COLOR": "1", "WORKER__SETTLING_SECONDS": "0"}

    def set(self, **variables: str) -> None:
        """Set variables for every command that follows."""
        self._environ |= variables

    def run(self, *arguments: str, typed: str | None = None) -> Result:
        """Run a command within this process; `typed` is its standard input, which is no terminal."""
        with self._surroundings():
            return CliRunner().invoke(root, arguments, input=typed)

    def ok(self, *arguments: str, typed: str | None = None) -> Result:
        """The same; asserts that it ended well."""
        result = self.run(*arguments, typed=typed)
        assert result.exit_code == 0, result.output
        return result

    def json(self, *arguments: str) -> Any:  # noqa: ANN401 -- whatever it printed
        """The one JSON document that a command prints."""
        return json.loads(self.ok(*arguments, "--json").stdout)

    def start(
        self, *arguments: str, stdin: int = subprocess.DEVNULL, stderr: int = subprocess.PIPE
    ) -> "subprocess.Popen[str]":
        """Start a command as a process of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "entrypoints", *arguments],
            env={**_without_own(os.environ), **self._environ},
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )

    def process(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run a command as a process of its own, to its end."""
        process = self.start(*arguments)
        out, err = process.communicate(timeout=SECONDS)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def work(self, work: Callable[[Stores], Awaitable[T]]) -> T:
        """Work on the install's stores, behind the back of the command line."""
        return asyncio.run(self._work(work))

    def ada(self) -> str:
        """An account; its id."""
        password = self.data.parent / "password"
        password.write_text("correct horse\n")
        return self.ok(
            "users", "create-admin", "--email", "ada@photos.example", "--password-file", str(password)
        ).stdout.strip()

    def library(self, folder: Path) -> str:
        """A photo folder of Ada's; its id."""
        folder.mkdir(exist_ok=True)
        return self.ok("configs", "add", "ada", str(folder)).stdout.strip()

    async def _work(self, work: Callable[[Stores], Awaitable[T]]) -> T:
        stores = Stores(location=SqliteFile(self.database), name="test")
        try:
            return await work(stores)
        finally:
            await closed(stores)

    @contextmanager
    def _surroundings(self) -> Iterator[None]:
        with patch.dict(os.environ, {**_without_own(os.environ), **self._environ}, clear=True):
            yield


def _without_own(environ: "os._Environ[str] | dict[str, str]") -> dict[str, str]:
    return {name: value for name, value in environ.items() if not name.upper().startswith(OWN_VARIABLES)}
