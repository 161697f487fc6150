"""What one process that computes holds: its children, and which child does which run."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
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

        @contextlib.contextmanager
        def holding(child: Child) -> Iterator[None]:
            with self.lock:
                self.at_work[run_id] = child
                is_cancelled = run_id in self.cancelled
            try:
                if is_cancelled:
                    child.kill("cancelled")
                else:
                    say({"run_id": run_id, "begin": True})
                yield
            finally:
                with self.lock:
                    del self.at_work[run_id]

        try:
            if run_id in self.cancelled:
                return Outcome("cancelled")
            return self.children.run(
                {"kind": order.kind, "payload": order.payload, "run_id": run_id},
                memory_mb=order.memory_mb,
                timeout_s=order.timeout_s,
                holding=holding,
                on_progress=lambda progress: say({"run_id": run_id, "progress": progress}),
            )
        finally:
            with self.lock:
                self.cancelled.discard(run_id)

    # Both act under the lock: a moment later the child may be at work for somebody else.

    def kill(self, run_id: int) -> None:
        """Ends a run wherever it is: at work (SIGKILL) or still queued (marked)."""
        with self.lock:
            self.cancelled.add(run_id)
            if run_id in self.at_work:
                self.at_work[run_id].kill("cancelled")

    def stop(self, run_id: int) -> None:
        """停止并保留: the child's next progress call answers False."""
        with self.lock, contextlib.suppress(OSError):
            if run_id in self.at_work:
                self.at_work[run_id].send({"stop": True})
