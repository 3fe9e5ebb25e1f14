"""Takes a whole folder in."""

from collections.abc import Callable
from dataclasses import dataclass

from application.ingestion.overseer import Overseer, StopSignal
from application.ingestion.step import Folder, Visit
from application.ingestion.surroundings import Surroundings
from application.ingestion.taking_in import TakingIn
from application.ingestion.tally import Tally


@dataclass(frozen=True, slots=True)
class Completed:
    """Every file that the walk met came to an outcome."""

    tally: Tally


@dataclass(frozen=True, slots=True)
class Interrupted:
    """Some files were left for another time, on request; nothing was decided to be gone."""

    tally: Tally


class Ingest:
    """Brings the rows and proxies of one library up to date with its folder.

    Runs from scratch and converges: a second run over the same files reads none of them and changes no
    row. Originals are only read.
    """

    def __init__(self, surroundings: Surroundings) -> None:
        """Take the ports."""
        self._with = surroundings

    async def run(
        self,
        folder: Folder,
        *,
        verify: bool,
        accept_removals: bool = False,
        stop: StopSignal,
        report: Callable[[Tally], None],
    ) -> Completed | Interrupted:
        """Take in every file below the folder's root.

        Raises `RootUnreadable`, `RemovalsRefused`, `ProxiesUnwritable`, `RendererUnavailable` or
        `StoreUnavailable`; what was done by then stands.
        """
        overseer = Overseer(stop, report)
        visit = Visit(folder, self._with.clock.now(), verify=verify, accept_removals=accept_removals)
        async with self._with.renderers() as renderer:
            await TakingIn(self._with, renderer, visit, overseer).go()
        return Interrupted(overseer.tally) if overseer.was_interrupted else Completed(overseer.tally)
