"""Branches and refusals of linear regression, and what must not change its numbers. Certified values: stats/."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.prepare import run_on_frame
from hengxi.testing import Trial, check, records, said, warnings

PATH = "statistical/linear_regression"
HOUSE = pd.read_csv(Path(__file__).parent / "example.csv")
FORM = {"y": "房价", "x": ["面积", "房龄", "学区"]}
NEW = {"面积": 90, "房龄": 10, "学区": "是"}


TRIAL = Trial(PATH, HOUSE, FORM)
report, refused = TRIAL.report, TRIAL.refused


def coefficient(elements: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(row for row in records(elements, "coefficients") if row["name"] == name)


# ---- refusals ------------------------------------------------------------------------------------------------------
def test_a_sum_of_other_columns_is_refused_with_its_relation() -> None:
    frame = HOUSE.assign(总和=2 * HOUSE["面积"] - HOUSE["房龄"] + 5)
    refusal = refused(frame, {"总和": "定量"}, x=["面积", "房龄", "总和"])
    assert refusal.code == "data.collinear"
    assert "自变量“总和”可由其他自变量线性表示，请删去其一" in refusal.text
    assert "总和 = 5 + 2×面积 − 房龄" in refusal.text


def test_dummies_that_repeat_each_other_are_refused() -> None:
    refusal = refused(HOUSE.assign(重点=HOUSE["学区"].map({"是": "有", "否": "无"})), x=["学区", "重点"])
    assert refusal.code == "data.collinear" and "重点" in refusal.text


def test_fewer_rows_than_coefficients_are_refused() -> None:
    refusal = refused(HOUSE.iloc[:4], {"学区": "定类"}, x=["面积", "房龄", "楼层", "地铁距离"])
    assert refusal.code == "data.few" and "有效样本 4 行，不足以估计 5 个参数，至少需要 7 行" in refusal.text


def test_precision_weights_of_zero_are_refused_by_row() -> None:
    frame = HOUSE.assign(权=[1.0] * 6 + [0.0] + [1.0] * 193)
    refusal = refused(frame, {"权": "定量"}, weight="权")
    assert "精度权重必须为正数；变量“权”第 7 行为 0" in refusal.text and refusal.faults[0].row == 7


def test_one_cluster_is_refused() -> None:
    refusal = refused(HOUSE.assign(区="东"), {"区": "定类"}, se_type="cluster", cluster="区")
    assert refusal.code == "data.clusters" and "聚类变量“区”只有一个取值" in refusal.text


def test_a_time_variable_is_refused_with_what_to_do() -> None:
    frame = HOUSE.assign(成交日=pd.date_range("2024-01-01", periods=200))
    refusal = refused(frame, x=["面积", "成交日"])
    assert refusal.code == "role.measure" and "自变量“成交日”是时间变量，不能直接放进回归，请先换成数值" in refusal.text
    text = refused(HOUSE.assign(备注=[f"第 {i} 套" for i in range(200)]), {"备注": "文本"}, x=["面积", "备注"])
    assert "自变量“备注”是文本变量，不能直接放进回归，取值不多时可改为定类" in text.text


def test_an_exact_relation_is_told_as_an_identity_without_tests() -> None:
    exact = HOUSE.assign(房价=3 * HOUSE["面积"] - 2 * HOUSE["房龄"] + 7)
    elements = report(exact, x=["面积", "房龄", "学区"], se_type="hc3", save=True, predict_at=[NEW])
    assert elements[0]["facts"]["told"] == "7 + 3×面积 − 2×房龄"
    rows = records(elements, "coefficients")
    assert [row["b"] for row in rows] == pytest.approx([7, 3, -2, 0], rel=1e-12)
    assert all(row["se"] == 0 and row["p"] is None for row in rows)
    summary = records(elements, "summary")[0]
    assert (summary["r2"], summary["sigma"], summary["F"]) == (1, 0, None)
    predicted = records(elements, "predicted")[0]
    assert predicted["mean"] == predicted["low"] == predicted["single_high"] == pytest.approx(7 + 3 * 90 - 2 * 10)


def test_newey_west_with_frequencies_is_refused() -> None:
    refusal = refused(se_type="newey_west", freq="楼层")
    assert refusal.faults[0].field == "se_type" and "频数权重" in refusal.text


def test_nested_terms_are_refused() -> None:
    terms = {"preset": "custom", "terms": [{"nested": ["c2", "c3"]}]}
    assert refused(x=["面积", "房龄"], terms=terms).code == "terms.unknown"


# ---- branches ------------------------------------------------------------------------------------------------------
def test_a_two_level_factor_alone_is_students_t_test() -> None:
    t_test = run_on_frame("hypothesis_test/independent_t_test", HOUSE, {"group": "学区", "variables": ["房价"]})
    table = next(e for e in t_test["parts"][0]["elements"] if e.get("name") == "result")
    student = dict(zip([c["key"] for c in table["columns"]], table["rows"][0], strict=True))
    row = records(report(x=["学区"]), "coefficients")[1]
    assert abs(row["t"]) == pytest.approx(abs(student["t"]), rel=1e-10)
    assert row["p"] == pytest.approx(student["p"], rel=1e-9)


def test_the_reference_level_only_changes_the_coding() -> None:
    first, second = report(), report(reference=[{"for": "学区", "level": "是"}])
    a, b = coefficient(first, "学区：是"), coefficient(second, "学区：否")
    assert a["b"] == pytest.approx(-b["b"], rel=1e-10) and a["p"] == pytest.approx(b["p"], rel=1e-9)
    for key in ("r2", "F", "aic"):
        assert records(first, "summary")[0][key] == pytest.approx(records(second, "summary")[0][key], rel=1e-10)


def test_robust_errors_leave_the_coefficients_alone_and_say_so() -> None:
    plain, robust = report(), report(se_type="hc3")
    assert coefficient(plain, "面积")["b"] == coefficient(robust, "面积")["b"]
    assert coefficient(plain, "面积")["se"] != coefficient(robust, "面积")["se"]
    assert "Wald" in said(robust) and "Wald" not in said(plain)


def test_bent_relations_are_offered_squares() -> None:
    rng = np.random.default_rng(4)
    x = rng.uniform(0, 10, 150)
    frame = pd.DataFrame({"房价": (x - 5) ** 2 + x + rng.normal(size=150), "面积": x})
    found = check(report(frame, {"房价": "定量", "面积": "定量"}, x=["面积"]), "线性")
    assert found["state"] == "care"
    terms = found["remedies"][0]["set"]["terms"]
    assert terms == {"preset": "custom", "terms": [["c2"], ["c2", "c2"]]}
    cured = report(frame, {"房价": "定量", "面积": "定量"}, x=["面积"], terms=terms)
    assert check(cured, "线性")["state"] == "pass" and coefficient(cured, "面积²")["p"] < 0.001


def test_uneven_variance_is_offered_hc3() -> None:
    rng = np.random.default_rng(5)
    x = rng.uniform(1, 10, 300)
    frame = pd.DataFrame({"房价": x + rng.normal(size=300) * x, "面积": x})
    found = check(report(frame, {"房价": "定量", "面积": "定量"}, x=["面积"]), "异方差")
    assert found["state"] == "care" and found["remedies"][0]["set"] == {"se_type": "hc3"}


def test_strong_collinearity_is_a_violation() -> None:
    rng = np.random.default_rng(6)
    frame = HOUSE.assign(建筑面积=HOUSE["面积"] * 1.2 + rng.normal(size=200))
    elements = report(frame, x=["面积", "建筑面积"])
    assert check(elements, "共线性")["state"] == "fail" and coefficient(elements, "面积")["vif"] > 10


def test_prediction_outside_the_data_is_called_so() -> None:
    elements = report(predict_at=[{"面积": 1000, "房龄": 5, "学区": "是"}, {"面积": 100, "房龄": 5, "学区": "否"}])
    assert len(records(elements, "predicted")) == 2 and "属外推" in said(elements)


def test_saved_columns_have_one_value_for_each_row() -> None:
    made = next(e for e in report(save=True) if e["type"] == "data")
    assert made["rows"] == 200 and made["changed"] == 200
    assert [c["name"] for c in made["columns"]] == ["房价_预测值", "房价_残差", "房价_Cook距离"]


def test_a_case_that_fits_itself_has_no_cook_distance_and_no_crash() -> None:
    frame = HOUSE.assign(类型=["孤例"] + ["普通"] * 199)
    elements = report(frame, {"类型": "定类"}, x=["面积", "类型"])
    assert any(row["leverage"] == 1 and row["cook"] is None for row in records(elements, "outliers"))
    assert refused(frame, {"类型": "定类"}, x=["面积", "类型"], se_type="hc3").code == "data.leverage"


def test_no_causal_verbs() -> None:
    words = said(report(terms={"preset": "two_way"})) + said(report())
    for verb in ("影响了", "导致", "使得", "造成", "决定了", "提高了", "降低了"):
        assert verb not in words


# ---- invariances ---------------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["classic", "hc0", "hc1", "hc2", "hc3"])
def test_frequencies_are_copies(kind: str) -> None:
    counts = [i % 3 for i in range(200)]
    weighted = report(HOUSE.assign(次数=counts), {"次数": "定量"}, freq="次数", se_type=kind)
    copied = report(HOUSE.loc[HOUSE.index.repeat(counts)].reset_index(drop=True), se_type=kind)
    for a, b in zip(records(weighted, "coefficients"), records(copied, "coefficients"), strict=True):
        assert [a[k] for k in ("b", "se", "t", "p", "low", "high")] == pytest.approx(
            [b[k] for k in ("b", "se", "t", "p", "low", "high")], rel=1e-9
        )
    tests = [{r["test"]: r["value"] for r in records(e, "assumptions")} for e in (weighted, copied)]
    for name, value in tests[0].items():
        assert value == pytest.approx(tests[1][name], rel=1e-7), name


def test_the_order_of_rows_matters_only_to_tests_of_order() -> None:
    shuffled = HOUSE.sample(frac=1, random_state=3).reset_index(drop=True)
    a, b = report(x=["面积", "房龄"]), report(shuffled, x=["面积", "房龄"])
    for x, z in zip(records(a, "coefficients"), records(b, "coefficients"), strict=True):
        assert x["b"] == pytest.approx(z["b"], rel=1e-9) and x["p"] == pytest.approx(z["p"], rel=1e-7)
    assert records(a, "summary")[0]["dw"] != records(b, "summary")[0]["dw"]


@pytest.mark.parametrize(("column", "scale", "shift"), [("面积", 1e6, 0.0), ("面积", 1.0, 1e6), ("房价", 1e-6, 1e3)])
def test_units_and_origins_do_not_change_t(column: str, scale: float, shift: float) -> None:
    a, b = report(), report(HOUSE.assign(**{column: HOUSE[column] * scale + shift}))
    for x, z in zip(records(a, "coefficients")[1:], records(b, "coefficients")[1:], strict=True):
        assert x["t"] == pytest.approx(z["t"], rel=1e-7) and x["vif"] == pytest.approx(z["vif"], rel=1e-7)


def test_a_product_too_small_for_a_number_is_not_called_collinear() -> None:
    small = HOUSE.assign(面积=HOUSE["面积"] * 1e-200, 房龄=HOUSE["房龄"] * 1e-200)
    refusal = refused(small, x=["面积", "房龄"], terms={"preset": "two_way"})
    assert refusal.code == "data.magnitude" and "“面积 × 房龄”的数值大小超出" in refusal.text


@pytest.mark.parametrize("scale", [1e-300, 1e-140, 1e140, 1e300])
def test_extreme_magnitudes_give_the_same_t_or_a_stated_refusal(scale: float) -> None:
    frame = HOUSE.assign(房价=HOUSE["房价"] * scale, 面积=HOUSE["面积"] * scale)
    try:
        found = report(frame, {"房价": "定量", "面积": "定量"}, x=["面积"])
    except Refusal as refusal:
        assert refusal.code == "data.magnitude" and "单位" in refusal.text
    else:
        assert coefficient(found, "面积")["t"] == pytest.approx(coefficient(report(x=["面积"]), "面积")["t"], rel=1e-9)


@pytest.mark.slow
def test_sixty_predictors_keep_their_names() -> None:
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({f"i{k}": rng.normal(size=400) for k in range(1, 61)})
    frame["房价"] = sum(k * frame[f"i{k}"] for k in range(1, 61)) + rng.normal(size=400)
    elements = report(frame, {f"i{k}": "定量" for k in range(1, 61)}, x=[f"i{k}" for k in range(60, 0, -1)])
    for k in range(1, 61):
        assert coefficient(elements, f"i{k}")["b"] == pytest.approx(k, abs=0.5)


def test_charts_of_many_rows_are_thinned_and_say_so() -> None:
    rng = np.random.default_rng(9)
    x = rng.normal(size=20_000)
    frame = pd.DataFrame({"房价": x + rng.normal(size=20_000), "面积": x})
    elements = report(frame, {"房价": "定量", "面积": "定量"}, x=["面积"])
    chart = next(e for e in elements if e["type"] == "chart" and e["name"] == "residual_plot")
    assert chart["thinned"]["of"] == 20_000 and 5000 <= chart["thinned"]["shown"] < 5200
    assert records(elements, "summary")[0]["n"] == 20_000


def test_without_a_constant_every_level_has_its_own_mean() -> None:
    """As R's lm(y ~ 0 + factor); a left-out level would be forced through 0."""
    elements = report(x=["学区"], intercept=False)
    for level in ("是", "否"):
        mean = HOUSE.loc[HOUSE["学区"] == level, "房价"].mean()
        assert coefficient(elements, f"学区：{level}")["b"] == pytest.approx(mean, rel=1e-12)
    assert "比" not in next(e for e in elements if e["type"] == "lead")["text"]


