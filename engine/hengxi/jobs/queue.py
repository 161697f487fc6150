"""The queue of runs: first in, first out, as many at work as the worker pool has slots. Nothing is retried.

A thread of this process supervises each run, and nothing stands between it and the call: an analysis of 1,000 rows
takes milliseconds, so the queue must not cost more. `cluster.py` is the queue of Dask, for nodes on other machines.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, Protocol

from hengxi.jobs.node import Node, QueuedRun
from hengxi.jobs.worker_pool import Outcome

EventCallback = Callable[[dict[str, Any]], None]
"""Callback for `{"run_id", "begin"}` and `{"run_id", "progress"}`; must not block."""

LOST = Outcome("lost")
"""The supervising thread failed itself, or its node is gone."""


class RunQueue(Protocol):
    """Schedules runs; the list of runs, their states and their events belong to `Runs`."""

    def start(self, on_event: EventCallback) -> None:
        """Call from the main thread (see WorkerPool.start)."""

    def submit(self, run: QueuedRun, on_end: Callable[[Outcome], None]) -> None: ...

    def kill(self, run_id: int) -> None: ...

    def stop(self, run_id: int) -> None: ...

    def close(self) -> None: ...


QueueFactory = Callable[[int, Callable[[Connection], None]], RunQueue]
"""(number of slots, what a worker does) → queue."""


class ThreadQueue:
    """The queue of one machine: a thread per slot."""

    def __init__(self, slots: int, target: Callable[[Connection], None]) -> None:
        self.node = Node(slots, target)
        self.pool = ThreadPoolExecutor(slots, "run")
        self.kill, self.stop = self.node.kill, self.node.stop

    def start(self, on_event: EventCallback) -> None:
        self.on_event = on_event
        self.node.workers.start()

    def submit(self, run: QueuedRun, on_end: Callable[[Outcome], None]) -> None:
        def callback(future: Future[Outcome]) -> None:
            is_lost = future.cancelled() or future.exception() is not None
            on_end(LOST if is_lost else future.result())

        self.pool.submit(self.node.supervise, run, self.on_event).add_done_callback(callback)

    def close(self) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.node.workers.close()
