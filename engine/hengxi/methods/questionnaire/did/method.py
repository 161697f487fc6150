from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from hengxi.contract import (
    Column,
    ColumnInfo,
    Form,
    Level,
    MethodRemedy,
    Moment,
    NextStep,
    Refusal,
    Report,
    SetRemedy,
    Timeline,
    choice,
    flag,
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

KEYS = {"treat": "treat", "time": "period", "entity": "unit", "since": "treat_start"}
PANEL = "econometric/did_panel"


class Did(DifferenceMethod):
    """Treated × after, with the fixed effects asked for; the computation of econometric/did_panel."""

    title, title_en = "双重差分DID", "Difference-in-differences"
    family, tier = "问卷研究", "member"
    rescaled = (("y",),)
    purpose = "政策或干预对处理组的净效应是多少"
    aliases = ("双重差分", "倍差法", "DID", "干预效果", "前后对照", "实验组对照组前后测", "平行趋势")
    references = ("card1994", "bertrand2004", "goodman2021", "callaway2021")
    conventions = CONVENTIONS

    class Input(Form):
        y: Column = role("结果变量", "定量")
        treat: Column = role("处理组(0/1)", "定类", levels=(2, 2))
        treated: Level | None = level("处理组的取值", of="treat", auto="last")
        period: Timeline = timeline(
            "时间(前/后或年份)", panel="unit", gaps="keep", repeats=True, hint="只有前后两期时写成 0 和 1"
        )
        unit: Column | None = role("个体标识（可选）", "任意", hint="同一个人前后都答了才放；两次不同的人不放")
        controls: list[Column] = role("控制变量", "任意", min=0, max=None)
        treat_start: Moment | None = moment("处理开始时间", of="period", hint="只有两期时不填，取后一期")
        fixed_effects: str = choice("固定效应", {"none": "无", "unit": "个体", "time": "时间", "two_way": "个体和时间"})
        se: str = choice(
            "标准误", {"unit": "按个体聚类", "robust": "稳健（HC1）", "classic": "普通"},
            hint="没有个体标识时，“按个体聚类”改用稳健标准误；只有两组时，按组聚类的标准误恒为 0，不提供",
        )  # fmt: skip
        event_study: bool = flag("平行趋势(事件研究)", True)
        placebo: int = integer("安慰剂检验次数", 0, least=0, most=2000)

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{cls.title}：{form.y.title}"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        path = "questionnaire/did"
        return [
            NextStep(title="做安慰剂检验", method=path, form={**form, "placebo": 500}),
            NextStep(title="分组看效应是否相同", method=path, form=form, seek=["_split"]),
        ]

    @classmethod
    def dropped_by(cls, form: dict[str, Any]) -> Collection[str] | None:
        return ("y", "period", "unit", "controls")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        panel = read_panel(
            form.y, form.treat, form.period, form.unit, form.controls, form.treat_start, form.treated, KEYS
        )
        how = cls._settings(form, panel)
        result = analyse(report, cls, panel, how, form)
        if result is None:
            raise Refusal(
                "data.collinear", "处理变量已由固定效应或控制变量完全决定，估计不出效应；请检查控制变量",
                field="controls", also=["treat"],
            )  # fmt: skip
        report.used(panel.n)
        write_words(report, panel, result, form.y.title, how.kind)
        check_trends(report, result)
        check_staggered(report, panel, result)
        check_clusters(report, result, how.kind)
        return report

    @classmethod
    def _settings(cls, form: Any, panel: Panel) -> Settings:
        by_unit = form.fixed_effects in ("unit", "two_way")
        if by_unit and panel.unit is None:
            raise Refusal(
                "data.units", "个体固定效应需要个体标识，请放入个体标识，或不用个体固定效应", field="unit",
                also=["fixed_effects"], remedies=[SetRemedy(title="不用固定效应", set={"fixed_effects": "none"})],
            )  # fmt: skip
        if panel.is_staggered and form.fixed_effects != "two_way":
            raise Refusal(
                "data.staggered", "处理的时点有 {k} 个，没有共同的前后，请用面板双重差分（组-时效应）",
                field="treat", also=["fixed_effects"], k=len(panel.cohorts),
                remedies=[MethodRemedy(title="面板双重差分", method=PANEL, carry=["y", "treat"])],
            )  # fmt: skip
        kind = "robust" if form.se == "unit" and panel.unit is None else form.se
        return Settings(
            kind=kind, unit_effects=by_unit, time_effects=form.fixed_effects in ("time", "two_way"),
            placebo=form.placebo, events=form.event_study, y=form.y.title,
        )  # fmt: skip
