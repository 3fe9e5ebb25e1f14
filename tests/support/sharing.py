"""Which tests run beside which, when several processes share them: a plugin of pytest and of pytest-xdist.

The tests of one file stay together, so that they share what their module has made. Those that start programs and
browsers, and watch the clock as these work, come one after the other: two of them at once would take the
processors away from each other.
"""

from typing import Final

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]  # it has no types

IN_TURN: Final = (
    "tests/browser/",
    "tests/integration/api/",
    "tests/integration/cli/",
    "tests/integration/postgres/test_lost_connections.py",
    "tests/integration/sqlite/test_sharing.py",
    "tests/integration/worker/",
)
BESIDE_THEM: Final = ("tests/integration/api/test_over_", "tests/integration/api/test_described_behaviour.py")
"""What lies among them, but watches no clock. Each of the two parts takes about half of the time."""


class Sharing(LoadScopeScheduling):  # type: ignore[misc]  # likewise
    """Hands out files, and all that is in turn as if it were one."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::", 1)[0]
        return "in turn" if file.startswith(IN_TURN) and not file.startswith(BESIDE_THEM) else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Sharing:
    return Sharing(config, log)
