"""Tasks no method has: they hang in C, eat memory, die, or count; served by a child of the tests."""

from __future__ import annotations

import os
import signal
import time
from multiprocessing.connection import Connection
from typing import Any

from hengxi.contract.refusal import Refusal
from hengxi.jobs import worker
from hengxi.jobs.tasks import TASKS


def hang(payload: dict[str, Any], progress: Any) -> dict[str, Any]:
    """A C call that holds the GIL for minutes: nothing in the process can interrupt it."""
    return {"sum": sum(range(10**11))}


def eat(payload: dict[str, Any], progress: Any) -> dict[str, Any]:
    held = []
    for _ in range(64):
        held.append(bytearray(128 * 2**20))
        held[-1][::4096] = b"x" * len(held[-1][::4096])
        time.sleep(0.01)
    return {"held": len(held)}


def die(payload: dict[str, Any], progress: Any) -> dict[str, Any]:
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def crash(payload: dict[str, Any], progress: Any) -> dict[str, Any]:
    os.kill(os.getpid(), payload.get("signal", signal.SIGSEGV))
    return {}


def steps(payload: dict[str, Any], progress: Any) -> dict[str, Any]:
    """Up to `of` small steps; keeps what it has when asked to stop."""
    for step in range(payload["of"]):
        if not progress(step + 1, payload["of"], f"第 {step + 1} 步"):
            return {"steps": step + 1, "stopped": True}
        time.sleep(0.02)
    return {"steps": payload["of"], "stopped": False}


def refuse(payload: dict[str, Any], progress: Any) -> dict[str, Any]:
    raise Refusal("data.few", "样本太少", field="y")


def bug(payload: dict[str, Any], progress: Any) -> dict[str, Any]:
    return {"x": 1 / 0}


def pid(payload: dict[str, Any], progress: Any) -> dict[str, Any]:
    return {"pid": os.getpid(), "parent": os.getppid()}


def serve(pipe: Connection) -> None:
    TASKS.update(hang=hang, eat=eat, die=die, steps=steps, refuse=refuse, bug=bug, pid=pid)
    TASKS["view"] = lambda payload, progress: (hang if payload["act"] == "hang" else pid)(payload, progress)
    TASKS["import"] = crash  # as a library does on hostile bytes
    TASKS["preview"] = die
    worker.serve(pipe)
