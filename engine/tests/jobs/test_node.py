"""What a run's supervisor owes the other runs: nothing said of one reaches the next in the same child."""

from __future__ import annotations

import multiprocessing
import os
from types import SimpleNamespace
from typing import Any

import pytest

from hengxi.jobs.node import Node, QueuedRun
from hengxi.jobs.runs import Runs
from hengxi.jobs.worker_pool import Outcome, Worker, WorkerPool

TOY = QueuedRun(1, "toy", {}, 0, 60)


class Pipe:
    """A child that says one thing for ever, until it is killed."""

    def __init__(self) -> None:
        self.said = 0
        self.child: Worker | None = None

    def poll(self, seconds: float = 0) -> bool:
        return True

    def send_bytes(self, message: bytes) -> None:
        pass

    def close(self) -> None:
        pass

    def recv_bytes(self) -> bytes:
        self.said += 1
        assert self.said < 1000, "nobody looks at what it takes"
        if self.child and self.child.wanted_end:
            raise EOFError
        return b'{"progress":{"done":1}}'


def dead_process() -> Any:
    return SimpleNamespace(pid=None, is_alive=lambda: False, join=lambda seconds: None)


def only(children: WorkerPool, child: Worker, given_back: Any = lambda child, is_reusable: None) -> None:
    children.take = lambda: child  # type: ignore[method-assign]
    children.give_back = given_back  # type: ignore[method-assign]


def test_a_cancel_or_stop_that_comes_late_does_not_reach_the_next_run_of_the_child() -> None:
    ours, theirs = multiprocessing.Pipe()
    theirs.send_bytes(b'{"end":"done","result":{}}')
    child = Worker(dead_process(), ours)
    node = Node(1)

    def given_back(child: Worker, is_reusable: bool) -> None:
        assert is_reusable
        node.kill(1)
        node.stop(1)

    only(node.workers, child, given_back)
    assert node.supervise(TOY, lambda message: None).state == "done"
    assert child.wanted_end is None
    assert b"stop" not in theirs.recv_bytes()
    assert not theirs.poll()


@pytest.mark.parametrize(("limit", "memory_mb", "timeout_s"), [("timeout", 0, -1), ("memory", 1, 60)])
def test_one_that_never_stops_talking_is_held_to_its_limits(
    limit: str, memory_mb: int, timeout_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = Pipe()
    pipe.child = Worker(dead_process(), pipe)  # type: ignore[arg-type]
    sizes = iter([0])
    pipe.child.private_memory = lambda: next(sizes, 2**40)  # type: ignore[method-assign]
    monkeypatch.setattr("hengxi.jobs.worker_pool.LOOK_EVERY", -1)
    children = WorkerPool(1)
    only(children, pipe.child)
    assert children.run({"kind": "toy"}, memory_mb=memory_mb, timeout_s=timeout_s) == Outcome(limit)


def test_the_number_of_a_dead_child_is_not_killed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: killed.append(pid))
    process = dead_process()
    process.pid = 4711
    Worker(process, multiprocessing.Pipe()[0]).discard()
    assert killed == []


def test_stopping_is_told_once_however_often_it_is_asked() -> None:
    stops: list[int] = []
    queue: Any = SimpleNamespace(submit=lambda run, on_end: None, stop=stops.append)
    runs = Runs(1, queue=lambda slots, target: queue)
    runs.submit(1, "toy", {}, 0, 60)
    runs.stop(1)
    runs._on_event({"run_id": 1, "begin": True})
    for _ in range(3):
        runs.stop(1)
    assert stops == [1]
