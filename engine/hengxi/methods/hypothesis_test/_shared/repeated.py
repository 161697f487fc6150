"""Repeated measures as a form gives them, wide or long, as one row a subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np

from hengxi.contract import Column, MethodRemedy, Refusal, Report, Within
from hengxi.methods.hypothesis_test._shared.design import MOST_LEVELS, Study, estimable, interactions
from hengxi.stats import linear_design
from hengxi.stats.linear_design import Confounded, LinearModel, Term
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, titles, unit_of, unit_words
from hengxi.stats.repeated_measures import Repeated

MOST_CELLS = 60
NAMED = 3


@dataclass(frozen=True)
class Measured:
    """Subjects with all their measurements: factors within subjects with their levels, and a study of those between
    whose outcomes are the measurements (the last factor within subjects changing fastest)."""

    study: Study
    within: list[str]
    levels: list[list[str]]
    values: Floats
    """Subjects × measurements."""
    subjects: list[str]
    outcome: str
    """What was measured, as a sentence names it."""

    @property
    def n(self) -> int:
        return int(self.values.shape[0])

    @property
    def sizes(self) -> list[int]:
        return [len(labels) for labels in self.levels]

    @property
    def combos(self) -> list[tuple[int, ...]]:
        return list(product(*(range(size) for size in self.sizes)))

    def name(self, factors: Sequence[int]) -> str:
        return " × ".join(self.within[i] for i in factors)

    def words(self, factors: Sequence[int], combo: Sequence[int]) -> str:
        return " × ".join(self.levels[i][code] for i, code in zip(factors, combo, strict=True))

    @property
    def cell_words(self) -> list[str]:
        every = range(len(self.within))
        return [self.words(every, combo) for combo in self.combos]


def read(report: Report, measures: Within, between: Sequence[Column], covariates: Sequence[Column]) -> Measured:
    """Drops subjects with a gap and says how many; refuses what is no design of repeated measures."""
    k = prod(len(factor.levels) for factor in measures.factors)
    if k > MOST_CELLS:
        raise Refusal(
            "within.cells",
            "重复测量共有 {k} 个组合，最多 {most} 个；请减少水平",
            field="measures",
            k=k,
            most=MOST_CELLS,
        )
    taken = _wide(measures, between, covariates) if measures.layout == "wide" else _long(measures, between, covariates)
    values, codes, covered, levels, subjects, unit, outcome = taken
    whole = np.isfinite(values).all(axis=1) & np.isfinite(covered).all(axis=1) & (codes >= 0).all(axis=1)
    gaps = int((~np.isfinite(values).all(axis=1) & np.isfinite(values).any(axis=1)).sum())
    if measures.layout == "wide":
        report.used(int(whole.sum()))
    else:
        report.used(int(whole.sum()) * values.shape[1])
    if gaps:
        report.warn(
            "data.incomplete", "{k:integer} 名个体缺少部分测量，已整行剔除；缺失较多时请改用线性混合模型。", k=gaps
        )
    if whole.sum() < 2:
        raise Refusal(
            "data.few", "每次测量都有值的个体只有 {n} 名，至少需要 2 名，请核对数据", field="measures",
            n=int(whole.sum()),
        )  # fmt: skip
    values, codes, covered = values[whole], codes[whole], covered[whole]
    study = _study(between, covariates, values, codes, covered, unit, outcome)
    named = [factor.name for factor in measures.factors]
    kept = [subject for subject, held in zip(subjects, whole, strict=True) if held]
    return Measured(study, named, levels, values, kept, outcome)


Taken = tuple[Floats, Any, Floats, list[list[str]], list[str], str, str]


def _wide(measures: Within, between: Sequence[Column], covariates: Sequence[Column]) -> Taken:
    values = np.column_stack([cell.numbers for cell in measures.cells])
    rows = values.shape[0]
    codes = np.column_stack([one.codes for one in between]) if between else np.zeros((rows, 0), dtype=np.int64)
    covered = np.column_stack([one.numbers for one in covariates]) if covariates else np.zeros((rows, 0))
    units = {unit_of(cell) for cell in measures.cells}
    unit = unit_words(units.pop()) if len(units) == 1 else ""
    subjects = [str(row) for row in measures.cells[0].row_numbers]
    return values, codes, covered, [list(f.levels) for f in measures.factors], subjects, unit, "测量值"


def _long(measures: Within, between: Sequence[Column], covariates: Sequence[Column]) -> Taken:
    subject, value = measures.subject, measures.value
    factors = [factor.column for factor in measures.factors]
    held = (subject.codes >= 0) & np.all([factor.codes >= 0 for factor in factors], axis=0)
    present = np.unique(subject.codes[held])
    place = np.full(len(subject.levels), -1)
    place[present] = np.arange(present.size)
    row = place[subject.codes[held]]
    # Levels nobody was measured at are no cells.
    kept = [np.unique(factor.codes[held]) for factor in factors]
    levels = [[level_words(f.levels)[i] for i in own] for f, own in zip(factors, kept, strict=True)]
    for factor, own in zip(factors, kept, strict=True):
        if own.size < 2:
            raise Refusal(
                "role.levels", "组内因素“{v}”只有一个水平，没有可以比较的测量，请换一个变量", field="measures",
                column=factor.id, v=factor.title,
            )  # fmt: skip
    codes = [np.searchsorted(own, f.codes[held]) for f, own in zip(factors, kept, strict=True)]
    cell = np.ravel_multi_index(tuple(codes), tuple(own.size for own in kept))
    k = prod(own.size for own in kept)
    words = level_words(subject.levels)
    y = value.numbers[held]
    given = np.isfinite(y)
    times = np.bincount(row[given] * k + cell[given], minlength=present.size * k)
    if (times > 1).any():
        who, where = divmod(int(np.argmax(times > 1)), k)
        at = [levels[i][int(c)] for i, c in enumerate(np.unravel_index(where, tuple(own.size for own in kept)))]
        raise Refusal(
            "data.duplicate", "个体“{id}”在“{lv}”有 {times} 条记录，每个个体在每个组合只能有一条；请先汇总",
            field="measures", column=subject.id, id=words[int(present[who])], lv=" × ".join(at),
            times=int(times.max()),
        )  # fmt: skip
    values = np.full((present.size, k), np.nan)
    values[row[given], cell[given]] = y[given]
    first = np.zeros(present.size, dtype=np.int64)
    first[row[::-1]] = np.arange(row.size)[::-1]
    own_codes = [_constant(one, one.codes[held], row, first, subject, words, present) for one in between]
    own_values = [_constant(one, one.numbers[held], row, first, subject, words, present) for one in covariates]
    return (
        values, np.column_stack(own_codes) if own_codes else np.zeros((present.size, 0), dtype=np.int64),
        np.column_stack(own_values) if own_values else np.zeros((present.size, 0)), levels,
        [words[int(i)] for i in present], unit_words(unit_of(value)), value.title,
    )  # fmt: skip


def _constant(column: Column, given: Any, row: Any, first: Any, subject: Column, words: list[str], present: Any) -> Any:
    """What belongs to a subject must be the same in all its rows."""
    own = given[first]
    same = (given == own[row]) | (~np.isfinite(given.astype(float)) & ~np.isfinite(own[row].astype(float)))
    if not same.all():
        who = words[int(present[row[int(np.argmin(same))]])]
        raise Refusal(
            "data.varies", "“{v}”在个体“{id}”的各行不相同；组间因素和协变量对同一个体必须不变",
            field="between", also=["measures"], column=column.id, v=column.title, id=who,
        )  # fmt: skip
    return own


def _study(
    between: Sequence[Column], covariates: Sequence[Column], values: Floats, codes: Any, covered: Floats, unit: str,
    outcome: str,
) -> Study:  # fmt: skip
    """As `Study.of`, of one row a subject."""
    made, labels = [], []
    for j, factor in enumerate(between):
        words = level_words(factor.levels)
        present, code, sizes = np.unique(codes[:, j], return_inverse=True, return_counts=True)
        if present.size < 2:
            remedy = MethodRemedy(
                title="改用重复测量方差分析", method="hypothesis_test/repeated_measures_anova", carry=["measures"]
            )
            raise Refusal(
                "role.levels", "组间因素“{v}”只有一个类别，请用重复测量方差分析", field="between", column=factor.id,
                v=factor.title, remedies=[remedy],
            )  # fmt: skip
        if present.size > MOST_LEVELS:
            raise Refusal(
                "role.levels", "组间因素“{v}”有 {k} 个类别，最多 {most} 个；请先合并类别", field="between",
                column=factor.id, v=factor.title, k=int(present.size), most=MOST_LEVELS,
            )  # fmt: skip
        few = np.flatnonzero(sizes < 2)
        if few.size:
            raise Refusal(
                "data.few", "组“{g}”人数不足：只有 1 人的测量完整，每组至少 2 人，请合并或去掉该组", field="between",
                column=factor.id, g=words[int(present[few[0]])],
            )  # fmt: skip
        made.append(code)
        labels.append([words[int(i)] for i in present])
    for j, covariate in enumerate(covariates):
        if float(np.ptp(covered[:, j])) == 0:
            raise Refusal(
                "data.constant", "协变量“{v}”没有变异（只有一个取值），请移去", field="covariates",
                column=covariate.id, v=covariate.title,
            )  # fmt: skip
    largest = float(np.abs(values).max())
    spread = float(np.ptp(values)) if largest < 1e300 else 0.0
    if largest >= 1e150 or 0 < spread < 1e-150:
        raise Refusal("data.magnitude", "测量值过大或过小，平方和超出了可表示的范围，请先换一个单位", field="measures")
    cells = linear_design.gather(made, [len(words) for words in labels], list(covered.T.copy()), list(values.T.copy()))
    if isinstance(cells, int):
        raise Refusal("data.magnitude", "协变量的数值过大，请先换一个单位", field="covariates")
    named = titles([*between, *covariates])
    return Study(
        [outcome] * values.shape[1], unit, [named[one.id] for one in between], labels,
        [named[one.id] for one in covariates], cells, False,
    )  # fmt: skip


def fit(report: Report, measured: Measured) -> Repeated:
    """All factors between subjects with their interactions that can be told, covariates beside."""
    study = measured.study
    k = len(study.factors)
    terms: list[Term] = [
        *estimable(report, study, interactions(k, k)), *((k + j,) for j in range(len(study.covariates)))
    ]  # fmt: skip
    try:
        model = LinearModel(study.cells, terms)
    except Confounded as found:
        raise Refusal(
            "data.collinear", "“{v}”与其他组间因素或协变量完全混杂，效应无法分开，请移去", field="between",
            v=study.name(found.term),
        ) from None  # fmt: skip
    if model.df < 1:
        raise Refusal(
            "data.few", "没有剩余的误差自由度：{n} 名个体，组间有 {p} 个参数，请增加个体或减少因素", field="measures",
            n=measured.n, p=model.p,
        )  # fmt: skip
    fitted = Repeated(model, measured.sizes)
    moved = fitted.values - fitted.values.mean()
    whole = float((moved**2).sum())
    # Between subjects there may be no error where nothing is asked of them: ranks, whose sums are all the same.
    for within in [*([()] if terms else []), *fitted.subsets]:
        if whole <= 0 or fitted.spread(within) <= 1e-22 * whole:
            what = f"“{measured.name(within)}”的个体内误差" if within else "个体之间的误差"
            raise Refusal(
                "data.constant", "{what}为 0（没有变异，或各次之差全都相同），F 值无定义，请核对数据",
                field="measures", what=what,
            )  # fmt: skip
    return fitted
