"""One model fitted to one table: estimates with their errors in the units of the data, and what they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

from hengxi.contract import Column, MethodRemedy, Refusal, Report, SetRemedy
from hengxi.stats import incomplete_normal
from hengxi.stats.covariances import LEAST, MOST
from hengxi.stats.moments import Floats, moments
from hengxi.stats.names import level_words, titles
from hengxi.stats.structural.fit import (
    Fit,
    Part,
    Sample,
    Unconverged,
    Unidentified,
    complete,
)
from hengxi.stats.structural.indices import Indices, Kernel, Likelihood
from hengxi.stats.structural.model import Array, Cell, Model, State, standard_errors
from hengxi.stats.structural.ordinal import Alike, Codes, OrdinalSample, ordinal
from hengxi.stats.structural.squares import Squares

from .blueprint import Blueprint, Scale, assemble


@dataclass(frozen=True, slots=True)
class Estimate:
    """A parameter or a fixed cell, raw and standardised; without errors where it is fixed."""

    cell: Cell
    b: float
    se: float | None
    z: float | None
    p: float | None
    standard: float
    standard_se: float | None


@dataclass(frozen=True, slots=True)
class Effect:
    source: int
    target: int
    b: float
    se: float | None
    z: float | None
    p: float | None
    standard: float


def two_sided(z: float) -> float:
    return float(2 * special.ndtr(-abs(z)))


class Study:
    def __init__(
        self,
        print_: Blueprint,
        samples: Sequence[Sample],
        scale: Scale,
        robust: bool = False,
        start: Floats | None = None,
        kernel: Kernel | None = None,
        names: Sequence[str] = (),
    ) -> None:
        """`names`: of the groups, where there are several."""
        self.names = list(names)
        self.print, self.samples, self.scale = print_, list(samples), scale
        self.kernel = kernel or Likelihood(robust)
        self.model: Model = assemble(print_, self.samples, scale)
        if self.model.df < 0:
            raise few_facts(self.model)
        try:
            self.kernel.require_identified(self.model, self.samples)
            self.fit: Fit = self.kernel.estimate(self.model, self.samples, start)
            self.kernel.require_identified(self.model, self.samples, self.fit.theta)
        except Unidentified as found:
            raise unidentified(print_, self.model, found.keys) from None
        except (Unconverged, np.linalg.LinAlgError):
            raise unconverged(self.kernel == Squares("uls")) from None

    @property
    def robust(self) -> bool:
        return self.kernel.robust

    @property
    def places(self) -> list[tuple[int, str | None]]:
        """Every group with what its tables are headed with."""
        return list(enumerate(self.names)) if self.names else [(0, None)]

    @property
    def ordinal(self) -> bool:
        """From polychoric correlations: observed variables have no scale of their own."""
        return self.model.unit

    @cached_property
    def indices(self) -> Indices:
        found = self.kernel.indices(self.fit)
        if found.saturated is None or found.aic is None or found.bic is None:
            if found.rmr is None:
                return found
            # Only ULS has a factor to divide by, in units of the data to the fourth power; it has one unit for all.
            unit = float(self.scale.sizes[0]) ** 4 if found.scaling != 1 else 1.0
            return replace(found, rmr=self._raw_rmr(), scaling=found.scaling * unit)
        shift = self.fit.n * float(np.log(self.scale.sizes).sum())
        if not all(sample.complete for sample in self.fit.samples):
            held = sum((~np.isnan(sample.rows)).sum(axis=0) for sample in self.samples)
            shift = float(np.asarray(held) @ np.log(self.scale.sizes))
        return replace(
            found, loglik=found.loglik - shift, saturated=found.saturated - shift, aic=found.aic + 2 * shift,
            bic=found.bic + 2 * shift, rmr=self._raw_rmr(),
        )  # fmt: skip

    def _raw_rmr(self) -> float:
        total = 0.0
        below = np.tril_indices(self.model.p)
        for layout, sample in zip(self.model.layouts, self.samples, strict=True):
            rest = (sample.s - layout.at(self.fit.theta).sigma) * np.outer(self.scale.sizes, self.scale.sizes)
            squares, size = float(np.sum(rest[below] ** 2)), len(below[0])
            if self.model.means:
                squares += float(np.sum(((sample.mean - layout.at(self.fit.theta).mu) * self.scale.sizes) ** 2))
                size += self.model.p
            total += sample.n / self.fit.n * np.sqrt(squares / size)
        return total

    @cached_property
    def v(self) -> Floats:
        """Covariance matrix of the estimates, on the inner scale."""
        return self.kernel.covariance(self.fit)

    def state(self, group: int = 0) -> State:
        return self.model.layouts[group].at(self.fit.theta)

    def spreads(self, group: int) -> Floats:
        """Standard deviations of all variables, on the inner scale."""
        found: Floats = np.sqrt(np.abs(np.diag(self.state(group).g)))
        return found

    def estimates(self, group: int = 0) -> list[Estimate]:
        cells = [cell for cell in self.model.cells if cell.group == group]
        layout, model = self.model.layouts[group], self.model
        where = tuple(np.array([(c.row, c.col) for c in cells]).T)
        arrows = np.array([c.kind == "A" for c in cells])
        levels = np.array([c.kind == "M" for c in cells])

        def standard(theta: Array) -> Array:
            state = layout.at(theta)
            a, s = state.standard()
            means = state.m / np.sqrt(np.diag(state.g))
            values: Array = np.where(levels, means[where[0]], np.where(arrows, a[where], s[where]))
            return values

        with np.errstate(invalid="ignore", divide="ignore"):
            values, errors = standard_errors(standard, self.fit.theta, self.v)
        units = self.scale.all(self.print)
        number = {key: i for i, key in enumerate(model.keys)}
        found = []
        for k, cell in enumerate(cells):
            unit = {
                "A": units[cell.row] / units[cell.col],
                "S": units[cell.row] * units[cell.col],
                "M": units[cell.row],
            }[cell.kind]
            if cell.key is None:
                found.append(Estimate(cell, cell.value * unit, None, None, None, float(values[k]), None))
                continue
            i = number[cell.key]
            b, se = float(self.fit.theta[i]) * unit, float(np.sqrt(max(self.v[i, i], 0))) * unit
            z = b / se if se > 0 else None
            found.append(
                Estimate(
                    cell, b, se or None, z, None if z is None else two_sided(z), float(values[k]), float(errors[k])
                )
            )
        return found

    def effects(self, kind: str, pairs: Sequence[tuple[int, int]], group: int = 0) -> list[Effect]:
        """`kind`: total or indirect; pairs of (source, target) places."""
        if not pairs:
            return []
        layout = self.model.layouts[group]
        units = self.scale.all(self.print)
        rows, cols = np.array([t for _, t in pairs]), np.array([s for s, _ in pairs])

        def effect(theta: Array) -> Array:
            state = layout.at(theta)
            values: Array = (state.total - (state.a if kind == "indirect" else 0))[rows, cols]
            return values

        values, errors = standard_errors(effect, self.fit.theta, self.v)
        spread = self.spreads(group)
        found = []
        for (source, target), value, error in zip(pairs, values, errors, strict=True):
            unit = units[target] / units[source]
            z = float(value / error) if error > 1e-12 else None
            found.append(Effect(source, target, float(value) * unit, float(error) * unit if z is not None else None, z,
                                None if z is None else two_sided(z),
                                float(value * spread[source] / spread[target])))  # fmt: skip
        return found

    def explained(self, group: int = 0) -> Floats:
        """R² of every variable; 0 where nothing points at it."""
        state = self.state(group)
        found: Floats = 1 - np.diag(state.s) / np.diag(state.g)
        return found

    def value(self, function: Callable[[Array], Array]) -> tuple[Floats, Floats]:
        return standard_errors(function, self.fit.theta, self.v)


# ---- what the data must allow --------------------------------------------------------------------------------------
def gather(columns: Sequence[Column], field: str, incomplete: bool = False) -> tuple[list[Floats], Scale]:
    """The columns as numbers of standard deviation near 1. Refuses constants and what no double can hold."""
    values, sds = [], []
    for column in columns:
        x = column.numbers
        held = x[~np.isnan(x)] if incomplete else x
        if held.size == 0 or held.min() == held.max():
            raise Refusal(
                "role.constant", "“{v}”在所用的答卷中没有变化，不能进入模型，请移去", field=field, column=column.id,
                v=column.title,
            )  # fmt: skip
        sd = moments(held).sd
        if not LEAST < sd < MOST:
            raise Refusal(
                "data.magnitude", "“{v}”的数值过大、过小或几乎没有变化，方差超出可计算的范围；请换一个单位",
                field=field, column=column.id, v=column.title,
            )  # fmt: skip
        values.append(x)
        sds.append(sd)
    scale = Scale.of(np.array(sds))
    return [(x / size) for x, size in zip(values, scale.sizes, strict=True)], scale


def sample_of(columns: Sequence[Column], values: Sequence[Floats], field: str, where: str = "") -> Sample:
    """Refuses too few rows and matrices without an inverse, with the columns at fault."""
    rows = np.column_stack(values)
    rows = rows[~np.isnan(rows).all(axis=1)]
    p = rows.shape[1]
    gaps = np.isnan(rows)
    if len(rows) <= p:
        raise Refusal(
            "data.few", "{where}有效样本只有 {n} 份，变量有 {p} 个；样本量必须大于变量数，请减少变量或增加样本",
            field=field, where=where, n=len(rows), p=p,
        )  # fmt: skip
    if not gaps.any():
        made = complete(rows)
        _refuse_singular(made.s, columns, field, where)
        return made
    if (empty := next((i for i in range(p) if np.unique(rows[~gaps[:, i], i]).size < 2), None)) is not None:
        raise Refusal(
            "role.constant", "{where}“{v}”没有变化，不能进入模型，请移去", field=field, column=columns[empty].id,
            where=where, v=columns[empty].title,
        )  # fmt: skip
    found = incomplete_normal.estimate(rows)
    if found is None or not found.converged:
        raise Refusal(
            "data.missing", "{where}缺失太多，FIML 的均值与协方差估计不出来；请改用整行剔除或移去缺失多的变量",
            field=field, where=where,
            remedies=[SetRemedy(title="改用整行剔除", set={"missing": "listwise"})],
        )  # fmt: skip
    _refuse_singular(found.covariance, columns, field, where)
    parts = []
    patterns, owner = np.unique(gaps, axis=0, return_inverse=True)
    for i, gone in enumerate(patterns):
        part = rows[owner.reshape(-1) == i][:, ~gone]
        mean = part.mean(axis=0)
        parts.append(Part(~gone, len(part), mean, (part - mean).T @ (part - mean) / len(part)))
    return Sample(len(rows), found.mean, found.covariance, parts, rows)


CATEGORIES = 10
"""More grades than these are as good as numbers, and their tables too thin for polychoric correlations."""
MOST_ITEMS = 60


Rows = NDArray[np.bool_]


def groups_of(column: Column, columns: Sequence[Column], field: str) -> list[tuple[str, Rows]]:
    """Name and rows of every group. Refuses one group alone, and a group in which a variable does not vary."""
    levels = column.levels
    found = []
    for place, name in enumerate(level_words(levels)):
        rows = column.codes == place
        if not rows.any():
            continue
        for one in columns:
            held = one.numbers[rows]
            held = held[~np.isnan(held)]
            if held.size > 1 and held.min() == held.max():
                raise Refusal(
                    "role.constant", "“{g}”组：“{v}”没有变化，无法估计；请移去它，或不放这一组", field=field,
                    column=one.id, g=name, v=one.title,
                )  # fmt: skip
        found.append((name, rows))
    if len(found) < 2:
        raise Refusal(
            "role.levels", "所用的答卷里“{v}”只有 {k} 组，不能分组；请不放分组变量", field="group", column=column.id,
            v=column.title, k=len(found), remedies=[SetRemedy(title="不分组", set={"group": None})],
        )  # fmt: skip
    return found


def ordinal_samples(
    columns: Sequence[Column], field: str, groups: Sequence[tuple[str, Rows]] = ()
) -> list[OrdinalSample]:
    """The columns as ordered categories. Refuses what has none, too many of them, or a pair that orders rows alike."""
    if len(columns) > MOST_ITEMS:
        raise Refusal(
            "data.many", "DWLS 与 WLSMV 最多用于 {most} 个变量，现有 {p} 个：它们要估计每两个变量的相关，"
            "再估计这些相关有多准；请减少题项，或改用 MLR", field=field, most=MOST_ITEMS,
            p=len(columns), remedies=[_numbers()],
        )  # fmt: skip
    coded = [_categories(column, field) for column in columns]
    codes, sizes = np.column_stack([one for one, _ in coded]), [size for _, size in coded]
    if not groups:
        return [_ordinal_of(codes, sizes, columns, field, "")]
    for column, one, size in zip(columns, codes.T, sizes, strict=True):
        for name, rows in groups:
            held = np.bincount(one[rows], minlength=size)
            if (held == 0).any():
                value = np.unique(column.numbers)[int(np.argmin(held))]
                raise Refusal(
                    "data.categories",
                    "“{g}”组里没有人在“{v}”上是 {value}，这一组的阈值估计不出来；"
                    "各组的等级须相同，请先合并等级，或不放这一组",
                    field="group", also=[field], column=column.id, g=name, v=column.title, value=f"{value:g}",
                )  # fmt: skip
    return [_ordinal_of(codes[rows], sizes, columns, field, f"“{name}”组：") for name, rows in groups]


def _ordinal_of(codes: Codes, sizes: list[int], columns: Sequence[Column], field: str, where: str) -> OrdinalSample:
    if len(codes) <= len(columns):
        raise Refusal(
            "data.few", "{where}有效样本只有 {n} 份，变量有 {p} 个；样本量必须大于变量数，请减少变量或增加样本",
            field=field, where=where, n=len(codes), p=len(columns),
        )  # fmt: skip
    try:
        return ordinal(codes, sizes)
    except Alike as found:
        name = titles(list(columns))
        a, b = (columns[i] for i in found.pair)
        raise Refusal(
            "data.singular", "{where}“{a}”与“{b}”排出的次序几乎完全相同或完全相反，"
            "多分格相关到了 ±1，没有估计值；请移去其中一个",
            field=field, column=a.id, where=where, a=name[a.id], b=name[b.id],
        ) from None  # fmt: skip


def _categories(column: Column, field: str) -> tuple[Codes, int]:
    values, codes = np.unique(column.numbers, return_inverse=True)
    if values.size < 2:
        raise Refusal(
            "role.constant", "“{v}”在所用的答卷中没有变化，不能进入模型，请移去", field=field, column=column.id,
            v=column.title,
        )  # fmt: skip
    if values.size > CATEGORIES:
        raise Refusal(
            "data.categories",
            "“{v}”有 {k} 个不同的取值。DWLS 与 WLSMV 只用于有序的等级（如五级量表，最多 {most} 级）；"
            "请移去它，或改用 MLR",
            field="estimator", also=[field], column=column.id, v=column.title, k=values.size, most=CATEGORIES,
            remedies=[_numbers()],
        )  # fmt: skip
    if not (values == np.round(values)).all():
        raise Refusal(
            "data.categories",
            "“{v}”的取值有小数，是连续的量，不是有序的等级，不能用 DWLS 与 WLSMV；请移去它，或改用 MLR",
            field="estimator", also=[field], column=column.id, v=column.title, remedies=[_numbers()],
        )  # fmt: skip
    return codes.reshape(-1).astype(np.int64), int(values.size)


def _numbers() -> SetRemedy:
    return SetRemedy(title="改用 MLR", set={"estimator": "mlr"})


def _refuse_singular(s: Floats, columns: Sequence[Column], field: str, where: str) -> None:
    spread = np.sqrt(np.diag(s))
    r = s / np.outer(spread, spread)
    values, vectors = np.linalg.eigh(r)
    if values[0] > 1e-10:
        return
    named = [columns[int(i)] for i in np.flatnonzero(np.abs(vectors[:, 0]) > 0.05)]
    name = titles(columns)
    words = "".join(f"“{name[column.id]}”" for column in named[:6])
    raise Refusal(
        "data.singular", "{where}{words}完全共线（重复，或其中一个是其他几个的总分），协方差矩阵不可逆，请移去其中一个",
        field=field, column=named[-1].id if named else None, where=where, words=words,
    )  # fmt: skip


def few_facts(model: Model) -> Refusal:
    return Refusal(
        "data.unidentified",
        "模型不可识别：待估参数 {k} 个，多于已知的方差和协方差 {known} 个（自由度 {df}）；"
        "请删去一些路径或相关，或增加题项",
        k=model.k, known=model.known, df=model.df,
    )  # fmt: skip


def unidentified(print_: Blueprint, model: Model, keys: Sequence[str]) -> Refusal:
    words = "；".join(parameter(print_, model, key) for key in keys[:6])
    return Refusal(
        "data.unidentified",
        "模型不可识别：这些参数可以互相替代，没有唯一的解：{words}。请删去或固定其中一条；每个因子最好有 3 个以上题项",
        words=words,
    )


def unconverged(unweighted: bool = False) -> Refusal:
    """`unweighted`: what has no weights is also lost where units are far apart."""
    return Refusal(
        "data.unconverged",
        "模型没有收敛，结果不可用。常见原因：题项几乎不相关或几乎重复，因子只有两个题项，样本太少，模型与数据相差太远"
        + ("，ULS 时各变量的单位相差悬殊（先换成相近的单位，或改用 ML）。" if unweighted else "。")
        + "请先用因子分析看题项的分组，减少因子或移去可疑的题项",
        remedies=[MethodRemedy(title="先做因子分析（探索性）", method="statistical/factor_analysis", carry=[])],
    )


def parameter(print_: Blueprint, model: Model, key: str) -> str:
    """“爱好 → 成绩”的路径."""
    cell = next(cell for cell in model.cells if cell.key == key)
    return words_of(print_, cell)


def words_of(print_: Blueprint, cell: Cell) -> str:
    row, col = print_.title(cell.row), print_.title(cell.col) if cell.kind != "M" else ""
    homes = print_.indicators
    factors = {factor.id for factor in print_.factors}
    loads = print_.ids[cell.row] in homes and print_.ids[cell.col] in factors
    match cell.kind:
        case "A" if loads:
            return f"“{row}”在“{col}”上的载荷"
        case "A":
            return f"“{col}”到“{row}”的路径"
        case "S" if cell.row == cell.col:
            return f"“{row}”的方差"
        case "S":
            return f"“{col}”与“{row}”的协方差"
    return f"“{row}”的截距"


def impossible(study: Study) -> bool:
    """Have the factors of a group a covariance matrix that cannot be one?"""
    latent = range(study.model.p, study.model.v)
    inner = [study.state(group).g[np.ix_(latent, latent)] for group in range(study.model.groups)]
    return len(latent) > 1 and any(np.linalg.eigvalsh(one)[0] < -1e-10 for one in inner)


def heywood(study: Study, report: Report) -> list[str]:
    """Warns of negative variances and of a covariance matrix of factors that cannot be one. Gives the names."""
    bad = []
    for group in range(study.model.groups):
        state = study.state(group)
        for i, own in enumerate(np.diag(state.s)):
            if own < -1e-10:
                bad.append(study.print.title(i))
    names = list(dict.fromkeys(bad))
    if names:
        report.warn(
            "model.heywood",
            "出现负的方差（Heywood 现象）：{names}。解不合理，这些题项或因子的标准化系数和 R² 不可解读；"
            "请核对题项、增加样本，或移去这些题项。",
            names="".join(f"“{name}”" for name in names),
        )  # fmt: skip
    if not names and impossible(study):
        report.warn(
            "model.not_positive",
            "因子的协方差矩阵不是正定的：有两个因子的相关超过 1，或一个因子可由其他因子推出。"
            "请合并这些因子或移去一个。",
        )
    return names
