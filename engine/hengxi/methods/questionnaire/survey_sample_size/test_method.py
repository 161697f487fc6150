"""Refusals; the error of a sample is the inverse of its size; the published table."""

from __future__ import annotations

from typing import Any

import pytest

from hengxi.testing import Trial, records

STRATUM = {"id": "r1", "name": "甲", "size": 100, "spread": 0.5}
TRIAL = Trial("questionnaire/survey_sample_size", form={"goal": "proportion"})


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ({"margin": 0}, "允许误差须在 0 与 1 之间"),
        ({"margin": 1.2}, "允许误差须在 0 与 1 之间"),
        ({"population": 20, "margin": 0.001}, "总体只有 20 人，建议普查"),
        ({"margin": 0.00001}, "超过一千万份"),
        ({"goal": "two_proportions", "p": 0.4, "p2": 0.4}, "两个比例相同"),
        ({"goal": "achieved_error", "n": 500, "population": 400}, "已回收份数不小于总体规模"),
        ({"goal": "stratified"}, "至少要 2 层"),
        (
            {"goal": "stratified", "strata": [STRATUM, {**STRATUM, "id": "r2", "name": "乙", "spread": 6}]},
            "预期比例须在",
        ),
    ],
)
def test_refusals(form: dict[str, Any], text: str) -> None:
    assert text in TRIAL.refused(**form).text


@pytest.mark.parametrize(("whole", "n"), [(100, 80), (500, 217), (1000, 278), (10_000, 370), (1_000_000, 384)])
def test_krejcie_and_morgan(whole: int, n: int) -> None:
    (row,) = records(TRIAL.report(population=whole), "result")
    assert round(row["designed"]) == n


@pytest.mark.parametrize("form", [{}, {"population": 3000}, {"deff": 1.8}, {"p": 0.2, "confidence": 0.9}])
def test_the_error_of_the_sample_is_the_margin_asked_for(form: dict[str, Any]) -> None:
    (row,) = records(TRIAL.report(**form), "result")
    (error,) = records(TRIAL.report(goal="achieved_error", n=row["n"], **form), "error")
    (less,) = records(TRIAL.report(goal="achieved_error", n=row["n"] - 1, **form), "error")
    assert error["error"] <= 0.05 < less["error"]


def test_neyman_never_asks_for_more() -> None:
    strata = [{"id": f"r{i}", "name": f"层{i}", "size": 1000 * i, "spread": 0.1 * i} for i in range(1, 6)]
    first, second = records(TRIAL.report(goal="stratified", strata=strata), "result")
    assert second["designed"] < first["designed"]
