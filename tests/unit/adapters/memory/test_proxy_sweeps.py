"""What is around proxy sweeps keeps its promises in memory."""

import pytest

from tests.contracts.known_proxies import KnownProxiesContract
from tests.contracts.request_keys import RequestKeysContract
from tests.contracts.sweep_findings import FindingPagesContract, RecordedFindingsContract
from tests.support.sweeping import Sweeping, memory_sweeping


@pytest.fixture
def place() -> Sweeping:
    return memory_sweeping()


class TestMemoryProxySweeps(
    RecordedFindingsContract, FindingPagesContract, KnownProxiesContract, RequestKeysContract
):
    """All of them."""
