"""What gage studies share: components, their share of the study variation, of the tolerance, ndc, figures, verdict."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Method,
    Points,
    Refusal,
    Report,
    Silent,
    Table,
    figure,
    filled,
    integer,
    interval,
    num,
    number,
    pvalue,
    text,
    values_column,
)
from hengxi.families.control.constants import d2, d3
from hengxi.families.control.gage import Variances, categories
from hengxi.families.control.rules import RULES
from hengxi.stats.boxes import box
from hengxi.stats.moments import Floats, Ordered

GOOD, POOR, ENOUGH = 10.0, 30.0, 5
MOST = 2000
"""Measurements of one study; more is no gage study, and takes long."""
SOURCES = {
    "gage": ("合计量具 R&R", 0), "repeat": ("重复性", 1), "reproducibility": ("再现性", 1), "operator": ("操作者", 2),
    "interaction": ("操作者×部件", 2), "part": ("部件间", 0), "total": ("合计变异", 0),
}  # fmt: skip


def study_sigma() -> Any:
    return number("研究变异倍数", 6, least=4, most=6, hint="AIAG 现用 6（99.73%），旧版用 5.15（99%）", advanced=True)


def tolerance() -> Any:
    return number("公差（选填）", None, above=0, auto="不给 % 公差", hint="规格上限减下限")


def component_table(*, with_interval: bool) -> Table:
    ci = interval("CI", "low", "high", inside=False, when={"method": "anova"})
    more: dict[str, Any] = {"ci": ci} if with_interval else {}
    return Table(
        "方差分量", source=text("来源"), variance=num("方差分量", least=0), share=num("贡献率 %", least=0), **more,
        place="main",
    )  # fmt: skip


def evaluation_table(*columns: Any) -> Table:
    """`columns`: of the historical standard deviation, where a study takes one."""
    return Table(
        "量具评估", source=text("来源"), sd=num("标准差", least=0), study=num("研究变异", least=0),
        percent_study=num("% 研究变异", least=0), percent_tolerance=num("% 公差", least=0, when={"tolerance": filled}),
        **dict(zip(("percent_process",), columns, strict=False)), place="main",
    )  # fmt: skip


class GageStudy(Method):
    """`write` fills the tables and figures; a member gives the variances and its analysis of variance."""

    family = "质量控制"
    nested: ClassVar[bool] = False

    # Members override some of these; all keep this order.
    evaluation = evaluation_table()
    verdict = Table("可区分类别数", ndc=integer("ndc"), place="main")
    components = component_table(with_interval=False)
    anova = Table(
        "方差分析", source=text("来源"), df=integer("*df*"), ss=num("SS", least=0), ms=num("MS", least=0), F=num("*F*"),
        p=pvalue(), claim=Silent("检验的是测量系统的变异来源"), place="main",
    )  # fmt: skip
    bars = Points("变异分量", source=text("来源"), of=text("比例"), y=num("%"))
    shares = Chart("变异分量", "bar", of=bars, x="source", y="y", series="of", place="main")
    drawn = Points(
        "控制图数据", panel=text("图"), phase=text("操作者"), index=integer("序号"), label=text("部件"),
        value=num("取值"), cl=num("中心线 CL"), lcl=num("下限 LCL"), ucl=num("上限 UCL"), signal=text("判异"),
    )  # fmt: skip
    control = Chart(
        "各操作者的极差图与均值图", "control", of=drawn, index="index", value="value", cl="cl", ucl="ucl", lcl="lcl",
        phase="phase", panel="panel", label="label", signal="signal", place="main",
    )  # fmt: skip
    part_boxes = Points(
        "按部件", x=text("部件"), min=num("最小"), q1=num("下四分位"), median=num("中位数"), q3=num("上四分位"),
        max=num("最大"), outliers=values_column("离群值"),
    )  # fmt: skip
    by_part = Chart(
        "按部件",
        "box",
        of=part_boxes,
        x="x",
        min="min",
        q1="q1",
        median="median",
        q3="q3",
        max="max",
        outliers="outliers",
    )
    operator_boxes = Points(
        "按操作者", x=text("操作者"), min=num("最小"), q1=num("下四分位"), median=num("中位数"), q3=num("上四分位"),
        max=num("最大"), outliers=values_column("离群值"),
    )  # fmt: skip
    by_operator = Chart(
        "按操作者", "box", of=operator_boxes, x="x", min="min", q1="q1", median="median", q3="q3", max="max",
        outliers="outliers",
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.measure.title}的{'嵌套' if cls.nested else '交叉'}量具 R&R"

    @classmethod
    def write(
        cls, report: Report, form: Any, found: Variances, bounds: dict[str, tuple[float, float]] | None = None
    ) -> None:
        """Components (negative ones as 0), evaluation, ndc, conclusion, checks. `bounds`: intervals of components."""
        components = cls.components
        used = found.positive()
        cls._negative(report, components, found)
        held = {
            "gage": used.gage, "repeat": used.repeat, "reproducibility": used.reproducibility,
            "operator": used.operator, "interaction": used.interaction, "part": used.part, "total": used.total,
        }  # fmt: skip
        rows = {
            key: value for key, value in held.items() if value is not None and not (cls.nested and key == "operator")
        }
        for key, value in rows.items():
            name, depth = SOURCES[key]
            low, high = (None, None) if bounds is None else (max(end, 0.0) for end in bounds[key])
            more: dict[str, Any] = {} if "ci" not in components.columns else {"low": low, "high": high}
            report.row(
                components, source=name, variance=value, share=100 * value / used.total, depth=depth, **more,
                total=key == "total",
            )  # fmt: skip
        cls._evaluate(report, form, rows, used.total)
        cls._conclude(report, form, used)

    @classmethod
    def _negative(cls, report: Report, components: Any, found: Variances) -> None:
        names = {"operator": "再现性" if cls.nested else "操作者", "interaction": "操作者×部件", "part": "部件间"}
        below = [title for key, title in names.items() if (getattr(found, key) or 0.0) < 0]
        if below:
            report.warn("data.negative", "“{names}”的方差估计为负，已按 0 处理。", names="”“".join(below))
        if found.positive().total <= 0:
            raise Refusal("data.constant", "测量值没有变异，请核对数据", field="measure")

    @classmethod
    def _evaluate(cls, report: Report, form: Any, rows: dict[str, float], total: float) -> None:
        evaluation = cls.evaluation
        history = getattr(form, "hist_sigma", None)
        for key, value in rows.items():
            name, depth = SOURCES[key]
            sd = float(np.sqrt(value))
            tolerance_share = None if form.tolerance is None else 100 * form.study_sigma * sd / form.tolerance
            more = {"percent_process": None if history is None else 100 * sd / history}
            percent_study = 100 * sd / float(np.sqrt(total))
            report.row(
                evaluation, source=name, sd=sd, study=form.study_sigma * sd, percent_study=percent_study,
                percent_tolerance=tolerance_share, depth=depth, total=key == "total",
                **{key: cell for key, cell in more.items() if key in evaluation.columns},
            )  # fmt: skip
            bars = [("贡献率", 100 * value / total), ("% 研究变异", percent_study)]
            bars += [] if tolerance_share is None else [("% 公差", tolerance_share)]
            if key in ("gage", "repeat", "reproducibility", "part"):
                for of, y in bars:
                    report.row(cls.bars, source=name, of=of, y=y)
        report.chart(cls.shares, titles={"x": "来源", "y": "%"})
        report.note(evaluation, "研究变异为标准差的 {k:num} 倍。", k=float(form.study_sigma))

    @classmethod
    def _conclude(cls, report: Report, form: Any, used: Variances) -> None:
        share = 100 * float(np.sqrt(used.gage / used.total))
        ndc = categories(used)
        report.row(cls.verdict, ndc=ndc)
        grade = "可以接受" if share < GOOD else "有条件接受" if share <= POOR else "不可接受"
        facts: dict[str, Any] = {} if ndc is None else {"ndc": ndc}
        report.lead(
            "测量系统{grade}：量具 R&R 占研究变异的 {share:num1}%"
            + ("。" if ndc is None else "，能分出 {ndc:integer} 个类别。"),
            (figure("% 研究变异", "{share:num1}%"),)
            + (() if ndc is None else (figure("ndc", "{ndc:integer}", "不小于 5 为好"),)),
            grade=grade, share=share, **facts,
        )  # fmt: skip
        larger = used.repeat >= used.reproducibility
        report.say(
            "重复性比再现性大：同一个人测同一件，结果也不一致，先看量具、夹具和测量位置。"
            if larger
            else "再现性比重复性大：不同的人测出来不一样，先统一操作方法和读数习惯。"
        )
        state: Any = "pass" if share < GOOD else "care" if share <= POOR else "fail"
        report.check(
            "% 研究变异", state,
            "{share:num1}%，" + (
                "小于 10%，可以接受。" if state == "pass"
                else "在 10% 到 30% 之间，能不能用看用途和改进的费用。" if state == "care"
                else "大于 30%，先改进测量系统。"
            ), share=share,
        )  # fmt: skip
        if form.tolerance is not None:
            of = 100 * form.study_sigma * float(np.sqrt(used.gage)) / form.tolerance
            state = "pass" if of < GOOD else "care" if of <= POOR else "fail"
            report.check(
                "% 公差", state,
                "{of:num1}%，" + (
                    "判断产品合不合格足够精细。" if state == "pass" else "在 10% 到 30% 之间，靠近规格限时容易误判。"
                    if state == "care" else "大于 30%，不适合判断产品合不合格。"
                ), of=of,
            )  # fmt: skip
        few = ndc is not None and ndc < ENOUGH
        report.check(
            "ndc", "unknown" if ndc is None else "care" if few else "pass",
            "测量没有波动，算不出 ndc，请核对读数的位数是不是太少。" if ndc is None
            else "能分出 {ndc:integer} 个类别" + ("，少于 5 个，分辨部件的能力不够。" if few else "，够用。"), **facts,
        )  # fmt: skip

    @classmethod
    def draw(cls, report: Report, form: Any, groups: list[tuple[str, str, Floats]]) -> None:
        """`groups`: operator, part and readings of each cell, operator by operator. Ranges and means with limits from
        the mean range; boxes by part and by operator."""
        sizes = np.array([cell.size for _, _, cell in groups])
        n = int(sizes.min())
        if n >= 2:
            cls._control(report, groups, sizes)
        else:
            report.skip(cls.drawn, "有的组合只有 1 个读数，画不出极差图")
            report.skip(cls.control, "有的组合只有 1 个读数，画不出极差图")
        for table, chart, at, title in (
            (cls.part_boxes, cls.by_part, 1, form.part.title),
            (cls.operator_boxes, cls.by_operator, 0, form.operator.title),
        ):  # fmt: skip
            for name in dict.fromkeys(str(group[at]) for group in groups):
                b = box(Ordered.of(np.concatenate([group[2] for group in groups if group[at] == name]), None))
                report.row(table, x=name, min=b.low, q1=b.q1, median=b.median, q3=b.q3, max=b.high, outliers=b.outliers)
            report.chart(chart, titles={"x": title, "y": form.measure.title})

    @classmethod
    def _control(cls, report: Report, groups: list[tuple[str, str, Floats]], sizes: Any) -> None:
        ranges = np.array([float(np.ptp(cell)) for _, _, cell in groups])
        means = np.array([float(cell.mean()) for _, _, cell in groups])
        sigma = float(np.mean(ranges / np.array([d2(int(k)) for k in sizes])))
        mid = np.array([d2(int(k)) for k in sizes]) * sigma
        wide = 3 * np.array([d3(int(k)) for k in sizes]) * sigma
        half = 3 * sigma / np.sqrt(sizes)
        centre = float(np.average(means, weights=sizes))
        flat = np.full(means.size, centre)
        panels = (
            ("极差", ranges, mid, np.maximum(mid - wide, 0.0), mid + wide),
            ("均值", means, flat, flat - half, flat + half),
        )  # fmt: skip
        for name, value, cl, lcl, ucl in panels:
            report.add_rows(cls.drawn, {
                "panel": [name] * means.size, "phase": [operator for operator, _, _ in groups],
                "index": np.arange(1, means.size + 1), "label": [part for _, part, _ in groups], "value": value,
                "cl": cl, "lcl": lcl, "ucl": ucl,
                # Means beyond the limits are what a gage should show: parts that it can tell apart.
                "signal": [
                    RULES["nelson1"] if name == "极差" and high < cell else None
                    for cell, high in zip(value, ucl * (1 + 1e-9), strict=True)
                ],
            })  # fmt: skip
        report.chart(cls.control, titles={"x": "操作者内的部件", "y": "取值"})
        if sigma == 0:
            return
        wild = int((ranges > (mid + wide) * (1 + 1e-9)).sum())
        report.check(
            "重复性稳定", "care" if wild else "pass",
            "极差图上有 {k:integer} 个点超出控制限，这些部件重测一次，看是不是读错。" if wild
            else "极差图上没有点超出控制限。", k=wild,
        )  # fmt: skip
        apart = float((np.abs(means - centre) > half).mean())
        report.check(
            "部件的范围", "pass" if apart >= 0.5 else "care",
            "均值图上有 {share:percent} 的点超出控制限" + (
                "：部件之间的差别看得出来。" if apart >= 0.5
                else "，不到一半：要么量具分辨不出，要么部件太像，没有覆盖过程的范围。"
            ), share=apart,
        )  # fmt: skip


def judge(form: Any) -> Floats:
    """The readings; too many, no numbers any more or all the same are refused."""
    y: Floats = form.measure.numbers
    column: Column = form.measure
    if y.size > MOST:
        text_ = f"量具研究最多 {MOST} 个读数，现有 {{n}} 个，请核对部件和操作者是否放对"
        raise Refusal("data.many", text_, field="measure", column=column.id, n=y.size)
    if not np.ptp(y) > 0 or not 1e-150 < np.ptp(y) < 1e150:
        words = "“{v}”没有变异（或数值过大、过小），请核对数据"
        raise Refusal("data.constant", words, field="measure", column=column.id, v=column.title)
    if len(form.operator.levels) < 2:
        words = "只有 1 名操作者，无法估计再现性"
        raise Refusal("data.one_operator", words, field="operator", column=form.operator.id)
    return y
