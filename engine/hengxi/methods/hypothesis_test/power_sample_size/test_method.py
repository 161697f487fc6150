"""Refusals, inverses of each other, rounding, the largest sample."""

import pytest

from hengxi.testing import Trial, records, said

TRIAL = Trial("hypothesis_test/power_sample_size", form={"design": "t_ind", "effect": 0.5})


def test_what_has_no_answer_is_refused() -> None:
    assert TRIAL.refused(effect=0).faults[0].field == "effect"
    assert "无法达到目标功效，请增大效应量" in TRIAL.refused(effect=0.001, power=0.999).text
    assert "组数" in TRIAL.refused(design="anova", groups=1).text
    assert "两个率相同" in TRIAL.refused(design="prop_two", p1=0.3, p2=0.3).text
    assert "两个率都填上" in TRIAL.refused(design="prop_two", p1=0.3).text
    assert "HR 为 1" in TRIAL.refused(design="logrank", effect=1).text
    assert "须小于 1" in TRIAL.refused(design="corr", effect=1.2).text
    assert "没有功效" in TRIAL.refused(design="survey", solve="power").text
    assert "不小于总体人数" in TRIAL.refused(design="survey", solve="effect", n=500, population=400).text


@pytest.mark.parametrize(
    "design",
    ["t_one", "t_paired", "t_ind", "anova", "prop_one", "prop_two", "chi2", "corr", "regression", "tost", "logrank"],
)
def test_size_power_and_effect_are_inverses(design: str) -> None:
    effect = 0.4 if design != "logrank" else 0.6
    (row,) = records(TRIAL.report(design=design, effect=effect), "result")
    n = row["n1"] or row["n_all"]
    (power,) = records(TRIAL.report(design=design, effect=effect, solve="power", n=n), "result")
    (less,) = records(TRIAL.report(design=design, effect=effect, solve="power", n=n - 1), "result")
    assert power["power"] == pytest.approx(row["power"]) and less["power"] < 0.8 <= power["power"]
    (back,) = records(TRIAL.report(design=design, solve="effect", n=n, power=power["power"]), "result")
    assert back["effect"] == pytest.approx(effect, rel=1e-6)


def test_a_small_effect_asks_for_many_and_says_so() -> None:
    report = TRIAL.report(effect=0.002)
    (row,) = records(report, "result")
    assert 7_000_000 < row["n_all"] < 10_000_000 and "需要每组" in said(report)
    assert records(report, "sensitivity")[0]["n80"] is None


def test_without_an_effect_the_usual_one_of_the_design_is_taken() -> None:
    assert records(TRIAL.report(design="corr", effect=None), "result")[0]["effect"] == 0.3


def test_each_group_is_filled_up_for_the_lost() -> None:
    """64 of each at 10 % lost: 72 each, 144, not the 143 of the total rounded up once."""
    assert records(TRIAL.report(dropout=0.1), "result")[0]["with_dropout"] == 144
