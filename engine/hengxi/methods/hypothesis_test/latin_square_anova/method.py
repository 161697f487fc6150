from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    ColumnInfo,
    Form,
    NextStep,
    Refusal,
    Report,
    Silent,
    Table,
    Wide,
    choice,
    filled,
    flag,
    integer,
    num,
    number,
    percent,
    pvalue,
    role,
    text,
)
from hengxi.methods.hypothesis_test._shared import design
from hengxi.methods.hypothesis_test._shared.design import Design, Study
from hengxi.methods.hypothesis_test._shared.design_method import CONVENTIONS, POST_HOC, REFERENCES, LinearDesign
from hengxi.methods.hypothesis_test._shared.design_words import Words
from hengxi.stats import linear_design
from hengxi.stats.linear_design import LinearModel

UNEQUAL = ("games_howell", "tamhane_t2", "dunnett_t3", "auto")
WAYS = {key: title for key, title in POST_HOC.items() if key not in UNEQUAL}
MOST_SIDE = 30


class LatinSquareAnova(LinearDesign):
    """Treatments compared within rows and columns (a Latin square), or within blocks alone."""

    title, title_en = "拉丁方/随机区组方差分析", "Latin square / randomized block ANOVA"
    tier = "member"
    rescaled = (("y",),)
    purpose = "控制行、列区组后处理间是否有差异"
    aliases = (
        "拉丁方设计",
        "随机区组设计",
        "随机区组方差分析",
        "配伍组设计",
        "两因素无重复",
        "Tukey可加性",
        "Latin square",
        "RCBD",
    )
    conventions = (
        *CONVENTIONS,
        "模型只有主效应（可加）：每个行、列组合只有一个值，交互与误差分不开，所以多重比较不提供方差不齐的方法。",
        "Tukey 可加性：拟合值的平方扣除模型后的一个自由度，对其余误差检验。",
        "相对效率按 Cochran 与 Cox（1957），并乘 Fisher 的自由度校正 (f1 + 1)(f2 + 3)/((f2 + 1)(f1 + 3))；"
        "只在设计完整时给出。",
    )
    references = (*REFERENCES, "tukey1949b", "cochran1957")

    class Input(Form):
        y: Column = role("因变量Y", "定量")
        treatment: Column = role("处理", "定类", levels=(2, None))
        row: Column = role("行区组", "定类", levels=(2, None))
        column: Column | None = role("列区组（随机区组可不放）", "定类", min=0, levels=(2, None))
        post_hoc: str = choice("事后多重比较", WAYS, default="tukey", hint="Dunnett 的对照为第一个处理")
        tukey_additivity: bool = flag("Tukey可加性检验", True)
        conf_level: float = number("置信水平", 0.95, least=0.8, most=0.999, percent=True, hint="显著性水平 = 1 − 此值")

    layout_table = Table("处理的排布", item=text("行"), layout=Wide(treatment=text("处理")), when={"column": filled})
    efficiency = Table(
        "相对效率",
        other=text("与之相比"),
        value=percent("相对效率", most=None),
        corrected=percent("自由度校正后", most=None),
    )
    additivity = Table(
        "Tukey可加性检验", source=text("来源"), ss=num("平方和", least=0), df=num("*df*1"), df_error=num("*df*2"),
        F=num("*F*", least=0), p=pvalue(), when={"tukey_additivity": True}, claim=Silent("told by its check"),
    )  # fmt: skip
    counts = Table(
        "设计检查", layout="record", kind=text("设计"), treatments=integer("处理数"), rows=integer("行数"),
        columns=integer("列数"), n=integer("*n*"),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"按{form.treatment.title}分析{form.y.title}"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        return [
            NextStep(title="不管区组，只看处理（单因素方差分析）", method="hypothesis_test/variance",
                     form={"group": form["treatment"], "variables": [form["y"]]}),
            NextStep(title="加入交互或协变量（多因素方差分析）", method="hypothesis_test/multivariate_way_anova",
                     form={"y": form["y"], "factors": [form["treatment"], form["row"]]}),
        ]  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        factors = [form.treatment, form.row] + ([form.column] if form.column is not None else [])
        study = Study.of([form.y], factors, [], None, ("y", "treatment", "treatment"), blocks=len(factors) - 1)
        try:
            fitted = design.fit(
                study, [(i,) for i in range(len(factors))], "III", form.conf_level,
                "没有剩余自由度，无法检验：请增加重复，或减少区组",
            )  # fmt: skip
        except Refusal as refusal:
            for fault in refusal.faults:
                fault.field = "treatment" if fault.field == "factors" else fault.field
            raise
        is_whole = cls._judge(report, study)
        told = Words(fitted, cls.title)
        cls._layout(report, study)
        cls.fill(report, form.post_hoc, fitted, told)
        cls._efficiency(report, fitted, is_whole)
        if form.tukey_additivity:
            cls._additivity(report, fitted)
        cls.finish(report, fitted, told)
        return report

    @classmethod
    def _judge(cls, report: Report, study: Study) -> bool:
        """Is every treatment once in each row (and column)? Says where it is not."""
        cells = study.cells
        t, sizes = cells.sizes[0], cells.sizes
        square = len(sizes) > 2
        codes = cells.levels[cells.of_row]
        whole = not square or len(set(sizes)) == 1
        for m, word in list(enumerate(("行", "列"), 1))[: len(sizes) - 1]:
            times = np.zeros((sizes[m], t), dtype=int)
            np.add.at(times, (codes[:, m], codes[:, 0]), 1)
            wrong = np.argwhere(times != 1)
            if wrong.size and (whole or not square):
                whole = False
                at, which = wrong[0]
                ending = (
                    "不是拉丁方，已按一般三因素可加模型分析" if square else "不是完整的随机区组，已按两因素可加模型分析"
                )
                report.warn(
                    "data.design", "处理“{t}”在{word}“{at}”出现 {k:integer} 次，" + ending + "。",
                    t=study.labels[0][which], word=word, at=study.labels[m][at], k=int(times[at, which]),
                )  # fmt: skip
        if square and len(set(sizes)) > 1:
            report.warn(
                "data.design",
                "处理 {t:integer} 个、行 {r:integer} 个、列 {c:integer} 个，数目不同，不是拉丁方，"
                "已按一般三因素可加模型分析。",
                t=t, r=sizes[1], c=sizes[2],
            )  # fmt: skip
        kinds = {(True, True): "拉丁方", (True, False): "三因素可加模型", (False, True): "随机区组"}
        report.row(
            cls.counts, kind=kinds.get((square, whole), "两因素可加模型"), treatments=t, rows=sizes[1],
            columns=sizes[2] if square else None, n=study.n,
        )  # fmt: skip
        report.check(
            "设计", "pass" if whole else "care",
            (
                "每个处理在每行每列各出现一次，是完整的拉丁方。"
                if square
                else "每个处理在每个区组各出现一次，是完整的随机区组。"
            )
            if whole else "设计不完整，处理的比较已扣除区组的影响（类型III），但各处理的精度不同。",
        )  # fmt: skip
        return whole

    @classmethod
    def _layout(cls, report: Report, study: Study) -> None:
        cells = study.cells
        if len(cells.sizes) < 3:
            return
        if max(cells.sizes[1:]) > MOST_SIDE:
            report.skip(cls.layout_table, f"行或列超过 {MOST_SIDE} 个，不列排布")
            return
        held: dict[tuple[int, int], list[str]] = {}
        for t, r, c in cells.levels:
            held.setdefault((int(r), int(c)), []).append(study.labels[0][t])
        for r, row in enumerate(study.labels[1]):
            report.row(
                cls.layout_table, item=row,
                wide={
                    column: {"treatment": "、".join(held.get((r, c), ["—"]))}
                    for c, column in enumerate(study.labels[2])
                },
            )  # fmt: skip

    @classmethod
    def _efficiency(cls, report: Report, fitted: Design, is_whole: bool) -> None:
        if not is_whole:
            report.skip(cls.efficiency, "设计不完整，相对效率没有通用的公式")
            return
        sizes, mse, f1 = fitted.study.cells.sizes, fitted.model.mse(), fitted.model.df
        ms = [one.ms for one in fitted.tests]
        t = sizes[0]
        if len(sizes) > 2:
            made = [
                ("完全随机设计", (ms[1] + ms[2] + (t - 1) * mse) / ((t + 1) * mse), t * (t - 1)),
                ("只用行作区组", (ms[2] + (t - 1) * mse) / (t * mse), (t - 1) ** 2),
                ("只用列作区组", (ms[1] + (t - 1) * mse) / (t * mse), (t - 1) ** 2),
            ]
        else:
            b = sizes[1]
            made = [("完全随机设计", ((b - 1) * ms[1] + b * (t - 1) * mse) / ((b * t - 1) * mse), t * (b - 1))]
        for name, value, f2 in made:
            factor = (f1 + 1) * (f2 + 3) / ((f2 + 1) * (f1 + 3))
            report.row(cls.efficiency, other=name, value=value, corrected=value * factor)
        report.note(
            cls.efficiency, "150% 表示另一种设计要 1.5 倍的试验单元才有同样的精度；小于 100% 表示分区组没有帮助。"
        )

    @classmethod
    def _additivity(cls, report: Report, fitted: Design) -> None:
        """Tukey's (1949) one degree of freedom: the square of what is fitted, beyond the model."""
        study, model = fitted.study, fitted.model
        codes = study.cells.levels[study.cells.of_row]
        square = model.fitted() ** 2
        gathered = linear_design.gather(list(codes.T), study.cells.sizes, [], [square])
        reason = "拟合值没有变异或误差自由度不足，可加性检验算不出来"
        if model.df < 2 or isinstance(gathered, int):
            report.skip(cls.additivity, reason)
            return
        beyond = LinearModel(gathered, model.terms).residuals()
        size = float(beyond @ beyond)
        if size <= 1e-20 * float(gathered.y[:, 0] @ gathered.y[:, 0]):
            report.skip(cls.additivity, reason)
            return
        error = float(model.error[0, 0])
        ss = float(beyond @ model.residuals()) ** 2 / size
        one = linear_design.tested(ss, 1, error - ss, model.df - 1, study.cells.total, fitted.level)
        scale = study.cells.y_scales[0]
        report.row(
            cls.additivity, source="非可加性", ss=scale.back(ss, 2), df=1, df_error=one.df_error, F=one.F, p=one.p
        )  # fmt: skip
        bad = one.p < 0.05
        report.check(
            "可加性", "care" if bad else "pass",
            "Tukey 检验：*F*(1, {df:integer}) = {F:num}，*p* {p:peq}。"
            + (
                "处理的作用随区组而不同（不可加），请试试对因变量取对数。"
                if bad else "没有发现处理与区组之间有（乘积型的）交互。"
            ), df=one.df_error, F=one.F, p=one.p,
        )  # fmt: skip
