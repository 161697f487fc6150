"""Branches and refusals of mediation, and its bootstrap against that of R."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.families.mechanism import effects
from hengxi.families.mechanism.effects import Equation
from hengxi.testing import Elements, Trial, check, records, said

PATH = "questionnaire/mediating_effects"
FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial(PATH, FRAME, {"x": ["cond"], "m": ["pmi"], "y": "reaction"}, dict.fromkeys(FRAME.columns, "定量"))


def report(frame: pd.DataFrame = FRAME, **form: Any) -> Elements:
    return TRIAL.report(frame, **{"n_boot": 1000, **form})


def refused(frame: pd.DataFrame = FRAME, **form: Any) -> Refusal:
    return TRIAL.refused(frame, **form)


# R 4.2.2, boot 1.3-28, boot(d, f, 20000), set.seed(1): sd and boot.ci(type = c("perc", "bca")).
R_BOOT = {"se": 0.1309679, "percentile": (0.0058, 0.5192), "bca": (0.0140, 0.5295)}


def test_bootstrap_agrees_with_that_of_r() -> None:
    for kind in ("percentile", "bca"):
        row = records(report(n_boot=20000, ci=kind), "indirect")[0]
        assert row["boot_se"] == pytest.approx(R_BOOT["se"], abs=0.004)
        assert (row["low"], row["high"]) == pytest.approx(R_BOOT[kind], abs=0.02)


def test_slopes_of_a_resample_are_those_of_its_rows() -> None:
    z = FRAME[["cond", "pmi", "reaction"]].to_numpy(dtype=float)
    equation = Equation(2, (0, 1))
    for k, moments in enumerate(effects.left_out(z)[:3]):
        rows = np.delete(z, k, axis=0)
        design = np.column_stack((np.ones(len(rows)), rows[:, :2]))
        expected = np.linalg.lstsq(design, rows[:, 2], rcond=None)[0][1:]
        assert np.allclose(effects.coefficients(moments[None], [equation])[0][0], expected, rtol=1e-9)


def test_a_variable_in_two_boxes_and_a_categorical_mediator_are_refused() -> None:
    assert "“cond”" in refused(m=["cond"]).text
    frame = FRAME.assign(pmi=["甲", "乙", "丙"] * 41)
    assert TRIAL.refused(frame, {"pmi": "定类"}).code == "role.measure"


def test_too_few_cases_constants_and_copies_are_refused() -> None:
    assert "有效样本过少（n = 20）" in refused(FRAME.iloc[:20]).text
    assert refused(FRAME.assign(pmi=3)).code == "role.constant"
    refusal = refused(FRAME.assign(copy=FRAME["pmi"] * 2), m=["pmi", "copy"])
    assert refusal.code == "data.collinear" and "“pmi”" in refusal.text and "“copy”" in refusal.text


def test_effects_add_up_and_a_serial_model_has_every_chain() -> None:
    elements = report(m=["import", "pmi"], model="serial")
    rows = {row["kind"]: row["effect"] for row in records(elements, "whole")}
    assert rows["总效应 c"] == pytest.approx(rows["直接效应 c′"] + rows["总间接效应"], rel=1e-10)
    assert len(records(elements, "indirect")) == 3 and len(records(elements, "contrasts")) == 3


def test_units_do_not_change_the_standardised_answer() -> None:
    frame = FRAME.assign(cond=FRAME["cond"] * 1e6 + 1e7, pmi=FRAME["pmi"] / 1e5)
    one, other = (records(report(f, standardize=True), "indirect")[0] for f in (FRAME, frame))
    for key in ("effect", "boot_se", "low", "high"):
        assert one[key] == pytest.approx(other[key], rel=1e-6)


def test_a_suppressed_effect_has_no_share_and_is_called_so() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=300)
    m = x + rng.normal(size=300)
    frame = pd.DataFrame({"cond": x, "pmi": m, "reaction": 1.5 * m - 1.2 * x + rng.normal(size=300) * 0.5})
    elements = report(frame)
    assert "遮掩" in next(e for e in elements if e["type"] == "lead")["facts"]["kinds"]
    assert "不能证明因果" in said(elements) and check(elements, "共线性")["state"] == "pass"
