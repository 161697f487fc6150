"""From the form of a linear regression to its fit, with what the user must be told where there is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import Refusal, SetRemedy
from hengxi.families.regression import model as base
from hengxi.families.regression.design import (
    collinear,
    design_of,
    factor_of,
    fitted_rows,
    magnitude,
    terms_of,
    without_constant,
)
from hengxi.stats.design import Codes, Design, Term
from hengxi.stats.effect_size import noncentral_f_interval
from hengxi.stats.linear_covariance import Wald, automatic_lags, covariance, wald
from hengxi.stats.linear_fit import Collinear, Fit, least_squares
from hengxi.stats.moments import Floats, Moments, moments
from hengxi.stats.names import titles

PERFECT = 1e-20
"""Share of the variation left over below which nothing but rounding is left."""

SE_WORDS = {
    "classic": "经典",
    "hc0": "HC0",
    "hc1": "HC1",
    "hc2": "HC2",
    "hc3": "HC3",
    "newey_west": "Newey-West",
    "cluster": "聚类稳健",
}


@dataclass
class Model(base.Model):
    fit: Fit
    y_values: Floats
    clusters: Codes | None
    lags: int
    tests: dict[str, Wald | None] = field(default_factory=dict)
    """Of terms together, once asked for."""

    @property
    def first(self) -> int:
        return int(self.fit.intercept)

    @property
    def kind(self) -> str:
        return str(self.form.se_type)

    @cached_property
    def exact(self) -> bool:
        """An identity: nothing is left over but rounding."""
        return self.fit.sse <= PERFECT * self.fit.whole

    @cached_property
    def cov(self) -> Floats:
        if self.exact:
            return np.zeros((self.fit.k, self.fit.k))
        return covariance(self.fit, self.kind, self.lags, self.clusters)

    @cached_property
    def df(self) -> float:
        """Of t and F: with clusters their number less one, as Stata and sandwich's usual companion."""
        return float(self.clusters.max()) if self.clusters is not None else float(self.fit.df)

    @property
    def b(self) -> Floats:
        return self.fit.coefficients

    @cached_property
    def se(self) -> Floats:
        return self.fit.errors(self.cov)

    @property
    def t(self) -> Floats:
        return self.statistic

    def joint(self, term: Term) -> Wald | None:
        """All coefficients of a term are 0; None where the clusters are too few to tell."""
        if term.name not in self.tests:
            self.tests[term.name] = wald(self.fit, self.cov, term.columns, self.df)
        return self.tests[term.name]

    def term_p(self, term: Term) -> float:
        test = self.joint(term)
        return 1.0 if test is None else test.p

    def predicted(self, values: list[float]) -> dict[str, Any] | None:
        """The mean with its interval, and the interval of a single new case by the residual standard error."""
        fit = self.fit
        with np.errstate(over="ignore", invalid="ignore"):
            z = (self.design.at(values) - fit.centre) / fit.scale
            g = np.concatenate(([1.0], z)) if fit.intercept else z
            mean = fit.y_centre + fit.y_scale * float(z @ fit.beta)
            se = fit.y_scale * float(np.sqrt(max(0.0, float(g @ self.cov @ g))))
            wide = float(np.hypot(se, self.sigma))
        if not np.isfinite([mean, se, wide]).all():
            return None
        ends = {"low": mean - self.reach * se, "high": mean + self.reach * se}
        return {"mean": mean, **ends, "single_low": mean - self.reach * wide, "single_high": mean + self.reach * wide}

    @cached_property
    def sigma(self) -> float:
        """Residual standard error in the unit of y (at precision weight 1)."""
        if self.exact:
            return 0.0
        return float(np.sqrt(self.fit.variance)) * self.fit.y_scale * self.fit.precision_scale

    @property
    def rmse(self) -> float:
        """The same divided by n: what machine learning calls the root mean squared error."""
        return self.sigma * float(np.sqrt(self.fit.df / self.fit.n))

    @cached_property
    def residual_moments(self) -> Moments:
        return moments(self.fit.standard_residuals, self.fit.counts)

    @cached_property
    def classic_f(self) -> float:
        return (self.fit.r2 / self.fit.p) / (self.fit.rest / self.fit.df)

    @cached_property
    def overall(self) -> Wald | None:
        """All slopes are 0: from the sums of squares, or Wald's with the covariance chosen."""
        if self.kind == "classic":
            f = self.classic_f
            return Wald(f, float(self.fit.p), float(self.fit.df), float(stats.f.sf(f, self.fit.p, self.fit.df)))
        return wald(self.fit, self.cov, list(range(self.fit.p)), self.df)

    @cached_property
    def r2_interval(self) -> tuple[float, float]:
        low, high = noncentral_f_interval(self.classic_f, self.fit.p, self.fit.df, self.level)
        return low / (low + self.fit.df), high / (high + self.fit.df)

    @property
    def adjusted(self) -> float:
        return 1 - self.fit.rest * (self.fit.n - int(self.fit.intercept)) / self.fit.df

    @cached_property
    def log_likelihood(self) -> float:
        """As R's logLik for lm: precision weights enter by half the sum of their logarithms."""
        fit, n = self.fit, self.fit.n
        spread = np.log(fit.sse) + 2 * np.log(fit.y_scale) + 2 * np.log(fit.precision_scale)
        return 0.5 * (fit.log_weights - n * float(np.log(2 * np.pi) + 1 - np.log(n) + spread))

    @property
    def weighted_words(self) -> str:
        words = []
        if self.form.weight is not None:
            words.append(f"精度权重“{self.form.weight.title}”")
        if self.form.freq is not None:
            words.append(f"频数权重“{self.form.freq.title}”")
        return "、".join(words)


