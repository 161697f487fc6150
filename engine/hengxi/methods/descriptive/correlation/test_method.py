"""Branches and refusals of the correlations, and what must not change their numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import SetRemedy
from hengxi.prepare import run_on_frame
from hengxi.stats.correlation import pearson, ranks, spearman_exact
from hengxi.stats.multiple import adjust
from hengxi.testing import Elements, Trial, check, records, said, warnings

PATH = "descriptive/correlation"
AIR = pd.read_csv(Path(__file__).parent / "example.csv")
FORM = {"variables": ["臭氧", "日照", "风速", "气温"]}


TRIAL = Trial(PATH, AIR, FORM)
report, refused = TRIAL.report, TRIAL.refused


def details(elements: Elements) -> list[dict[str, Any]]:
    return records(elements, "details")


# ---- refusals and warnings -----------------------------------------------------------------------------------------
def test_one_variable_is_refused() -> None:
    refusal = refused(variables=["臭氧"])
    assert refusal.faults[0].field == "variables" and "请至少放入两个变量" in refusal.text


def test_unordered_categories_are_refused_by_name() -> None:
    frame = AIR.assign(天气=["晴", "雨", "阴"] * (len(AIR) // 3))
    refusal = refused(frame, variables=["臭氧", "天气"])
    assert "“天气”有 3 个没有大小之分的类别，不能计算 Pearson 相关" in refusal.text
    assert refusal.faults[0].field == "variables"
    more = refused(frame, variables=["臭氧", "天气", "气温"]).faults[0].remedies[0]
    assert isinstance(more, SetRemedy) and more.title == "移去“天气”" and len(more.set["variables"]) == 2


def test_two_categories_count_as_0_and_1() -> None:
    elements = report(variables=["时段", "气温"])
    text = said(elements)
    assert "“{low}”记为 0，“{high}”记为 1；它与数值变量的 *r* 就是点二列相关系数" in text
    lead = next(e for e in elements if e["type"] == "lead")
    late, early = (AIR.loc[AIR["时段"] == which, "气温"].mean() for which in ("八至九月", "五至七月"))
    assert lead["facts"]["higher"] == ("八至九月" if late > early else "五至七月")
    assert "（“{higher}”的“{b}”较高）" in lead["text"]
    turned = report(AIR.iloc[::-1], variables=["时段", "气温"])  # the other category comes first
    assert details(turned)[0]["r"] == pytest.approx(-details(elements)[0]["r"], rel=1e-12)
    assert next(e for e in turned if e["type"] == "lead")["facts"]["higher"] == lead["facts"]["higher"]


def test_the_account_of_rows_counts_those_of_some_pair() -> None:
    frame = pd.DataFrame({"a": [1.0, 2, 3, None, 5, 6], "b": [2.0, 1, 4, None, None, 5], "c": [1.0, None, 2, 9, 5, 4]})
    sample = TRIAL.document(frame, dict.fromkeys("abc", "定量"), variables=list("abc"))["sample"]
    assert sample["used"] == 5
    assert [(one["name"], one["rows"]) for one in sample["why"]] == [("a", 1), ("b", 2), ("c", 1)]


def test_a_constant_is_named_and_the_rest_is_given() -> None:
    elements = report(AIR.assign(常数=5.0), {"常数": "定量"}, variables=["臭氧", "气温", "常数"])
    found = {(r["a"], r["b"]): r["r"] for r in details(elements)}
    assert warnings(elements) == ["data.constant"]
    assert found["臭氧", "常数"] is None and found["臭氧", "气温"] == pytest.approx(0.69836, abs=1e-5)


def test_a_pair_without_common_cases_is_named_and_the_rest_is_given() -> None:
    n = len(AIR)
    frame = AIR.assign(
        前=[float(i % 7) if i < 50 else None for i in range(n)], 后=[None if i < 52 else float(i % 5) for i in range(n)]
    )
    frame["前"] = frame["前"].where(frame.index < 50)
    elements = report(frame, {"前": "定量", "后": "定量"}, variables=["前", "后", "气温"])
    assert warnings(elements) == ["data.few_pairs"] and len([r for r in details(elements) if r["r"] is None]) == 1


def test_nothing_to_compute_is_refused() -> None:
    frame = pd.DataFrame({"甲": [1.0, 2, None, None], "乙": [None, None, 3.0, 4]})
    assert refused(frame, {"甲": "定量", "乙": "定量"}, variables=["甲", "乙"]).code == "data.few"
    flat = pd.DataFrame({"甲": [1.0] * 5, "乙": [1.0, 2, 3, 4, 5]})
    assert refused(flat, {"甲": "定量", "乙": "定量"}, variables=["甲", "乙"]).code == "data.constant"


# ---- branches ------------------------------------------------------------------------------------------------------
def test_pairs_and_whole_rows_use_different_cases() -> None:
    assert {row["n"] for row in details(report())} == {111, 116, 146, 153}
    made = run_on_frame(PATH, AIR, {**FORM, "missing": "listwise"}, strict=True)
    assert {row["n"] for row in details(made["parts"][0]["elements"])} == {111}


def test_with_y_only_x_by_y_is_computed() -> None:
    elements = report(variables=["风速"], y=["臭氧", "气温"])
    assert [(row["a"], row["b"]) for row in details(elements)] == [("风速", "臭氧"), ("风速", "气温")]
    names = {e["name"] for e in elements if e["type"] == "table"}
    assert "cross" in names and "matrix" not in names


def test_groups_have_their_own_tables() -> None:
    elements = report(group="时段")
    ats = [e["at"] for e in elements if e["type"] == "table" and e["name"] == "matrix"]
    assert ats == ["五至七月", "八至九月"]


def test_a_perfect_correlation_has_no_room_for_error() -> None:
    frame = pd.DataFrame({"甲": np.arange(12.0), "乙": np.arange(12.0) * 2 + 1})
    row = details(report(frame, {"甲": "定量", "乙": "定量"}, variables=["甲", "乙"]))[0]
    assert row["r"] == 1 and row["p"] == 0 and (row["low"], row["high"]) == (1, 1)


def test_skewed_variables_are_offered_spearman() -> None:
    frame = AIR.assign(偏=np.exp(np.arange(153) / 10.0))
    found = check(report(frame, variables=["偏", "气温"]), "线性与正态")
    assert found["state"] == "care" and found["remedies"][0]["set"] == {"method": "spearman"}


def test_the_number_of_tests_is_said() -> None:
    found = check(report(), "多重比较")
    assert found["facts"]["m"] == 6 and found["remedies"][0]["set"] == {"adjust": "holm"}


@pytest.mark.slow
def test_the_bootstrap_depends_on_the_seed_alone() -> None:
    form: dict[str, Any] = {"variables": ["臭氧", "气温"], "bootstrap_ci": True}
    first, again, other = (details(report(**form, seed=seed))[0] for seed in (7, 7, 8))
    assert (first["boot_low"], first["boot_high"]) == (again["boot_low"], again["boot_high"])
    assert first["boot_low"] != other["boot_low"] and first["boot_low"] < first["r"] < first["boot_high"]


@pytest.mark.slow
def test_the_bootstrap_knows_neither_the_order_of_rows_nor_copies_from_frequencies() -> None:
    form: dict[str, Any] = {"variables": ["臭氧", "气温"], "bootstrap_ci": True}
    counted = AIR.assign(次数=np.arange(len(AIR)) % 3)
    copied = AIR.loc[np.repeat(AIR.index, counted["次数"])]
    tables: list[tuple[pd.DataFrame, dict[str, Any]]] = [
        (counted, {"weight": "次数"}),
        (copied, {}),
        (copied.iloc[::-1], {}),
    ]
    first, *others = (details(report(table, **form, **weight))[0] for table, weight in tables)
    for other in others:
        assert (other["boot_low"], other["boot_high"]) == pytest.approx((first["boot_low"], first["boot_high"]))


def test_a_text_is_called_one_and_not_sent_to_a_table_of_hundreds_of_lines() -> None:
    answers = AIR.assign(备注=[f"第 {i} 天" for i in range(len(AIR))], 天气=["晴", "雨", "阴"] * (len(AIR) // 3))
    refusal = refused(answers, {"备注": "文本"}, variables=["臭氧", "气温", "备注"])
    assert "“备注”是文本变量，不能计算 Pearson 相关" in refusal.text
    assert [one.title for one in refusal.faults[0].remedies] == ["移去“备注”"]
    unordered = refused(answers, variables=["臭氧", "气温", "天气"]).faults[0]
    assert "“天气”有 3 个没有大小之分的类别" in unordered.text
    assert [one.title for one in unordered.remedies] == ["移去“天气”", "改用交叉分析"]


def test_one_sided_p_values_complement_each_other() -> None:
    for method in ("pearson", "spearman", "kendall"):
        up, down = (details(report(method=method, alternative=side))[0]["p"] for side in ("greater", "less"))
        assert up + down == pytest.approx(1)


@pytest.mark.slow
def test_sixty_items_keep_their_places() -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({f"i{k}": rng.normal(size=40) for k in range(1, 61)})
    names = list(frame.columns)
    elements = report(frame, variables=names)
    matrix = next(e for e in elements if e["type"] == "table" and e["name"] == "matrix")["matrix"]
    assert matrix["labels"] == names
    values = np.array(matrix["layers"][0]["values"], dtype=float)
    np.testing.assert_allclose(values, np.corrcoef(frame.to_numpy().T), atol=1e-12)


# ---- numbers -------------------------------------------------------------------------------------------------------
def test_exact_spearman_sums_to_one() -> None:
    # All 24 permutations of 4: R 4.2.2 cor.test(1:4, c(2, 1, 3, 4), method = "spearman"): p = 0.3333
    assert spearman_exact(2.0, 4, "two_sided") == pytest.approx(1 / 3)
    assert spearman_exact(0.0, 9, "greater") == pytest.approx(1 / 362880)


def test_adjusted_p_values_agree_with_their_definition() -> None:
    assert adjust([0.01, 0.04, 0.03], "holm") == pytest.approx([0.03, 0.06, 0.06])
    assert adjust([0.01, 0.04, 0.03], "fdr_bh") == pytest.approx([0.03, 0.04, 0.04])


def test_a_large_offset_costs_no_digits() -> None:
    x = np.array([1.0, 2.0, 4.0, 7.0, 11.0])
    y = np.array([2.0, 1.0, 5.0, 6.0, 9.0])
    assert pearson(x + 2.0**40, y - 2.0**40, None) == pytest.approx(pearson(x, y, None), rel=1e-13)


def test_ranks_of_frequencies_are_ranks_of_copies() -> None:
    x, f = np.array([3.0, 1.0, 2.0, 2.0]), np.array([2.0, 1.0, 3.0, 1.0])
    copied = ranks(np.repeat(x, f.astype(int)), None)
    np.testing.assert_allclose(np.repeat(ranks(x, f), f.astype(int)), copied)


# ---- invariances ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall"])
def test_frequencies_are_copies(method: str) -> None:
    weighted = details(report(weight="天数", method=method))
    copied = details(report(AIR.loc[AIR.index.repeat(AIR["天数"])].reset_index(drop=True), method=method))
    for a, b in zip(weighted, copied, strict=True):
        assert a["n"] == b["n"] and (a["r"], a["p"], a["low"]) == pytest.approx((b["r"], b["p"], b["low"]), rel=1e-9)


@pytest.mark.parametrize("scale", [1e-300, 1e-120, 1e120, 1e300])
def test_a_change_of_unit_changes_nothing(scale: float) -> None:
    plain, scaled = details(report()), details(report(AIR.assign(气温=AIR["气温"] * scale), {"气温": "定量"}))
    assert [r["r"] for r in plain] == pytest.approx([r["r"] for r in scaled], rel=1e-9)
    assert [r["p"] for r in plain] == pytest.approx([r["p"] for r in scaled], rel=1e-6)


def test_no_pair_that_reaches_the_level_is_the_first_thing_said() -> None:
    frame = pd.DataFrame(np.random.default_rng(1).normal(size=(40, 3)).round(3), columns=["甲", "乙", "丙"])
    text = said(report(frame, variables=["甲", "乙", "丙"], adjust="holm"))
    assert "都没有发现明显的相关（经 Holm 校正，α = {alpha:alpha}）" in text and "最强的相关是" not in text
    assert "每个分组内" not in text


def test_a_perfect_line_is_called_one_and_a_one_sided_interval_by_its_name() -> None:
    frame = pd.DataFrame({"甲": range(12), "乙": [3 * i + 1 for i in range(12)]})
    text = said(report(frame, variables=["甲", "乙"], alternative="greater"))
    assert "全部点在一条直线上" in text
    assert "不足 30 例" in text and "有的不足" not in text and "这一对变量" in text
    assert "单侧 CI {low:num}" in said(report(variables=["臭氧", "气温"], alternative="greater"))


def test_the_strongest_pair_is_not_taken_for_a_significant_one() -> None:
    """Asked for negative correlations, the strongest is positive: it is told beside what was found."""
    elements = report(alternative="less", variables=["臭氧", "风速", "气温"])
    lead = next(e for e in elements if e["type"] == "lead")
    assert "正相关" in lead["text"] and "这一对不显著（*p* {p:peq}）" in lead["text"]
    assert lead["facts"]["p"] > 0.99
    assert "这一对不显著" not in said(report())


def test_intervals_are_said_not_to_be_adjusted_and_not_to_be_looked_at_where_there_are_none() -> None:
    assert "CI 未作多重比较校正" in said(report(adjust="holm")) and "CI 未作多重比较校正" not in said(report())
    few = check(report(AIR.dropna().head(3), variables=["臭氧", "气温"]), "样本量")
    assert "给不出区间" in few["text"] and "请看区间有多宽" not in few["text"]


def test_a_perfect_correlation_claims_no_certainty() -> None:
    """The interval 1.00 to 1.00 of five points on a line stands in the table, as R has it, and in no sentence."""
    frame = pd.DataFrame({"甲": [1.0, 2, 3, 4, 5], "乙": [2.0, 4, 6, 8, 10]})
    elements = report(frame, variables=["甲", "乙"])
    lead = next(e for e in elements if e["type"] == "lead")
    assert "{low:num}" not in lead["text"] and lead["figures"][0]["note"] is None
    assert "请核对是不是同一个量的换算" in lead["text"] and "区间没有宽度" in said(elements)
    assert (details(elements)[0]["low"], details(elements)[0]["high"]) == (1, 1)


def test_a_one_sided_test_says_that_it_is_silent_about_the_other_side() -> None:
    told = "单尾检验只看正相关，不判断负相关"
    assert told in said(report(variables=["臭氧", "风速"], alternative="greater"))
    assert told in said(report(alternative="greater", variables=["臭氧", "日照", "风速"], method="kendall"))
    assert told not in said(report(variables=["臭氧", "风速"], alternative="less"))
    assert "总是双侧的" in said(report(alternative="less", bootstrap_ci=True))


def test_the_cases_told_are_those_of_the_rows_analysed() -> None:
    frame = AIR.assign(数=2)
    sample = TRIAL.document(frame, weight="数", missing="listwise")["parts"][0]["sample"]
    assert sample["used"] < len(AIR) and sample["weighted"] == 2 * sample["used"]
