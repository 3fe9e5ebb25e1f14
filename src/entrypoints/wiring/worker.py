"""A worker and everything that it is made of."""

import asyncio
from importlib.metadata import version

from dependency_injector import containers, providers

from adapters.codec.payloads import MsgspecPayloadCodec
from adapters.system.clock import SystemClock
from adapters.system.ids import RandomIds, SystemChance, worker_name
from adapters.system.lanes import ThreadLanes
from adapters.system.loops import new_loop
from adapters.telemetry.journal import LogJournal
from application.enqueue import WorkQueue
from application.executor.slots import Executor
from application.heartbeat import Heartbeat
from application.recovery import Recovery
from application.scheduler import Scheduler
from application.waiting import Contact
from application.worker import Worker
from application.worker_options import WorkerOptions
from domain.presence import WorkerPresence
from domain.scope import AllScopes, UserScope
from entrypoints.settings.errors import SettingsError
from entrypoints.settings.model import Settings
from entrypoints.settings.stores import store_location
from entrypoints.wiring.kinds import Kinds
from entrypoints.wiring.schema import bring_up_to_date
from entrypoints.wiring.stores import Stores

CONTROL_THREADS = 3
"""Connections beside the handlers' own: claims and finishes, the schedule, a transaction."""


class WorkerParts(containers.DeclarativeContainer):
    """What a worker is made of before it has looked at its database."""

    settings = providers.Dependency(instance_of=Settings)
    once = providers.Dependency(instance_of=bool, default=False)
    max_items: providers.Object[int | None] = providers.Object(None)
    of_worker = settings.provided.worker

    options = providers.Singleton(
        WorkerOptions,
        poll=of_worker.poll,
        heartbeat=of_worker.heartbeat,
        lease=of_worker.lease,
        stall_limit=of_worker.stall_limit,
        slots=of_worker.slots,
        grace=of_worker.shutdown_grace,
        once=once,
        max_items=max_items,
    )
    stores = providers.Container(
        Stores,
        location=providers.Callable(store_location, settings),
        name="anichron-worker",
        size=providers.Callable(lambda slots: slots + CONTROL_THREADS, of_worker.slots),
        behind_pooler=settings.provided.database.behind_pooler,
        outlasted=of_worker.lease,
    )
    registry = providers.Container(Kinds, settings=settings, stores=stores).registry
    clock = providers.Singleton(SystemClock)
    chance = providers.Singleton(SystemChance)
    ids = providers.Singleton(RandomIds)
    codec = providers.Singleton(MsgspecPayloadCodec)
    journal = providers.Singleton(LogJournal)
    lanes = providers.Singleton(ThreadLanes, new_loop)
    queue = providers.Singleton(WorkQueue, stores.work, codec, ids)


async def opened(parts: WorkerParts) -> Worker:
    """The worker, once its database has the schema and its user is known.

    Raises `StoreUnavailable`, `SchemaFromTheFuture`, `SettingsError` and `RegistryError`.
    """
    settings = parts.settings()
    # A registry that is not whole must stop the start before anything is asked of the database (S-22).
    parts.registry()
    await asyncio.to_thread(bring_up_to_date, settings)
    return assembled(parts, await _presence(parts, settings))


async def _presence(parts: WorkerParts, settings: Settings) -> WorkerPresence:
    wanted = settings.worker.user
    user = None if wanted is None else await parts.stores.users().named(wanted)
    if wanted is not None and user is None:
        raise SettingsError([f"WORKER__USER={wanted}: nobody is called that; see 'anichron users list'"])
    return WorkerPresence(
        name=worker_name(None if user is None else user.name),
        scope=AllScopes() if user is None else UserScope(user.id),
        version=version("anichron"),
        slots=settings.worker.slots,
    )


def assembled(parts: WorkerParts, presence: WorkerPresence) -> Worker:
    """The worker of this name and scope; its heartbeat has a thread of its own from here on."""
    options, clock, chance, journal = parts.options(), parts.clock(), parts.chance(), parts.journal()
    work, registry = parts.stores.work(), parts.registry()
    contact = Contact(clock)
    heartbeat = Heartbeat(parts.stores.leases(), parts.lanes().open("heartbeat"), clock, journal, options)
    executor = Executor(
        claims=work,
        registry=registry,
        codec=parts.codec(),
        lanes=parts.lanes(),
        chance=chance,
        heartbeat=heartbeat,
        contact=contact,
        clock=clock,
        journal=journal,
        worker=presence,
        options=options,
    )
    scheduler = Scheduler(
        queue=parts.queue(),
        ledger=work,
        configs=parts.stores.configs(),
        schedules=registry.schedules,
        scope=presence.scope,
        journal=journal,
    )
    return Worker(
        worker=presence,
        executor=executor,
        heartbeat=heartbeat,
        recovery=Recovery(work, contact, clock, journal, options),
        scheduler=scheduler,
        presences=parts.stores.presences(),
        contact=contact,
        chance=chance,
        clock=clock,
        journal=journal,
        options=options,
    )
