"""Branches and refusals of binning, and what the binned variable is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.stats import cut_points
from hengxi.testing import Trial

PATH = "data_processing/binning"
FRAME = pd.DataFrame(
    {"x": [1.0, 2, 3, 4, 5, 6, 7, 8, None], "好": list("否否否是否是是是是"), "三": list("甲乙丙甲乙丙甲乙丙")}
)


TRIAL = Trial(PATH, FRAME, {"variables": ["x"]}, {"x": "定量", "好": "定类", "三": "定类"})
report, refused = TRIAL.document, TRIAL.refused


def element(made: dict[str, Any], name: str) -> dict[str, Any]:
    return next(e for e in made["parts"][0]["elements"] if e.get("name") == name)


def codes(made: dict[str, Any]) -> list[Any]:
    return [row[-1] for row in element(made, "data")["step"]["preview"]["after"]]


def labels(made: dict[str, Any], side: str) -> list[tuple[Any, str]]:
    """What the codes of the last variable shown are called in the look before or after."""
    column = element(made, "data")["step"]["preview"]["columns"][-1]
    return [(one["value"], one["label"]) for one in column[f"labels_{side}"]]


def warnings(made: dict[str, Any]) -> list[str]:
    return [e["code"] for e in made["parts"][0]["elements"] if e["type"] == "warning"]


# ---- refusals ------------------------------------------------------------------------------------------------------
def test_cuts_must_ascend() -> None:
    refusal = refused(method="custom", cuts=[5, 3])
    assert refusal.code == "numbers.order" and "“自定义切点”必须严格递增" in refusal.text
    assert refused(method="custom", cuts=[]).code == "numbers.required"


@pytest.mark.parametrize("form", [{"method": "tree"}, {"method": "mdlp"}, {"method": "chimerge"}, {"woe": True}])
def test_a_target_is_asked_for(form: dict[str, Any]) -> None:
    refusal = refused(**form)
    assert refusal.text == "请放入目标变量" and refusal.faults[0].field == "target"


def test_weight_of_evidence_wants_two_classes() -> None:
    assert refused(target="三", woe=True).text == "“三”有 3 个类别，WOE 只适用于两类目标"


def test_merging_wants_classes() -> None:
    frame = FRAME.assign(y=np.arange(9.0) * 1.5)
    assert "须是定类变量" in refused(frame, target="y", method="mdlp").text


def test_labels_must_be_as_many_as_bins() -> None:
    refusal = refused(n_bins=2, labels="custom", label_text="低，中，高")
    assert refusal.code == "labels.count" and "3 个" in refusal.text
    made = report(n_bins=2, labels="custom", label_text="低，高")
    assert [row[2] for row in element(made, "bins")["rows"]][:2] == ["低", "高"]


def test_a_constant_is_not_binned() -> None:
    assert "只有一个取值" in refused(FRAME.assign(x=3.0)).text
    assert "全部缺失" in refused(FRAME.assign(x=np.nan)).text


# ---- branches ------------------------------------------------------------------------------------------------------
def test_ends_belong_where_it_is_said() -> None:
    form: dict[str, Any] = {"method": "custom", "cuts": [3, 6]}
    assert codes(report(**form)) == [1, 1, 1, 2, 2, 2, 3, 3]
    assert codes(report(**form, right=False)) == [1, 1, 2, 2, 2, 3, 3, 3]


def test_values_beyond_closed_ends_are_missing_and_counted() -> None:
    made = report(method="custom", cuts=[2, 4, 7], open_ends=False)
    assert codes(made) == [None, 1, 1, 1, 2, 2, 2, None] and "bins.outside" in warnings(made)


def test_repeated_values_give_fewer_bins() -> None:
    made = report(FRAME.assign(x=[1.0, 1, 1, 1, 1, 1, 2, 3, None]))
    assert "bins.fewer" in warnings(made) and len(element(made, "data")["columns"]) == 1


@pytest.mark.parametrize(
    ("values", "right", "bins"),
    [
        # R: table(cut(x, unique(c(-Inf, quantile(x, 1:3 / 4), Inf)), right = right)), without the empty ones
        ([1.0, 1, 1, 3], True, [("[1, 1]", 3), ("(1, 3]", 1)]),
        ([1.0, 1, 1, 3], False, [("[1, 1.5)", 3), ("[1.5, 3]", 1)]),
        ([1.0, 1, 4, 25], False, [("[1, 2.5)", 2), ("[2.5, 9.25)", 1), ("[9.25, 25]", 1)]),
        ([0.0, 0, 0, 0, 0, 2, 7, 9], True, [("[0, 0]", 5), ("(0, 3.25]", 1), ("(3.25, 9]", 2)]),
    ],
)
def test_bins_of_equal_counts_are_never_empty(values: list[float], right: bool, bins: list[tuple[str, int]]) -> None:
    made = report(pd.DataFrame({"x": values}), right=right, n_bins=4)
    assert [(row[2], row[5]) for row in element(made, "bins")["rows"]] == bins and "bins.fewer" in warnings(made)


def test_labels() -> None:
    def shown(**form: Any) -> list[str]:
        return [row[2] for row in element(report(n_bins=2, **form), "bins")["rows"]][:2]

    assert shown() == ["[1, 4.5]", "(4.5, 8]"]
    assert shown(right=False) == ["[1, 4.5)", "[4.5, 8]"]
    assert shown(labels="index") == ["1", "2"]
    assert shown(labels="median") == ["2.5", "6.5"]


def test_an_empty_side_gets_half_a_case() -> None:
    made = report(method="tree", n_bins=3, target="好")
    assert "woe.adjusted" in warnings(made)


def test_nothing_worth_cutting() -> None:
    frame = FRAME.assign(好=list("否是否是否是否是否"))
    made = report(frame, method="mdlp", target="好")
    assert "bins.one" in warnings(made) and codes(made)[0] == 1


def test_the_binned_variable_is_an_ordered_class_with_labels() -> None:
    column = element(report(), "data")["columns"][0]
    assert column["name"] == "x_分箱" and column["measure"] == "定类"
    replaced = element(report(mode="replace", n_bins=2), "data")
    assert replaced["step"]["changed"][0]["cells"] == 7  # 1 stays 1 in the first bin
    assert replaced["columns"] == []


def test_bins_are_found_in_the_rows_of_an_active_filter() -> None:
    made = report(n_bins=2, filter="{c1} <= 4")
    assert codes(made) == [1, 1, 2, 2, None, None, None, None]


# ---- cut points ----------------------------------------------------------------------------------------------------
def test_natural_breaks_are_the_best_of_all() -> None:
    x = np.random.default_rng(3).normal(size=14).round(2)
    values = np.unique(x)

    def cost(cuts: list[float]) -> float:
        groups = np.searchsorted(cuts, x, side="left")
        return float(sum(((x[groups == g] - x[groups == g].mean()) ** 2).sum() for g in set(groups.tolist())))

    every = [cost([float(a), float(b)]) for i, a in enumerate(values[:-2]) for b in values[i + 1 : -1]]
    assert cost(cut_points.natural_breaks(x, 3).tolist()) == pytest.approx(min(every))


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_extreme_magnitudes(scale: float) -> None:
    x = np.random.default_rng(4).uniform(1, 9, 50) * scale
    for cuts in (cut_points.equal_width(x, 4), cut_points.k_means(x, 4), cut_points.equal_count(x, 4)):
        assert np.isfinite(cuts).all() and len(cuts) == 3


def test_bins_of_a_tree_are_never_tiny() -> None:
    """One perfectly told row would be a bin of its own."""
    x = np.arange(100.0)
    target = np.zeros(100)
    target[0] = target[60:] = 1.0
    cuts = cut_points.tree(x, target, 4, True)
    assert np.diff(np.searchsorted(x, [-1.0, *cuts, 100.0])).min() >= 5 and 59.5 in cuts


def test_k_means_is_the_best_grouping_whatever_the_start() -> None:
    """Equal widths as a start would leave the two near groups together and halve the far one."""
    x = np.array([0.0, 0.1, 0.2, 1.0, 1.1, 1.2, 50.0, 50.1, 99.0, 100.0])
    assert cut_points.k_means(x, 4).tolist() == pytest.approx([0.6, 25.575, 74.775])


# ---- the look ahead ------------------------------------------------------------------------------------------------
def test_the_look_says_what_the_codes_are_called() -> None:
    made = report(n_bins=2, labels="custom", label_text="低，高")
    assert labels(made, "before") == [] and labels(made, "after") == [(1.0, "低"), (2.0, "高")]
