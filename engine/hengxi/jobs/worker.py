"""One warm worker process: waits on its pipe, does one task at a time, reports progress. It may be killed any time.

Messages are JSON bytes in both directions, never pickles: what a worker sends is untrusted, since a hostile
file may have taken it over.
parent → worker {"kind", "payload", "memory_mb", "run_id"} · {"stop": true}
worker → parent {"ready": pid} · {"progress": {"done", "of", "text", "best"}} · {"end": state, …}
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import sys
import time
import traceback
import uuid
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import orjson

from hengxi.contract.refusal import Refusal
from hengxi.data.refusal import Cancelled, DataRefusal
from hengxi.data.store import full_disk, is_full
from hengxi.jobs.lifeline import die_with_parent
from hengxi.jobs.tasks import TASKS
from hengxi.jobs.tuning import give_back

PROGRESS_EVERY = 0.1
"""Seconds between two progress messages of a stage; faster ones are dropped. Where only numbers in the text change (one
restart after the other), it is the same stage."""

_NUMBERS = str.maketrans("", "", "0123456789")

_JSON = orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS


def serve(pipe: Connection) -> None:
    """The main loop of a worker. Returns when the parent closes the pipe."""
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    TASKS["toy"]({}, lambda *_: True)
    calm_collector()
    _send(pipe, {"ready": os.getpid()})
    while (task := _receive(pipe)) is not None:
        if "kind" in task:
            _send_bytes(pipe, _run(pipe, task))
            if task["kind"] == "import":
                give_back()


def calm_collector() -> None:
    """What is loaded by now stays: the collector of cycles need not walk it again for every few hundred new objects."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _run(pipe: Connection, task: dict[str, Any]) -> bytes:
    """The task's end as it is sent. A result that cannot be written, or is too large to be, is an end as well."""
    limits = resource.getrlimit(resource.RLIMIT_DATA)
    _limit_memory(int(task.get("memory_mb") or 0), limits[1])
    try:
        result = TASKS[task["kind"]](task["payload"], Reporter(pipe))
        return _bytes({"end": "asking" if result.get("questions") else "done", "result": result})
    except Refusal as refusal:
        return _bytes({"end": "refused", "refusal": refusal.wire()})
    except DataRefusal as refusal:
        return _bytes({"end": "refused", "refusal": _file_refusal(refusal)})
    except Cancelled:
        return _bytes({"end": "failed", "error": {"code": "stopped", "text": "任务已停止", "id": None}})
    except MemoryError:
        return _bytes({"end": "memory"})
    except Exception as error:
        if is_full(error):
            return _bytes({"end": "refused", "refusal": _file_refusal(full_disk())})
        return _bytes({"end": "memory"} if _is_memory(error) else _bug(task))
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, limits)


def _file_refusal(refusal: DataRefusal) -> dict[str, Any]:
    remedies = [{"title": choice["title"], "set": choice["set"]} for choice in refusal.choices]
    fault = {
        "field": None,
        "code": refusal.code,
        "text": refusal.text,
        "facts": refusal.facts,
        "column": None,
        "row": None,
    }
    return {"fields": [fault | {"remedies": remedies}]}


def _bug(task: dict[str, Any]) -> dict[str, Any]:
    """A mistake of ours: the log gets the traceback, the user an id to quote."""
    number = uuid.uuid4().hex[:8]
    print(
        f"bug {number} in run {task.get('run_id')} ({task['kind']})\n{traceback.format_exc()}",
        file=sys.stderr,
        flush=True,
    )
    return {
        "end": "failed",
        "error": {
            "code": "bug",
            "text": f"分析程序出错（编号 {number}），请重试；仍不行请把编号告诉我们",
            "id": number,
        },
    }


def _is_memory(error: BaseException) -> bool:
    """Libraries wrap the lack of memory in errors of their own."""
    return type(error).__name__ in {"ArrowMemoryError", "_ArrayMemoryError"} or "bad allocation" in str(error)


def _limit_memory(megabytes: int, hard: int) -> None:
    """Private memory may grow by this much, then allocations fail with MemoryError inside the worker."""
    if megabytes <= 0 or not sys.platform.startswith("linux"):
        return
    used = 0
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmData:"):
                used = int(line.split()[1]) * 1024
    # RLIMIT_DATA counts reserved, not touched, memory: a quarter of slack above what the parent watches for.
    resource.setrlimit(resource.RLIMIT_DATA, (used + int(megabytes * 1.25) * 2**20, hard))


class Reporter:
    """The progress function of a run: sends at most ten messages a second and hears 停止并保留."""

    def __init__(self, pipe: Connection, clock: Callable[[], float] = time.monotonic) -> None:
        self.pipe, self.clock = pipe, clock
        self.sent_at = 0.0
        self.stage: str | None = None
        self.is_stopped = False

    def __call__(self, done: float, of: float | None = None, text: str = "", best: float | None = None) -> bool:
        now = self.clock()
        stage = text.translate(_NUMBERS)
        if now - self.sent_at >= PROGRESS_EVERY or stage != self.stage:
            self.sent_at, self.stage = now, stage
            _send(self.pipe, {"progress": {"done": done, "of": of, "text": text, "best": best}})
        while not self.is_stopped and self.pipe.poll():
            self.is_stopped = bool((_receive(self.pipe) or {"stop": True}).get("stop"))
        return not self.is_stopped


def _bytes(message: dict[str, Any]) -> bytes:
    return orjson.dumps(message, option=_JSON)


def _send(pipe: Connection, message: dict[str, Any]) -> None:
    _send_bytes(pipe, _bytes(message))


def _send_bytes(pipe: Connection, message: bytes) -> None:
    try:
        pipe.send_bytes(message)
    except (BrokenPipeError, ConnectionResetError):
        os._exit(0)


def _receive(pipe: Connection) -> dict[str, Any] | None:
    try:
        return dict(orjson.loads(pipe.recv_bytes()))
    except (EOFError, ConnectionResetError, OSError):
        return None
