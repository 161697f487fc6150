from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    Form,
    Report,
    Silent,
    Table,
    Within,
    claim,
    confidence,
    disjoint,
    flag,
    integer,
    num,
    pvalue,
    role,
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
from hengxi.methods.hypothesis_test._shared.repeated_words import BOX, RepeatedWords
from hengxi.methods.hypothesis_test._shared.sample_checks import ALPHA
from hengxi.stats import multivariate_tests


class MixedAnova(RepeatedDesign):
    """Groups of subjects, each measured several times: how the groups differ, how time tells, and whether both join."""

    title, title_en = "混合设计方差分析", "Mixed (split-plot) ANOVA"
    purpose = "组间因素、组内因素及其交互对结果有无影响"
    aliases = (
        "裂区设计",
        "两因素混合设计",
        "重复测量两因素",
        "前后测对照组",
        "split-plot",
        "时间×组别",
        "实验组对照组前后测",
    )
    conventions = (
        *CONVENTIONS,
        "Box M 的 *F* 近似按 Box（1949）；它对非正态很敏感，按 .001 判断。",
        "Levene 检验用各次测量的残差（以均值为中心）。",
    )
    references = (*REFERENCES, "box1949", "levene1960")
    limits = (disjoint("measures", "between", "covariates"),)
    min_rows = 4

    class Input(Form):
        measures: Within = within("重复测量变量", factors=(1, 2), levels=(2, 20))
        between: list[Column] = role("组间因素", "定类", min=1, max=3, levels=(2, None))
        covariates: list[Column] = role("协变量（选填）", "定量", min=0, max=3)
        correction: str = correction_choice("auto", "none", "gg", "hf")
        simple_effects: bool = flag("简单效应", True)
        post_hoc: str = adjust_choice("none", "bonferroni", "sidak")
        conf_level: float = confidence(0.5)

    outer = Table(
        "主体间效应", source=text("差异来源"), ss=num("平方和", least=0), df=num("*df*1"), df_error=num("*df*2"),
        ms=num("均方", least=0), F=num("*F*", least=0), p=pvalue(), eta=num("偏η²", least=0, most=1),
        ges=num("广义η²", least=0, most=1), place="main",
        claim=claim("named", stat("*F*", "F", "df", "df_error"), effect="eta", names=("source",)),
    )  # fmt: skip
    box = Table(
        "协方差齐性（Box M）", layout="record", m=num("Box *M*"), F=num("*F*"), df1=integer("*df*1"), df2=num("*df*2"),
        p=pvalue(), claim=Silent("told by its check"),
    )  # fmt: skip
    spread = Table(
        "各次测量的方差齐性（Levene）", cell=text("测量"), F=num("*F*", least=0), df1=integer("*df*1"),
        df2=integer("*df*2"), p=pvalue(), claim=Silent("told by its check"),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        inner = "、".join(factor.name for factor in form.measures.factors)
        return f"按{'、'.join(one.title for one in form.between)}与{inner}的混合设计方差分析"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        fitted = cls.start(report, form, form.between, form.covariates)
        cls._outer(report, fitted)
        cls.fill(report, fitted, form.correction, form.simple_effects)
        if not form.simple_effects:
            report.skip(cls.simple, "没有选择简单效应")
        words = RepeatedWords(fitted, cls.title)
        words.write(report)
        words.check_all(report, form.correction)
        cls._box(report, fitted)
        cls._spread(report, fitted)
        cls._sizes(report, fitted)
        return report

    @classmethod
    def _outer(cls, report: Report, fitted: Fitted) -> None:
        model, study = fitted.model, fitted.measured.study
        for place, term in enumerate(model.model.terms):
            one = model.effect((), place)
            fitted.between.append((study.name(term), one))
            ss = model.scale.back(one.ss, 2)
            report.row(
                cls.outer, source=study.name(term), ss=ss, df=one.df, df_error=one.df_error,
                ms=None if ss is None else ss / one.df, F=one.F, p=one.p(), eta=one.eta, ges=one.generalized,
            )  # fmt: skip
        error = model.scale.back(model.spread(()), 2)
        report.row(
            cls.outer, source="误差", ss=error, df=model.df, ms=None if error is None else error / model.df
        )  # fmt: skip
        report.note(cls.outer, "比较的是每名个体各次测量的平均；平方和乘以了测量次数，*F* 不受影响。")

    @classmethod
    def _box(cls, report: Report, fitted: Fitted) -> None:
        study = fitted.measured.study
        of_row = study.groups.of_cell[study.cells.of_row]
        sizes, covariances = [], []
        for g in range(study.groups.n.size):
            x = fitted.model.values[of_row == g]
            moved = x - x.mean(axis=0)
            sizes.append(float(len(x)))
            covariances.append(moved.T @ moved / max(len(x) - 1, 1))
        found = multivariate_tests.box_m(sizes, covariances)
        if found is None:
            reason = "有一组的人数不多于测量次数，或组内各次测量共线，Box M 算不出来"
            report.skip(cls.box, reason)
            report.check("协方差齐性", "unknown", reason + "。")
            return
        report.row(cls.box, m=found.m, F=found.F, df1=found.df1, df2=found.df2, p=found.p)
        bad = found.p < BOX
        alike = max(sizes) <= 1.5 * min(sizes)
        ending = "没有发现各组的协方差明显不同（这一检验很敏感，按 .001 判断）。"
        if bad:
            ending = "各组的协方差不同；" + (
                "各组人数相近，影响不大。" if alike else "各组人数又相差较大，*p* 可能不准，请看 Pillai 迹。"
            )
        report.check(
            "协方差齐性", ("care" if alike else "fail") if bad else "pass",
            "Box *M* = {m:num}，*F*({df1:integer}, {df2:num}) = {F:num}，*p* {p:peq}。" + ending,
            m=found.m, F=found.F, df1=found.df1, df2=found.df2, p=found.p,
        )  # fmt: skip

    @classmethod
    def _spread(cls, report: Report, fitted: Fitted) -> None:
        found = []
        for j, word in enumerate(fitted.measured.cell_words):
            one = cls.levene_of(fitted, j)
            if one is None:
                continue
            found.append((word, one))
            report.row(cls.spread, cell=word, F=one.F, df1=one.df, df2=one.df_error, p=one.p)
        if not found:
            report.skip(cls.spread, "每组人数太少，Levene 检验算不出来")
            report.check("各次测量的方差齐性", "unknown", "每组人数太少，Levene 检验算不出来。")
            return
        bad = [word for word, one in found if one.p < ALPHA]
        word, worst = min(found, key=lambda one: one[1].p)
        n = fitted.measured.study.groups.n
        alike = float(n.max()) <= 1.5 * float(n.min())
        ending = "没有发现各组方差不等。"
        if bad:
            ending = "{k:integer} 次测量的各组方差不等；" + (
                "各组人数相近，影响较小。" if alike else "各组人数也不等，组间比较的 *p* 可能不准。"
            )
        report.check(
            "各次测量的方差齐性", ("care" if alike else "fail") if bad else "pass",
            "Levene *p* 最小的是“{word}”（*F*({df1:integer}, {df2:integer}) = {F:num}，*p* {p:peq}）。" + ending,
            word=word, F=worst.F, df1=worst.df, df2=worst.df_error, p=worst.p, k=len(bad),
        )  # fmt: skip

    @classmethod
    def _sizes(cls, report: Report, fitted: Fitted) -> None:
        n = fitted.measured.study.groups.n
        least, most = round(float(n.min())), round(float(n.max()))
        spread = "每组 {least:integer} 人" if least == most else "每组 {least:integer} 到 {most:integer} 人"
        ending = "" if least == most else "；类型III 平方和对各组同等看待，不受人数影响"
        few = least < 5
        report.check(
            "各组人数", "care" if few else "pass",
            f"{{k:integer}} 个组，{spread}{ending}。" + ("人数很少，只有很大的差异才看得出来。" if few else ""),
            k=int(np.size(n)), least=least, most=most,
        )  # fmt: skip
