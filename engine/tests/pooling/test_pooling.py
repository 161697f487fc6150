"""Rubin's rules on given imputations, against mice; and what the course of a run makes of the copies."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi import registry
from hengxi.contract import Refusal
from hengxi.contract.method import Processing
from hengxi.data.build import table_of
from hengxi.data.meta import Imputed
from hengxi.data.table import Table
from hengxi.jobs.analysis import plain
from hengxi.prepare import report_on
from hengxi.stats import rubin
from hengxi.testing import cells, check, element, records, said, warnings
from tests.support import oracle
from tools.seals import SEAL, seal

HERE = Path(__file__).parent
FRAME = pd.read_csv(HERE / "imputed.csv")
T_TEST = "hypothesis_test/independent_t_test"
FORM: dict[str, Any] = {"group": "炎热", "variables": ["臭氧"]}


def imputed(frame: pd.DataFrame) -> Table:
    """A version with copies, as the step 缺失值处理 makes it."""
    table = table_of({name: frame[name].tolist() for name in frame}, {"_imp_": "定类"})
    column = next(one.id for one in table.meta.columns if one.name == "_imp_")
    table.meta.imputed = Imputed(m=int(frame["_imp_"].nunique()), column=column)
    return table


@cache
def airquality() -> Table:
    return imputed(FRAME)


def run(path: str, form: dict[str, Any], table: Table | None = None, **around: Any) -> dict[str, Any]:
    return plain(report_on(path, table or airquality(), form, True, **around))


def elements(path: str, form: dict[str, Any], table: Table | None = None, **around: Any) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = run(path, form, table, **around)["parts"][0]["elements"]
    return made


CASES = [oracle.Case(raw["path"], raw) for raw in json.loads((HERE / "oracle.json").read_text("utf-8"))["cases"]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_numbers_agree_with_mice(case: oracle.Case) -> None:
    report = run(case.path, case.form)
    found = oracle.differences(case, report) + oracle.unsaid(case, report)
    assert not found, "\n".join(found)


def test_oracle_is_what_its_script_gave() -> None:
    assert (HERE / SEAL).read_text(encoding="utf-8") == seal(HERE)


def test_every_analysis_that_pools_is_compared_with_mice() -> None:
    pooling = {path for path in registry.paths() if registry.load(path).pool}
    assert {path for path in pooling if not issubclass(registry.load(path), Processing)} == {c.path for c in CASES}


# ---- the rules by themselves ---------------------------------------------------------------------------------------
def test_without_gaps_a_pooled_estimate_is_that_of_one_table() -> None:
    """Equal copies: the df are those of Barnard & Rubin's complete data, the test is nearly that of one copy."""
    one = FRAME[FRAME["_imp_"] == 1]
    same = imputed(pd.concat([one.assign(_imp_=i) for i in (1, 2, 3)], ignore_index=True))
    [student, welch] = records(elements(T_TEST, FORM, same), "pooled")
    alone = records(elements(T_TEST, FORM, table_of({c: one[c].tolist() for c in one})), "result")
    assert [student["estimate"], welch["estimate"]] == pytest.approx([row["difference"] for row in alone], rel=1e-12)
    assert [student["se"], welch["se"]] == pytest.approx([row["se"] for row in alone], rel=1e-12)
    assert student["df"] == pytest.approx(152 / 154 * 151, rel=1e-12)


def test_one_joint_coefficient_is_its_t_test() -> None:
    values, errors = [1.2, 1.5, 0.9], [0.4, 0.5, 0.45]
    single = rubin.pool(values, errors, 40)
    wald = rubin.pool_joint([np.array([v]) for v in values], [np.array([[e * e]]) for e in errors], 40)
    assert wald is not None
    assert (wald.F, wald.df2) == pytest.approx(((single.value / single.se) ** 2, single.df), rel=1e-12)


