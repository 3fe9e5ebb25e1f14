"""How many items there are, on the wire."""

from collections.abc import Mapping

from msgspec import Struct

from adapters.web.views.instants import Instant, instant, instant_or_null
from application.overview import Numbers
from domain.work_item import Status


class CountsView(Struct, frozen=True, kw_only=True, rename="camel"):
    """Items by status, alone and for each kind, every status named; and who is there to do the work."""

    by_status: dict[str, int]
    by_kind: dict[str, dict[str, int]]
    oldest_waiting_at: Instant | None
    workers_online: int
    as_of: Instant


def counts_view(numbers: Numbers) -> CountsView:
    """The counts, with the sums over all kinds."""
    counts = numbers.counts
    by_kind = {str(kind): _every_status(of_kind) for kind, of_kind in sorted(counts.by_kind.items())}
    return CountsView(
        by_status={status.value: sum(kind[status] for kind in by_kind.values()) for status in Status},
        by_kind=by_kind,
        oldest_waiting_at=instant_or_null(counts.oldest_waiting_at),
        workers_online=numbers.workers_online,
        as_of=instant(counts.as_of),
    )


def _every_status(counts: Mapping[Status, int]) -> dict[str, int]:
    return {status.value: counts.get(status, 0) for status in Status}
