"""Who would buy at which price: reading the questions, the demand curve, the best price and its bootstrap interval.

What the pricing methods share; each prints its own tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import interpolate, optimize

from hengxi.contract import Column, Refusal, Report, SetRemedy, choice
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles

MOST_PRICES = 40
LEAST, DEAREST = 1e-6, 1e12
INCONSISTENT = {"refuse": "停下并指出", "exclude": "剔除这些人", "keep": "保留"}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def inconsistent_field(default: str) -> Any:
    return choice(
        "前后矛盾的人", INCONSISTENT, default=default, hint="在较低价拒绝、却在较高价接受；保留时需求曲线可能不降"
    )  # fmt: skip


@dataclass(frozen=True)
class Demand:
    """`buys`, `asked`: distinct patterns of answers × prices (ascending), 0 and 1; `w`: people of each pattern."""

    prices: Floats
    buys: Floats
    asked: Floats
    w: Floats

    @cached_property
    def n(self) -> Floats:
        """People asked at each price."""
        found: Floats = self.w @ self.asked
        return found

    @cached_property
    def bought(self) -> Floats:
        found: Floats = self.w @ self.buys
        return found

    @property
    def shares(self) -> Floats:
        return self.bought / self.n

    @property
    def people(self) -> float:
        return float(self.w.sum())

    def drawn(self, times: int, rng: np.random.Generator) -> list[Demand]:
        """Resamples of the people."""
        draws = rng.multinomial(round(self.people), self.w / self.people, times)
        return [replace(self, w=w.astype(float)) for w in draws]


# ---- reading -------------------------------------------------------------------------------------------------------
def prices_of(columns: list[Column], given: list[float], field: str) -> Floats:
    """Typed prices, else the last number in each column's name. Raises `Refusal`."""
    if given:
        if len(given) != len(columns):
            raise Refusal(
                "data.prices", "价格有 {a} 个，购买列有 {b} 列，请一一对应", field="price_values", also=[field],
                a=len(given), b=len(columns),
            )  # fmt: skip
        prices = np.array(given, dtype=float)
    else:
        found = [_NUMBER.findall(title) for title in titles(columns).values()]
        for column, numbers in zip(columns, found, strict=True):
            if not numbers:
                raise Refusal(
                    "data.prices", "列名“{v}”里没有价格，请在“价格数值”里填写各列对应的价格", field="price_values",
                    also=[field], column=column.id, v=column.title,
                )  # fmt: skip
        prices = np.array([float(numbers[-1]) for numbers in found])
    if len(set(prices.tolist())) < len(prices) or not (prices > 0).all():
        raise Refusal("data.prices", "价格要大于 0，且互不相同", field="price_values", also=[field])
    return prices


def read_ladder(
    report: Report, form: Any, columns: list[Column], prices: Floats, buy_from: float, field: str, rows: Any = None
) -> Demand:
    """One column a price, bought where the answer is at least `buy_from`. `rows`: a mask, of a group."""
    raw = np.column_stack([column.numbers for column in columns]).astype(float)
    order = np.argsort(prices)
    raw, prices = raw[:, order], prices[order]
    w = _weights(form, len(raw)) * ~np.isnan(raw).all(axis=1)
    if rows is not None:
        w = w * rows
    buys = np.nan_to_num(raw, nan=-np.inf) >= buy_from
    asked = ~np.isnan(raw)
    odd = _turning_back(buys, asked) & (w > 0)
    numbers = columns[0].row_numbers[odd]
    if odd.any() and form.inconsistent == "refuse":
        raise Refusal(
            "data.order", "第 {at} 行在较低价拒绝却在较高价接受，这样的答卷有 {n} 份；请核对，或选择剔除或保留",
            field="inconsistent", also=[field], at=int(numbers[0]), n=int(odd.sum()),
            remedies=[SetRemedy(title="剔除这些人", set={"inconsistent": "exclude"})],
        )  # fmt: skip
    if odd.any():
        word = "已剔除" if form.inconsistent == "exclude" else "已保留"
        report.warn(
            "data.order", f"有 {{n:integer}} 份答卷在较低价拒绝却在较高价接受，{word}。", n=int(odd.sum()),
            rows=[int(one) for one in numbers[:200]],
        )  # fmt: skip
    if form.inconsistent == "exclude":
        w = w * ~odd
    return demand_of(prices, buys, asked, w, field)


