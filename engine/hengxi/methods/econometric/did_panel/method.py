from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from hengxi.contract import (
    Column,
    ColumnInfo,
    Form,
    Level,
    Moment,
    NextStep,
    Refusal,
    Report,
    SetRemedy,
    Timeline,
    choice,
    integer,
    level,
    moment,
    role,
    timeline,
)
from hengxi.families.difference.reading import Panel, read_panel
from hengxi.families.difference.report import (
    CONVENTIONS,
    DifferenceMethod,
    Settings,
    analyse,
    check_clusters,
    check_staggered,
    check_trends,
    write_words,
)

KEYS = {"treat": "treat", "time": "time", "entity": "entity", "since": "policy_time"}


class DidPanel(DifferenceMethod):
    """Two-way fixed effects for one time of adoption, group-time effects for several; never the one for the other
    unseen."""

    title, title_en = "多期双重差分（面板/多时点DID）", "Panel and staggered difference-in-differences"
    family, tier = "计量经济", "member"
    rescaled = (("y",),)
    purpose = "面板数据中政策（可分批实施）对处理组的净效应多大、动态如何"
    aliases = ("DID", "双重差分", "倍差法", "双向固定效应", "TWFE", "事件研究", "交错DID", "多时点DID", "平行趋势")
    references = ("callaway2021", "goodman2021", "sun2021", "bertrand2004")
    conventions = CONVENTIONS

    class Input(Form):
        y: Column = role("结果变量", "定量")
        treat: Column = role(
            "处理组或首次处理时点", "任意", hint="0/1（是否处理），或每个个体首次处理的时间，从未处理的填 0"
        )
        treated: Level | None = level("处理组的取值", of="treat", auto="last", advanced=True)
        time: Timeline = timeline("时间", panel="entity", gaps="keep", repeats=True, hint="只有前后两期时写成 0 和 1")
        entity: Column | None = role("个体（面板，可选）", "任意")
        x: list[Column] = role("控制变量（可选）", "任意", min=0, max=None)
        design: str = choice(
            "设计",
            {"auto": "自动识别", "classic": "经典2×2", "twfe": "双向固定效应", "cs": "多时点（Callaway-Sant'Anna）"},
        )
        policy_time: Moment | None = moment(
            "政策时点", of="time", hint="处理变量只说明谁是处理组时才要填；只有两期时取后一期"
        )
        base: int = integer("事件研究基期", -1, least=-20, most=-1, hint="−1 是处理前一期")
        se: str = choice(
            "标准误", {"robust": "稳健", "unit": "个体聚类", "bootstrap": "聚类自助"}, default="unit",
            hint="没有个体变量时用稳健标准误",
        )  # fmt: skip
        placebo: int = integer("安慰剂次数", 500, least=0, most=5000)

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{cls.title}：{form.y.title}"

    @classmethod
    def dropped_by(cls, form: dict[str, Any]) -> Collection[str] | None:
        return ("y", "time", "entity", "x")

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        path = "econometric/did_panel"
        return [
            NextStep(title="换标准误再看", method=path, form={**form, "se": "bootstrap"}),
            NextStep(title="分组看效应是否相同", method=path, form=form, seek=["_split"]),
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        panel = read_panel(form.y, form.treat, form.time, form.entity, form.x, form.policy_time, form.treated, KEYS)
        how = cls._settings(form, panel)
        result = analyse(report, cls, panel, how, form)
        if result is None:
            raise Refusal(
                "data.collinear", "处理变量已由固定效应或控制变量完全决定，估计不出政策效应；"
                "请检查控制变量里有没有政策变量",
                field="x", also=["treat"],
            )  # fmt: skip
        report.used(panel.n)
        write_words(report, panel, result, form.y.title, how.kind)
        check_trends(report, result)
        check_staggered(report, panel, result)
        check_clusters(report, result, how.kind)
        if panel.unit is not None and not panel.is_balanced:
            report.warn("data.unbalanced", "面板不平衡：有的个体缺一些期，估计只用有的行。")
        if how.staggered and form.x:
            report.warn("data.controls_aside", "组-时效应不含控制变量；含控制变量的双向固定效应列在旁边，只供对照。")
        return report

    @classmethod
    def _settings(cls, form: Any, panel: Panel) -> Settings:
        design = form.design
        if design == "auto":
            design = "cs" if panel.is_staggered else "twfe" if panel.unit is not None else "classic"
            if panel.unit is not None and panel.places.size == 2 and not panel.is_staggered:
                design = "twfe"
        if design == "classic" and panel.is_staggered:
            raise Refusal(
                "data.staggered", "处理的时点有 {k} 个，没有共同的前后，不能用经典 2×2", field="design",
                k=len(panel.cohorts), remedies=[SetRemedy(title="改用多时点", set={"design": "cs"})],
            )  # fmt: skip
        if design in ("twfe", "cs") and panel.unit is None:
            raise Refusal("data.units", "这个设计需要个体变量，请放入个体", field="entity", also=["design"])
        if panel.unit is None and form.se == "bootstrap":
            raise Refusal(
                "data.clusters", "没有个体变量，不能按个体聚类", field="se",
                remedies=[SetRemedy(title="改用稳健标准误", set={"se": "robust"})],
            )  # fmt: skip
        return Settings(
            kind="robust" if panel.unit is None else form.se, unit_effects=design != "classic",
            time_effects=design != "classic", base=form.base, placebo=form.placebo,
            staggered=design == "cs", y=form.y.title,
        )  # fmt: skip
