"""What one process that computes holds: its children, and which child does which run."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from hengxi.jobs.child import serve
from hengxi.jobs.children import Child, Children, Outcome


@dataclass(frozen=True)
class Order:
    """A run as it waits in a line: small, since tables never travel."""

    run_id: int
    kind: str
    payload: dict[str, Any]
    memory_mb: int
    timeout_s: float


class Node:
    """The children of this process, by run. All methods may be called from any thread."""

    def __init__(self, slots: int, target: Callable[[Connection], None] = serve) -> None:
        self.children = Children(slots, target)
        self.at_work: dict[int, Child] = {}
        self.cancelled: set[int] = set()
        self.lock = threading.Lock()

    def supervise(self, order: Order, say: Callable[[dict[str, Any]], None]) -> Outcome:
        """Runs in a thread of a line; says `{"run_id", "begin"}` and progress, returns how it ended."""
        run_id = order.run_id

        def began(child: Child) -> None:
            with self.lock:
                self.at_work[run_id] = child
                is_cancelled = run_id in self.cancelled
            if is_cancelled:
                child.kill("cancelled")
            else:
                say({"run_id": run_id, "begin": True})

        with self.lock:
            is_cancelled = run_id in self.cancelled
        if is_cancelled:
            outcome = Outcome("cancelled")
        else:
            outcome = self.children.run(
                {"kind": order.kind, "payload": order.payload, "run_id": run_id},
                memory_mb=order.memory_mb,
                timeout_s=order.timeout_s,
                on_child=began,
                on_progress=lambda progress: say({"run_id": run_id, "progress": progress}),
            )
        with self.lock:
            self.at_work.pop(run_id, None)
            self.cancelled.discard(run_id)
        return outcome

    def kill(self, run_id: int) -> None:
        """Ends a run wherever it is: at work (SIGKILL) or still queued (marked)."""
        with self.lock:
            self.cancelled.add(run_id)
            child = self.at_work.get(run_id)
        if child is not None:
            child.kill("cancelled")

    def stop(self, run_id: int) -> None:
        """停止并保留: the child's next progress call answers False."""
        with self.lock:
            child = self.at_work.get(run_id)
        if child is not None:
            with contextlib.suppress(OSError):
                child.send({"stop": True})
