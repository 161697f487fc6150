"""From the form of a linear regression to its fit, with what the user must be told where there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import Column, Refusal, SetRemedy, StepRemedy
from hengxi.stats.design import Codes, Design, Factor, Term, build
from hengxi.stats.effect_size import noncentral_f_interval
from hengxi.stats.frequencies import frequencies
from hengxi.stats.linear_covariance import Wald, automatic_lags, covariance, wald
from hengxi.stats.linear_fit import Collinear, Fit, least_squares
from hengxi.stats.moments import Floats, Moments, moments
from hengxi.stats.names import level_words, titles, unique, unit_of, unit_words

MOST_LEVELS = 100
PERFECT = 1e-20
"""Share of the variation left over below which nothing but rounding is left."""
CONSTANT = "常数项"

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
class Model:
    form: Any
    columns: list[Column]
    design: Design
    fit: Fit
    rows: Codes
    """Place of each fitted row among the rows used (rows of frequency 0 are not fitted)."""
    y_values: Floats
    clusters: Codes | None
    lags: int

    @property
    def y(self) -> str:
        return str(self.form.y.title)

    @property
    def unit(self) -> str:
        return unit_words(unit_of(self.form.y))

    @property
    def counter(self) -> str:
        """What is counted: rows, or the cases that rows stand for."""
        return "行" if self.form.freq is None else "例"

    @property
    def kind(self) -> str:
        return str(self.form.se_type)

    @property
    def level(self) -> float:
        return float(self.form.conf_level)

    @property
    def names(self) -> list[str]:
        """Of the coefficients; a variable that is itself called 常数项 is told apart, since wide tables go by name."""
        return unique([CONSTANT, *self.design.names]) if self.fit.intercept else list(self.design.names)

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

    @cached_property
    def b(self) -> Floats:
        return self.fit.coefficients

    @cached_property
    def se(self) -> Floats:
        return self.fit.errors(self.cov)

    @cached_property
    def t(self) -> Floats:
        return self.b / self.se

    @cached_property
    def p(self) -> Floats:
        found: Floats = np.minimum(1.0, 2 * stats.t.sf(np.abs(self.t), self.df))
        return found

    @cached_property
    def reach(self) -> float:
        return float(stats.t.isf((1 - self.level) / 2, self.df))

    def interval(self, i: int) -> tuple[float, float]:
        return float(self.b[i] - self.reach * self.se[i]), float(self.b[i] + self.reach * self.se[i])

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
    counts, precision = _weights(form)
    rows = np.arange(len(form.y)) if counts is None else np.flatnonzero(counts > 0)
    part = slice(None) if counts is None or rows.size == len(form.y) else rows
    names = titles(form.x)
    factors = [factor_of(column, names[column.id], form, part) for column in form.x]
    terms = terms_of(form, "线性回归")
    if not form.intercept:
        factors = _without_constant(factors, terms)
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
    model = Model(form, list(form.x), design, fit, rows, y, clusters, lags)
    _refuse_useless(model)
    return model


def _weights(form: Any) -> tuple[Floats | None, Floats | None]:
    counts = frequencies(form.freq, "freq")
    if counts is not None and form.se_type == "newey_west":
        raise Refusal(
            "choice.greyed",
            "频数权重把一行当作多个个案，没有时间次序，不能用 Newey-West 标准误",
            field="se_type",
            also=["freq"],
            remedies=[SetRemedy(title="改用 HC3", set={"se_type": "hc3"})],
        )
    if form.weight is None:
        return counts, None
    # Zero, negative and missing weights never arrive here: the platform refuses or drops those rows.
    return counts, form.weight.numbers


def factor_of(column: Column, name: str, form: Any, part: Any) -> Factor:
    if column.is_categorical:
        return _categorical(column, name, form, part)
    if not column.is_number:
        few = "取值不多时可改为定类，否则请移去"
        raise Refusal(
            "role.measure",
            "自变量“{v}”是{m}变量，不能直接放进回归，{words}",
            field="x",
            column=column.id,
            v=column.title,
            m=column.measure,
            words=few if column.measure == "文本" else "请先换成数值（如距起点的天数）或改为定类",
            remedies=[StepRemedy(title="改变类型", step="measure", columns=[column.id])],
        )
    values = column.numbers[part]
    if values.size and float(values.min()) == float(values.max()):
        _refuse_constant(column)
    return Factor(name, values=values)


def _categorical(column: Column, name: str, form: Any, part: Any) -> Factor:
    codes = column.codes[part]
    present = np.flatnonzero(np.bincount(codes, minlength=len(column.levels)))
    if present.size < 2:
        _refuse_constant(column)
    if present.size > MOST_LEVELS:
        raise Refusal(
            "role.levels",
            "定类自变量“{v}”有 {k} 个类别，超过 {m}，请先合并类别，或改为定量",
            field="x",
            column=column.id,
            v=column.title,
            k=int(present.size),
            m=MOST_LEVELS,
            remedies=[StepRemedy(title="合并类别", step="data_processing/value_coding", columns=[column.id])],
        )
    place = np.full(len(column.levels), -1)
    place[present] = np.arange(present.size)
    labels = tuple(level_words([column.levels[i] for i in present]))
    reference = 0
    for row in form.reference:
        if row.column.id == column.id and row.level is not None:
            values = [column.levels[i].value for i in present]
            if row.level.value in values:
                reference = values.index(row.level.value)
    return Factor(name, codes=place[codes], labels=labels, reference=reference)


def _refuse_constant(column: Column) -> None:
    raise Refusal(
        "role.constant",
        "自变量“{v}”在有效样本中只有一个取值，没有变异，请移去",
        field="x",
        column=column.id,
        v=column.title,
    )


def _without_constant(factors: list[Factor], terms: list[tuple[int, ...]]) -> list[Factor]:
    """Nothing stands for the reference level then: the first categorical main effect gets a column for each level."""
    first = next((term[0] for term in terms if len(term) == 1 and factors[term[0]].labels), None)
    return [replace(factor, full=True) if k == first else factor for k, factor in enumerate(factors)]


def terms_of(form: Any, who: str) -> list[tuple[int, ...]]:
    place = {column.id: i for i, column in enumerate(form.x)}
    found: list[tuple[int, ...]] = []
    for term in form.terms.terms:
        if term.nested:
            raise Refusal(
                "terms.unknown",
                "{who}的模型项只含主效应、交互项和乘方，不支持嵌套项“{t}”",
                field="terms",
                who=who,
                t=term.name,
            )
        key = tuple(sorted(place[column.id] for column in term.columns))
        if key not in found:
            found.append(key)
    return found


def design_of(form: Any, factors: list[Factor], terms: list[tuple[int, ...]], rows: int, ones: int = 0) -> Design:
    design = build(factors, terms, rows, ones)
    form.y.let_go()
    bad = [name for j, name in enumerate(design.names) if not np.isfinite(design.values[:, j]).all()]
    bad += [term.name for term in design.terms if _vanishes(design, term)]
    if bad:
        raise magnitude(bad[0])
    return design


def _vanishes(design: Design, term: Term) -> bool:
    """A product of small numbers that no double can hold: 0 where none of its parts is."""
    if len(term.factors) == 1 or not term.numeric:
        return False
    parts = [np.asarray(design.factors[k].values) for k in term.factors]
    least, most = np.finfo(float).tiny, float(np.max(np.abs(design.values[:, term.columns[0]])))
    return bool(most < least and np.all([part != 0 for part in parts], axis=0).any())


def magnitude(name: str, field: str = "x") -> Refusal:
    text = "“{v}”的数值大小超出了可计算的范围，请先换一个单位（如除以 10 的若干次方）"
    return Refusal("data.magnitude", text, field=field, v=name)


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


def collinear(found: Collinear, design: Design, form: Any) -> Refusal:
    told = []
    for j, (constant, relation) in found.relations.items():
        told.append(f"{design.names[j]} = {sum_words(constant, {design.names[c]: v for c, v in relation.items()})}")
    first = next(iter(found.relations))
    name = design.names[first]
    owner = next(term for term in design.terms if first in term.columns)
    column = form.x[owner.factors[0]]
    return Refusal(
        "data.collinear",
        "自变量“{a}”可由其他自变量线性表示，请删去其一。线性关系：{told}",
        field="x",
        column=column.id,
        a=name,
        told="；".join(told[:5]) + (f"；另有 {len(told) - 5} 项" if len(told) > 5 else ""),
    )


def sum_words(constant: float, parts: dict[str, float]) -> str:
    words = [f"{constant:.6g}"] if constant or not parts else []
    for name, value in parts.items():
        sign = "−" if value < 0 else "+" if words else ""
        size = "" if abs(abs(value) - 1) < 1e-9 else f"{abs(value):.6g}×"
        words.append(f"{sign} {size}{name}".strip() if words else f"{sign}{size}{name}")
    return " ".join(words).replace("-", "−")


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
