"""Known sines, perfect reconstruction, gaps and uneven times."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hengxi.methods.data_processing._shared import spectra
from hengxi.testing import Trial, records

N = 64
T = np.arange(N) / N
FRAME = pd.DataFrame({"t": T, "x": 2 * np.cos(2 * np.pi * 5 * T + 0.5) + 7})
TRIAL = Trial("data_processing/signal_transform", FRAME, {"variables": ["x"]}, {"t": "定量", "x": "定量"})
report, refused = TRIAL.report, TRIAL.refused


@pytest.mark.parametrize("window", ["hann", "boxcar", "hamming", "blackman"])
def test_a_sine_has_its_frequency_amplitude_and_phase(window: str) -> None:
    peak = records(report(time="t", window=window), "peaks")[0]
    assert (peak["frequency"], peak["period"]) == (5, pytest.approx(0.2))
    assert peak["height"] == pytest.approx(2) and peak["phase"] == pytest.approx(0.5)


def test_welch_holds_the_variance() -> None:
    y = np.random.default_rng(5).normal(size=4096)
    found = spectra.welch(y, 10.0, "hann", 256, True)
    assert found.height.sum() * found.frequency[1] == pytest.approx(y.var(), rel=0.05)


@pytest.mark.parametrize("wavelet", ["haar", "db4", "sym5", "coif3"])
def test_the_parts_of_a_wavelet_add_up(wavelet: str) -> None:
    step = next(e for e in report(method="dwt", wavelet=wavelet) if e["type"] == "data")["step"]
    parts = np.array([row[-2:] for row in step["preview"]["after"]], dtype=float)
    assert len(parts) and np.abs(parts.sum(axis=1) - (FRAME["x"] - FRAME["x"].mean())[: len(parts)]).max() < 1e-10


def test_a_gap_is_refused() -> None:
    """含缺失值 → “{v}”含缺失值，请先填补"""
    refusal = refused(FRAME.assign(x=np.where(T == 0, np.nan, FRAME["x"])))
    assert "“x”含缺失值" in refusal.text and refusal.faults[0].remedies


def test_a_series_too_short_is_refused() -> None:
    """长度过短 → 序列长度 {n} 不足以做 {k} 层分解(最多 {m} 层)"""
    assert "序列长度 64 不足以做 4 层分解（最多 3 层）" in refused(method="dwt", level=4).text


def test_uneven_times_are_refused() -> None:
    """采样间隔不等 → 时间间隔不等，请先重采样"""
    assert "时间间隔不等，请先重采样" in refused(FRAME.assign(t=T**2), time="t").text
    days = pd.date_range("2020-01-31", periods=N, freq="ME")
    assert records(report(FRAME.assign(t=days), {"t": "时间"}, time="t"), "peaks")[0]["period"] == pytest.approx(12.8)
    gap = days.delete(3).append(pd.DatetimeIndex(["2030-01-31"]))
    assert refused(FRAME.assign(t=gap), {"t": "时间"}, time="t").code == "signal.uneven"


def test_a_constant_is_refused() -> None:
    assert refused(FRAME.assign(x=1.0)).code == "data.constant"
