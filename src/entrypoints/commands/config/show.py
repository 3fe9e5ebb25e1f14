"""`anichron config show`."""

import rich_click as click

from entrypoints.commands.documents import SettingsView, SettingView
from entrypoints.commands.opening import read_settings
from entrypoints.commands.options import json_option
from entrypoints.commands.output import show_document, show_table
from entrypoints.settings.loading import Loaded
from entrypoints.settings.stores import described, proxy_path, store_location
from entrypoints.settings.variables import VARIABLES

COLUMNS = ("Setting", "Value", "From")


@click.command("show")
@json_option
def command(*, as_json: bool) -> None:
    """Show every setting, and where it came from. Secrets stay hidden."""
    loaded = read_settings()
    settings = loaded.settings
    view = SettingsView(
        settings=tuple(_setting(loaded, name) for name in VARIABLES),
        database=described(store_location(settings)),
        proxies=str(proxy_path(settings)),
    )
    if as_json:
        show_document(view)
        return
    rows = [(setting.name, setting.value, setting.origin) for setting in view.settings]
    follows = [("(database)", view.database, "follows"), ("(proxies)", view.proxies, "follows")]
    show_table(COLUMNS, [*rows, *follows], wraps="From", only_wide=1)


def _setting(loaded: Loaded, name: str) -> SettingView:
    variable = VARIABLES[name]
    return SettingView(
        name=name,
        value=variable.shown_in(loaded.settings),
        is_secret=variable.is_secret,
        origin=loaded.origin_of(name),
    )
