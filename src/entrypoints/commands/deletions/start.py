"""`anichron deletions start`."""

import asyncio
from typing import Final, TextIO, assert_never

import rich_click as click

from adapters.web.views.proxy_deletions import DeletionsView
from adapters.web.views.work_items import work_item_view
from application.ports.request_keys import KeyMisused
from application.proxy_deletions import (
    MOST_CHOSEN,
    AllOfThem,
    Choice,
    ChoiceRefused,
    DeletionsAccepted,
    DeletionsAskedBefore,
    These,
)
from application.sweeps import SweepUnfinished, SweepUnknown
from domain.media.proxy_finding import DELETABLE, FindingNumber
from domain.work_item import WorkItem
from entrypoints.commands.asking import confirmed
from entrypoints.commands.exits import CommandError, ExitCode
from entrypoints.commands.finding import found_item
from entrypoints.commands.findings import Deletable, pages
from entrypoints.commands.following import follow, waiting_teller, worst_outcome
from entrypoints.commands.item_words import SHORTEST_ID
from entrypoints.commands.opening import at_desk, read_settings
from entrypoints.commands.options import json_option, wait_option, yes_option
from entrypoints.commands.output import say, show_document
from entrypoints.wiring.desk import Desk

IDS_FILE: Final = "--ids-file"
MOST_DIGITS: Final = 15
MOST_NAMED: Final = 3
LONGEST_QUOTE: Final = 40

Numbers = frozenset[FindingNumber]


@click.command("start")
@click.argument("sweep", metavar="SWEEP")
@click.option(
    IDS_FILE,
    type=click.File(encoding="utf-8-sig", errors="replace"),
    help=f"Delete those whose numbers are in this file, one a line, at most {MOST_CHOSEN:,}; "
    "'-' reads them from standard input. Blank lines, and what follows a #, are left out.",
)
@click.option("--all", "is_all", is_flag=True, help="Delete every file that the sweep has found.")
@yes_option
@wait_option
@json_option
@click.pass_context
def command(  # noqa: PLR0913 -- one argument an option
    ctx: click.Context,
    sweep: str,
    ids_file: TextIO | None,
    *,
    is_all: bool,
    yes: bool,
    wait: bool,
    as_json: bool,
) -> None:
    """Delete files that the finished sweep SWEEP has found: its id, or a unique beginning of it.

    Each file is looked at again before it goes: what has come to be known, or is less than an hour old, is kept.
    Prints the ids of the work items: one for each photo folder, and one for the files of folders that are none any
    more. What cannot be deleted just now is tried again, up to five times. With --wait the exit code is that of
    the worst outcome.

    The command line has no account, so the items say of nobody that they asked for them. The page calls that the
    schedule, though that never deletes a proxy.

    \b
    Examples:
      anichron deletions start 0192f3c8 --all --wait
      anichron deletions start 0192f3c8 --ids-file numbers
      seq 1 100 | anichron deletions start 0192f3c8 --ids-file - --yes
    """  # noqa: D301 -- \b keeps click from filling the lines
    if (ids_file is None) != is_all:
        both = ", not both" if is_all else ""
        raise click.UsageError(f"Say which files: either {IDS_FILE} FILE or --all{both}.")
    numbers = None if ids_file is None else _numbers(ids_file)

    loaded = read_settings()
    swept, chosen = at_desk(loaded, lambda desk: _chosen(desk, sweep, numbers))
    # Asked between two visits: within one, Ctrl-C would only be heard after the answer.
    if chosen.files and not confirmed(_question(swept, chosen), yes=yes):
        say("Nothing was deleted.")
        return

    choice = AllOfThem(chosen.files) if numbers is None else These(numbers)
    ctx.exit(at_desk(loaded, lambda desk: _started(desk, swept, choice, wait=wait, as_json=as_json)))


async def _started(desk: Desk, sweep: WorkItem, choice: Choice, *, wait: bool, as_json: bool) -> ExitCode:
    items = await _asked(desk, sweep, choice)
    if wait:
        with waiting_teller(desk, as_json=as_json) as tell:
            ended = await asyncio.gather(*(follow(desk, item.id, tell) for item in items))
        return worst_outcome(ended)
    if as_json:
        outlook = await desk.overview().outlook()
        show_document(
            DeletionsView(items=tuple(work_item_view(item, desk.limits(), outlook) for item in items))
        )
    else:
        for item in items:
            click.echo(item.id)
    return ExitCode.OK


def _numbers(lines: TextIO) -> Numbers:
    """The numbers of findings in a file."""
    numbers: set[FindingNumber] = set()
    for place, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if text:
            numbers.add(_number(text, place))
        if len(numbers) > MOST_CHOSEN:
            raise CommandError(
                f"{IDS_FILE} chooses more than {MOST_CHOSEN:,} findings: delete them in several goes, or --all",
                ExitCode.CONFLICT,
            )
    if not numbers:
        raise click.BadParameter("there is no number in it.", param_hint=IDS_FILE)
    return frozenset(numbers)


def _number(text: str, place: int) -> FindingNumber:
    is_number = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text) > 0
    if not is_number:
        raise click.BadParameter(
            f"line {place}: {text[:LONGEST_QUOTE]!r} is no number of a finding.", param_hint=IDS_FILE
        )
    return FindingNumber(int(text))


async def _chosen(desk: Desk, text: str, numbers: Numbers | None) -> tuple[WorkItem, Deletable]:
    """The sweep, and how much was chosen.

    Raises `CommandError` where a number is of nothing, or of nothing that could be deleted.
    """
    sweep = await found_item(desk, text)
    chosen, unseen, no_files = Deletable(), set(numbers or ()), set[FindingNumber]()
    async for page in pages(desk, sweep):
        findings = [finding for finding in page.findings if numbers is None or finding.number in numbers]
        chosen.add(findings)
        if numbers is not None:
            unseen.difference_update(finding.number for finding in findings)
            no_files.update(finding.number for finding in findings if finding.what not in DELETABLE)
    if unseen:
        raise CommandError(
            f"the sweep has found nothing that has the number {_named(unseen)}", ExitCode.NOT_FOUND
        )
    if no_files:
        raise CommandError(
            f"nothing was deleted, for a missing file has the number {_named(no_files)}: "
            "'anichron crawl CONFIG --verify' makes it again",
            ExitCode.CONFLICT,
        )
    return sweep, chosen


def _named(numbers: set[FindingNumber]) -> str:
    first = ", ".join(map(str, sorted(numbers)[:MOST_NAMED]))
    more = len(numbers) - MOST_NAMED
    return f"{first} and {more:,} more" if more > 0 else first


def _question(sweep: WorkItem, chosen: Deletable) -> str:
    return f"Delete {chosen} that sweep {str(sweep.id)[:SHORTEST_ID]} has found?"


async def _asked(desk: Desk, sweep: WorkItem, choice: Choice) -> tuple[WorkItem, ...]:
    if choice == AllOfThem(0):
        say("The sweep has found no file that could be deleted: there is nothing to do.")
        return ()
    match await desk.proxy_deletions().ask(sweep.id, choice, by=None):
        case DeletionsAccepted(items=items) | DeletionsAskedBefore(items=items):
            return items
        case ChoiceRefused(why=why):
            raise CommandError(why, ExitCode.CONFLICT)
        case SweepUnknown() | SweepUnfinished() | KeyMisused():
            raise CommandError(f"sweep {sweep.id} has just gone: nothing was deleted", ExitCode.NOT_FOUND)
        case answer:
            assert_never(answer)