def test_a_variable_called_like_the_constant_keeps_its_own_column() -> None:
    frame = HOUSE.rename(columns={"房龄": "常数项"})
    plain = report(x=["面积", "房龄"], predict_at=[])
    named = report(frame, x=["面积", "常数项"], predict_at=[])
    names = [row["name"] for row in records(named, "coefficients")]
    assert names == ["常数项", "面积", "常数项（2）"]
    for one, other in zip(records(plain, "condition"), records(named, "condition"), strict=True):
        assert list(one.values()) == list(other.values())


def test_a_check_never_contradicts_the_p_it_prints() -> None:
    rng = np.random.default_rng(7)
    x = rng.normal(size=60)
    heavy = rng.standard_t(2.2, size=60)
    wave = np.cumsum(rng.normal(size=400)) * 0.02 + rng.normal(size=400)
    for y, title in ((heavy, "残差正态"), (wave, "自相关")):
        one = rng.normal(size=y.size) if title == "自相关" else x
        found = check(report(pd.DataFrame({"y": y, "x": one}), y="y", x=["x"]), title)
        smallest = min(found["facts"][key] for key in ("p", "jb") if key in found["facts"])
        assert smallest < 0.05
        assert "没有看到" not in found["text"]


def waves() -> pd.DataFrame:
    """Errors that follow each other."""
    rng = np.random.default_rng(7)
    return pd.DataFrame({"y": np.cumsum(rng.normal(size=80)), "x": rng.normal(size=80)})


