"""From this version on each row counts as often as a variable says."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Column, Form, Processing, Refusal, Report, Table, choice, figure, integer, num, role, text
from hengxi.methods.data_processing._shared.rows import tell


class WeightCases(Processing):
    """The weight belongs to the version, so that every method that honours frequencies uses it unasked."""

    title, title_en = "个案加权", "Weight cases"
    family, tier = "数据处理", "member"
    purpose = "指定频数权重，以后的分析都按它计算"
    aliases = ("加权个案", "频数加权", "weight cases", "WEIGHT BY")
    references = ("wickham2014",)
    conventions = (
        "权重是频数：一行当作这么多个相同的个案。抽样权重请在支持它的方法里选择。",
        "权重为 0 或缺失的行不参与加权的分析，数据仍保留。",
    )

    class Input(Form):
        action: str = choice("操作", {"on": "按变量加权", "off": "取消加权"})
        weight: Column = role("权重变量", "定量", values="non_negative", when={"action": "on"})

    result = Table(
        "权重概况", weight=text("权重变量"), rows=integer("行数"), used=integer("权重大于 0 的行"),
        unused=integer("权重为 0 或缺失的行"), cases=num("权重之和"), least=num("最小权重"), most=num("最大权重"),
        layout="record", when={"action": "on"},
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if form.action == "off":
            report.weigh(None)
            done = "已取消加权，以后的分析每一行算一个个案。"
            tell(report, done, "数据没有改变；以前加权的报告不受影响。")
            return report
        weights = form.weight.numbers
        used = weights[~np.isnan(weights) & (weights > 0)]
        if not len(used):
            raise Refusal("weight.zero", f"“{form.weight.title}”没有大于 0 的值，不能作权重", field="weight")
        if bool((used != np.floor(used)).any()):
            text_ = f"“{form.weight.title}”有小数，频数权重须为非负整数；抽样权重请在支持它的分析里选择"
            raise Refusal("weight.whole", text_, field="weight", column=form.weight.id)
        facts: dict[str, Any] = {
            "weight": form.weight.title, "rows": len(weights), "used": len(used), "unused": len(weights) - len(used),
            "cases": float(used.sum()), "least": float(used.min()), "most": float(used.max()),
        }  # fmt: skip
        report.row(cls.result, **facts)
        report.weigh(form.weight)
        if facts["unused"]:
            text_ = "“{weight}”有 {unused:integer} 行为 0 或缺失，这些行不参与加权的分析。"
            report.warn("data.unused", text_, columns=[form.weight], weight=facts["weight"], unused=facts["unused"])
        done = "已按“{weight}”加权：{used:integer} 行当作 {cases:num} 个个案。"
        student = (
            "以后支持频数权重的分析都会自动使用它，不支持的会说明。"
            "只有一行确实代表几个相同的个案时才能这样加权，否则 p 值会偏小。"
        )
        tell(report, done, student, [figure("个案数", "{cases:num}", "共 {used:integer} 行")], **facts)
        return report
