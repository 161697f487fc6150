"""Runs: the one interface other code sees. A queue schedules, a thread per slot supervises, a warm worker computes.

States: waiting → running → done | asking | refused | failed | cancelled | timeout | memory. (`lost` is said by the
server when this process dies.)
"""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import orjson

from hengxi.jobs.node import QueuedRun
from hengxi.jobs.queue import QueueFactory, ThreadQueue
from hengxi.jobs.worker import serve
from hengxi.jobs.worker_pool import Outcome, WorkerPool

MAX_ENDED_RUNS, MAX_ENDED_BYTES = 500, 64 * 2**20
"""Ended runs whose last event is still known to a server that asks again, and how much their results may take."""

OPEN = ("waiting", "running")


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
    refusal: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    is_stopping: bool = False

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


VIEWERS = 2
"""Conditions evaluated at once."""

VIEW_SECONDS = 10.0
"""A condition on a million rows takes some tenths of a second; the server waits twice as long."""


class Runs:
    """Queue, states and events of all runs of this engine. All methods may be called from any thread."""

    def __init__(
        self,
        slots: int | None = None,
        target: Callable[[Connection], None] = serve,
        queue: QueueFactory = ThreadQueue,
    ) -> None:
        self.slots = slots or max(1, min(os.cpu_count() or 2, 8))
        self.queue = queue(self.slots, target)
        self.quick = WorkerPool(1, target)
        self.viewers = WorkerPool(VIEWERS, target)
        self.status: OrderedDict[int, Status] = OrderedDict()
        self.lock = threading.RLock()
        self.listeners: list[Callable[[dict[str, Any]], None]] = []
        self.sequence = itertools.count(1)
        self.toy_at: float | None = None

    def start(self) -> None:
        """Call from the main thread (see WorkerPool.start)."""
        self.queue.start(self._on_event)
        self.quick.start()
        self.viewers.start()
        self.toy()

    def close(self) -> None:
        self.queue.close()
        self.quick.close()
        self.viewers.close()

    def subscribe(self, listener: Callable[[dict[str, Any]], None]) -> Callable[[], None]:
        """Call back with every later event; the answer unsubscribes. Runs in the queue's threads: may not block."""
        with self.lock:
            self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def submit(
        self, run_id: int, kind: str, payload: dict[str, Any], memory_mb: int, timeout_s: float
    ) -> dict[str, Any]:
        """Queue a run. Idempotent: the same id twice is one run, so a server may retry after a lost answer."""
        with self.lock:
            known = self.status.get(run_id)
            if known is not None:
                return known.wire()
            status = self.status[run_id] = Status(run_id, kind)
            self._evict_ended()
        self.queue.submit(QueuedRun(run_id, kind, payload, memory_mb, timeout_s), lambda end: self._on_end(run_id, end))
        self._publish_positions()
        return status.wire()

    def cancel(self, run_id: int) -> dict[str, Any] | None:
        """End a run, queued or running, within a second. Unknown: None; ended: its last event."""
        with self.lock:
            status = self.status.get(run_id)
            if status is None or status.state not in OPEN:
                return status.wire() if status else None
            if status.state == "waiting":
                self._end(status, Outcome("cancelled"))
        self.queue.kill(run_id)
        self._publish_positions()
        return status.wire()

    def stop(self, run_id: int) -> dict[str, Any] | None:
        """停止并保留: the method returns the best it has."""
        with self.lock:
            status = self.status.get(run_id)
            if status is None or status.state != "running" or status.is_stopping:
                return status.wire() if status else None
            # Sent once: the pipe to a worker that does not read holds some hundred messages, then the writer blocks.
            status.is_stopping = True
        self.queue.stop(run_id)
        return status.wire()

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
        """One small run through a worker; proof for /health that workers answer."""
        if self.call("toy", {}, timeout_s=30).state == "done":
            self.toy_at = time.time()

    def call(self, kind: str, payload: dict[str, Any], *, memory_mb: int = 2048, timeout_s: float = 60) -> Outcome:
        """A short task whose answer somebody waits for (preview), in a worker of its own outside the queue."""
        return self.quick.run({"kind": kind, "payload": payload}, memory_mb=memory_mb, timeout_s=timeout_s)

    def view(self, act: str, key: str, body: dict[str, Any], *, timeout_s: float = VIEW_SECONDS) -> Outcome:
        """Rows under a condition, which is a person's own formula: what takes too long is killed with its worker."""
        order = {"kind": "view", "payload": {"act": act, "key": key, "body": body}}
        return self.viewers.run(order, memory_mb=2048, timeout_s=timeout_s)

    # Callbacks of the queue.

    def _on_event(self, message: dict[str, Any]) -> None:
        with self.lock:
            status = self.status.get(message["run_id"])
            if status is None or status.state not in OPEN:
                return
            if "begin" in message:
                status.state, status.position = "running", None
                self._publish(status)
            elif "progress" in message:
                status.progress = message["progress"]
                self._publish(status)
        if "begin" in message:
            self._publish_positions()

    def _on_end(self, run_id: int, end: Outcome) -> None:
        with self.lock:
            status = self.status.get(run_id)
            if status is not None and status.state in OPEN:
                self._end(status, end)
        self._publish_positions()

    def _end(self, status: Status, end: Outcome) -> None:
        status.state, status.position = end.state, None
        status.result, status.refusal, status.error = end.result, end.refusal, end.error
        self._publish(status)

    def _publish(self, status: Status) -> None:
        status.seq = next(self.sequence)
        event = status.wire()
        for listener in list(self.listeners):
            listener(event)

    def _publish_positions(self) -> None:
        """To those who have to wait; who finds a free slot begins before anybody could read a place."""
        with self.lock:
            waiting = [status for status in self.status.values() if status.state == "waiting"]
            busy = sum(status.state == "running" for status in self.status.values())
            if busy + len(waiting) <= self.slots:
                return
            for place, status in enumerate(waiting, 1):
                if status.position != place:
                    status.position = place
                    self._publish(status)

    def _evict_ended(self) -> None:
        """The oldest of those that ended go, so that few enough and little enough of them is held."""
        ended = [status for status in self.status.values() if status.state not in OPEN]
        room = MAX_ENDED_BYTES
        for newer, status in enumerate(reversed(ended)):
            room -= len(status.result or b"")
            if room < 0 or newer >= MAX_ENDED_RUNS:
                del self.status[status.run_id]
