"""Limits of a control chart kept from one report and used in another: the same lines, or a refusal with a way out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi import registry
from hengxi.testing import Trial, records, said

RNG = np.random.default_rng(7)
VALUES = pd.DataFrame({"值": RNG.normal(50, 2, 120), "组": np.repeat(np.arange(1, 31), 4)})
COUNTS = pd.DataFrame({"件": RNG.binomial(100, 0.1, 30), "数": RNG.integers(80, 140, 30), "隔": RNG.geometric(0.1, 30)})
KINDS = {"值": "定量", "组": "定量", "件": "定量", "数": "定量", "隔": "定量"}
ONE = {"measures": ["值"]}
GROUPED = {"measures": ["值"], "subgroup": "组"}
CASES: list[tuple[str, pd.DataFrame, dict[str, Any]]] = [
    ("xbar_r", VALUES, GROUPED),
    ("xbar_s", VALUES, GROUPED),
    ("i_mr", VALUES, {"measure": "值"}),
    ("i_mr", VALUES, {"measure": "值", "boxcox": True}),
    ("ma_chart", VALUES, ONE),
    ("ewma_chart", VALUES, GROUPED),
    ("cusum_chart", VALUES, ONE),
    ("p_chart", COUNTS, {"defectives": "件", "size": "数"}),
    ("p_chart", COUNTS, {"defectives": "件", "size": "数", "limits": "standardized"}),
    ("p_chart", COUNTS, {"defectives": "件", "size": "数", "limits": "laney"}),
    ("np_chart", COUNTS, {"defectives": "件", "size": 100}),
    ("c_chart", COUNTS, {"defects": "件"}),
    ("u_chart", COUNTS, {"defects": "件", "units": "数"}),
    ("u_chart", COUNTS, {"defects": "件", "units": "数", "limits": "laney"}),
    ("rare_event_chart", COUNTS, {"value": "隔"}),
    ("rare_event_chart", COUNTS, {"value": "隔", "chart": "t", "model": "weibull"}),
]


def kept_from(trial: Trial, **form: Any) -> dict[str, Any]:
    (row,) = records(trial.report(**form), "standard")
    about = {"id": 3, "name": "老生产线", "path": trial.path, "method": registry.load(trial.path).title}
    return {**about, "report": "三月的报告", "made_at": "2026-03-31", "variable": "直径", **row}


def lines(elements: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(row["panel"], row["index"], row["cl"], row["lcl"], row["ucl"]) for row in records(elements, "drawn")]


@pytest.mark.parametrize(("method", "frame", "form"), CASES, ids=lambda one: one if isinstance(one, str) else "")
def test_frozen_limits_are_the_lines_they_were_kept_from(
    method: str, frame: pd.DataFrame, form: dict[str, Any]
) -> None:
    trial = Trial(f"quality_control/{method}", frame, form, KINDS)
    kept = kept_from(trial)
    again = trial.report(frozen_limits={"id": 3}, assets={"frozen_limits": kept})
    for now, then in zip(lines(again), lines(trial.report()), strict=True):
        assert now[:2] == then[:2] and now[2:] == pytest.approx(then[2:], rel=1e-9)
    # New data far away move no line, and the report says where the lines come from.
    new = frame.assign(**{name: frame[name] + 40 for name in ("值", "件", "隔") if name in frame})
    new = new.assign(数=new["数"] + 40) if "数" in new else new
    if method != "np_chart" and form.get("limits") is None:
        moved = trial.report(new, frozen_limits={"id": 3}, assets={"frozen_limits": kept})
        assert {row["panel"]: row["cl"] for row in records(moved, "control_limits")} == pytest.approx(
            {row["panel"]: row["cl"] for row in records(again, "control_limits")}, rel=1e-9
        )
        (note,) = [e for e in moved if e["type"] == "text" and "控制限沿用“{kept}”：" in e["text"]]
        assert (note["facts"]["report"], note["facts"]["made"]) == ("三月的报告", "2026-03-31")
        assert "由过程自身的波动算出" not in said(moved)


def test_limits_that_do_not_fit_are_refused_with_a_way_out() -> None:
    trial = Trial("quality_control/xbar_r", VALUES, GROUPED, KINDS)
    kept = kept_from(trial)
    use = {"frozen_limits": {"id": 3}}
    other = Trial("quality_control/xbar_s", VALUES, GROUPED, KINDS).refused(**use, assets={"frozen_limits": kept})
    assert (other.code, other.faults[0].field) == ("frozen.method", "frozen_limits") and "均值-极差" in other.text
    five = trial.refused(**use, assets={"frozen_limits": kept}, subgroup=None, size=5)
    assert five.code == "frozen.size" and "每组 4 个值" in five.text and "第 1 个子组有 5 个值" in five.text
    assert [one.title for one in five.faults[0].remedies] == ["由这批数据估计控制限"]
    gone = trial.refused(**use, assets={"frozen_limits": None})
    assert gone.code == "frozen.gone" and "已删除" in gone.text


def test_limits_of_another_distribution_are_refused() -> None:
    trial = Trial("quality_control/p_chart", COUNTS, {"defectives": "件", "size": "数"}, KINDS)
    kept = kept_from(trial, limits="laney")
    refused = trial.refused(frozen_limits={"id": 3}, assets={"frozen_limits": kept})
    assert refused.code == "frozen.kind" and "三月的报告" in refused.text


def test_each_phase_can_be_kept() -> None:
    phased = VALUES.assign(期=np.repeat(["甲", "乙"], 60), 值=VALUES["值"] + np.repeat([0, 10], 60))
    trial = Trial("quality_control/xbar_r", phased, {**GROUPED, "phase": "期"}, {**KINDS, "期": "定类"})
    rows = records(trial.report(), "standard")
    assert [(row["phase"], row["points"], row["n"]) for row in rows] == [("甲", 15, 4), ("乙", 15, 4)]
    assert rows[1]["center"] - rows[0]["center"] == pytest.approx(10, abs=1)
    (base,) = records(trial.report(baseline="甲"), "standard")
    assert (base["phase"], base["points"], base["center"]) == ("甲", 15, pytest.approx(rows[0]["center"]))


GIVEN = [
    ("p_chart", {"defectives": "件", "size": "数", "center": 0.1}, "给定的中心值算出"),
    ("cusum_chart", {**ONE, "target": 50, "sigma": 2}, "给定的目标值和标准差算出"),
    ("i_mr", {"measure": "值", "center": 50, "sigma": 2}, "给定的中心值和标准差算出"),
]


@pytest.mark.parametrize(("method", "form", "words"), GIVEN, ids=lambda one: one if isinstance(one, str) else "")
def test_limits_from_given_numbers_rest_on_no_point(method: str, form: dict[str, Any], words: str) -> None:
    frame = VALUES if "件" not in form.values() else COUNTS
    trial = Trial(f"quality_control/{method}", frame, form, KINDS)
    told = said(trial.report())
    assert words in told and "个点估计" not in told
    kept = kept_from(trial)
    assert kept["points"] == 0
    plain = {key: value for key, value in form.items() if key not in ("center", "target", "sigma")}
    again = Trial(trial.path, frame, plain, KINDS).report(frozen_limits={"id": 3}, assets={"frozen_limits": kept})
    assert "由当时给定的数值算出" in said(again)
