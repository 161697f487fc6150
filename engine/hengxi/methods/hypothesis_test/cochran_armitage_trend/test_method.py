import pandas as pd

from hengxi.testing import Trial, check, records

FRAME = pd.DataFrame({"级": [1, 2, 3, 4] * 2, "复发": ["是"] * 4 + ["否"] * 4, "数": [1, 3, 5, 8, 9, 7, 5, 2]})
TRIAL = Trial(
    "hypothesis_test/cochran_armitage_trend", FRAME, {"group": "级", "y": ["复发"], "weight": "数"}, {"级": "定类"}
)


def test_two_groups_are_too_few() -> None:
    assert "至少需要3个有序组" in TRIAL.refused(FRAME[FRAME["级"] < 3]).text


def test_scores_are_counted_and_must_differ() -> None:
    assert "组得分需填 4 个数，已填 2 个" in TRIAL.refused(scores=[1, 2]).text
    assert "不能完全相同" in TRIAL.refused(scores=[1, 1, 1, 1]).text


def test_scores_do_not_mind_unit_and_origin() -> None:
    one, other = (records(TRIAL.report(scores=s), "result")[0]["p"] for s in ([1, 2, 3, 4], [10, 30, 50, 70]))
    assert abs(one - other) < 1e-12


def test_a_bend_is_said() -> None:
    bent = FRAME.assign(数=[2, 25, 26, 3, 28, 5, 4, 27])
    assert check(TRIAL.report(bent), "线性")["state"] == "care"


def test_a_large_table_is_drawn() -> None:
    large = FRAME.assign(数=FRAME["数"] * 50)
    assert records(TRIAL.report(large, exact=True), "result")[2]["test"] == "随机置换 9,999 次"
