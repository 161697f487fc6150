"""One clock for a run: share, text and time left of all its parts and variables."""

from __future__ import annotations

from typing import Any

import pytest

from hengxi import registry
from hengxi.jobs.analysis import Watch


class Desk:
    """Remembers what a run tells, on a clock set by the test."""

    def __init__(self) -> None:
        self.now = 0.0
        self.told: list[tuple[float, str]] = []

    def progress(self, done: float, of: float, text: str = "", best: float | None = None) -> Any:
        self.told.append((done / of, text))
        return True


def test_shares_of_parts_and_variables_never_run_backwards() -> None:
    desk = Desk()
    watch = Watch(desk.progress, parts=2, clock=lambda: desk.now)
    for _ in range(2):
        for variable in range(3):
            tell = watch.of_variable(variable, 3)
            for tree in (50, 100):
                tell(tree, 100, "训练")
        watch.finished += 1
    shares = [share for share, _ in desk.told]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_the_time_left_goes_by_the_same_share() -> None:
    desk = Desk()
    watch = Watch(desk.progress, parts=1, clock=lambda: desk.now)
    desk.now = 1.0
    watch(1, 10, "训练")
    desk.now = 10.0
    watch(1, 4, "训练")
    desk.now = 100.0
    watch(1, 4, "训练")
    watch(4, 4, "训练")
    assert [text for _, text in desk.told] == ["训练", "训练，还需约 30 秒", "训练，还需约 5 分钟", "训练"]


def test_a_stop_is_remembered() -> None:
    watch = Watch(lambda *_: False, parts=1)
    assert watch(1, 2) is False
    assert watch.stopped


def test_the_announced_time_grows_with_the_trees() -> None:
    forest = registry.load("supervised_learning/classifier/random_forest")
    assert forest.cost(1000, 5, {"n_estimators": 1000}) == pytest.approx(
        10 * forest.cost(1000, 5, {"n_estimators": 100})
    )
