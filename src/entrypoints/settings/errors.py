"""Apart from the rest, so that who only reports it need not load how settings are read."""

from collections.abc import Iterable


class SettingsError(Exception):
    """The settings cannot be used. `lines` says why, one for each problem; no secret is in them."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Take the lines."""
        self.lines = tuple(lines)
        super().__init__("; ".join(self.lines))
