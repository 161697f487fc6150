"""Runs end as they should, whatever happens to the child; other runs do not notice."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import threading
from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from hengxi.http.app import ndjson_line
from hengxi.jobs import runs as runs_module
from hengxi.jobs.cluster import Cluster
from hengxi.jobs.queue import QueueFactory, ThreadQueue
from hengxi.jobs.runs import OPEN, Runs
from hengxi.jobs.worker_pool import Outcome, WorkerMessage
from tests.jobs import faulty_tasks

pytestmark = pytest.mark.slow

numbers = itertools.count(1)


class Desk:
    """Submits to real runs and waits on their events, never on the clock."""

    def __init__(self, queue: QueueFactory) -> None:
        self.runs = Runs(2, faulty_tasks.serve, queue)
        self.events: list[dict[str, Any]] = []
        self.changed = threading.Condition()
        self.runs.start()
        self.runs.subscribe(self.hear)

    def hear(self, event: dict[str, Any]) -> None:
        with self.changed:
            self.events.append(orjson.loads(ndjson_line(event)))
            self.changed.notify_all()

    def submit(
        self, kind: str, payload: dict[str, Any] | None = None, memory_mb: int = 1024, timeout_s: float = 60
    ) -> int:
        run_id = next(numbers)
        self.runs.submit(run_id, kind, payload or {}, memory_mb, timeout_s)
        return run_id

    def until(self, run_id: int, test: Any, seconds: float = 60) -> dict[str, Any]:
        with self.changed:
            found = self.changed.wait_for(
                lambda: next((e for e in self.events if e["run_id"] == run_id and test(e)), None), seconds
            )
        assert found, f"run {run_id}: {self.runs.get(run_id)}"
        return found

    def end(self, run_id: int) -> dict[str, Any]:
        return self.until(run_id, lambda event: event["state"] not in OPEN)

    def running(self, run_id: int) -> dict[str, Any]:
        return self.until(run_id, lambda event: event["state"] == "running")


@pytest.fixture(scope="module", params=[ThreadQueue, Cluster])
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    desk = Desk(request.param)
    yield desk
    desk.runs.close()


def test_a_run_gives_its_result_once(desk: Desk) -> None:
    run_id = desk.submit("toy")
    assert desk.end(run_id)["result"]["p"] == pytest.approx(0.290333569, abs=1e-6)
    assert len([e for e in desk.events if e["run_id"] == run_id and e["state"] == "done"]) == 1
    assert desk.runs.submit(run_id, "toy", {}, 512, 10)["state"] == "done"


def test_a_c_call_is_cancelled_while_it_hangs_and_the_other_run_survives(desk: Desk) -> None:
    hanging, other = desk.submit("hang"), desk.submit("steps", {"of": 100})
    desk.running(hanging)
    desk.running(other)
    desk.runs.cancel(hanging)
    assert desk.end(hanging)["state"] == "cancelled"
    assert desk.end(other)["result"] == {"steps": 100, "stopped": False}


def test_a_queued_run_knows_its_place_and_is_cancelled_before_it_starts(desk: Desk) -> None:
    busy = [desk.submit("hang") for _ in range(2)]
    for run_id in busy:
        desk.running(run_id)
    first, second = desk.submit("pid"), desk.submit("pid")
    assert desk.until(second, lambda event: event["position"] is not None)["position"] == 2
    desk.runs.cancel(first)
    assert desk.end(first)["state"] == "cancelled"
    assert desk.until(second, lambda event: event["position"] == 1)
    for run_id in busy:
        desk.runs.cancel(run_id)
    assert desk.end(second)["state"] == "done"
    assert not any(e["run_id"] == first and e["state"] == "running" for e in desk.events)


def test_a_killed_child_is_told_and_replaced(desk: Desk) -> None:
    end = desk.end(desk.submit("die"))
    assert (end["state"], end["error"]["text"]) == ("failed", "计算进程意外结束，本次分析未完成")
    assert desk.end(desk.submit("pid"))["state"] == "done"


def test_a_file_that_ends_the_parser_is_blamed_for_it(desk: Desk) -> None:
    end = desk.end(desk.submit("import"))
    assert end["state"] == "failed" and end["error"]["text"].startswith("文件内容异常，解析已终止")


def test_a_reader_that_was_killed_can_be_tried_again_and_the_file_is_not_blamed(desk: Desk) -> None:
    end = desk.end(desk.submit("import", {"signal": signal.SIGKILL.value}))
    assert end["error"] == {"code": "child_killed", "text": "读取中断，请重试", "id": None}
    assert desk.runs.call("preview", {}).error == end["error"]


def test_too_much_memory_ends_only_that_run(desk: Desk) -> None:
    eating, other = desk.submit("eat", memory_mb=512), desk.submit("steps", {"of": 50})
    assert desk.end(eating)["state"] == "memory"
    assert desk.end(other)["state"] == "done"


def test_a_run_over_time_is_ended(desk: Desk) -> None:
    assert desk.end(desk.submit("hang", timeout_s=0.5))["state"] == "timeout"


def test_a_condition_over_time_is_killed_with_its_child_and_the_next_one_is_answered(desk: Desk) -> None:
    first = orjson.loads(desk.runs.view("pid", "t", {}).result or b"{}")
    assert first["pid"] != os.getpid()
    late = [desk.runs.view("hang", "t", {}, timeout_s=0.3).state for _ in range(3)]
    assert late == ["timeout"] * 3
    assert desk.runs.view("pid", "t", {}).state == "done"
    assert not any(child.process.is_alive() for child in desk.runs.viewers.busy)


def test_progress_arrives_and_stopping_keeps_what_there_is(desk: Desk) -> None:
    run_id = desk.submit("steps", {"of": 100_000})
    assert desk.until(run_id, lambda event: event["progress"])["progress"]["of"] == 100_000
    desk.runs.stop(run_id)
    end = desk.end(run_id)
    assert end["state"] == "done"
    assert end["result"]["stopped"] is True


def test_a_refusal_and_a_bug_are_told_apart(desk: Desk) -> None:
    refused = desk.end(desk.submit("refuse"))
    assert (refused["state"], refused["refusal"]["fields"][0]["text"]) == ("refused", "样本太少")
    failed = desk.end(desk.submit("bug"))
    assert failed["error"]["code"] == "bug"
    assert failed["error"]["id"] in failed["error"]["text"]
    assert "ZeroDivision" not in failed["error"]["text"]


def test_the_death_of_the_fork_server_ends_its_runs_and_nothing_else(desk: Desk) -> None:
    server = desk.end(desk.submit("pid"))["result"]["parent"]
    hanging = desk.submit("hang")
    desk.running(hanging)
    os.kill(server, signal.SIGKILL)
    # Until the kernel has buried it, its spare worker still names it as its parent.
    with contextlib.suppress(ChildProcessError):
        os.waitid(os.P_PID, server, os.WEXITED | os.WNOWAIT)
    assert desk.end(hanging)["state"] == "failed"
    for _ in range(4):
        end = desk.end(desk.submit("pid"))
        assert end["state"] == "done"
        assert end["result"]["parent"] != server


@pytest.mark.parametrize(
    "said",
    [
        b'{"end":"done","result":{"a":1},"run_id":7} {"run_id":8}',
        b'{"end":"done","result":{"a":1}},"run_id":7',
        b'{"end":"done","result":{"a":\n1}}',
        b'{"end":"done","result":{"a":"\xff"}}',
        b'{"end":"done","result":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"end":"waiting"}',
    ],
)
def test_what_no_honest_child_says_is_not_passed_on(said: bytes) -> None:
    with pytest.raises(ValueError):
        WorkerMessage.read(said)


def test_a_result_is_passed_on_as_the_child_wrote_it() -> None:
    said = WorkerMessage.read('{"end":"done","result":{"均值":1.50},"run_id":7}'.encode())
    assert said.outcome() == Outcome("done", '{"均值":1.50}'.encode())


def test_unknown_runs_are_not_made_up(desk: Desk) -> None:
    assert desk.runs.get(10**9) is None
    assert desk.runs.cancel(10**9) is None


def test_who_finds_a_free_slot_is_told_no_place(desk: Desk) -> None:
    run_id = desk.submit("toy")
    desk.end(run_id)
    assert [event["state"] for event in desk.events if event["run_id"] == run_id] == ["running", "done"]


def test_of_ended_runs_few_enough_and_small_enough_ones_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs_module, "MAX_ENDED_RUNS", 3)
    monkeypatch.setattr(runs_module, "MAX_ENDED_BYTES", 100)
    runs = Runs(1)

    def remembered(*sizes: int) -> list[int]:
        runs.status.clear()
        runs.status[0] = runs_module.Status(0, "toy", "running")
        for run_id, size in enumerate(sizes, 1):
            runs.status[run_id] = runs_module.Status(run_id, "toy", "done", result=b"x" * size)
        runs._evict_ended()
        return list(runs.status)

    assert remembered(1, 1, 1) == [0, 1, 2, 3]
    assert remembered(1, 1, 1, 1) == [0, 2, 3, 4]
    assert remembered(40, 50, 50) == [0, 2, 3]
