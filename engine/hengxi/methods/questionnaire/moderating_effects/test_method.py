"""Branches and refusals of moderation, and Hayes' published answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.testing import Elements, Trial, check, records, said

PATH = "questionnaire/moderating_effects"
FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial(PATH, FRAME, {"x": "prot2", "w": "sexism", "y": "liking"}, dict.fromkeys(FRAME.columns, "定量"))


def report(frame: pd.DataFrame = FRAME, **form: Any) -> Elements:
    return TRIAL.report(frame, **form)


def refused(frame: pd.DataFrame = FRAME, **form: Any) -> Refusal:
    return TRIAL.refused(frame, **form)


def test_published_slopes_and_boundaries() -> None:
    # Hayes' worked example as the catalogue records it: slopes at 4.308, 5.12, 5.87; Johnson-Neyman 3.509 and 4.975.
    elements = report(probe="manual", values=[4.308, 5.12, 5.87])
    slopes = [row["slope"] for row in records(elements, "slopes")]
    assert slopes == pytest.approx([-0.182, 0.495, 1.120], abs=0.002)
    ends = [row["end"] for row in records(elements, "regions")]
    assert ends[:2] == pytest.approx([3.509, 4.975], abs=0.001)


def test_centring_changes_neither_the_interaction_nor_the_slopes() -> None:
    one, other = report(centering="none"), report(centering="mean")
    assert records(one, "changes")[2]["F"] == pytest.approx(records(other, "changes")[2]["F"], rel=1e-9)
    for a, b in zip(records(one, "slopes"), records(other, "slopes"), strict=True):
        assert a["slope"] == pytest.approx(b["slope"], rel=1e-9) and a["se"] == pytest.approx(b["se"], rel=1e-9)


def test_constants_copies_and_many_levels_are_refused() -> None:
    assert "“sexism”" in refused(FRAME.assign(sexism=3)).text
    assert refused(FRAME.assign(prot2=3)).code == "role.constant"
    copied = refused(FRAME.assign(anger=FRAME["sexism"] * 2), controls=["anger"])
    assert copied.code == "data.collinear" and "“anger”" in copied.text
    frame = FRAME.assign(sexism=[f"类{i % 12}" for i in range(129)])
    assert "类别过多" in TRIAL.refused(frame, {"sexism": "定类"}).text


def test_an_exact_answer_and_too_few_cases_are_refused() -> None:
    assert refused(FRAME.assign(liking=FRAME["sexism"] * 2 + FRAME["prot2"])).code == "data.perfect"
    assert refused(FRAME.iloc[:5]).code == "data.few"


def test_an_empty_cell_is_named() -> None:
    w = np.where(FRAME["prot2"] == 1, "甲", np.where(np.arange(129) % 2, "乙", "甲"))
    refusal = TRIAL.refused(FRAME.assign(sexism=w), {"sexism": "定类"})
    assert refusal.code == "data.collinear"


def test_no_interaction_is_said_and_slopes_are_not_read() -> None:
    y = np.random.default_rng(3).normal(size=129)
    elements = report(FRAME.assign(liking=y))
    assert "没有发现" in said(elements) and "不宜解读" in said(elements)
    assert check(elements, "共线性")["state"] == "pass"
