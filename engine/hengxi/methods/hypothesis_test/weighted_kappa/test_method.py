import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.DataFrame({"甲": list("低中高低中高低高"), "乙": list("低中高中中高低中"), "A": [1, 2, 3, 1, 2, 3, 1, 3]})
TRIAL = Trial("hypothesis_test/weighted_kappa", FRAME, {"rater1": "甲", "rater2": "乙"})


def test_words_without_an_order_ask_for_it() -> None:
    words = {"低": "丁班", "中": "甲班", "高": "丙班"}
    refusal = TRIAL.refused(FRAME.replace({"甲": words, "乙": words}))
    assert "请指定等级由低到高的次序" in refusal.text and refusal.faults[0].remedies


def test_the_order_decides_the_weights() -> None:
    values = []
    for order in (["低", "中", "高"], ["高", "低", "中"]):
        (row,) = [row for row in records(TRIAL.report(order=order), "result") if row["read"]]
        values.append(row["kappa"])
    assert values[0] > values[1]
    assert "等级次序" in TRIAL.refused(order=["低", "中"]).text


def test_a_weight_matrix_of_another_size_is_refused() -> None:
    order = ["低", "中", "高"]
    assert "权重矩阵应为 3×3" in TRIAL.refused(order=order, weights="custom", weight_matrix=[1, 0, 0, 1]).text
    odd = [1, 0.5, 0, 0, 1, 0.5, 0, 0.5, 1]
    assert "上下对称" in TRIAL.refused(order=order, weights="custom", weight_matrix=odd).text


def test_identity_weights_are_the_simple_kappa() -> None:
    own = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    report = TRIAL.report(order=["低", "中", "高"], weights="custom", weight_matrix=own)
    (row,) = [row for row in records(report, "result") if row["read"]]
    simple = Trial("hypothesis_test/kappa", FRAME, {"rater1": "甲", "rater2": "乙"}).report()
    assert row["kappa"] == pytest.approx(records(simple, "result")[0]["kappa"], rel=1e-12)