def build_model(form: Any) -> Model:
    counts, rows, part = fitted_rows(form)
    precision = _precision(form, counts)
    names = titles(form.x)
    factors = [factor_of(column, names[column.id], form, part) for column in form.x]
    terms = terms_of(form, "线性回归")
    if not form.intercept:
        factors = without_constant(factors, terms)
    y = np.asarray(form.y.numbers[part])
    if y.size and float(y.min()) == float(y.max()):
        raise Refusal(
            "role.constant",
            "因变量“{v}”在有效样本中只有一个取值，没有变异，无法回归",
            field="y",
            column=form.y.id,
            v=form.y.title,
        )
    design = design_of(form, factors, terms, y.size)
    f = None if counts is None else counts[part]
    n = int(y.size if f is None else round(float(f.sum())))
    k = design.values.shape[1] + int(form.intercept)
    if n <= k:
        raise Refusal(
            "data.few", "有效样本 {n} 行，不足以估计 {k} 个参数，至少需要 {least} 行", field="x", n=n, k=k, least=k + 2
        )
    clusters = _clusters(form, part) if form.se_type == "cluster" else None
    fit = _fit(form, design, y, None if precision is None else precision[part], f)
    lags = automatic_lags(n) if form.nw_lags is None else int(form.nw_lags)
    model = Model(form, list(form.x), design, rows, fit, y, clusters, lags)
    _refuse_useless(model)
    return model


def _precision(form: Any, counts: Floats | None) -> Floats | None:
    if counts is not None and form.se_type == "newey_west":
        raise Refusal(
            "choice.greyed",
            "频数权重把一行当作多个个案，没有时间次序，不能用 Newey-West 标准误",
            field="se_type",
            also=["freq"],
            remedies=[SetRemedy(title="改用 HC3", set={"se_type": "hc3"})],
        )
    # Zero, negative and missing weights never arrive here: the platform refuses or drops those rows.
    return None if form.weight is None else np.asarray(form.weight.numbers)


def _clusters(form: Any, part: Any) -> Codes:
    column = form.cluster
    codes = column.codes[part] if column.is_categorical or not column.is_number else column.numbers[part]
    groups, found = np.unique(codes, return_inverse=True)
    if groups.size < 2:
        raise Refusal(
            "data.clusters",
            "聚类变量“{v}”只有一个取值，不能计算聚类稳健标准误",
            field="cluster",
            also=["se_type"],
            column=column.id,
            v=column.title,
            remedies=[SetRemedy(title="改用 HC3", set={"se_type": "hc3"})],
        )
    return found


def _fit(form: Any, design: Design, y: Floats, precision: Floats | None, counts: Floats | None) -> Fit:
    try:
        with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
            return least_squares(design.values, y, bool(form.intercept), precision, counts)
    except Collinear as found:
        raise collinear(found, design, form) from None


def _refuse_useless(model: Model) -> None:
    """Beyond the range of a double: nothing would mean anything."""
    fit = model.fit
    with np.errstate(all="ignore"):
        numbers = [*model.b, model.fit.y_scale, *fit.scale, float(np.max(np.abs(fit.fitted())))]
        if not np.isfinite(numbers).all():
            raise magnitude(model.y, "y")
        if model.exact:
            return
        if model.kind in ("hc2", "hc3") and float(fit.leverage.max()) > 1 - 1e-10:
            row = int(model.form.y.row_numbers[model.rows[int(fit.leverage.argmax())]])
            raise Refusal(
                "data.leverage",
                "第 {r} 行独自决定一个系数（杠杆值为 1，多半是只有一例的类别），{kind} 标准误无法计算，"
                "请合并类别或改用 HC1",
                field="se_type",
                also=["x"],
                row=row,
                r=row,
                kind=SE_WORDS[model.kind],
                remedies=[SetRemedy(title="改用 HC1", set={"se_type": "hc1"})],
            )
        if not np.isfinite(model.se).all() or (model.se <= 0).any():
            raise magnitude(model.y, "y")
