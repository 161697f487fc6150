"""Seasons of a series: how strong they are, and their parts by STL."""

from __future__ import annotations

import numpy as np
from statsmodels.tsa.seasonal import STL

from hengxi.stats.moments import Floats

PERIODIC = 10
"""A window of 10 n + 1, as R's stl(s.window = "periodic") before it averages the seasons."""


def stl_parts(y: Floats, period: int, window: int | None = None, robust: bool = False) -> tuple[Floats, Floats, Floats]:
    """Trend, season and remainder by R's defaults; `window` None = the season is the same in every cycle."""
    n = y.size
    season = PERIODIC * n + 1 if window is None else window
    trend = _odd(1.5 * period / (1 - 1.5 / season))
    # R takes an odd period itself; statsmodels wants more than the period.
    low = max(_odd(period), period + 1 + period % 2)
    fitted = STL(
        y, period=period, seasonal=_odd(season), trend=trend, low_pass=low,
        seasonal_deg=0, trend_deg=1, low_pass_deg=1, robust=robust,
        seasonal_jump=max(1, int(np.ceil(season / 10))), trend_jump=max(1, int(np.ceil(trend / 10))),
        low_pass_jump=max(1, int(np.ceil(low / 10))),
    ).fit(inner_iter=1 if robust else 2, outer_iter=15 if robust else 0)  # fmt: skip
    seasonal, smooth = np.asarray(fitted.seasonal), np.asarray(fitted.trend)
    if window is None:
        place = np.arange(n) % period
        seasonal = (np.bincount(place, seasonal) / np.bincount(place))[place]
    return smooth, seasonal, np.asarray(y - smooth - seasonal)


def strength(part: Floats, rest: Floats) -> float:
    """1 − Var(remainder) / Var(part + remainder), not below 0 (Wang, Smith and Hyndman 2006)."""
    whole = float(np.var(part + rest))
    return max(0.0, min(1.0, 1 - float(np.var(rest)) / whole)) if whole > 0 else 0.0


WINDOW = 11
"""Of the seasons whose strength decides on seasonal differences (forecast::mstl)."""
STRONG = 0.64
"""From here on a seasonal difference is taken (forecast::nsdiffs)."""


def seasonal_strength(y: Floats, period: int) -> float:
    _, season, rest = stl_parts(y, period, WINDOW)
    return strength(season, rest)


def find_period(y: Floats, most: int = 60) -> int | None:
    """The period with the strongest seasons; None where none is strong. At least four cycles.

    From 3 on: a season of two periods takes all there is, whatever the series."""
    found = {m: seasonal_strength(y, m) for m in range(3, min(most, y.size // 4) + 1)}
    best = max(found, key=lambda m: found[m], default=None)
    return None if best is None or found[best] < STRONG else best


def _odd(x: float) -> int:
    """The next odd whole number, as R's nextodd."""
    found = round(x)
    return found if found % 2 else found + 1
