"""The automatic choice of an ARIMA model: Hyndman and Khandakar's (2008) stepwise search, as `forecast::auto.arima`.

Every candidate is fitted by exact likelihood (auto.arima: `approximation=FALSE`); a model with a root within 1 % of the
unit circle is set aside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from hengxi.stats.arma import NEAR_ONE, ArimaFit, Orders, fit_arima
from hengxi.stats.moments import Floats
from hengxi.stats.unit_roots import differences_by_kpss

MOST_MODELS = 94
Telling = Callable[[int, str], bool]


@dataclass(frozen=True)
class Tried:
    orders: Orders
    constant: bool
    aic: float | None
    aicc: float | None
    bic: float | None
    near_one: bool
    """Set aside: a root next to the unit circle. With aic None: could not be fitted."""

    def value(self, by: str) -> float:
        found = getattr(self, by)
        return float("inf") if found is None or self.near_one else float(found)


@dataclass
class Search:
    y: Floats
    exog: Floats
    by: str
    tell: Telling
    tried: list[Tried] = field(default_factory=list)
    stopped: bool = False

    def fit(self, orders: Orders, constant: bool, precise: bool = False) -> ArimaFit:
        return fit_arima(self.y, regressors(self.y.size, self.exog, orders, constant), orders, precise)

    def _try(self, orders: Orders, constant: bool) -> float:
        if any(one.orders == orders and one.constant == constant for one in self.tried):
            return float("inf")
        if self.stopped or len(self.tried) >= MOST_MODELS:
            return float("inf")
        self.stopped = not self.tell(len(self.tried), f"ARIMA{orders.words}")
        try:
            fit = self.fit(orders, constant)
        except (ValueError, np.linalg.LinAlgError):
            self.tried.append(Tried(orders, constant, None, None, None, False))
            return float("inf")
        near = fit.largest_root > 1 / NEAR_ONE
        aicc = fit.aicc if np.isfinite(fit.aicc) else None
        one = Tried(orders, constant, fit.aic, aicc, fit.bic, near)
        self.tried.append(one)
        return one.value(self.by)

    def run(self, d: int, seasonal_d: int = 0, m: int = 1) -> tuple[Orders, bool] | None:
        """The best orders and whether they have a constant; None where no model is fit for use."""
        n = self.y.size
        top_p = top_q = min(5, n // 3)
        top_sp = top_sq = min(2, n // 3 // m) if m > 1 else 0
        if m > 1:
            top_p, top_q = (min(top_p, m - 1), min(top_q, m - 1))
        allowed = d + seasonal_d <= 1
        first = 1 if n < 10 else 2
        season = 0 if n < 10 else 1

        def orders(p: int, q: int, sp: int, sq: int) -> Orders:
            return Orders(p, d, q, sp, seasonal_d, sq, m)

        start: tuple[int, ...] = (min(first, top_p), min(first, top_q), min(season, top_sp), min(season, top_sq))
        simple: list[tuple[tuple[int, ...], bool]] = [(start, allowed), ((0, 0, 0, 0), allowed)]
        if top_p or top_sp:
            simple.append(((min(1, top_p), 0, min(1, top_sp), 0), allowed))
        if top_q or top_sq:
            simple.append(((0, min(1, top_q), 0, min(1, top_sq)), allowed))
        if allowed:
            simple.append(((0, 0, 0, 0), False))
        # As auto.arima: the constant is left out at first only where none is allowed.
        best, at, constant = float("inf"), start, allowed
        for sizes, with_constant in simple:
            value = self._try(orders(*sizes), with_constant)
            if value < best:
                best, at = value, sizes
        moves = [
            (0, 0, -1, 0), (0, 0, 0, -1), (0, 0, 1, 0), (0, 0, 0, 1), (0, 0, -1, -1), (0, 0, -1, 1), (0, 0, 1, -1),
            (0, 0, 1, 1), (-1, 0, 0, 0), (0, -1, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (-1, -1, 0, 0), (-1, 1, 0, 0),
            (1, -1, 0, 0), (1, 1, 0, 0),
        ]  # fmt: skip
        tops = (top_p, top_q, top_sp, top_sq)
        moved = True
        while moved and not self.stopped:
            moved = False
            for move in moves:
                sizes = tuple(a + b for a, b in zip(at, move, strict=True))
                if any(not 0 <= size <= top for size, top in zip(sizes, tops, strict=True)):
                    continue
                value = self._try(orders(*sizes), constant)
                if value < best:
                    best, at, moved = value, sizes, True
                    break
            if not moved and allowed:
                value = self._try(orders(*at), not constant)
                if value < best:
                    best, constant, moved = value, not constant, True
        usable = [one for one in self.tried if np.isfinite(one.value(self.by))]
        if not usable:
            return None
        chosen = min(usable, key=lambda one: one.value(self.by))
        return chosen.orders, chosen.constant


def regressors(n: int, exog: Floats, orders: Orders, constant: bool, start: int = 0) -> Floats:
    """A constant (d = 0) or time (d = 1) before the exogenous variables; rows `start` … `start` + n − 1."""
    own: list[Floats] = []
    if constant and orders.d + orders.D == 0:
        own = [np.ones(n)]
    elif constant and orders.d + orders.D == 1:
        own = [np.arange(start + 1.0, start + n + 1)]
    return np.column_stack([*own, exog]) if own or exog.shape[1] else np.zeros((n, 0))


def choose_differences(y: Floats, exog: Floats, most: int = 2) -> int:
    """By KPSS on what the exogenous variables leave."""
    if exog.shape[1]:
        columns = np.column_stack([np.ones(y.size), exog])
        y = y - columns @ np.linalg.lstsq(columns, y, rcond=None)[0]
    d = differences_by_kpss(y, most)
    while d and exog.shape[1] and (np.ptp(np.diff(exog, n=d, axis=0), axis=0) < 1e-12).any():
        d -= 1
    return d
