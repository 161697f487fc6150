from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

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
    confidence,
    figure,
    flag,
    integer,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.stats.moments import moments
from hengxi.stats.names import level_words, titles, unit_of, unit_words, with_unit
from hengxi.stats.nested import Level, Nested
from hengxi.stats.normality import normality

MOST_GROUPS = 5000
LISTED = 300
POINTS = 1000
METHODS = {"anova": "方差分析法", "reml": "REML"}
TOLD = {"anova": "用方差分析法估计", "reml": "用 REML 估计"}


class NestedAnova(Method):
    """Groups within groups: at which level the values vary, and whether a level varies beyond the one below it."""

    title, title_en = "嵌套（系统分组）方差分析", "Nested ANOVA"
    family, tier = "方差分析", "member"
    rescaled = (("y",),)
    purpose = "高层与其内部低层因素各贡献多少变异"
    aliases = (
        "系统分组",
        "巢式设计",
        "套设计",
        "分层抽样变异",
        "方差分量",
        "组内相关",
        "VCA",
        "nested design",
        "多变异图",
    )
    references = ("snedecor1967", "henderson1953", "satterthwaite1946", "patterson1971")
    conventions = (
        "平方和依次计算（类型I）：每一层扣除它上面各层。低层按“高层/低层”的组合识别。",
        "各层与下一层的均方相比；例数不等时分母由下面各层的均方合成，期望与零假设下的本层相同，"
        "自由度用 Satterthwaite 法。",
        "方差分量（方差分析法）由期望均方解出（Henderson 方法一）；负的估计记作 0，占比按记作 0 之后的合计。",
        "REML 直接使限制似然最大，分量不小于 0；例数相等且没有负的估计时与方差分析法相同。",
        "组内相关：同一组的两次测定之间的相关，为本层及以上各层方差之和除以总方差。",
        "最高层为固定效应时，它没有方差分量，占比只在其余各层之间分。",
    )
    min_rows = 4

    class Input(Form):
        y: Column = role("因变量Y", "定量")
        levels: list[Column] = role("嵌套因素（由高到低）", "定类", min=2, max=4, hint="先放高层，再放它里面的低层")
        fixed_top: bool = flag("最高层为固定效应", False)
        method: str = choice("方差分量估计", METHODS)
        conf_level: float = confidence()

    anova = Table(
        "嵌套方差分析", source=text("差异来源"), ss=num("平方和", least=0), df=num("*df*1"), ms=num("均方", least=0),
        expected=text("期望均方"), F=num("*F*", least=0), df_error=num("*df*2"), p=pvalue(), error=text("与之相比"),
        place="main",
        claim=claim("named", stat("*F*", "F", "df", "df_error"), names=("source",), outcome="y"),
    )  # fmt: skip
    components = Table(
        "方差分量", source=text("层"), variance=num("方差", least=0), share=percent("占比"), sd=num("标准差", least=0),
        icc=num("组内相关", least=0, most=1), place="main",
    )  # fmt: skip
    shares = Chart("方差分量占比", "bar", of=components, x="source", y="share", place="main")
    shares_of = Table("期望均方的系数", source=text("差异来源"), component=text("方差分量"), k=num("系数 k"))
    groups = Table(
        "均值", group=text("组"), n=integer("*n*"), mean=num("均值"), sd=num("标准差", least=0),
    )  # fmt: skip
    values = Points("多变异图的点", group=text("组"), y=num("取值"), top=text("最高层"))
    plot = Chart("多变异图", "point", of=values, x="group", y="y", series="top", place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.y.title}的嵌套方差分析"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        return [
            NextStep(title="只比较最高层各组（单因素方差分析）", method="hypothesis_test/variance",
                     form={"group": form["levels"][0], "variables": [form["y"]]}),
        ]  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        nest = Nest.of(report, form)
        model = nest.model
        levels = model.levels()
        cls._anova(report, nest, levels)
        found, sigma = model.components() if form.method == "anova" else model.reml(form.fixed_top)
        shown = [(name, float(found[j])) for j, name in enumerate(nest.names) if not (form.fixed_top and j == 0)]
        negative = [name for name, value in shown if value < 0]
        shown = [(name, max(value, 0.0)) for name, value in shown] + [("误差", sigma)]
        total = sum(value for _, value in shown)
        above = 0.0
        for name, value in shown:
            above += value
            report.row(
                cls.components, source=name, variance=nest.back(value, 2), share=value / total,
                sd=nest.back(value**0.5), icc=above / total if name != "误差" else None,
            )  # fmt: skip
        note = f"{TOLD[form.method]}。"
        if negative:
            report.note(
                cls.components, note + "“{names}”的估计是负的，记作 0：这一层看不出自己的变异。",
                names="”“".join(negative),
            )  # fmt: skip
        else:
            report.note(cls.components, note + "组内相关是同一组的两次测定之间的相关。")
        cls._groups(report, nest, form)
        cls._say(report, nest, levels, shown, total, form)
        cls._checks(report, nest, form)
        return report

    # ---- tables ----------------------------------------------------------------------------------------------------
    @classmethod
    def _anova(cls, report: Report, nest: Nest, levels: list[Level]) -> None:
        model = nest.model
        symbols = [f"σ²({name})" for name in nest.short]
        for j, (name, one) in enumerate(zip(nest.names, levels, strict=True)):
            lower = [f"k·{symbols[low]}" for low in range(model.depth - 1, j - 1, -1)]
            below = nest.names[j + 1] if j + 1 < model.depth else "误差"
            known = bool(np.isfinite(one.F))
            report.row(
                cls.anova, source=name, ss=nest.back(one.ss, 2), df=one.df, ms=nest.back(one.ms, 2),
                expected=" + ".join(["σ²", *lower]), F=one.F if known else None,
                df_error=one.df_error if known else None, p=one.p if known else None,
                error=below if model.is_balanced else f"合成的均方（{below}等）" if j + 1 < model.depth else below,
            )  # fmt: skip
            for low in range(j, model.depth):
                report.row(cls.shares_of, source=name, component=nest.names[low], k=float(model.k[j, low]))
        report.row(
            cls.anova, source="误差", ss=nest.back(model.error, 2), df=model.df_error, ms=nest.back(model.mse, 2),
            expected="σ²",
        )  # fmt: skip
        report.note(cls.anova, "期望均方里的系数 k 见“期望均方的系数”。")

    @classmethod
    def _groups(cls, report: Report, nest: Nest, form: Any) -> None:
        model = nest.model
        for depth in range(1, model.depth + 1):
            codes, sizes, means = model.codes[depth], model.sizes[depth], model.means[depth]
            rest = np.bincount(codes, (model.y - means[codes]) ** 2)
            for g in range(min(sizes.size, LISTED)):
                n = int(sizes[g])
                report.row(
                    cls.groups, group=nest.words[depth - 1][g], n=n, mean=nest.value(float(means[g])),
                    sd=nest.back(float(np.sqrt(rest[g] / (n - 1)))) if n > 1 else None,
                )  # fmt: skip
            if sizes.size > LISTED:
                report.note(cls.groups, "每层只列前 {most:integer} 组。", most=LISTED)
        order = np.argsort(model.codes[-1], kind="stable")
        rows = order[np.unique(np.linspace(0, model.n - 1, min(model.n, POINTS)).astype(int))]
        report.add_rows(
            cls.values,
            {
                "group": [nest.words[-1][c] for c in model.codes[-1][rows]],
                "y": [nest.value(float(v)) for v in model.y[rows]],
                "top": [nest.words[0][c] for c in model.codes[1][rows]],
            },
        )
        report.chart(
            cls.plot, titles={"x": " / ".join(one for one in nest.short), "y": nest.axis},
            thinned=(rows.size, model.n) if rows.size < model.n else None,
        )  # fmt: skip
        report.note(
            cls.plot, "同一列的点散得开，变异在最低层之内；各列高低不同，变异在低层；颜色之间高低不同，变异在高层。"
        )

    # ---- sentences -------------------------------------------------------------------------------------------------
    @classmethod
    def _say(
        cls, report: Report, nest: Nest, levels: list[Level], shown: list[tuple[str, float]], total: float, form: Any
    ) -> None:
        alpha = 1 - form.conf_level
        name, most = max(shown, key=lambda one: one[1])
        facts: dict[str, Any] = {"y": form.y.title, "top": name, "share": most / total}
        parts, papers = [], []
        for j, (word, one) in enumerate(zip(nest.names, levels, strict=True)):
            facts |= {f"n{j}": word, f"p{j}": one.p if np.isfinite(one.p) else None, f"F{j}": one.F, f"a{j}": one.df,
                      f"b{j}": one.df_error}  # fmt: skip
            if not np.isfinite(one.p):
                facts = {key: v for key, v in facts.items() if key not in (f"p{j}", f"F{j}", f"a{j}", f"b{j}")}
                parts.append(f"“{{n{j}}}”的检验做不了（合成的分母不是正数）")
                continue
            held = one.p < alpha
            parts.append(f"“{{n{j}}}”之间{'差异有统计学意义' if held else '没有发现明显差异'}（*p* {{p{j}:peq}}）")
            papers.append(
                f"“{{n{j}}}”之间差异{'有' if held else '无'}统计学意义，"
                f"*F*({{a{j}:integer}}, {{b{j}:num}}) = {{F{j}:num}}，*p* {{p{j}:peq}}"
            )
        start = "“{y}”的变异最多来自“{top}”（占 {share:percent1}）"
        if name == "误差":
            start = "“{y}”的变异最多在最低层之内（误差，占 {share:percent1}）"
        if form.fixed_top:
            start = start.replace("的变异", "在最高层之内的变异")
        lead = start + "；" + "；".join(parts) + "。"
        slots = {key: v for key, v in facts.items() if key == "top" or f"{{{key}}}" in lead or f"{{{key}:" in lead}
        report.lead(lead, [figure("最大的来源", "{share:percent1}", "{top}")], **slots)
        report.say(
            "先看方差分量：每一层各占总变异的多少，改进应从占得最多的一层着手。再看 *p*：某一层的各组之间，"
            "差别是不是大过它下面一层带来的。*p* 大不等于这一层没有变异。", voice="student",
        )  # fmt: skip
        report.say(
            "采用嵌套方差分析（*N* = {n:integer}" + ("，最高层为固定效应" if form.fixed_top else "")
            + f"），方差分量{TOLD[form.method]}。" + "；".join([*papers, start]) + "。各层的组应是随机抽取的。",
            voice="paper", n=nest.model.n, **facts,
        )  # fmt: skip
        report.say(lead, voice="brief", **facts)

    @classmethod
    def _checks(cls, report: Report, nest: Nest, form: Any) -> None:
        model = nest.model
        tops = int(model.sizes[1].size)
        few = tops < 5 and not form.fixed_top
        report.check(
            "最高层的组数", "care" if few else "pass",
            "“{name}”有 {k:integer} 组。" + ("组数少，它的方差分量很不准。" if few else ""), name=nest.names[0], k=tops,
        )  # fmt: skip
        report.check(
            "例数", "pass",
            "各组例数相同，*F* 是相邻两层均方之比。" if model.is_balanced
            else "各组例数不等，*F* 的分母是合成的，自由度用 Satterthwaite 法，*p* 为近似。",
        )  # fmt: skip
        residuals = model.within[model.sizes[-1][model.codes[-1]] > 1]
        shape, test = moments(residuals), normality(residuals)
        bad = test is not None and test.p < 0.05
        severe = bad and (model.n < 30 or abs(shape.skewness or 0) > 2)
        ending = "近似正态。" if not bad else "不太正态，" + ("*p* 可能不准。" if severe else "样本不小，影响不大。")
        report.check(
            "残差正态性", "unknown" if test is None else "fail" if severe else "care" if bad else "pass",
            ("{name} *p* {p:peq}，" if test else "不做检验（例数过少或过多），") + "偏度 {skew:num}。" + ending,
            name=test.name if test else "", p=test.p if test else None, skew=shape.skewness or 0.0,
        )  # fmt: skip


