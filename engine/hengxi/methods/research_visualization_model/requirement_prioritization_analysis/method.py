"""Which of many requirements first: Kano's classes, better and worse, opportunity, importance against satisfaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Match,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    Table,
    Visualization,
    choice,
    claim,
    figure,
    filled,
    integer,
    interval,
    matched,
    num,
    number,
    percent,
    pvalue,
    resamples,
    role,
    slot,
    stat,
    text,
    words,
)
from hengxi.families.kano.feature import BERGER, CLASSES, NAMES, Feature, classes_of, counts_of, letters, name_of
from hengxi.methods.research_visualization_model._shared.options import is_option, split_options
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, unique

RULES = {"fong": "Fong 检验", "berger": "分类强度", "none": "不做"}
STRENGTH, MUCH_Q = 0.06, 0.1
GROUPED: dict[str, Any] = {"group": filled}
QUADRANTS = {(True, True): "期望", (True, False): "魅力", (False, True): "必备", (False, False): "无差异"}
"""(better ≥ ½, |worse| ≥ ½)."""


@dataclass(frozen=True)
class Requirement:
    feature: Feature
    kinds: Any
    """Class of each person, "" where an answer is missing."""
    importance: float | None
    satisfaction: float | None

    @property
    def opportunity(self) -> float | None:
        """Ulwick (2002): importance, and again what satisfaction falls short of it."""
        if self.importance is None or self.satisfaction is None:
            return None
        return self.importance + max(self.importance - self.satisfaction, 0.0)


class RequirementPrioritizationAnalysis(Visualization):
    title, title_en = "需求优先级分析", "Requirement prioritization"
    family, tier = "可视化模型", "member"
    slug = "requirement-prioritization-analysis"
    purpose = "众多需求中先做哪些"
    aliases = ("KANO", "需求排序", "Better-Worse", "机会得分", "ODI", "功能优先级")
    references = ("kano1984", "berger1993", "fong1996", "lee1997", "ulwick2002", "efron1993")
    conventions = (
        "分类用 Berger 等（1993）的 5×5 评价表，取最多的一类；并列时全部写出。",
        "Better = (A + O)/(A + O + M + I)，Worse = −(O + M)/(A + O + M + I)；区间由对受访者重抽样得到（百分位法）。",
        "Fong 检验比较最多与次多的两类，p 不小于显著性水平时分类记为混合；按分类强度时，两类之差不到 6% 记为混合。",
        "优先级：先按类别 必备 > 期望 > 魅力 > 无差异 > 反向 > 可疑，同类按 Better + |Worse| 从大到小。",
        "机会得分 = 重要度均值 + max(重要度均值 − 满意度均值, 0)（Ulwick，2002）。",
        "组间比较：各类人数乘各组的 Pearson χ²，没有人的类不计；p 没有作多重比较校正。",
    )
    missing = "keep"
    random = True
    reads_names = True

    class Input(Form):
        features: list[Match] = matched(
            "需求", min=1, max=50, hint="一行一项需求：有、没有它时的感受各一题",
            positive=slot("正向题（有该功能时）"), negative=slot("反向题（无该功能时）"),
            importance=slot("自评重要度（选填）", "定量", required=False),
            satisfaction=slot("当前满意度（选填）", "定量", required=False),
        )  # fmt: skip
        group: Column | None = role("分组变量（选填）", "定类", min=0, levels=(2, 12))
        mapping: str = words(
            "选项次序（喜欢→不喜欢）", "1,2,3,4,5", longest=200, hint="5 个选项，用逗号隔开，写分值或选项文字"
        )  # fmt: skip
        significance: str = choice("类别是否明确", RULES)
        alpha: float = number("显著性水平", 0.05, least=0.001, most=0.2, when={"significance": "fong"})
        n_resamples: int = resamples(1000, 200, 5000)

    spots = Points("四象限", name=text("需求"), worse=num("Worse 绝对值"), better=num("Better"), kind=text("分类"))
    quadrants = Chart(
        "Better-Worse 四象限图", "point", of=spots, x="worse", y="better", label="name", series="kind",
        over=[Reference(x=0.5), Reference(y=0.5)], place="main",
    )  # fmt: skip
    priority = Table(
        "优先级排序", rank=integer("排名"), name=text("需求"), kind=text("类别"), score=num("综合得分"),
        quadrant=text("象限"), opportunity=num("机会得分"), place="main",
    )  # fmt: skip
    kano = Table(
        "KANO 分类", name=text("需求"), n=integer("*n*"), A=percent("A 魅力"), O=percent("O 期望"), M=percent("M 必备"),
        I=percent("I 无差异"), R=percent("R 反向"), Q=percent("Q 可疑"), verdict=text("判定类别"),
        strength=num("类别强度", least=0, most=1, decimals=3), place="main",
    )  # fmt: skip
    fong = Table(
        "Fong 检验", name=text("需求"), first=text("最多"), second=text("次多"), z=num("*z*", least=0), p=pvalue(),
        when={"significance": "fong"}, claim=claim("named", stat("*z*", "z"), names=("name",)),
    )  # fmt: skip
    better_worse = Table(
        "Better-Worse 系数", name=text("需求"), n=integer("计入人数"), better=percent("Better"),
        better_ci=interval("Better 的CI", "low", "high", inside=False, format="percent"),
        worse=percent("Worse", least=-1, most=0), worse_ci=interval("Worse 的CI", "wlow", "whigh", inside=False),
        quadrant=text("象限"), place="main",
    )  # fmt: skip
    opportunities = Table(
        "机会得分", rank=integer("排名"), name=text("需求"), importance=num("重要度"), satisfaction=num("满意度"),
        gap=num("差距"), opportunity=num("机会得分"),
    )  # fmt: skip
    chances = Points("机会", name=text("需求"), satisfaction=num("满意度"), importance=num("重要度"))
    matrix = Chart("机会矩阵", "point", of=chances, x="satisfaction", y="importance", label="name")
    shares = Points("分类比例", name=text("需求"), kind=text("类"), share=percent("比例"))
    stacked = Chart("KANO 分类构成", "bar", of=shares, x="name", y="share", series="kind", arrange="stacked")
    groups = Table(
        "各组的分类", name=text("需求"), group=text("组"), n=integer("*n*"), verdict=text("判定类别"),
        better=percent("Better"), worse=percent("Worse", least=-1, most=0), merge=("name",), when=GROUPED,
    )  # fmt: skip
    between = Table(
        "组间比较", name=text("需求"), chi2=num("*χ*²", least=0), df=integer("*df*"), p=pvalue(), when=GROUPED,
        claim=claim("named", stat("*χ*²", "chi2", "df"), names=("name",)),
    )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="看连续得分和对照表的变体", method="questionnaire/kano", form={})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        found = sorted(_requirements(form), key=lambda requirement: requirement.feature.order)
        cls._classes(report, form, found)
        cls._coefficients(report, form, found)
        cls._opportunities(report, found)
        if form.group is not None:
            cls._groups(report, form, found)
        answered = np.any([requirement.kinds != "" for requirement in found], axis=0)
        cls._words(report, form, found, int(answered.sum()))
        report.used(int(answered.sum()))
        return report

    @classmethod
    def _classes(cls, report: Report, form: Any, found: list[Requirement]) -> None:
        for rank, requirement in enumerate(found, 1):
            feature = requirement.feature
            parts: dict[str, Any] = {kind: feature[kind] / feature.n for kind in CLASSES}
            report.row(
                cls.kano, name=feature.name, n=int(feature.n), verdict=feature.verdict, strength=feature.strength,
                **parts,
            )  # fmt: skip
            for kind in CLASSES:
                report.row(cls.shares, name=feature.name, kind=NAMES[kind], share=parts[kind])
            if form.significance == "fong":
                first, second = (NAMES[CLASSES[i]] for i in feature.ranked[:2])
                z, p = feature.fong
                report.row(cls.fong, name=feature.name, first=first, second=second, z=z, p=p)
            report.row(
                cls.priority, rank=rank, name=feature.name, kind=feature.verdict, score=_score(feature),
                quadrant=_quadrant(feature), opportunity=requirement.opportunity,
            )  # fmt: skip
            if feature["Q"] / feature.n > MUCH_Q:
                report.warn(
                    "data.questionable", "需求“{f}”可疑回答占 {p:percent1}，请检查问卷或正反题次序。", f=feature.name,
                    p=feature["Q"] / feature.n,
                )  # fmt: skip
        report.note(cls.priority, "先按类别，同类按综合得分（Better + |Worse|）。")
        if form.significance == "fong":
            report.note(cls.fong, "*p* 不小于 {alpha:num} 时，最多与次多的两类分不开，分类记为混合。", alpha=form.alpha)

    @classmethod
    def _coefficients(cls, report: Report, form: Any, found: list[Requirement]) -> None:
        for requirement in found:
            feature = requirement.feature
            if feature.better is None or feature.worse is None:
                report.row(cls.better_worse, name=feature.name, n=0)
                report.warn(
                    "data.no_base", "需求“{f}”没有魅力、期望、必备、无差异的回答，无法计算系数。", f=feature.name
                )  # fmt: skip
                continue
            low, high, wlow, whigh = _bounds(feature, form.n_resamples, form.rng)
            report.row(
                cls.better_worse, name=feature.name, n=int(feature.base), better=feature.better, low=low, high=high,
                worse=feature.worse, wlow=wlow, whigh=whigh, quadrant=_quadrant(feature),
            )  # fmt: skip
            kind = NAMES[feature.tops[0]]
            report.row(cls.spots, name=feature.name, worse=-feature.worse, better=feature.better, kind=kind)
        report.note(
            cls.better_worse, "95% CI 由 {times:integer} 次重抽样得到；反向、可疑的回答不计入。", times=form.n_resamples
        )
        if any(requirement.feature.better is not None for requirement in found):
            report.note(cls.quadrants, "右上期望，左上魅力，右下必备，左下无差异。")
        else:
            report.skip(cls.spots, "没有一项需求算得出系数")

    @classmethod
    def _opportunities(cls, report: Report, found: list[Requirement]) -> None:
        known = [requirement for requirement in found if requirement.opportunity is not None]
        if not known:
            report.skip(cls.opportunities, "没有同时放入重要度和满意度")
            report.skip(cls.chances, "没有同时放入重要度和满意度")
            return
        for own in sorted(known, key=lambda own: -float(own.opportunity or 0)):
            above = [other for other in known if float(other.opportunity or 0) > float(own.opportunity or 0)]
            report.row(
                cls.opportunities, rank=1 + len(above), name=own.feature.name, importance=own.importance,
                satisfaction=own.satisfaction, gap=float(own.importance or 0) - float(own.satisfaction or 0),
                opportunity=own.opportunity,
            )  # fmt: skip
            report.row(
                cls.chances, name=own.feature.name, satisfaction=own.satisfaction, importance=own.importance
            )  # fmt: skip
        over = [
            Reference(x=float(np.mean([own.satisfaction for own in known if own.satisfaction is not None]))),
            Reference(y=float(np.mean([own.importance for own in known if own.importance is not None]))),
        ]
        report.chart(cls.matrix, over=over)
        report.note(cls.matrix, "左上：重要而不满意，机会最大。线是各需求的平均。")

    @classmethod
    def _groups(cls, report: Report, form: Any, found: list[Requirement]) -> None:
        held = list(zip(form.group.levels, level_words(form.group.levels), strict=True))
        compared = 0
        for requirement in found:
            name = requirement.feature.name
            tables = []
            for level, label in held:
                counts = counts_of(requirement.kinds[form.group.where(level)])
                if not counts.sum():
                    continue
                own = _feature(form, name, counts)
                tables.append(counts)
                report.row(
                    cls.groups, name=name, group=label, n=int(own.n), verdict=own.verdict, better=own.better,
                    worse=own.worse,
                )  # fmt: skip
            table = np.array(tables)
            table = table[:, table.sum(axis=0) > 0]
            if min(table.shape) < 2:
                continue
            compared += 1
            expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
            chi2, df = float(((table - expected) ** 2 / expected).sum()), (table.shape[0] - 1) * (table.shape[1] - 1)
            report.row(cls.between, name=name, chi2=chi2, df=df, p=float(stats.chi2.sf(chi2, df)))
            if (expected < 5).mean() > 0.2:
                report.note(cls.between, "“{v:text}”超过 20% 的期望数不足 5，*p* 不可靠。", v=name)
        if not compared:
            report.skip(cls.between, "每项需求的回答都只有一类，或只有一组")

    @classmethod
    def _words(cls, report: Report, form: Any, found: list[Requirement], n: int) -> None:
        first = [own.feature.name for own in found if own.feature.tops[0] in "MO"]
        facts: dict[str, Any] = {"k": len(found), "n": n, "top": found[0].feature.name}
        main = "{k:integer} 项需求中，应最先做“{top:text}”（" + NAMES[found[0].feature.tops[0]] + "）。"
        if len(first) > 1:
            facts["must"] = "”“".join(first[:6])
            main += "必备和期望的需求有“{must:text}”" + ("等。" if len(first) > 6 else "。")
        elif not first:
            main = "{k:integer} 项需求中没有必备或期望的，排在最前的是“{top:text}”（" + NAMES[
                found[0].feature.tops[0]
            ] + "）。"  # fmt: skip
        mixed = [own.feature.name for own in found if own.feature.mixed]
        tail = ""
        if mixed:
            facts |= {"mixed": "”“".join(mixed[:6]), "m": len(mixed)}
            tail = "有 {m:integer} 项的分类不明确：“{mixed:text}”。"
        report.lead(main + tail, [figure("需求", "{k:integer} 项"), figure("答卷", "{n:integer} 份")], **facts)
        report.say(
            "必备的没有就不满，要先做到；期望的做得越好越满意；魅力的没有也不要紧，有了会惊喜；无差异的做不做都一样。",
            voice="student",
        )  # fmt: skip
        report.say("{n:integer} 份答卷，{k:integer} 项需求。" + main + tail, voice="paper", **facts)
        report.say(main, voice="brief", **{key: facts[key] for key in ("k", "top", "must") if key in facts})
        known = [own for own in found if own.opportunity is not None]
        if known:
            best = max(known, key=lambda own: float(own.opportunity or 0))
            report.say(
                "机会得分最高的是“{v:text}”（{x:num}）：重要而还不够满意。" if best.importance and best.satisfaction
                and best.importance > best.satisfaction else "机会得分最高的是“{v:text}”（{x:num}），但它已够满意。",
                v=best.feature.name, x=float(best.opportunity or 0),
            )  # fmt: skip


def _requirements(form: Any) -> list[Requirement]:
    order = _mapping(form)
    table = letters(BERGER)
    names = unique([name_of(pair) for pair in form.features])
    found = []
    for name, pair in zip(names, form.features, strict=True):
        kinds = classes_of(table, _places(pair.positive, order), _places(pair.negative, order))
        if not (kinds != "").any():
            raise Refusal(
                "data.empty", "需求“{v}”没有正反两题都答了的答卷，请移去这项需求", field="features",
                column=pair.positive.id, v=name,
            )  # fmt: skip
        feature = _feature(form, name, counts_of(kinds))
        found.append(Requirement(feature, kinds, _mean(pair.importance), _mean(pair.satisfaction)))
    return found


def _feature(form: Any, name: str, counts: Floats) -> Feature:
    own = Feature(name, counts, np.zeros((2, 0)), None, form.alpha)
    if form.significance == "fong":
        return own
    # Whether the class is open is decided here, not by the test: −1 is below every p, 2 above.
    is_open = form.significance == "berger" and own.strength < STRENGTH
    return Feature(name, counts, own.pairs, None, -1.0 if is_open else 2.0)


def _mapping(form: Any) -> list[str]:
    options = split_options(form.mapping)
    if len(options) != 5 or len(set(options)) != 5:
        raise Refusal(
            "data.mapping",
            "选项次序要有 5 个不同的选项，从喜欢到不喜欢；现有 {k} 个",
            field="mapping",
            k=len(set(options)),
        )
    return options


def _places(column: Column, order: list[str]) -> Any:
    """0 喜欢 … 4 不喜欢; −1 not answered."""
    if len(column.levels) > 100:
        raise Refusal(
            "data.scale", "“{v}”有 {k} 种取值，不像五级题", field="features", column=column.id, v=column.title,
            k=len(column.levels),
        )  # fmt: skip
    held = []
    for level in column.levels:
        place = next((i for i, option in enumerate(order) if is_option(level, option)), None)
        if place is None:
            raise Refusal(
                "data.scale", "“{v}”出现了选项次序中没有的取值“{x}”，请补全“选项次序”，或先编码", field="mapping",
                also=["features"], column=column.id, v=column.title, x=level.label,
            )  # fmt: skip
        held.append(place)
    return np.append(held, -1).astype(int)[column.codes]


def _mean(column: Column | None) -> float | None:
    if column is None or np.isnan(column.numbers).all():
        return None
    return float(np.nanmean(column.numbers))


def _score(feature: Feature) -> float | None:
    return None if feature.better is None or feature.worse is None else feature.better - feature.worse


def _quadrant(feature: Feature) -> str | None:
    if feature.better is None or feature.worse is None:
        return None
    return QUADRANTS[feature.better >= 0.5, -feature.worse >= 0.5]


def _bounds(feature: Feature, times: int, rng: np.random.Generator) -> tuple[float, float, float, float]:
    """Percentiles of better and worse in resamples of the people who answered."""
    drawn = rng.multinomial(round(feature.n), feature.counts / feature.n, times)
    must, one, attractive, indifferent = (drawn[:, CLASSES.index(kind)] for kind in "MOAI")
    base = must + one + attractive + indifferent
    drawn_base = base[base > 0]
    better = (attractive + one)[base > 0] / drawn_base
    worse = -(one + must)[base > 0] / drawn_base
    low, high = np.quantile(better, [0.025, 0.975])
    wlow, whigh = np.quantile(worse, [0.025, 0.975])
    return float(low), float(high), float(wlow), float(whigh)
