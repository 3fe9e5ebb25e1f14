"""Which kinds this worker can run: built from the container, checked at start-up (S-22)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from application.handling import BlockingHandler, Handler
from application.scheduling import Schedule
from domain.ids import KindName
from domain.kinds.kind import Kind, WorkKind, WorkPayload
from domain.retry import RetryPolicy


class RegistryError(Exception):
    """The registrations contradict each other or the kinds; says everything that is wrong."""


@dataclass(frozen=True, slots=True)
class Registration:
    """One kind: its payload, its handler, and its schedule where it is periodic.

    Failures are retried as the kind says, unless `retry` says otherwise.
    """

    payload: type[WorkPayload]
    handler: Handler[Any] | BlockingHandler[Any]
    schedule: Schedule | None = None
    retry: RetryPolicy | None = None

    @property
    def kind(self) -> Kind:
        """The kind that the payload declares."""
        return self.payload.kind

    @property
    def retry_policy(self) -> RetryPolicy:
        """What becomes of a failure."""
        return self.kind.retry if self.retry is None else self.retry


class KindRegistry:
    """Exactly one payload and one handler for each kind, and a schedule where it is periodic."""

    def __init__(self, registrations: Iterable[Registration], kinds: Iterable[Kind] = WorkKind) -> None:
        """Check them all against the kinds that there are.

        Raises `RegistryError`, which names every kind that is not right.
        """
        registered = tuple(registrations)
        problems = [*_miscounted(registered, frozenset(kinds)), *_wrongly_scheduled(registered)]
        if problems:
            raise RegistryError("; ".join(problems))
        self._by_name = {registration.kind.row_name: registration for registration in registered}

    @property
    def kinds(self) -> frozenset[KindName]:
        """What this worker may claim."""
        return frozenset(self._by_name)

    @property
    def schedules(self) -> tuple[Schedule, ...]:
        """The rules of all periodic kinds."""
        return tuple(one.schedule for one in self._by_name.values() if one.schedule is not None)

    def of(self, kind: KindName) -> Registration:
        """The registration of a kind among `kinds`."""
        return self._by_name[kind]


def _miscounted(registrations: tuple[Registration, ...], kinds: frozenset[Kind]) -> list[str]:
    times = Counter(registration.kind for registration in registrations)
    missing = [f"{kind}: no payload and handler registered" for kind in sorted(kinds - times.keys())]
    unknown = [f"{kind}: registered, but no kind of this install" for kind in sorted(times.keys() - kinds)]
    doubled = [f"{kind}: registered {count} times" for kind, count in times.items() if count > 1]
    return [*missing, *unknown, *doubled]


def _wrongly_scheduled(registrations: tuple[Registration, ...]) -> list[str]:
    problems = []
    for registration in registrations:
        if registration.payload.periodic and registration.schedule is None:
            problems.append(f"{registration.kind}: periodic, but has no schedule")
        if not registration.payload.periodic and registration.schedule is not None:
            problems.append(f"{registration.kind}: has a schedule, but is not periodic")
    return problems
