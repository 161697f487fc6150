from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Reference,
    Refusal,
    Report,
    Table,
    choice,
    confidence,
    figure,
    integer,
    interval,
    more,
    num,
    percent,
    role,
    text,
)
from hengxi.contract.limits import less
from hengxi.stats.moments import Floats
from hengxi.stats.names import listed, short, titles

INDICES = {"all": "全部", "cvi": "CVI 与 κ*", "cvr": "CVR", "aiken_v": "Aiken V"}
CVI, CVR, AIKEN = {"index": ("all", "cvi")}, {"index": ("all", "cvr")}, {"index": ("all", "aiken_v")}
MOST_EXPERTS = 200


@dataclass(frozen=True, slots=True)
class Item:
    """`n` experts rated it, `agree` of them at or above the bound."""

    name: str
    n: int
    agree: int
    cvi: float
    chance: float
    kappa: float
    cvr: float
    critical: float | None
    v: float
    low: float
    high: float
    kept: bool


class ContentValidity(Method):
    """Closed formulas, item by item over the experts who rated it."""

    title, title_en = "内容效度", "Content validity (CVI, CVR, Aiken V)"
    slug = "content-validity"
    family, tier = "问卷研究", "standard"
    purpose = "专家认为题项与测量内容相关或必要的程度是否足够"
    aliases = ("CVI", "I-CVI", "S-CVI", "CVR", "Lawshe", "Aiken V", "专家效度", "内容效度指数", "修正 kappa")
    references = (
        "lynn1986",
        "polit2006",
        "polit2007",
        "lawshe1975",
        "ayre2014",
        "aiken1985",
        "penfield2004",
        "cicchetti1981",
    )
    conventions = (
        "I-CVI 为评分不低于“判为相关的最低分”的专家比例；S-CVI/UA 为全部专家都判为相关的题项比例，"
        "S-CVI/Ave 为 I-CVI 的平均。",
        "κ* = (I-CVI − Pc)/(1 − Pc)，Pc = C(N, A) × 0.5^N（Polit、Beck 与 Owen，2007）。",
        "CVR = (A − N/2)/(N/2)，A 与 I-CVI 用同一个最低分；用 Lawshe 的三级评分（必要、有用但不必要、不必要）时，"
        "把最高分设为 3，最低分也设为 3。",
        "CVR 临界值用精确二项检验（单侧 0.05），不用 1975 年原表（Ayre 与 Scally，2014）；"
        "少于 5 名专家时不存在临界值。",
        "Aiken V 的区间为得分区间（Penfield 与 Giacobbi，2004）。",
        "每题只用给它评过分的专家。",
    )
    missing = "keep"
    limits = (less("scale_min", "scale_max"),)

    class Input(Form):
        items: list[Column] = role("题项（每题一列）", "定量", min=1, max=300, hint="每行一位专家，每列一个题项")
        expert: Column | None = role("专家标识（选填）", "任意", use="label")
        scale_min: int = integer("评分最低分", 1, least=0, most=1)
        scale_max: int = integer("评分最高分", 4, least=2, most=10)
        relevant_from: int = integer("判为相关的最低分", 3, least=1, most=10, hint="4 级评分通常取 3")
        index: str = choice("指标", INDICES)
        conf_level: float = confidence()

    result = Table(
        "题项", item=text("题项"), n=integer("专家数"), agree=integer("判为相关的人数"),
        cvi=num("I-CVI", least=0, most=1, decimals=3, when=CVI),
        chance=num("Pc", least=0, most=1, decimals=3, hint="随机一致的概率", when=CVI),
        kappa=num("κ*", most=1, decimals=3, hint="调整随机一致后的 κ", when=CVI),
        grade=text("κ* 参考等级", when=CVI), cvr=num("CVR", least=-1, most=1, decimals=3, when=CVR),
        critical=num("CVR 临界值", decimals=3, when=CVR), v=num("Aiken V", least=0, most=1, decimals=3, when=AIKEN),
        ci=interval("V 的 CI", "low", "high", around="v", when=AIKEN), verdict=text("结论"), place="main",
    )  # fmt: skip
    scale = Table(
        "量表", items=integer("题项数"), experts=integer("专家数"),
        ua=num("S-CVI/UA", least=0, most=1, decimals=3, when=CVI),
        ave=num("S-CVI/Ave", least=0, most=1, decimals=3, when=CVI), cvr=num("平均 CVR", decimals=3, when=CVR),
        v=num("平均 Aiken V", decimals=3, when=AIKEN), layout="record", place="main",
    )  # fmt: skip
    experts = Table(
        "各专家", expert=text("专家"), n=integer("评的题项数"), mean=num("平均分"), share=percent("判为相关的比例"),
        lowest=text("评分最低的题项"),
    )  # fmt: skip
    bars = Chart("I-CVI", "bar", of=result, x="item", y="cvi", place="main", when=CVI)
    ratios = Chart("CVR", "bar", of=result, x="item", y="cvr", place="main", when={"index": "cvr"})
    forest = Chart("Aiken V", "interval", of=result, x="item", y="v", low="low", high="high", when=AIKEN)

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.items)} 个题项的内容效度"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        return [
            NextStep(
                title="看各题评分的分布（频数分析）", method="descriptive/frequency", form={"variables": form["items"]}
            )
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        x = _ratings(form)
        used = ~np.isnan(x).all(axis=1)
        report.used(int(used.sum()))
        if used.sum() < 3:
            raise Refusal(
                "data.few", "内容效度至少需要3位专家（每行一位），现在只有 {n} 位", field="items", n=int(used.sum())
            )
        if used.sum() > MOST_EXPERTS:
            raise Refusal(
                "data.many", "有 {n} 行，超过 {most} 位专家；内容效度的每一行是一位专家，请确认放入的不是答卷数据",
                field="items", n=int(used.sum()), most=MOST_EXPERTS,
            )  # fmt: skip
        names = list(titles(form.items).values())
        items = [_item(name, own[~np.isnan(own)], form) for name, own in zip(names, x.T, strict=True)]
        cls._items(report, form, items)
        cls._scale(report, form, items, int(used.sum()))
        _experts(report, cls.experts, form, x, used, short(names))
        return report

    @classmethod
    def _items(cls, report: Report, form: Any, items: list[Item]) -> None:
        for one in items:
            report.row(
                cls.result, item=one.name, n=one.n, agree=one.agree, cvi=one.cvi, chance=one.chance, kappa=one.kappa,
                grade=_grade(one.kappa), cvr=one.cvr, critical=one.critical, v=one.v, low=one.low, high=one.high,
                verdict="达到" if one.kept else "未达到，修改或删除",
            )  # fmt: skip
        report.note(cls.result, RULES[form.index])
        if form.index in ("all", "cvi"):
            report.note(
                cls.result,
                "κ* 参考等级：0.40 至 0.59 一般，0.60 至 0.74 良好，高于 0.74 优秀（Cicchetti 与 Sparrow，1981）。",
            )
        if form.index in ("all", "cvr") and any(one.critical is None for one in items):
            report.note(cls.result, "少于 5 名专家时，全部认为必要也达不到单侧 0.05，没有 CVR 临界值。")
        if form.index in ("all", "aiken_v"):
            report.note(cls.result, "CI 的置信水平为 {level:percent}。", level=form.conf_level)
        bound = 1.0 if max(one.n for one in items) <= 5 else 0.78
        report.chart(cls.bars, over=[Reference(y=bound, label="参考值")])
        limits = {one.critical for one in items if one.critical is not None}
        if len(limits) == 1:
            report.chart(cls.ratios, over=[Reference(y=limits.pop(), label="临界值")])

    @classmethod
    def _scale(cls, report: Report, form: Any, items: list[Item], experts: int) -> None:
        whole = report.row(
            cls.scale, items=len(items), experts=experts, ua=float(np.mean([one.agree == one.n for one in items])),
            ave=float(np.mean([one.cvi for one in items])), cvr=float(np.mean([one.cvr for one in items])),
            v=float(np.mean([one.v for one in items])),
        )  # fmt: skip
        weak = [name for name, one in zip(short([i.name for i in items]), items, strict=True) if not one.kept]
        told_by = {"cvr": ("cvr",), "aiken_v": ("v",)}.get(form.index, ("ave", "ua"))
        facts = {key: whole[key] for key in ("items", "experts", *told_by)}
        if weak:
            facts["weak"] = listed(weak, 5)
        size = {
            "all": "S-CVI/Ave = {ave:num3}，S-CVI/UA = {ua:num3}",
            "cvi": "S-CVI/Ave = {ave:num3}，S-CVI/UA = {ua:num3}",
            "cvr": "平均 CVR = {cvr:num3}", "aiken_v": "平均 Aiken V = {v:num3}",
        }[form.index]  # fmt: skip
        told = "没有达到参考标准的题项：{weak}。" if weak else "各题都达到参考标准。"
        shown = {"cvr": ("平均 CVR", "{cvr:num3}"), "aiken_v": ("平均 Aiken V", "{v:num3}")}
        report.lead(
            f"{{experts:integer}} 位专家评 {{items:integer}} 题，{size}。{told}",
            [figure(*shown.get(form.index, ("S-CVI/Ave", "{ave:num3}")))], **facts,
        )  # fmt: skip
        report.voices(
            [("内容效度只说明专家认为题项相关，不说明受访者会怎样回答。未达到的题项先看专家的意见，再改或删，"
            "改后请专家重评。", {})],
            [(f"请 {{experts:integer}} 位专家评定 {{items:integer}} 个题项，{size}。", {})], [(f"{size}。{told}",
            {})], **facts,
        )  # fmt: skip
        few = experts < 6
        report.check(
            "专家人数", "care" if few else "pass",
            "{experts:integer} 位专家" + ("，偏少：一人不同意就达不到标准。" if few else "。"), experts=experts,
            more=more(
                "专家太少时，一个人的看法就决定一题的去留。", "本次 {experts:integer} 位专家。",
                "5 人及以下要求全部同意（Lynn，1986）；6 人以上要求 I-CVI 不低于 0.78。",
                "通常请 6 到 10 位熟悉该领域的专家。",
            ),
        )  # fmt: skip
        if form.index in ("all", "cvi"):
            low = float(whole["ave"]) < 0.9
            report.check(
                "量表水平", "care" if low else "pass",
                "S-CVI/Ave = {ave:num3}" + ("，低于参考值 0.90（Polit 与 Beck，2006）。" if low
                else "，不低于参考值 0.90。"),
                ave=whole["ave"],
            )  # fmt: skip


