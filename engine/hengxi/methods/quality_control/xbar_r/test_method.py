"""Refusals of the X̄-R chart, what is said of odd subgroups, constants."""

import numpy as np
import pandas as pd
import pytest

from hengxi.families.control import constants
from hengxi.testing import Trial, records, said

RNG = np.random.default_rng(1)
FRAME = pd.DataFrame(
    {"组": np.repeat(np.arange(1, 26), 4), "值": RNG.normal(10, 1, 100), "期": ["甲"] * 48 + ["乙"] * 52}
)
TRIAL = Trial("quality_control/xbar_r", FRAME, {"measures": ["值"], "subgroup": "组"}, {"值": "定量", "期": "定类"})


def test_constants_are_those_of_the_tables() -> None:
    assert [round(constants.d2(n), 4) for n in (2, 3, 5, 10)] == [1.1284, 1.6926, 2.3259, 3.0775]
    assert round(constants.d3(5), 4) == 0.8641 and round(constants.c4(5), 4) == 0.94
    assert round(constants.range_median(2), 3) == 0.954


def test_single_values_and_constant_groups_are_refused() -> None:
    single = TRIAL.refused(FRAME.assign(组=range(100)))
    assert "只有 1 个观测" in single.text and "单值-移动极差" in single.text
    assert "没有变异" in TRIAL.refused(FRAME.assign(值=FRAME["组"] * 1.0)).text


def test_an_empty_group_is_named() -> None:
    empty = FRAME.assign(值=FRAME["值"].where(FRAME["组"] != 7))
    assert "子组“7”没有数据" in TRIAL.refused(empty).text


def test_a_group_in_two_phases_is_refused_by_its_number() -> None:
    assert "第 13 个子组里有两个阶段" in TRIAL.refused(FRAME.assign(期=["甲"] * 50 + ["乙"] * 50), phase="期").text
    assert "没有填阶段" in TRIAL.refused(FRAME.assign(期=[None] * 4 + ["乙"] * 96), phase="期").text


def test_phases_have_limits_of_their_own() -> None:
    shifted = FRAME.assign(值=FRAME["值"] + 5 * (FRAME["期"] == "乙"))
    rows = [row for row in records(TRIAL.report(shifted, phase="期"), "control_limits") if row["panel"] == "均值"]
    assert [row["phase"] for row in rows] == ["甲", "乙"] and rows[1]["cl"] - rows[0]["cl"] == pytest.approx(5, abs=0.5)


def test_limits_of_a_baseline_do_not_move_with_the_other_phase() -> None:
    shifted = FRAME.assign(值=FRAME["值"] + 5 * (FRAME["期"] == "乙"))
    plain, moved = (records(TRIAL.report(one, phase="期", baseline="甲"), "control_limits") for one in (FRAME, shifted))
    assert [(row["cl"], row["ucl"], row["sigma"]) for row in plain] == [
        (row["cl"], row["ucl"], row["sigma"]) for row in moved
    ]
    assert [row["signals"] for row in moved if (row["panel"], row["phase"]) == ("均值", "乙")] == [13]


def test_rules_a_set_lacks_are_said_or_refused() -> None:
    report = TRIAL.report(rule_set="western_electric", rules=["nelson1", "nelson3"])
    assert "没有准则 {rules}" in said(report)
    assert "没有所选的准则" in TRIAL.refused(rule_set="western_electric", rules=["nelson3"]).text


def test_excluding_all_points_is_refused() -> None:
    wild = FRAME.assign(值=[1e6 * (i % 2) for i in FRAME["组"]] + RNG.normal(0, 1, 100))
    assert "剩下不到 2 个点" in TRIAL.refused(wild, exclude=True).text


def test_many_subgroups_draw_the_last_ones() -> None:
    big = pd.DataFrame({"值": RNG.normal(0, 1, 8000)})
    elements = TRIAL.report(big, subgroup=None, size=4)
    chart = next(one for one in elements if one["type"] == "chart")
    assert chart["thinned"] == {"shown": 1000, "of": 2000}
    assert records(elements, "drawn")[-1]["index"] == 2000 and len(records(elements, "drawn")) == 2000


def test_a_point_leads_to_its_rows_of_the_file() -> None:
    """Rows that a filter or a gap takes out count all the same: numbers are those of the file."""
    gap = FRAME.assign(值=FRAME["值"].where(FRAME.index != 42))
    drawn = records(TRIAL.report(gap, _filter="{c1} > 5"), "drawn")
    mean = {row["label"]: row["rows"] for row in drawn if row["panel"] == "均值"}
    assert mean["6"] == [21, 22, 23, 24] and mean["11"] == [41, 42, 44] and len(mean) == 20


def test_a_signal_names_its_rules_in_words() -> None:
    shifted = FRAME.assign(值=FRAME["值"] + 9 * (FRAME["组"] == 20))
    drawn = records(TRIAL.report(shifted, rules=["nelson1", "nelson5"]), "drawn")
    signals = {(row["panel"], row["index"]): row["signal"] for row in drawn if row["signal"]}
    assert signals["均值", 20] == "准则 1：1 点超出控制限"
