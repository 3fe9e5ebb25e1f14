from datetime import timedelta

import pytest

from application.registry import KindRegistry, Registration, RegistryError
from application.schedules.crawl import CrawlSchedule
from application.schedules.token_cleanup import TokenCleanupSchedule
from domain.kinds.kind import WorkKind
from domain.kinds.token_cleanup import TokenCleanupPayload
from tests.support.probes import ProbeHandler, ProbeKind, ProbePayload

DAILY = TokenCleanupSchedule(timedelta(hours=24))
PROBE = Registration(ProbePayload, ProbeHandler())
CLEANUP = Registration(TokenCleanupPayload, ProbeHandler(), schedule=DAILY)


def test_a_registry_with_every_kind_once_can_be_asked() -> None:
    registry = KindRegistry([PROBE], ProbeKind)

    assert registry.kinds == {"probe"}
    assert registry.of(ProbeKind.PROBE.row_name) is PROBE
    assert registry.schedules == ()


def test_schedules_are_those_of_the_periodic_kinds() -> None:
    registry = KindRegistry([PROBE, CLEANUP], [ProbeKind.PROBE, WorkKind.TOKEN_CLEANUP])

    assert registry.schedules == (DAILY,)


@pytest.mark.parametrize(
    ("registrations", "told"),
    [
        ([], "probe: no payload and handler registered"),
        ([PROBE, PROBE], "probe: registered 2 times"),
        ([PROBE, CLEANUP], "token-cleanup: registered, but no kind of this install"),
        (
            [Registration(ProbePayload, ProbeHandler(), schedule=CrawlSchedule(timedelta(hours=4)))],
            "probe: has a schedule, but is not periodic",
        ),
    ],
)
def test_whatever_is_wrong_with_a_kind_stops_the_start_and_names_it(
    registrations: list[Registration], told: str
) -> None:
    with pytest.raises(RegistryError, match=told):
        KindRegistry(registrations, ProbeKind)


def test_a_periodic_kind_needs_a_schedule() -> None:
    unscheduled = Registration(TokenCleanupPayload, ProbeHandler())

    with pytest.raises(RegistryError, match="token-cleanup: periodic, but has no schedule"):
        KindRegistry([unscheduled], [WorkKind.TOKEN_CLEANUP])


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(RegistryError) as error:
        KindRegistry([PROBE, PROBE], kinds=[WorkKind.CRAWL, WorkKind.TOKEN_CLEANUP])

    assert str(error.value) == (
        "crawl: no payload and handler registered; token-cleanup: no payload and handler registered; "
        "probe: registered, but no kind of this install; probe: registered 2 times"
    )
