"""The queue of Dask: its scheduler says when a run begins, a thread of its worker supervises it.

Scheduler and worker live in this process and listen on loopback only; Dask never computes and never retries. Tables
never travel: a task is a run number and a few settings, so nodes elsewhere would need nothing but the same folder of
tables. Its messages cost some 20 ms of processor a run, therefore `queue.ThreadQueue` is what one machine uses.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import dask
from distributed import Client, Future, LocalCluster, get_worker

from hengxi.data import store
from hengxi.jobs.node import Node, QueuedRun
from hengxi.jobs.queue import LOST, EventCallback
from hengxi.jobs.worker_pool import Outcome

TOPIC = "hengxi-runs"

_QUIET = {
    # Dask's HTTP pages cannot be switched off; without routes they answer 404, and they listen on loopback only.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.scheduler.allowed-failures": 0,
    "distributed.worker.use-file-locking": False,
    "distributed.admin.log-length": 1000,
    "distributed.admin.tick.limit": "1h",
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
}

NODE: Node | None = None
"""The node of this process; Dask tasks find it here (tables and children never travel)."""


def node() -> Node:
    if NODE is None:
        raise RuntimeError("this process holds no node")
    return NODE


def _supervise(run: QueuedRun) -> Outcome:
    worker = get_worker()
    return node().supervise(run, lambda message: worker.log_event(TOPIC, message))


def _kill(run_id: int) -> None:
    node().kill(run_id)


def _stop(run_id: int) -> None:
    node().stop(run_id)


class Cluster:
    """Runs as tasks of Dask."""

    def __init__(self, slots: int, target: Callable[[Connection], None]) -> None:
        self.slots, self.target = slots, target
        self.futures: dict[int, Future[Any]] = {}

    def start(self, on_event: EventCallback) -> None:
        global NODE
        NODE = Node(self.slots, self.target)
        NODE.workers.start()
        dask.config.set(_QUIET)
        self.cluster = LocalCluster(
            processes=False,
            protocol="inproc://",
            n_workers=1,
            threads_per_worker=self.slots,
            memory_limit=0,
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            silence_logs=40,
            local_directory=str(store.root() / "run"),
        )
        self.client = Client(self.cluster)
        self.client.subscribe_topic(TOPIC, lambda event: on_event(event[1]))

    def submit(self, run: QueuedRun, on_end: Callable[[Outcome], None]) -> None:
        def callback(future: Future[Any]) -> None:
            # Dropped here so that Dask forgets the result; a future let go earlier would cancel its task.
            self.futures.pop(run.run_id, None)
            on_end(future.result() if future.status == "finished" else LOST)

        # Small arguments only; pure=False because two equal runs are still two.
        future = self.client.submit(_supervise, run, key=f"run-{run.run_id}", retries=0, pure=False)
        self.futures[run.run_id] = future
        future.add_done_callback(callback)

    def kill(self, run_id: int) -> None:
        self.client.run(_kill, run_id)

    def stop(self, run_id: int) -> None:
        self.client.run(_stop, run_id)

    def close(self) -> None:
        node().workers.close()
        for closing in (self.client, self.cluster):
            with contextlib.suppress(Exception):
                closing.close(timeout=1)
