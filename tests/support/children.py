"""Looking at the decode children of a test's own process, by way of /proc."""

import os
import select
from pathlib import Path


def children_of_this_process() -> list[int]:
    """Decode children that live."""
    tasks = Path("/proc/self/task").iterdir()
    children = [child for task in tasks for child in _text_of(task / "children").split()]
    return [
        int(child)
        for child in children
        if "adapters.media.decode_child" in _text_of(Path(f"/proc/{child}/cmdline"))
    ]


def _text_of(page: Path) -> str:
    """A page of /proc: empty once its thread or process has ended, which it may do between two looks."""
    try:
        return page.read_bytes().decode(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def wait_until_gone(processes: list[int]) -> None:
    """Wait, not for ever, until these processes have ended."""
    for process in processes:
        try:
            descriptor = os.pidfd_open(process)
        except ProcessLookupError:
            continue
        ended, _, _ = select.select([descriptor], [], [], 30)
        os.close(descriptor)
        assert ended, "a child lives on"


def wait_until_busy(process: int) -> None:
    """Wait until a process has computed for a while; that it could run does not say that it has begun."""
    enough = _ticks_of(process) + 20
    while _ticks_of(process) < enough:
        os.sched_yield()


def _ticks_of(process: int) -> int:
    """Hundredths of a second for which a process has computed."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def environment_of(process: int) -> set[bytes]:
    """The names of the variables that a process was started with."""
    variables = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    return {variable.partition(b"=")[0] for variable in variables if variable}


def descriptors_of(process: int) -> set[str]:
    """What the open descriptors of a process lead to."""
    return {str(path.readlink()).partition(":")[0] for path in Path(f"/proc/{process}/fd").iterdir()}


def limits_of(process: int) -> dict[str, str]:
    """The soft limits of a process, by the names that the kernel gives them."""
    lines = Path(f"/proc/{process}/limits").read_text().splitlines()
    return {line[:26].strip(): line[26:47].strip() for line in lines}


def status_of(process: int) -> str:
    """The kernel's own page about a process."""
    return Path(f"/proc/{process}/status").read_text()


def peak_memory_of(process: int) -> int:
    """The most bytes that a process has had in memory."""
    lines = dict(line.split(":", 1) for line in status_of(process).splitlines())
    return int(lines["VmHWM"].split()[0]) * 1024
