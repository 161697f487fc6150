from __future__ import annotations

from typing import Any

from scipy import special

from hengxi.contract import (
    Chart,
    Form,
    Points,
    Report,
    Table,
    Within,
    choice,
    claim,
    confidence,
    interval,
    num,
    pvalue,
    stat,
    text,
    within,
)
from hengxi.methods.hypothesis_test._shared.repeated_method import (
    CONVENTIONS,
    REFERENCES,
    Fitted,
    RepeatedDesign,
    adjust_choice,
    correction_choice,
)
from hengxi.methods.hypothesis_test._shared.repeated_words import RepeatedWords
from hengxi.stats import repeated_measures
from hengxi.stats.names import with_unit

MOST_LINES = 40
CONTRASTS = {"none": "不做", **repeated_measures.CONTRASTS}
TOLD = {
    "polynomial": "多项式对比把水平看作等距：线性问有没有直线上升或下降，二次问有没有弯。",
    "repeated": "每个水平与前一个水平比较。",
    "simple": "每个水平与第一个水平比较。",
    "helmert": "每个水平与其后各水平的平均比较。",
}


class RepeatedMeasuresAnova(RepeatedDesign):
    """The same subjects measured several times: does the mean change, and how."""

    title, title_en = "重复测量方差分析", "Repeated-measures ANOVA"
    purpose = "同一对象多次测量的均值是否随时间/条件变化"
    aliases = ("重复测量ANOVA", "组内方差分析", "被试内设计", "多次测量", "随访比较", "球形检验", "Mauchly", "RM ANOVA")
    conventions = (
        *CONVENTIONS,
        "组内对比各用自己的误差：F(1, n − 1) = 均值² / 标准误²；多项式系数长度为 1，最高到五次。",
    )
    references = REFERENCES

    class Input(Form):
        measures: Within = within("重复测量变量", factors=(1, 3), levels=(2, 20))
        correction: str = correction_choice("auto", "none", "gg", "hf", "lower")
        contrast: str = choice("组内对比", CONTRASTS, default="polynomial")
        post_hoc: str = adjust_choice("none", "bonferroni", "sidak", "holm")
        conf_level: float = confidence()

    contrasts = Table(
        "主体内对比", source=text("因素"), contrast=text("对比"), estimate=num("估计"),
        se=num("标准误", least=0, around="estimate"), ci=interval("CI", "low", "high", around="estimate"),
        F=num("*F*", least=0), df=num("*df*1"), df_error=num("*df*2"), p=pvalue(), eta=num("偏η²", least=0, most=1),
        when={"contrast": tuple(repeated_measures.CONTRASTS)},
        claim=claim("named", stat("*F*", "F", "df", "df_error"), effect="eta", names=("source", "contrast")),
    )  # fmt: skip
    paths = Points("个体轨迹的点", subject=text("个体"), x=text("测量"), y=num("取值"))
    path_plot = Chart("个体轨迹图", "line", of=paths, x="x", y="y", series="subject", place="detail")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{'、'.join(factor.name for factor in form.measures.factors)}的重复测量方差分析"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        fitted = cls.start(report, form)
        cls.fill(report, fitted, form.correction, simple=True)
        if form.contrast != "none":
            cls._contrasts(report, fitted, form.contrast)
        cls._paths(report, fitted)
        words = RepeatedWords(fitted, cls.title)
        words.write(report)
        words.check_all(report, form.correction)
        cls._size(report, fitted)
        return report

    @classmethod
    def _contrasts(cls, report: Report, fitted: Fitted, how: str) -> None:
        measured, model = fitted.measured, fitted.model
        for i, name in enumerate(measured.within):
            levels = [row for _, row in fitted.levels((i,))]
            for word, weights in repeated_measures.contrasts(how, measured.levels[i]):
                row = sum(w * level for w, level in zip(weights, levels, strict=True))
                one = model.estimate(fitted.grand, row)
                half = fitted.reach * one.se
                if one.se <= 0:
                    continue
                F = (one.value / one.se) ** 2
                report.row(
                    cls.contrasts, source=name, contrast=word, estimate=model.scale.back(one.value),
                    se=model.scale.back(one.se), low=model.scale.back(one.value - half),
                    high=model.scale.back(one.value + half), F=F, df=1, df_error=model.df,
                    p=float(special.fdtrc(1, model.df, F)), eta=F / (F + model.df),
                )  # fmt: skip
        report.note(cls.contrasts, TOLD[how] + "各 *p* 没有校正。CI 的置信水平为 {level:percent}。", level=fitted.level)

    @classmethod
    def _paths(cls, report: Report, fitted: Fitted) -> None:
        """Each subject a line; of many, some spread evenly over the file."""
        measured = fitted.measured
        step = max(1, -(-measured.n // MOST_LINES))
        shown = list(range(0, measured.n, step))
        words = measured.cell_words
        for i in shown:
            for word, y in zip(words, measured.values[i], strict=True):
                report.row(cls.paths, subject=measured.subjects[i], x=word, y=float(y))
        thinned = (len(shown), measured.n) if len(shown) < measured.n else None
        report.chart(
            cls.path_plot, thinned=thinned,
            titles={"x": measured.name(range(len(measured.within))),
                    "y": with_unit(measured.outcome, measured.study.unit)},
        )  # fmt: skip
        report.note(cls.path_plot, "每条线是一名个体；线大致平行，说明各人的变化相近。")

    @classmethod
    def _size(cls, report: Report, fitted: Fitted) -> None:
        n, k = fitted.measured.n, len(fitted.measured.combos)
        few = n < 10
        report.check(
            "样本量", "care" if few else "pass",
            "{n:integer} 名个体，每名 {k:integer} 次测量。" + ("人数很少，只有很大的差异才看得出来。" if few else ""),
            n=n, k=k,
        )  # fmt: skip
