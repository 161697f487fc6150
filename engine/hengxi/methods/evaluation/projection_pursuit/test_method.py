from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.methods.evaluation._shared.pursuit import Index, first_component
from hengxi.testing import Trial, records

DRAWN = np.random.default_rng(5).random((12, 3))
FRAME = pd.DataFrame(DRAWN, columns=list("abc"))
FORM: dict[str, Any] = {"positive": ["a", "b"], "negative": ["c"]}
TRIAL = Trial("evaluation/projection_pursuit", FRAME, FORM)


def test_too_few_and_too_many_are_refused() -> None:
    assert "投影寻踪至少需要 5 个对象" in TRIAL.refused(FRAME.head(4)).text
    assert (
        "最多 100 个"
        in TRIAL.refused(pd.DataFrame(np.random.default_rng(1).random((101, 3)), columns=list("abc"))).text
    )
    wide = pd.DataFrame(np.random.default_rng(1).random((8, 16)), columns=[f"v{k}" for k in range(16)])
    assert "最多 15 个" in TRIAL.refused(wide, positive=list(wide.columns), negative=[]).text
    assert "都相同" in TRIAL.refused(FRAME.assign(b=2.0)).text


def test_order_of_rows_and_seed_do_not_change_the_optimum() -> None:
    plain = records(TRIAL.report(), "result")
    assert sum(row["weight"] for row in plain) == pytest.approx(1)
    turned = records(TRIAL.report(FRAME.iloc[::-1].reset_index(drop=True), seed=77), "result")
    assert [row["a"] for row in turned] == pytest.approx([row["a"] for row in plain], abs=1e-6)


def test_planted_groups_are_separated_by_the_axis_that_parts_them() -> None:
    x = np.random.default_rng(2).random((20, 3)) * [0.2, 1, 1]
    x[:10, 0] += 0.8
    index = Index.of(x, 0.1, True)
    a, reached = index.search([index.evolve(k) for k in range(4)])
    assert a[0] > 0.9 and (a >= 0).all() and np.linalg.norm(a) == pytest.approx(1)
    assert reached.max() >= index.value(np.abs(first_component(x))[None])[0]


def test_objects_that_are_alike_still_count_in_the_density() -> None:
    x = np.repeat(np.eye(3), 2, axis=0)
    s, d = Index.of(x, 0.1, True).parts(np.array([[1.0, 0, 0]]))
    assert d[0] == pytest.approx(0.1 * s[0] * (4 + 16))


def test_all_is_recomputed_from_the_printed_direction() -> None:
    report = TRIAL.report()
    a = np.array([row["a"] for row in records(report, "result")])
    x = (DRAWN - DRAWN.min(axis=0)) / np.ptp(DRAWN, axis=0)
    x[:, 2] = 1 - x[:, 2]
    z = x @ a
    s = z.std(ddof=1)
    d = sum(max(0.1 * s - abs(u - v), 0) for u in z for v in z)
    assert [row["z"] for row in records(report, "scores")] == pytest.approx(list(z), rel=1e-8, abs=1e-10)
    best = records(report, "compared")[0]
    assert [best[key] for key in ("s", "r", "d", "q")] == pytest.approx([s, 0.1 * s, d, s * d], rel=1e-8)
    assert [row["weight"] for row in records(report, "result")] == pytest.approx(list(a**2), rel=1e-8)
    searches = records(report, "searches")
    assert [row["gap"] for row in searches] == pytest.approx([1 - row["q"] / best["q"] for row in searches], abs=1e-8)
