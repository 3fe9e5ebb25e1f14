"""What a decode child may not do. Called in the child, before it sees a file."""

import ctypes
import math
import os
import resource
import signal
import sys

from adapters.media.wire import DecodeLimits

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
M_TRIM_THRESHOLD = -1
M_MMAP_THRESHOLD = -3
NICENESS = 10
KEPT_BELOW = 32 * 1024**2
"""The largest piece that glibc is asked to keep; what huge pictures need goes back at once."""

MOST_KEPT = 128 * 1024**2
MOST_OPEN_FILES = 64


def confine(limits: DecodeLimits, *, parent: int) -> None:
    """Bind this process to its parent's life and to its limits; it writes no file and gains no rights."""
    if sys.platform == "linux":
        _die_with(parent)
    # The parent decides when a child goes: a service manager may signal the whole group at shutdown.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _limit(resource.RLIMIT_AS, limits.memory_bytes)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, MOST_OPEN_FILES)
    _limit(resource.RLIMIT_CORE, 0)
    os.nice(NICENESS)


def keep_memory() -> None:
    """Let what one picture needed serve the next: fresh pages from the kernel cost as much as a tenth of a decode."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_MMAP_THRESHOLD, KEPT_BELOW)
        mallopt(M_TRIM_THRESHOLD, MOST_KEPT)


def allow_cpu(seconds: int) -> None:
    """Let this process compute for so much longer, then die of SIGXCPU."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = math.ceil(used.ru_utime + used.ru_stime) + seconds
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (_at_most(soft, hard), hard))


def _die_with(parent: int) -> None:
    system = ctypes.CDLL(None, use_errno=True)
    system.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    system.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    # The parent may have died before the kernel knew of the wish.
    if os.getppid() != parent:
        os._exit(1)


def _limit(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    lower = _at_most(value, hard)
    resource.setrlimit(which, (lower, lower))


def _at_most(value: int, hard: int) -> int:
    return value if hard == resource.RLIM_INFINITY else min(value, hard)