def test_a_joint_test_does_not_depend_on_units() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(5, 3))
    covariances = np.array([np.cov(rng.normal(size=(3, 9))) for _ in range(5)])
    units = np.array([1e-9, 1.0, 1e12])
    one = rubin.pool_joint(values, covariances, 30)  # type: ignore[arg-type]
    other = rubin.pool_joint(values * units, covariances * np.outer(units, units), 30)  # type: ignore[arg-type]
    assert one is not None and other is not None
    assert (one.F, one.df2, one.p) == pytest.approx((other.F, other.df2, other.p), rel=1e-9)


@pytest.mark.parametrize("m", [2, 3])
def test_two_copies_give_a_joint_test_with_few_df(m: int) -> None:
    rng = np.random.default_rng(m)
    found = rubin.pool_joint(rng.normal(size=(m, 2)), np.stack([np.eye(2)] * m), 20)  # type: ignore[arg-type]
    assert found is not None and found.df2 > 0 and 0 < found.p < 1


def test_covariances_that_cannot_be_inverted_give_no_joint_test() -> None:
    flat = np.ones((2, 2))
    assert rubin.pool_joint(np.ones((3, 2)), np.stack([flat] * 3), 20) is None  # type: ignore[arg-type]
    assert rubin.pool_joint(np.ones((3, 2)), np.zeros((3, 2, 2)), 20) is None  # type: ignore[arg-type]


def test_a_share_explained_stays_between_0_and_1() -> None:
    low = rubin.pool_share([0.0, 0.001, 0.002], 30, 0.95)
    assert low.low == 0 <= low.value <= low.high < 1


# ---- the report ----------------------------------------------------------------------------------------------------
def test_a_report_speaks_of_the_copies() -> None:
    report = run(T_TEST, FORM)
    found = report["parts"][0]["elements"]
    lead = next(one for one in found if one["type"] == "lead")
    assert "合并 {m:integer} 份插补后" in lead["text"] and lead["facts"]["m"] == 5
    assert (lead["facts"]["variable"], lead["facts"]["name"]) == ("臭氧", "否 − 是，Welch")
    assert report["sample"]["file"] == report["sample"]["used"] == 153
    assert "“两组比较”“效应量”" in next(
        one["facts"]["tables"] for one in found if "没有合并的表" in one.get("text", "")
    )
    assert "箱线图" in next(one["facts"]["charts"] for one in found if "没有合并的图" in one.get("text", ""))
    assert any("Barnard" in json.dumps(one) for one in report["references"])
    assert any("mice" in one for one in report["conventions"])


def test_enough_copies_are_as_many_as_the_percent_of_missing_information() -> None:
    found = check(elements(T_TEST, FORM), "插补份数")
    [largest] = [row["fmi"] for row in records(elements(T_TEST, FORM), "pooled") if "Welch" in row["name"]]
    assert found["facts"]["fmi"] == largest and found["facts"]["need"] == int(np.ceil(100 * largest))
    assert found["state"] == "care"


def test_checks_of_the_method_say_how_many_copies_they_hold_for() -> None:
    found = elements(T_TEST, FORM)
    own = [one for one in found if one["type"] == "check" and one["title"] != "插补份数"]
    assert own and all("份" in one["text"] and "为例" in one["text"] for one in own)


def test_several_variables_are_pooled_one_by_one() -> None:
    found = elements(T_TEST, {**FORM, "variables": ["臭氧", "日照"]})
    rows = records(found, "pooled")
    assert [row["variable"] for row in rows] == ["臭氧", "臭氧", "日照", "日照"]
    alone = records(elements(T_TEST, {**FORM, "variables": ["日照"]}), "pooled")
    assert [{**row, "variable": "日照"} for row in alone] == [row for row in rows if row["variable"] == "日照"]
    assert "{of:integer} 个{what}中" in said(found)


