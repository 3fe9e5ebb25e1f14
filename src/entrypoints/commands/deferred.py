"""Groups that know what their commands are called, and load one only when it is called."""

import importlib
from collections.abc import Mapping
from typing import Any

import rich_click as click


class DeferredGroup(click.RichGroup):
    """A group whose help and completion cost nothing, however much its commands import.

    `deferred` tells for each command its line of help; the command itself is called `command`, in the
    module of `package` that has its name, with underscores for dashes.
    """

    def __init__(
        self,
        *args: Any,  # noqa: ANN401 -- handed on
        package: str,
        deferred: Mapping[str, str],
        **kwargs: Any,  # noqa: ANN401 -- handed on
    ) -> None:
        """Take where the commands are."""
        super().__init__(*args, **kwargs)
        self._package = package
        self._deferred = deferred

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which they were given: that of their use, not of the alphabet."""
        return [*self._deferred, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """What help and completion show of a command."""
        line = self._deferred.get(cmd_name)
        if line is None:
            return super().get_command(ctx, cmd_name)
        return click.RichCommand(name=cmd_name, help=line)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command itself, loaded now."""
        name, command, rest = super().resolve_command(ctx, args)
        if name is not None and name in self._deferred:
            command = self._load(name)
        return name, command, rest

    def _load(self, name: str) -> click.Command:
        module = importlib.import_module(f"{self._package}.{name.replace('-', '_')}")
        command: click.Command = module.command
        return command
