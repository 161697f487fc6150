from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    NextStep,
    Points,
    Record,
    Report,
    Table,
    choice,
    estimates,
    figure,
    flag,
    integer,
    num,
    number,
    pvalue,
    records,
    role,
    stat,
    text,
    words,
)
from hengxi.families.design import report as parts
from hengxi.families.design.factorial_model import Effect, FactorialModel, read_factors
from hengxi.families.design.factorial_pictures import pictures
from hengxi.families.design.factorial_plan import FRACTIONS, create
from hengxi.families.design.least import Lenth, lenth, settings_of
from hengxi.families.design.report import ANALYZE, CREATE
from hengxi.families.design.two_level import MOST_FACTORS


class FactorialDoe(parts.Experiment, Method):
    """Plans of two levels with fractions and blocks; effects with their errors, or by Lenth where nothing is left."""

    title, title_en = "析因试验设计与分析", "Two-level factorial design"
    family, tier = "质量控制", "member"
    purpose = "2水平(全/部分)析因中哪些因子和交互显著"
    aliases = ("析因设计", "部分因子", "筛选试验", "DOE", "2k试验", "Plackett-Burman", "PB设计", "factorial design")
    references = ("boxhunter2005", "lenth1989", "plackett1946", "montgomery2017")
    conventions = (
        "编码：低水平 −1，高水平 +1，中心点 0；系数是编码单位的，效应 = 2 × 系数。",
        "方差分析用偏平方和（每一组在其余各项之后）；弯曲用中心点均值与析因点均值之差检验。",
        "纯误差取同一区组内设置完全相同的试验；失拟对纯误差检验。",
        "没有误差自由度时用 Lenth（1989）的伪标准误：PSE = 1.5 × 中位数（剔除大于 2.5s₀ 的效应），自由度 m/3。",
        "不能与前面的项分开的项不进模型，列在“不能估计的效应”里。",
        "设计：部分因子取同样次数中分辨度最高、最短的字最少者；区组与因子数多的交互混杂。",
    )
    needs_data = "optional"
    random = True
    row_order = True

    class Input(Form):
        task: str = choice("任务", {"create": "生成设计表", "analyze": "分析数据"}, default="analyze")
        response: list[Column] = role("响应（分析时）", "定量", min=0, max=5, when=ANALYZE)
        factors: list[Column] = role("因子（分析时）", "任意", min=0, max=15, when=ANALYZE)
        block: Column | None = role("区组（选填）", "定类", min=0, max=1, when=ANALYZE)
        n_factors: int = integer("因子数", 3, least=2, most=15, when=CREATE, hint="下面填了因子时，以填的个数为准")
        names: list[Record] = records(
            "因子（选填）", min=0, max=MOST_FACTORS, names="因子{i}", when=CREATE, name=words("名称", kind="name"),
            low=words("低水平", "-1"), high=words("高水平", "1"),
        )  # fmt: skip
        fraction: str = choice("分式", FRACTIONS, when=CREATE)
        replicates: int = integer("重复", 1, least=1, most=10, when=CREATE)
        center_points: int = integer("中心点", 0, least=0, most=20, when=CREATE, hint="每个区组的个数")
        blocks: int = integer("区组", 1, least=1, most=16, when=CREATE, hint="2、4、8、16")
        randomize: bool = flag("随机化运行序", True, when=CREATE)
        max_order: int = integer("最高交互阶", 2, least=1, most=5)
        alpha: float = number("显著性水平", 0.05, least=0.001, most=0.2, when=ANALYZE)

    overview = Table(
        "设计概要", name=text("设计"), factors=integer("因子数"), runs=integer("试验次数"), resolution=text("分辨度"),
        relation=text("定义关系"), generators=text("生成元"), confounded=text("与区组混杂"), layout="record",
        when=CREATE, place="main",
    )  # fmt: skip
    alias = Table("别名结构", effect=text("效应"), others=text("分不开的效应"), when=CREATE, place="main")
    effects = Table(
        "效应与系数", name=text("项"), effect=num("效应"), b=num("系数"), se=num("标准误", least=0), t=num("*t*"),
        p=pvalue(), vif=num("VIF", least=0), verdict=text("判断"), when=ANALYZE, place="main",
        claim=estimates(stat("*t*", "t"), interval=None, outcome="response"),
    )  # fmt: skip
    margins = Table(
        "Lenth 界限",
        pse=num("PSE", least=0),
        me=num("ME", least=0),
        sme=num("SME", least=0),
        when=ANALYZE,
        place="main",
    )
    lost = Table("不能估计的效应", name=text("项"), other=text("与它分不开的"), when=ANALYZE, place="detail")
    pareto = Points("帕累托", name=text("项"), size=num("绝对值"), when=ANALYZE)
    pareto_plot = Chart("效应帕累托图", "bar", of=pareto, x="name", y="size", when=ANALYZE, place="main")
    halfs = Points("半正态", theory=num("半正态分位数"), size=num("效应绝对值"), name=text("项"), when=ANALYZE)
    half_plot = Chart("效应半正态图", "point", of=halfs, x="theory", y="size", label="name", when=ANALYZE)
    cells = Table(
        "各水平的均值", factor=text("因子"), level=text("水平"), mean=num("均值"), n=integer("*n*"), when=ANALYZE,
        merge=("factor",), place="detail",
    )  # fmt: skip
    main_plot = Chart("主效应图", "line", of=cells, x="level", y="mean", facet="factor", when=ANALYZE, place="main")
    crossed = Points(
        "交互", pair=text("交互"), first=text("第一个因子"), second=text("第二个因子"), mean=num("均值"), when=ANALYZE
    )
    crossed_plot = Chart(
        "交互图", "line", of=crossed, x="first", y="mean", series="second", facet="pair", when=ANALYZE, place="detail"
    )
    corners = Points("立方图的角", id=text("角"), label=text("拟合值"), x=num("x"), y=num("y"), when=ANALYZE)
    edges = Points("立方图的边", source=text("从"), target=text("到"), when=ANALYZE)
    cube_plot = Chart("立方图", "network", nodes=corners, edges=edges, arrange="fixed", x="x", y="y", when=ANALYZE)

    @classmethod
    def heading(cls, form: Any) -> str:
        return cls.title if form.task == "analyze" else "两水平析因试验设计"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="因子不多时，找最优条件", method="quality_control/response_surface", form={})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if form.task == "create":
            create(report, cls, form)
            return report
        parts.refuse_without(form)
        for column in form.response:
            own = Report()
            cls._analyse(own, form, column)
            report.absorb(own, column.title, len(form.response) == 1, column.name)
        return report

    # ---- the analysis ----------------------------------------------------------------------------------------------
    @classmethod
    def _analyse(cls, report: Report, form: Any, column: Column) -> None:
        parts.refuse_constant(column)
        factors, centre = read_factors(form.factors)
        y = column.numbers
        model = FactorialModel(factors, centre, form.block, form.max_order, y)
        coded = np.column_stack([factor.coded for factor in factors])
        keys = coded if form.block is None else np.column_stack([coded, form.block.codes])
        lack = cls._variance(report, model, settings_of(keys))
        parts.write_summary(report, cls, model.least)
        margins = cls._effects(report, form, model)
        pictures(report, cls, form.alpha, model, margins, y)
        parts.residual_pictures(report, cls, model.least, column.row_numbers)
        if model.least.has_error:
            parts.lack_check(report, lack, form.alpha, "请提高“最高交互阶”，或补做试验")
        cls._say(report, form, model, margins, column)

    @classmethod
    def _variance(cls, report: Report, model: FactorialModel, same: Any) -> Any:
        least = model.least
        everything = list(range(1, least.p))
        if everything:
            parts.write_line(report, cls, "模型", least.group(everything))
        if model.block_columns:
            parts.write_line(report, cls, "区组", least.group(model.block_columns), depth=1)
        for order, name in enumerate(("线性", "二阶交互", "三阶交互", "四阶交互", "五阶交互"), 1):
            columns = [effect.place for effect in model.order(order)]
            if columns:
                parts.write_line(report, cls, name, least.group(columns), depth=1)
        if model.curvature is not None:
            parts.write_line(report, cls, "弯曲", least.group([model.curvature]), depth=1)
        return parts.write_error(report, cls, least, same)

    @classmethod
    def _effects(cls, report: Report, form: Any, model: FactorialModel) -> Lenth | None:
        least = model.least
        sizes = np.array([2 * least.b[effect.place] for effect in model.effects])
        margins = None if least.has_error or len(sizes) < 3 else lenth(sizes, form.alpha)
        for effect, size in zip(model.effects, sizes, strict=True):
            j = effect.place
            beyond = cls._counts(model, margins, form.alpha, effect)
            report.row(
                cls.effects, name=effect.name, effect=float(size), b=float(least.b[j]), se=least.se(j), t=least.t(j),
                p=least.p_of(j), vif=least.vif(j), verdict={True: "有影响", False: "未发现", None: None}[beyond],
            )  # fmt: skip
        report.note(
            cls.effects, "常数项为 {b:num}。效应 = 响应从低水平到高水平的平均变化 = 2 × 系数。", b=float(least.b[0])
        )
        if margins is None:
            report.skip(
                cls.margins, "有误差自由度，用 *t* 检验" if least.has_error else "效应少于 3 个，不能估计伪标准误"
            )
        else:
            report.row(cls.margins, pse=margins.pse, me=margins.margin, sme=margins.simultaneous)
            report.note(cls.margins, "效应的绝对值超过 ME 才算有影响；超过 SME 的，同时看多个效应也站得住。")
            report.warn("data.saturated", "没有误差自由度，不能做 *t* 检验，已用 Lenth 法判断哪些效应有影响。")
        if model.lost:
            for name, other in model.lost:
                report.row(cls.lost, name=name, other=other)
            report.warn(
                "data.aliased",
                "有 {k:integer} 个效应与别的效应分不开，没有放进模型，见“不能估计的效应”表。",
                k=len(model.lost),
            )
        else:
            report.skip(cls.lost, "所选阶数以内的效应都能估计")
        return margins

    @classmethod
    def _counts(cls, model: FactorialModel, margins: Lenth | None, alpha: float, effect: Effect) -> bool | None:
        p = model.least.p_of(effect.place)
        if p is not None:
            return p < alpha
        return None if margins is None else abs(2 * float(model.least.b[effect.place])) > margins.margin

    @classmethod
    def _say(cls, report: Report, form: Any, model: FactorialModel, margins: Lenth | None, column: Column) -> None:
        least = model.least
        size = {effect.name: 2 * float(least.b[effect.place]) for effect in model.effects}
        strong = [e for e in model.effects if cls._counts(model, margins, form.alpha, e)]
        strong.sort(key=lambda effect: -abs(size[effect.name]))
        facts: dict[str, Any] = {"y": column.title, "alpha": form.alpha, "k": len(strong)}
        main = [effect for effect in strong if len(effect.members) == 1]
        crossed = [effect for effect in strong if len(effect.members) > 1]
        if not strong:
            report.lead(
                "没有发现哪一项影响“{y}”（α = {alpha:alpha}）。没有发现不等于没有影响，试验次数可能太少。", **facts
            )
        else:
            top = strong[0]
            facts |= {"top": top.name, "size": size[top.name]}
            told = "从低水平到高水平，平均变化 {size:+num}" if len(top.members) == 1 else "效应 {size:+num}"
            report.lead(
                "对“{y}”影响最大的是“{top}”：" + told + "。共有 {k:integer} 项有影响（α = {alpha:alpha}）。",
                [figure("最大效应", "{size:+num}", "{top:text}"), figure("有影响的项", "{k:integer}")], **facts,
            )  # fmt: skip
        if crossed:
            report.say(
                "“{a}”有交互作用：一个因子的作用随另一个因子的水平而变。请看交互图，不要只看主效应。", a=crossed[0].name
            )
        elif main:
            report.say("有影响的都是主效应，各因子可以分开解释。")
        if model.curvature is None:
            if not model.centre.any():
                report.say("没有中心点，看不出响应是否弯曲。")
            return
        p = least.p_of(model.curvature)
        if p is None:
            report.check("弯曲", "unknown", "没有误差自由度，不能检验弯曲。")
            return
        bend = p < form.alpha
        ending = "响应是弯的，直线模型不够，请做响应面试验。" if bend else "没有发现弯曲。"
        report.check("弯曲", "care" if bend else "pass", "中心点与析因点之差 *p* {p:peq}。" + ending, p=p)
