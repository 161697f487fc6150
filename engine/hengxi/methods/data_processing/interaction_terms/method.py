"""Products, powers and spline bases of variables, centred first; and how far they overlap with what they come from."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.interpolate import BSpline

from hengxi.contract import (
    Column,
    Form,
    Processing,
    Refusal,
    Report,
    Table,
    choice,
    figure,
    flag,
    integer,
    num,
    role,
    text,
)
from hengxi.methods.data_processing._shared.rows import tell

Floats = npt.NDArray[np.float64]
MOST_TERMS = 200
PRODUCTS, SPLINES = {"basis": "product"}, {"basis": "spline"}
WAYS = {"none": "不处理", "center": "中心化", "zscore": "标准化"}


@dataclass
class Term:
    """`factors`: places of the variables that are multiplied, one of them several times in a power."""

    name: str
    formula: str
    factors: tuple[int, ...]
    cells: Floats


class InteractionTerms(Processing):
    """The variables themselves stay as they are; only what is made of them is centred."""

    title, title_en = "交互项与多项式项", "Interaction and polynomial terms"
    family, tier = "数据处理", "standard"
    purpose = "生成乘积项、平方项供调节与非线性模型使用"
    aliases = ("交互项", "乘积项", "平方项", "多项式", "样条", "中心化", "interaction", "polynomial features")
    references = ("aikenwest1991", "deboor1978")
    conventions = (
        "中心化减去均值，标准化再除以标准差（除以 n − 1）；均值和标准差用每个变量自己的有效行。",
        "放入“与之相乘的变量”时，只生成两组之间的乘积；没有放入时，生成所选变量两两（到最高次数）的乘积。",
        "关掉“只要交互”时，再加各变量的平方到最高次数；乘积中也可以有高次。",
        "VIF 把原变量和全部新变量放在一起计算，用都有值的行；处理前用未中心化的乘积，处理后用中心化的。",
        "样条基是三次 B 样条，不含截距；内部结点取分位数（Hyndman-Fan 第 7 类），边界结点取最小和最大。",
        "参与相乘的变量有一个缺失，乘积就缺失。",
    )
    pool = True
    reads_names = True

    class Input(Form):
        variables: list[Column] = role("变量", "定量", max=20)
        basis: str = choice("生成", {"product": "乘积和幂", "spline": "样条基"})
        moderators: list[Column] = role("与之相乘的变量（选填）", "定量", min=0, max=20, when=PRODUCTS)
        center: str = choice("先处理", WAYS, default="center", when=PRODUCTS)
        degree: int = integer("最高次数", 2, least=1, most=5, when=PRODUCTS)
        interaction_only: bool = flag("只要交互", True, when=PRODUCTS)
        spline: int = integer("样条基的自由度", 4, least=3, most=20, when=SPLINES)

    result = Table(
        "新变量", variable=text("变量"), formula=text("公式"), n=integer("有效"), mean=num("均值"),
        sd=num("标准差", least=0), r=num("与原变量的相关", least=-1, most=1),
        before=num("VIF（处理前）", least=1), after=num("VIF（处理后）", least=1),
    )  # fmt: skip
    sources = Table(
        "原变量", variable=text("变量"), n=integer("有效"), mean=num("均值"), sd=num("标准差", least=0), place="detail"
    )

    @classmethod
    def heading(cls, form: Any) -> str:
        what = "样条基" if form.basis == "spline" else "交互项"
        return (
            f"“{form.variables[0].title}”等变量的{what}"
            if len(form.variables) > 1
            else f"“{form.variables[0].title}”的{what}"
        )

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        columns = [*form.variables, *form.moderators]
        for column in columns:
            if not column.varies:
                field = "variables" if column in form.variables else "moderators"
                text_ = f"“{column.title}”没有变异，乘积和样条没有意义"
                raise Refusal("data.constant", text_, field=field, column=column.id)
        data = np.column_stack([column.numbers for column in columns])
        with np.errstate(over="ignore", invalid="ignore"):
            raw, terms = cls._splines(form) if form.basis == "spline" else cls._products(form, data)
        lost = sum(int(np.isinf(term.cells).sum()) for term in terms)
        for term in terms:
            term.cells[~np.isfinite(term.cells)] = np.nan
            report.make(term.name, term.cells, measure="定量", label=term.formula, source=columns[term.factors[0]])
        if lost:
            report.warn("data.large", "有 {k:integer} 格的乘积太大，无法表示，记为缺失。", columns=columns, k=lost)
        for column in columns:
            known = column.numbers[~np.isnan(column.numbers)]
            report.row(cls.sources, variable=column.title, n=len(known), mean=known.mean(), sd=_sd(known))
        worst = cls._account(report, form, data, raw, terms)
        facts: dict[str, Any] = {"k": len(terms), "v": len(columns), **worst}
        if form.basis == "spline":
            lead = "{v:integer} 个变量生成 {k:integer} 个样条基。"
            student = "同一变量的样条基要一起放进模型，单个系数没有含义，请整组检验。"
        else:
            lead = "{v:integer} 个变量生成 {k:integer} 个新变量"
            lead += "，最大 VIF 由 {before:num} 变为 {after:num}。" if worst else "。"
            student = "建模时把原变量和乘积项一起放入，交互看乘积项的系数。"
            if form.center != "none":
                student += "中心化只减轻乘积与原变量的相关，不改变交互项的检验。"
        tell(report, lead, student, [figure("新变量", "{k:integer}", "{v:integer} 个变量")], **facts)
        return report

    @classmethod
    def _products(cls, form: Any, data: Floats) -> tuple[Floats, list[Term]]:
        """Products of the data as they are, and the terms of the centred ones."""
        columns = [*form.variables, *form.moderators]
        chosen = _monomials(len(form.variables), len(form.moderators), form.degree, form.interaction_only)
        if not chosen:
            text_ = "没有可生成的乘积：请再放入一个变量，或关掉“只要交互”，或把最高次数调到 2 以上"
            raise Refusal("terms.none", text_, field="variables")
        centred = data.copy()
        if form.center != "none":
            centred -= np.nanmean(data, axis=0)
        if form.center == "zscore":
            centred /= np.array([_sd(one[~np.isnan(one)]) for one in data.T])
        raw, terms = np.empty((len(data), len(chosen))), []
        for j, factors in enumerate(chosen):
            raw[:, j] = np.prod(data[:, factors], axis=1)
            sign = {"none": "", "center": "（中心化）", "zscore": "（标准化）"}[form.center]
            names = _named([columns[i].name for i in factors])
            titles = _named([columns[i].title for i in factors])
            terms.append(Term(names, titles + sign, factors, np.prod(centred[:, factors], axis=1)))
        return raw, terms

    @classmethod
    def _splines(cls, form: Any) -> tuple[Floats, list[Term]]:
        terms = []
        for i, column in enumerate(form.variables):
            basis = _bases(column, form.spline)
            terms += [
                Term(f"{column.name}_样条{j + 1}", f"{column.title} 的第 {j + 1} 个三次 B 样条基", (i,), basis[:, j])
                for j in range(form.spline)
            ]
        return np.empty((0, 0)), terms

    @classmethod
    def _account(
        cls, report: Report, form: Any, data: Floats, raw: Floats, terms: list[Term]
    ) -> dict[str, float | None]:
        made = np.column_stack([term.cells for term in terms])
        complete = ~np.isnan(np.column_stack([data, made])).any(axis=1)
        splines = form.basis == "spline"
        before = None if splines else _vif(np.column_stack([data, raw])[complete])
        after = None if splines else _vif(np.column_stack([data, made])[complete])
        for j, term in enumerate(terms):
            known = term.cells[~np.isnan(term.cells)]
            report.row(
                cls.result, variable=term.name, formula=term.formula, n=len(known),
                mean=known.mean() if len(known) else None, sd=_sd(known) if len(known) > 1 else None,
                r=_correlation(data[:, term.factors[0]], term.cells),
                before=None if before is None else before[data.shape[1] + j],
                after=None if after is None else after[data.shape[1] + j],
            )  # fmt: skip
        if splines:
            report.note(cls.result, "样条基之间本来就相关，不列 VIF。")
        elif before is None or after is None:
            report.note(cls.result, "原变量和新变量之间有一列能由别的列算出，或都有值的行太少，不能计算 VIF。")
        if before is None or after is None:
            return {}
        k = data.shape[1]
        return {"before": float(before[k:].max()), "after": float(after[k:].max())}


def _monomials(x: int, m: int, degree: int, interaction_only: bool) -> list[tuple[int, ...]]:
    """Which variables are multiplied; refused before they are listed where they are too many."""
    count = (
        x * m
        if m
        else comb(x + degree, degree)
        if not interaction_only
        else sum(comb(x, d) for d in range(2, degree + 1))
    )
    if m and not interaction_only:
        count += x * (degree - 1)
    if count - (1 + x if not m and not interaction_only else 0) > MOST_TERMS:
        count -= 1 + x if not m and not interaction_only else 0
        text_ = f"将产生 {count:,} 个新变量，超过上限 {MOST_TERMS}，请减少变量或降低最高次数"
        raise Refusal("terms.many", text_, field="variables", k=count, m=MOST_TERMS)
    if m:
        crossed = [(i, x + j) for i in range(x) for j in range(m)]
        powers = [(i,) * d for d in range(2, degree + 1) for i in range(x)]
        return crossed + ([] if interaction_only else powers)
    found = [f for d in range(2, degree + 1) for f in combinations_with_replacement(range(x), d)]
    return [f for f in found if not interaction_only or len(set(f)) == len(f)]


def _named(factors: list[str]) -> str:
    """A×B, A^2, A^2×B."""
    times = {name: factors.count(name) for name in factors}
    return "×".join(name if k == 1 else f"{name}^{k}" for name, k in times.items())


def _bases(column: Column, df: int) -> Floats:
    """Cubic B-splines without an intercept (the first basis is left out), as R's bs(x, df)."""
    x = column.numbers
    known = ~np.isnan(x)
    inner = np.quantile(x[known], np.linspace(0, 1, df - 1)[1:-1]) if df > 3 else np.empty(0)
    low, high = float(x[known].min()), float(x[known].max())
    if len(np.unique(inner)) < len(inner) or ((inner <= low) | (inner >= high)).any():
        text_ = f"“{column.title}”的不同取值太少，放不下 {df} 个自由度的样条，请减小自由度"
        raise Refusal("terms.knots", text_, field="spline", column=column.id)
    knots = np.concatenate([[low] * 4, inner, [high] * 4])
    basis = np.full((len(x), df), np.nan)
    basis[known] = BSpline.design_matrix(x[known], knots, 3).toarray()[:, 1:]
    return basis


def _sd(values: Floats) -> float:
    return float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


def _correlation(x: Floats, y: Floats) -> float | None:
    both = ~np.isnan(x) & ~np.isnan(y)
    a, b = x[both], y[both]
    if len(a) < 2:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        a, b = a - a.mean(), b - b.mean()
        size = float(np.linalg.norm(a) * np.linalg.norm(b))
    if not np.isfinite(size) or size == 0:
        return None
    return float(np.clip((a / np.linalg.norm(a)) @ (b / np.linalg.norm(b)), -1, 1))


def _vif(columns: Floats) -> Floats | None:
    """Diagonal of the inverse correlations; None where a column follows from the others."""
    n, k = columns.shape
    if n <= k + 1:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        centred = columns - columns.mean(axis=0)
        sizes = np.linalg.norm(centred, axis=0)
    if not np.isfinite(sizes).all() or (sizes == 0).any():
        return None
    root = np.linalg.qr(centred / sizes, mode="r")
    if np.abs(np.diag(root)).min() < 1e-8:
        return None
    inverse = np.linalg.inv(root)
    found: Floats = (inverse**2).sum(axis=1)
    return found