RULES = {
    "all": "结论按 I-CVI：5 名专家及以下要求 1.00，6 名及以上要求不低于 0.78（Lynn，1986；Polit 与 Beck，2006）。",
    "cvi": "结论按 I-CVI：5 名专家及以下要求 1.00，6 名及以上要求不低于 0.78（Lynn，1986；Polit 与 Beck，2006）。",
    "cvr": "结论按 CVR 是否达到临界值；没有临界值时要求 CVR = 1。",
    "aiken_v": "结论按 Aiken V 的区间下限是否高于 0.50（Penfield 与 Giacobbi，2004）。",
}


def _ratings(form: Any) -> Floats:
    """Experts × items; refuses what lies outside the scale, with its place."""
    low, high = form.scale_min, form.scale_max
    if not low < form.relevant_from <= high:
        raise Refusal(
            "number.range",
            "“判为相关的最低分”须高于最低分 {low}、不超过最高分 {high}",
            field="relevant_from",
            low=low,
            high=high,
        )
    for column in form.items:
        x = column.numbers
        if np.isnan(x).all():
            raise Refusal(
                "role.empty", "题项“{v}”没有任何评分，请移去", field="items", column=column.id, v=column.title
            )
        for bad, words in ((x > high, "大于最高分 {bound}"), (x < low, "小于最低分 {bound}"), (x % 1 != 0, "不是整数")):
            wrong = np.flatnonzero(bad & ~np.isnan(x))
            if wrong.size:
                raise Refusal(
                    "data.outside", "题项“{v}”出现" + words + " 的评分 {value}（第 {at} 行）；请修改数据或评分范围",
                    field="items",
                    column=column.id, v=column.title, bound=high if "最高" in words else low, value=f"{x[wrong[0]]:g}",
                    at=int(column.row_numbers[wrong[0]]),
                )  # fmt: skip
    return np.column_stack([column.numbers for column in form.items])


