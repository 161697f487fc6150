"""Regressions fitted in standard coordinates (a constant, columns of mean 0 and mean square 1), told in the user's
units; and those fitted by maximum likelihood."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import Refusal, Report, SetRemedy
from hengxi.families.regression import model as base
from hengxi.families.regression.design import magnitude, widest
from hengxi.families.regression.tables import finite, unusual_cases
from hengxi.stats.collinearity import vif
from hengxi.stats.design import Term
from hengxi.stats.likelihood_fit import Family, Maximum, Poisson, Rows, maximise
from hengxi.stats.linear_fit import Basis
from hengxi.stats.moments import Floats


@dataclass
class StandardModel(base.Model):
    plain: Basis
    """The columns in standard coordinates."""

    @property
    @abstractmethod
    def beta(self) -> Floats:
        """Coefficients in standard coordinates, the constant first."""

    @property
    @abstractmethod
    def covariance(self) -> Floats:
        """Of `beta`, with the standard errors chosen."""

    @cached_property
    def b(self) -> Floats:
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            slopes = self.beta[1:] / self.plain.scale
            exact = self.beta[1:].astype(np.longdouble) / self.plain.scale
            constant = float(self.beta[0] - np.sum(exact * self.plain.centre))
        return np.concatenate(([constant], slopes))

    @cached_property
    def se(self) -> Floats:
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            turn = np.diag(np.concatenate(([1.0], 1 / self.plain.scale)))
            turn[0, 1:] = -self.plain.centre / self.plain.scale
            values, vectors = np.linalg.eigh((self.covariance + self.covariance.T) / 2)
            rows = turn @ (vectors * np.sqrt(np.maximum(values, 0)))
            top = np.max(np.abs(rows), axis=1)
            return np.asarray(top * np.sqrt(np.sum((rows / top[:, None]) ** 2, axis=1)))

    @cached_property
    def vif(self) -> Floats:
        """Of each column of the design."""
        return vif(self.plain)

    def joint_wald(self, term: Term) -> tuple[float, float]:
        """χ² and p of all coefficients of a term being 0."""
        at = [j + 1 for j in term.columns]
        beta = self.beta[at]
        chi2 = float(beta @ np.linalg.solve(self.covariance[np.ix_(at, at)], beta))
        return chi2, float(stats.chi2.sf(chi2, len(at)))

    def term_p(self, term: Term) -> float:
        return self.joint_wald(term)[1]

    def predictor(self, values: list[float]) -> tuple[float, float, float] | None:
        """The linear predictor of a new case with the ends of its interval; None where no double can hold them."""
        with np.errstate(over="ignore", invalid="ignore"):
            g = np.concatenate(([1.0], (self.design.at(values) - self.plain.centre) / self.plain.scale))
            eta = float(g @ self.beta)
            half = self.reach * float(np.sqrt(max(0.0, float(g @ self.covariance @ g))))
        return (eta, eta - half, eta + half) if np.isfinite([eta, half]).all() else None

    def refuse_useless(self) -> None:
        """Beyond the range of a double nothing would mean anything."""
        with np.errstate(all="ignore"):
            sound = np.isfinite(self.b).all() and np.isfinite(self.se).all() and bool((self.se > 0).all())
        if not sound:
            raise magnitude(widest(self.design, self.plain))


@dataclass
class LikelihoodModel(StandardModel):
    fit: Maximum
    null: Maximum
    """With a constant (and a shape) alone."""

    @property
    def beta(self) -> Floats:
        return self.fit.beta

    @property
    def n(self) -> int:
        return int(self.fit.rows.y.size)

    @property
    def parameters(self) -> int:
        return self.fit.rows.k + int(self.fit.family.has_shape)

    @property
    def log_likelihood(self) -> float:
        return self.fit.value

    @property
    def aic(self) -> float:
        return -2 * self.fit.value + 2 * self.parameters

    @property
    def bic(self) -> float:
        return -2 * self.fit.value + float(np.log(self.n)) * self.parameters

    @property
    def mcfadden(self) -> float:
        return 1 - self.fit.value / self.null.value

    @cached_property
    def overall(self) -> tuple[float, int, float]:
        """Likelihood ratio χ², its degrees of freedom and p: all slopes are 0."""
        chi2, df = max(0.0, 2 * (self.fit.value - self.null.value)), self.fit.rows.k - 1
        return chi2, df, float(stats.chi2.sf(chi2, df))

    @cached_property
    def wald_overall(self) -> tuple[float, int, float]:
        """All slopes are 0, with the covariance chosen."""
        slopes = self.beta[1:]
        chi2 = float(slopes @ np.linalg.solve(self.covariance[1:, 1:], slopes))
        return chi2, slopes.size, float(stats.chi2.sf(chi2, slopes.size))

    def refuse_lone_rows(self, se_words: str) -> None:
        """With errors that rest on single residuals: a row that determines its own fitted value has none."""
        h = self.fit.leverage
        if float(h.max()) <= 1 - 1e-10:
            return
        row = int(self.form.y.row_numbers[self.rows[int(h.argmax())]])
        raise Refusal(
            "data.leverage",
            "第 {r} 行独自决定一个系数（多半是只有一例的类别），{kind}标准误无法计算，请合并类别或改用经典标准误",
            field="se_type",
            also=["x"],
            row=row,
            r=row,
            kind=se_words,
            remedies=[SetRemedy(title="改用经典标准误", set={"se_type": "classic"})],
        )

    @property
    def dispersion(self) -> float:
        """What the variance of the residuals is multiplied by."""
        return 1.0

    @cached_property
    def standardized(self) -> Floats:
        """Pearson residuals over the root of 1 − h; NaN where a row determines its own fitted value."""
        return np.asarray(self.fit.pearson / np.sqrt(self.dispersion * self._rest))

    @property
    def _rest(self) -> Floats:
        h = self.fit.leverage
        return np.where(h > 1 - 1e-10, np.nan, 1 - h)

    @cached_property
    def cook(self) -> Floats:
        found = self.fit.pearson**2 * self.fit.leverage
        return np.asarray(found / (self._rest**2 * self.dispersion * self.fit.rows.k))


def fitted(form: Any, rows: Rows, family: Family) -> tuple[Maximum, Maximum]:
    """The greatest likelihood with all columns and with the constant alone; raises `Refusal` where there is none."""
    start, shape = None, 0.0
    if family.has_shape:
        first = maximise(rows, Poisson())
        start, shape = first.beta, first_shape(first)
    whole = maximise(rows, family, start, shape)
    null = maximise(rows.with_columns([0]), family, shape=shape or 0.0)
    if not whole.converged or not null.converged:
        raise Refusal(
            "data.converge",
            "迭代没有收敛，得不到“{v}”的模型；请减少自变量，或合并行数很少的类别",
            field="x",
            v=form.y.title,
        )
    return whole, null


def first_shape(poisson: Maximum) -> float:
    """α by moments, from the residuals of a Poisson regression."""
    y, mean = poisson.rows.y, poisson.mean
    found = float(np.sum((y - mean) ** 2 - y) / np.sum(mean**2))
    return min(max(found, 1e-3), 50.0)


# ---- tables --------------------------------------------------------------------------------------------------------
def write_terms(report: Report, table: Any, model: StandardModel) -> None:
    """Wald's test of each term; the table has name, wald, df, p."""
    wide = [term for term in model.design.terms if term.width > 1]
    if not wide:
        report.skip(table, "没有两类以上的定类自变量，每项只有一个系数，见系数表")
        return
    for term in model.design.terms:
        chi2, p = model.joint_wald(term)
        report.row(table, name=term.name, wald=chi2, df=term.width, p=p)
    report.note(table, "每项的全部系数同时为 0 的 Wald 检验；定类自变量读这里，不挑其中一个水平。")


def write_unusual(report: Report, table: Any, model: LikelihoodModel) -> int:
    """Rows that do not fit or move the coefficients; the table has observed, fitted, standardized, leverage, cook."""

    def cells(rows: Any) -> list[dict[str, Any]]:
        return [
            {
                "observed": float(model.fit.rows.y[r]),
                "fitted": float(model.fit.mean[r]),
                "standardized": finite(model.standardized[r]),
                "leverage": float(model.fit.leverage[r]),
                "cook": finite(model.cook[r]),
            }
            for r in rows
        ]

    words = ("标准化残差", "标准化 Pearson 残差")
    return unusual_cases(report, table, model, model.standardized, model.cook, model.n, cells, words)
