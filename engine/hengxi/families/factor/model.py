"""From the form of a factor analysis to its solution, with what the user must be told where there is none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from hengxi.contract import Column, Refusal, SetRemedy
from hengxi.stats.correlation import ranks, size
from hengxi.stats.factor_adequacy import (
    Adequacy,
    Fit,
    Parallel,
    adequacy,
    likelihood_fit,
    parallel,
    partials,
    root_mean_residual,
)
from hengxi.stats.factor_extraction import EXTRACT, Extraction, most_factors
from hengxi.stats.factor_rotation import OBLIQUE, Rotation, rotate
from hengxi.stats.frequencies import frequencies
from hengxi.stats.linear_fit import standard
from hengxi.stats.moments import BLOCK, Floats, exponent, total
from hengxi.stats.names import titles
from hengxi.stats.polychoric import polychoric

EXTRACTION_WORDS = {"principal": "主成分法", "paf": "主轴因子法", "ml": "最大似然法", "minres": "最小残差法"}
ROTATION_WORDS = {
    "none": "未旋转", "varimax": "最大方差旋转", "quartimax": "四次方最大旋转", "equamax": "等量最大旋转",
    "oblimin": "直接斜交旋转（δ = 0）", "promax": "Promax 旋转（κ = 4）",
}  # fmt: skip
MATRIX_WORDS = {"pearson": "Pearson 相关", "spearman": "Spearman 相关", "polychoric": "多分格相关"}
SINGULAR, SAME, CATEGORIES = 1e-10, 1 - 1e-10, 20


@dataclass
class Model:
    form: Any
    names: list[str]
    rows: np.ndarray[Any, np.dtype[np.int64]]
    """Rows that stand for at least one case."""
    n: int
    values: list[Floats]
    """Of each item, in these rows."""
    counts: Floats | None
    r: Floats
    smoothed: bool
    eigenvalues: Floats
    adequacy: Adequacy
    random: Parallel
    m: int
    capped: int | None
    """What the rule asked for where the model has room for fewer."""
    extraction: Extraction
    rotation: Rotation

    @property
    def p(self) -> int:
        return len(self.names)

    @property
    def components(self) -> bool:
        return bool(self.form.extraction == "principal")

    @property
    def thing(self) -> str:
        return "成分" if self.components else "因子"

    @property
    def oblique(self) -> bool:
        return self.rotated and self.form.rotation in OBLIQUE

    @property
    def rotated(self) -> bool:
        return bool(self.form.rotation != "none") and self.m > 1

    @cached_property
    def z(self) -> Floats:
        """p × rows: standard scores (of ranks for Spearman) of mean square 1, the basis of the saved scores."""
        return _standardised(str(self.form.matrix), self.form.items, self.values, self.counts, self.n)

    @cached_property
    def factor_names(self) -> list[str]:
        return [f"{self.thing}{k + 1}" for k in range(self.m)]

    @cached_property
    def squares(self) -> Floats:
        """Of the columns of the final loadings (structure loadings if oblique)."""
        return self.rotation.squares

    @property
    def explained(self) -> float:
        """Share of the variance of all items, before rotation; an orthogonal rotation does not change it."""
        return float(np.sum(self.extraction.loadings**2)) / self.p

    @cached_property
    def main(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Which factor each item loads on most."""
        return np.asarray(np.argmax(np.abs(self.rotation.pattern), axis=1))

    @cached_property
    def shares(self) -> Floats:
        """Weights of orthogonal factors: their share of the variance explained by all."""
        found: Floats = np.asarray(self.squares / self.squares.sum(), dtype=np.float64)
        return found

    @cached_property
    def coefficients(self) -> Floats:
        """Thurstone's regression R⁻¹S; for components these are the component scores themselves."""
        found: Floats = np.asarray(np.linalg.solve(self.r, self.rotation.structure), dtype=np.float64)
        return found

    @cached_property
    def implied(self) -> Floats:
        found: Floats = self.extraction.loadings @ self.extraction.loadings.T
        return found

    @property
    def rmsr(self) -> float:
        return root_mean_residual(self.r, self.implied)

    @cached_property
    def fit(self) -> Fit | None:
        if self.form.extraction != "ml" or self.extraction.criterion is None:
            return None
        return likelihood_fit(self.extraction.criterion, self.r, self.m, self.n)

    @cached_property
    def kaiser(self) -> int:
        return int(np.sum(self.eigenvalues > 1 + 1e-10))

    @cached_property
    def beyond_chance(self) -> int:
        """Leading eigenvalues above the 95th percentile of random ones."""
        above = self.eigenvalues > self.random.high
        return self.p if above.all() else int(np.argmin(above))


