"""The worker pool of one process that computes, and which worker does which run."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from hengxi.jobs.worker import serve
from hengxi.jobs.worker_pool import Outcome, Worker, WorkerPool


@dataclass(frozen=True)
class QueuedRun:
    """A run as it waits in the queue: small, since tables never travel."""

    run_id: int
    kind: str
    payload: dict[str, Any]
    memory_mb: int
    timeout_s: float


class Node:
    """The workers of this process, by run. All methods may be called from any thread."""

    def __init__(self, slots: int, target: Callable[[Connection], None] = serve) -> None:
        self.workers = WorkerPool(slots, target)
        self.at_work: dict[int, Worker] = {}
        self.cancelled: set[int] = set()
        self.lock = threading.Lock()

    def supervise(self, run: QueuedRun, on_event: Callable[[dict[str, Any]], None]) -> Outcome:
        """Runs in a thread of the queue; calls back with `{"run_id", "begin"}` and progress, returns the run's end."""
        run_id = run.run_id

        @contextlib.contextmanager
        def holding(worker: Worker) -> Iterator[None]:
            with self.lock:
                self.at_work[run_id] = worker
                is_cancelled = run_id in self.cancelled
            try:
                if is_cancelled:
                    worker.kill("cancelled")
                else:
                    on_event({"run_id": run_id, "begin": True})
                yield
            finally:
                with self.lock:
                    del self.at_work[run_id]

        try:
            if run_id in self.cancelled:
                return Outcome("cancelled")
            return self.workers.run(
                {"kind": run.kind, "payload": run.payload, "run_id": run_id},
                memory_mb=run.memory_mb,
                timeout_s=run.timeout_s,
                holding=holding,
                on_progress=lambda progress: on_event({"run_id": run_id, "progress": progress}),
            )
        finally:
            with self.lock:
                self.cancelled.discard(run_id)

    # Both act under the lock: a moment later the worker may be busy with another run.

    def kill(self, run_id: int) -> None:
        """Ends a run wherever it is: at work (SIGKILL) or still queued (marked)."""
        with self.lock:
            self.cancelled.add(run_id)
            if run_id in self.at_work:
                self.at_work[run_id].kill("cancelled")

    def stop(self, run_id: int) -> None:
        """停止并保留: the method's next progress call answers False."""
        with self.lock, contextlib.suppress(OSError):
            if run_id in self.at_work:
                self.at_work[run_id].send({"stop": True})
