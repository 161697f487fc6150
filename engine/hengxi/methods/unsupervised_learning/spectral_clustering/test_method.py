"""What is particular to spectral clustering: its graph, how many clusters, matrices of similarities."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records, said

RNG = np.random.default_rng(4)
FRAME = pd.DataFrame(np.vstack([RNG.normal(m, 0.3, (30, 2)) for m in (0, 4)]), columns=["甲", "乙"])
TRIAL = Trial("unsupervised_learning/spectral_clustering", FRAME, {"x": ["甲", "乙"]}, dict.fromkeys("甲乙", "定量"))
ALIKE = pd.DataFrame(
    np.kron(np.eye(2), np.full((6, 6), 0.8)) + 0.1 + RNG.uniform(0, 0.0, (12, 12)), columns=list("abcdefghijkl")
)
FORM = {"x": list(ALIKE.columns), "affinity": "precomputed", "n_clusters": 2}
KINDS = dict.fromkeys(ALIKE.columns, "定量")


def test_parts_that_are_not_joined_are_told() -> None:
    report = TRIAL.report(n_clusters=2)
    assert records(report, "validity")[0]["k"] == 2 and check(report, "图的连通")["state"] == "care"


def test_more_parts_than_clusters_are_a_failure_with_a_way_out() -> None:
    three = pd.concat([FRAME, pd.DataFrame(RNG.normal(9, 0.3, (30, 2)), columns=["甲", "乙"])])
    found = check(TRIAL.report(three, n_clusters=2), "图的连通")
    assert found["state"] == "fail" and found["remedies"][0]["set"] == {"n_neighbors": 20}


def test_as_many_clusters_or_neighbours_as_rows_are_refused() -> None:
    assert "聚类数必须小于样本量10" in TRIAL.refused(FRAME[:10], n_clusters=10, n_neighbors=5).text
    assert TRIAL.refused(n_neighbors=60).code == "data.neighbours"


def test_few_rows_constants_and_long_tables_are_refused() -> None:
    assert "至少需要10行" in TRIAL.refused(FRAME[:9]).text
    assert TRIAL.refused(FRAME * 0).code == "role.constant"
    long = pd.DataFrame(RNG.normal(size=(5001, 2)), columns=["甲", "乙"])
    refusal = TRIAL.refused(long)
    assert refusal.code == "data.long" and refusal.faults[0].remedies


def test_a_matrix_of_similarities_is_split_by_its_blocks() -> None:
    report = TRIAL.report(ALIKE, KINDS, **FORM)
    assert [row["n"] for row in records(report, "sizes")] == [6, 6] and not records(report, "profile")
    assert "没有变量的数值" in str(report) and said(report)


def test_a_matrix_that_is_none_is_refused() -> None:
    for table in (ALIKE.assign(a=0.3 + np.arange(12) / 50), -ALIKE):
        assert "相似度矩阵必须对称且非负" in TRIAL.refused(table, KINDS, **FORM).text
    assert TRIAL.refused(ALIKE[:11], KINDS, **FORM).code == "data.square"