def build_model(form: Any) -> Model:
    columns: list[Column] = form.items
    names = list(titles(columns).values())
    counts = frequencies(form.weight)
    rows = np.arange(len(columns[0])) if counts is None else np.flatnonzero(counts > 0)
    counts = None if counts is None else counts[rows]
    values = [column.numbers if rows.size == len(column) else column.numbers[rows] for column in columns]
    n, p = size(values[0], counts), len(columns)
    _refuse_few(n, p)
    _refuse_constant(columns, values)
    match form.matrix:
        case "polychoric":
            r = _polychorics(form, names, values, counts)
        case "spearman":
            r = _products(_standardised("spearman", columns, values, counts, n), counts, n)
        case _:
            r = _pearsons(columns, values, counts, n)
    r, smoothed = _judge(form, names, r)
    eigenvalues: Floats = np.linalg.eigvalsh(r)[::-1].astype(np.float64)
    random = parallel(n, p, form.rng)
    m, capped = _number(form, r, eigenvalues, random)
    extraction = EXTRACT[form.extraction](r, m)
    rotation = rotate(extraction.loadings, form.rotation)
    return Model(
        form, names, rows, n, values, counts, r, smoothed, eigenvalues, adequacy(r, n), random, m, capped, extraction,
        rotation,
    )  # fmt: skip


# ---- the correlation matrix ----------------------------------------------------------------------------------------
def _standardised(kind: str, columns: list[Column], values: list[Floats], counts: Floats | None, n: int) -> Floats:
    z = np.empty((len(values), values[0].size))
    for i, x in enumerate(values):
        found = standard(ranks(x, counts) if kind == "spearman" else x, counts, float(n), True, out=z[i])
        if not np.isfinite(found.scale) or found.scale == 0:
            raise Refusal(
                "data.magnitude", "题项“{v}”的数值过大或过小，无法标准化；请换一个单位", field="items",
                column=columns[i].id, v=columns[i].title,
            )  # fmt: skip
    return z


def _pearsons(columns: list[Column], values: list[Floats], counts: Floats | None, n: int) -> Floats:
    """Cross-products of deviations, a block of rows at a time: one pass over the data beside that for the means."""
    ends = np.array([[x.min(), x.max()] for x in values])
    if exponent(ends.ravel()):
        return _products(_standardised("pearson", columns, values, counts, n), counts, n)
    anchors = [total(x, counts) / n for x in values]
    squares, rest = np.zeros((len(values), len(values))), np.zeros(len(values))
    block = np.empty((len(values), BLOCK))
    for start in range(0, values[0].size, BLOCK):
        size_ = min(BLOCK, values[0].size - start)
        d = block[:, :size_]
        for i, x in enumerate(values):
            np.subtract(x[start : start + size_], anchors[i], out=d[i])
        weighted = d if counts is None else d * counts[start : start + size_]
        squares += weighted @ d.T
        rest += weighted.sum(axis=1)
    squares -= np.outer(rest, rest) / n
    if not (np.diag(squares) > 0).all() or np.diag(squares).min() < 1e-250:
        return _products(_standardised("pearson", columns, values, counts, n), counts, n)
    return _unit(squares)


def _products(z: Floats, counts: Floats | None, n: int) -> Floats:
    return _unit((z if counts is None else z * counts) @ z.T / n)


def _unit(squares: Floats) -> Floats:
    scale = np.sqrt(np.diag(squares))
    found: Floats = squares / np.outer(scale, scale)
    np.fill_diagonal(found, 1.0)
    return (found + found.T) / 2


def _polychorics(form: Any, names: list[str], values: list[Floats], counts: Floats | None) -> Floats:
    coded = []
    for name, x in zip(names, values, strict=True):
        levels, codes = np.unique(x, return_inverse=True)
        if levels.size > CATEGORIES:
            raise Refusal(
                "data.categories",
                "题项“{v}”有 {k} 个不同取值，多分格相关只用于有序的等级（最多 {most} 级）；请改用 Pearson 相关",
                remedies=[SetRemedy(title="改用 Pearson 相关", set={"matrix": "pearson"})],
                field="matrix", also=["items"], v=name, k=levels.size, most=CATEGORIES,
            )  # fmt: skip
        coded.append((codes.ravel(), levels.size))
    p = len(names)
    r = np.eye(p)
    pairs = list(combinations(range(p), 2))
    for done, (i, j) in enumerate(pairs):
        if not form.progress(done, len(pairs), f"第 {done + 1}/{len(pairs)} 对的多分格相关"):
            raise Refusal(
                "data.stopped", "多分格相关还没有算完就停止了，没有可以保留的结果；可改用 Pearson 相关，很快",
                field="matrix", remedies=[SetRemedy(title="改用 Pearson 相关", set={"matrix": "pearson"})],
            )  # fmt: skip
        (a, ka), (b, kb) = coded[i], coded[j]
        table = np.bincount(a * kb + b, weights=counts, minlength=ka * kb).reshape(ka, kb).astype(float)
        r[i, j] = r[j, i] = polychoric(table)
    return r


