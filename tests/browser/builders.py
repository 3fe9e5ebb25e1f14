"""Items as the API tells of them."""

from datetime import UTC, datetime, timedelta
from itertools import count

from tests.browser.fake_api import LIBRARY, FakeApi, Json, stamp

_numbers = count(1)


def ago(**span: float) -> str:
    """The instant that was so long ago."""
    return stamp(datetime.now(UTC) - timedelta(**span))


def ahead(**span: float) -> str:
    """The instant that is so far away."""
    return stamp(datetime.now(UTC) + timedelta(**span))


def an_item(**fields: object) -> Json:
    """A waiting crawl, but for these fields."""
    number = next(_numbers)
    usual: Json = {
        "id": f"0192f3c8-6d1e-7c55-9a51-{number:012x}",
        "revision": 1,
        "kind": "crawl",
        "status": "queued",
        "storageConfigId": LIBRARY,
        "requestedBy": None,
        "requestedAt": ago(minutes=1, seconds=-number / 1000),
        "runAfter": None,
        "startedAt": None,
        "finishedAt": None,
        "updatedAt": ago(seconds=1),
        "leaseUntil": None,
        "cancelRequestedAt": None,
        "claimedBy": None,
        "attempt": 0,
        "stalls": 0,
        "retries": 0,
        "stallLimit": 3,
        "maxRetries": 0,
        "progress": {"done": 0, "total": None, "note": ""},
        "result": None,
        "partial": False,
        "error": None,
        "errorCode": None,
        "waitReason": None,
        "cancellable": True,
    }
    return {**usual, **fields}


def a_running(**fields: object) -> Json:
    """One that a worker has."""
    usual: Json = {
        "status": "running",
        "startedAt": ago(seconds=40),
        "leaseUntil": ahead(seconds=60),
        "claimedBy": "all@nas-1#7",
        "attempt": 1,
    }
    return an_item(**{**usual, **fields})


def a_finished(status: str = "succeeded", **fields: object) -> Json:
    """One that is over."""
    usual: Json = {
        "status": status,
        "startedAt": ago(minutes=5),
        "finishedAt": ago(minutes=2),
        "claimedBy": "all@nas-1#7",
        "attempt": 1,
        "cancellable": False,
    }
    return an_item(**{**usual, **fields})


def a_finding(number: int, **fields: object) -> Json:
    """An orphan of 600 kB, but for these fields."""
    usual: Json = {
        "id": str(number),
        "what": "orphan-file",
        "path": f"2f/{LIBRARY}-2f{number:062x}/preview.jpg",
        "size": 600_000,
        "modifiedAt": ago(days=3),
        "storageConfigId": LIBRARY,
    }
    return {**usual, **fields}


def a_sweep(api: FakeApi, *findings: Json, status: str = "succeeded", **fields: object) -> Json:
    """A proxy sweep that is over and has found these."""
    of = {
        what: [one["size"] for one in findings if one["what"] == what]
        for what in ("orphan-file", "temporary-leftover", "missing-file")
    }
    result: Json = {
        "files": 100_000,
        "rows": 99_000,
        "orphanFiles": len(of["orphan-file"]),
        "orphanBytes": sum(of["orphan-file"]),
        "temporaryLeftovers": len(of["temporary-leftover"]),
        "leftoverBytes": sum(of["temporary-leftover"]),
        "missingFiles": len(of["missing-file"]),
        "youngFiles": 0,
        "foreignFiles": 0,
    }
    usual: Json = {"kind": "proxy-sweep", "storageConfigId": None, "result": result}
    sweep = api.put(a_finished(status, **{**usual, **fields}), tell=False)
    api.findings[sweep["id"]] = list(findings)
    return sweep


def progress(done: int, total: int | None = None, note: str = "") -> Json:
    """How far a run is."""
    return {"done": done, "total": total, "note": note}
