"""Every error becomes one line on stderr and its exit code; help and completion cost nothing."""

import subprocess
import sys

import pytest
import rich_click as click
from click.testing import CliRunner, Result

from application.ports.errors import SchemaFromTheFuture, StoreRefused, StoreUnavailable, StoreUnfit
from application.registry import RegistryError
from entrypoints.commands.deferred import DeferredGroup
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.root import RootGroup, root
from entrypoints.settings.errors import SettingsError

COMMANDS = [
    "up", "api", "worker", "crawl", "memories", "failures", "completion",
    "sweeps start", "sweeps orphans", "deletions start",
    "items list", "items show", "items watch", "items cancel",
    "configs add", "configs list", "configs remove",
    "users create-admin", "users create", "users list", "users reset-password", "users grant-admin",
    "users revoke-admin", "users disable", "users enable", "users end-sessions", "tokens create", "workers list",
    "db migrate", "db current", "db backup", "config show", "config check", "health api", "health worker",
]  # fmt: skip


def run(*arguments: str) -> Result:
    """Run the command line."""
    return CliRunner().invoke(root, arguments)


def failing(error: BaseException) -> Result:
    """A command line whose one command fails with this."""
    group = RootGroup("anichron", package="", deferred={})

    @group.command("fail")
    def fail() -> None:
        raise error

    return CliRunner().invoke(group, ["fail"])


@pytest.mark.parametrize(
    ("error", "line", "code"),
    [
        (CommandError("it is gone", ExitCode.NOT_FOUND), "anichron: it is gone", 3),
        (CommandError("no"), "anichron: no", 1),
        (
            StoreUnavailable("no answer\nDETAIL"),
            "anichron: the database is out of reach: no answer; 'anichron config show' tells which one it is",
            69,
        ),
        (SchemaFromTheFuture("too new"), "anichron: too new", 5),
        (StoreUnfit("SQLite 3.8 is too old"), "anichron: SQLite 3.8 is too old", 78),
        (RegistryError("crawl: registered 2 times"), "anichron: crawl: registered 2 times", 78),
        (StoreRefused("not that"), "anichron: not that", 1),
        (SettingsError(["A=1: wrong", "B=2: wrong"]), "A=1: wrong\nB=2: wrong", 78),
        (click.UsageError("Not so."), "anichron fail: Not so. See 'anichron fail --help'.", 2),
        (PermissionError(13, "Permission denied", "/x"), "anichron: /x: permission denied", 1),
        (
            OSError(28, "No space left on device"),
            "anichron: no space left on device; free some space, or choose another ANICHRON_DATA",
            1,
        ),
    ],
)
def test_an_error_is_its_line_and_its_code(error: Exception, line: str, code: int) -> None:
    result = failing(error)

    assert result.stderr == f"{line}\n"
    assert result.stdout == ""
    assert result.exit_code == code


def test_what_nobody_expected_is_one_line_too() -> None:
    result = failing(ZeroDivisionError("division by zero\nmore"))

    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("anichron: unexpected ZeroDivisionError at test_root.py:")
    assert line.endswith(": division by zero")


def test_ctrl_c_is_code_130_without_a_word() -> None:
    result = failing(KeyboardInterrupt())

    assert result.exit_code == 130
    assert result.stderr.strip() == ""


def test_a_reader_that_has_left_is_not_told_so() -> None:
    result = failing(BrokenPipeError())

    assert (result.exit_code, result.stderr) == (1, "")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["fly"], "anichron: No such command 'fly'. See 'anichron --help'."),
        (["--fly"], "anichron: No such option '--fly'. See 'anichron --help'."),
        (
            ["completion"],
            (
                "anichron completion: Missing argument '{bash|zsh|fish}'. Choose from: bash, zsh, fish. "
                "See 'anichron completion --help'."
            ),
        ),
        (
            ["users", "create", "--nam"],
            "anichron users create: No such option '--nam'. Did you mean '--name'? See 'anichron users create --help'.",
        ),
        (["items", "fly"], "anichron items: No such command 'fly'. See 'anichron items --help'."),
    ],
)
def test_a_command_that_there_is_not_is_one_line(arguments: list[str], line: str) -> None:
    result = run(*arguments)

    assert (result.exit_code, result.stderr) == (2, f"{line}\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_loads_and_explains_itself(command: str) -> None:
    result = run(*command.split(), "--help")

    assert result.exit_code == 0, result.stderr
    assert f"anichron {command}" in result.stdout


def test_the_help_of_groups_lists_every_command() -> None:
    def leaves(group: DeferredGroup, path: str) -> list[str]:
        found = []
        for name in group.list_commands(click.RichContext(group)):
            _, command, _ = group.resolve_command(click.RichContext(group), [name])
            full = f"{path} {name}".strip()
            found += leaves(command, full) if isinstance(command, DeferredGroup) else [full]
        return found

    assert isinstance(root, DeferredGroup)
    assert sorted(leaves(root, "")) == sorted(COMMANDS)
    assert "Crawl a photo folder and serve it" in run("--help").stdout
    assert "List work items, newest change first" in run("items", "--help").stdout


def test_the_version_is_that_of_the_package() -> None:
    assert run("--version").stdout == "anichron, version 0.1.0\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_there_is_a_completion_for_each_shell(shell: str) -> None:
    result = run("completion", shell)

    assert result.exit_code == 0
    assert "_ANICHRON_COMPLETE" in result.stdout


def test_help_loads_neither_a_database_nor_the_settings() -> None:
    program = (
        "import sys; from entrypoints.commands.root import root\n"
        "try: root.main(['--help'])\n"
        "except SystemExit: pass\n"
        "print(*(name for name in ('sqlalchemy', 'pydantic', 'alembic', 'litestar', 'PIL') if name in sys.modules),"
        " file=sys.stderr)"
    )

    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert loaded.stderr.strip() == ""