def test_errors_that_follow_each_other_are_a_finding_only_where_rows_have_an_order() -> None:
    """Nobody has said that the rows of a table stand in time; whoever chooses Newey-West has."""
    found = check(report(waves(), y="y", x=["x"]), "自相关")
    assert (
        found["facts"]["dw"] < 1.5 and found["state"] == "unknown" and "行的次序没有意义时，不用理会" in found["text"]
    )
    assert found["remedies"][0]["set"] == {"se_type": "newey_west"}
    ordered = check(report(waves(), y="y", x=["x"], se_type="newey_west"), "自相关")
    assert ordered["state"] == "care" and not ordered["remedies"]


def test_a_small_durbin_watson_alone_is_no_finding() -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        frame = pd.DataFrame({"y": rng.normal(size=12), "x": rng.normal(size=12)})
        found = check(report(frame, y="y", x=["x"]), "自相关")
        if found["facts"]["dw"] < 1.5 and found["facts"]["p"] > 0.05:
            break
    assert found["facts"]["dw"] < 1.5 and found["state"] == "pass"


def test_the_order_of_breusch_godfrey_is_that_of_the_form() -> None:
    rows = [row for row in records(report(bg_order=3), "assumptions") if "Godfrey" in row["test"]]
    assert [(row["test"], row["df1"]) for row in rows] == [("Breusch-Godfrey（3 阶）", 3)]
    assert check(report(bg_order=3), "自相关")["facts"]["order"] == 3
    few = check(report(HOUSE.iloc[:10], x=["面积", "房龄"], bg_order=8), "自相关")
    assert few["state"] == "unknown" and "自由度不足" in few["text"]


