import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records

RNG = np.random.default_rng(2)


def design() -> pd.DataFrame:
    rows = [(a, b, f"第{k}批") for a in "甲乙" for b in "上中下" for k in range(4)]
    frame = pd.DataFrame(rows, columns=["A", "B", "批"])
    return frame.assign(y=np.round(RNG.normal(10, 2, len(rows)), 2), z=RNG.normal(size=len(rows)))


MEASURES = {"A": "定类", "B": "定类", "批": "定类", "y": "定量", "z": "定量"}
TRIAL = Trial("hypothesis_test/multivariate_way_anova", design(), {"y": "y", "factors": ["A", "B"]}, MEASURES)


def custom(*names: list[str]) -> dict[str, object]:
    return {"preset": "custom", "terms": list(names)}


def test_one_factor_is_refused() -> None:
    assert "固定因素X" in TRIAL.refused(factors=["A"]).text


def test_an_interaction_without_its_main_effect_is_refused() -> None:
    refusal = TRIAL.refused(model=custom(["A"], ["A", "B"]))
    assert "A × B" in refusal.text and "“B”没有主效应" in refusal.text


def test_a_term_of_another_variable_is_refused() -> None:
    assert TRIAL.refused(model=custom(["A"], ["批"])).code == "terms.unknown"


def test_a_nested_term_is_refused_by_name() -> None:
    assert "嵌套" in TRIAL.refused(model={"preset": "custom", "terms": [["A"], {"nested": ["B", "A"]}]}).text


def test_factors_that_tell_the_same_are_named() -> None:
    frame = design().assign(B=lambda one: one.A + "组")
    assert "“A”与“B”完全混杂" in TRIAL.refused(frame).text


def test_more_parameters_than_cases_are_refused() -> None:
    frame = pd.DataFrame({"A": list("甲乙丙丁戊己"), "B": list("abcdef"), "y": [1.0, 2, 3, 5, 4, 7]})
    refusal = TRIAL.refused(frame)
    assert refusal.code == "data.few" and "超过样本量" in refusal.text


def test_blocks_are_components_and_form_no_groups() -> None:
    report = TRIAL.report(random=["批"], model={"preset": "two_way"})
    assert [row["component"] for row in records(report, "components")] == ["批", "误差"]
    assert {row["effect"] for row in records(report, "pairs")} == {"A", "B"}
    assert "6 " not in check(report, "各组合的例数")["text"] and check(report, "各组合的例数")["facts"]["k"] == 6
    shares = [row["share"] for row in records(report, "components")]
    assert np.isclose(sum(shares), 1) and min(shares) >= 0
