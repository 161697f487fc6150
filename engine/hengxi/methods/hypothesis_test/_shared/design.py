"""What a linear design is made of: outcome, factors, covariates, the cells they form, and the model of its terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from hengxi.contract import Column, Refusal, Report, SetRemedy, StepRemedy
from hengxi.contract.refusal import Remedy
from hengxi.methods.hypothesis_test._shared import post_hoc
from hengxi.methods.hypothesis_test._shared.post_hoc import Means, PairTest
from hengxi.stats import linear_design
from hengxi.stats.frequencies import frequencies
from hengxi.stats.linear_design import Cells, Confounded, Groups, LinearModel, Term, Tested
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, titles, unit_of, unit_words

MOST_LEVELS = 50
PARALLEL_CODE = "data.constant"


@dataclass(frozen=True)
class Study:
    """One outcome (or several), factors with the levels that occur, covariates, gathered by cell."""

    outcomes: list[str]
    unit: str
    """As it follows a number, or empty."""
    factors: list[str]
    labels: list[list[str]]
    covariates: list[str]
    cells: Cells
    weighted: bool
    blocks: int = 0
    """How many of the factors, the last ones, only hold blocks: they form no groups to be compared."""

    @property
    def y(self) -> str:
        return self.outcomes[0]

    @property
    def n(self) -> int:
        return round(self.cells.total)

    def name(self, term: Term) -> str:
        return " × ".join([*self.factors, *self.covariates][m] for m in term)

    def level(self, members: Sequence[int], combo: Sequence[int]) -> str:
        return " × ".join(self.labels[m][code] for m, code in zip(members, combo, strict=True))

    @property
    def everything(self) -> Term:
        """All factors that are compared."""
        return tuple(range(len(self.factors) - self.blocks))

    @cached_property
    def groups(self) -> Groups:
        """Combinations of the factors that are compared."""
        return self.cells.joined(self.everything)

    @property
    def is_balanced(self) -> bool:
        n = self.groups.n
        whole = int(np.prod([self.cells.sizes[m] for m in self.everything]))
        return bool(n.size == whole and (n == n[0]).all())

    @classmethod
    def of(
        cls,
        outcomes: Sequence[Column],
        factors: Sequence[Column],
        covariates: Sequence[Column],
        weight: Column | None,
        fields: tuple[str, str, str] = ("y", "factors", "covariates"),
        most: int = MOST_LEVELS,
        blocks: int = 0,
    ) -> Study:
        """Refuses a factor of one level or of too many, a covariate that does not vary, too large numbers."""
        for factor in factors:
            k = factor.distinct_least
            if k > most:
                _refuse_levels(factor, k, most, fields[1])
        counts = frequencies(weight)
        kept = slice(None) if counts is None else np.flatnonzero(counts > 0)
        codes, labels = [], []
        for factor in factors:
            words = level_words(factor.levels)
            present, code = np.unique(factor.codes[kept], return_inverse=True)
            if present.size < 2:
                raise Refusal(
                    "role.levels", "因素“{v}”只有一个类别，没有可以比较的组，请换一个因素", field=fields[1],
                    column=factor.id, v=factor.title,
                )  # fmt: skip
            if present.size > most:
                _refuse_levels(factor, int(present.size), most, fields[1])
            codes.append(code)
            labels.append([words[i] for i in present])
        for covariate in covariates:
            values = covariate.numbers[kept]
            if float(values.min()) == float(values.max()):
                raise Refusal(
                    "data.constant", "协变量“{v}”没有变异（只有一个取值），请移去", field=fields[2],
                    column=covariate.id, v=covariate.title,
                )  # fmt: skip
        numbers = [*covariates, *outcomes]
        cells = linear_design.gather(
            codes, [len(words) for words in labels], [one.numbers[kept] for one in covariates],
            [one.numbers[kept] for one in outcomes], None if counts is None else counts[kept],
        )  # fmt: skip
        if isinstance(cells, int):
            column = numbers[cells]
            raise Refusal(
                "data.magnitude",
                "“{y}”的数值过大，差值超出了可表示的范围，请先换一个单位（如除以 10 的若干次方）",
                field=fields[2] if cells < len(covariates) else fields[0], column=column.id, y=column.title,
            )  # fmt: skip
        named = titles([*factors, *covariates])
        return cls(
            [one.title for one in outcomes], unit_words(unit_of(outcomes[0])), [named[one.id] for one in factors],
            labels, [named[one.id] for one in covariates], cells, weight is not None, blocks,
        )  # fmt: skip


def _refuse_levels(factor: Column, k: int, most: int, field: str) -> None:
    raise Refusal(
        "role.levels", "因素“{v}”至少有 {k} 个类别，最多 {most} 个；请先合并类别，连续的数请先分箱或放入协变量",
        field=field, column=factor.id, v=factor.title, k=k, most=most,
        remedies=[StepRemedy(title="合并类别", step="data_processing/value_coding", columns=[factor.id])],
    )  # fmt: skip


def interactions(factors: int, order: int) -> list[Term]:
    """Main effects, then interactions up to this order."""
    return [term for size in range(1, order + 1) for term in combinations(range(factors), size)]


@dataclass
class Design:
    """The fitted model with what every report of the family asks of it."""

    study: Study
    model: LinearModel
    kind: str
    level: float
    tests: list[Tested] = field(default_factory=list)

    @property
    def terms(self) -> list[Term]:
        return self.model.terms

    @property
    def alpha(self) -> float:
        return 1 - self.level

    @cached_property
    def mains(self) -> list[int]:
        """Places of the main effects of factors among the terms."""
        k = len(self.study.everything)
        return [i for i, term in enumerate(self.terms) if len(term) == 1 and term[0] < k]

    @cached_property
    def joint(self) -> list[int]:
        """Places of interactions of factors."""
        k = len(self.study.factors)
        return [i for i, term in enumerate(self.terms) if len(term) > 1 and max(term) < k]

    @property
    def is_saturated(self) -> bool:
        """One parameter a cell, each cell with its own variance: only then has a mean one of its own."""
        cells = self.study.cells
        return (
            not self.study.covariates
            and self.model.p == cells.n.size == int(np.prod(cells.sizes))
            and bool((cells.n > 1).all())
        )

    def back(self, value: float) -> float | None:
        return self.study.cells.y_scales[0].back(value)

    def t_reach(self) -> float:
        from scipy import special

        return float(-special.stdtrit(self.model.df, (1 - self.level) / 2))

    # ---- pairs -----------------------------------------------------------------------------------------------------
    def means(self, members: Sequence[int], unequal: bool, robust: Floats | None = None) -> Means | None:
        """Marginal means ready for `post_hoc`; None where the design gives single means no variance of their own."""
        _, weights = self.model.margin(members)
        centres = np.array([one.value for one in self.model.estimates(weights)])
        sigma = float(np.sqrt(self.model.mse()))

        def d(i: int, j: int) -> float:
            return float(centres[i] - centres[j]) / sigma

        if unequal:
            return self._unequal(members, centres, d) if self.is_saturated else None
        covariance = self.model.covariance(weights, robust=robust)
        variances = np.diag(covariance)
        se = np.sqrt(np.maximum(variances[:, None] + variances[None, :] - 2 * covariance, 0))
        np.fill_diagonal(se, 0)
        df = np.full(se.shape, self.model.df)
        sizes = _sizes(covariance)
        return Means(centres, se, df, self.model.df, self.back, d, sizes)

    def _unequal(self, members: Sequence[int], centres: Floats, d: Any) -> Means:
        """Means of cell means, each cell with its own variance; Satterthwaite's degrees of freedom."""
        cells = self.study.cells
        codes = np.ravel_multi_index(tuple(cells.levels[:, m] for m in members), tuple(cells.sizes[m] for m in members))
        own = cells.within[:, 0] / (cells.n - 1) / cells.n
        k = centres.size
        share = np.bincount(codes, minlength=k)[0]
        parts = np.bincount(codes, weights=own, minlength=k) / share**2
        rests = np.bincount(codes, weights=own**2 / (cells.n - 1), minlength=k) / share**4
        variance = parts[:, None] + parts[None, :]
        with np.errstate(divide="ignore", invalid="ignore"):
            df = np.where(variance > 0, variance**2 / (rests[:, None] + rests[None, :]), 1.0)
        return Means(centres, np.sqrt(variance), df, self.model.df, self.back, d, None)

    def pairs(self, term: Term, how: str, robust: Floats | None = None) -> list[PairTest]:
        """Refuses what the design does not allow."""
        means = self.means(term, how in post_hoc.UNEQUAL, robust)
        if means is None:
            raise Refusal(
                "data.design", "{how} 要求模型含全部交互、没有协变量，而且每个组合至少有 2 例；请改用 Tukey HSD",
                field="post_hoc", how=post_hoc.TITLES[how],
                remedies=[SetRemedy(title="改用 Tukey HSD", set={"post_hoc": "tukey"})],
            )  # fmt: skip
        if how == "dunnett" and means.n is None:
            raise Refusal(
                "data.design", "各组合例数不等或有协变量时，“{v}”的 Dunnett 检验没有准确的分布；请改用 Holm",
                field="post_hoc", v=self.study.name(term),
                remedies=[SetRemedy(title="改用 Holm", set={"post_hoc": "holm"})],
            )  # fmt: skip
        return post_hoc.compare_means(means, how, self.level, 0 if how == "dunnett" else None)


