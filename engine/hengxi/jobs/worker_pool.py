"""The worker pool of this process: warm processes, one task each, one spare, killed to stop them, replaced at once.

A fork server (standard library) with everything imported makes a new worker in milliseconds. It is started from the
main thread; when it dies (with all its children, by the kernel) the keeper thread starts another.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

import msgspec
import orjson

from hengxi.jobs.tuning import tune
from hengxi.jobs.worker import serve

RUNS_PER_WORKER = 50
"""After so many runs a worker is replaced, so that what a library leaks or caches cannot add up."""

LOOK_EVERY = 0.1
"""Seconds between two looks at the memory of a worker."""

READY_WITHIN = 60.0
"""Seconds a new worker may take; the first one waits for the fork server's imports."""


@dataclass
class Outcome:
    """How a task ended: `done asking refused memory timeout cancelled failed`, and what belongs to it."""

    state: str
    result: bytes | None = None
    """JSON, one value on one line, as the worker wrote it: hundreds are held, and dicts take many times the room."""
    refusal: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


class WorkerMessage(msgspec.Struct):
    """A message of a worker about its task. Reading it proves that `result` is valid JSON, without building it."""

    progress: dict[str, Any] | None = None
    end: Literal["done", "asking", "refused", "failed", "memory"] | None = None
    result: msgspec.Raw = msgspec.Raw(b"null")
    refusal: dict[str, Any] | None = None
    error: dict[str, Any] | None = None

    @classmethod
    def read(cls, message: bytes) -> WorkerMessage:
        """Raises ValueError for what no honest worker sends: the result goes on as it is, in a line of events."""
        try:
            parsed = _DECODER.decode(message)
        except RecursionError as error:
            raise ValueError("nested too deeply") from error
        if b"\n" in message:
            raise ValueError("more than one line")
        message.decode()
        return parsed

    def outcome(self) -> Outcome:
        result = bytes(self.result)
        return Outcome(self.end or "failed", None if result == b"null" else result, self.refusal, self.error)


_DECODER = msgspec.json.Decoder(WorkerMessage)


