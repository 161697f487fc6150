"""What a run tells of its progress: each stage at once, within a stage at most ten messages a second."""

from __future__ import annotations

import multiprocessing

import orjson

from hengxi.jobs import worker


def test_restarts_that_follow_at_once_are_one_stage_and_a_new_stage_is_told() -> None:
    now = 100.0
    ours, theirs = multiprocessing.Pipe()
    progress = worker.Reporter(theirs, lambda: now)
    for done in range(1, 4):
        progress(done, 25, f"K = 3，第 {done}/25 次重启")
    now += 2 * worker.PROGRESS_EVERY
    progress(4, 25, "K = 3，第 4/25 次重启")
    progress(0, 50, "Gap 统计量，第 1/50 次参照")
    said = []
    while ours.poll():
        said.append(orjson.loads(ours.recv_bytes())["progress"]["text"])
    assert said == ["K = 3，第 1/25 次重启", "K = 3，第 4/25 次重启", "Gap 统计量，第 1/50 次参照"]
