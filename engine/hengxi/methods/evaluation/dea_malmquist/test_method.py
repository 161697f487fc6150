from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.DataFrame({
    "名": ["甲", "乙"] * 2, "年": [2020, 2020, 2021, 2021], "x": [2.0, 4, 2, 4], "y": [2.0, 2, 3, 3.6],
})  # fmt: skip
FORM = {"inputs": ["x"], "outputs": ["y"], "label": "名", "year": "年"}
TRIAL = Trial("evaluation/dea_malmquist", FRAME, FORM, {"x": "定量", "y": "定量", "年": "时间"})


def test_a_panel_with_a_hole_is_refused_with_unit_and_period() -> None:
    assert "决策单元“乙”缺少 2021 的数据" in TRIAL.refused(FRAME.iloc[:3]).text
    assert "至少需要两个时期" in TRIAL.refused(FRAME.iloc[:2]).text
    assert "有两行" in TRIAL.refused(pd.concat([FRAME, FRAME.iloc[:1]])).text


@pytest.mark.parametrize("orientation", ["input", "output"])
def test_one_input_one_output_by_hand(orientation: str) -> None:
    rows = {row["unit"]: row for row in records(TRIAL.report(orientation=orientation), "result")}
    assert [rows["甲"][key] for key in ("m", "ec", "tc")] == pytest.approx([1.5, 1, 1.5])
    assert [rows["乙"][key] for key in ("m", "ec", "tc")] == pytest.approx([1.8, 1.2, 1.5])


def longer() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    cells = [(u, t, *np.exp(rng.normal(0, 0.4, 3))) for t in (2019, 2020, 2021) for u in "甲乙丙丁戊己"]
    return pd.DataFrame(cells, columns=["名", "年", "x", "z", "y"])


def test_the_global_index_is_circular() -> None:
    frame = longer()
    form = {"inputs": ["x", "z"], "index": "global"}
    kinds = {"z": "定量", "名": "定类"}
    steps = [row["m"] for row in records(TRIAL.report(frame, measures=kinds, **form), "result") if row["unit"] == "甲"]
    jump = records(TRIAL.report(frame[frame["年"] != 2020], measures=kinds, **form), "result")[0]["m"]
    whole = records(TRIAL.report(frame, measures=kinds, **form), "total")[2]["value"]
    assert np.prod(steps) == pytest.approx(whole) and jump > 0


def test_infeasible_cross_period_programs_leave_the_cells_open() -> None:
    frame = FRAME.assign(y=[2.0, 2, 9, 9])
    report = TRIAL.report(frame, decomposition="rd")
    row = records(report, "result")[0]
    assert row["tc"] is None and row["sec"] is None and row["m"] is not None
    assert any(one["type"] == "warning" for one in report)
