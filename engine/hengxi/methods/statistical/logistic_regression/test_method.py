"""Branches and refusals of logistic regression, and what must not change its numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal, SetRemedy
from hengxi.testing import Trial, check, records, said

PATH = "statistical/logistic_regression"
CHURN = pd.read_csv(Path(__file__).parent / "example.csv")
MEASURES = {"月费": "定量", "合约": "定量", "投诉次数": "定量", "年龄": "定量", "流失": "定类", "性别": "定类"}
FORM = {"y": "流失", "x": ["月费", "投诉次数", "性别"]}


TRIAL = Trial(PATH, CHURN, FORM, MEASURES)
report, refused = TRIAL.report, TRIAL.refused


def coefficient(elements: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(row for row in records(elements, "coefficients") if row["name"] == name)


# ---- refusals ------------------------------------------------------------------------------------------------------
def test_three_classes_are_refused_with_what_takes_them() -> None:
    refusal = refused(CHURN.assign(流失=["甲", "乙", "丙"] * 100))
    assert refusal.code == "role.levels"
    assert (
        "二元 Logistic 的因变量须恰有 2 类" in refusal.text and "当前 3 类，可用多分类或有序 Logistic" in refusal.text
    )


def test_an_event_that_never_occurs_is_refused() -> None:
    counts = (CHURN["流失"] == "否").astype(int).tolist()
    refusal = refused(CHURN.assign(次数=counts), {"次数": "定量"}, freq="次数", event="是")
    assert refusal.code == "data.no_event" and "因变量没有出现事件水平“是”" in refusal.text


def test_separation_without_the_penalty_is_refused_by_name() -> None:
    frame = CHURN.assign(内部编号=np.where(CHURN["流失"] == "是", 2.0, 1.0) + np.arange(300) / 1000)
    refusal = refused(frame, {"内部编号": "定量"}, x=["月费", "内部编号"], firth="never")
    assert refusal.code == "data.separation"
    assert "变量“内部编号”完全分离结局，最大似然不存在，请启用 Firth" in refusal.text
    assert refusal.faults[0].remedies == [SetRemedy(title="分离时自动用 Firth", set={"firth": "separated"})]


def test_a_bar_to_stay_that_is_higher_than_the_bar_to_enter_is_refused() -> None:
    refusal = refused(method="forward_lr", p_enter=0.2, p_remove=0.1)
    assert refusal.code == "data.circle" and "“剔除p值”（0.1）不能小于“进入p值”（0.2）" in refusal.text
    assert refusal.faults[0].remedies == [SetRemedy(title="剔除p值改为 0.2", set={"p_remove": 0.2})]


def test_a_sum_of_other_columns_is_refused_with_its_relation() -> None:
    frame = CHURN.assign(总和=2 * CHURN["月费"] - CHURN["年龄"] + 5)
    refusal = refused(frame, {"总和": "定量"}, x=["月费", "年龄", "总和"])
    assert refusal.code == "data.collinear" and "总和 = 5 + 2×月费 − 年龄" in refusal.text


def test_fewer_rows_than_coefficients_are_refused() -> None:
    refusal = refused(CHURN.iloc[[0, 1, 2, 5]], x=["月费", "合约", "投诉次数", "年龄"])
    assert refusal.code == "data.few" and "有效样本 4 不足以估计 5 个参数" in refusal.text


def test_nothing_chosen_is_refused_with_the_way_back() -> None:
    rng = np.random.default_rng(3)
    frame = CHURN.assign(噪声=rng.normal(size=300))
    refusal = refused(frame, {"噪声": "定量"}, x=["噪声"], method="backward_lr", p_remove=0.001)
    assert refusal.code == "data.none_chosen"
    assert refusal.faults[0].remedies == [SetRemedy(title="全部进入", set={"method": "enter"})]


def test_nested_terms_are_refused() -> None:
    terms = {"preset": "custom", "terms": [{"nested": ["c2", "c4"]}]}
    assert refused(x=["月费", "投诉次数"], terms=terms).code == "terms.unknown"


# ---- separation ----------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_class_of_one_case_and_as_few_rows_as_there_may_be_are_answered_with_firth() -> None:
    """Leverages near 1, where steps by the information alone swing for ever.

    Roots of the penalised score from R 4.2.2 (optim, then Newton with numDeriv's jacobian, to 1e-14).
    """
    x = [2.1, 3.4, 1.2, 0.7, 5.5, 2.2, 3.1, 4.9, 0.3, 2.8, 4.4, 1.6]
    frame = pd.DataFrame({"y": [0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0], "组": ["z", *"pqpqpqpqpqp"], "x": x})
    elements = report(frame, {"y": "定类", "x": "定量"}, y="y", x=["组", "x"])
    expected = {"组：p": (0.909062429458936, 2.465152731605094), "x": (0.371397056549833, 0.403167438395126)}
    for name, (b, se) in expected.items():
        row = coefficient(elements, name)
        assert (row["b"], row["se"]) == (pytest.approx(b, rel=1e-8), pytest.approx(se, rel=1e-8))

    first, second, third = (
        [1.21, -0.726, -1.76, -0.827, -1.722],
        [1.535, -0.949, 2.45, 1.152, 3.344],
        [11.0, 13, 13, 6, 21],
    )
    few = pd.DataFrame({"y": [0, 0, 1, 0, 0], "a": first, "b": second, "c": third})
    elements = report(few, {"y": "定类", "a": "定量", "b": "定量", "c": "定量"}, y="y", x=["a", "b", "c"])
    for name, value in (("a", -0.4458407981887501), ("b", 0.1920402788468006), ("c", -0.0648832066961496)):
        assert coefficient(elements, name)["b"] == pytest.approx(value, rel=1e-8)


def test_complete_separation_is_answered_with_firth_and_said() -> None:
    frame = CHURN.assign(内部编号=np.where(CHURN["流失"] == "是", 2.0, 1.0) + np.arange(300) / 1000)
    elements = report(frame, {"内部编号": "定量"}, x=["月费", "内部编号"])
    found = check(elements, "分离")
    assert found["state"] == "fail" and "完全分离结局" in found["text"] and found["facts"]["v0"] == "内部编号"
    assert any(e["type"] == "warning" and e["code"] == "data.separation" for e in elements)
    assert np.isfinite(coefficient(elements, "内部编号")["b"]) and "Firth" in said(elements)


def test_a_category_with_only_one_outcome_is_quasi_complete() -> None:
    only = [("特" if (row == "是" and i % 4 == 0) else "常") for i, row in enumerate(CHURN["流失"])]
    found = check(report(CHURN.assign(来源=only), {"来源": "定类"}, x=["月费", "来源"]), "分离")
    assert "准完全分离" in found["text"] and found["facts"]["v0"] == "来源"


@pytest.mark.slow
def test_columns_that_separate_only_together_are_named_together() -> None:
    rng = np.random.default_rng(7)
    a, b = rng.normal(size=300), rng.normal(size=300)
    frame = CHURN.assign(流失=np.where(a + b > 0, "是", "否"), 甲=a, 乙=b)
    found = check(report(frame, {"甲": "定量", "乙": "定量"}, x=["甲", "乙"]), "分离")
    assert found["facts"]["v0"] == "甲、乙" and found["state"] == "fail"


def test_strong_effects_without_separation_stay_maximum_likelihood() -> None:
    rng = np.random.default_rng(8)
    x = rng.normal(size=2000)
    y = np.where(12 * x + rng.logistic(size=2000) > 0, "是", "否")
    frame = pd.DataFrame({"流失": y, "月费": x})
    elements = report(frame, x=["月费"], firth="never")
    assert coefficient(elements, "月费")["b"] == pytest.approx(12, abs=3)


def test_the_penalty_pulls_towards_no_effect() -> None:
    plain, penalised = report(), report(firth="always")
    for name in ("月费", "投诉次数"):
        assert 0 < coefficient(penalised, name)["b"] < coefficient(plain, name)["b"]


# ---- branches ------------------------------------------------------------------------------------------------------
def test_the_event_only_turns_the_signs() -> None:
    yes, no = report(), report(event="否")
    for a, b in zip(records(yes, "coefficients"), records(no, "coefficients"), strict=True):
        assert a["b"] == pytest.approx(-b["b"], rel=1e-9) and a["p"] == pytest.approx(b["p"], rel=1e-8)
    assert records(yes, "summary")[0]["chi2"] == pytest.approx(records(no, "summary")[0]["chi2"], rel=1e-10)
    assert records(yes, "discrimination")[0]["auc"] == pytest.approx(records(no, "discrimination")[0]["auc"], rel=1e-10)


def test_an_event_that_says_that_nothing_happened_is_told() -> None:
    told = [e["facts"] for e in report(event="否") if e["type"] == "warning" and e["code"] == "data.event"]
    assert told == [{"y": "流失", "e": "否", "o": "是"}]
    assert "不选时取末水平" not in said(report())
    willing = CHURN.assign(流失=CHURN["流失"].map({"是": "愿意", "否": "不愿意"}))
    assert [e["code"] for e in report(willing, event="不愿意") if e["type"] == "warning"] == ["data.event"]
    assert not [e for e in report(willing, event="愿意") if e["type"] == "warning"]


def test_the_reference_level_only_changes_the_coding() -> None:
    a = coefficient(report(), "性别：男")
    b = coefficient(report(reference=[{"for": "性别", "level": "男"}]), "性别：女")
    assert a["odds"] == pytest.approx(1 / b["odds"], rel=1e-9)
    assert a["profile_low"] == pytest.approx(1 / b["profile_high"], rel=1e-8)


def test_a_two_level_predictor_alone_gives_the_odds_ratio_of_the_table() -> None:
    counts = pd.crosstab(CHURN["性别"], CHURN["流失"])
    ratio = counts.loc["男", "是"] * counts.loc["女", "否"] / (counts.loc["男", "否"] * counts.loc["女", "是"])
    assert coefficient(report(x=["性别"]), "性别：男")["odds"] == pytest.approx(ratio, rel=1e-12)


def test_chosen_terms_are_reported_as_chosen() -> None:
    elements = report(x=["月费", "合约", "投诉次数", "年龄", "性别"], method="backward_lr")
    assert {r["name"] for r in records(elements, "coefficients")} == {"常数项", "月费", "合约", "投诉次数"}
    assert "偏乐观" in said(elements)


def test_an_interaction_keeps_its_main_effects() -> None:
    elements = report(x=["年龄", "性别"], terms={"preset": "two_way"}, method="backward_lr", p_remove=0.499)
    names = {r["name"] for r in records(elements, "terms_tests")}
    assert "年龄 × 性别" not in names or names == {"年龄", "性别", "年龄 × 性别"}


def test_few_events_are_offered_the_penalty() -> None:
    frame = pd.concat([CHURN[CHURN["流失"] == "否"], CHURN[CHURN["流失"] == "是"].iloc[:12]])
    found = check(report(frame.reset_index(drop=True)), "事件数")
    assert found["state"] == "care" and found["remedies"][0]["set"] == {"firth": "always"}


def test_a_large_table_bends_its_variables_block_by_block_to_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    form: dict[str, Any] = {"x": ["月费", "投诉次数", "年龄"]}
    kept = check(report(**form), "logit 线性")
    monkeypatch.setattr("hengxi.stats.logistic_effects.KEPT", 0)
    again = check(report(**form), "logit 线性")
    assert again["text"] == kept["text"]
    for key, fact in kept["facts"].items():
        assert again["facts"][key] == (fact if isinstance(fact, str) else pytest.approx(fact, rel=1e-9))


def test_a_bent_logit_is_offered_a_square() -> None:
    rng = np.random.default_rng(4)
    x = rng.uniform(0.5, 10, 800)
    y = np.where(rng.uniform(size=800) < 1 / (1 + np.exp(-(3 - (x - 5) ** 2 / 2))), "是", "否")
    found = check(report(pd.DataFrame({"流失": y, "月费": x}), x=["月费"]), "logit 线性")
    assert found["state"] == "care"
    assert found["remedies"][0]["set"]["terms"] == {"preset": "custom", "terms": [["c2"], ["c2", "c2"]]}


def test_prediction_outside_the_data_is_called_so() -> None:
    elements = report(predict_at=[{"月费": 1000, "投诉次数": 1, "性别": "女"}])
    assert len(records(elements, "predicted")) == 1 and "属外推" in said(elements)


def test_margins_add_up_over_a_category_alone() -> None:
    share = (CHURN["流失"] == "是").groupby(CHURN["性别"]).mean()
    found = records(report(x=["性别"]), "effects")[0]
    assert found["value"] == pytest.approx(share["男"] - share["女"], rel=1e-9)


@pytest.mark.slow
def test_no_causal_verbs() -> None:
    words = said(report(terms={"preset": "two_way"})) + said(report()) + said(report(firth="always"))
    for verb in ("影响了", "导致", "使得", "造成", "决定了", "提高了", "降低了"):
        assert verb not in words


# ---- invariances ---------------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("firth", ["separated", "always"])
def test_frequencies_are_copies(firth: str) -> None:
    counts = [(i + 1) % 3 for i in range(300)]
    weighted = report(CHURN.assign(次数=counts), {"次数": "定量"}, freq="次数", firth=firth)
    copied = report(CHURN.loc[CHURN.index.repeat(counts)].reset_index(drop=True), firth=firth)
    for table in ("coefficients", "effects", "fit_groups", "accuracy", "discrimination", "summary"):
        for a, b in zip(records(weighted, table), records(copied, table), strict=True):
            for key, value in a.items():
                assert value == (pytest.approx(b[key], rel=1e-8) if isinstance(value, float) else b[key]), (table, key)


@pytest.mark.parametrize(("scale", "shift"), [(1e6, 0.0), (1.0, 1e6), (1e-6, 3.0)])
def test_units_and_origins_do_not_change_the_test(scale: float, shift: float) -> None:
    a, b = report(), report(CHURN.assign(月费=CHURN["月费"] * scale + shift))
    for x, z in zip(records(a, "coefficients")[1:], records(b, "coefficients")[1:], strict=True):
        assert x["wald"] == pytest.approx(z["wald"], rel=1e-6) and x["lr_p"] == pytest.approx(z["lr_p"], rel=1e-6)


@pytest.mark.parametrize("scale", [1e-300, 1e-140, 1e140, 1e300])
def test_extreme_magnitudes_give_the_same_test_or_a_stated_refusal(scale: float) -> None:
    try:
        found = report(CHURN.assign(月费=CHURN["月费"] * scale), x=["月费"])
    except Refusal as refusal:
        assert refusal.code == "data.magnitude" and "单位" in refusal.text
    else:
        plain = coefficient(report(x=["月费"]), "月费")
        assert coefficient(found, "月费")["wald"] == pytest.approx(plain["wald"], rel=1e-8)


def test_sixty_predictors_keep_their_names() -> None:
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({f"i{k}": rng.normal(size=3000) for k in range(1, 61)})
    eta = sum((k - 30) / 30 * frame[f"i{k}"] for k in (1, 2, 10, 58, 60))
    frame["流失"] = np.where(eta + rng.logistic(size=3000) > 0, "是", "否")
    elements = report(frame, {f"i{k}": "定量" for k in range(1, 61)}, x=[f"i{k}" for k in range(60, 0, -1)], event="是")
    for k in (1, 2, 10, 58, 60, 30, 5):
        wanted = (k - 30) / 30 if k in (1, 2, 10, 58, 60) else 0.0
        assert coefficient(elements, f"i{k}")["b"] == pytest.approx(wanted, abs=0.3)


@pytest.mark.slow
def test_many_rows_say_that_profiles_are_left_out() -> None:
    rng = np.random.default_rng(9)
    frame = pd.DataFrame({f"i{k}": rng.normal(size=160_000) for k in range(5)})
    frame["流失"] = np.where(frame["i0"] + rng.logistic(size=160_000) > 0, 1, 0)
    elements = report(frame, dict.fromkeys(("i0", "i1", "i2", "i3", "i4"), "定量"), x=["i0", "i1", "i2", "i3", "i4"])
    assert coefficient(elements, "i0")["profile_low"] is None and "轮廓似然的区间和 *p* 未给" in said(elements)


def test_under_separation_the_reason_given_is_the_true_one() -> None:
    frame = pd.DataFrame({"标志物": np.arange(1.0, 41.0), "结局": ["否"] * 20 + ["是"] * 20})
    elements = report(frame, {"标志物": "定量", "结局": "定类"}, y="结局", x=["标志物"])
    assert "Firth 估计不作 Box-Tidwell 检验" in check(elements, "logit 线性")["text"]
    assert "大小很不确定" in next(e for e in elements if e["type"] == "lead")["text"]
    brief = next(e for e in elements if e["type"] == "text" and e["voice"] == "brief")
    assert "χ²" not in brief["text"] and "{auc:percent}" in brief["text"]


def test_an_odds_ratio_that_would_read_one_is_told_for_a_greater_step() -> None:
    # Of a fee in 1/10000 yuan one unit more changes nothing anybody could read.
    small = report(CHURN.assign(月费=CHURN["月费"] * 1e4))
    plain = report()
    lead, before = (next(e for e in of if e["type"] == "lead") for of in (small, plain))
    place = next(k for k in range(3) if lead["facts"].get(f"x{k}") == "月费")
    at = next(k for k in range(3) if before["facts"].get(f"x{k}") == "月费")
    step = lead["facts"][f"s{place}"]
    assert step > 1 and np.log(lead["facts"][f"o{place}"]) / step * 1e4 == pytest.approx(
        np.log(before["facts"][f"o{at}"]), rel=1e-6
    )
    assert abs(np.log(lead["facts"][f"o{place}"])) >= 0.1 and f"s{at}" not in before["facts"]
    assert f"每多 {{s{place}:" in lead["text"] and "（每 {s" in said(small)


@pytest.mark.parametrize(("scale", "slot"), [(1e-3, "num2"), (1e-300, "num")])
def test_an_odds_ratio_of_a_thousandfold_is_told_for_a_smaller_step(scale: float, slot: str) -> None:
    elements = report(CHURN.assign(月费=CHURN["月费"] * scale))
    facts = elements[0]["facts"]
    place = next(k for k in range(3) if facts.get(f"x{k}") == "月费")
    at = report()[0]["facts"]
    plain = next(np.log(at[f"o{k}"]) for k in range(3) if at.get(f"x{k}") == "月费")
    assert 0.1 <= abs(np.log(facts[f"o{place}"])) < 1 and f"{{s{place}:{slot}}}" in elements[0]["text"]
    assert np.log(facts[f"o{place}"]) / facts[f"s{place}"] * scale == pytest.approx(plain, rel=1e-6)


def test_what_cannot_be_tested_for_a_straight_logit_says_why() -> None:
    below = check(report(CHURN.assign(月费=CHURN["月费"] - 60), x=["月费", "性别"]), "logit 线性")
    assert below["state"] == "unknown" and "含 0、负数" in below["text"]
    none = check(report(x=["性别"]), "logit 线性")
    assert none["state"] == "pass" and "没有定量自变量" in none["text"]


def test_an_area_without_overlap_has_no_interval_of_no_width() -> None:
    x = [float(i) for i in range(24)]
    frame = pd.DataFrame({"自变量": x, "结局": ["否" if v < 12 else "是" for v in x]})
    elements = report(frame, y="结局", x=["自变量"])
    row = next(e for e in elements if e.get("name") == "discrimination")["rows"][0]
    assert row == [1.0, None, None] and "给不出反映抽样误差的标准误" in said(elements)
    lead = next(e for e in elements if e["type"] == "lead")
    assert next(one for one in lead["figures"] if one["title"] == "AUC")["note"] is None


def test_profile_bounds_solve_the_likelihood_equation_and_are_not_interpolated() -> None:
    """MASS::anorexia: R's confint has 1.790584 and 31.8362 for the last, 2e-4 off, because it interpolates.

    R: m <- glm(Postwt > Prewt + 2 ~ Prewt + relevel(Treat, "Cont"), binomial, anorexia); X <- model.matrix(m); for
    column j uniroot over glm.fit(X[, -j], y, offset = X[, j] * v)$deviance - deviance(m) - qchisq(.95, 1).
    """
    before = """80.7 89.4 91.8 74 78.1 88.3 87.3 75.1 80.6 78.4 77.6 88.7 81.3 78.1 70.5 77.3 85.2 86 84.1
        79.7 85.5 84.4
        79.6 77.5 72.3 89 80.5 84.9 81.5 82.6 79.9 88.7 94.9 76.3 81 80.5 85 89.2 81.3 76.5 70 80.4 83.3 83 87.7
        84.2 86.4 76.5 80.2 87.8 83.3 79.7 84.5 80.8 87.4 83.8 83.3 86 82.5 86.7 79.6 76.9 94.2 73.4 80.5 81.6
        82.1 77.6 83.5 89.9 86 87.3"""
    gained = "000100010100111000001001100000011100110010100000110101011111001100111111"
    frame = pd.DataFrame(
        {
            "疗前": [float(v) for v in before.split()],
            "疗法": ["对照"] * 26 + ["认知"] * 29 + ["家庭"] * 17,
            "增重": ["是" if one == "1" else "否" for one in gained],
        }
    )
    elements = report(frame, y="增重", x=["疗前", "疗法"])
    wanted = {
        "疗前": (0.857881413475217, 1.047450217333798),
        "疗法：认知": (0.402452491340366, 3.845930462077948),
        "疗法：家庭": (1.79055094532875, 31.83008612947597),
    }
    for name, bounds in wanted.items():
        row = coefficient(elements, name)
        assert (row["profile_low"], row["profile_high"]) == pytest.approx(bounds, rel=1e-9)


def test_tied_probabilities_are_said_to_change_the_groups_when_the_event_is_turned() -> None:
    """R's UCBAdmissions: twelve kinds of applicants; the same model has p = .737 one way and .038 the other."""
    admitted = [512, 89, 353, 17, 120, 202, 138, 131, 53, 94, 22, 24]
    rejected = [313, 19, 207, 8, 205, 391, 279, 244, 138, 299, 351, 317]
    rows = [(g, d, r, n) for r, counts in (("录取", admitted), ("拒绝", rejected)) for (d, g), n in zip(
        [(d, g) for d in "ABCDEF" for g in "男女"], counts, strict=True)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["性别", "系", "结果", "人数"])
    form: dict[str, Any] = {"y": "结果", "x": ["性别", "系"], "freq": "人数"}
    found = [report(frame, {"人数": "定量"}, event=event, **form) for event in ("拒绝", "录取")]
    values = [next(e for e in one if e.get("name") == "hosmer")["rows"][0][3] for one in found]
    assert values == pytest.approx([0.7372, 0.0385], abs=1e-3)
    assert all("事件水平对调后分组和 χ² 也会变" in said(one) for one in found)
    assert "事件水平对调后" not in said(report())


def test_an_odds_ratio_that_reads_1_in_the_table_is_told_for_a_greater_step_below_it() -> None:
    noted = said(report(CHURN.assign(月费=CHURN["月费"] * 1000)))
    assert "OR 按每多 1 个单位算" in noted and "“{x0}”每多" in noted
    assert "OR 按每多 1 个单位算" not in said(report())


# ---- words ---------------------------------------------------------------------------------------------------------
def test_the_model_without_predictors_is_printed_beside_the_fitted_one() -> None:
    row = records(report(), "summary")[0]
    n, e = row["n"], row["events"]
    null = -2 * (e * np.log(e / n) + (n - e) * np.log((n - e) / n))
    assert row["minus2_null"] == pytest.approx(null, rel=1e-12)
    assert row["minus2_null"] - row["minus2"] == pytest.approx(row["chi2"], rel=1e-9)


def test_standard_errors_are_written_like_their_estimates() -> None:
    for name, around in (("coefficients", "b"), ("effects", "value"), ("discrimination", "auc")):
        table = next(e for e in report() if e.get("name") == name)
        assert next(c for c in table["columns"] if c["key"] == "se")["around"] == around


def test_the_conclusion_spells_out_two_odds_ratios_and_names_the_others() -> None:
    lead = next(e for e in report(x=["月费", "合约", "投诉次数", "年龄"]) if e["type"] == "lead")
    assert "x2" not in lead["facts"] and lead["facts"]["n0"] == "合约" and "“{n0}”也显著，见系数表" in lead["text"]
    assert lead["text"].count("。") == 3 and "个案" not in lead["text"]
    assert "全猜最多的类有 {base:percent1}" in lead["figures"][3]["note"]


def test_one_level_of_several_is_no_finding_without_their_test_together() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        frame = pd.DataFrame({"x": rng.normal(size=240), "级": list("甲乙丙丁") * 60})
        frame["y"] = np.where(frame["x"] + rng.logistic(size=240) > 0, "是", "否")
        elements = report(frame, {"y": "定类", "级": "定类", "x": "定量"}, y="y", x=["x", "级"])
        whole = next(row["p"] for row in records(elements, "terms_tests") if row["name"] == "级")
        if whole > 0.1 and min(row["p"] for row in records(elements, "coefficients")[2:]) < 0.05:
            break
    assert whole > 0.1, "no such sample"
    lead = next(e for e in elements if e["type"] == "lead")
    assert lead["facts"]["x0"] == "x" and not {"x1", "n0"} & set(lead["facts"])
    assert "有几个类别的变量看整体检验" in said(elements)


def test_a_caveat_stands_once_and_next_steps_are_named() -> None:
    elements = report()
    assert said(elements).count("不等于因果") == 1 and said(elements).count("下一步：") == 1


def test_digits_a_number_has_lost_are_told() -> None:
    frame = CHURN.assign(月费=1e13 + CHURN["月费"].round())
    found = [e for e in report(frame, x=["月费", "年龄"]) if e["type"] == "warning"]
    assert [e["code"] for e in found] == ["data.precision"] and found[0]["facts"]["v"] == "月费"
    assert "data.precision" not in [e.get("code") for e in report()]


def test_next_questions_stand_with_their_variables_in_place() -> None:
    steps = TRIAL.document(x=["月费", "年龄"])["next_steps"]
    assert [step["method"] for step in steps] == [PATH, PATH, "supervised_learning/classifier/random_forest"]
    assert steps[0]["form"]["terms"]["preset"] == "two_way" and steps[1]["seek"] == ["_split"]
    again = TRIAL.document(x=["月费", "年龄"], terms={"preset": "two_way"})["next_steps"]
    assert "加入交互项" not in str([step["title"] for step in again])