def read_highest(form: Any, column: Column, prices: Floats | None, rows: Any = None) -> Demand:
    """One column of the highest price each person would pay; prices are those that occur where none are given."""
    highest = column.numbers
    w = _weights(form, len(highest)) * ~np.isnan(highest)
    if rows is not None:
        w = w * rows
    if prices is None:
        prices = np.unique(highest[~np.isnan(highest)])
        prices = prices[prices > 0]
        if prices.size > MOST_PRICES:
            raise Refusal(
                "data.prices", "“{v}”有 {k} 个不同的价格，最多 {most} 个；请在“价格数值”里填要看的价格",
                field="price_values", column=column.id, v=column.title, k=int(prices.size), most=MOST_PRICES,
            )  # fmt: skip
    prices = np.sort(prices)
    buys = np.greater_equal.outer(np.nan_to_num(highest, nan=-np.inf), prices)
    return demand_of(prices, buys, np.ones_like(buys), w, "price_values")


def _weights(form: Any, n: int) -> Floats:
    counts = frequencies(form.weight)
    return np.ones(n) if counts is None else counts


def _turning_back(buys: Any, asked: Any) -> Any:
    """Refused at a price and bought at a higher one."""
    refused = np.logical_or.accumulate(asked & ~buys, axis=1)
    return (refused[:, :-1] & (asked & buys)[:, 1:]).any(axis=1)


def demand_of(prices: Floats, buys: Any, asked: Any, w: Floats, field: str, least: int = 3) -> Demand:
    """`buys`, `asked`: people × prices, `buys` may hold probabilities; `w`: weight of each person. Raises `Refusal`."""
    if prices.size < least:
        raise Refusal(
            "data.prices", "至少需要 {least} 个价格点，现有 {k} 个", field=field, least=least, k=int(prices.size)
        )  # fmt: skip
    if not (prices[0] > LEAST and prices[-1] < DEAREST):
        raise Refusal("data.prices", "价格要在 0.000001 到 10¹² 之间，请换单位（如万元）", field=field)
    held = w > 0
    both = np.hstack([buys * asked, asked]).astype(float)[held]
    if not held.any() or not both[:, : prices.size].any():
        raise Refusal("data.empty", "没有人在任何价格愿意购买，无法画需求曲线；请核对购买的标准", field=field)
    patterns, place = np.unique(both, axis=0, return_inverse=True)
    people = np.bincount(place.ravel(), weights=w[held]).astype(float)
    m = prices.size
    found = Demand(prices, patterns[:, :m].astype(float), patterns[:, m:].astype(float), people)
    if (found.n <= 0).any():
        at = float(prices[int(np.argmin(found.n))])
        raise Refusal("data.empty", "价格 {p} 没有人回答，请移出这一列", field=field, p=f"{at:g}")
    return found


# ---- the curve -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Curve:
    """`at(p)`: the share that buys; `slope(p)` where the curve has one; `best(cost)`: the most profitable price."""

    kind: str
    parameters: tuple[float, float] | None
    at: Callable[[Floats], Floats]
    slope: Callable[[Floats], Floats] | None
    best: Callable[[float], float]