@dataclass
class Nest:
    names: list[str]
    """As the tables call the levels: 叶（株）."""
    short: list[str]
    words: list[list[str]]
    """Of each level, its groups as paths."""
    model: Nested
    anchor: float
    up: int
    axis: str

    def back(self, value: float, power: int = 1) -> float:
        return float(np.ldexp(value, power * self.up))

    def value(self, standard: float) -> float:
        return self.anchor + self.back(standard)

    @classmethod
    def of(cls, report: Report, form: Any) -> Nest:
        y = form.y.numbers
        anchor = float(y[0])
        with np.errstate(over="ignore"):
            reach = float(np.abs(y - anchor).max())
        if not reach < 1e150 or 0 < reach < 1e-150:
            raise Refusal(
                "data.magnitude", "“{y}”的数值过大或过小，请先换一个单位", field="y", column=form.y.id, y=form.y.title
            )
        if reach == 0:
            raise Refusal(
                "data.constant",
                "“{y}”没有变异（只有一个取值），请换一个变量",
                field="y",
                column=form.y.id,
                y=form.y.title,
            )
        up = int(np.frexp(reach)[1])
        named = titles(form.levels)
        short = [named[one.id] for one in form.levels]
        whole = np.zeros(y.size, dtype=np.int64)
        codes, words = list[Any](), list[list[str]]()
        before = 1
        for j, column in enumerate(form.levels):
            labels = level_words(column.levels)
            pairs = whole * len(labels) + column.codes
            kept, code = np.unique(pairs, return_inverse=True)
            if kept.size > MOST_GROUPS:
                raise Refusal(
                    "role.levels", "“{v}”一层有 {k} 个组，最多 {most} 个；请检查是否放成了编号",
                    field="levels",
                    column=column.id, v=column.title, k=int(kept.size), most=MOST_GROUPS,
                )  # fmt: skip
            upper = kept // len(labels)
            if j and kept.size == before:
                raise Refusal(
                    "data.nested", "“{a}”的每个水平下只有一个“{b}”，两层方差不可区分；请去掉一层，或核对先后次序",
                    field="levels",
                    column=column.id, a=short[j - 1], b=short[j],
                )  # fmt: skip
            if j == 0 and kept.size < 2:
                raise Refusal(
                    "role.levels",
                    "最高层“{v}”只有一个组，没有可以比较的",
                    field="levels",
                    column=column.id,
                    v=column.title,
                )
            own = kept % len(labels)
            if j and np.unique(own).size < kept.size:
                report.warn(
                    "data.nested",
                    "“{b}”的同名水平出现在多个“{a}”中，已按“{a}/{b}”组合识别；若它们是同一个对象，就不是嵌套设计。",
                    a=short[j - 1], b=short[j],
                )  # fmt: skip
            words.append([f"{words[-1][u]} / {labels[o]}" if j else labels[o] for u, o in zip(upper, own, strict=True)])
            codes.append(code)
            whole, before = code.astype(np.int64), kept.size
        if y.size == before:
            raise Refusal(
                "data.few", "最低层“{v}”的每个组只有一个值，它就是误差，没有剩余自由度；请从嵌套因素里去掉它",
                field="levels",
                column=form.levels[-1].id, v=short[-1],
            )  # fmt: skip
        moved = np.ldexp(y - anchor, -up)
        middle = float(moved.mean())
        model = Nested(moved, codes)
        whole_ss = float(((moved - middle) ** 2).sum())
        if model.error <= 1e-24 * whole_ss:
            raise Refusal(
                "data.constant", "“{y}”在最低层之内没有变异，误差为 0，F 值无定义，请核对数据", field="y",
                column=form.y.id, y=form.y.title,
            )  # fmt: skip
        names = [short[0], *(f"{b}（{a}之内）" for a, b in pairwise(short))]
        unit = unit_words(unit_of(form.y))
        return cls(names, short, words, model, anchor, up, with_unit(form.y.title, unit))