def test_few_clusters_are_warned_of() -> None:
    def found(groups: int) -> list[dict[str, Any]]:
        frame = HOUSE.assign(小区=[f"区{i % groups}" for i in range(200)])
        made = report(frame, {"小区": "定类"}, x=["面积"], se_type="cluster", cluster="小区")
        return [e for e in made if e["type"] == "warning" and e["code"] == "data.clusters"]

    assert [(e["facts"]["g"], e["facts"]["least"]) for e in found(29)] == [(29, 30)]
    assert not found(30)


@pytest.mark.parametrize(
    ("change", "name", "digits"),
    [
        (lambda d: d.assign(面积=1e13 + d["面积"].round()), "面积", 4),
        (lambda d: d.assign(房价=1e12 + d["房价"].round()), "房价", 5),
        (lambda d: d.assign(面积=d["房龄"] + d["面积"] * 1e-12), "面积", 3),
    ],
)
def test_digits_the_numbers_have_lost_are_told(change: Any, name: str, digits: int) -> None:
    found = [e for e in report(change(HOUSE), x=["面积", "房龄"]) if e["type"] == "warning"]
    assert [e["code"] for e in found] == ["data.precision"]
    assert found[0]["facts"]["v"] == name and abs(found[0]["facts"]["digits"] - digits) <= 1


