from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records

FRAME = pd.DataFrame({"x": [0.0, 1, 2, 3, 4], "y": [0.0, 1, 8, 27, 64], "u": [0.0, 1, 0, 1, 0.5]})
TRIAL = Trial("mathematical_modeling/interpolation", FRAME, {"x": ["x"], "y": "y"}, dict.fromkeys("xyu", "定量"))


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"frame": FRAME.assign(x=[0, 1, 1, 3, 4])}, "插值点“1”重复"),
        ({"frame": FRAME[:3]}, "至少需要 4 个点"),
        ({"targets": "9"}, "插值点 9 超出数据范围 [0, 4]"),
        ({"targets": "1;a"}, "请写成 1,2,3 或 0:0.1:1"),
        ({"targets": "0:-1:5"}, "步长不对"),
        ({"targets": "0:0.000001:5"}, "点数超过"),
        ({"method": "rbf"}, "要两个自变量"),
        ({"x": ["x", "u"]}, "要一个自变量"),
        ({"boundary": "periodic"}, "两端的函数值相同"),
        ({"x": ["x", "u"], "method": "idw", "targets_x": "1,2", "targets_y": "1"}, "个数不同"),
        ({"x": ["x", "u"], "method": "idw", "targets_x": "9", "targets_y": "1"}, "围成的范围"),
        ({"frame": FRAME.assign(u=FRAME.x), "x": ["x", "u"], "method": "linear2"}, "在一条直线上"),
        ({"frame": FRAME.assign(x=[0, 1e-15, 2, 3, 4])}, "几乎相等"),
    ],
)
def test_what_cannot_be_interpolated_is_refused(changes: dict[str, Any], text: str) -> None:
    assert text in TRIAL.refused(**changes).text


def test_cubics_are_exact_and_rows_may_stand_in_any_order() -> None:
    for method in ("spline", "lagrange", "newton"):
        (row,) = records(TRIAL.report(FRAME[::-1], method=method, targets="2.5"), "values")
        assert row["value"] == pytest.approx(2.5**3, rel=1e-12) and row["slope"] == pytest.approx(3 * 2.5**2)


def test_runge_is_warned_of_and_a_long_polynomial_refused() -> None:
    x = np.linspace(-1, 1, 40)
    frame = pd.DataFrame({"x": x, "y": 1 / (1 + 25 * x**2)})
    assert check(TRIAL.report(frame, method="newton"), "龙格现象")["state"] == "fail"
    long = pd.DataFrame({"x": np.arange(70.0), "y": np.arange(70.0)})
    assert "最多 60 个点" in TRIAL.refused(long, method="lagrange").text


def test_monotone_data_stay_monotone_by_pchip() -> None:
    frame = pd.DataFrame({"x": [0.0, 1, 2, 3, 4], "y": [0.0, 0, 0, 1, 1]})
    rows = records(TRIAL.report(frame, method="pchip", targets="0:0.05:4"), "values")
    values = [row["value"] for row in rows]
    assert min(np.diff(values)) >= -1e-12 and max(values) <= 1
