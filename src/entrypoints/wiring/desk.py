"""What people do with the queue from outside: the use cases behind command line and API."""

from dependency_injector import containers, providers

from adapters.codec.payloads import MsgspecPayloadCodec
from adapters.identity.passwords import ArgonPasswords
from adapters.identity.tokens import JwtTokens
from adapters.system.clock import SystemClock
from adapters.system.ids import RandomIds
from adapters.web.views.work_items import limits_of
from application.account_care import AccountCare
from application.accounts import Accounts, Tokens
from application.admin import Admin
from application.asking import Asking
from application.cancel import Cancel
from application.configs import Configs
from application.enqueue import WorkQueue
from application.overview import Overview, OverviewPorts
from application.proxy_deletions import DeletionPorts, ProxyDeletions
from application.sweeps import Sweeps
from application.watch import Watch
from entrypoints.settings.model import Settings
from entrypoints.settings.signing import signing_secret
from entrypoints.settings.stores import root_bounds, store_location
from entrypoints.wiring.stores import Stores


class Desk(containers.DeclarativeContainer):
    """Use cases over the stores of one install; none of them runs work."""

    settings = providers.Dependency(instance_of=Settings)
    name = providers.Dependency(instance_of=str)
    size = providers.Dependency(instance_of=int, default=2)
    stores = providers.Container(
        Stores,
        location=providers.Callable(store_location, settings),
        name=name,
        size=size,
        behind_pooler=settings.provided.database.behind_pooler,
    )

    users = stores.users
    feed = stores.feed
    schema = stores.schema
    clock = providers.Singleton(SystemClock)
    ids = providers.Singleton(RandomIds)
    queue = providers.Singleton(WorkQueue, stores.work, providers.Singleton(MsgspecPayloadCodec), ids)

    limits = providers.Singleton(limits_of, stall_limit=settings.provided.worker.stall_limit)

    overview = providers.Singleton(
        Overview,
        providers.Singleton(
            OverviewPorts,
            ledger=stores.work,
            presences=stores.presences,
            configs=stores.configs,
            line=stores.waiting_line,
        ),
        clock,
    )
    admin = providers.Singleton(Admin, stores.work, stores.lookup, stores.presences)
    asking = providers.Singleton(Asking, queue, stores.work, stores.configs)
    cancel = providers.Singleton(Cancel, stores.work)
    sweeps = providers.Singleton(Sweeps, stores.work, stores.findings)
    proxy_deletions = providers.Singleton(
        ProxyDeletions,
        queue,
        providers.Singleton(
            DeletionPorts,
            ledger=stores.work,
            findings=stores.findings,
            configs=stores.configs,
            transactions=stores.transactions,
            keys=stores.request_keys,
        ),
    )
    watch = providers.Singleton(Watch, stores.work, stores.feed, clock)
    assets = stores.library
    failures = stores.failures
    configs = providers.Singleton(Configs, stores.configs, queue, stores.transactions, stores.users, ids)
    # Whoever adds a folder by the command line stands before it; by the API nobody looks where it lies.
    bounded_configs = providers.Singleton(
        Configs,
        stores.configs,
        queue,
        stores.transactions,
        stores.users,
        ids,
        bounds=providers.Callable(root_bounds, settings),
    )
    passwords = providers.Singleton(ArgonPasswords)
    accounts = providers.Singleton(Accounts, stores.users, passwords, ids)
    account_care = providers.Singleton(AccountCare, stores.account_changes, stores.sessions, passwords)
    secret = providers.Callable(signing_secret, settings)
    access_tokens = providers.Singleton(
        JwtTokens,
        clock,
        secret=secret,
        issuer=settings.provided.jwt.issuer,
        audience=settings.provided.jwt.audience,
    )
    tokens = providers.Singleton(Tokens, stores.users, access_tokens)
