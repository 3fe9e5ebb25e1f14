"""Examples for the description of the API, written by hand: what a reader should expect to see."""

from typing import Any, Final

from adapters.web.problem_types import ProblemType

ITEM_ID: Final = "0192f3c8-6d1e-7c55-9a51-0f6a2d5b7e10"
CONFIG_ID: Final = "0192f3c1-02aa-7d10-8c0e-5a4f2f1f7b21"
USER_ID: Final = "0192f3c0-7b1e-7f64-a1d5-2c9be0a4d3f6"
REQUEST_ID: Final = "0192f3cb-55d0-7a3e-b1c4-93f1f0c2a7d8"
ITEMS_PATH: Final = "/api/v1/admin/work-items"

RUNNING_ITEM: Final[dict[str, Any]] = {
    "id": ITEM_ID,
    "revision": 41,
    "kind": "crawl",
    "status": "running",
    "storageConfigId": CONFIG_ID,
    "requestedBy": None,
    "requestedAt": "2026-11-29T14:00:00.000Z",
    "runAfter": None,
    "startedAt": "2026-11-29T14:00:03.512Z",
    "finishedAt": None,
    "updatedAt": "2026-11-29T14:03:08.003Z",
    "leaseUntil": "2026-11-29T14:04:08.003Z",
    "cancelRequestedAt": None,
    "claimedBy": "all@nas-1#7-5f21c0",
    "attempt": 2,
    "stalls": 1,
    "retries": 0,
    "stallLimit": 3,
    "maxRetries": 0,
    "progress": {"done": 1204, "total": 3900, "note": "12 failed"},
    "result": None,
    "partial": False,
    "error": None,
    "errorCode": None,
    "waitReason": None,
    "cancellable": True,
}

STOPPING_ITEM: Final[dict[str, Any]] = {
    **RUNNING_ITEM,
    "revision": 42,
    "updatedAt": "2026-11-29T14:03:10.120Z",
    "cancelRequestedAt": "2026-11-29T14:03:10.120Z",
    "cancellable": False,
}

WAITING_ITEM: Final[dict[str, Any]] = {
    **RUNNING_ITEM,
    "revision": 1,
    "status": "queued",
    "requestedBy": USER_ID,
    "startedAt": None,
    "updatedAt": "2026-11-29T14:00:00.000Z",
    "leaseUntil": None,
    "claimedBy": None,
    "attempt": 0,
    "stalls": 0,
    "progress": {"done": 0, "total": None, "note": ""},
    "waitReason": "next",
}

CANCELLED_ITEM: Final[dict[str, Any]] = {
    **RUNNING_ITEM,
    "revision": 2,
    "status": "cancelled",
    "startedAt": None,
    "finishedAt": "2026-11-29T14:03:10.120Z",
    "updatedAt": "2026-11-29T14:03:10.120Z",
    "leaseUntil": None,
    "cancelRequestedAt": "2026-11-29T14:03:10.120Z",
    "claimedBy": None,
    "attempt": 0,
    "stalls": 0,
    "progress": {"done": 0, "total": None, "note": ""},
    "cancellable": False,
}

SUCCEEDED_ITEM: Final[dict[str, Any]] = {
    **RUNNING_ITEM,
    "revision": 96,
    "status": "succeeded",
    "finishedAt": "2026-11-29T14:09:41.770Z",
    "updatedAt": "2026-11-29T14:09:41.770Z",
    "leaseUntil": None,
    "progress": {"done": 3900, "total": 3900, "note": "12 failed"},
    "result": {"found": 3900, "stored": 3888, "failed": 12},
    "cancellable": False,
}

DETAIL: Final[dict[str, Any]] = {
    **RUNNING_ITEM,
    "payload": {"storageConfigId": CONFIG_ID, "verify": False},
    "attempts": [
        {
            "attempt": 1,
            "claimedBy": "all@nas-2#7-91b3aa",
            "startedAt": "2026-11-29T14:00:01.004Z",
            "endedAt": "2026-11-29T14:00:03.480Z",
            "how": "stalled",
            "error": None,
            "errorCode": None,
        }
    ],
}

PAGE: Final[dict[str, Any]] = {
    "items": [RUNNING_ITEM],
    "nextCursor": "AmszZjkwMDAwAAAAAAAAFH8BkvPIbR58VZpRD2otW34QhpjA_3TFVBE",
    "eventCursor": "k3f90000.5247.5250.5248,5249",
    "serverTime": "2026-11-29T14:03:10.120Z",
}

NOTHING_OF_IT: Final = {"queued": 0, "running": 0, "succeeded": 0, "failed": 0, "cancelled": 0}
COUNTS: Final[dict[str, Any]] = {
    "byStatus": {**NOTHING_OF_IT, "queued": 2, "running": 1, "succeeded": 318, "failed": 1},
    "byKind": {
        "crawl": {**NOTHING_OF_IT, "queued": 2, "running": 1, "succeeded": 206, "failed": 1},
        "token-cleanup": {**NOTHING_OF_IT, "succeeded": 112},
    },
    "oldestWaitingAt": "2026-11-29T13:59:10.441Z",
    "workersOnline": 2,
    "asOf": "2026-11-29T14:03:10.120Z",
}

WORKERS: Final[dict[str, Any]] = {
    "items": [
        {
            "name": "all@nas-1#7-5f21c0",
            "userId": None,
            "version": "0.1.0",
            "slots": 1,
            "startedAt": "2026-11-29T09:12:44.020Z",
            "lastSeenAt": "2026-11-29T14:03:08.900Z",
        }
    ]
}

HEALTHY: Final[dict[str, Any]] = {"status": "ok", "checks": {"database": "ok", "schema": "ok"}}
ALIVE: Final[dict[str, Any]] = {"status": "ok"}


def a_problem(
    type_: ProblemType, detail: str, *, path: str = ITEMS_PATH, **members: object
) -> dict[str, Any]:
    """A problem of this type, as it would come from this path."""
    return {
        "type": type_.reference,
        "title": type_.title,
        "status": type_.status,
        "detail": detail,
        "instance": path,
        "requestId": REQUEST_ID,
        **members,
    }