def _sizes(covariance: Floats) -> Floats | None:
    """Sizes n with variances of differences 1/n1 + 1/n2 (up to a factor); None where there are none."""
    k = covariance.shape[0]
    off = covariance[~np.eye(k, dtype=bool)]
    shared = float(off[0])
    own = np.diag(covariance) - shared
    if np.ptp(off) > 1e-9 * float(np.abs(covariance).max()) or own.min() <= 0:
        return None
    return np.asarray(1 / own)


def fit(
    study: Study, terms: Sequence[Term], kind: str, level: float, saturated: str, remedies: Sequence[Remedy] = ()
) -> Design:
    """`saturated`: what is told where no degrees of freedom are left for the error. Refuses what has no F."""
    widths = [int(np.prod([study.cells.sizes[m] - 1 for m in t if m < len(study.factors)])) for t in terms]
    p = 1 + sum(widths)
    if p > linear_design.MOST_PARAMETERS or p > study.n:
        limit = min(linear_design.MOST_PARAMETERS, study.n)
        over = "超过样本量" if p > study.n else "超过上限"
        raise Refusal(
            "data.few", "模型参数 {p} 个{over} {limit}，请减少交互项或合并类别", field="factors", p=p, over=over,
            limit=limit, remedies=remedies,
        )  # fmt: skip
    try:
        model = LinearModel(study.cells, terms)
    except Confounded as found:
        raise _confounded(study, terms, found.term) from None
    if model.df < 1:
        raise Refusal("data.few", saturated, field="factors", remedies=remedies)
    whole, error = float(model.whole[0, 0]), float(model.error[0, 0])
    if whole <= 0 or error <= 1e-24 * whole:
        raise Refusal(
            "data.constant", "“{y}”的误差为 0（同一组合内没有变异，或被模型完全解释），F 值无定义，请核对数据",
            field="y", y=study.y,
        )  # fmt: skip
    return Design(study, model, kind, level, model.tests(kind, level))


