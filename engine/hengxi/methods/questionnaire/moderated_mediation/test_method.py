"""Branches and refusals of moderated mediation, and its bootstrap against that of R."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.testing import Elements, Trial, records, said

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial(
    "questionnaire/moderated_mediation", FRAME,
    {"x": "prot2", "m": ["respappr"], "w": ["sexism"], "y": "liking", "model": "8"}, dict.fromkeys(FRAME.columns,
    "定量"),
)  # fmt: skip


def report(frame: pd.DataFrame = FRAME, **form: Any) -> Elements:
    return TRIAL.report(frame, **{"n_boot": 500, **form})


def refused(frame: pd.DataFrame = FRAME, **form: Any) -> Refusal:
    return TRIAL.refused(frame, **form)


# R 4.2.2, boot 1.3-28, boot(d, f, 20000), set.seed(1): IMM of model 8, its sd and boot.ci(type = "perc").
R_BOOT = {"se": 0.1364, "low": 0.0409, "high": 0.5729}


def test_bootstrap_agrees_with_that_of_r() -> None:
    row = records(report(n_boot=20000), "index")[0]
    assert row["boot_se"] == pytest.approx(R_BOOT["se"], abs=0.005)
    assert (row["low"], row["high"]) == pytest.approx((R_BOOT["low"], R_BOOT["high"]), abs=0.025)


def test_centring_changes_no_conditional_effect_and_no_index() -> None:
    reports = [report(centering=how) for how in ("none", "mean", "zscore")]
    for table, key in (("conditional", "effect"), ("direct", "effect")):
        one, other = ([row[key] for row in records(made, table)] for made in reports[:2])
        assert one == pytest.approx(other, rel=1e-9)
    index = [records(made, "index")[0]["index"] for made in reports[:2]]
    assert index[0] == pytest.approx(index[1], rel=1e-9)
    interaction = [
        next(row["t"] for row in records(made, "models") if row["term"] == "prot2 × sexism") for made in reports
    ]
    assert interaction == pytest.approx([interaction[0]] * 3, rel=1e-8)


def test_the_index_is_the_difference_of_levels_one_unit_apart() -> None:
    elements = report(probe="manual", values=[5, 6])
    assert records(elements, "contrasts")[0]["effect"] == pytest.approx(
        records(elements, "index")[0]["index"], rel=1e-9
    )


def test_w_and_x_must_differ() -> None:
    assert "“prot2”" in refused(w=["prot2"]).text


def test_two_moderators_have_an_index_each_and_every_combination() -> None:
    elements = report(w=["sexism", "anger"])
    assert len(records(elements, "index")) == 2 and len(records(elements, "conditional")) == 9
    assert "PROCESS 模型 10" in said(elements)


def test_models_with_both_paths_moderated_have_no_index() -> None:
    elements = report(model="58")
    assert not records(elements, "index") and "没有单一的 IMM" in said(elements)


def test_few_rows_constants_and_copies_are_refused() -> None:
    assert "有效样本过少" in refused(FRAME.head(20)).text
    assert refused(FRAME.assign(sexism=3)).code == "role.constant"
    assert refused(FRAME.assign(respappr=FRAME["prot2"] * 2 + 1)).code == "data.collinear"


def test_hidden_paths_do_not_enter() -> None:
    terms = {(row["outcome"], row["term"]) for row in records(report(model="7"), "models")}
    assert ("liking", "sexism") not in terms and ("respappr", "prot2 × sexism") in terms
    assert np.isfinite([row["effect"] for row in records(report(model="7"), "direct")]).all()
