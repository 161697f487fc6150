"""Branches and refusals of the descriptive table, certified values of NIST, and what must not change its numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.prepare import run_on_frame

PATH = "descriptive/descriptive_statistics"
LIGHT = pd.read_csv(Path(__file__).parent / "example.csv")
EVERY = [
    "n", "missing", "mean", "se", "ci", "sd", "var", "cv", "sum", "min", "max", "range", "median", "p25", "p75", "iqr",
    "mode", "skewness", "kurtosis", "trimmed", "gmean", "hmean", "mad",
]  # fmt: skip


def report(frame: pd.DataFrame, measures: dict[str, str] | None = None, **form: Any) -> list[dict[str, Any]]:
    every = dict.fromkeys(form["variables"], "定量") | (measures or {})
    made = run_on_frame(PATH, frame, form, measures=every, strict=True)
    elements: list[dict[str, Any]] = made["parts"][0]["elements"]
    return elements


def table(elements: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    found = []
    for element in elements:
        if element["type"] != "table" or element["name"] != name:
            continue
        for cells in element["rows"]:
            row: dict[str, Any] = {}
            for column, cell in zip(element["columns"], cells, strict=True):
                if column["parts"]:
                    row |= dict(zip(column["parts"], cell or [None] * len(column["parts"]), strict=True))
                else:
                    row[column["wide"] or column["key"]] = cell
            found.append(row)
    return found


def overall(elements: list[dict[str, Any]], variable: str) -> dict[str, Any]:
    return next(row for row in table(elements, "overall") if row["variable"] == variable)


def said(elements: list[dict[str, Any]]) -> str:
    return "\n".join(e["text"] for e in elements if e["type"] in ("lead", "text", "check", "warning"))


def one(values: Any, **form: Any) -> dict[str, Any]:
    frame = pd.DataFrame({"x": values})
    return overall(report(frame, variables=["x"], statistics=EVERY, **form), "x")


def refused(frame: pd.DataFrame, measures: dict[str, str] | None = None, **form: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        run_on_frame(PATH, frame, form, measures=measures or {}, strict=True)
    return caught.value


# ---- certified values (NIST StRD, univariate) ----------------------------------------------------------------------
@pytest.mark.parametrize(
    ("values", "mean", "sd", "digits"),
    [
        ([10000001, 10000003, 10000002], 10000002.0, 1.0, 15),
        ([1.2, *[1.1, 1.3] * 500], 1.2, 0.1, 13),
        ([1000000.2, *[1000000.1, 1000000.3] * 500], 1000000.2, 0.1, 9),
        ([10000000.2, *[10000000.1, 10000000.3] * 500], 10000000.2, 0.1, 8),
        ((LIGHT["速度"] / 1000 + 299).tolist(), 299.8524, 0.0790105478190518, 12),
    ],
    ids=["NumAcc1", "NumAcc2", "NumAcc3", "NumAcc4", "Michelso"],
)
def test_certified_values(values: list[float], mean: float, sd: float, digits: int) -> None:
    found = one(values)
    assert found["mean"] == pytest.approx(mean, rel=1e-14)
    assert found["sd"] == pytest.approx(sd, rel=10.0**-digits)


def test_numbers_of_the_catalogue() -> None:
    found = one(LIGHT["速度"])
    assert found["mean"] == pytest.approx(852.4) and found["sd"] == pytest.approx(79.0105, abs=5e-5)
    assert found["skewness"] == pytest.approx(-0.01853, abs=1e-5)
    assert found["kurtosis"] == pytest.approx(0.33968, abs=5e-6)
    assert (found["p25"], found["p75"]) == (802.5, 897.5)


# ---- refusals and warnings -----------------------------------------------------------------------------------------
def test_text_is_refused_by_name() -> None:
    refusal = refused(pd.DataFrame({"意见": [f"第{i}条" for i in range(30)]}), {"意见": "文本"}, variables=["意见"])
    assert refusal.code == "role.measure" and "意见" in refusal.text


def test_a_single_value_is_refused() -> None:
    refusal = refused(pd.DataFrame({"x": [3.5, None, None]}), {"x": "定量"}, variables=["x"])
    assert refusal.code == "data.few" and "“x”有效样本仅 1 个，无法计算标准差、偏度和峰度" in refusal.text


def test_a_single_value_beside_others_is_a_warning() -> None:
    elements = report(pd.DataFrame({"x": [3.5, None, None], "y": [1, 2, 4]}), variables=["x", "y"], statistics=EVERY)
    assert overall(elements, "x")["mean"] == 3.5 and overall(elements, "x")["sd"] is None
    assert "有效样本仅" in said(elements)


@pytest.mark.parametrize("bad", [-1, 100.5])
def test_percentiles_outside_are_refused(bad: float) -> None:
    refusal = refused(LIGHT, {"速度": "定量"}, variables=["速度"], percentiles=[5, bad])
    assert refusal.code == "numbers.each" and "自定义百分位" in refusal.text


def test_means_of_positive_numbers_only() -> None:
    elements = report(pd.DataFrame({"x": [0, 1, 2, 3, 4.0]}), variables=["x"], statistics=EVERY)
    assert "含小于或等于 0 的值，{what}不适用" in said(elements)
    assert overall(elements, "x")["gmean"] is None and overall(elements, "x")["hmean"] is None


def test_fractional_weights_are_refused() -> None:
    frame = LIGHT.assign(w=1.5)
    assert refused(frame, {"w": "定量", "速度": "定量"}, variables=["速度"], weight="w").code == "weight.whole"


def test_too_many_groups_are_refused() -> None:
    frame = pd.DataFrame({"x": range(60), "g": [f"g{i}" for i in range(60)]})
    assert refused(frame, {"x": "定量", "g": "定类"}, variables=["x"], group="g").code == "role.levels"


# ---- branches ------------------------------------------------------------------------------------------------------
def test_only_what_was_asked_for_is_shown() -> None:
    elements = report(LIGHT, variables=["速度"], statistics=["median", "mad"], chart=[])
    assert list(overall(elements, "速度")) == ["variable", "median", "mad"]
    assert not table(elements, "shape")


def test_small_samples_have_what_can_be_computed() -> None:
    two, three = one([1, 4]), one([1, 2, 6])
    assert two["sd"] == pytest.approx(np.sqrt(4.5)) and two["skewness"] is None
    assert three["skewness"] is not None and three["kurtosis"] is None


def test_quantiles_by_three_rules() -> None:
    values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 20]
    assert (one(values)["p25"], one(values)["p75"]) == (2.75, 8.25)
    assert one(values, quantile_def="linear")["p25"] == 3.25
    assert (one(values, quantile_def="tukey")["p25"], one(values, quantile_def="tukey")["p75"]) == (3, 8)


def test_own_percentiles_stand_in_order_beside_the_usual_ones() -> None:
    row = table(report(LIGHT, variables=["速度"], percentiles=[97.5, 0, 100]), "percentiles")[0]
    assert list(row)[1:] == ["P0", "P5", "P10", "P25", "P50", "P75", "P90", "P95", "P97.5", "P100"]
    assert (row["P0"], row["P100"]) == (620, 1070)


def test_a_mode_is_the_smallest_of_the_most_frequent() -> None:
    elements = report(pd.DataFrame({"x": [3, 3, 1, 1, 2]}), variables=["x"], statistics=["mode"])
    assert overall(elements, "x")["mode"] == 1 and "表中为最小的一个" in said(elements)


def test_the_coefficient_of_variation_needs_a_positive_mean() -> None:
    elements = report(pd.DataFrame({"x": [-3, -1, 1.5]}), variables=["x"], statistics=["cv"])
    assert overall(elements, "x")["cv"] is None and "变异系数没有意义" in said(elements)


def test_no_variation_is_said() -> None:
    elements = report(pd.DataFrame({"x": [5.0] * 8}), variables=["x"], statistics=EVERY)
    found = overall(elements, "x")
    assert found["sd"] == 0 and found["skewness"] is None
    assert "全部取值都是" in said(elements) and "没有变异" in said(elements)


def test_groups_and_rows_without_a_group() -> None:
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6], "g": ["乙", "乙", "甲", "甲", "甲", None]})
    elements = report(frame, {"g": "定类"}, variables=["x"], group="g", statistics=["n", "mean"])
    assert [(row["level"], row["n"], row["mean"]) for row in table(elements, "groups")] == [
        ("乙", 2, 1.5),
        ("甲", 3, 4),
    ]
    assert overall(elements, "x")["n"] == 6 and "只计入总体描述" in said(elements)


def test_variables_of_like_scale_share_a_picture() -> None:
    rng = np.random.default_rng(3)
    items = pd.DataFrame({f"q{i}": rng.integers(1, 6, 40) for i in range(1, 13)})
    names = list(items.columns)
    together = report(items, variables=names, chart=["box", "line"])
    assert [e["name"] for e in together if e["type"] == "chart"] == ["box", "line"]
    apart = report(items.assign(q1=items["q1"] * 1000), variables=names, chart=["box"])
    assert len([e for e in apart if e["type"] == "chart"]) == 12


# ---- what must not change the numbers ------------------------------------------------------------------------------
def test_frequencies_are_copies() -> None:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"x": rng.gamma(2, 3, 60).round(1) + 0.1, "g": rng.choice(["甲", "乙"], 60)})
    frame["w"] = rng.integers(0, 4, 60)
    copied = frame.loc[frame.index.repeat(frame["w"])].reset_index(drop=True)
    form = {"variables": ["x"], "group": "g", "statistics": EVERY, "chart": ["box", "hist", "bar"]}
    a = report(frame, {"g": "定类", "w": "定量"}, weight="w", **form)
    b = report(copied, {"g": "定类"}, **form)
    for name in ("overall", "groups", "percentiles", "shape", "boxes", "means", "bins"):
        for left, right in zip(table(a, name), table(b, name), strict=True):
            for key, value in left.items():
                same = isinstance(value, str | list) or value is None
                assert value == right[key] if same else value == pytest.approx(right[key], rel=1e-12), (name, key)


def test_shift_and_scale() -> None:
    x = np.random.default_rng(6).gamma(2, 3, 300)
    plain, moved = one(x), one(x * 1e6 + 1e9)
    for key in ("skewness", "kurtosis"):
        assert moved[key] == pytest.approx(plain[key], rel=1e-6)
    for key in ("sd", "iqr", "range", "mad"):
        assert moved[key] == pytest.approx(plain[key] * 1e6, rel=1e-9)
    for key in ("mean", "median", "p25", "trimmed"):
        assert moved[key] == pytest.approx(plain[key] * 1e6 + 1e9, rel=1e-12)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_extreme_magnitudes(scale: float) -> None:
    x = np.random.default_rng(7).uniform(1, 1.5, 200)
    found, plain = one(x * scale), one(x)
    for key in ("mean", "sd", "median", "gmean", "hmean", "trimmed", "mad"):
        assert found[key] == pytest.approx(plain[key] * scale, rel=1e-12)
    assert found["var"] is None and found["cv"] == pytest.approx(plain["cv"], rel=1e-12)
    assert "超出双精度数能表示的范围" in said(
        report(pd.DataFrame({"x": x * scale}), variables=["x"], statistics=["var"])
    )


def test_sixty_items_keep_their_own_rows() -> None:
    frame = pd.DataFrame({f"i{k}": np.arange(10.0) + k for k in range(1, 61)})
    elements = report(frame, variables=[f"i{k}" for k in range(1, 61)], chart=[])
    for k in range(1, 61):
        assert overall(elements, f"i{k}")["mean"] == 4.5 + k


def test_least_and_greatest_are_written_as_the_data_has_them() -> None:
    frame = pd.DataFrame({"年龄": [18, 25, 60, 41, 33], "体温": [36.5, 37.0, 36.8, 38.25, 36.9]})
    text = said(report(frame, dict.fromkeys(frame, "定量"), variables=list(frame)))
    assert "取值从 {min_0:num0} 到 {max_0:num0}" in text and "取值从 {min_1:num2} 到 {max_1:num2}" in text
    assert "{max:num}" not in text


def test_groups_that_share_the_highest_mean_are_all_named() -> None:
    frame = pd.DataFrame({"值": [1.0, 2, 3, 1, 2, 3, 0, 0, 1], "组": list("aaabbbccc")})
    lead = next(e for e in report(frame, {"组": "定类"}, variables=["值"], group="组") if e["type"] == "lead")
    assert lead["facts"]["top_0"] == "a”“b" and lead["facts"]["bottom_0"] == "c"


def test_the_cases_told_are_those_with_a_value() -> None:
    frame = pd.DataFrame({"速": [1.0, 2, None, 4], "数": [2, 3, 7, 1]})
    made = run_on_frame(PATH, frame, {"variables": ["速"], "weight": "数"}, measures={"速": "定量"}, strict=True)
    assert made["parts"][0]["sample"]["used"] == 3 and made["parts"][0]["sample"]["weighted"] == 6


def test_infinities_of_a_frame_are_missing() -> None:
    """As in an imported file."""
    elements = report(pd.DataFrame({"x": [1.0, 2, np.inf, 4, -np.inf, 9]}), variables=["x"], statistics=EVERY)
    row = overall(elements, "x")
    assert (row["n"], row["missing"], row["mean"], row["max"]) == (4, 2, 4.0, 9.0)


def test_items_of_one_scale_are_summed_up_first() -> None:
    rng = np.random.default_rng(3)
    items = {f"{i}、您对“{word}”的看法": rng.integers(1, 6, 60) for i, word in enumerate(("教学", "平台", "服务"), 1)}
    frame = pd.DataFrame(items).assign(**{"1、您对“教学”的看法": [5, 4, 3] * 20, "3、您对“服务”的看法": [1, 2, 3] * 20})
    made = run_on_frame(PATH, frame, {"variables": list(frame)}, strict=True)
    lead = made["parts"][0]["elements"][0]
    assert lead["text"].startswith("{items:integer} 题中，平均分最高的是“{top}”")
    assert (lead["facts"]["top"], lead["facts"]["bottom"], lead["facts"]["top_mean"]) == ("教学", "服务", 4.0)
