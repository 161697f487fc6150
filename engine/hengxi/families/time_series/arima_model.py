"""An ARIMA model on a series read from a form: transformation, regressors, orders, fit; what is refused."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import Refusal, SetRemedy
from hengxi.families.time_series.series import Series
from hengxi.stats.arima_search import Search, Tried, choose_differences, regressors
from hengxi.stats.arma import ArimaFit, Orders, fit_arima
from hengxi.stats.moments import Floats

ROWS_A_PARAMETER = 3
LOG_BELOW = 0.25
"""The automatic choice takes logarithms where λ of Box and Cox is not above this."""
GRID = np.round(np.arange(-1.0, 2.0001, 0.05), 2)
"""λ of Box and Cox are looked for here."""


@dataclass(frozen=True)
class Transform:
    """y to the scale of the model and back; λ 1 leaves it as it is, 0 takes logarithms."""

    lam: float = 1.0

    @property
    def is_plain(self) -> bool:
        return self.lam == 1.0

    def forth(self, y: Floats) -> Floats:
        if self.is_plain:
            return y
        return np.log(y) if self.lam == 0 else (y**self.lam - 1) / self.lam

    def back(self, z: Floats) -> Floats:
        if self.is_plain:
            return z
        with np.errstate(over="ignore", invalid="ignore"):
            if self.lam == 0:
                return np.asarray(np.exp(z))
            inside = np.maximum(self.lam * z + 1, 0.0)
            return np.asarray(inside ** (1 / self.lam))

    @property
    def words(self) -> str:
        if self.is_plain:
            return "不变换"
        return "取自然对数" if self.lam == 0 else "Box-Cox"


def choose_lambda(y: Floats) -> float:
    """The λ of the grid with the greatest profile likelihood of a straight trend in y^(λ) (as MASS::boxcox)."""
    columns = np.column_stack([np.ones(y.size), np.arange(1.0, y.size + 1)])
    scaled = y / float(np.exp(np.mean(np.log(y))))
    logs = np.log(scaled)
    best, found = -np.inf, 1.0
    for lam in GRID:
        z = logs if lam == 0 else (scaled**lam - 1) / lam
        rss = float(np.sum((z - columns @ np.linalg.lstsq(columns, z, rcond=None)[0]) ** 2))
        value = -0.5 * y.size * float(np.log(rss)) if rss > 0 else np.inf
        if value > best:
            best, found = value, float(lam)
    return found


def read_transform(form: Any, y: Floats) -> Transform:
    if form.transform == "auto":
        return Transform(0.0) if (y > 0).all() and choose_lambda(y) <= LOG_BELOW else Transform()
    if form.transform == "none":
        return Transform()
    if (y <= 0).any():
        raise Refusal(
            "data.positive", "“{v}”含非正值，不能取对数或作 Box-Cox 变换", field="transform", also=["y"],
            column=form.y.id, v=form.y.title, remedies=[SetRemedy(title="不变换", set={"transform": "none"})],
        )  # fmt: skip
    return Transform(0.0) if form.transform == "log" else Transform(choose_lambda(y))


@dataclass
class Model:
    """One fitted series; `z` is y on the scale of the model."""

    form: Any
    series: Series
    transform: Transform
    z: Floats
    orders: Orders
    constant: bool
    fit: ArimaFit
    tried: list[Tried]
    stopped: bool = False

    @property
    def names(self) -> list[str]:
        """Of φ, θ and the regression coefficients, as the table of coefficients has them."""
        own = []
        if self.constant and self.orders.d + self.orders.D == 0:
            own = ["均值"]
        elif self.constant and self.orders.d + self.orders.D == 1:
            own = ["漂移（每期的平均变化）"]
        return [*self.orders.names(), *own, *(column.title for column in self.form.exog)]

    @property
    def words(self) -> str:
        exog = "（含外生变量）" if self.form.exog else ""
        return f"{'SARIMA' if self.orders.m > 1 else 'ARIMA'}{self.orders.words}{exog}"

    @property
    def has_mean(self) -> bool:
        return self.constant and self.orders.d + self.orders.D <= 1

    @property
    def mean(self) -> float | None:
        """The mean (d = 0) or the drift (d = 1)."""
        return float(self.fit.beta[0]) if self.has_mean else None

    @property
    def intercept(self) -> float | None:
        """The constant of the equation: the mean of the differenced series times 1 − Σφ."""
        if self.mean is None:
            return None
        ar, _ = self.orders.polynomials(self.fit.params)
        each = self.orders.m if self.orders.D == 1 else 1
        return self.mean * each * float(np.sum(ar))

    @property
    def lost(self) -> int:
        return self.orders.lost

    @cached_property
    def fitted(self) -> Floats:
        """One-step predictions in the unit of y, of the periods after the differencing."""
        return self.transform.back(self.z[self.lost :] - self.fit.one_step)

    @property
    def r2(self) -> float:
        y = self.series.y[self.lost :]
        return 1 - float(np.sum((y - self.fitted) ** 2) / np.sum((y - y.mean()) ** 2))

    def interval(self, i: int, se: float) -> tuple[float, float]:
        reach = 1.959963984540054 * se
        value = float(np.concatenate((self.fit.params, self.fit.beta))[i])
        return value - reach, value + reach

    def forecast(self, h: int) -> tuple[Floats, Floats]:
        exog = self.series.future[:h] if self.form.exog else np.zeros((h, 0))
        return self.fit.forecast(h, regressors(h, exog, self.orders, self.constant, self.series.n))

    def held_out(self, held: int) -> Floats | None:
        """Fitted again without the last periods: what it says of them, in the unit of y."""
        n = self.series.n - held
        try:
            fit = fit_arima(self.z[:n], regressors(n, self.series.exog[:n], self.orders, self.constant), self.orders)
        except (ValueError, np.linalg.LinAlgError):
            return None
        later = regressors(held, self.series.exog[n:], self.orders, self.constant, n)
        return self.transform.back(fit.forecast(held, later)[0])


def check_future(form: Any, series: Series) -> None:
    """The exogenous variables of the periods to forecast must be there."""
    if not form.exog:
        return
    have = series.future.shape[0]
    if have < form.horizon:
        remedies = [SetRemedy(title=f"只预测 {have} 期", set={"horizon": have})] if have else []
        raise Refusal(
            "data.future", "含外生变量时请提供未来 {h} 期的外生变量值：在“{v}”的最后一期之后再加几行，"
            "时间和外生变量填好，“{v}”留空；现在有 {k} 期", field="horizon", also=["exog"], v=form.y.title,
            h=form.horizon, k=have, remedies=remedies,
        )  # fmt: skip


def check_exog(form: Any, series: Series) -> None:
    names = [column.title for column in form.exog]
    kept = np.column_stack([np.ones(series.n), np.zeros((series.n, 0))])
    for j, name in enumerate(names):
        x = series.exog[:, j]
        scale = float(np.abs(x).max()) or 1.0
        basis = np.linalg.qr(kept)[0]
        rest = x / scale - basis @ (basis.T @ (x / scale))
        if float(np.sqrt(np.mean(rest**2))) < 1e-9:
            raise Refusal(
                "data.collinear", "外生变量“{v}”没有变化，或由其他外生变量完全决定，请移出", field="exog",
                column=form.exog[j].id, v=name,
            )  # fmt: skip
        kept = np.column_stack([kept, x / scale])


def refuse_short(form: Any, n: int, orders: Orders, parameters: int) -> None:
    if n - orders.lost < max(ROWS_A_PARAMETER * parameters, orders.free + 3):
        raise Refusal(
            "data.short", "序列太短（T = {n}），ARIMA{o} 有 {k} 个参数，请降低阶数", field="order", also=["y"],
            n=n, o=orders.words, k=parameters, column=form.y.id,
        )  # fmt: skip


def refuse_line(form: Any, z: Floats, orders: Orders) -> None:
    w = orders.difference(z)
    if w.size < 4 or np.ptp(w) <= 1e-10 * max(float(np.abs(z).max()), 1e-300):
        raise Refusal(
            "data.line", "“{v}”差分后没有变化（每期的增减一样），直接按这条直线外推即可，不需要 ARIMA", field="y",
            column=form.y.id, v=form.y.title,
        )  # fmt: skip


def fit_fixed(form: Any, series: Series, transform: Transform, orders: Orders, constant: bool) -> Model:
    z = transform.forth(series.y)
    refuse_line(form, z, orders)
    columns = regressors(series.n, series.exog, orders, constant)
    refuse_short(form, series.n, orders, orders.free + columns.shape[1] + 1)
    try:
        fit = fit_arima(z, columns, orders)
    except (ValueError, np.linalg.LinAlgError) as error:
        raise _not_fitted(form, orders) from error
    return Model(form, series, transform, z, orders, constant, fit, [])


def fit_chosen(form: Any, series: Series, transform: Transform, seasonal_d: int = 0, m: int = 1) -> Model:
    z = transform.forth(series.y)
    refuse_line(form, z, Orders(0, 0, 0, 0, seasonal_d, 0, m))
    start = Orders(0, 0, 0, 0, seasonal_d, 0, m)
    d = choose_differences(start.difference(z), start.difference(series.exog))
    orders = Orders(0, d, 0, 0, seasonal_d, 0, m)
    refuse_line(form, z, orders)

    def tell(done: int, text: str) -> bool:
        return bool(form.progress(min(done, 30), 31, f"试 {text}"))

    search = Search(z, series.exog, form.ic, tell)
    found = search.run(d, seasonal_d, m)
    if found is None:
        raise Refusal(
            "data.converge", "没有找到能用的 ARIMA 模型，请手工给出阶数", field="auto", column=form.y.id,
            remedies=[SetRemedy(title="手工定阶", set={"auto": False})],
        )  # fmt: skip
    orders, constant = found
    try:
        fit = search.fit(orders, constant, precise=True)
    except (ValueError, np.linalg.LinAlgError) as error:
        raise _not_fitted(form, orders) from error
    tried = [
        one if (one.orders, one.constant) != (orders, constant)
        else Tried(orders, constant, fit.aic, fit.aicc if np.isfinite(fit.aicc) else None, fit.bic, False)
        for one in search.tried
    ]  # fmt: skip
    return Model(form, series, transform, z, orders, constant, fit, tried, search.stopped)


def _not_fitted(form: Any, orders: Orders) -> Refusal:
    return Refusal(
        "data.converge", "ARIMA{o} 无法估计，请降低阶数", field="order", also=["y"], o=orders.words, column=form.y.id
    )


def two_sided(z: float) -> float:
    return 2 * float(stats.norm.sf(abs(z)))
