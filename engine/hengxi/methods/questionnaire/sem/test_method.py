"""Branches and refusals of structural equation models, and what must not change their numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.testing import Elements, Trial, check, records, said, warnings

PATH = "questionnaire/sem"
FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
FACTORS = [
    {"id": "b1", "name": "工业化", "columns": ["x1", "x2", "x3"]},
    {"id": "b2", "name": "民主60", "columns": ["y1", "y2", "y3", "y4"]},
    {"id": "b3", "name": "民主65", "columns": ["y5", "y6", "y7", "y8"]},
]
EDGES = [{"source": "b1", "target": "b2"}, {"source": "b1", "target": "b3"}, {"source": "b2", "target": "b3"}]
TRIAL = Trial(PATH, FRAME, {"factors": FACTORS, "paths": {"edges": EDGES}}, dict.fromkeys(FRAME.columns, "定量"))


def report(frame: pd.DataFrame = FRAME, **form: Any) -> Elements:
    return TRIAL.report(frame, dict.fromkeys(frame.columns, "定量"), **form)


def refused(frame: pd.DataFrame = FRAME, **form: Any) -> Refusal:
    return TRIAL.refused(frame, dict.fromkeys(frame.columns, "定量"), **form)


def betas(elements: Elements) -> list[float]:
    return [row["standard"] for name in ("structure", "loadings") for row in records(elements, name)]


def test_more_parameters_than_moments_are_refused_by_count() -> None:
    two = [{"id": "b1", "name": "甲", "columns": ["x1", "x2"]}, {"id": "b2", "name": "乙", "columns": ["y1", "y2"]}]
    pairs = [{"first": "x1", "second": "y1"}, {"first": "x2", "second": "y2"}]
    refusal = refused(factors=two, paths={"edges": [{"source": "b1", "target": "b2"}]}, residuals=pairs)
    assert refusal.code == "data.unidentified" and "待估参数 11 个，多于已知的方差和协方差 10 个" in refusal.text


def test_an_unidentified_part_is_refused_with_its_parameters() -> None:
    """A curve beside an arrow between the same two factors: together they are one number."""
    both = [*EDGES, {"source": "b2", "target": "b3", "kind": "cov"}]
    refusal = refused(paths={"edges": both})
    assert refusal.code == "data.unidentified" and "“民主60”到“民主65”的路径" in refusal.text
    assert "“x1”" not in refusal.text


def test_a_circle_is_refused() -> None:
    refusal = refused(paths={"edges": [*EDGES, {"source": "b3", "target": "b1"}]})
    assert refusal.code == "paths.cycle" and "民主65 → 工业化" in refusal.text


def test_a_factor_of_one_item_is_refused_by_name() -> None:
    refusal = refused(factors=[{**FACTORS[0], "columns": ["x1"]}, *FACTORS[1:]])
    assert refusal.code == "blocks.size" and "工业化" in refusal.text


def test_a_path_to_what_is_gone_is_refused() -> None:
    assert refused(paths={"edges": [{"source": "b1", "target": "abc"}]}).code == "paths.unknown"


def test_a_residual_of_another_variable_is_refused() -> None:
    refusal = refused(FRAME.assign(z=FRAME["x1"] * 2), residuals=[{"first": "z", "second": "y1"}])
    assert refusal.code == "matched.unknown" and "“z”" in refusal.text


def test_a_copied_item_is_refused_with_both_names() -> None:
    refusal = refused(FRAME.assign(y8=FRAME["y1"] * 2 + 1))
    assert refusal.code == "data.singular" and "“y1”" in refusal.text and "“y8”" in refusal.text


def test_a_constant_item_and_too_few_cases_are_refused() -> None:
    assert refused(FRAME.assign(y8=3)).code == "role.constant"
    assert "样本量必须大于变量数" in refused(FRAME.iloc[:9]).text


def test_items_without_anything_in_common_end_in_a_refusal_or_a_warning() -> None:
    rng = np.random.default_rng(3)
    noise = pd.DataFrame(rng.normal(size=(60, 11)), columns=FRAME.columns)
    try:
        elements = report(noise)
    except Refusal as refusal:
        assert refusal.code in ("data.unconverged", "data.unidentified")
    else:
        assert check(elements, "解是否合理")["state"] == "fail" or betas(elements)


def test_a_negative_variance_is_said_by_name() -> None:
    rng = np.random.default_rng(11)
    r = np.array([[1, 0.9, 0.8], [0.9, 1, 0.55], [0.8, 0.55, 1]])
    x = rng.normal(size=(75, 3))
    x = (x - x.mean(axis=0)) @ np.linalg.inv(np.linalg.cholesky(np.cov(x.T))).T @ np.linalg.cholesky(r).T
    frame = FRAME.assign(x1=x[:, 0], x2=x[:, 1], x3=x[:, 2])
    elements = report(frame)
    assert "model.heywood" in warnings(elements) and "“x1”" in str(check(elements, "解是否合理")["facts"])


def test_bootstrap_follows_its_seed_and_lies_near_the_delta_method() -> None:
    one, same, other = (report(n_boot=200, seed=seed) for seed in (1, 1, 2))
    first = records(one, "effects")[0]
    assert records(one, "effects") == records(same, "effects") != records(other, "effects")
    assert first["low"] < first["b"] < first["high"]
    assert (first["high"] - first["low"]) / 3.92 == pytest.approx(first["se"], rel=0.35)


def test_bootstrap_with_gaps_is_refused_with_two_ways_out() -> None:
    frame = FRAME.copy()
    frame.loc[:3, "y1"] = np.nan
    refusal = refused(frame, n_boot=200, missing="fiml")
    assert refusal.code == "data.missing" and len(refusal.faults[0].remedies) == 2


def test_stop_and_keep_says_how_many_there_were() -> None:
    from hengxi.prepare import ids_by_name, report_on
    from tests.support.oracle import table_from

    table = table_from(FRAME, dict.fromkeys(FRAME.columns, "定量"))
    assert ids_by_name(table)
    done = report_on(
        PATH, table, {**TRIAL.form, "n_boot": 1000}, progress=lambda done, of, text="", best=None: done < 0.3
    )
    assert "Bootstrap 提前停止" in str(done)


@pytest.mark.parametrize("scale", [1e-100, 1e100])
def test_units_do_not_matter(scale: float) -> None:
    frame = FRAME.astype(float).assign(y1=FRAME["y1"] * scale, x1=FRAME["x1"] / scale)
    assert np.allclose(betas(report(frame)), betas(report()), atol=1e-8)


def test_fixed_paths_are_kept() -> None:
    edges = [{**EDGES[0], "free": False, "value": 1.5}, *EDGES[1:]]
    row = records(report(paths={"edges": edges}), "structure")[0]
    assert row["b"] == 1.5 and row["se"] is None


def test_no_causal_verbs() -> None:
    for verb in ("导致", "使得", "造成", "证明了假设"):
        assert verb not in said(report())


def test_factors_that_are_one_are_named() -> None:
    found = check(report(), "区分效度")
    assert found["state"] == "fail" and found["facts"]["pair"] == "“民主60”与“民主65”"
