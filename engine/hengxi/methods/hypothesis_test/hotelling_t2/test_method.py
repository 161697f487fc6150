"""Refusals of Hotelling's test, units, one variable as t."""

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

RNG = np.random.default_rng(2)
FRAME = pd.DataFrame({"组": ["甲"] * 12 + ["乙"] * 12, **{k: RNG.normal(0, 1, 24) for k in "一二三四五"}})
KINDS = dict.fromkeys("一二三四五", "定量")
TRIAL = Trial("hypothesis_test/hotelling_t2", FRAME, {"y": ["一", "二"], "group": "组"}, KINDS)


def test_vectors_and_pairs_fit_the_variables() -> None:
    assert "需填 2 个数，已填 3 个" in TRIAL.refused(design="one", mu=[1, 2, 3]).text
    assert "因变量 2 个，配对变量 3 个" in TRIAL.refused(design="paired", pair=["三", "四", "五"]).text


def test_collinear_constant_and_few_are_refused() -> None:
    assert "“二”可以由前面的变量算出来" in TRIAL.refused(FRAME.assign(二=FRAME["一"] * 2 + 1)).text
    assert "“二”没有变异" in TRIAL.refused(FRAME.assign(二=1.0)).text
    assert "样本量必须大于变量个数" in TRIAL.refused(FRAME.iloc[:3], design="one", y=["一", "二", "三"]).text
    assert "请在“比较的两组”中选两组" in TRIAL.refused(FRAME.assign(组=["甲", "乙", "丙"] * 8)).text


def test_units_do_not_matter() -> None:
    (usual,) = records(TRIAL.report(), "result")
    (other,) = records(TRIAL.report(FRAME.assign(一=FRAME["一"] * 1e6 + 1e8)), "result")
    assert other["t2"] == pytest.approx(usual["t2"], rel=1e-6)


def test_a_group_of_few_has_no_box_m() -> None:
    assert "算不出 Box M" in str(TRIAL.report(FRAME.iloc[[0, 1, *range(12, 24)]]))
