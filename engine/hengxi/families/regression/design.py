"""From the variables of a form to the columns of a regression, with what the user must be told where there are none.

A form that uses it has the roles `y` and `x` and the fields `reference`, `terms` and, where frequencies are honoured,
`freq` (see `form.py`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hengxi.contract import Column, Level, Refusal, StepRemedy
from hengxi.stats.design import Codes, Design, Factor, Term, build
from hengxi.stats.frequencies import frequencies
from hengxi.stats.linear_fit import Basis, Collinear, basis
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words

MOST_LEVELS = 100
CONSTANT = "常数项"


def fitted_rows(form: Any) -> tuple[Floats | None, Codes, Any]:
    """Frequencies of all rows (None: each row is one case), the places of the rows with a frequency above 0, and
    what picks these out of a column."""
    counts = frequencies(getattr(form, "freq", None), "freq")
    rows = np.arange(len(form.y)) if counts is None else np.flatnonzero(counts > 0)
    return counts, rows, slice(None) if counts is None or rows.size == len(form.y) else rows


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


def without_constant(factors: list[Factor], terms: list[tuple[int, ...]]) -> list[Factor]:
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


def refuse_few(factors: list[Factor], terms: list[tuple[int, ...]], n: int, more: int = 0) -> None:
    """Cases against coefficients, the constant and `more` parameters."""
    k = 1 + sum(int(np.prod([len(factors[i].shown(False)) if factors[i].labels else 1 for i in t])) for t in terms)
    k += more
    if n <= k:
        raise Refusal(
            "data.few", "有效样本 {n} 不足以估计 {k} 个参数，至少需 {least} 行", field="x", n=n, k=k, least=k + 2
        )


def standard_design(
    form: Any, factors: list[Factor], terms: list[tuple[int, ...]], rows: int, counts: Floats | None
) -> tuple[Design, Basis]:
    """The design with a constant before its columns, and these columns in standard coordinates (mean 0, mean square 1).

    `counts` are the frequencies of the rows, None where each counts once. Raises `Refusal` where a column is a sum of
    others or too large for a double.
    """
    design = design_of(form, factors, terms, rows, 1)
    try:
        with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
            plain = basis(design.values, counts)
    except Collinear as found:
        raise collinear(found, design, form) from None
    if not np.isfinite(plain.z).all():
        raise magnitude(design.names[int(np.argmin(np.isfinite(plain.z).all(axis=0)))])
    return design, plain


def widest(design: Design, plain: Basis) -> str:
    """The column whose unit lies furthest from 1."""
    with np.errstate(divide="ignore"):
        return design.names[int(np.argmax(np.abs(np.log10(plain.scale))))]


def fitted_levels(column: Column, rows: Codes) -> list[Level]:
    """The levels that occur in the fitted rows, in the order of the factor's codes."""
    present = np.unique(column.codes[rows])
    return [column.levels[i] for i in present]