def test_years_and_other_units_lose_no_digits_worth_telling() -> None:
    for frame in (HOUSE.assign(面积=2000 + HOUSE["面积"]), HOUSE):
        squares = {"preset": "custom", "terms": [["面积"], ["面积", "面积"]]}
        assert "data.precision" not in warnings(report(frame, x=["面积"], terms=squares))
    assert "data.precision" not in warnings(report(HOUSE.assign(面积=HOUSE["面积"] * 1e-300)))


def test_a_standard_error_is_written_like_its_coefficient() -> None:
    table = next(e for e in report() if e.get("name") == "coefficients")
    assert next(c for c in table["columns"] if c["key"] == "se")["around"] == "b"


def test_without_a_constant_the_vif_is_no_evidence_of_collinearity() -> None:
    frame = pd.DataFrame({"x": np.linspace(50, 60, 40), "z": np.tile([9.0, 10.0, 11.0, 10.0], 10)})
    frame["y"] = 2 * frame["x"] + 3 * frame["z"] + np.resize([0.3, -0.2, 0.1], 40)
    found = check(report(frame, {"x": "定量", "z": "定量"}, y="y", x=["x", "z"], intercept=False), "共线性")
    assert found["facts"]["vif"] > 10
    assert found["state"] != "fail"
    assert "以 0 为中心" in found["text"]


def test_an_interaction_without_its_main_effects_is_warned_of() -> None:
    terms = {"preset": "custom", "terms": [["面积"], ["面积", "学区"]]}
    found = [e for e in report(x=["面积", "学区"], terms=terms) if e["type"] == "warning"]
    assert [e["facts"]["names"] for e in found] == ["“学区”"]
    whole = {"preset": "custom", "terms": [["面积"], ["学区"], ["面积", "学区"]]}
    assert not [e for e in report(x=["面积", "学区"], terms=whole) if e["type"] == "warning"]


def test_one_variable_alone_is_not_said_to_be_collinear_or_compared() -> None:
    # Far from 0 against its spread: the condition index is large, and means nothing.
    elements = report(HOUSE.assign(年份=2000 + HOUSE["房龄"]), x=["年份"])
    found = check(elements, "共线性")
    assert found["state"] == "pass" and "只有一个自变量" in found["text"]
    assert "长短不能直接比大小" not in said(elements) and "精度权重" not in said(elements)
    assert "长短不能直接比大小" in said(report())


