"""Branches and refusals of path analysis."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.testing import Elements, Trial, records, said, warnings

PATH = "questionnaire/path_analysis"
FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
VARIABLES = ["cond", "import", "pmi", "reaction"]
EDGES = [
    {"source": a, "target": b}
    for a, b in [("cond", "import"), ("cond", "pmi"), ("import", "reaction"), ("pmi", "reaction")]
]
TRIAL = Trial(PATH, FRAME, {"variables": VARIABLES, "paths": {"edges": EDGES}})


def report(frame: pd.DataFrame = FRAME, **form: Any) -> Elements:
    return TRIAL.report(frame, dict.fromkeys(frame.columns, "定量"), **form)


def refused(frame: pd.DataFrame = FRAME, **form: Any) -> Refusal:
    return TRIAL.refused(frame, dict.fromkeys(frame.columns, "定量"), **form)


def test_no_path_a_circle_and_too_many_paths_are_refused() -> None:
    assert refused(paths={"edges": []}).code == "paths.none"
    assert refused(paths={"edges": [*EDGES, {"source": "reaction", "target": "cond"}]}).code == "paths.cycle"
    pairs = [(a, b) for i, a in enumerate(VARIABLES) for b in VARIABLES[i + 1 :]]
    full = [{"source": a, "target": b} for a, b in pairs]
    curve = {"source": "import", "target": "pmi", "kind": "cov"}
    refusal = refused(paths={"edges": [*full, curve]})
    assert refusal.code == "data.unidentified" and "待估参数 11 个，多于" in refusal.text


def test_effects_add_up_to_the_total() -> None:
    full = [*EDGES, {"source": "cond", "target": "reaction"}]
    elements = report(paths={"edges": full})
    direct = next(r["b"] for r in records(elements, "coefficients") if r["path"] == "cond → reaction")
    rows = {r["kind"]: r["b"] for r in records(elements, "effects")}
    assert rows["间接"] + direct == pytest.approx(rows["总"], rel=1e-10)


def test_a_variable_without_arrows_is_left_out_and_named() -> None:
    elements = report(variables=[*VARIABLES, "age"])
    assert "data.idle" in warnings(elements)
    assert np.allclose(
        [r["b"] for r in records(elements, "coefficients")], [r["b"] for r in records(report(), "coefficients")]
    )


def test_a_fixed_path_keeps_its_value_in_the_units_of_the_data() -> None:
    edges = [{**EDGES[0], "free": False, "value": 0.5}, *EDGES[1:]]
    row = records(report(FRAME.assign(cond=FRAME["cond"] * 1000), paths={"edges": edges}), "coefficients")[0]
    assert row["b"] == 0.5 and row["se"] is None


def test_bootstrap_interval_lies_around_the_effect() -> None:
    row = records(report(n_boot=300), "effects")[0]
    assert row["low"] < row["b"] < row["high"]


def test_no_causal_verbs() -> None:
    for verb in ("导致", "使得", "造成"):
        assert verb not in said(report())