def parent_of(pid: int | None) -> int:
    """0 where the system does not say."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[1])
    return 0


@dataclass(eq=False)
class Worker:
    """The parent's view of one worker."""

    process: Any
    pipe: Connection
    runs: int = 0
    wanted_end: str | None = None
    """Why we killed it (`cancelled`, `timeout`, `memory`), None while we did not."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    parent: int = 0
    """The fork server it came from."""

    def lives(self) -> bool:
        """Ready for a run. Where its fork server has died it dies as well, but not at once on a busy machine."""
        return self.process.is_alive() and not self.pipe.poll() and parent_of(self.process.pid) == self.parent

    def send(self, message: dict[str, Any]) -> None:
        with self.lock:
            self.pipe.send_bytes(orjson.dumps(message, option=orjson.OPT_SERIALIZE_NUMPY))

    def kill(self, why: str) -> None:
        self.wanted_end = self.wanted_end or why
        # The fork server has buried who is dead: its number may be another program's by now.
        if self.process.is_alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)

    def end_signal(self) -> int | None:
        """The signal that ended the process, None where none did."""
        with contextlib.suppress(AssertionError, ValueError):
            self.process.join(5)
        code = self.process.exitcode
        return -code if code is not None and code < 0 else None

    def private_memory(self) -> int:
        """Bytes of anonymous memory; mapped tables do not count."""
        with contextlib.suppress(OSError, ValueError):
            for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    return int(line.split()[1]) * 1024
        return 0

    def discard(self) -> None:
        self.kill("discarded")
        with contextlib.suppress(OSError):
            self.pipe.close()
        with contextlib.suppress(AssertionError, ValueError):
            self.process.join(1)


class WorkerPool:
    """A pool of `slots` workers and one spare. Thread-safe; `take` blocks until one is ready."""

    def __init__(self, slots: int, target: Callable[[Connection], None] = serve) -> None:
        self.slots = slots
        self.target = target
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(["hengxi.jobs.preload"])
        # The last one back is the next at work: what a method needs for the first time is there already.
        self.ready: queue.Queue[Worker] = queue.LifoQueue()
        self.wanted: queue.Queue[bool] = queue.Queue()
        self.is_closed = False
        self.busy: set[Worker] = set()
        self.keeper = threading.Thread(target=self._keep, name="worker-pool", daemon=True)

    def start(self) -> None:
        """Call from the main thread: the fork server's lifeline follows the thread that starts it."""
        tune()
        from multiprocessing import forkserver

        forkserver.ensure_running()
        self.keeper.start()
        for _ in range(self.slots + 1):
            self.wanted.put(True)

    def close(self) -> None:
        self.is_closed = True
        self.wanted.put(False)
        for worker in list(self.busy):
            worker.discard()
        while not self.ready.empty():
            self.ready.get_nowait().discard()

    def _keep(self) -> None:
        while self.wanted.get():
            while not self.is_closed:
                worker = self._new_worker()
                if worker is not None:
                    self.ready.put(worker)
                    break
                time.sleep(0.2)

    def _new_worker(self) -> Worker | None:
        """A worker that has said it is ready, or None when it or the fork server died on the way."""
        ours, theirs = self.context.Pipe()
        # daemon: the standard library kills what is left at a normal exit; the kernel does at any other.
        process = self.context.Process(target=self.target, args=(theirs,), daemon=True)
        worker = Worker(process, ours)
        try:
            process.start()
            theirs.close()
            if ours.poll(READY_WITHIN) and "ready" in orjson.loads(ours.recv_bytes()):
                worker.parent = parent_of(process.pid)
                return worker
        except (OSError, EOFError, ValueError):
            # The fork server is gone: the next start makes a new one.
            pass
        with contextlib.suppress(Exception):
            worker.discard()
        return None

    def take(self) -> Worker:
        """A ready worker; stale ones in the pool (the fork server died) are thrown away and replaced."""
        while True:
            worker = self.ready.get()
            if worker.lives():
                self.busy.add(worker)
                return worker
            worker.discard()
            self.wanted.put(True)

    def give_back(self, worker: Worker, is_reusable: bool) -> None:
        self.busy.discard(worker)
        worker.runs += 1
        if is_reusable and worker.runs < RUNS_PER_WORKER and not self.is_closed:
            self.ready.put(worker)
            return
        worker.discard()
        if not self.is_closed:
            self.wanted.put(True)

    def run(
        self,
        task: dict[str, Any],
        *,
        memory_mb: int,
        timeout_s: float,
        holding: Callable[[Worker], AbstractContextManager[None]] = lambda worker: nullcontext(),
        on_progress: Callable[[dict[str, Any]], None] = lambda progress: None,
    ) -> Outcome:
        """Do one task in a worker and wait for its end. Others may kill it while `holding(worker)` lasts, which ends
        before the worker is free for the next task."""
        worker = self.take()
        outcome = Outcome("failed")
        try:
            with holding(worker):
                outcome = self._supervise(worker, task, memory_mb, timeout_s, on_progress)
            return outcome
        finally:
            self.give_back(worker, outcome.state in {"done", "asking", "refused"} and worker.wanted_end is None)

    def _supervise(
        self,
        worker: Worker,
        task: dict[str, Any],
        memory_mb: int,
        timeout_s: float,
        on_progress: Callable[[dict[str, Any]], None],
    ) -> Outcome:
        look_at = time.monotonic() + LOOK_EVERY
        deadline = time.monotonic() + timeout_s
        allowed = worker.private_memory() + memory_mb * 2**20
        try:
            worker.send({**task, "memory_mb": memory_mb})
            while True:
                if worker.pipe.poll(LOOK_EVERY):
                    message = WorkerMessage.read(worker.pipe.recv_bytes())
                    if message.end is not None:
                        return message.outcome()
                    if message.progress is not None:
                        on_progress(message.progress)
                # Also for a worker that never stops sending.
                now = time.monotonic()
                if now > deadline:
                    worker.kill("timeout")
                elif now > look_at:
                    look_at = now + LOOK_EVERY
                    if memory_mb and worker.private_memory() > allowed:
                        worker.kill("memory")
        except (EOFError, ConnectionResetError, BrokenPipeError, OSError, ValueError):
            return self._died(worker, task)

    def _died(self, worker: Worker, task: dict[str, Any]) -> Outcome:
        if worker.wanted_end in {"cancelled", "timeout", "memory"}:
            return Outcome(worker.wanted_end)
        kind = str(task.get("kind"))
        if kind in READERS and worker.end_signal() == signal.SIGKILL:
            return Outcome("failed", error={"code": "child_killed", "text": KILLED, "id": None})
        text = _DIED.get(kind, "计算进程意外结束，本次分析未完成")
        return Outcome("failed", error={"code": "child_died", "text": text, "id": None})


READERS = {"import", "preview"}
KILLED = "读取中断，请重试"
"""Of a reader that somebody else killed, mostly the system for want of memory: the file is not to blame."""
_DIED = {
    "import": "文件内容异常，解析已终止，没有读入任何数据。请在原来的程序中打开并另存，或改存为 csv、xlsx 后重新上传",
    "export": "计算进程意外结束，本次导出未完成，请重试",
}
"""A library may not survive hostile bytes: then it is the file, not the person's analysis."""