def test_an_exact_identity_is_told_without_what_rounding_leaves() -> None:
    x = np.random.default_rng(3).normal(size=(60, 2)).round(3)
    frame = pd.DataFrame({"甲": x[:, 0], "乙": x[:, 1], "和": x[:, 0] * 2 + x[:, 1]})
    elements = report(frame, dict.fromkeys(frame, "定量"), y="和", x=["甲", "乙"])
    assert elements[0]["facts"]["told"] == "2×甲 + 乙"


def test_an_interval_below_the_r2_of_the_sample_is_not_said_to_hold_what_agrees() -> None:
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({"甲": rng.normal(size=40), "乙": rng.normal(size=40)})
    # Hardly any association: what is left of y when x is taken out, and a trace of x.
    frame["乙"] -= np.polyval(np.polyfit(frame["甲"], frame["乙"], 1), frame["甲"]) - frame["甲"] * 1e-3
    text = said(report(frame, dict.fromkeys(frame, "定量"), y="乙", x=["甲"]))
    assert "不能据此说没有关系" in text and "真实值可能在这个范围内" not in text


def test_a_robust_test_beside_a_classical_interval_of_r2_is_not_contradicted_by_it() -> None:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"甲": rng.normal(size=30), "乙": rng.normal(size=30)})
    # One case far out draws the line: the classical fit is all but perfect, HC3 knows that it rests on this case.
    frame.loc[0] = [60.0, 60.0]
    text = said(report(frame, dict.fromkeys(frame, "定量"), y="乙", x=["甲"], se_type="hc3"))
    assert "没有发现" in text and "以 *F* 检验为准" in text
    assert "真实值可能在这个范围内" not in text


def test_an_interval_of_r2_from_0_is_explained_and_one_without_width_is_no_proof() -> None:
    """R's warpbreaks, wool B: F(2, 24) = 4.06, p = .030; the two-sided interval of R² begins at 0."""
    wool = {"L": "27 14 29 19 29 31 41 20 44", "M": "42 26 19 16 39 28 21 39 29", "H": "20 21 24 17 13 15 15 16 28"}
    cells = [(group, float(v)) for group, values in wool.items() for v in values.split()]
    elements = report(pd.DataFrame(cells, columns=["张力", "断数"]), y="断数", x=["张力"])
    assert "与它对应的是 {narrow:percent} 的区间" in said(elements) and "{narrow" not in said(report())
    level = pd.DataFrame({"组": ["甲", "乙", "丙"] * 8, "值": np.repeat(np.arange(1.0, 9.0), 3)})
    lead = report(level, y="值", x=["组"])[0]["text"]
    assert "区间收缩到 0，不能据此说没有关系" in lead and "真实值可能在这个范围内" not in lead


def test_no_coefficient_alone_is_not_called_collinear_without_need() -> None:
    """The middle level is the reference: the others differ from each other, not from it."""
    values = {"乙": [5.0, 6, 7, 8, 9, 10], "甲": [3.0, 4, 5, 6, 7, 8], "丙": [7.0, 8, 9, 10, 11, 12]}
    one = pd.DataFrame([(g, v) for g, found in values.items() for v in found], columns=["档", "值"])
    lead = report(one, y="值", x=["档"])[0]["text"]
    assert "没有哪一类单独与参照水平有明显差别" in lead and "高度相关" not in lead
    rng = np.random.default_rng(5)
    x = rng.normal(size=40)
    twins = pd.DataFrame({"甲": x, "乙": x + rng.normal(size=40) * 0.01, "值": 2 * x + rng.normal(size=40) * 0.5})
    lead = report(twins, y="值", x=["甲", "乙"])[0]["text"]
    assert "没有哪一个自变量单独显著" in lead


def test_without_a_constant_no_inflation_is_told_from_a_vif_around_0() -> None:
    found = check(report(x=["面积", "房龄"], intercept=False), "共线性")
    assert "{root:num} 倍" not in found["more"]["impact"]
    assert "{root:num} 倍" in check(report(x=["面积", "房龄"]), "共线性")["more"]["impact"]


def test_no_column_of_a_term_exceeds_the_greatest_inflation_unsaid() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"值": rng.normal(size=60), "龄": rng.normal(size=60), "城": ["甲", "乙", "丙"] * 20})
    made = report(frame, y="值", x=["龄", "城"])
    told = "；多水平定类自变量的各列合在一起，按 GVIF^(1/df)"
    assert told in check(made, "共线性")["more"]["data"] and told not in check(report(), "共线性")["more"]["data"]