def _item(name: str, own: Floats, form: Any) -> Item:
    n, low, high = len(own), form.scale_min, form.scale_max
    agree = int((own >= form.relevant_from).sum())
    cvi, chance = agree / n, comb(n, agree) * 0.5**n
    kappa = (cvi - chance) / (1 - chance)
    cvr = (agree - n / 2) / (n / 2)
    critical = critical_ratio(n)
    reach = high - low
    v = float((own - low).sum() / (n * reach))
    z2 = float(stats.norm.isf((1 - form.conf_level) / 2)) ** 2
    size = n * reach
    half = float(np.sqrt(z2) * np.sqrt(4 * size * v * (1 - v) + z2))
    ends = [
        max(0.0, (2 * size * v + z2 - half) / (2 * (size + z2))),
        min(1.0, (2 * size * v + z2 + half) / (2 * (size + z2))),
    ]
    kept = {
        "cvr": cvr >= (1.0 if critical is None else critical) - 1e-12, "aiken_v": ends[0] > 0.5
    }.get(form.index, cvi >= (1.0 if n <= 5 else 0.78) - 1e-12)  # fmt: skip
    return Item(name, n, agree, cvi, chance, kappa, cvr, critical, v, ends[0], ends[1], bool(kept))


def critical_ratio(n: int) -> float | None:
    """Least CVR of n experts whose one-sided exact binomial p is at most 0.05 (Ayre & Scally 2014)."""
    for agree in range(n // 2, n + 1):
        if stats.binom.sf(agree - 1, n, 0.5) <= 0.05:
            return (agree - n / 2) / (n / 2)
    return None


def _grade(kappa: float) -> str:
    for bound, word in ((0.4, "较差"), (0.6, "一般"), (0.745, "良好")):
        if kappa < bound:
            return word
    return "优秀"


def _experts(report: Report, table: Table, form: Any, x: Floats, used: Any, names: list[str]) -> None:
    labels = [None] * len(x) if form.expert is None else list(form.expert.text)
    for i in np.flatnonzero(used):
        own = x[i]
        known = own[~np.isnan(own)]
        least = [names[j] for j in np.flatnonzero(own == np.nanmin(own))]
        report.row(
            table, expert=str(labels[i]) if labels[i] is not None else f"第 {form.items[0].row_numbers[i]} 行",
            n=known.size,
            mean=float(known.mean()), share=float((known >= form.relevant_from).mean()), lowest=listed(least, 3),
        )  # fmt: skip
    gaps = int(np.isnan(x[used]).sum())
    if gaps:
        report.warn("data.gaps", "有 {k:integer} 个评分空缺，各题只用评过它的专家。", k=gaps)