def isotonic(shares: Floats, n: Floats) -> Floats:
    """The nearest shares that never rise (pool adjacent violators, weighted by people)."""
    blocks: list[list[float]] = []
    for share, weight in zip(shares, n, strict=True):
        blocks.append([share, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] < blocks[-1][0]:
            last, before = blocks.pop(), blocks.pop()
            whole = before[1] + last[1]
            blocks.append([(before[0] * before[1] + last[0] * last[1]) / whole, whole, before[2] + last[2]])
    return np.repeat([b[0] for b in blocks], [int(b[2]) for b in blocks])


def fit_curve(kind: str, demand: Demand) -> Curve | None:
    """None where the curve cannot be had: nobody differs, or demand does not fall."""
    p, n, shares = demand.prices, demand.n, demand.shares
    if kind in ("empirical", "isotonic"):
        held = shares if kind == "empirical" else isotonic(shares, n)
        return Curve(kind, None, lambda x: np.interp(x, p, held), None, lambda cost: _best_of(p, held, cost))
    if kind == "spline":
        return _spline(p, isotonic(shares, n))
    makers = {"linear": _linear, "exponential": _exponential, "logit": _logit, "elastic": _elastic}
    found = makers[kind](p, n, shares)
    if found is None or not found[1] > 0:
        return None
    a, b = found
    low, high = float(p[0]), float(p[-1])
    if kind == "linear":
        # Where the line is above 1 everybody buys, so a dearer price is better.
        best = lambda cost: float(np.clip(max((a / b + cost) / 2, (a - 1) / b), low, high))  # noqa: E731
        return Curve(kind, (a, b), lambda x: np.clip(a - b * x, 0, 1), None, best)
    if kind == "exponential":
        best = lambda cost: float(np.clip(max(cost + 1 / b, np.log(a) / b), low, high))  # noqa: E731
        return Curve(kind, (a, b), lambda x: np.minimum(a * np.exp(-b * x), 1), None, best)

    if kind == "elastic":
        return Curve(
            kind, (a, b), lambda x: np.minimum(a * x ** (-b), 1), None, lambda cost: _best_elastic(a, b, cost, p)
        )

    def share(x: Floats) -> Floats:
        return np.asarray(1 / (1 + np.exp(-(a - b * x))))

    def best_logit(cost: float) -> float:
        # (p − c) b (1 − q) rises with p: one root at most.
        def gap(x: float) -> float:
            return (x - cost) * b * (1 - float(share(np.array(x)))) - 1

        return low if gap(low) >= 0 else high if gap(high) <= 0 else float(optimize.brentq(gap, low, high, xtol=1e-13))

    return Curve(kind, (a, b), share, lambda x: -b * share(x) * (1 - share(x)), best_logit)


def _best_of(prices: Floats, shares: Floats, cost: float) -> float:
    """Of the prices asked; the lowest of those that tie."""
    profit = (prices - cost) * shares
    return float(prices[int(np.flatnonzero(profit >= profit.max() - 1e-12 * (1 + abs(profit.max())))[0])])


def _linear(p: Floats, n: Floats, shares: Floats) -> tuple[float, float] | None:
    middle, mean = float(n @ p / n.sum()), float(n @ shares / n.sum())
    slope = float(n @ ((p - middle) * (shares - mean)) / (n @ (p - middle) ** 2))
    return mean - slope * middle, -slope


def _exponential(p: Floats, n: Floats, shares: Floats) -> tuple[float, float] | None:
    """Weighted least squares of a·e^(−bp), Gauss-Newton with halved steps from the line through the logarithms."""
    held = shares > 0
    if held.sum() < 2:
        return None
    scale = float(p.mean())
    start = _linear(p[held] / scale, n[held], np.log(shares[held]))
    if start is None:
        return None
    x, at = p / scale, np.array(start)

    def loss(at: Floats) -> float:
        return float(n @ (shares - np.exp(at[0] - at[1] * x)) ** 2)

    for _ in range(100):
        fitted = np.exp(at[0] - at[1] * x)
        jacobian = np.column_stack([fitted, -x * fitted])
        root = np.sqrt(n)
        step = np.linalg.lstsq(jacobian * root[:, None], (shares - fitted) * root, rcond=None)[0]
        size = 1.0
        while loss(at + size * step) > loss(at) * (1 + 1e-14) and size > 1e-8:
            size /= 2
        at = at + size * step
        if np.abs(step).max() < 1e-13 * (1 + np.abs(at).max()):
            break
    return float(np.exp(at[0])), float(at[1]) / scale


def _elastic(p: Floats, n: Floats, shares: Floats) -> tuple[float, float] | None:
    """Weighted least squares of a·p^(−b): the exponential in the logarithm of the price."""
    middle = float(np.log(p).mean())
    found = _exponential(np.log(p) - middle + 1, n, shares)
    return None if found is None else (float(found[0] * np.exp(found[1] * (middle - 1))), found[1])


def _best_elastic(a: float, b: float, cost: float, p: Floats) -> float:
    """Where demand is 1 a dearer price is better; beyond it revenue rises with b < 1, falls with b > 1."""
    low, high = float(p[0]), float(p[-1])
    full = a ** (1 / b)
    best = max(cost * b / (b - 1), full) if b > 1 else high
    return float(np.clip(best, low, high))


def _logit(p: Floats, n: Floats, shares: Floats) -> tuple[float, float] | None:
    """Maximum likelihood of the binomial; None where it has none (all or nobody up to a price)."""
    if not ((shares > 0) & (shares < 1)).any():
        return None
    scale = float(p.std())
    x = np.column_stack([np.ones_like(p), -(p - p.mean()) / scale])
    beta = np.zeros(2)
    for _ in range(60):
        q = 1 / (1 + np.exp(-(x @ beta)))
        information = (x * (n * q * (1 - q))[:, None]).T @ x
        try:
            step = np.linalg.solve(information, x.T @ (n * (shares - q)))
        except np.linalg.LinAlgError:
            return None
        beta = beta + step
        if np.abs(beta).max() > 200:
            return None
        if np.abs(step).max() < 1e-13 * (1 + np.abs(beta).max()):
            break
    return float(beta[0] + beta[1] * p.mean() / scale), float(beta[1] / scale)


def _spline(p: Floats, shares: Floats) -> Curve:
    """Monotone cubic through the (never rising) shares (Fritsch & Butland 1984)."""
    spline = interpolate.PchipInterpolator(p, shares)
    turn = spline.derivative()

    def best(cost: float) -> float:
        # Inside each stretch the profit is a polynomial of degree four: its turning points and the ends.
        places = list(p)
        for i in range(p.size - 1):
            q = np.poly1d(spline.c[:, i])
            profit = np.poly1d([1.0, p[i] - cost]) * q
            roots = profit.deriv().roots
            real = roots[np.abs(roots.imag) < 1e-9 * (1 + np.abs(roots.real))].real
            places += [float(p[i] + r) for r in real if 0 < r < p[i + 1] - p[i]]
        profits = [(x - cost) * float(spline(x)) for x in places]
        return float(places[int(np.argmax(profits))])

    return Curve("spline", None, spline, turn, best)


# ---- intervals -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Best:
    price: float
    share: float
    low: float
    high: float


def best_prices(
    kind: str, demand: Demand, curve: Curve, costs: tuple[float, ...], level: float, drawn: list[Demand]
) -> tuple[list[Best], npt.NDArray[np.float64]]:
    """The best price for each unit cost, with percentile intervals, and the shares of all resamples (for a band)."""
    curves = [one for one in (fit_curve(kind, own) for own in drawn if (own.n > 0).all()) if one is not None]
    tail = (1 - level) / 2
    found = []
    for cost in costs:
        price = curve.best(cost)
        places = [one.best(cost) for one in curves]
        # An order statistic, so that a price of the ladder stays one.
        low, high = np.quantile(places, [tail, 1 - tail], method="inverted_cdf") if places else (price, price)
        share = float(curve.at(np.array([price]))[0])
        found.append(Best(price, share, float(low), float(high)))
    return found, np.array([one.at(demand.prices) for one in curves])


def arc_elasticity(prices: Floats, shares: Floats) -> list[float | None]:
    """Between each price and the one before, by midpoints; None for the first, and where both shares are 0."""
    found: list[float | None] = [None]
    for i in range(1, prices.size):
        middle = (shares[i] + shares[i - 1]) / 2
        rise = (prices[i] - prices[i - 1]) / ((prices[i] + prices[i - 1]) / 2)
        found.append(float((shares[i] - shares[i - 1]) / middle / rise) if middle > 0 else None)
    return found
