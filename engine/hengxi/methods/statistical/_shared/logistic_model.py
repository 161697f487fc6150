"""From the form of a logistic regression to its fit, with what the user must be told where there is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import expit

from hengxi.contract import Level, Refusal, SetRemedy
from hengxi.families.regression.design import (
    factor_of,
    fitted_rows,
    refuse_few,
    standard_design,
    terms_of,
)
from hengxi.families.regression.selection import Step, selected
from hengxi.families.regression.standard import StandardModel
from hengxi.methods.statistical._shared.two_classes import separating, two_classes
from hengxi.stats.classification import settled
from hengxi.stats.design import Design, Factor, Term
from hengxi.stats.linear_fit import Basis
from hengxi.stats.logistic_fit import Data, Logit, fit_logit, held_at_zero, profile_bound
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles

PROFILED, PENALISED = 20_000_000, 200_000_000
"""Rows × coefficients³ (the work) up to which profiles are followed; the penalised ones are read by the conclusion."""


@dataclass
class Model(StandardModel):
    event: Level
    other: Level
    data: Data
    fit: Logit
    separated: list[tuple[str, bool]] = field(default_factory=list)
    """Terms (or columns together) that separate the outcome, and whether completely."""
    steps: list[Step] = field(default_factory=list)

    @cached_property
    def n(self) -> int:
        return round(float(self.data.counts.sum()))

    @cached_property
    def events(self) -> int:
        return round(float(np.dot(self.data.counts, self.data.y)))

    @property
    def beta(self) -> Floats:
        return self.fit.beta

    @property
    def covariance(self) -> Floats:
        return self.fit.covariance

    @cached_property
    def wald(self) -> Floats:
        return np.asarray((self.b / self.se) ** 2)

    @property
    def statistic(self) -> Floats:
        return self.wald

    @cached_property
    def p(self) -> Floats:
        return np.asarray(stats.chi2.sf(self.wald, 1))

    @property
    def most_work(self) -> int:
        return PENALISED if self.fit.firth else PROFILED

    @property
    def profiled(self) -> bool:
        return self.data.y.size * self.data.k**3 <= self.most_work

    @cached_property
    def profiles(self) -> list[tuple[float, float] | None]:
        """Of each slope, in the user's units; None where the profile does not come down on both sides."""
        if not self.profiled:
            return [None] * (self.data.k - 1)
        found: list[tuple[float, float] | None] = []
        for j in range(1, self.data.k):
            ends = [profile_bound(self.data, self.fit, j, side, self.reach**2) for side in (-1, 1)]
            low, high = ends
            scale = self.plain.scale[j - 1]
            found.append(None if low is None or high is None else (float(low / scale), float(high / scale)))
        return found

    def profile_p(self, j: int) -> float | None:
        """Likelihood ratio test of one slope."""
        return self.ratio([j])[1] if self.profiled else None

    def ratio(self, columns: list[int]) -> tuple[float, float]:
        """χ² and p of these slopes all being 0 (penalised under Firth's penalty)."""
        chi2 = max(0.0, 2 * (self.fit.value - held_at_zero(self.data, self.fit, [j + 1 for j in columns])))
        return chi2, float(stats.chi2.sf(chi2, len(columns)))

    def term_p(self, term: Term) -> float:
        return self.ratio(term.columns)[1] if self.profiled else self.joint_wald(term)[1]

    def predicted(self, values: list[float]) -> dict[str, Any] | None:
        """The probability; its interval is Wald's on the logit."""
        found = self.predictor(values)
        if found is None:
            return None
        value, low, high = (float(expit(eta)) for eta in found)
        return {"value": value, "low": low, "high": high}

    @property
    def reads_profile(self) -> bool:
        """Under the penalty the quadratic picture fails: p and intervals are read from the profile."""
        return self.fit.firth and self.profiled

    @cached_property
    def read_p(self) -> Floats:
        if not self.reads_profile:
            return self.p
        return np.array([self.p[0], *(self.profile_p(j) for j in range(self.data.k - 1))])

    def read_interval(self, i: int) -> tuple[float, float]:
        found = self.profiles[i - 1] if self.reads_profile and i > 0 else None
        return self.interval(i) if found is None else found

    @cached_property
    def overall(self) -> tuple[float, int, float]:
        k = self.data.k - 1
        chi2, p = self.ratio(list(range(k)))
        return chi2, k, p

    @cached_property
    def null_likelihood(self) -> float:
        n, e = self.n, self.events
        return float(e * np.log(e / n) + (n - e) * np.log((n - e) / n))

    @cached_property
    def probabilities(self) -> Floats:
        return settled(self.fit.p)


def build_model(form: Any) -> Model:
    counts, rows, part = fitted_rows(form)
    f = np.ones(rows.size) if counts is None else np.asarray(counts[rows], dtype=float)
    event, other, y = two_classes(form, part, "二元 Logistic ")
    names = titles(form.x)
    factors = [factor_of(column, names[column.id], form, part) for column in form.x]
    terms = terms_of(form, "Logistic 回归")
    refuse_few(factors, terms, round(float(f.sum())))
    steps: list[Step] = []
    if form.method != "enter":
        most, _, data = _prepared(form, factors, terms, y, f)
        terms, steps = selected(form, terms, most, lambda columns: _likelihood(data, columns))
    design, plain, data = _prepared(form, factors, terms, y, f)
    fit = fit_logit(data, form.firth == "always")
    separated: list[tuple[str, bool]] = []
    if form.firth == "always" or not fit.converged:
        first = fit if form.firth != "always" else fit_logit(data, False)
        if not first.converged:
            separated = separating(design, data.y)
    if not fit.converged:
        if not separated:
            raise _no_maximum(form)
        if form.firth == "never":
            raise _separated(form, separated)
        fit = fit_logit(data, True)
        if not fit.converged:
            raise _no_maximum(form)
    model = Model(form, list(form.x), design, rows, plain, event, other, data, fit, separated, steps)
    model.refuse_useless()
    return model


def _prepared(
    form: Any, factors: list[Factor], terms: list[tuple[int, ...]], y: Floats, f: Floats
) -> tuple[Design, Basis, Data]:
    design, plain = standard_design(form, factors, terms, y.size, None if form.freq is None else f)
    return design, plain, Data(design.whole, y, f)


def _likelihood(data: Data, columns: list[int]) -> float:
    """By maximum likelihood; its supremum where the outcome is separated."""
    part = Data(data.design[:, [0, *(j + 1 for j in columns)]], data.y, data.counts)
    return fit_logit(part, False).log_likelihood


# ---- separation ----------------------------------------------------------------------------------------------------
def _separated(form: Any, found: list[tuple[str, bool]]) -> Refusal:
    name, complete = found[0]
    return Refusal(
        "data.separation",
        "变量“{v}”{how}分离结局，最大似然不存在，请启用 Firth",
        field="firth",
        also=["x"],
        v=name,
        how="完全" if complete else "准完全",
        remedies=[SetRemedy(title="分离时自动用 Firth", set={"firth": "separated"})],
    )


def _no_maximum(form: Any) -> Refusal:
    return Refusal(
        "data.converge",
        "迭代没有收敛，得不到“{v}”的 Logistic 回归；请减少自变量，或合并很少的类别",
        field="x",
        v=form.y.title,
    )
