from __future__ import annotations

import time
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, cells, records

RNG = np.random.default_rng(4)
FRAME = pd.DataFrame({"名": list("abcdefg"), "x": RNG.random(7) * 9, "y": RNG.random(7) * 9})
KINDS = {"名": "定类", "x": "定量", "y": "定量"}
TRIAL = Trial("mathematical_modeling/tsp", FRAME, {"name": "名", "xy": ["x", "y"]}, KINDS)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"frame": FRAME[:2]}, "至少需要 3 个地点"),
        ({"input": "matrix"}, "距离矩阵行数（7）与列数（2）不等"),
        ({"frame": FRAME.assign(x=[1, None, 3, 4, 5, 6, 7])}, "第 2 行“x”"),
        ({"frame": FRAME.assign(x=95.0), "input": "geographic"}, "纬度要在"),
        ({"frame": FRAME.assign(x=1.0, y=1.0)}, "都在一处"),
        ({"frame": FRAME.assign(z=1.0), "xy": ["x", "y", "z"]}, "坐标要放 2 列"),
    ],
)
def test_what_has_no_route_is_refused(changes: dict[str, Any], text: str) -> None:
    kinds = {**KINDS, "z": "定量"}
    assert text in TRIAL.refused(measures=kinds, **changes).text


def test_negative_distances_and_too_many_places_are_refused() -> None:
    matrix = pd.DataFrame([[0.0, 1, 2], [1, 0, -3], [2, 3, 0]], columns=["a", "b", "c"])
    form: dict[str, Any] = {"name": None, "xy": ["a", "b", "c"], "input": "matrix"}
    refused = TRIAL.refused(matrix, dict.fromkeys("abc", "定量"), **form)
    assert "第 2 行“c”的距离为负" in refused.text
    many = pd.DataFrame({"x": RNG.random(16), "y": RNG.random(16)})
    assert "动态规划最多 15 个地点" in TRIAL.refused(many, name=None, algorithm="dynamic").text


def shortest(frame: pd.DataFrame) -> float:
    p = frame[["x", "y"]].to_numpy()
    d = np.hypot(*(p[:, None] - p[None]).transpose(2, 0, 1))
    n = len(p)
    return float(
        min(sum(d[a, b] for a, b in zip((0, *way), (*way, 0), strict=True)) for way in permutations(range(1, n)))
    )


@pytest.mark.parametrize("algorithm", ["dynamic", "integer", "or_opt", "annealing", "genetic", "ants"])
def test_every_algorithm_finds_the_shortest_of_seven(algorithm: str) -> None:
    (row,) = records(TRIAL.report(algorithm=algorithm, max_iter=40), "result")
    assert row["total_"] == pytest.approx(shortest(FRAME)) and row["bound"] <= row["total_"]


def test_the_trip_begins_where_it_is_told_and_visits_each_place_once() -> None:
    for closed in (True, False):
        stops = [row["place_"] for row in records(TRIAL.report(start="d", closed=closed), "route")]
        assert stops[0] == "d" and sorted(set(stops)) == list("abcdefg") and len(stops) == 7 + closed


def test_three_hundred_places_in_time_with_a_near_bound_and_the_same_twice() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"x": rng.random(200), "y": rng.random(200)})
    begun = time.process_time()
    one = TRIAL.report(frame, name=None)
    assert time.process_time() - begun < 40
    (row,) = records(one, "result")
    assert 0 < row["gap"] < 0.12 and cells(one, "route") == cells(TRIAL.report(frame, name=None), "route")
