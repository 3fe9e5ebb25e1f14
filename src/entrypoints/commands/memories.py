"""`anichron memories`."""

from collections.abc import Sequence

import rich_click as click

from domain.media.asset import MediaAsset
from domain.media.file import path_text
from domain.media.memories import DayOfYear, day_of_year, days_remembered
from entrypoints.commands.finding import found_user
from entrypoints.commands.media_documents import MemoriesView, memory_view, place_words
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option
from entrypoints.commands.output import say, show_document, show_table
from entrypoints.settings.model import Settings
from entrypoints.wiring.desk import Desk

COLUMNS = ("Year", "Taken", "File", "Place", "Type")


class Day(click.ParamType[DayOfYear]):
    """A day of any year: MM-DD."""

    name = "day"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> DayOfYear:
        """Read it."""
        try:
            return day_of_year(str(value))
        except ValueError:
            self.fail(f"{str(value)!r} is no day such as 07-08 or 02-29.", param, ctx)


@click.command("memories")
@click.option("--date", "day", metavar="MM-DD", type=Day(), help="The day; today without it.")
@click.option("--user", metavar="NAME", help="Only of this account's photo folders.")
@json_option
def command(*, day: DayOfYear | None, user: str | None, as_json: bool) -> None:
    """List what was photographed on a day, of every year, the newest first.

    The day is the one that the camera's clock showed. Today is today in WORKER__TIME_ZONE. In years without
    a 29th of February its pictures come on the 28th.

    \b
    Examples:
      anichron memories
      anichron memories --date 12-24 --user ada
    """  # noqa: D301 -- \b keeps click from filling the lines
    loaded = read_settings()

    async def read(desk: Desk) -> None:
        days = (day,) if day is not None else _today(desk, loaded.settings)
        owner = None if user is None else (await found_user(desk, user)).id
        assets = await desk.assets().captured_on(days, user=owner)
        if as_json:
            show_document(MemoriesView(tuple(map(str, days)), tuple(map(memory_view, assets))))
        elif assets:
            show_table(COLUMNS, map(_row, assets), wraps="File", only_wide=2)
        else:
            say(f"Nothing was photographed on {' or '.join(map(str, days))} of any year.")

    at_desk(loaded, read)


def _today(desk: Desk, settings: Settings) -> tuple[DayOfYear, ...]:
    return days_remembered(desk.clock().now().astimezone(settings.worker.time_zone).date())


def _row(asset: MediaAsset) -> Sequence[str]:
    captured = asset.captured
    assert captured is not None  # noqa: S101 -- it was found by its date
    return (
        f"{captured.day.year:04d}",
        f"{captured.day:%m-%d} {captured.wall_time:%H:%M}",
        path_text(asset.path),
        place_words(asset.metadata),
        asset.media_type.value,
    )
