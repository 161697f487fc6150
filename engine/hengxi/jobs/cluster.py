"""The line of Dask: its scheduler says when a run begins, a thread of its worker supervises it.

Scheduler and worker live in this process and listen on loopback only; Dask never computes and never retries. Tables
never travel: a task is a run number and a small order, so nodes elsewhere would need nothing but the same folder of
tables. Its messages cost some 20 ms of processor a run, therefore `line.Threads` is what one machine uses.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import dask
from distributed import Client, Future, LocalCluster, get_worker

from hengxi.data import store
from hengxi.jobs.children import Outcome
from hengxi.jobs.line import LOST, Say
from hengxi.jobs.node import Node, Order

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


def _supervise(order: Order) -> Outcome:
    worker = get_worker()
    return node().supervise(order, lambda message: worker.log_event(TOPIC, message))


def _kill(run_id: int) -> None:
    node().kill(run_id)


def _stop(run_id: int) -> None:
    node().stop(run_id)


class Cluster:
    """Runs as tasks of Dask."""

    def __init__(self, slots: int, target: Callable[[Connection], None]) -> None:
        self.slots, self.target = slots, target
        self.futures: dict[int, Future[Any]] = {}

    def start(self, say: Say) -> None:
        global NODE
        NODE = Node(self.slots, self.target)
        NODE.children.start()
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
        self.client.subscribe_topic(TOPIC, lambda event: say(event[1]))

    def submit(self, order: Order, ended: Callable[[Outcome], None]) -> None:
        def tell(done: Future[Any]) -> None:
            # Dropped here so that Dask forgets the result; a future let go earlier would cancel its task.
            self.futures.pop(order.run_id, None)
            ended(done.result() if done.status == "finished" else LOST)

        # Small arguments only; pure=False because two equal runs are still two.
        future = self.client.submit(_supervise, order, key=f"run-{order.run_id}", retries=0, pure=False)
        self.futures[order.run_id] = future
        future.add_done_callback(tell)

    def kill(self, run_id: int) -> None:
        self.client.run(_kill, run_id)

    def stop(self, run_id: int) -> None:
        self.client.run(_stop, run_id)

    def close(self) -> None:
        node().children.close()
        for closing in (self.client, self.cluster):
            with contextlib.suppress(Exception):
                closing.close(timeout=1)
