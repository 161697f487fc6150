"""What cannot be reduced, and what rows with gaps or of other data become."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, cells, other_tables, warnings

RNG = np.random.default_rng(5)
FRAME = pd.DataFrame(RNG.normal(size=(40, 3)).round(3), columns=list("abc")).assign(
    和=lambda d: d.a + d.b, 常=3.0, 组=["甲", "乙"] * 20, 同=["甲", "乙"] * 20, 集=["训练"] * 30 + ["测试"] * 10
)
FRAME.loc[0, "a"] = None
NAMES = ["a", "b", "c"]
TRIAL = Trial("data_processing/pca_reduction", FRAME, {"variables": NAMES}, {"常": "定量"})
report, refused = TRIAL.report, TRIAL.refused


def made(frame: pd.DataFrame | None = None, **form: Any) -> list[Any]:
    step = next(e for e in report(frame, **form) if e["type"] == "data")["step"]
    return [row[-1] for row in step["preview"]["after"]]


def test_a_constant_is_left_out() -> None:
    """变量方差为0 → “{v}”没有变异，已剔除"""
    assert warnings(report(variables=[*NAMES, "常"])) == ["role.constant", "data.gaps"]
    assert refused(variables=["常"]).code == "role.constant"


def test_more_components_than_variables() -> None:
    """成分数大于变量数 → 成分个数不能大于变量个数 {p}"""
    assert "成分个数不能大于变量个数 3" in refused(rule="fixed", n_components=4).text


def test_too_few_rows() -> None:
    """样本太少 → 有效样本少于2，无法降维"""
    frame = pd.DataFrame({"a": [1.0, None, 2.0], "b": [None, 2.0, 1.0], "c": [1.0, 2.0, 3.0]})
    assert "有效样本少于2，无法降维" in refused(frame).text


def test_a_row_with_a_gap_has_no_score() -> None:
    assert made()[0] is None and made()[1] is not None


def test_test_rows_teach_nothing() -> None:
    other = FRAME.assign(b=np.where(FRAME["集"] == "测试", 1e4, FRAME["b"]))
    form: dict[str, Any] = {"train": "集", "train_level": "训练", "rule": "fixed", "n_components": 1}
    before, after = report(**form), report(other, **form)
    assert cells(before, "loadings") == cells(after, "loadings")


@pytest.mark.parametrize("method", ["pca", "svd", "kernel_pca", "factor"])
def test_other_data_get_the_same_scores(method: str) -> None:
    old = {"learn_from": other_tables(FRAME[NAMES])}
    form: dict[str, Any] = {"method": method, "rule": "fixed", "n_components": 1}
    assert made(FRAME.head(5), learn_from={"vid": 1}, kept=old, **form)[1:5] == pytest.approx(made(**form)[1:5])


def test_what_follows_from_the_rest() -> None:
    assert warnings(report(variables=["a", "b", "和"], rule="fixed", n_components=3)) == ["data.rank", "data.gaps"]
    forms: tuple[dict[str, Any], ...] = ({"method": "factor"}, {"method": "lda", "category": "组"})
    for form in forms:
        assert refused(variables=["a", "b", "和"], **form).code == "data.singular"


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"method": "lda"}, "role.empty"),
        ({"method": "factor", "variables": ["a", "b"]}, "role.few"),
        (
            {"method": "kernel_pca", "frame": pd.DataFrame(RNG.normal(size=(2001, 3)), columns=NAMES)},
            "data.too_many_rows",
        ),
        ({"frame": FRAME.assign(a=1e200)}, "data.large"),
        ({"method": "lda", "category": "组", "train": "同", "train_level": "甲"}, "data.levels"),
        (
            {
                "method": "lda",
                "category": "组",
                "frame": pd.DataFrame(
                    {"a": [1, 2, 1, 2.0], "b": [1, 1, 2, 2.0], "c": [1, 2, 2, 1.0], "组": list("甲甲乙乙")}
                ),
            },
            "data.singular",
        ),
    ],
)
def test_what_is_refused(form: dict[str, Any], code: str) -> None:
    assert refused(form.pop("frame", None), **form).code == code