def test_an_interval_that_shrank_to_0_is_explained_below_the_table_too() -> None:
    level = pd.DataFrame({"组": ["甲", "乙", "丙"] * 8, "值": np.repeat(np.arange(1.0, 9.0), 3)})
    assert "*R*² 的区间收缩到 0 附近" in said(report(level, y="值", x=["组"]))


# ---- words ---------------------------------------------------------------------------------------------------------
def survey() -> pd.DataFrame:
    """As it is exported: questions for names, gaps, one satisfaction that follows one of the scales."""
    rng = np.random.default_rng(3)
    clear = rng.integers(1, 6, 240).astype(float)
    frame = pd.DataFrame(
        {
            "1、您的年级是？": rng.choice(["大一", "大二", "大三", "大四"], 240),
            "2、您每周学习的时间(小时)": rng.gamma(3, 2, 240).round(1),
            "3、您对“平台界面清晰”的同意程度": clear,
            "4、您的总体满意度": (11 * clear + rng.normal(0, 10, 240)).round(),
        }
    )
    return frame.mask(rng.random(frame.shape) < 0.03)


def test_the_conclusion_of_a_questionnaire_is_short_and_names_what_was_asked() -> None:
    names = list(survey())
    form = {"y": names[3], "x": names[:3]}
    document = TRIAL.document(
        survey(), {names[0]: "定类", names[1]: "定量", names[2]: "定量", names[3]: "定量"}, **form
    )
    elements = document["parts"][0]["elements"]
    lead = elements[0]
    assert lead["text"].count("。") == 2 and "个案" not in lead["text"] and lead["facts"]["x0"] == "平台界面清晰"
    assert not any(word in str(document["title"]) for word in ("您", "？", "1、"))
    assert lead["figures"][3]["note"] == "{n:integer} 行，{k:integer} 个系数"


def test_one_level_of_several_is_no_finding_without_their_test_together() -> None:
    frame = pd.DataFrame({"x": np.tile(np.arange(40.0), 3), "级": list("甲乙丙丁") * 30})
    rng = np.random.default_rng(17)
    for _ in range(200):
        frame["y"] = frame["x"] + rng.normal(size=120) * 8
        elements = report(frame, {"级": "定类"}, y="y", x=["x", "级"])
        whole = records(elements, "terms_tests")[0]["p"]
        if whole > 0.1 and min(row["p"] for row in records(elements, "coefficients")[2:]) < 0.05:
            break
    assert whole > 0.1, "no such sample"
    facts = elements[0]["facts"]
    assert facts["x0"] == "x" and "x1" not in facts and "o0" not in facts
    assert "有几个类别的变量看整体检验" in said(elements)


def test_a_unit_stands_at_the_variable_and_at_the_outcome() -> None:
    frame = HOUSE.rename(columns={"面积": "面积(m²)", "房价": "房价(万元)", "房龄": "房龄(年)"})
    elements = report(frame, {"面积(m²)": "定量"}, y="房价(万元)", x=["面积(m²)"])
    assert elements[0]["facts"]["unit"] == " 万元" and "{sigma:num}{unit}" in elements[0]["figures"][2]["value"]


def test_uneven_variance_names_the_robust_alternative_and_one_caveat_stands_once() -> None:
    rng = np.random.default_rng(5)
    x = rng.uniform(1, 10, 300)
    elements = report(pd.DataFrame({"房价": x + rng.normal(size=300) * x, "面积": x}), x=["面积"])
    assert "稳健替代：HC3" in check(elements, "异方差")["text"]
    assert said(elements).count("不等于因果") == 1 and "下一步：" in said(elements)


def test_next_questions_stand_with_their_variables_in_place() -> None:
    steps = TRIAL.document(x=["面积", "房龄", "学区"])["next_steps"]
    assert [step["method"] for step in steps] == [PATH, PATH, "descriptive/correlation"]
    assert steps[0]["form"]["terms"]["preset"] == "two_way" and steps[1]["seek"] == ["_split"]
    again = TRIAL.document(x=["面积", "房龄", "学区"], terms={"preset": "two_way"})["next_steps"]
    assert "加入交互项" not in str([step["title"] for step in again])