def _judge(form: Any, names: list[str], r: Floats) -> tuple[Floats, bool]:
    """Refuses what has no inverse, naming the items; a polychoric matrix (made pair by pair) is smoothed instead."""
    p = len(names)
    for i, j in combinations(range(p), 2):
        if abs(r[i, j]) >= SAME:
            same = "完全重复" if r[i, j] > 0 else "完全相反"
            raise Refusal(
                "data.singular", f"题项“{{a}}”与“{{b}}”{same}，相关矩阵不可逆；请删去其一", field="items",
                column=form.items[j].id, a=names[i], b=names[j],
            )  # fmt: skip
    values, v = np.linalg.eigh(r)
    if values[0] > SINGULAR:
        return r, False
    if form.matrix == "polychoric":
        lifted = np.maximum(values, 1e-6)
        made = (v * lifted) @ v.T
        scale = np.sqrt(np.diag(made))
        return made / np.outer(scale, scale), True
    held = np.flatnonzero(np.abs(v[:, 0]) > 1e-4)
    told = "".join(f"“{names[i]}”" for i in held[1:11]) + ("等" if held.size > 11 else "")
    raise Refusal(
        "data.singular", "题项“{a}”可由{told}线性表示，相关矩阵不可逆；请删去其一", field="items",
        column=form.items[int(held[0])].id, a=names[int(held[0])], told=told,
    )  # fmt: skip


def _refuse_few(n: int, p: int) -> None:
    if n > p:
        return
    relation = "小于" if n < p else "等于"
    raise Refusal(
        "data.few",
        "样本量{relation}题项数，结果不可靠，相关矩阵也不可逆：{p} 个题项只有 {n} 个有效个案；"
        "至少需要 {least} 个，最好在题项数的 5 倍以上",
        field="items", n=n, p=p, relation=relation, least=p + 1,
    )  # fmt: skip


def _refuse_constant(columns: list[Column], values: list[Floats]) -> None:
    for column, x in zip(columns, values, strict=True):
        least, most = float(x.min()), float(x.max())
        if not np.isfinite([least, most]).all():
            raise Refusal(
                "data.magnitude", "题项“{v}”含无穷大的值，请先处理", field="items", column=column.id, v=column.title
            )
        if least == most:
            raise Refusal(
                "role.constant", "题项“{v}”在参与分析的个案里没有变化，不能用于因子分析，请移去", field="items",
                column=column.id, v=column.title,
            )  # fmt: skip


# ---- how many ------------------------------------------------------------------------------------------------------
def _number(form: Any, r: Floats, eigenvalues: Floats, random: Parallel) -> tuple[int, int | None]:
    components, p = form.extraction == "principal", len(r)
    most = p if components else most_factors(p)
    if form.n_rule == "fixed":
        if form.n_factors > most:
            thing = "成分" if components else "因子"
            why = "成分数不能超过题项数" if components else "自由度为负"
            raise Refusal(
                "data.too_many", "{why}：{p} 个题项最多提取 {most} 个{thing}，现指定 {m} 个",
                field="n_factors", also=["items"],
                remedies=[SetRemedy(title=f"改为 {most} 个", set={"n_factors": most})] if most >= 1 else [],
                why=why, p=p, most=most, thing=thing, m=form.n_factors,
            )  # fmt: skip
        return int(form.n_factors), None
    if form.n_rule == "kaiser":
        wanted = int(np.sum(eigenvalues > 1 + 1e-10))
    elif form.n_rule == "map":
        wanted = int(np.argmin(partials(r)))
    else:
        above = eigenvalues > random.high
        wanted = p if above.all() else int(np.argmin(above))
    m = min(max(wanted, 1), max(most, 1))
    return m, wanted if m != wanted else None
