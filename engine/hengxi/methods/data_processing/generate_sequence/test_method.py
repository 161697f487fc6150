"""What is numbered how; draws that repeat and have their moments; and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.DataFrame({"组": ["b", "a", "b", None, "a", "b"]})
TRIAL = Trial("data_processing/generate_sequence", FRAME, {"name": "新"}, {"组": "定类"})
report, refused = TRIAL.report, TRIAL.refused


def made(**form: Any) -> list[Any]:
    preview = next(e for e in report(**form) if e["type"] == "data")["step"]["preview"]
    return [row[-1] for row in preview["after"]]


def test_numbers_and_written_numbers() -> None:
    assert made() == [1, 2, 3, 4, 5, 6] and made(start="-2")[:4] == [-2, -1, 0, 1]
    assert made(start="S098")[1:4] == ["S099", "S100", "S101"] and made(start="007")[0] == "007"


def test_a_number_within_groups() -> None:
    assert made(type="group_id", by=["组"]) == [1, 1, 2, None, 2, 3]


def test_months_end_on_their_last_day() -> None:
    found = made(type="date", start="2024-01-31", unit="month")
    assert [str(day)[:10] for day in found[:3]] == ["2024-01-31", "2024-02-29", "2024-03-31"]
    assert (
        str(made(type="date", start="2024-03-10 23:30", unit="minute", step=45)[1]).replace("T", " ")[:16]
        == "2024-03-11 00:15"
    )


def test_a_constant_keeps_its_zeros() -> None:
    assert made(type="constant", start="007")[0] == "007" and made(type="constant", start="7.5")[0] == 7.5


def test_the_same_seed_gives_the_same_draws() -> None:
    first, second = made(type="random"), made(type="random")
    assert first == second and made(type="random", seed=7) != first


@pytest.mark.parametrize(
    ("kind", "params"),
    [
        ("normal", "10,2"),
        ("uniform", "-1,3"),
        ("binomial", "10,0.3"),
        ("poisson", "4"),
        ("exponential", "5"),
        ("integer", "1,6"),
    ],
)
def test_draws_have_the_moments_of_their_distribution(kind: str, params: str) -> None:
    """A mean within 4 standard errors, a standard deviation within 5 % of 5,000 draws."""
    frame = pd.DataFrame({"x": np.arange(5000)})
    (row,) = records(report(frame, type="random", distribution=kind, params=params), "result")
    assert abs(row["mean"] - row["theory_mean"]) < 4 * row["theory_sd"] / 5000**0.5
    assert row["sd"] == pytest.approx(row["theory_sd"], rel=0.05)


def test_a_name_that_is_taken_is_refused() -> None:
    """变量名已存在 → 变量“{v}”已存在"""
    assert "变量“组”已存在" in refused(name="组").text


def test_a_wrong_number_of_parameters_is_refused() -> None:
    """分布参数错误 → {d} 分布需要 {k} 个参数"""
    assert "泊松 分布需要 1 个参数" in refused(type="random", distribution="poisson", params="0,1").text


def test_a_step_of_nothing_is_refused() -> None:
    """步长为0 → 步长不能为0"""
    assert refused(type="sequence", step=0).text == "步长不能为0"
    assert refused(type="date", start="2024-01-01", step=0).text == "步长不能为0"


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"start": "甲"}, "sequence.start"),
        ({"type": "sequence", "start": "甲"}, "sequence.start"),
        ({"type": "date"}, "sequence.start"),
        ({"type": "date", "start": "2024-01-01", "step": 0.5}, "sequence.whole"),
        ({"type": "date", "start": "2024-01-01", "step": 99999, "unit": "year"}, "sequence.large"),
        ({"type": "random", "params": "0,-1"}, "sequence.params"),
        ({"type": "random", "params": "a"}, "sequence.params"),
        ({"type": "sequence", "step": 1e300}, "sequence.large"),
    ],
)
def test_what_cannot_be_made_is_refused(form: dict[str, Any], code: str) -> None:
    assert refused(**form).code == code
