"""Questions to the person at the terminal, if there is one."""

import sys

import rich_click as click


def at_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty()


def confirmed(question: str, *, yes: bool) -> bool:
    """Whether to go on with what cannot be undone. Without a terminal only `--yes` can say so."""
    if yes:
        return True
    if not at_terminal():
        raise click.UsageError(
            f"{question} That cannot be undone, and nobody can be asked here: confirm with --yes."
        )
    return click.confirm(question, err=True)