def _confounded(study: Study, terms: Sequence[Term], term: Term) -> Refusal:
    """Names the one it cannot be told from, where there is one."""
    k = len(study.factors)
    if len(term) == 1 and term[0] >= k:
        return Refusal(
            "data.collinear", "协变量“{v}”被分组（或其他协变量）完全决定，无法分离效应，请移去", field="covariates",
            v=study.name(term),
        )  # fmt: skip
    before = terms[: list(terms).index(term)]
    for other in (one for one in before if len(one) == 1 and one[0] < k):
        try:
            LinearModel(study.cells, [other, term] if other != term else [term])
        except Confounded:
            return Refusal(
                "data.collinear", "因素“{a}”与“{b}”完全混杂（知道一个就知道另一个），无法区分效应，请移去其中一个",
                field="factors", a=study.name(other), b=study.name(term),
            )  # fmt: skip
    return Refusal(
        "data.collinear", "“{v}”的效应与其余各项完全混杂，无法估计，请移去该项或合并类别", field="factors",
        v=study.name(term),
    )  # fmt: skip


def estimable(report: Report, study: Study, terms: Sequence[Term]) -> list[Term]:
    """Without interactions whose factors have a combination nobody is in; says which."""
    kept, left = [], []
    told: tuple[Term, tuple[int, ...]] | None = None
    count = 0
    for term in terms:
        members = [m for m in term if m < len(study.factors)]
        gaps = study.cells.empty(members) if len(members) > 1 else []
        if gaps:
            left.append(term)
            if told is None:
                told, count = (tuple(members), gaps[0]), len(gaps)
        else:
            kept.append(term)
    if told is not None:
        report.warn(
            "data.empty_cell",
            "组合“{cell}”没有观测" + ("（这样的组合共 {k:integer} 个）" if count > 1 else "")
            + "，“{terms}”的交互效应不可估计，已从模型中去掉。",
            cell=study.level(*told), k=count, terms="”“".join(study.name(term) for term in left),
        )  # fmt: skip
    return kept
