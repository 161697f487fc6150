"""What is particular to crossing questions of several answers: groups, letters, refusals."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, cells, records, warnings

N = 60
FRAME = pd.DataFrame(
    {
        "甲": [1] * 20 + [0] * 40,
        "乙": [0, 1] * 30,
        "组": ["南"] * 20 + ["北"] * 20 + ["西"] * 20,
        "丙": [1, 1, 0] * 20,
        "丁": [0, 1, 1] * 20,
    }
)
KINDS = dict.fromkeys(["甲", "乙", "丙", "丁", "组"], "定类")
PATH = "questionnaire/multiple_choice_crosstab"
TRIAL = Trial(PATH, FRAME, {"items": ["甲", "乙"], "group": ["组"], "empty_as": "all"}, KINDS)


def test_one_group_is_refused() -> None:
    assert "分组变量“组”只有一个类别，无法交叉比较" in TRIAL.refused(FRAME.assign(组="南")).text


def test_a_group_without_answers_is_left_out_and_said() -> None:
    frame = FRAME.astype({"甲": float, "乙": float})
    frame.loc[40:, ["甲", "乙"]] = np.nan
    report = TRIAL.report(frame, empty_as="none_selected")
    assert warnings(report) == ["data.empty_group"]


def test_many_groups_are_refused() -> None:
    frame = FRAME.assign(组=[f"组{i % 21}" for i in range(N)])
    assert "类别过多（21 个" in TRIAL.refused(frame).text


def test_groups_that_differ_share_no_letter() -> None:
    first = next(row for row in cells(TRIAL.report(), "cross") if row[0] == "甲")
    assert [one for one in first if one in ("a", "b", "ab")] == ["a", "b", "b"]


def test_a_second_question_needs_its_layout() -> None:
    assert "请改为“多选 × 多选”" in TRIAL.refused(group=["丙", "丁"]).text


def test_nobody_with_both_questions_is_refused() -> None:
    frame = FRAME.assign(丙=[None] * 20 + [1] * 40, 丁=[None] * 20 + [1] * 40, 甲=[1] * 20 + [0] * 40, 乙=0)
    text = TRIAL.refused(frame, group=["丙", "丁"], layout="multi_by_multi", empty_as="missing").text
    assert "没有人同时回答了两道多选题" in text


def test_answers_alike_throughout_have_no_overall_test() -> None:
    report = TRIAL.report(FRAME.assign(甲=1, 乙=1))
    assert not records(report, "overall")


def test_a_permutation_beyond_its_bound_is_refused() -> None:
    frame = FRAME.assign(数=2000)
    assert "计算量过大" in TRIAL.refused(frame, test="permutation", weight="数").text