def test_a_split_pools_each_group_apart_and_the_copies_can_be_a_split() -> None:
    report = run(T_TEST, FORM, split={"column": "超标", "levels": None, "total": True})
    parts = {part["group"]["label"]: part for part in report["parts"]}
    assert set(parts) == {"否", "是", "合计"}
    assert records(parts["合计"]["elements"], "pooled") == records(elements(T_TEST, FORM), "pooled")
    of_each = run(T_TEST, FORM, split={"column": "_imp_", "levels": None, "total": False})
    assert [len(cells(part["elements"], "result")) for part in of_each["parts"]] == [2] * 5
    assert not cells(of_each["parts"][0]["elements"], "pooled")


def test_a_filter_that_reads_imputed_values_may_leave_copies_of_different_size() -> None:
    report = run(T_TEST, FORM, filter="{c1} < 90")
    assert "行数不同" in said(report["parts"][0]["elements"])


def test_one_copy_is_a_plain_report() -> None:
    found = elements(T_TEST, FORM, filter="{c8} = 1")
    assert cells(found, "result") and not cells(found, "pooled")


def test_a_weight_counts_in_every_copy() -> None:
    often = imputed(FRAME.assign(次数=2))
    repeated = imputed(pd.concat([FRAME, FRAME], ignore_index=True))
    weighted = records(elements(T_TEST, FORM, often, weight={"column": "次数", "kind": "frequency"}), "pooled")
    plain_rows = records(elements(T_TEST, FORM, repeated), "pooled")
    for one, other in zip(weighted, plain_rows, strict=True):
        assert [one[k] for k in ("estimate", "se", "df", "fmi")] == pytest.approx(
            [other[k] for k in ("estimate", "se", "df", "fmi")], rel=1e-9
        )


def test_what_is_not_in_every_copy_is_named() -> None:
    """A category that only imputed values have."""
    frame = FRAME.assign(
        月份=[
            "十月" if copy == 2 and i % 40 == 0 else month
            for i, (month, copy) in enumerate(zip(FRAME["月份"], FRAME["_imp_"], strict=True))
        ]
    )
    found = elements("statistical/linear_regression", {"y": "臭氧", "x": ["风速", "月份"]}, imputed(frame))
    text = next(one for one in found if "只在部分份里出现" in one.get("text", ""))
    assert "“月份：十月”" in text["facts"]["names"] and "“全部自变量”" in text["facts"]["names"]
    assert "风速" in [row["name"] for row in records(found, "pooled")]


def test_a_copy_that_is_refused_is_named() -> None:
    frame = FRAME.assign(臭氧=FRAME["臭氧"].where(FRAME["_imp_"] != 3, 7.0))
    with pytest.raises(Refusal, match="第 3 份插补数据：") as caught:
        elements("hypothesis_test/single_sample_t_test", {"variables": ["臭氧"]}, imputed(frame))
    assert caught.value.code == "data.constant"


def test_copies_without_a_common_estimate_are_refused() -> None:
    """An exact identity has no standard errors."""
    frame = FRAME.assign(两倍=FRAME["风速"] * 2)
    with pytest.raises(Refusal, match="没有一项共同的") as caught:
        elements("statistical/linear_regression", {"y": "两倍", "x": ["风速"]}, imputed(frame))
    assert caught.value.faults[0].remedies[0].set["_filter"].endswith("= 1")  # type: ignore[union-attr]


def test_other_methods_still_refuse() -> None:
    with pytest.raises(Refusal, match="不能合并各份的结果"):
        elements("descriptive/frequency", {"variables": ["炎热"]})


def test_filled_predictions_are_not_kept_and_that_is_said() -> None:
    found = elements("statistical/linear_regression", {"y": "臭氧", "x": ["风速"], "save": True})
    assert "没有保存到数据" in said(found)
    assert not [one for one in found if one["type"] == "data"]


def test_the_forest_shows_what_the_conclusion_reads() -> None:
    found = elements("statistical/linear_regression", {"y": "臭氧", "x": ["风速", "日照"]})
    assert element(found, "forest")["kind"] == "interval"
    assert [row["name"] for row in records(found, "forest_points")] == ["风速", "日照"]
    assert not warnings(found)
