"""Looking at processes through /proc, for the tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def _stat(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return []


def family(pid: int) -> set[int]:
    """A process and all below it."""
    members = {pid}
    for _ in range(5):
        parents = {int(p.name): _stat(int(p.name)) for p in Path("/proc").iterdir() if p.name.isdigit()}
        members |= {child for child, stat in parents.items() if stat and int(stat[1]) in members}
    return members


def alive(pids: set[int]) -> set[int]:
    """Those that still run; a zombie waiting for its parent does not."""
    return {pid for pid in pids if (stat := _stat(pid)) and stat[0] != "Z"}


def until(test: Callable[[], bool], seconds: float) -> None:
    """Waits for a condition of another process; fails when it does not come."""
    end = time.monotonic() + seconds
    while not test():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.05)
