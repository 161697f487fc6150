from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    Silent,
    Table,
    choice,
    claim,
    figure,
    integer,
    num,
    number,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.families.design.least import Least, independent
from hengxi.stats.moments import Floats
from hengxi.stats.multiple import adjust, tukey_sf
from hengxi.stats.names import short, titles

SIDES = (("不足", -1), ("恰好", 0), ("过度", 1))
ALPHA = 0.05


@dataclass
class Side:
    """One side of an attribute against those who find it just right."""

    name: str
    side: str
    n: int
    share: float
    mean: float | None
    penalty: float | None = None
    t: float | None = None
    df: float | None = None
    p: float | None = None

    @property
    def weighted(self) -> float | None:
        return None if self.penalty is None else self.penalty * self.share


class Penalty(Method):
    """How much liking falls where an attribute is too weak or too strong, and how many find it so."""

    title, title_en = "惩罚分析(JAR)", "Penalty analysis (just-about-right)"
    family, tier = "市场与产品研究", "standard"
    slug = "penalty-analysis"
    purpose = "产品属性“偏强/偏弱”时总体喜好度会扣多少分，先改哪个？"
    aliases = ("JAR", "恰好", "刚刚好", "penalty analysis", "均值下降分析", "感官评价")
    references = ("astm2009", "tukey1953")
    conventions = (
        "惩罚 = 恰好组的喜好均值 − 偏离组的喜好均值；加权惩罚 = 惩罚 × 偏离组占比。",
        "偏离组与恰好组用 Welch *t* 检验，双侧；占比低于门槛的只列出，不检验，也不计入多重校正。",
        "三组两两比较用 Tukey-Kramer。",
        "净效应：喜好对全部偏离哑变量（每个属性的不足、过度）的线性回归，恰好为参照。",
        "缺失：喜好或任一属性缺失的行不参与。",
    )
    min_rows = 4

    class Input(Form):
        liking: Column = role("总体喜好", "定量")
        jar: list[Column] = role("JAR 属性", "定量", min=1, max=40)
        jar_value: float = number("恰好值", 3)
        min_share: float = number("显示门槛（%）", 20, least=0, most=50)
        p_adjust: str = choice(
            "多重校正", {"none": "不校正", "bonferroni": "Bonferroni", "holm": "Holm"}, default="holm"
        )

    result = Table(
        "惩罚表", name=text("属性"), side=text("水平"), n=integer("*n*"), share=percent("占比"), mean=num("喜好均值"),
        penalty=num("惩罚值"), weighted=num("加权惩罚"), t=num("*t*"), df=num("df", least=0), p=pvalue(),
        adjusted=pvalue("校正 *p*"), merge=("name",), place="main",
        claim=claim("named", stat("*t*", "t", "df"), effect="penalty", effect_symbol="惩罚值", names=("name", "side")),
    )  # fmt: skip
    pairs = Table(
        "三组两两比较（Tukey）", name=text("属性"), first=text("甲"), second=text("乙"), difference=num("均值差"),
        se=num("标准误", least=0), q=num("*q*", least=0), p=pvalue(), merge=("name",), place="detail",
        claim=Silent("pairs of the sides; the table of penalties tells the finding"),
    )  # fmt: skip
    net = Table(
        "净效应（全部偏离一起回归）",
        name=text("偏离"),
        b=num("*B*"),
        se=num("标准误", least=0),
        t=num("*t*"),
        p=pvalue(),
        place="main",
        claim=Silent("net effects are read beside the penalties"),
    )
    model = Table(
        "回归概要",
        n=integer("*n*"),
        r2=percent("*R*²"),
        adjusted=percent("调整 *R*²", least=None),
        df=integer("误差 df"),
        place="detail",
    )
    points = Points("象限图", name=text("偏离"), share=num("占比"), penalty=num("惩罚值"))
    plot = Chart("惩罚与占比", "point", of=points, x="share", y="penalty", label="name", place="main")
    stacked = Points("分布", name=text("属性"), side=text("水平"), share=num("占比"))
    bars = Chart("JAR 分布", "bar", of=stacked, x="name", y="share", series="side", arrange="stacked", place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"“{form.liking.title}”的惩罚分析"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="哪些因素驱动喜好", method="questionnaire/key_driver", form={"y": form["liking"]})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        y = form.liking.numbers
        if not form.liking.varies:
            raise Refusal(
                "role.constant",
                "“{v}”在有效样本中都相同，没有变异，请换一个变量",
                field="liking",
                column=form.liking.id,
                v=form.liking.title,
            )
        names = short([titles(form.jar)[column.id] for column in form.jar])
        off = [np.sign(column.numbers - form.jar_value) for column in form.jar]
        sides = [
            side
            for name, column, o in zip(names, form.jar, off, strict=True)
            for side in _sides(form, name, column, o, y)
        ]
        adjusted = cls._result(report, form, sides)
        cls._pairs(report, names, off, y)
        cls._net(report, names, off, y)
        cls._say(report, form, sides, adjusted)
        return report

    @classmethod
    def _result(cls, report: Report, form: Any, sides: list[Side]) -> dict[int, float]:
        """The corrected *p* of each side that was tested, by its identity."""
        tested = [side for side in sides if side.p is not None]
        ps = np.array([side.p for side in tested], dtype=float)
        corrected = [float(p) for p in adjust(ps, form.p_adjust)] if tested else []
        adjusted = dict(zip(map(id, tested), corrected, strict=True))
        for side in sides:
            shown = adjusted.get(id(side))
            report.row(
                cls.result, name=side.name, side=side.side, n=side.n, share=side.share, mean=side.mean,
                penalty=side.penalty, weighted=side.weighted, t=side.t, df=side.df, p=side.p,
                adjusted=shown,
            )  # fmt: skip
            report.row(cls.stacked, name=side.name, side=side.side, share=side.share)
            if side.penalty is not None:
                report.row(cls.points, name=f"{side.name} {side.side}", share=side.share, penalty=side.penalty)
        report.chart(cls.plot, over=[Reference(x=form.min_share / 100, label="门槛"), Reference(y=0)])
        report.note(cls.plot, "右上：偏离的人多，扣分也多，先改。")
        least = form.min_share / 100
        report.note(cls.result, "占比低于 {least:percent} 的水平只列出，不检验。", least=least)
        if not any(side.penalty is not None for side in sides):
            report.skip(cls.points, "没有人选偏离的水平")
        return adjusted

    @classmethod
    def _pairs(cls, report: Report, names: list[str], off: list[Floats], y: Floats) -> None:
        told = False
        for name, o in zip(names, off, strict=True):
            held = [(word, y[o == code]) for word, code in SIDES]
            held = [(word, own) for word, own in held if own.size > 1]
            df = sum(own.size for _, own in held) - len(held)
            if len(held) < 3 or df < 1:
                continue
            mse = sum(float(((own - own.mean()) ** 2).sum()) for _, own in held) / df
            if not mse > 0:
                continue
            for i in range(3):
                for j in range(i + 1, 3):
                    a, b = held[i][1], held[j][1]
                    gap = float(a.mean() - b.mean())
                    se = float(np.sqrt(mse / 2 * (1 / a.size + 1 / b.size)))
                    q = abs(gap) / se
                    report.row(
                        cls.pairs, name=name, first=held[i][0], second=held[j][0], difference=gap,
                        se=se * float(np.sqrt(2)), q=q, p=tukey_sf(q, 3, df),
                    )  # fmt: skip
                    told = True
        if not told:
            report.skip(cls.pairs, "没有三组都够人数的属性")

    @classmethod
    def _net(cls, report: Report, names: list[str], off: list[Floats], y: Floats) -> None:
        made = [
            (f"{name} {word}", (o == code).astype(float))
            for name, o in zip(names, off, strict=True) for word, code in SIDES if code and (o == code).any()
        ]  # fmt: skip
        x = np.column_stack([np.ones(y.size), *(column for _, column in made)])
        kept = independent(x, 1)
        if len(kept) < x.shape[1]:
            lost = [made[j - 1][0] for j in range(1, x.shape[1]) if j not in kept]
            report.warn(
                "data.collinear",
                "“{names:text}”与其他偏离说的是同一批人，没有放进净效应的回归。",
                names="”“".join(lost[:5]),
            )
        if len(kept) < 2 or y.size <= len(kept):
            for table in (cls.net, cls.model):
                report.skip(table, "样本不足以把全部偏离一起回归")
            return
        fit = Least(x[:, kept], y)
        for place, j in enumerate(kept):
            name = "常数项（全部恰好）" if j == 0 else made[j - 1][0]
            report.row(cls.net, name=name, b=float(fit.b[place]), se=fit.se(place), t=fit.t(place), p=fit.p_of(place))
        report.row(cls.model, n=fit.n, r2=fit.r2, adjusted=fit.adjusted, df=fit.df)
        report.note(cls.net, "*B* 是其他属性都恰好时，这一偏离使喜好改变多少；属性彼此相关时与惩罚值不同。")

    @classmethod
    def _say(cls, report: Report, form: Any, sides: list[Side], adjusted: dict[int, float]) -> None:
        off = [side for side in sides if side.weighted is not None and side.share >= form.min_share / 100]
        off = [side for side in off if side.p is not None]
        if not off:
            report.lead("没有哪个属性的偏离达到 {least:percent} 的门槛，不需要优先改。", least=form.min_share / 100)
            return
        sure = [side for side in off if adjusted[id(side)] < 0.05 and (side.penalty or 0.0) > 0]
        top = max(sure or off, key=lambda side: side.weighted or 0.0)
        facts: dict[str, Any] = {"name": top.name, "side": top.side, "share": top.share, "penalty": top.penalty}
        facts |= {"weighted": top.weighted, "y": form.liking.title}
        if (top.penalty or 0.0) <= 0:
            report.lead("偏离的人对“{y}”的评分没有更低，不需要优先改。", **facts)
            return
        facts["p"] = adjusted[id(top)]
        lead = "先改“{name}”的{side:text}：{share:percent1} 的人这样认为，“{y}”平均低 {penalty:num} 分。"
        if not sure:
            lead = "没有发现哪种偏离使“{y}”明显更低。加权惩罚最大的是“{name}”的{side:text}（校正 *p* {p:peq}）。"
        report.lead(
            lead,
            [
                figure("惩罚值", "{penalty:num}"),
                figure("占比", "{share:percent1}"),
                figure("加权惩罚", "{weighted:num}"),
            ],
            **facts,
        )
        report.say("先改加权惩罚大的：它同时看扣多少分和有多少人。校正 *p* 大的，可能只是偶然。")
        report.say("惩罚值是两组人的差别，不是改好之后一定能涨的分：改一个属性常常会影响别的属性。", voice="student")


def _sides(form: Any, name: str, column: Column, off: Floats, y: Floats) -> list[Side]:
    right = y[off == 0]
    if right.size == 0:
        raise Refusal(
            "data.reference",
            "属性“{v}”没有人选择“恰好”（{value}），无法计算惩罚值；请核对恰好值，或移去这个属性",
            field="jar",
            also=["jar_value"],
            column=column.id,
            v=column.title,
            value=f"{form.jar_value:g}",
        )
    made = []
    for word, code in SIDES:
        own = y[off == code]
        side = Side(name, word, int(own.size), own.size / y.size, float(own.mean()) if own.size else None)
        if code and own.size:
            side.penalty = float(right.mean() - own.mean())
            if side.share >= form.min_share / 100 and own.size > 1 and right.size > 1:
                a, b = float(right.var(ddof=1)) / right.size, float(own.var(ddof=1)) / own.size
                if a + b > 0:
                    side.t = side.penalty / float(np.sqrt(a + b))
                    side.df = (a + b) ** 2 / (a**2 / (right.size - 1) + b**2 / (own.size - 1))
                    side.p = float(2 * stats.t.sf(abs(side.t), side.df))
        if own.size:
            made.append(side)
    return made
