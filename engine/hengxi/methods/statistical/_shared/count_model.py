"""Regressions of counts: from the form to the fit, with what the user must be told where there is none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import Column, Refusal, StepRemedy
from hengxi.families.regression.design import factor_of, fitted_rows, refuse_few, standard_design, terms_of
from hengxi.families.regression.standard import LikelihoodModel, fitted
from hengxi.families.regression.words import HUGE, ratio
from hengxi.stats.design import Design
from hengxi.stats.likelihood_fit import Family, NegativeBinomial1, Poisson, Rows
from hengxi.stats.moments import Floats
from hengxi.stats.names import number_words, titles

SE_WORDS = {"classic": "经典", "robust": "稳健（HC0）", "quasi": "准泊松"}
MOST_COUNT = 2**53


@dataclass
class CountModel(LikelihoodModel):
    @property
    def kind(self) -> str:
        return str(self.form.se_type)

    @cached_property
    def covariance(self) -> Floats:
        if self.kind == "robust":
            return self.fit.sandwich()
        return self.fit.covariance * self.dispersion

    @property
    def residual_df(self) -> int:
        return self.n - self.fit.rows.k

    @cached_property
    def pearson(self) -> float:
        return float(np.sum(self.fit.pearson**2))

    @property
    def spread(self) -> float:
        """Pearson χ² over its degrees of freedom: 1 where the variance is as the model says."""
        return self.pearson / self.residual_df

    @property
    def dispersion(self) -> float:
        return self.spread if self.kind == "quasi" else 1.0

    @cached_property
    def deviance(self) -> float:
        y, mean, shape = self.fit.rows.y, self.fit.mean, self.fit.shape
        if not self.fit.family.has_shape:
            return float(2 * np.sum(special.xlogy(y, y / mean) - (y - mean)))
        if isinstance(self.fit.family, NegativeBinomial1):
            return float("nan")
        size = 1 / shape
        return float(2 * np.sum(special.xlogy(y, y / mean) - (y + size) * np.log((y + size) / (mean + size))))

    @cached_property
    def tested(self) -> tuple[float, int, float]:
        """All slopes are 0: by likelihood ratio, or Wald's with the covariance chosen."""
        return self.overall if self.kind == "classic" else self.wald_overall

    def predicted(self, values: list[float]) -> dict[str, Any] | None:
        """The mean count (of one unit of exposure); its interval is Wald's on the logarithm."""
        found = self.predictor(values)
        if found is None or found[2] > HUGE:
            return None
        value, low, high = (ratio(eta) for eta in found)
        return {"value": value, "low": low, "high": high}

    def chance(self, low: Floats, high: Floats, rows: Any) -> Floats:
        """Of counts from `low` to `high` (both in), for these rows: rows × classes."""
        mean, shape = self.fit.mean[rows][:, None], self.fit.shape
        top, foot = np.where(np.isinf(high), 0, high), np.maximum(low - 1, 0)
        if not self.fit.family.has_shape:
            upper, lower = special.pdtr(top, mean), special.pdtr(foot, mean)
        else:
            size = mean / shape if isinstance(self.fit.family, NegativeBinomial1) else np.full_like(mean, 1 / shape)
            share = size / (size + mean)
            upper, lower = special.betainc(size, top + 1, share), special.betainc(size, foot + 1, share)
        return np.asarray(np.where(np.isinf(high), 1.0, upper) - np.where(low > 0, lower, 0.0))


def build_model(form: Any, family: Family, who: str) -> CountModel:
    """Raises `Refusal`: counts that are none, exposures that are not positive, levels without events, no maximum."""
    _, rows, part = fitted_rows(form)
    y = np.asarray(form.y.numbers, dtype=float)
    _refuse_no_counts(form.y, y)
    offset = np.zeros(y.size) if form.exposure is None else np.log(_exposure(form.exposure))
    names = titles(form.x)
    factors = [factor_of(column, names[column.id], form, part) for column in form.x]
    terms = terms_of(form, who)
    refuse_few(factors, terms, y.size, int(family.has_shape))
    design, plain = standard_design(form, factors, terms, y.size, None)
    _refuse_empty(form, design, y)
    data = Rows(design.whole, y, offset)
    if family.has_shape:
        _refuse_even(form, data, family)
    whole, null = fitted(form, data, family)
    model = CountModel(form, list(form.x), design, rows, plain, whole, null)
    if form.se_type == "robust":
        model.refuse_lone_rows("稳健")
    model.refuse_useless()
    return model


def _refuse_no_counts(column: Column, y: Floats) -> None:
    bad = np.flatnonzero((y < 0) | (y != np.floor(y)) | (y > MOST_COUNT))
    if bad.size:
        row = int(column.row_numbers[bad[0]])
        raise Refusal(
            "data.count",
            "计数因变量须为非负整数，“{v}”第 {r} 行为 {x}；连续的因变量请用线性回归",
            field="y",
            column=column.id,
            row=row,
            v=column.title,
            r=row,
            x=number_words(float(y[bad[0]])),
        )


def _exposure(column: Column) -> Floats:
    values = np.asarray(column.numbers, dtype=float)
    bad = np.flatnonzero(values <= 0)
    if bad.size:
        row = int(column.row_numbers[bad[0]])
        raise Refusal(
            "data.exposure",
            "暴露量必须为正，“{v}”第 {r} 行为 {x}；请改正，或筛去这样的行",
            field="exposure",
            column=column.id,
            row=row,
            v=column.title,
            r=row,
            x=number_words(float(values[bad[0]])),
        )
    return values


def _refuse_empty(form: Any, design: Design, y: Floats) -> None:
    """A level in which nothing was counted: its coefficient would go to −∞."""
    for term in design.terms:
        if len(term.factors) > 1 or term.numeric:
            continue
        factor, column = design.factors[term.factors[0]], form.x[term.factors[0]]
        sums = np.bincount(np.asarray(factor.codes), y, minlength=len(factor.labels))
        if (sums == 0).any():
            raise Refusal(
                "data.separation",
                "自变量“{v}”为“{a}”的行，“{y}”全是 0，发生率比没有有限的估计；请合并类别，或移去这个变量",
                field="x",
                column=column.id,
                v=column.title,
                a=factor.labels[int(np.flatnonzero(sums == 0)[0])],
                y=form.y.title,
                remedies=[StepRemedy(title="合并类别", step="data_processing/value_coding", columns=[column.id])],
            )


def _refuse_even(form: Any, data: Rows, family: Family) -> None:
    """The likelihood falls from α = 0 on: its slope there is that of the variance over the mean."""
    from hengxi.contract import MethodRemedy
    from hengxi.stats.likelihood_fit import maximise

    poisson = maximise(data, Poisson())
    y, mean = data.y, poisson.mean
    over = (y - mean) ** 2 - y
    slope = float(np.sum(over / mean if isinstance(family, NegativeBinomial1) else over))
    if poisson.converged and slope <= 0:
        raise Refusal(
            "data.even",
            "“{y}”没有过离散（方差不大于均值），离散参数 α 的估计趋于 0，请用泊松回归",
            field="y",
            y=form.y.title,
            remedies=[
                MethodRemedy(
                    title="改用泊松回归", method="statistical/poisson_regression", carry=["y", "x", "exposure"]
                )
            ],
        )
