"""Multiple correspondence analysis: the categories of several variables as points of a map, and the cases behind."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    NewColumns,
    Points,
    Refusal,
    Report,
    Table,
    Wide,
    choice,
    figure,
    filled,
    flag,
    integer,
    num,
    percent,
    role,
    text,
)
from hengxi.methods.questionnaire._shared import category_map
from hengxi.stats.correspondence import adjusted_inertia, sign_of
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, titles
from hengxi.stats.thin import thin

MOST_CATEGORIES, RARE, DRAWN = 500, 0.01, 1000


@dataclass(frozen=True)
class Category:
    variable: str
    word: str
    rows: Any
    """Which cases have it."""


@dataclass(frozen=True)
class Solution:
    """`standard`: categories × dimensions; `roots`: inertias of the indicator matrix; `cases`: their coordinates."""

    mass: Floats
    roots: Floats
    standard: Floats
    cases: Floats


class MultipleCorrespondence(Method):
    title, title_en = "多重对应分析", "Multiple correspondence analysis"
    family, tier = "问卷研究", "member"
    slug = "multiple-correspondence-analysis"
    purpose = "三个及以上分类变量的类别之间存在怎样的整体联系"
    aliases = ("多重对应分析", "MCA", "同质性分析", "HOMALS", "最优尺度")
    references = ("greenacre1984", "benzecri1979", "greenacre1993", "le2008")
    conventions = (
        "指示矩阵的惯量为 λ，Burt 矩阵的惯量为 λ²；两者的标准坐标相同，主坐标分别乘 √λ 和 λ。",
        "符号：每一维上绝对值最大的类别取正。",
        "校正惯量只用 λ > 1/Q 的维：(Q/(Q − 1))²(λ − 1/Q)²；"
        "Benzécri 以其合计为分母，Greenacre 以 Burt 矩阵非对角块的平均惯量为分母。",
        "v 检验值：类别坐标与 0 相差多少个标准误，绝对值大于 2 值得解读。",
        "Cronbach α = Q/(Q − 1)·(1 − 1/(Qλ))。补充变量不参与计算。",
    )

    class Input(Form):
        items: list[Column] = role("分析变量", "定类", min=3, max=100, levels=(2, 100))
        sup_category: list[Column] = role("补充分类变量（选填）", "定类", min=0, max=50)
        sup_numeric: list[Column] = role("补充定量变量（选填）", "定量", min=0, max=50)
        method: str = choice("矩阵", {"indicator": "指示矩阵", "burt": "Burt 矩阵"})
        correction: str = choice(
            "惯量校正", {"none": "不校正", "benzecri": "Benzécri", "greenacre": "Greenacre"}, default="greenacre"
        )  # fmt: skip
        dims: int = integer("维数", 2, least=2, most=10)
        save_scores: bool = flag("保存个案得分", False)

    inertia = Table(
        "惯量表", dimension=text("维"), root=num("特征值", least=0, decimals=4), share=percent("解释比例"),
        adjusted=num("校正后惯量", least=0, decimals=4, when={"correction": ("benzecri", "greenacre")}),
        adjusted_share=percent("校正后比例", when={"correction": ("benzecri", "greenacre")}),
        alpha=num("Cronbach α", most=1, decimals=3), place="main",
    )  # fmt: skip
    categories = Table(
        "类别坐标表", variable=text("变量"), category=text("类别"), kind=text("类型"), n=integer("频数"),
        mass=percent("质量"),
        layout=Wide(score=num("坐标"), contribution=percent("贡献"), cos2=percent("cos²"), v=num("v 检验值")),
        merge=("variable",), place="main",
    )  # fmt: skip
    spots, map_chart = category_map.biplot("类别联合图")
    discrimination = Table(
        "变量判别度表", variable=text("变量"), kind=text("类型"), layout=Wide(eta2=percent("η²"))
    )  # fmt: skip
    eta_points = Points("判别度", name=text("变量"), x=num("维1"), y=num("维2"))
    eta_chart = Chart("判别度图", "point", of=eta_points, x="x", y="y", label="name")
    numeric = Table(
        "补充定量变量", variable=text("变量"), layout=Wide(r=num("相关", least=-1, most=1)),
        when={"sup_numeric": filled},
    )  # fmt: skip
    case_points = Points("个案", x=num("维1"), y=num("维2"))
    cases_chart = Chart("个案散点图", "point", of=case_points, x="x", y="y")
    saved = NewColumns("个案得分", when={"save_scores": True})

    @classmethod
    def dropped_by(cls, form: dict[str, Any]) -> Collection[str] | None:
        return ["items"]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = titles([*form.items, *form.sup_category, *form.sup_numeric])
        active = [one for column in form.items for one in _categories(column, names[column.id])]
        if len(active) > MOST_CATEGORIES:
            raise Refusal(
                "data.categories", "全部变量共有 {k} 个类别，最多 {most} 个，请先合并类别", field="items",
                k=len(active), most=MOST_CATEGORIES,
            )  # fmt: skip
        q, n = len(form.items), len(form.items[0])
        found = _solve(active, q, n)
        if found.roots.size == 0:
            raise Refusal("data.independent", "各变量没有可以解释的联系", field="items")
        dims = min(form.dims, found.roots.size)
        if dims < form.dims:
            report.warn("data.dims", "维数最大为 {k:integer}，已自动调整。", k=dims)
        shares = cls._inertia(report, form, found, q, len(active))
        cls._categories(report, form, found, active, q, n, dims, names)
        cls._variables(report, form, found, active, q, n, dims, names)
        cls._cases(report, form, found, dims, names)
        cls._words(report, form, found, active, shares, n, q)
        return report

    @classmethod
    def _inertia(cls, report: Report, form: Any, found: Solution, q: int, k: int) -> Floats:
        """Shares by the way chosen, of as many dimensions as have one."""
        roots = found.roots
        total = (k - q) / q
        own = roots / total if form.method == "indicator" else roots**2 / float((roots**2).sum())
        adjusted, part = adjusted_inertia(roots, q, k, form.correction if form.correction != "none" else "greenacre")
        for i, root in enumerate(roots):
            has = i < adjusted.size and form.correction != "none"
            report.row(
                cls.inertia, dimension=f"维{i + 1}", root=root if form.method == "indicator" else root**2, share=own[i],
                adjusted=adjusted[i] if has else None, adjusted_share=min(1.0, float(part[i])) if has else None,
                alpha=q / (q - 1) * (1 - 1 / (q * root)),
            )  # fmt: skip
        if form.correction != "none":
            report.note(cls.inertia, "未校正的比例总是偏低：变量越多、类别越多越低。看几维够用以校正后的比例为准。")
        return own if form.correction == "none" else np.minimum(part, 1.0)

    @classmethod
    def _categories(
        cls, report: Report, form: Any, found: Solution, active: list[Category], q: int, n: int, dims: int,
        names: dict[str, str],
    ) -> None:  # fmt: skip
        power = 0.5 if form.method == "indicator" else 1.0
        scale = found.roots**power
        for one, mass, standard in zip(active, found.mass, found.standard, strict=True):
            count = int(one.rows.sum())
            contribution = mass * standard**2
            own = standard * np.sqrt(found.roots)
            cls._category(report, one, "分析", count, mass, standard * scale, contribution, own, n, dims)
            if count < RARE * n:
                text_of = "“{v}”的类别“{c}”过于稀疏（{n:integer} 例，不足 1%），建议合并。"
                report.warn("data.rare", text_of, v=one.variable, c=one.word, n=count)
        for column in form.sup_category:
            for one in _categories(column, names[column.id]):
                count = int(one.rows.sum())
                own = found.cases[one.rows].mean(axis=0) / np.sqrt(found.roots)
                cls._category(
                    report, one, "补充", count, None, own / np.sqrt(found.roots) * scale, None, own, n, dims
                )  # fmt: skip
        report.chart(cls.map_chart, titles=category_map.axes(found.roots, float(found.roots.sum())))

    @classmethod
    def _category(
        cls, report: Report, one: Category, kind: str, count: int, mass: float | None, score: Floats,
        contribution: Floats | None, own: Floats, n: int, dims: int,
    ) -> None:  # fmt: skip
        """`own`: coordinates of the indicator matrix, of which cos² and the v test are."""
        distance = n / count - 1
        v = own * np.sqrt(count * (n - 1) / (n - count)) if count < n else np.zeros_like(own)
        wide = {
            f"维{d + 1}": {
                "score": score[d], "contribution": None if contribution is None else contribution[d],
                "cos2": min(1.0, float(own[d] ** 2 / distance)) if distance > 0 else None, "v": v[d],
            }
            for d in range(dims)
        }  # fmt: skip
        report.row(
            cls.categories, variable=one.variable, category=one.word, kind=kind, n=count, mass=mass, wide=wide
        )  # fmt: skip
        y = float(score[1]) if score.size > 1 else 0.0
        report.row(cls.spots, name=f"{one.variable}：{one.word}", x=float(score[0]), y=y, kind=one.variable)

    @classmethod
    def _variables(
        cls, report: Report, form: Any, found: Solution, active: list[Category], q: int, n: int, dims: int,
        names: dict[str, str],
    ) -> None:  # fmt: skip
        for kind, columns in (("分析", form.items), ("补充", form.sup_category)):
            for column in columns:
                eta = _eta2(found, _categories(column, names[column.id]))
                report.row(
                    cls.discrimination, variable=names[column.id], kind=kind,
                    wide={f"维{d + 1}": {"eta2": min(1.0, float(eta[d]))} for d in range(dims)},
                )  # fmt: skip
                y = float(eta[1]) if eta.size > 1 else 0.0
                report.row(cls.eta_points, name=names[column.id], x=float(eta[0]), y=y)
        for column in form.sup_numeric:
            held = ~np.isnan(column.numbers)
            x = column.numbers[held]
            wide = {}
            for d in range(dims):
                y_of = found.cases[held, d]
                varies = x.size > 2 and x.std() > 0 and y_of.std() > 0
                wide[f"维{d + 1}"] = {"r": float(np.corrcoef(x, y_of)[0, 1]) if varies else None}
            report.row(cls.numeric, variable=names[column.id], wide=wide)

    @classmethod
    def _cases(cls, report: Report, form: Any, found: Solution, dims: int, names: dict[str, str]) -> None:
        n = len(found.cases)
        rows = thin(n, most=DRAWN)
        second = found.cases[rows, 1] if found.cases.shape[1] > 1 else np.zeros(rows.size)
        report.add_rows(cls.case_points, {"x": found.cases[rows, 0], "y": second})
        report.chart(cls.cases_chart, thinned=(int(rows.size), n) if rows.size < n else None)
        if form.save_scores:
            report.columns(cls.saved, {f"MCA维{d + 1}": found.cases[:, d] for d in range(dims)})

    @classmethod
    def _words(
        cls, report: Report, form: Any, found: Solution, active: list[Category], shares: Floats, n: int, q: int
    ) -> None:  # fmt: skip
        contribution = found.mass[:, None] * found.standard**2
        told = []
        facts: dict[str, Any] = {"n": n, "q": q, "share": float(shares[:2].sum()), "d": min(2, shares.size)}
        for d in range(facts["d"]):
            top = np.argsort(-np.round(contribution[:, d], 10), kind="stable")[:3]
            side = [[active[i] for i in top if (found.standard[i, d] > 0) == sign] for sign in (True, False)]
            for place, held in zip("ab", side, strict=True):
                facts[f"{place}{d}"] = "".join(f"“{one.variable}：{one.word}”" for one in held)
            both = [f"{{{place}{d}}}" for place, held in zip("ab", side, strict=True) if held]
            told.append(f"第 {d + 1} 维主要由{'与'.join(both)}{'的对立' if len(both) > 1 else ''}构成")
        how = {"none": "", "benzecri": "（Benzécri 校正后）", "greenacre": "（Greenacre 校正后）"}[form.correction]
        main = f"前 {{d:integer}} 维解释了 {{share:percent1}}{how}。{'；'.join(told)}。"
        if form.correction != "none" and shares.size > 1 and shares[1] < 0.01:
            main += "第 2 维校正后的解释比例不到 1%，看第 1 维即可。"
        report.lead(
            main,
            [
                figure("解释比例", "{share:percent1}", "前 {d:integer} 维"),
                figure("个案", "{n:integer} 个", "{q:integer} 个变量"),
            ],
            **facts,
        )
        report.say(
            "图上靠近的类别常由同一批人选。离原点远的类别特点鲜明，也可能只是人数少。先看贡献大的类别，它们决定一维的含义。",
            voice="student",
        )  # fmt: skip
        report.say("{n:integer} 个个案、{q:integer} 个变量。" + main, voice="paper", **facts)
        report.say(main, voice="brief", **facts)


def _categories(column: Column, name: str) -> list[Category]:
    words = level_words(column.levels)
    return [
        Category(name, word, column.codes == level.code) for level, word in zip(column.levels, words, strict=True)
    ]  # fmt: skip


def _solve(active: list[Category], q: int, n: int) -> Solution:
    """From the Burt matrix (categories × categories), whose eigenvalues are those of the indicator matrix."""
    z = np.column_stack([one.rows for one in active]).astype(float)
    burt = z.T @ z
    mass = np.diag(burt) / (n * q)
    root = np.sqrt(mass)
    values, vectors = np.linalg.eigh((burt / (n * q * q) - np.outer(mass, mass)) / np.outer(root, root))
    order = np.argsort(-values, kind="stable")
    values, vectors = values[order], vectors[:, order]
    k = min(int((values > 1e-12).sum()), len(active) - q)
    standard = vectors[:, :k] / root[:, None]
    standard = standard * sign_of(standard)
    return Solution(mass, values[:k], standard, z @ standard / q)


def _eta2(found: Solution, categories: list[Category]) -> Floats:
    """The share of the variance of the cases that lies between the categories."""
    known = np.logical_or.reduce([one.rows for one in categories]) if categories else np.zeros(len(found.cases), bool)
    whole = ((found.cases[known] - found.cases[known].mean(axis=0)) ** 2).sum(axis=0)
    centre = found.cases[known].mean(axis=0)
    between = sum(one.rows.sum() * (found.cases[one.rows].mean(axis=0) - centre) ** 2 for one in categories)
    return np.asarray(between / np.where(whole > 0, whole, 1.0))
