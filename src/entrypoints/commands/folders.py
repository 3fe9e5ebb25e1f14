"""Photo folders as somebody types them."""

import os
from pathlib import Path

import rich_click as click

from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.settings.loading import Loaded
from entrypoints.settings.stores import proxy_path

ROOT = "WORKER__ROOT"


class PhotoFolder(click.ParamType[Path]):
    """A folder of this host that can be read: absolute, with every link in its path followed."""

    name = "folder"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Look at it."""
        path = Path(str(value)).expanduser()
        try:
            resolved = path.resolve(strict=True)
            if not resolved.is_dir():
                self.fail(f"{path} is not a folder.", param, ctx)
        except OSError as error:
            reason = (error.strerror or "cannot be found").lower()
            self.fail(f"{path}: {reason}.", param, ctx)
        if not os.access(resolved, os.R_OK | os.X_OK):
            self.fail(f"{resolved} cannot be read: permission denied.", param, ctx)
        return resolved


def require_fit(folder: Path, loaded: Loaded) -> None:
    """Refuse a folder that would be crawled into its own proxies, or that no worker is meant to read."""
    proxies = proxy_path(loaded.settings).resolve()
    if proxies.is_relative_to(folder) or folder.is_relative_to(proxies):
        raise CommandError(
            f"{folder} and the proxies folder {proxies} may not hold one another: choose another photo "
            "folder, or set WORKER__PROXY_PATH or ANICHRON_DATA",
            ExitCode.USAGE,
        )
    root = loaded.settings.worker.root.resolve()
    if ROOT in loaded.given and not folder.is_relative_to(root):
        raise CommandError(f"{folder} does not lie below {ROOT} ({root})", ExitCode.USAGE)
