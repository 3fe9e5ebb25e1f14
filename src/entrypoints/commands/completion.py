"""`anichron completion`."""

from typing import Final

import rich_click as click
from click.shell_completion import get_completion_class

from entrypoints.commands.root import PROGRAM

VARIABLE: Final = "_ANICHRON_COMPLETE"


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    \b
    Examples:
      anichron completion bash > ~/.local/share/bash-completion/completions/anichron
      anichron completion zsh > "${fpath[1]}/_anichron"
      anichron completion fish > ~/.config/fish/completions/anichron.fish
    """  # noqa: D301 -- \b keeps click from filling the lines
    completion = get_completion_class(shell)
    assert completion is not None, "click knows the shells of the choice above"  # noqa: S101
    click.echo(completion(ctx.find_root().command, {}, PROGRAM, VARIABLE).source())
