"""What adapters raise when a promise cannot be kept. Expected answers are outcomes, not errors.

PortError
├── StoreError
│   ├── StoreUnavailable     the store did not answer; whether it applied the call is unknown
│   └── StoreRefused         the store refuses the content itself: asking again cannot help
│       └── StoreUnfit       this store will refuse everything: it is too old, or lies where it is not safe
├── SchemaFromTheFuture      a newer version has migrated the store
├── CodecError               a document does not fit its type, or its bounds
└── RootUnreadable, ProxiesUnwritable, RendererUnavailable    stand beside the ports that raise them
"""


class PortError(Exception):
    """Something behind a port broke its promise."""


class StoreError(PortError):
    """The store could not do what was asked."""


class StoreUnavailable(StoreError):  # noqa: N818 -- reads as the state it names
    """The store did not answer, or not in time. The call may or may not have been applied (R16).

    Every verb may be repeated: repeating it after a lost reply leaves the same state as one success.
    """


class StoreRefused(StoreError):  # noqa: N818
    """The store refuses the content of the call, and will refuse it again (SQLSTATE classes 22, 23, 54)."""


class StoreUnfit(StoreRefused):
    """This store would lose data, or cannot do what is asked of it at all: somebody has to set up another."""


class SchemaFromTheFuture(PortError):  # noqa: N818
    """The store was migrated by a newer version than this one."""


class CodecError(PortError):
    """A document cannot be decoded, or a record cannot be encoded within its bounds."""
