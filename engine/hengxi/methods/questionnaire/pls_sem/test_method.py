"""Branches, identities and refusals of PLS path modelling."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.testing import Elements, Trial, records

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")


def block(name: str, *columns: str, mode: str = "A") -> dict[str, Any]:
    return {"id": name, "name": name, "columns": list(columns), "mode": mode}


def arrows(*pairs: str) -> dict[str, Any]:
    return {"edges": [{"source": one[0], "target": one[1], "kind": "path", "free": True} for one in pairs]}


A, B, C = (
    block("甲", "形象1", "形象2", "形象3"),
    block("乙", "质量1", "质量2", "质量3"),
    block("丙", "忠诚1", "忠诚2", "忠诚3"),
)
TRIAL = Trial(
    "questionnaire/pls_sem", FRAME, {"constructs": [A, B, C], "paths": arrows("甲乙", "乙丙", "甲丙"), "n_boot": 200}
)


def report(frame: pd.DataFrame = FRAME, **form: Any) -> Elements:
    return TRIAL.report(frame, dict.fromkeys(frame.columns, "定量"), **form)


def refused(frame: pd.DataFrame = FRAME, **form: Any) -> Refusal:
    return TRIAL.refused(frame, dict.fromkeys(frame.columns, "定量"), **form)


def test_constructs_of_one_item_are_standardised_regression() -> None:
    singles = [block("甲", "形象1"), block("乙", "质量1"), block("丙", "忠诚1")]
    elements = report(constructs=singles, n_boot=2000)
    z = FRAME[["形象1", "质量1", "忠诚1"]]
    z = (z - z.mean()) / z.std()
    b = np.linalg.lstsq(z[["形象1", "质量1"]].to_numpy(), z["忠诚1"].to_numpy(), rcond=None)[0]
    rows = {row["path"]: row for row in records(elements, "structure")}
    assert [rows["甲 → 丙"]["b"], rows["乙 → 丙"]["b"]] == pytest.approx(list(b), rel=1e-9)
    r = float(np.corrcoef(z["形象1"], z["质量1"])[0, 1])
    # A correlation's bootstrap error is near (1 − r²)/√n.
    assert rows["甲 → 乙"]["se"] == pytest.approx((1 - r * r) / np.sqrt(len(FRAME)), rel=0.15)


def test_a_circle_and_a_lonely_construct_are_refused() -> None:
    assert refused(paths=arrows("甲乙", "乙丙", "丙甲")).code == "paths.cycle"
    refusal = refused(paths=arrows("甲乙"))
    assert refusal.code == "data.alone" and "“丙”没有与任何构念相连" in refusal.text


def test_a_copied_formative_indicator_is_refused() -> None:
    frame = FRAME.assign(形象3=FRAME["形象1"] * 2)
    assert refused(frame, constructs=[{**A, "mode": "B"}, B, C]).code == "data.singular"


def test_indicators_that_cancel_are_refused_or_turned() -> None:
    frame = FRAME.assign(形象2=7 - FRAME["形象1"])
    assert refused(frame, constructs=[block("甲", "形象1", "形象2"), B, C]).code == "data.singular"


def test_schemes_agree_on_strong_models_and_units_do_not_matter() -> None:
    made = [records(report(scheme=scheme), "explained")[-1]["r2"] for scheme in ("path", "factorial", "centroid")]
    assert max(made) - min(made) < 0.01
    one, other = (records(report(frame), "structure") for frame in (FRAME, FRAME.assign(形象1=FRAME["形象1"] * 1e6)))
    for a, b in zip(one, other, strict=True):
        assert a["b"] == pytest.approx(b["b"], rel=1e-9) and a["se"] == pytest.approx(b["se"], rel=1e-6)


def test_the_correction_raises_a_path_and_intervals_hold_it() -> None:
    plain, corrected = report(), report(consistent=True)
    assert abs(records(corrected, "structure")[0]["b"]) > abs(records(plain, "structure")[0]["b"])
    assert all(row["low"] < row["b"] < row["high"] for row in records(plain, "structure"))


def test_few_rows_are_refused() -> None:
    assert refused(FRAME.head(15)).code == "data.few"
