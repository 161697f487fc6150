"""What is particular to the sales forecast: short, negative, without a future, bounds, what chooses."""

from pathlib import Path

import numpy as np
import pandas as pd

from hengxi.families.time_series import smoothing
from hengxi.testing import Trial, records, said, warnings

HERE = Path(__file__).parent
FRAME = pd.read_csv(HERE / "example.csv")
QUICK = {"y": "乘客数", "time": {"column": "年月", "frequency": None}, "models": ["snaive", "naive"], "backtest": 1}
TRIAL = Trial("research_visualization_model/sales_forecast", FRAME, QUICK, {"年月": "时间", "乘客数": "定量"})
SHOP = pd.read_csv(HERE / "oracle-shop.csv")
KINDS = {"次序": "时间", "销量": "定量", "促销": "定量", "价格": "定量"}
report, refused = TRIAL.report, TRIAL.refused


def test_less_than_two_seasons_leaves_plain_models() -> None:
    elements = report(FRAME.head(20), horizon=2)
    assert "data.cycles" in warnings(elements) and "不足两个季节周期" in said(elements)
    assert [row["model"] for row in records(elements, "compared")] == ["朴素法"]


def test_influences_need_their_future() -> None:
    trial = Trial(
        TRIAL.path,
        SHOP.head(40),
        {"y": "销量", "time": {"column": "次序", "frequency": None}, "exog": ["促销"], "models": ["regression"]},
        KINDS,
    )
    assert "需要提供未来 6 期的“促销”" in trial.refused().text


def test_a_gap_is_filled_and_said_or_refused() -> None:
    frame = FRAME.drop(index=[30])
    assert "data.interpolated" in warnings(report(frame))
    assert "中间缺 1 期" in refused(frame, gaps="refuse").text


def test_returns_are_warned_of() -> None:
    frame = FRAME.assign(乘客数=FRAME["乘客数"].where(FRAME.index != 5, -3))
    elements = report(frame, models=["naive", "croston"])
    assert "data.negative" in warnings(elements)
    assert next(e for e in elements if e["type"] == "warning")["facts"]["t"] == "1949-06"
    assert [row["model"] for row in records(elements, "compared")] == ["朴素法"]


def test_a_far_horizon_is_warned_of() -> None:
    assert "data.far" in warnings(report(FRAME.head(36), horizon=30, backtest=0))


def test_no_model_is_refused() -> None:
    assert "候选模型" in refused(models=[]).text


def test_bounds_are_kept_from_below_zero_only_when_asked() -> None:
    frame = FRAME.assign(乘客数=np.random.default_rng(3).poisson(3, len(FRAME)))
    assert min(row["low"] for row in records(report(frame, models=["naive"], season=1), "forecast")) == 0
    free = report(frame, models=["naive"], season=1, nonnegative=False)
    assert min(row["low"] for row in records(free, "forecast")) < 0


def test_least_squares_find_a_line_exactly() -> None:
    y = 5.0 + 2.0 * np.arange(1, 41) + np.tile([3.0, -1.0, -1.0, -1.0], 10)
    for fit in (smoothing.regression(y, 4, np.zeros((40, 0)), np.zeros((4, 0))), smoothing.ets(y, 4)[0]):
        assert np.allclose(fit.forecast(4)[0], 5 + 2 * np.arange(41, 45) + [3, -1, -1, -1], atol=1e-4)


def test_a_level_alone_is_forecast_for_every_period() -> None:
    y = np.random.default_rng(4).poisson(0.5, 40).astype(float)
    fit, form = smoothing.ets(y, 1)
    mean, se = fit.forecast(5)
    assert not form.trend and mean.shape == se.shape == (5,) and np.ptp(mean) == 0


def test_holt_winters_of_the_airline_passengers_as_published_by_r() -> None:
    fit = smoothing.holt_winters(FRAME["乘客数"].to_numpy(float), 12)
    alpha, beta, gamma = (value for _, value in fit.parameters)
    assert abs(alpha - 0.2756) < 1e-3 and abs(beta - 0.0327) < 1e-3 and abs(gamma - 0.8707) < 1e-3
    assert np.allclose(fit.forecast(3)[0], [447.0559, 419.7123, 464.8671], atol=0.01)


def notes(elements: list[dict]) -> str:  # type: ignore[type-arg]
    return str([e for e in elements if e["type"] in ("note", "text")])


def test_a_metric_that_some_models_lack_is_not_mixed_with_another() -> None:
    frame = FRAME.assign(乘客数=FRAME["乘客数"].where(FRAME.index != 0, 0))
    elements = report(frame, models=["snaive", "ets"], metric="mape", backtest=0)
    rows = records(elements, "compared")
    assert any(row["mape"] is None for row in rows)
    assert min(rows, key=lambda row: row["rmse"])["used"] == "是"
    assert "改按 RMSE 选择" in notes(elements)


def test_forecasts_cut_at_zero_are_said() -> None:
    frame = FRAME.assign(乘客数=-FRAME["乘客数"])
    assert "data.clipped" in warnings(report(frame, models=["naive"]))
    assert "data.clipped" not in warnings(report(frame, models=["naive"], nonnegative=False))


def test_influences_no_model_uses_are_said() -> None:
    form = {
        "y": "销量", "time": {"column": "次序", "frequency": None}, "exog": ["促销"], "models": ["naive"], "horizon": 2
    }  # fmt: skip
    assert "所选的模型都没有用到它" in notes(Trial(TRIAL.path, SHOP, form, KINDS).report())
