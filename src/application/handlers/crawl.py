"""Takes one storage config's folder in."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from application.handling import Handler, PermanentError, Run, Stopped, WorkError
from application.ingestion.ingest import Completed, Ingest, Interrupted
from application.ingestion.settlement import RemovalsRefused, RootEmpty
from application.ingestion.step import Folder
from application.ingestion.tally import Tally
from application.ports.file_tree import RootUnreadable
from application.ports.image_renderer import RendererUnavailable
from application.ports.proxy_store import ProxiesUnwritable
from application.ports.storage_configs import StorageConfigs
from domain.kinds.crawl import CrawlPayload, CrawlResult


class CrawlHandler(Handler[CrawlPayload]):
    """Walks, reads what is new or changed, and stores it. No single file can fail it.

    Neither its progress nor its errors hold a name: the admin reads them.
    """

    def __init__(self, configs: StorageConfigs, ingest: Ingest) -> None:
        self._configs = configs
        self._ingest = ingest

    async def handle(self, run: Run[CrawlPayload]) -> CrawlResult | Stopped:
        config = await self._configs.get(run.payload.storage_config_id)
        if config is None:
            raise PermanentError("config-unknown", "The storage config does not exist any more.")

        def report(tally: Tally) -> None:
            total = tally.found if tally.walk_is_over else None
            run.progress.report(done=tally.processed, total=total, note=f"{tally.failed} failed")

        with named_failures():
            outcome = await self._ingest.run(
                Folder(config.id, config.root_path),
                verify=run.payload.verify,
                accept_removals=run.payload.accept_removals,
                stop=run.cancel,
                report=report,
            )
        match outcome:
            case Completed(tally):
                return result_of(tally)
            case Interrupted(tally):
                return Stopped(result_of(tally))


MEANT: Final = "If that was meant, run 'anichron crawl CONFIG --accept-removals'."


@contextmanager
def named_failures() -> Iterator[None]:
    """Give the failures of a whole crawl their stable codes."""
    try:
        yield
    except RootUnreadable as error:
        raise WorkError("root-unreadable", f"The photo folder cannot be read: {error}.") from error
    except RootEmpty as error:
        raise WorkError(
            "root-empty",
            f"The photo folder is empty, and {error.live} files were known in it. Nothing was removed. {MEANT}",
        ) from error
    except RemovalsRefused as error:
        raise WorkError(
            "root-suspicious",
            f"{error.missing} of {error.live} known files are gone. Nothing was removed. {MEANT}",
        ) from error
    except ProxiesUnwritable as error:
        raise WorkError("proxies-unwritable", f"The proxies folder cannot be written to: {error}.") from error
    except RendererUnavailable as error:
        raise WorkError("renderer-unavailable", f"Pictures cannot be decoded: {error}.") from error


def result_of(tally: Tally) -> CrawlResult:
    """The counts as they are kept."""
    return CrawlResult(
        found=tally.found,
        processed=tally.processed,
        new=tally.added,
        updated=tally.replaced,
        moved=tally.moved,
        returned=tally.returned,
        missing=tally.missing,
        skipped=tally.skipped,
        failed=tally.failed,
        failed_by_reason={reason.value: count for reason, count in tally.failed_by_reason.items()},
    )
