"""What is particular to the segmentation of customers."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_rand_score

from hengxi.stats.segments import adjusted_rand
from hengxi.testing import Trial, check, records, warnings

RNG = np.random.default_rng(4)
GROUP = np.repeat([0, 1, 2], 30)
FRAME = pd.DataFrame(RNG.normal(np.array([[0, 0, 4], [4, 0, 0], [0, 4, 0]])[GROUP], 0.6), columns=["甲", "乙", "丙"])
FRAME["色"] = np.array(["红", "黄", "蓝"])[GROUP]
FRAME["形"] = np.where(RNG.random(90) < 0.8, np.array(["圆", "方", "圆"])[GROUP], "尖")
NAMES = ["甲", "乙", "丙"]
MEASURES = {**dict.fromkeys(NAMES, "定量"), "色": "定类", "形": "定类"}
TRIAL = Trial("questionnaire/customer_segmentation", FRAME, {"basis": NAMES, "stability": 10}, MEASURES)


@pytest.mark.parametrize("method", ["auto", "kmeans", "hierarchical", "latent_class"])
def test_planted_segments_come_back(method: str) -> None:
    report = TRIAL.report(method=method, profile=["色"])
    assert [row["n"] for row in records(report, "sizes")] == [30, 30, 30]
    assert records(report, "shares")[0]["v"] == pytest.approx(1)
    assert check(report, "分类的稳定性")["state"] == "pass"


def test_more_segments_than_a_tenth_of_the_rows_are_refused() -> None:
    refusal = TRIAL.refused(k=10)
    assert "类数过多" in refusal.text and refusal.faults[0].remedies
    assert "类数过多" in TRIAL.refused(pd.concat([FRAME.iloc[[0, 40]]] * 20)).text
    assert "至少要 20 份" in TRIAL.refused(FRAME[:15]).text


def test_k_means_with_categories_is_k_prototypes_and_says_so() -> None:
    report = TRIAL.report(basis=[*NAMES, "色"], method="kmeans")
    assert "data.categories" in warnings(report) and len(records(report, "sizes")) == 3


def test_too_many_classes_for_the_cells_are_refused() -> None:
    refusal = TRIAL.refused(basis=["色", "形"], method="latent_class", k=4)
    assert refusal.code == "data.identified" and refusal.faults[0].remedies


def test_gaps_in_descriptors_keep_their_rows() -> None:
    gappy = FRAME.assign(岁=np.where(np.arange(90) % 4, 30.0 + GROUP, np.nan))
    gappy.loc[3, "甲"] = np.nan
    report = TRIAL.report(gappy, {"岁": "定量"}, profile=["岁"])
    assert sum(row["n"] for row in records(report, "sizes")) == 89
    assert next(row for row in records(report, "means") if row["name"] == "岁")["F"] is None


def test_a_constant_is_left_out_and_two_variables_must_vary() -> None:
    fixed = FRAME.assign(同=1.0)
    assert "data.constant" in warnings(TRIAL.report(fixed, {"同": "定量"}, basis=[*NAMES, "同"]))
    assert TRIAL.refused(fixed, {"同": "定量"}, basis=["甲", "同"]).code == "role.constant"


def test_limits_of_levels_rows_and_reduction() -> None:
    many = FRAME.assign(码=[f"k{i}" for i in range(90)])
    assert TRIAL.refused(many, {"码": "定类"}, basis=["甲", "码"]).code == "data.levels"
    assert TRIAL.refused(basis=["甲", "乙"], reduce=True).code == "data.reduce"
    long = pd.DataFrame(RNG.normal(size=(5001, 2)), columns=["甲", "乙"])
    assert TRIAL.refused(long, basis=["甲", "乙"], method="hierarchical").code == "data.long"


def test_saved_segments_stand_in_their_rows() -> None:
    gappy = FRAME.copy()
    gappy.loc[0, "甲"] = np.nan
    data = next(e for e in TRIAL.report(gappy) if e["type"] == "data")
    assert data["changed"] == 89


def test_the_adjusted_rand_index_is_that_of_scikit_learn() -> None:
    for _ in range(5):
        a, b = RNG.integers(0, 3, (2, 40))
        assert adjusted_rand(a, b) == pytest.approx(adjusted_rand_score(a, b), abs=1e-12)
