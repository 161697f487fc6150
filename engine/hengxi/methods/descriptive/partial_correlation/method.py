from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    Table,
    choice,
    claim,
    few_of,
    figure,
    flag,
    integer,
    interval,
    num,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.contract.fields.ready import confidence, counted
from hengxi.interpret import cohen1988
from hengxi.methods.descriptive._shared.associating_words import SIDES
from hengxi.stats.correlation import FEWEST, associate, coefficient, matrix, ranks, settled
from hengxi.stats.correlation import interval as bounds
from hengxi.stats.covariances import dependent
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats, Moments, moments
from hengxi.stats.names import listed, titles
from hengxi.stats.two_groups import tail

SYMBOLS = {"pearson": "*r*", "spearman": "*r*ₛ", "kendall": "τ"}
WORDS = {"partial": "偏相关", "semi": "半偏相关"}
SMALL, SCATTERS, POINTS = 1e-10, 6, 500


@dataclass
class Pair:
    a: int
    b: int
    r: float
    statistic: float
    df: int | None
    p: float
    low: float | None
    high: float | None


class PartialCorrelation(Method):
    """From the correlation matrix of all variables: what the controls leave of it."""

    title, title_en = "偏相关分析", "Partial correlation"
    family, tier = "描述性分析", "standard"
    rescaled = (("variables",), ("controls",))
    purpose = "控制其他变量后，两个变量还相关吗"
    aliases = ("偏相关系数", "净相关", "半偏相关", "部分相关", "控制变量", "partial correlation", "semipartial")
    references = ("yule1907", "fisher1924", "kendall1942", "bonett2000", "fieller1957", "cohen1988")
    conventions = (
        "偏相关：两个变量都减去控制变量能解释的部分，再求相关；由相关矩阵算出。",
        "半偏相关只从后一个变量中减去；它的 t 和 p 与偏相关相同，因为检验的是同一个假设。",
        "自由度为 n − 2 − k，k 为控制变量个数；区间用 Fisher z，标准误 1/√(n − 3 − k)；半偏相关不给区间。",
        "Spearman 用秩的偏相关，区间用 Bonett-Wright（2000）的标准误；Kendall 用 τ-b 矩阵（Kendall，1942）和正态近似，"
        "区间用 Fieller 等（1957）的标准误；两者的 n 都减去 k。",
        "只用全部变量都有值的行；零阶相关用同样的行，可以直接比较。",
    )
    weights = ("frequency",)
    min_rows = 4

    class Input(Form):
        variables: list[Column] = role("分析变量", "定量", min=2, max=50, varies=True)
        controls: list[Column] = role("控制变量", "定量", min=1, max=50, varies=True)
        weight: Column | None = counted()
        type: str = choice("类型", {"partial": "偏相关", "semi": "半偏（部分）相关"})
        method: str = choice("方法", {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall"})
        alternative: str = choice("检验方向", {"two_sided": "双尾", "greater": "正相关", "less": "负相关"})
        zero_order: bool = flag("同时显示零阶相关", True)
        conf_level: float = confidence()

    result = Table(
        "偏相关系数", a=text("变量1"), b=text("变量2"), r=num("系数", least=-1, most=1, stars="p"),
        ci=interval("CI", "low", "high", around="r", when={"type": "partial"}), statistic=num("统计量"),
        df=integer("*df*", when={"method": ("pearson", "spearman")}), p=pvalue(), n=integer("*n*"), place="main",
        claim=claim(
            "correlation", stat("*r*", "r", "df", by=("method", SYMBOLS)), first="a", second="b", interval="ci"
        ),
    )  # fmt: skip
    heat_cells = Points("热力图", row=text("行"), column=text("列"), value=num("系数"))
    heat = Chart("偏相关热力图", "heat", of=heat_cells, row="row", column="column", value="value", place="main")
    zero = Table(
        "零阶相关对照", a=text("变量1"), b=text("变量2"), r=num("零阶相关", least=-1, most=1, stars="p"), p=pvalue(),
        partial=num("控制后"), change=num("变化量"), when={"zero_order": True}, place="main",
        claim=claim("correlation", stat("*r*", "r", by=("method", SYMBOLS)), first="a", second="b"),
    )  # fmt: skip
    descriptives = Table(
        "描述", name=text("变量"), as_what=text("角色"), n=integer("*n*"), mean=num("均值"), sd=num("标准差", least=0)
    )
    points = Points("残差", pair=text("变量对"), x=num("前一个变量的残差"), y=num("后一个变量的残差"))
    scatter = Chart("残差散点图", "point", of=points, x="x", y="y", facet="pair", place="detail")

    @classmethod
    def heading(cls, form: Any) -> str:
        names, held = (list(titles(columns).values()) for columns in (form.variables, form.controls))
        return f"控制{few_of(held)}后，{few_of(names)}的{WORDS[form.type]}"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        first, *others = form["variables"]
        return [
            NextStep(
                title="用回归看每个变量的作用（线性回归）", method="statistical/linear_regression",
                form={"y": first, "x": [*others, *form["controls"]], "freq": form.get("weight")},
            ),
            NextStep(
                title="看不加控制的相关", method="descriptive/correlation",
                form={"variables": form["variables"], "weight": form.get("weight")},
            ),
        ]  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        columns = [*form.variables, *form.controls]
        names = list(titles(columns).values())
        counts = frequencies(form.weight)
        held = slice(None) if counts is None else counts > 0
        values = [column.numbers[held] for column in columns]
        counts = None if counts is None else counts[held]
        made = [moments(x, counts, shape=False) for x in values]
        n, k = made[0].n, len(form.controls)
        _refuse(form, columns, names, made, n)
        scored = [ranks(x, counts) if form.method == "spearman" else x for x in values]
        r = _correlations(form.method, scored, counts)
        rest = _left(form, names, r)
        pairs = _pairs(form, r, rest, n, k)
        cls._tables(report, form, names, made, r, pairs, (values, counts))
        cls._draw(report, names, rest, scored, counts, r)
        _words(report, cls, form, names, pairs, n)
        return report

    @classmethod
    def _tables(
        cls, report: Report, form: Any, names: list[str], made: list[Moments], r: Floats, pairs: list[Pair], data: Any
    ) -> None:
        n, p = made[0].n, len(form.variables)
        values, counts = data
        for one in pairs:
            report.row(
                cls.result, a=names[one.a], b=names[one.b], r=one.r, low=one.low, high=one.high,
                statistic=one.statistic, p=one.p, n=n, df=one.df,
            )  # fmt: skip
            if form.zero_order:
                plain = float(r[one.a, one.b])
                alone = associate(
                    form.method, values[one.a], values[one.b], counts, form.alternative, form.conf_level, plain
                )
                report.row(
                    cls.zero, a=names[one.a], b=names[one.b], r=plain, p=alone.p, partial=one.r, change=one.r - plain
                )
        found = {(one.a, one.b): one.r for one in pairs}
        for a in range(p):
            for b in range(p):
                value = 1.0 if a == b else found.get((a, b), found.get((b, a)))
                report.row(cls.heat_cells, row=names[a], column=names[b], value=value)
        for i, m in enumerate(made):
            what = "分析变量" if i < p else "控制变量"
            report.row(cls.descriptives, name=names[i], as_what=what, n=n, mean=m.mean, sd=m.sd)

    @classmethod
    def _draw(
        cls, report: Report, names: list[str], rest: Floats, values: list[Floats], counts: Floats | None, r: Floats
    ) -> None:
        """What the controls leave of standard scores, in evenly spaced rows."""
        p, size = len(rest), values[0].size
        rows = np.unique(np.linspace(0, size - 1, min(size, POINTS)).astype(np.int64))
        scores = []
        for x in values:
            m = moments(x, counts, shape=False)
            scores.append((x[rows] - m.mean) / m.sd)
        z = np.array(scores)
        slopes = np.linalg.solve(r[p:, p:], r[p:, :p])
        left = z[:p] - slopes.T @ z[p:]
        for a, b in list(combinations(range(p), 2))[:SCATTERS]:
            name = f"{names[a]} × {names[b]}"
            report.add_rows(cls.points, {"pair": [name] * rows.size, "x": left[a], "y": left[b]})


# ---- numbers -------------------------------------------------------------------------------------------------------
def _refuse(form: Any, columns: list[Column], names: list[str], made: list[Moments], n: int) -> None:
    k = len(form.controls)
    if n < k + 3:
        raise Refusal(
            "data.few", "有效样本 {n} 少于变量数+3（控制 {k} 个变量至少要 {least} 行），无法检验；请减少控制变量",
            field="controls", n=n, k=k, least=k + 3,
        )  # fmt: skip
    for column, name, m in zip(columns, names, made, strict=True):
        if m.sd == 0 or not 1e-140 < m.sd < 1e140:
            raise Refusal(
                "role.constant" if m.least == m.most else "data.magnitude",
                "“{v}”在参与分析的行里没有变异，或数值过大、过小；请移去或换一个单位",
                field="variables" if column in form.variables else "controls", column=column.id, v=name,
            )  # fmt: skip


def _correlations(method: str, values: list[Floats], counts: Floats | None) -> Floats:
    if method != "kendall":
        found = matrix(values, counts, [moments(x, counts, shape=False) for x in values])
    else:
        found = np.eye(len(values))
        for i, j in combinations(range(len(values)), 2):
            found[i, j] = found[j, i] = coefficient("kendall", values[i], values[j], counts)
    np.fill_diagonal(found, 1.0)
    return found


def _left(form: Any, names: list[str], r: Floats) -> Floats:
    """The covariances of the standard scores that the controls leave."""
    p = len(form.variables)
    inner = r[p:, p:]
    odd = dependent(inner)
    if odd is not None:
        raise Refusal(
            "data.singular", "控制变量之间完全共线，请删除“{v}”", field="controls", column=form.controls[odd].id,
            v=names[p + odd],
        )  # fmt: skip
    rest: Floats = r[:p, :p] - r[:p, p:] @ np.linalg.solve(inner, r[p:, :p])
    for i in range(p):
        if rest[i, i] <= SMALL:
            raise Refusal(
                "data.singular", "“{v}”可由控制变量完全算出，控制后没有剩下变异；请移去“{v}”或换控制变量",
                field="variables", column=form.variables[i].id, v=names[i],
            )  # fmt: skip
    return rest


def _pairs(form: Any, r: Floats, rest: Floats, n: int, k: int) -> list[Pair]:
    both = permutations if form.type == "semi" else combinations
    found = []
    for a, b in both(range(len(rest)), 2):
        partial = settled(float(rest[a, b] / np.sqrt(rest[a, a] * rest[b, b])))
        statistic, df, p = _test(form.method, partial, n, k, form)
        if form.type == "semi":
            value, low, high = settled(float(rest[a, b] / np.sqrt(rest[b, b]))), None, None
        else:
            value = partial
            low, high = bounds(form.method, partial, n - k, form.alternative, form.conf_level)
        found.append(Pair(a, b, value, statistic, df, p, low, high))
    return found


def _test(method: str, r: float, n: int, k: int, form: Any) -> tuple[float, int | None, float]:
    """t with n − 2 − k degrees of freedom; for Kendall's τ a normal deviate."""
    if method != "kendall":
        df = n - 2 - k
        t = float(r * np.sqrt(np.float64(df) / np.float64((1 - r) * (1 + r))))
        return t, df, tail(t, df, form.alternative)
    z = r / float(np.sqrt(2 * (2 * (n - k) + 5) / (9 * (n - k) * (n - 1 - k))))
    p = {"greater": special.ndtr(-z), "less": special.ndtr(z)}.get(form.alternative, 2 * special.ndtr(-abs(z)))
    return z, None, float(min(1.0, p))


# ---- words ---------------------------------------------------------------------------------------------------------
def _words(report: Report, cls: Any, form: Any, names: list[str], pairs: list[Pair], n: int) -> None:
    one = max(pairs, key=lambda pair: abs(pair.r))
    kind, held = WORDS[form.type], listed(names[len(form.variables) :], 5, "个变量")
    facts: dict[str, Any] = {"a": names[one.a], "b": names[one.b], "held": held, "r": one.r, "p": one.p, "n": n}
    facts |= {"low": one.low, "high": one.high, "level": form.conf_level}
    side = {"greater": "正", "less": "负"}.get(form.alternative, "")
    most = "最强的是" if len(pairs) > (2 if form.type == "semi" else 1) else ""
    numbers = "（" + ("*r*" if form.method == "pearson" else "系数") + " = {r:num}，*p* {p:peq}）"
    if one.p < 1 - form.conf_level:
        way = "正" if one.r > 0 else "负"
        size = cohen1988.correlation(abs(one.r)) if form.method != "kendall" else ""
        lead = f"控制{{held}}后，{most}“{{a}}”与“{{b}}”仍{way}相关{numbers}{f'，强度{size}' if size else ''}。"
    else:
        lead = f"控制{{held}}后，{most}“{{a}}”与“{{b}}”没有发现明显的{side}相关{numbers}。"
    known = one.low is not None and form.alternative == "two_sided"
    span = "{level:percent} CI [{low:num}, {high:num}]" if known else None
    figures = [figure(kind, "{r:num}", span), figure("*p*", "{p:pvalue}"), figure("样本量", "{n:integer}")]
    report.lead(lead, figures, **facts)
    report.say(
        f"控制{{held}}后，“{{a}}”与“{{b}}”的{kind}为 {{r:num}}，*p* {{p:peq}}，*n* = {{n:integer}}"
        f"（{SIDES[form.alternative]}）。", voice="paper", **facts,
    )  # fmt: skip
    report.say("控制只能去掉放进来的变量的影响；没有测到的变量仍可能同时影响两者，不能说谁引起谁。", voice="student")
    if form.type == "semi":
        report.note(cls.result, "变量1 用原值，变量2 减去了控制变量能解释的部分；*p* 与偏相关相同。")
    elif n - len(form.controls) > FEWEST:
        report.note(cls.result, "CI 的置信水平为 {level:percent}。", level=form.conf_level)
