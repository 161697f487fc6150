from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi.testing import Trial, records

TRIAL = Trial("mathematical_modeling/equation_solving", form={"equations": ["X^2 = 2"]})


@pytest.mark.parametrize(
    ("changes", "code", "text"),
    [
        ({"equations": []}, "formula.required", "至少需要一个方程"),
        ({"equations": ["X^2 + 1"]}, "formula.syntax", "应是等式"),
        ({"equations": ["X^2 <= 1"]}, "formula.syntax", "应是等式"),
        ({"equations": ["X + ) = 1"]}, "formula.syntax", "第 1 条的第 5 个字符处"),
        ({"equations": ["__import__('os') = 1"]}, "formula.syntax", "有误"),
        ({"equations": ["(" * 10_000 + "X = 1"]}, "formula.syntax", "有误"),
        ({"equations": ["1 = 2"]}, "data.constant", "没有未知数"),
        ({"equations": ["sin(X*Y) = Z", "X + Y = 1"]}, "data.few", "方程数（2）少于未知数（3）"),
        ({"equations": ["exp(X) = -1"]}, "data.no_root", "没有找到变号点"),
        ({"equations": ["X^2 + Y^2 = -1", "X = Y"]}, "data.no_root", "没有找到解"),
        ({"equations": ["ln(-X^2 - Y^2 - 1) = 0", "X = Y"]}, "data.no_root", "没有定义"),
        ({"equations": ["X/0 = 1"]}, "data.number", "没有定义的数"),
        ({"kind": "linear"}, "data.kind", "不是线性方程组"),
        ({"kind": "polynomial", "equations": ["sin(X) = 0"]}, "data.kind", "不是一元多项式"),
        ({"kind": "single", "equations": ["X + Y = 1"]}, "data.kind", "一个方程一个未知数"),
        ({"kind": "system", "equations": ["X*Y = 1", "X = Y"], "x0": [1]}, "data.x0", "未知数有 2 个"),
        ({"equations": ["10^10^10*X^2 = X"]}, "data.no_root", "没有找到"),
    ],
)
def test_what_cannot_be_solved_is_refused(changes: dict[str, Any], code: str, text: str) -> None:
    fault = next(fault for fault in TRIAL.refused(**changes).faults if fault.code == code)
    assert text in fault.text


def test_poles_are_no_roots_and_touching_roots_are_found() -> None:
    tangents = TRIAL.report(equations=["tan(x) = 1"], interval=[0, 4])
    values = [row["residual"] for row in records(tangents, "solutions")]
    assert len(values) == 2 and max(values) < 1e-9
    touching = records(TRIAL.report(equations=["(cos(x) - 1)*exp(x) = 0"], interval=[-1, 7]), "solutions")
    assert len(touching) == 2


def test_wilkinson_of_ten_has_its_ten_roots() -> None:
    left = " * ".join(f"(x - {k})" for k in range(1, 11))
    rows = records(TRIAL.report(equations=[f"{left} = 0"]), "roots")
    assert np.allclose([row["real"] for row in rows], range(1, 11), atol=1e-7) and {r["times"] for r in rows} == {1}


def test_a_fivefold_root_is_one() -> None:
    (row,) = records(TRIAL.report(equations=["(x - 2)^5 = 0"]), "roots")
    assert row["times"] == 5 and abs(row["real"] - 2) < 1e-6


def test_the_hilbert_system_is_solved_to_its_whole_numbers() -> None:
    lines = [" + ".join(f"X{j}/{i + j - 1}" for j in range(1, 6)) + " = 1" for i in range(1, 6)]
    report = TRIAL.report(equations=lines)
    table = next(e for e in report if e.get("name") == "solutions")
    assert np.allclose(sorted(table["rows"][0][2:]), sorted([5, -120, 630, -1120, 630]), rtol=1e-9)


def test_fifty_linear_unknowns() -> None:
    lines = [f"2x{k} - x{(k + 1) % 50} = 1" for k in range(50)]
    (row,) = records(TRIAL.report(equations=lines), "solutions")
    assert row["residual"] < 1e-12
