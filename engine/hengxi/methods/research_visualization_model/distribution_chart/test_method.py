"""What is particular to distribution charts: figures that do not fit a variable, classes, densities."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

from .shapes import bandwidth, density, edges

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {"种类": "定类", "嘴长": "定量", "体重": "定量", "年龄": "定量", "性别": "定类", "区域": "定类"}
TRIAL = Trial("research_visualization_model/distribution_chart", FRAME, {"variables": ["嘴长"]}, KINDS)


@pytest.mark.parametrize("chart", ["density", "violin", "histogram", "qq"])
def test_categories_have_no_figure_of_numbers(chart: str) -> None:
    assert "“种类”是定类变量" in TRIAL.refused(variables=["种类"], chart=chart).text


@pytest.mark.parametrize("chart", ["density", "violin", "ridgeline"])
def test_equal_values_have_no_density(chart: str) -> None:
    assert "取值完全相同，核密度无法估计" in TRIAL.refused(FRAME.assign(嘴长=3.5), chart=chart).text


def test_a_pyramid_needs_two_groups() -> None:
    assert "恰好两类" in TRIAL.refused(chart="pyramid").text
    assert "恰好两类" in TRIAL.refused(chart="pyramid", group="种类").text


def test_many_categories_are_cut_and_said() -> None:
    frame = FRAME.assign(种类=[f"类{i % 40}" for i in range(len(FRAME))])
    report = TRIAL.report(frame, variables=["种类"])
    assert len(records(report, "frequencies")) == 30 and "data.levels" in warnings(report)


def test_several_variables_of_both_kinds_stand_together() -> None:
    report = TRIAL.document(variables=["嘴长", "种类"])
    assert report["parts"]


@pytest.mark.parametrize("rule", ["scott", "silverman", "isj"])
def test_a_density_holds_all_of_the_sample(rule: str) -> None:
    x = np.random.default_rng(5).normal(size=400)
    grid, heights = density(x, bandwidth(x, rule))
    assert np.trapezoid(heights, grid) == pytest.approx(1, abs=0.01)


def test_whole_numbers_get_classes_of_their_own() -> None:
    cuts: Any = edges(np.array([1.0, 5, 3, 3]), "fd", 20)
    assert cuts.tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]


def test_many_cases_are_gathered_first_and_hardly_move_the_curve() -> None:
    x = np.random.default_rng(6).gamma(3, size=200_000)
    width = bandwidth(x, "scott")
    grid, heights = density(x, width)
    exact = np.array([np.exp(-0.5 * ((g - x) / width) ** 2).mean() for g in grid]) / (width * np.sqrt(2 * np.pi))
    assert np.abs(heights - exact).max() < 1e-3 * exact.max()
