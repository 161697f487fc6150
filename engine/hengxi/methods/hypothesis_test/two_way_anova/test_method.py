import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records, said, warnings

RNG = np.random.default_rng(5)


def design(n: int = 4, more: float = 0.0) -> pd.DataFrame:
    rows = [(a, b) for a in ("男", "女") for b in ("甲", "乙", "丙") for _ in range(n)]
    frame = pd.DataFrame(rows, columns=["性别", "班"])
    frame["成绩"] = np.round(RNG.normal(70, 5, len(rows)), 1)
    frame.loc[(frame.性别 == "男") & (frame.班 == "丙"), "成绩"] += more
    frame["前测"] = np.round(RNG.normal(60, 6, len(rows)), 1)
    return frame


MEASURES = {"性别": "定类", "班": "定类", "成绩": "定量", "前测": "定量", "次": "定量"}
TRIAL = Trial("hypothesis_test/two_way_anova", design(), {"y": "成绩", "factors": ["性别", "班"]}, MEASURES)


def test_not_two_factors_are_refused() -> None:
    assert "因素X" in TRIAL.refused(factors=["性别"]).text


def test_a_factor_of_one_level_after_gaps_is_named() -> None:
    frame = design()
    frame.loc[frame.性别 == "女", "成绩"] = None
    refusal = TRIAL.refused(frame)
    assert refusal.code == "role.levels" and "“性别”" in refusal.text


def test_too_many_levels_are_refused_with_a_way_out() -> None:
    frame = pd.DataFrame(
        {"性别": ["男", "女"] * 300, "班": [f"{i}班" for i in range(300)] * 2, "成绩": RNG.normal(size=600)}
    )
    refusal = TRIAL.refused(frame)
    assert "300" in refusal.text and refusal.faults[0].remedies


def test_one_case_a_cell_has_no_interaction() -> None:
    refusal = TRIAL.refused(design(1))
    assert refusal.code == "data.few" and "请取消交互项" in refusal.text and refusal.faults[0].remedies
    assert len(records(TRIAL.report(design(1), interaction=False), "pairs")) == 4


def test_an_empty_cell_leaves_main_effects_and_says_which() -> None:
    frame = design()
    report = TRIAL.report(frame[~((frame.性别 == "男") & (frame.班 == "乙"))])
    assert warnings(report) == ["data.empty_cell"]
    assert [row["source"] for row in records(report, "anova")] == ["截距", "性别", "班", "误差", "校正总计"]
    assert "简单效应" not in said(report)


def test_factors_that_tell_the_same_are_named() -> None:
    frame = design()
    frame["班"] = frame.性别.map({"男": "甲", "女": "乙"})
    refusal = TRIAL.refused(frame)
    assert refusal.code == "data.collinear" and "“性别”与“班”完全混杂" in refusal.text


def test_a_covariate_that_the_groups_decide_or_that_is_constant() -> None:
    frame = design()
    frame["前测"] = frame.性别.map({"男": 1.0, "女": 2.0})
    assert "“前测”被分组" in TRIAL.refused(frame, covariates=["前测"]).text
    assert "没有变异" in TRIAL.refused(frame.assign(前测=3.0), covariates=["前测"]).text


def test_an_outcome_without_error_has_no_f() -> None:
    frame = design()
    frame["成绩"] = frame.性别.map({"男": 1.0, "女": 2.0})
    assert "误差为 0" in TRIAL.refused(frame).text


def test_unequal_variances_without_a_full_model_are_refused_by_name() -> None:
    refusal = TRIAL.refused(interaction=False, post_hoc="games_howell")
    assert "Games-Howell" in refusal.text and refusal.faults[0].field == "post_hoc"


def test_dunnett_needs_equal_cells() -> None:
    assert "改用 Holm" in TRIAL.refused(post_hoc="dunnett", covariates=["前测"]).text
    assert {row["second"] for row in records(TRIAL.report(post_hoc="dunnett"), "pairs")} == {"男", "甲"}


def test_where_factors_interact_simple_effects_come_first() -> None:
    report = TRIAL.report(design(6, 25))
    assert "请先看简单效应" in said(report) and "不要单独解释这些因素的主效应" in said(report)
    assert "多重比较（" not in said(report)
    assert len(records(report, "simple")) == 5


def test_frequencies_are_repeated_rows() -> None:
    frame = design()
    frame["次"] = RNG.integers(0, 4, len(frame))
    one, other = TRIAL.report(frame, weight="次"), TRIAL.report(frame.loc[frame.index.repeat(frame.次)])
    for a, b in zip(records(one, "anova"), records(other, "anova"), strict=True):
        assert a["F"] is None or np.isclose(a["F"], b["F"], rtol=1e-10)


def test_shifting_changes_no_test() -> None:
    frame = design()
    moved = TRIAL.report(frame.assign(成绩=frame.成绩 + 1e9))
    plain = [row["F"] for row in records(TRIAL.report(frame), "anova")][1:4]
    assert np.allclose(plain, [row["F"] for row in records(moved, "anova")][1:4], rtol=1e-5)


def test_balance_is_told() -> None:
    assert "三种平方和结果一样" in check(TRIAL.report(), "各组合的例数")["text"]
    assert "类型III" in check(TRIAL.report(design().iloc[1:]), "各组合的例数")["text"]
