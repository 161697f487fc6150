from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Silent,
    Table,
    choice,
    confidence,
    filled,
    integer,
    num,
    number,
    pvalue,
    role,
    text,
)
from hengxi.families.control import gage as numbers
from hengxi.families.control.gage import Square, Squares
from hengxi.methods.quality_control._shared import gage
from hengxi.stats.mean_square_intervals import interval as mean_square_interval
from hengxi.stats.moments import Floats

REML_MOST = 600
"""The matrix of an unbalanced study has up to twice as many rows."""


class GageRr(gage.GageStudy):
    """Every operator measures every part several times: repeatability, reproducibility, parts."""

    title, title_en = "量具R&R（交叉）", "Gage R&R (crossed)"
    tier = "standard"
    purpose = "测量系统的重复性与再现性占总变异多少"
    aliases = ("GRR", "MSA", "测量系统分析", "重复性与再现性", "量具研究", "ndc", "gage R&R")
    references = ("aiag2010", "montgomery2013", "graybill1980", "ting1990", "bates2015")
    conventions = (
        "部件、操作者都作随机效应；部件和操作者用交互的均方检验，交互合并后用重复性的均方检验。",
        "交互的 *p* 大于“交互合并 α”时并入重复性（AIAG 用 .25，Minitab 用 .05），表里说明。",
        "负的方差分量按 0 处理，合计用处理以后的值。",
        "方差分量的区间用修正大样本法（全为正系数用 Graybill-Wang，有负系数用 Ting 等），负的界按 0。",
        "均值极差法：EV = R̄/d2（15 个极差以内用 d2*），AV 和 PV 用 d2*；常数由积分得到，与手册的表值差在第 5 位。",
        "均值极差法不分交互，也没有区间。",
        "ndc = 1.41 × 部件间标准差 ÷ 量具标准差，截去小数，至少为 1。",
        "重复次数不等时方差分量用 REML，不给方差分析表和区间。",
    )
    min_rows = 8

    class Input(Form):
        measure: Column = role("测量值", "定量")
        part: Column = role("部件", "任意")
        operator: Column = role("操作者", "任意")
        method: str = choice("方法", {"anova": "方差分析法", "xbar_r": "均值极差法"})
        interaction_alpha: float = number("交互合并 α", 0.05, least=0, most=1, when={"method": "anova"}, advanced=True)
        study_sigma: float = gage.study_sigma()
        tolerance: float | None = gage.tolerance()
        hist_sigma: float | None = number(
            "历史标准差（选填）", None, above=0, auto="不给 % 过程", hint="过程的标准差，由以前的数据得到"
        )
        conf_level: float = confidence(when={"method": "anova"})

    components = gage.component_table(with_interval=True)
    evaluation = gage.evaluation_table(num("% 过程", least=0, when={"hist_sigma": filled}))
    anova = Table(
        "方差分析", model=text("模型"), source=text("来源"), df=integer("*df*"), ss=num("SS", least=0),
        ms=num("MS", least=0), F=num("*F*"), p=pvalue(), claim=Silent("检验的是测量系统的变异来源"), merge=("model",),
        when={"method": "anova"}, place="main",
    )  # fmt: skip
    cells = Points("交互的均值", x=text("部件"), y=num("均值"), series=text("操作者"))
    crossing = Chart("部件与操作者的交互", "line", of=cells, x="x", y="y", series="series")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        y = gage.judge(form)
        part, operator = np.asarray(form.part.codes), np.asarray(form.operator.codes)
        counts = np.zeros((int(part.max()) + 1, int(operator.max()) + 1), dtype=int)
        np.add.at(counts, (part, operator), 1)
        _judge(form, counts)
        balanced = bool((counts == counts[0, 0]).all())
        if not balanced:
            cls._unbalanced(report, form, y, part, operator, counts)
        else:
            order = np.lexsort((operator, part))
            cube = y[order].reshape(counts.shape[0], counts.shape[1], counts[0, 0])
            if form.method == "xbar_r":
                cls.write(report, form, numbers.by_ranges(cube))
            else:
                cls._balanced(report, form, numbers.crossed(cube))
        names, people = form.part.labels, form.operator.labels
        groups = [
            (people[o], names[p], y[(part == p) & (operator == o)])
            for o in range(counts.shape[1]) for p in range(counts.shape[0]) if counts[p, o]
        ]  # fmt: skip
        cls.draw(report, form, groups)
        for person, name, cell in groups:
            report.row(cls.cells, x=name, y=float(cell.mean()), series=person)
        report.chart(cls.crossing, titles={"x": form.part.title, "y": form.measure.title})
        return report

    @classmethod
    def _balanced(cls, report: Report, form: Any, found: Squares) -> None:
        F, p = numbers.f_test(found.interaction, found.repeat)
        pool = p is not None and p > form.interaction_alpha
        cls._table(report, found, "含交互", found.interaction, [("部件×操作者", found.interaction, F, p)], found.repeat)
        if pool:
            cls._table(report, found, "不含交互", found.pooled, [], found.pooled)
            text_ = "部件×操作者的 *p* {p:peq} 大于 {alpha:num}，交互并入重复性，方差分量按不含交互的模型计算。"
            report.note(cls.anova, text_, p=p, alpha=float(form.interaction_alpha))
        elif p is not None:
            text_ = "部件×操作者的 *p* {p:peq} 不大于 {alpha:num}，保留交互：操作者之间的差别随部件而不同。"
            report.note(cls.anova, text_, p=p, alpha=float(form.interaction_alpha))
        bounds = {key: mean_square_interval(terms, form.conf_level) for key, terms in found.combinations(pool).items()}
        cls.write(report, form, found.variances(pool), bounds)

    @classmethod
    def _table(
        cls, report: Report, found: Squares, model: str, bottom: Square,
        extra: list[tuple[str, Square, float | None, float | None]], repeat: Square,
    ) -> None:  # fmt: skip
        tested = [(name, one, *numbers.f_test(one, bottom)) for name, one in (
            ("部件", found.part), ("操作者", found.operator),
        )]  # fmt: skip
        for name, one, F, p in [*tested, *extra, ("重复性", repeat, None, None)]:
            report.row(cls.anova, model=model, source=name, df=one.df, ss=one.ss, ms=one.ms, F=F, p=p)
        total = found.total
        report.row(cls.anova, model=model, source="合计", df=total.df, ss=total.ss, total=True)

    @classmethod
    def _unbalanced(
        cls, report: Report, form: Any, y: Floats, part: Any, operator: Any, counts: npt.NDArray[np.int64]
    ) -> None:
        usual = int(np.bincount(counts.ravel()).argmax())
        p, o = (int(place[0]) for place in np.nonzero(counts != usual))
        facts = {"p": form.part.labels[p], "o": form.operator.labels[o]}
        if form.method == "xbar_r":
            words = "部件“{p}”与操作者“{o}”的重复次数与别处不等，均值极差法要求平衡，请改用方差分析法（REML）"
            remedy = SetRemedy(title="改用方差分析法", set={"method": "anova"})
            raise Refusal("data.unbalanced", words, field="method", also=["measure"], remedies=[remedy], **facts)
        if y.size > REML_MOST:
            words = f"重复次数不等的量具研究最多 {REML_MOST} 个读数，现有 {{n}} 个"
            raise Refusal("data.many", words, field="measure", n=y.size)
        report.warn(
            "data.unbalanced",
            "部件“{p}”与操作者“{o}”的重复次数与别处不等，交叉量具研究要求平衡；已改用 REML。",
            **facts,
        )
        report.skip(cls.anova, "重复次数不等，方差分量用 REML 估计")
        report.note(cls.components, "重复次数不等，没有区间。")
        cls.write(report, form, numbers.crossed_reml(y, part, operator))


def _judge(form: Any, counts: npt.NDArray[np.int64]) -> None:
    if counts.shape[0] < 2:
        raise Refusal(
            "data.one_part",
            "只有 1 个部件，无法估计部件间的变异，请至少测 2 个部件（通常 10 个）",
            field="part",
            column=form.part.id,
        )
    if counts.max() < 2:
        words = "每个组合只有 1 次测量，无法估计重复性，请每个操作者对每个部件至少测 2 次"
        raise Refusal("data.single", words, field="measure", column=form.measure.id)
