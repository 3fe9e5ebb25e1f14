"""What every store of work items promises. An adapter's test subclasses this and supplies `house`."""

from tests.contracts.cancels import CancelContract, CancelOrderContract, CancelRequestContract
from tests.contracts.claims import ClaimContract, HoldingContract, ScopeContract
from tests.contracts.due import DueContract, DueRaceContract
from tests.contracts.enqueue import CoalescingContract, EnqueueContract, RepeatedEnqueueContract
from tests.contracts.fences import FenceContract
from tests.contracts.finishing import FinishContract
from tests.contracts.heartbeats import HeartbeatContract
from tests.contracts.histories import HistoryContract
from tests.contracts.lists import CountContract, PageContract
from tests.contracts.purge import PurgeContract
from tests.contracts.races import ClaimRaceContract, EndRaceContract, EnqueueRaceContract
from tests.contracts.recovery import ExpiryContract, LateRecoveryContract, RecoveryContract
from tests.contracts.repeated_ends import RepeatedFinishContract
from tests.contracts.transactions import TransactionContract
from tests.contracts.twins import TwinContract


class WorkStoreContract(
    EnqueueContract,
    RepeatedEnqueueContract,
    CoalescingContract,
    TransactionContract,
    DueContract,
    ClaimContract,
    ScopeContract,
    HoldingContract,
    HeartbeatContract,
    FinishContract,
    RepeatedFinishContract,
    FenceContract,
    ExpiryContract,
    RecoveryContract,
    LateRecoveryContract,
    TwinContract,
    CancelContract,
    CancelRequestContract,
    CancelOrderContract,
    PurgeContract,
    PageContract,
    CountContract,
    HistoryContract,
    EnqueueRaceContract,
    ClaimRaceContract,
    EndRaceContract,
    DueRaceContract,
):
    """Every row of the transition table, every fence, and every race between them."""
