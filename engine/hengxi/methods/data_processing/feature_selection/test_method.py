"""No row outside training is asked, what is removed, and what each method needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, cells, other_tables, records, warnings

RNG = np.random.default_rng(6)
FRAME = pd.DataFrame(RNG.normal(size=(60, 3)).round(3), columns=list("abc")).assign(
    y=lambda d: d.a * 2 + d.b, 和=lambda d: d.a + d.b, 常=2.0, 二=lambda d: np.where(d.a > 0, "是", "否"),
    三=["甲", "乙", "丙"] * 20, 集=["训练"] * 40 + ["测试"] * 20,
)  # fmt: skip
FRAME["y"] += RNG.normal(size=60)
TRIAL = Trial("data_processing/feature_selection", FRAME, {"features": ["a", "b", "c"], "target": "y"}, {"常": "定量"})
report, refused = TRIAL.report, TRIAL.refused
TRAINED: dict[str, Any] = {"train": "集", "train_level": "训练", "k": 1}


def chosen(made: Any) -> list[str]:
    return [row["feature"] for row in records(made, "result") if row["chosen"] == "入选"]


@pytest.mark.parametrize("way", ["correlation", "f_test", "mutual_info", "lasso", "rfe", "stepwise"])
def test_test_rows_are_not_asked(way: str) -> None:
    other = FRAME.assign(y=np.where(FRAME["集"] == "测试", RNG.normal(size=60) * 1e3, FRAME["y"]))
    one, two = report(method=[way], **TRAINED), report(other, method=[way], **TRAINED)
    assert cells(one, "result") == cells(two, "result")


def test_what_is_not_chosen_is_removed_and_other_variables_stay() -> None:
    made = report(method=["f_test"], k=2)
    record = records(made, "record")[0]
    assert chosen(made) == ["a", "b"] and record["columns_after"] == record["columns_before"] - 1
    assert records(report(method=["f_test"], k=2, rest="drop"), "record")[0]["columns_after"] == 3


def test_the_choice_of_another_version_is_taken() -> None:
    old = {"learn_from": other_tables(FRAME.assign(y=FRAME["c"] + 1e-3 * FRAME["a"]))}
    assert chosen(report(method=["f_test"], k=1, learn_from={"vid": 1}, kept=old)) == ["c"]


def test_a_sum_of_others_leaves_by_its_inflation() -> None:
    form: dict[str, Any] = {"features": ["a", "b", "和"], "target": None, "method": ["vif"]}
    assert len(chosen(report(**form))) == 2
    for way in ("rfe", "stepwise"):
        assert refused(features=["a", "b", "和"], method=[way]).code == "data.collinear"


def test_a_constant_is_never_chosen() -> None:
    made = report(features=["a", "常"], method=["f_test"], k=2)
    assert chosen(made) == ["a"] and warnings(made) == ["role.constant"]


@pytest.mark.parametrize("way", ["f_test", "correlation", "lasso"])
def test_a_method_without_a_target(way: str) -> None:
    """有监督方法缺目标 → 该方法需要目标变量"""
    assert "该方法需要目标变量" in refused(target=None, method=[way]).text


def test_chi_square_needs_counts() -> None:
    """卡方遇到负值 → 卡方筛选要求特征非负，“{v}”含负值"""
    assert "卡方筛选要求特征非负，“a”含负值" in refused(target="二", method=["chi2"]).text


def test_more_than_there_are() -> None:
    """保留个数大于特征数 → 保留个数不能大于特征个数"""
    assert "保留个数不能大于特征个数 3" in refused(k=4).text


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"method": []}, "role.empty"),
        ({"method": ["chi2"]}, "target.number"),
        ({"method": ["iv"], "target": "三"}, "target.binary"),
        ({"method": ["lasso"], "target": "三"}, "target.classes"),
        ({"method": ["variance"], "features": ["a", "三"]}, "role.measure"),
        ({"task": "regression", "target": "三", "method": ["f_test"]}, "target.words"),
        ({"task": "classification", "method": ["f_test"]}, "target.many"),
        ({"method": ["variance"], "threshold": 100}, "data.nothing"),
        ({"target": "常", "method": ["f_test"]}, "role.constant"),
        ({"method": ["stepwise"], "frame": FRAME.head(4)}, "data.few"),
        ({"method": ["lasso"], "frame": FRAME.head(7)}, "data.few"),
        ({"frame": FRAME.head(2)}, "data.few"),
        ({"frame": FRAME.assign(a=FRAME.a * 1e200)}, "data.large"),
        ({"frame": FRAME.assign(y=FRAME.y * 1e200)}, "data.large"),
    ],
)
def test_what_is_refused(form: dict[str, Any], code: str) -> None:
    assert refused(form.pop("frame", None), **form).code == code


def test_too_many_for_linear_searches() -> None:
    wide = pd.DataFrame(RNG.normal(size=(120, 102)), columns=[f"v{i}" for i in range(102)])
    assert refused(wide, features=list(wide)[1:], target="v0", method=["vif"]).code == "role.many"
