"""How a command comes by a password: from a file, from standard input, from whoever sits there, or by chance."""

import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import rich_click as click

from entrypoints.commands.asking import at_terminal
from entrypoints.settings.files import Unreadable, text_of

F = TypeVar("F", bound=Callable[..., Any])

STDIN: Final = "-"
GENERATED_BYTES: Final = 15


def password_file_option(command: F) -> F:
    """`--password-file`: a password is never an argument, other accounts of the host could read it."""
    return click.option(
        "--password-file",
        help="File with the password, '-' for stdin; one newline at its end is not part of it. "
        "Without it the password is asked for.",
    )(command)


def given_password(file: str | None, *, instead: str = "--password-file") -> str:
    """The password of the file, or else of whoever sits at the terminal; `instead` tells what to give where nobody does."""
    if file == STDIN:
        return sys.stdin.read().removesuffix("\n")
    if file is not None:
        text = text_of(Path(file))
        if isinstance(text, Unreadable):
            raise click.BadParameter(f"{file}: the file {text.why}.", param_hint="--password-file")
        return text
    if not at_terminal():
        raise click.UsageError(f"Nobody can be asked here: give {instead}.")
    answer: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    return answer


def generated_password() -> str:
    """One that nobody can guess, and everybody can type."""
    return secrets.token_urlsafe(GENERATED_BYTES)
