"""What describes one quantitative variable, or one of its groups; only what was asked for is worked out."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hengxi.contract import Column, integer, interval, num, percent
from hengxi.stats import boxes, location
from hengxi.stats.moments import Floats, Moments, Ordered, drop_empty, moments, of_population
from hengxi.stats.names import unit_of, unit_words

TITLES = {
    "n": "样本量", "missing": "缺失数", "mean": "均值", "se": "标准误", "ci": "均值置信区间", "sd": "标准差",
    "var": "方差", "cv": "变异系数", "sum": "总和", "min": "最小值", "max": "最大值", "range": "极差",
    "median": "中位数", "p25": "P25", "p75": "P75", "iqr": "四分位距", "mode": "众数", "skewness": "偏度",
    "kurtosis": "峰度", "trimmed": "5%截尾均值", "gmean": "几何均值", "hmean": "调和均值", "mad": "中位数绝对偏差",
}  # fmt: skip
FIXED = (5.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0)
"""Percentiles every table has."""
KINDS = {"weibull": 6, "linear": 7, "tukey": 6}


def columns() -> dict[str, Any]:
    """One column for each statistic, there only when it was asked for."""

    def asked(key: str) -> dict[str, str]:
        return {"statistics": key}

    made: dict[str, Any] = {
        "n": integer(TITLES["n"], when=asked("n")),
        "missing": integer(TITLES["missing"], when=asked("missing")),
    }
    bounds: dict[str, dict[str, Any]] = {
        "sd": {"least": 0}, "var": {"least": 0}, "se": {"least": 0}, "range": {"least": 0}, "iqr": {"least": 0},
        "mad": {"least": 0}, "gmean": {"least": 0}, "hmean": {"least": 0},
    }  # fmt: skip
    for key, title in TITLES.items():
        match key:
            case "n" | "missing":
                continue
            case "ci":
                made[key] = interval("均值CI", "low", "high", around="mean", when=asked(key))
            case "cv":
                made[key] = percent("变异系数（CV）", most=None, when=asked(key))
            case _:
                made[key] = num(title, when=asked(key), **bounds.get(key, {}))
    return made


@dataclass
class Description:
    """One variable in one group of rows. `x` holds the valid values, `counts` their frequencies."""

    column: Column
    name: str
    group: str | None
    x: Floats
    counts: Floats | None
    missing: int
    form: Any
    m: Moments | None = None
    found: dict[str, Any] = field(default_factory=dict)
    percentiles: dict[float, float] = field(default_factory=dict)
    box: boxes.Box | None = None
    mode: location.Mode | None = None
    beyond: list[str] = field(default_factory=list)
    """Statistics that no double can hold (a variance of values around 1e300)."""

    @property
    def n(self) -> int:
        return self.m.n if self.m else 0

    @property
    def where(self) -> str:
        """To stand in “ ”: y, or y”的“c."""
        return self.name if self.group is None else f"{self.name}”的“{self.group}"

    @property
    def unit(self) -> str:
        return unit_words(unit_of(self.column))

    @property
    def varies(self) -> bool:
        return self.m is not None and self.m.least < self.m.most

    @property
    def shape(self) -> dict[str, Any]:
        """Skewness and kurtosis with standard errors and ratios; None where there are too few cases."""
        if self.m is None:
            return {}
        made: dict[str, Any] = {}
        for key, value, se in (
            ("skewness", self.m.skewness, self.m.skewness_se),
            ("kurtosis", self.m.kurtosis, self.m.kurtosis_se),
        ):
            if value is not None and se:
                made |= {key: value, f"{key}_se": se, f"{key}_z": value / se}
        return made

    @property
    def shares(self) -> list[float]:
        """The percentiles of the table, in order."""
        return sorted({*FIXED, *(float(p) for p in self.form.percentiles)})

    def get(self, key: str) -> float | None:
        value = self.found.get(key)
        return None if value is None else float(value)


def describe(
    column: Column, name: str, rows: Any, counts: Floats | None, form: Any, group: str | None = None
) -> Description:
    """`rows`: a mask, or None for all rows."""
    numbers = column.numbers if rows is None else column.numbers[rows]
    f = counts if counts is None or rows is None else counts[rows]
    gone = np.isnan(numbers)
    some = bool(gone.any())
    missing = int(gone.sum()) if f is None else round(float(f[gone].sum()))
    x = numbers[~gone] if some else numbers
    x, f = drop_empty(x, f if f is None or not some else f[~gone])
    one = Description(column, name, group, x, f, missing, form)
    if x.size:
        _fill(one)
    else:
        one.found = {"n": 0, "missing": missing}
    return one


def _fill(one: Description) -> None:
    """Sorted once for everything that is read from ranks."""
    x, f, form = one.x, one.counts, one.form
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        m = moments(x, f)
        m = one.m = of_population(m) if form.shape == "population" else m
        kind = KINDS[form.quantile_def]
        shares = one.shares
        ordered = Ordered.of(x, f)
        one.percentiles = dict(zip(shares, ordered.quantiles([p / 100 for p in shares], kind), strict=True))
        one.box = boxes.box(ordered)
        if form.quantile_def == "tukey":
            one.percentiles |= {25.0: one.box.q1, 75.0: one.box.q3}
        one.found = _statistics(one, m)
    for key, value in list(one.found.items()):
        if isinstance(value, float) and not math.isfinite(value):
            one.found[key] = None
            one.beyond.append(TITLES["ci" if key in ("low", "high") else key])
    if one.found.get("var") == 0 and m.sd > 0:
        one.found["var"] = None
        one.beyond.append(TITLES["var"])


def _statistics(one: Description, m: Moments) -> dict[str, Any]:
    asked, n = set(one.form.statistics), m.n
    known = n > 1
    low, high = m.mean_interval(one.form.conf_level) if known else (None, None)
    q1, q3 = one.percentiles[25.0], one.percentiles[75.0]
    found: dict[str, Any] = {
        "n": n, "missing": one.missing, "mean": m.mean, "min": m.least, "max": m.most, "range": m.most - m.least,
        "median": one.percentiles[50.0], "p25": q1, "p75": q3, "iqr": q3 - q1, "sd": m.sd if known else None,
        "var": float(np.float64(m.sd) ** 2) if known else None, "se": m.se if known else None, "low": low, "high": high,
        "cv": float(np.float64(m.sd) / m.mean) if known and m.mean > 0 else None,
        "skewness": m.skewness, "kurtosis": m.kurtosis,
    }  # fmt: skip
    if "sum" in asked:
        found["sum"] = float(np.sum(one.x)) if one.counts is None else float(np.dot(one.counts, one.x))
    if "mode" in asked:
        one.mode = location.mode(one.x, one.counts)
        found["mode"] = one.mode.value
    lazy = {
        "trimmed": location.trimmed_mean, "gmean": location.geometric_mean, "hmean": location.harmonic_mean,
        "mad": location.median_absolute_deviation,
    }  # fmt: skip
    return found | {key: make(one.x, one.counts) for key, make in lazy.items() if key in asked}
