from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hengxi.contract import (
    Block,
    Chart,
    Column,
    ColumnInfo,
    Form,
    Matrix,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    Row,
    SetRemedy,
    Silent,
    Table,
    at_least,
    blocks,
    choice,
    figure,
    flag,
    integer,
    interval,
    many,
    more,
    num,
    number,
    pvalue,
    settings,
    text,
    weight,
)
from hengxi.contract.fields.blocks import LOOSE
from hengxi.stats import reliability
from hengxi.stats.covariances import Summary, summary
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats
from hengxi.stats.names import listed, scale_of, short, titles

GRADES = ((0.9, "很高"), (0.8, "较高"), (0.7, "可以接受"), (0.6, "偏低"))
LOW_ITEM, MOST_CORRELATED = 0.4, 60
OWN = re.compile(r"维度\d*")
"""Names nobody typed: the items' own common name is better."""


@dataclass
class Scale:
    """The items of one dimension, reversed ones turned, and their moments."""

    name: str
    items: list[str]
    turned: list[str]
    s: Floats
    r: Floats
    means: Floats
    sds: Floats
    n: int

    @property
    def p(self) -> int:
        return len(self.items)


class Reliability(Method):
    """From the covariance matrix of the items alone: the rows are read once."""

    title, title_en = "信度分析", "Reliability analysis"
    family, tier = "描述性分析", "standard"
    purpose = "量表题项的内部一致性是否可靠，哪一题该删"
    aliases = (
        "克隆巴赫", "克朗巴哈", "Cronbach", "阿尔法系数", "内部一致性", "折半信度", "McDonald", "omega", "KR-20",
        "CITC", "Guttman", "题总相关", "项目分析",
    )  # fmt: skip
    references = (
        "cronbach1951", "mcdonald1999", "feldt1965", "guttman1945", "nunnally1994", "horst1951", "armor1974",
        "kuder1937", "tukey1949",
    )  # fmt: skip
    conventions = (
        "α、CITC 由协方差矩阵计算，标准差以 n − 1 为分母；标准化 α 由平均题间相关计算。",
        "α 的区间用 Feldt（1965）的 F 分布法；ω 的区间用最大似然的 delta 法。",
        "ω 为协方差矩阵单因子模型（最大似然）的 (Σλ)² / ((Σλ)² + Σψ)；不足 3 题或出现 Heywood 时不给。",
        "折半：前后折半时奇数题的中间一题归前半；Guttman λ4 取所选的折半，不是所有折半中的最大值（与 SPSS 相同）。",
        "反向题的转换为（本维度最小值 + 最大值）− 得分；只转换您指明的题，或勾选自动反向后与第一主成分方向相反的题。",
        "各维度都用全部题项均有作答的行；没有变化的题项不参加计算。",
    )
    weights = ("frequency",)
    min_rows = 2
    version = 2

    # An empty form is unfinished, not refused by a run.
    limits = (at_least(1, "items"),)

    class Input(Form):
        items: list[Block] = blocks(
            "量表题项（可按维度分框）", "定量", min=0, size=(2, None), names="维度{i}", loose=True,
            hint="有几个维度时每维一框；只有一个时全部放在一起",
        )  # fmt: skip
        turned: list[Row] = settings("题项设置", of="items", reversed=flag("反向题", False), hint="反向题先转换再计算")
        weight: Column | None = weight("频数权重（选填）", kind="frequency", whole=True)
        model: list[str] = many(
            "信度系数",
            {
                "alpha": "Cronbach α", "omega": "McDonald ω", "split_half": "折半信度", "guttman": "Guttman λ1-λ6",
                "theta": "θ系数", "kr20": "KR-20（0/1题）", "item_deleted": "删除题项后的系数",
            },
            default=("alpha", "omega", "item_deleted"),
        )  # fmt: skip
        split: str = choice(
            "折半方式", {"first_second": "前后", "odd_even": "奇偶"}, when={"model": ("split_half", "guttman")}
        )
        reverse: bool = flag("自动反向负相关题项", False)
        tests: bool = flag("Hotelling T² 与可加性检验", False, advanced=True)
        conf_level: float = number("置信水平", 0.95, least=0.5, most=0.999, percent=True)

    result = Table(
        "信度分析结果", scale=text("维度"), p=integer("项数"), n=integer("样本量"), alpha=num("Cronbach α", decimals=3),
        ci=interval("CI", "low", "high", around="alpha"), standard=num("标准化 α", decimals=3),
        kr20=num("KR-20", decimals=3, when={"model": "kr20"}), mean_r=num("平均题间相关", decimals=3),
        omega=num("McDonald ω", decimals=3, when={"model": "omega"}),
        omega_ci=interval("ω 的 CI", "omega_low", "omega_high", around="omega", when={"model": "omega"}),
        theta=num("θ", decimals=3, when={"model": "theta"}), place="main",
    )  # fmt: skip
    totals = Table(
        "题项总计统计", scale=text("维度"), item=text("题项"), citc=num("CITC", decimals=3, hint="校正项总计相关"),
        deleted=num("项已删除的 α", decimals=3), rest_mean=num("项已删除的均值"),
        rest_variance=num("项已删除的方差", least=0), smc=num("多重相关平方", least=0, most=1, decimals=3),
        advice=text("提示"), merge=("scale",), place="main", when={"model": "item_deleted"},
    )  # fmt: skip
    bars = Points(
        "删除后的 α", scale=text("维度"), item=text("题项"), deleted=num("项已删除的 α"), when={"model": "item_deleted"}
    )
    plot = Chart(
        "删除题项后的 α", "bar", of=bars, x="item", y="deleted", facet="scale", place="main",
        when={"model": "item_deleted"},
    )  # fmt: skip
    half = Table(
        "折半信度", scale=text("维度"), first=text("前半"), second=text("后半"), alpha_1=num("前半 α", decimals=3),
        alpha_2=num("后半 α", decimals=3), r=num("两半相关", decimals=3),
        equal=num("Spearman-Brown（等长）", decimals=3), unequal=num("Spearman-Brown（不等长）", decimals=3),
        guttman=num("Guttman 折半", decimals=3),
        when={"model": "split_half"},
    )  # fmt: skip
    bounds = Table(
        "Guttman 系数", scale=text("维度"), l1=num("λ1", decimals=3), l2=num("λ2", decimals=3),
        l3=num("λ3", decimals=3), l4=num("λ4", decimals=3), l5=num("λ5", decimals=3), l6=num("λ6", decimals=3),
        when={"model": "guttman"},
    )  # fmt: skip
    described = Table(
        "题项描述", scale=text("维度"), item=text("题项"), mean=num("均值"), sd=num("标准差", least=0), merge=("scale",)
    )
    correlations = Table("题间相关", layout=Matrix(r=num("相关", least=-1, most=1, decimals=3), show="lower"))
    means = Table(
        "均值与可加性检验", scale=text("维度"), test=text("检验"), statistic=num("*T*²", least=0),
        F=num("*F*", least=0), df1=integer("*df*1"), df2=integer("*df*2"), p=pvalue(),
        merge=("scale",), when={"tests": True},
        claim=Silent("whether items are equally hard, not what a paper tells of a scale"),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        items = [column for block in form.items for column in block.columns]
        scale = scale_of(short(list(titles(items).values())))
        return f"{scale or f'{len(items)} 个题项'}的信度"

    @classmethod
    def upgrade(cls, form: dict[str, Any], from_version: int) -> dict[str, Any]:
        """Version 1 had a list of items, and in the settings of each the number of its dimension."""
        form = dict(form)
        old = form.pop("dimension", None)
        rows = [row for row in old if isinstance(row, dict) and "for" in row] if isinstance(old, list) else []
        turned = [{"for": row["for"], "reversed": True} for row in rows if row.get("reversed") is True]
        if turned and not form.get("turned"):
            form["turned"] = turned
        items = _plain_items(form.get("items"))
        if not items:
            return form
        number = {str(row["for"]): row["number"] for row in rows if isinstance(row.get("number"), int)}
        numbers = sorted({number.get(item, 1) for item in items})
        if len(numbers) < 2:
            return {**form, "items": [{"id": LOOSE, "name": None, "columns": items}]}
        parts = {n: [item for item in items if number.get(item, 1) == n] for n in numbers}
        return {
            **form,
            "items": [{"id": f"b{n}", "name": f"维度{n}", "columns": columns} for n, columns in parts.items()],
        }

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        items, counts = [one for block in form["items"] for one in block["columns"]], form.get("weight")
        efa = NextStep(
            title="看题项能归成几个维度（因子分析）", method="statistical/factor_analysis",
            form={"items": items, "weight": counts},
        )  # fmt: skip
        described = NextStep(
            title="看每题的平均分和分布（描述性统计）", method="descriptive/descriptive_statistics",
            form={"variables": items, "weight": counts},
        )  # fmt: skip
        return [efa, described] if len(items) > 2 else [described]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        scales = _scales(report, form)
        leads = [cls._scale(report, scale, form) for scale in scales]
        cls._items(report, scales)
        _lead(report, scales, leads, form)
        _direction(report, scales, form)
        report.note(cls.result, "CI 的置信水平为 {level:percent}。", level=form.conf_level)
        if any(row["omega"] is None for row in leads) and "omega" in form.model:
            report.note(cls.result, "没有 ω 的维度：不足 3 题，或单因子模型没有合理的解。")
        return report

    @classmethod
    def _scale(cls, report: Report, scale: Scale, form: Any) -> dict[str, Any]:
        asked, p, s = set(form.model), scale.p, scale.s
        value = reliability.alpha(s)
        low, high = reliability.feldt(value, scale.n, p, form.conf_level)
        mean_r = (float(scale.r.sum()) - p) / (p * (p - 1))
        whole = 1 + (p - 1) * mean_r
        om = reliability.omega(s, scale.n, form.conf_level) if "omega" in asked else None
        cells: dict[str, Any] = {"standard": p * mean_r / whole if whole > 1e-12 else None, "mean_r": mean_r}
        if om is not None:
            cells |= {"omega": om.value, "omega_low": om.low, "omega_high": om.high}
        if "theta" in asked:
            cells["theta"] = reliability.theta(scale.r)
        if "kr20" in asked:
            cells["kr20"] = value
        row = report.row(cls.result, scale=scale.name, p=p, n=scale.n, alpha=value, low=low, high=high, **cells)
        if "item_deleted" in asked:
            cls._totals(report, scale, value)
        if asked & {"split_half", "guttman"}:
            first = np.arange(p) % 2 == 0 if form.split == "odd_even" else np.arange(p) < (p + 1) // 2
            parts = reliability.halves(s, first)
            named = [listed([scale.items[i] for i in np.flatnonzero(side)]) for side in (first, ~first)]
            if "split_half" in asked:
                report.row(
                    cls.half, scale=scale.name, first=named[0], second=named[1], alpha_1=parts.alpha_1,
                    alpha_2=parts.alpha_2, r=parts.r, equal=parts.equal, unequal=parts.unequal, guttman=parts.guttman,
                )  # fmt: skip
            if "guttman" in asked:
                lambdas: dict[str, Any] = {f"l{k}": v for k, v in enumerate(reliability.guttman(s, parts.guttman), 1)}
                report.row(cls.bounds, scale=scale.name, **lambdas)
        if form.tests:
            for test in (reliability.equal_means, reliability.additivity):
                if (t := test(s, scale.means, scale.n)) is not None:
                    report.row(
                        cls.means, scale=scale.name, test=t.name, statistic=t.statistic, F=t.F, df1=t.df1, df2=t.df2,
                        p=t.p,
                    )  # fmt: skip
        return row

    @classmethod
    def _totals(cls, report: Report, scale: Scale, value: float) -> None:
        for item, t in zip(scale.items, reliability.item_totals(scale.s, scale.means), strict=True):
            advice = []
            if t.rest_r is not None and t.rest_r < LOW_ITEM:
                advice.append("CITC 为负，核对方向" if t.rest_r < 0 else "CITC 低于 0.4")
            if t.deleted is not None and t.deleted > value:
                advice.append("删除后 α 升高")
            report.row(
                cls.totals, scale=scale.name, item=item, citc=t.rest_r, deleted=t.deleted, rest_mean=t.rest_mean,
                rest_variance=t.rest_variance, smc=t.smc, advice="；".join(advice) or "—",
            )  # fmt: skip
            if t.deleted is not None:
                report.row(cls.bars, scale=scale.name, item=item, deleted=t.deleted)
        if scale.p == 2:
            report.skip(cls.bars, "只有 2 题的维度没有“删除后的 α”")

    @classmethod
    def _items(cls, report: Report, scales: list[Scale]) -> None:
        for scale in scales[:-1] or scales:
            for i, item in enumerate(scale.items):
                report.row(cls.described, scale=scale.name, item=item, mean=scale.means[i], sd=scale.sds[i])
        widest = max(scales, key=lambda scale: scale.p)
        if widest.p > MOST_CORRELATED:
            report.skip(cls.correlations, f"题项超过 {MOST_CORRELATED} 个")
            return
        for scale in scales:
            if len(scales) > 1 and scale is widest:
                continue  # all items together: their pairs stand by dimension
            for i, a in enumerate(scale.items):
                for j in range(i + 1):
                    report.row(
                        cls.correlations, at=scale.name if len(scales) > 1 else None, item=a, against=scale.items[j],
                        r=scale.r[i, j],
                    )  # fmt: skip


def _plain_items(given: Any) -> list[str]:
    """Items that stand in no dimension of their own: a list, or the box without a name."""
    if not isinstance(given, list):
        return []
    if all(isinstance(one, str) for one in given):
        return given
    alone = len(given) == 1 and isinstance(given[0], dict) and given[0].get("id") == LOOSE
    columns = given[0].get("columns") if alone else None
    return columns if isinstance(columns, list) and all(isinstance(one, str) for one in columns) else []


# ---- the scales ----------------------------------------------------------------------------------------------------
def _scales(report: Report, form: Any) -> list[Scale]:
    """One a dimension, and all items together where there are several."""
    counts = frequencies(form.weight)
    items = [column for block in form.items for column in block.columns]
    if len(items) < 2:
        raise Refusal("role.few", "“量表题项”至少需要2个题项，现在有 {k} 个", field="items", k=len(items))
    names = titles(items)
    cells = {row.column.id: row for row in form.turned}
    rows = slice(None) if counts is None else counts > 0
    still = [c for c in items if np.ptp(c.numbers[rows]) == 0]
    for column in still:
        report.warn("data.constant", "题项“{v}”所有回答相同，没有参加计算。", v=names[column.id], columns=[column])
    used = [column for column in items if column not in still]
    if len(used) < 2:
        raise Refusal("data.few_items", "信度分析至少需要2个回答有变化的题项", field="items")
    if "kr20" in form.model:
        _binary(used, rows)
    found = summary(used, counts, "items")
    if found.n < 2:
        raise Refusal("data.few", "所有题项都有回答的不足 2 份，无法计算信度", field="items")
    home = {column.id: i for i, block in enumerate(form.items) for column in block.columns}
    numbers = np.array([home[column.id] for column in used])
    parts = [form.items[i] for i in np.unique(numbers)]
    dimensions = [np.flatnonzero(numbers == number) for number in np.unique(numbers)]
    signs = np.array([-1.0 if cells[column.id].reversed else 1.0 for column in used])
    means = found.means
    for chosen in dimensions:
        if form.reverse and len(chosen) > 1:
            r = found.r[np.ix_(chosen, chosen)] * np.outer(signs[chosen], signs[chosen])
            signs[chosen[reliability.against(r)]] *= -1
        reach = min(found.moments[i].least for i in chosen) + max(found.moments[i].most for i in chosen)
        means[chosen] = np.where(signs[chosen] < 0, reach - means[chosen], means[chosen])
    base = _Base(used, [names[column.id] for column in used], signs, means, found)
    if len(dimensions) == 1:
        return [_scale(base, dimensions[0], scale_of(short(base.items)) or "全部题项")]
    told = [scale_of(short([base.items[i] for i in chosen])) for chosen in dimensions]
    named = [
        name if OWN.fullmatch(part.name or "维度") and name and told.count(name) == 1 else part.name or "其他题项"
        for name, part in zip(told, parts, strict=True)
    ]
    scales = [_scale(base, chosen, name) for chosen, name in zip(dimensions, named, strict=True)]
    return [*scales, _scale(base, np.arange(len(used)), "全部题项")]


@dataclass
class _Base:
    columns: list[Column]
    items: list[str]
    signs: Floats
    means: Floats
    found: Summary


def _scale(base: _Base, chosen: NDArray[np.int64], name: str) -> Scale:
    items, signs = [base.items[i] for i in chosen], base.signs[chosen]
    if len(items) < 2:
        raise Refusal(
            "data.few_items", "“{scale}”只有一题“{v}”，信度分析每个维度至少需要2个题项；请放入另一个维度或移去这一题",
            field="items", scale=name, v=items[0],
        )  # fmt: skip
    r = base.found.r[np.ix_(chosen, chosen)] * np.outer(signs, signs)
    sds = base.found.sds[chosen]
    s: Floats = r * np.outer(sds, sds)
    if s.sum() <= 1e-12 * np.trace(s):
        raise Refusal(
            "data.constant", "“{scale}”的总分没有变化（题项互相抵消），信度无法计算；请核对哪些是反向题", field="items",
            remedies=[SetRemedy(title="自动反向负相关题项", set={"reverse": True})], scale=name,
        )  # fmt: skip
    turned = [item for item, sign in zip(items, signs, strict=True) if sign < 0]
    return Scale(name, items, turned, s, r, base.means[chosen], sds, base.found.n)


def _binary(columns: list[Column], rows: Any) -> None:
    for column in columns:
        if not np.isin(column.numbers[rows], (0.0, 1.0)).all():
            raise Refusal(
                "data.binary", "KR-20 仅适用于0/1计分题，题项“{v}”不符合；请去掉 KR-20，看 Cronbach α", field="model",
                also=["items"], column=column.id, v=column.title,
            )  # fmt: skip


# ---- words ---------------------------------------------------------------------------------------------------------
def grade(value: float) -> str:
    """Nunnally & Bernstein (1994) and the usual tenths above and below their .70."""
    return next((word for least, word in GRADES if value >= least), "不足")


def _lead(report: Report, scales: list[Scale], rows: list[dict[str, Any]], form: Any) -> None:
    row = rows[-1]
    facts: dict[str, Any] = {key: row[key] for key in ("alpha", "low", "high", "n", "p", "omega")}
    facts |= {"scale": scales[-1].name, "level": form.conf_level}
    span = "{level:percent} CI [{low:num3}, {high:num3}]"
    figures = [
        figure("Cronbach α", "{alpha:num3}", span),
        figure("题项", "{p:integer}"),
        figure("样本量", "{n:integer}"),
    ]
    if row["omega"] is not None:
        figures.insert(1, figure("McDonald ω", "{omega:num3}"))
    if row["alpha"] < 0:
        lead = "Cronbach α 为负（{alpha:num3}），不能用：题项的方向不一致，可能有反向题没有转换。"
    elif len(scales) == 1:
        lead = f"内部一致性{grade(row['alpha'])}：Cronbach α = {{alpha:num3}}（{span}）。"
    else:
        parts = rows[:-1]
        worst = min(range(len(parts)), key=lambda i: parts[i]["alpha"])
        best = max(range(len(parts)), key=lambda i: parts[i]["alpha"])
        facts |= {"k": len(parts), "least": parts[worst]["alpha"], "most": parts[best]["alpha"]}
        facts |= {"worst": scales[worst].name, "best": scales[best].name}
        lead = (
            f"{{k:integer}} 个维度的 Cronbach α 最低 {{least:num3}}（“{{worst}}”，{grade(facts['least'])}），"
            f"最高 {{most:num3}}（“{{best}}”，{grade(facts['most'])}）；全部题项的 α = {{alpha:num3}}。"
        )
    report.lead(lead, figures, **facts)
    report.say("α 高说明这些题的回答一致，不说明它们测的就是您想测的东西，也不说明只有一个维度。", voice="student")
    om = "，McDonald ω = {omega:num3}" if row["omega"] is not None else ""
    report.say(
        f"“{{scale}}”（{{p:integer}} 题，*n* = {{n:integer}}）的 Cronbach α = {{alpha:num3}}，{span}{om}。",
        voice="paper", **facts,
    )  # fmt: skip


def _direction(report: Report, scales: list[Scale], form: Any) -> None:
    """Said, never silently turned: which items go against their scale."""
    parts = scales[:-1] if len(scales) > 1 else scales
    turned = [item for scale in parts for item in scale.turned]
    if turned:
        report.warn("data.reversed", "{which}已反向转换后计算，原始数据没有改动。", which=listed(turned, 10))
    odd = [
        item
        for scale in parts
        for item, t in zip(scale.items, reliability.item_totals(scale.s, scale.means), strict=True)
        if t.rest_r is not None and t.rest_r < 0
    ]
    report.check(
        "题项方向",
        "care" if odd else "pass",
        "{which}与同一维度其余题项的总分负相关，可能是没有转换的反向题。"
        if odd
        else "没有题项与其余题项的总分负相关。",
        more=more(
            "反向题（如“我不满意”）要先转换，高分才表示同一个意思；不转换时 α 会偏低，甚至为负。",
            "{which}与其余题项的总分负相关。" if odd else "各题项与其余题项的总分都不是负相关。",
            "方向不一致时 α、ω 和删题的提示都不能用。",
            "核对题目的文字：确是反向题，就在“题项设置”里勾选反向题；不是，就查录入和选项的次序。",
        ),
        remedies=[SetRemedy(title="自动反向负相关题项", set={"reverse": True})] if odd and not form.reverse else [],
        which=listed(odd, 10),
    )
