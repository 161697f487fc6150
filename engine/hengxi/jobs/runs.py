"""Runs: the one interface other code sees. Dask schedules, a supervising thread per slot waits, a warm child computes.

States: waiting → running → done | asking | refused | failed | cancelled | timeout | memory. (`lost` is said by the
server when this process dies.) Scheduler and worker live in this process and listen on loopback only; Dask never
computes and never retries. Tables never travel: a task is a run number and a small order, so nodes elsewhere would
need nothing but the same folder of tables.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import dask
import orjson
from distributed import Client, Future, LocalCluster, get_worker

from hengxi.data import store
from hengxi.jobs.child import serve
from hengxi.jobs.children import Child, Children, Outcome

TOPIC = "hengxi-runs"
KEPT_ENDED, KEPT_BYTES = 500, 64 * 2**20
"""Ended runs whose last event is still told to a server that asks again, and how much their results may take."""

OPEN = ("waiting", "running")

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


@dataclass
class Status:
    """What is known of a run; `wire()` is the event."""

    run_id: int
    kind: str
    state: str = "waiting"
    seq: int = 0
    position: int | None = None
    progress: dict[str, Any] | None = None
    result: bytes | None = None
    """As JSON: some hundreds of large reports are held, and as dicts they would take many times the room."""
    refusal: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    began: float | None = field(default=None, repr=False)

    def wire(self) -> dict[str, Any]:
        return {
            "run_id": self.run_id,
            "seq": self.seq,
            "state": self.state,
            "position": self.position,
            "progress": self.progress,
            "result": None if self.result is None else orjson.Fragment(self.result),
            "refusal": self.refusal,
            "error": self.error,
        }


class Node:
    """What one worker process holds: its children and which child does which run."""

    def __init__(self, slots: int, target: Callable[[Connection], None] = serve) -> None:
        self.children = Children(slots, target)
        self.at_work: dict[int, Child] = {}
        self.cancelled: set[int] = set()
        self.lock = threading.Lock()

    def supervise(
        self,
        run_id: int,
        order: dict[str, Any],
        memory_mb: int,
        timeout_s: float,
        say: Callable[[dict[str, Any]], None],
    ) -> Outcome:
        """Runs in a Dask thread; says `{"run_id", "begin"}` and progress, returns how it ended."""

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
                order,
                memory_mb=memory_mb,
                timeout_s=timeout_s,
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


NODE: Node | None = None
"""The node of this process; Dask tasks find it here (tables and children never travel)."""


def node() -> Node:
    if NODE is None:
        raise RuntimeError("this process holds no node")
    return NODE


def _supervise(run_id: int, order: dict[str, Any], memory_mb: int, timeout_s: float) -> dict[str, Any]:
    worker = get_worker()
    outcome = vars(
        node().supervise(run_id, order, memory_mb, timeout_s, lambda message: worker.log_event(TOPIC, message))
    )
    # Read and written again, never passed on as it came: a child is not trusted to have said one JSON value.
    return outcome | {"result": None if outcome["result"] is None else orjson.dumps(outcome["result"])}


def _kill(run_id: int) -> None:
    node().kill(run_id)


def _stop(run_id: int) -> None:
    node().stop(run_id)


class Runs:
    """Queue, states and events of all runs of this engine. All methods may be called from any thread."""

    def __init__(self, slots: int | None = None, target: Callable[[Connection], None] = serve) -> None:
        self.target = target
        self.slots = slots or max(1, min(os.cpu_count() or 2, 8))
        self.status: OrderedDict[int, Status] = OrderedDict()
        self.lock = threading.RLock()
        self.listeners: list[Callable[[dict[str, Any]], None]] = []
        self.futures: dict[int, Future[Any]] = {}
        self.sequence = itertools.count(1)
        self.quick: Children | None = None
        self.toy_at: float | None = None

    def start(self) -> None:
        """Call from the main thread (see Children.start)."""
        global NODE
        NODE = Node(self.slots, self.target)
        NODE.children.start()
        self.quick = Children(1, self.target)
        self.quick.start()
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
        self.client.subscribe_topic(TOPIC, self._hear)
        self.toy()

    def close(self) -> None:
        for pool in (node().children, self.quick):
            if pool is not None:
                pool.close()
        for closing in (self.client, self.cluster):
            with contextlib.suppress(Exception):
                closing.close(timeout=1)

    def subscribe(self, listener: Callable[[dict[str, Any]], None]) -> Callable[[], None]:
        """Hear every event from now on; the answer ends it. Called from Dask's threads: must not block."""
        with self.lock:
            self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def submit(
        self, run_id: int, kind: str, payload: dict[str, Any], memory_mb: int, timeout_s: float
    ) -> dict[str, Any]:
        """Queue a run; the same id twice is one run (a lost answer may be repeated)."""
        with self.lock:
            known = self.status.get(run_id)
            if known is not None:
                return known.wire()
            status = self.status[run_id] = Status(run_id, kind)
            self._forget_old()
        order = {"kind": kind, "payload": payload, "run_id": run_id}
        # Small arguments only; pure=False because two equal runs are still two.
        future = self.client.submit(
            _supervise, run_id, order, memory_mb, timeout_s, key=f"run-{run_id}", retries=0, pure=False
        )
        with self.lock:
            self.futures[run_id] = future
        future.add_done_callback(lambda done: self._ended(run_id, done))
        self._tell_positions()
        return status.wire()

    def cancel(self, run_id: int) -> dict[str, Any] | None:
        """End a run, queued or running, within a second. Unknown: None; ended: its last event."""
        with self.lock:
            status = self.status.get(run_id)
            if status is None or status.state not in OPEN:
                return status.wire() if status else None
            if status.state == "waiting":
                self._end(status, {"state": "cancelled"})
        self.client.run(_kill, run_id)
        self._tell_positions()
        return status.wire()

    def stop(self, run_id: int) -> dict[str, Any] | None:
        """停止并保留: the method returns the best it has."""
        with self.lock:
            status = self.status.get(run_id)
        if status is not None and status.state == "running":
            self.client.run(_stop, run_id)
        return status.wire() if status else None

    def get(self, run_id: int) -> dict[str, Any] | None:
        with self.lock:
            status = self.status.get(run_id)
            return status.wire() if status else None

    def open_events(self) -> list[dict[str, Any]]:
        """The last event of every run that is still remembered: what a server that reconnects must compare."""
        with self.lock:
            return [status.wire() for status in self.status.values()]

    def health(self) -> dict[str, Any]:
        with self.lock:
            states = [status.state for status in self.status.values()]
        return {
            "workers": self.slots,
            "busy": states.count("running"),
            "queue": states.count("waiting"),
            "toy_at": self.toy_at,
        }

    def toy(self) -> None:
        """One small run through a child; proof for /health that workers answer."""
        if self.call("toy", {}, timeout_s=30).state == "done":
            self.toy_at = time.time()

    def call(self, kind: str, payload: dict[str, Any], *, memory_mb: int = 2048, timeout_s: float = 60) -> Outcome:
        """A short task whose answer somebody waits for (preview), in a child of its own outside the queue."""
        if self.quick is None:
            raise RuntimeError("not started")
        return self.quick.run({"kind": kind, "payload": payload}, memory_mb=memory_mb, timeout_s=timeout_s)

    # What the nodes say.

    def _hear(self, event: tuple[float, dict[str, Any]]) -> None:
        message = event[1]
        with self.lock:
            status = self.status.get(message["run_id"])
            if status is None or status.state not in OPEN:
                return
            if "begin" in message:
                status.state, status.position, status.began = "running", None, time.monotonic()
                self._tell(status)
            elif "progress" in message:
                status.progress = message["progress"]
                self._tell(status)
        if "begin" in message:
            self._tell_positions()

    def _ended(self, run_id: int, future: Future[Any]) -> None:
        """The supervising thread is done: it returned the outcome, or it failed itself (its node is gone)."""
        outcome = future.result() if future.status == "finished" else {"state": "lost"}
        with self.lock:
            # Dropped here so that Dask forgets the result; a future let go earlier would cancel its task.
            self.futures.pop(run_id, None)
            status = self.status.get(run_id)
            if status is not None and status.state in OPEN:
                self._end(status, outcome)
        self._tell_positions()

    def _end(self, status: Status, outcome: dict[str, Any]) -> None:
        status.state, status.position = outcome["state"], None
        status.result, status.refusal, status.error = (
            outcome.get("result"),
            outcome.get("refusal"),
            outcome.get("error"),
        )
        self._tell(status)

    def _tell(self, status: Status) -> None:
        status.seq = next(self.sequence)
        event = status.wire()
        for listener in list(self.listeners):
            listener(event)

    def _tell_positions(self) -> None:
        """To those who have to wait; who finds a free slot begins before anybody could read a place."""
        with self.lock:
            waiting = [status for status in self.status.values() if status.state == "waiting"]
            busy = sum(status.state == "running" for status in self.status.values())
            if busy + len(waiting) <= self.slots:
                return
            for place, status in enumerate(waiting, 1):
                if status.position != place:
                    status.position = place
                    self._tell(status)

    def _forget_old(self) -> None:
        """The oldest of those that ended go, so that few enough and little enough of them is held."""
        ended = [status for status in self.status.values() if status.state not in OPEN]
        room = KEPT_BYTES
        for newer, status in enumerate(reversed(ended)):
            room -= len(status.result or b"")
            if room < 0 or newer >= KEPT_ENDED:
                del self.status[status.run_id]
