from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from hengxi.methods.evaluation._shared import spatial
from hengxi.testing import Trial, records

FRAME = pd.DataFrame({
    "地区": list("甲乙丙丁戊己"), "v": [1.0, 2, 3, 7, 8, 9], "x": [0.0, 1, 2, 3, 4, 5], "y": [0.0] * 6,
})  # fmt: skip
FORM: dict[str, Any] = {"value": ["v"], "label": "地区", "x": "x", "y": "y", "coordinates": "plane", "k": 2,
                        "permutations": 99}  # fmt: skip
TRIAL = Trial("evaluation/spatial_autocorrelation", FRAME, FORM, {"v": "定量", "x": "定量", "y": "定量"})


def grid(names: str, values: Any) -> dict[str, Any]:
    return {"rows": list(names), "columns": list(names), "values": values}


def test_a_matrix_of_another_size_and_without_neighbours_is_refused() -> None:
    typed: dict[str, Any] = {"weight_type": "matrix", "weights": grid("甲乙丙", [[0, 1, 0], [1, 0, 1], [0, 1, 0]])}
    assert "空间权重矩阵为 3×3，数据有 6 个地区" in TRIAL.refused(**typed).text
    zero: dict[str, Any] = {"weight_type": "matrix", "weights": grid("甲乙丙丁戊己", [[0] * 6] * 6)}
    assert "没有任何邻接关系" in TRIAL.refused(**zero).text


def test_a_constant_and_repeated_regions_are_refused() -> None:
    assert "无变异，莫兰指数无定义" in TRIAL.refused(FRAME.assign(v=3.0)).text
    assert "地区“甲”有几行" in TRIAL.refused(FRAME.assign(地区=list("甲甲丙丁戊己"))).text


def test_a_region_without_neighbours_is_listed_and_left_out() -> None:
    report = TRIAL.report(weight_type="contiguity_list", pairs="甲:乙,丙；乙：丙;丁:丙,戊")
    assert [row["region"] for row in records(report, "alone")] == ["己"]
    assert records(report, "info")[0]["n"] == 5
    assert "“庚”不在数据" in TRIAL.refused(weight_type="contiguity_list", pairs="甲:庚").text


def test_neighbours_that_alternate_give_a_negative_index() -> None:
    w = np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1)
    x = np.array([1.0, 9, 1, 9, 1, 9])
    assert spatial.moran(x, w, "random").value < -0.9 and spatial.geary(x, w, "normal").value > 1


def test_the_sphere_knows_a_degree_of_latitude() -> None:
    d = spatial.distances(np.array([[0.0, 0.0], [0.0, 1.0]]), "sphere")
    assert abs(d[0, 1] - 111.19) < 0.01
