"""Kano's questionnaire: each feature asked for with and without it; a table makes each pair a class."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Match,
    Method,
    Points,
    Reference,
    Refusal,
    Report,
    StepRemedy,
    Table,
    choice,
    claim,
    confidence,
    figure,
    flag,
    integer,
    interval,
    matched,
    num,
    number,
    percent,
    pvalue,
    slot,
    stat,
    text,
    words,
)
from hengxi.families.kano.feature import BERGER, CLASSES, NAMES, POULIOT, Feature, classes_of, counts_of, name_of
from hengxi.stats.names import unique
from hengxi.stats.proportions import wilson

WITH, WITHOUT = np.array([4.0, 2, 0, -1, -2]), np.array([-2.0, -1, 0, 2, 4])
MUCH_Q = 0.1


class Kano(Method):
    title, title_en = "KANO模型", "Kano model"
    family, tier = "市场与产品研究", "standard"
    slug = "kano"
    purpose = "每项功能属于必备、期望、魅力、无差异还是反向需求，优先做哪些"
    aliases = ("KANO", "卡诺模型", "需求分类", "Better-Worse", "魅力属性", "必备属性")
    references = ("kano1984", "berger1993", "pouliot1993", "fong1996", "dumouchel1993", "lee1997", "wilson1927")
    conventions = (
        "分类按最多的一类；并列时全部写出，排序按 必备 > 期望 > 魅力 > 无差异 > 反向 > 可疑。",
        "Better = (A + O)/(A + O + M + I)，Worse = −(O + M)/(A + O + M + I)；区间用 Wilson 法。",
        "Fong 检验比较最多与次多的两类：z = (a − b)/√((a + b)(2n − a − b)/(2n))，p 不小于 .10 时记为混合。",
        "总强度 T = (A + O + M)/n；分类强度为最多与次多的比例之差，不足 5% 也说明分类不稳。",
        "连续得分（DuMouchel）：有此功能 4、2、0、−1、−2，无此功能 −2、−1、0、2、4，依次对应喜欢到不喜欢。",
    )
    missing = "keep"

    class Input(Form):
        features: list[Match] = matched(
            "题目对", min=1, max=100, hint="一行一项功能：有此功能、无此功能各一题",
            positive=slot("正向题（有此功能）", "定量"), negative=slot("反向题（无此功能）", "定量"),
            importance=slot("自述重要度（选填）", "定量", required=False),
        )  # fmt: skip
        scale_order: str = choice(
            "分值含义", {"like_high": "5 = 很喜欢，1 = 很不喜欢", "like_low": "1 = 很喜欢，5 = 很不喜欢"}
        )  # fmt: skip
        table: str = choice(
            "对照表", {"standard_5x5": "标准 5×5", "pouliot": "Pouliot 变体", "custom": "自定义"},
            hint="Pouliot：两题都答“理应如此”或都答“能忍受”算可疑",
        )  # fmt: skip
        table_value: str = words(
            "自定义对照表", BERGER, longest=60, when={"table": "custom"},
            hint="5 行字母，空格隔开；行是有此功能，列是无此功能，都从喜欢到不喜欢",
        )  # fmt: skip
        exclude_q: bool = flag("剔除可疑Q比例过高者", False)
        q_most: float = number("可疑比例高于", 0.2, least=0, below=1, percent=True, when={"exclude_q": True})
        conf_level: float = confidence()

    summary = Table(
        "Kano 分类汇总表", standing=integer("优先顺序"), name=text("功能"), n=integer("*n*"),
        A=percent("A 魅力"), O=percent("O 期望"), M=percent("M 必备"), I=percent("I 无差异"), R=percent("R 反向"),
        Q=percent("Q 可疑"), verdict=text("分类结果"), importance=num("重要度均值"), place="main",
    )  # fmt: skip
    better_worse = Table(
        "Better-Worse 表", name=text("功能"), n=integer("计入人数"), better=percent("Better"),
        better_ci=interval("Better 的CI", "low", "high", around="better", format="percent"),
        worse=percent("Worse", least=-1, most=0), worse_ci=interval("Worse 的CI", "wlow", "whigh", around="worse"),
        place="main",
    )  # fmt: skip
    spots = Points("四象限", name=text("功能"), worse=num("Worse 绝对值"), better=num("Better"), kind=text("分类"))
    quadrants = Chart(
        "Better-Worse 四象限图", "point", of=spots, x="worse", y="better", label="name", series="kind",
        over=[Reference(x=0.5), Reference(y=0.5)], place="main",
    )  # fmt: skip
    stability = Table(
        "分类稳健性", name=text("功能"), first=text("最多"), second=text("次多"), z=num("*z*", least=0), p=pvalue(),
        general=num("总强度 T", least=0, most=1, decimals=3),
        strength=num("分类强度", least=0, most=1, decimals=3),
        claim=claim("named", stat("*z*", "z"), effect="strength", names=("name",)),
    )  # fmt: skip
    continuous = Table(
        "连续得分", name=text("功能"), functional=num("有此功能"),
        functional_se=num("标准误", least=0, around="functional"),
        low=num("下限"), high=num("上限"), dysfunctional=num("无此功能"),
        dysfunctional_se=num("标准误", least=0, around="dysfunctional"),
    )  # fmt: skip
    plot = Chart(
        "连续 Kano 图", "point", of=continuous, x="dysfunctional", y="functional", label="name", low="low", high="high",
        over=[Reference(x=2), Reference(y=2)],
    )  # fmt: skip
    shares = Points("分类比例", name=text("功能"), kind=text("类"), share=percent("比例"))
    stacked = Chart("分类堆积条形图", "bar", of=shares, x="name", y="share", series="kind", arrange="stacked")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        table = _table(form)
        names = unique([name_of(pair) for pair in form.features])
        answers = [(cls._places(form, pair.positive), cls._places(form, pair.negative)) for pair in form.features]
        known = np.array([(a >= 0) & (b >= 0) for a, b in answers])
        kinds = np.array([classes_of(table, a, b) for a, b in answers])
        asked = known.any(axis=0)
        kept = cls._kept(report, form, kinds, known) & asked
        features = []
        for i, (name, pair) in enumerate(zip(names, form.features, strict=True)):
            rows = known[i] & kept
            if not rows.any():
                raise Refusal(
                    "data.empty", "功能“{v}”没有正反两题都答了的答卷，请移去这个功能",
                    field="features", column=pair.positive.id, v=name
                )  # fmt: skip
            counts = counts_of(kinds[i][rows])
            values = None if pair.importance is None else pair.importance.numbers[kept]
            mean = None if values is None or np.isnan(values).all() else float(np.nanmean(values))
            features.append(Feature(name, counts, np.array([answers[i][0][rows], answers[i][1][rows]]), mean))
        features.sort(key=lambda one: one.order)
        cls._tables(report, form, features)
        cls._words(report, features, int(kept.sum()))
        report.used(int(asked.sum()))
        return report

    @staticmethod
    def _places(form: Any, column: Column) -> Any:
        """0 喜欢 … 4 不喜欢; −1 not answered."""
        values = column.numbers
        held = values[~np.isnan(values)]
        odd = held[~np.isin(held, [1, 2, 3, 4, 5])]
        if odd.size:
            raise Refusal(
                "data.scale", "题项“{v}”出现 1–5 以外的取值“{x}”，请先编码", field="features", column=column.id,
                v=column.title, x=f"{odd[0]:.10g}",
                remedies=[StepRemedy(title="数据编码", step="data_processing/value_coding", columns=[column.id])],
            )  # fmt: skip
        places = 5 - values if form.scale_order == "like_high" else values - 1
        return np.nan_to_num(places, nan=-1).astype(int)

    @staticmethod
    def _kept(report: Report, form: Any, kinds: Any, known: Any) -> Any:
        if not form.exclude_q:
            return np.ones(kinds.shape[1], dtype=bool)
        share = (kinds == "Q").sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        out = share > form.q_most
        report.warn(
            "data.questionable", "可疑回答超过 {most:percent} 的答卷有 {n:integer} 份，已剔除。", most=form.q_most,
            n=int(out.sum()), rows=[int(one) for one in form.features[0].positive.row_numbers[out][:200]],
        )  # fmt: skip
        if out.all():
            raise Refusal("data.empty", "所有答卷的可疑比例都高于设定值，没有可用的数据，请放宽设定值", field="q_most")
        return ~out

    @classmethod
    def _tables(cls, report: Report, form: Any, features: list[Feature]) -> None:
        level = form.conf_level
        reach = float(stats.norm.isf((1 - level) / 2))
        for rank, one in enumerate(features, 1):
            shares: dict[str, Any] = {kind: one[kind] / one.n for kind in CLASSES}
            report.row(
                cls.summary, standing=rank, name=one.name, n=int(one.n), verdict=one.verdict,
                importance=one.importance, **shares,
            )  # fmt: skip
            for kind in CLASSES:
                report.row(cls.shares, name=one.name, kind=NAMES[kind], share=shares[kind])
            first, second = (NAMES[CLASSES[i]] for i in one.ranked[:2])
            z, p = one.fong
            general = (one["A"] + one["O"] + one["M"]) / one.n
            report.row(
                cls.stability, name=one.name, first=first, second=second, z=z, p=p, general=general,
                strength=one.strength,
            )  # fmt: skip
            cls._continuous(report, one, reach)
            if one.better is None or one.worse is None:
                report.row(cls.better_worse, name=one.name, n=0)
                continue
            low, high = wilson(one["A"] + one["O"], one.base, level)
            wlow, whigh = wilson(one["O"] + one["M"], one.base, level)
            report.row(
                cls.better_worse, name=one.name, n=int(one.base), better=one.better, low=low, high=high,
                worse=one.worse, wlow=-whigh, whigh=-wlow,
            )  # fmt: skip
            report.row(cls.spots, name=one.name, worse=-one.worse, better=one.better, kind=NAMES[one.tops[0]])
        if all(one.better is None for one in features):
            report.skip(cls.spots, "没有一项功能算得出系数")
        report.note(cls.summary, "按优先顺序排列：必备、期望、魅力、无差异、反向；同类中 Better + |Worse| 大的在前。")
        report.note(cls.better_worse, "可疑和反向的回答不计入；CI 的置信水平为 {level:percent}。", level=level)
        report.note(cls.stability, "*p* 不小于 .10 时，最多与次多的两类分不开，分类记为混合（Fong，1996）。")

    @classmethod
    def _continuous(cls, report: Report, one: Feature, reach: float) -> None:
        f, d = WITH[one.pairs[0].astype(int)], WITHOUT[one.pairs[1].astype(int)]
        se = [float(x.std(ddof=1)) / np.sqrt(x.size) if x.size > 1 else None for x in (f, d)]
        half = None if se[0] is None else reach * se[0]
        report.row(
            cls.continuous, name=one.name, functional=f.mean(), functional_se=se[0], dysfunctional=d.mean(),
            low=None if half is None else f.mean() - half, high=None if half is None else f.mean() + half,
            dysfunctional_se=se[1],
        )  # fmt: skip

    @classmethod
    def _words(cls, report: Report, features: list[Feature], n: int) -> None:
        facts: dict[str, Any] = {"n": n, "k": len(features)}
        told = []
        for kind in "MOAIR":
            held = [one.name for one in features if one.tops[0] == kind]
            if held:
                facts[kind] = "".join(f"“{name}”" for name in held[:6]) + ("等" if len(held) > 6 else "")
                told.append(f"{NAMES[kind]}：{{{kind}}}")
        doubtful = [one.name for one in features if one.tops[0] == "Q"]
        if doubtful:
            facts["Q"] = "".join(f"“{name}”" for name in doubtful[:6])
            told.append("回答互相矛盾、不能分类：{Q}")
        mixed = [one.name for one in features if one.mixed]
        tail = ""
        if mixed:
            facts |= {"mixed": "".join(f"“{name}”" for name in mixed[:6]), "m": len(mixed)}
            tail = "其中 {m:integer} 项的分类不明确：{mixed}。"
        main = "；".join(told) + "。"
        report.lead(main + tail, [figure("功能", "{k:integer} 项"), figure("答卷", "{n:integer} 份")], **facts)
        report.say(
            "必备的功能没有就不满，先做到。期望的功能做得越好越满意。魅力的功能没有也不要紧，有了会惊喜。"
            "无差异的功能做不做都一样；反向的功能做了反而不满。", voice="student",
        )  # fmt: skip
        report.say("{n:integer} 份答卷，{k:integer} 项功能。" + main + tail, voice="paper", **facts)
        report.say(main, voice="brief", **facts)
        worst = max(features, key=lambda one: one["Q"] / one.n)
        share = worst["Q"] / worst.n
        report.check(
            "可疑回答", "care" if share > MUCH_Q else "pass",
            "“{v}”的可疑回答最多，占 {share:percent1}"
            + ("，超过 10%，题目表述可能有歧义。" if share > MUCH_Q else "，不超过 10%。"),
            v=worst.name, share=share,
        )  # fmt: skip


def _table(form: Any) -> Any:
    """The evaluation table as letters, 5 × 5."""
    given = {"standard_5x5": BERGER, "pouliot": POULIOT}.get(form.table, form.table_value)
    letters = re.sub(r"[\s,，;；]", "", given).upper()
    if len(letters) != 25 or set(letters) - set(CLASSES):
        raise Refusal(
            "data.table", "自定义对照表要有 25 个字母（5 行 5 列），只用 A、O、M、I、R、Q；现有 {k} 个字符",
            field="table_value", k=len(letters),
        )  # fmt: skip
    return np.array(list(letters)).reshape(5, 5)
