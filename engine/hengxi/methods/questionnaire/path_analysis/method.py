from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    ColumnInfo,
    Form,
    NextStep,
    Paths,
    Report,
    Table,
    choice,
    claim,
    filled,
    integer,
    interval,
    num,
    paths,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.contract.report import Paragraph
from hengxi.families.sem import base, boot
from hengxi.families.sem.blueprint import Blueprint, Link
from hengxi.families.sem.study import Estimate, Study


class PathAnalysis(base.Structural):
    """Observed variables and arrows between them; a saturated part equals least squares equation by equation."""

    title, title_en = "路径分析", "Path analysis"
    slug = "path-analysis"
    family, tier = "影响机制", "member"
    rescaled = (("variables",),)
    purpose = "一组显变量之间的假设路径是否成立，直接与间接影响各多大"
    aliases = ("路径模型", "path", "显变量", "直接效应", "间接效应", "总效应", "链式中介", "因果模型", "AMOS")
    references = (*base.REFERENCES, "wright1934")
    conventions = (
        *base.CONVENTIONS,
        "间接效应的标准误用 delta 法；Bootstrap 区间取百分位，每次从原样本的解出发，不收敛的一次不计。",
    )
    random = True

    class Input(Form):
        variables: list[Column] = role("模型变量", "定量", min=3, max=60)
        paths: Paths = paths(
            "路径", nodes=("variables",), kinds=("path", "cov"), hint="从原因画到结果；双向箭头是相关或残差相关"
        )
        estimator: str = choice("估计方法", base.ESTIMATORS, hint="变量明显不正态时选 MLR")
        missing: str = choice("缺失处理", base.MISSING)
        n_boot: int | None = integer(
            "Bootstrap 次数", None, least=200, most=10000, auto="不做", hint="间接与总效应的区间，常用 2000"
        )

    coefficients = base.path_table("路径系数")
    effects = Table(
        "效应分解", path=text("路径"), kind=text("效应"), b=num("效应值"), se=num("标准误", around="b"), z=num("*z*"),
        p=pvalue(), standard=num("标准化", decimals=3),
        ci=interval("Bootstrap 95%CI", "low", "high", around="b", inside=False, when={"n_boot": filled}),
        merge=("path",), place="main", claim=claim("named", stat("*z*", "z"), effect="b", names=("path", "kind")),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.variables)} 个变量的路径分析"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        title = "先看变量两两的相关"
        return [NextStep(title=title, method="descriptive/correlation", form={"variables": form["variables"]})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        columns = list(form.variables)
        links = [Link(e.source, e.target, e.kind == "cov", None if e.free else e.value) for e in form.paths.edges]
        touched = {end for link in links for end in (link.source, link.target)}
        if idle := [column for column in columns if column.id not in touched]:
            report.warn(
                "data.idle", "没有路径的变量没有进入模型：{names}。",
                names="".join(f"“{column.title}”" for column in idle), columns=idle,
            )  # fmt: skip
        columns = [column for column in columns if column.id in touched]
        print_ = Blueprint([column.id for column in columns], base.column_titles(columns), links=links)
        study = cls.study(report, form, print_, columns, "variables")
        arrows = [one for one in study.estimates() if one.cell.kind == "A"]
        cls.write_arrows(report, cls.coefficients, study, arrows)
        cls._effects(report, study, form)
        cls.write_fit(report, study.indices)
        cls.write_common(report, study)
        cls._say(report, study, arrows)
        cls.checks(report, study, columns, form)
        return report

    @classmethod
    def _effects(cls, report: Report, study: Study, form: Any) -> None:
        pairs = base.joined_over(study)
        if not pairs:
            report.skip(cls.effects, "路径里没有中间变量，没有间接效应")
            return
        boot.write_effects(report, cls.effects, study, pairs, form)

    @classmethod
    def _say(cls, report: Report, study: Study, arrows: list[Estimate]) -> None:
        found = study.indices
        tested = [one for one in arrows if one.p is not None]
        sure = sorted((one for one in tested if (one.p or 0.0) < 0.05), key=lambda one: -abs(one.standard))
        facts: dict[str, Any] = base.fit_facts(found)
        lead = f"{len(tested)} 条路径中 {len(sure)} 条显著"
        for i, one in enumerate(sure[:3]):
            facts |= {f"path{i}": base.arrow_name(study, one), f"beta{i}": one.standard}
        if sure:
            shown = [f"{{path{i}}}（β = {{beta{i}:num3}}）" for i in range(min(3, len(sure)))]
            lead += ("，最大的 3 条为：" if len(sure) > 3 else "，按大小为：") + "；".join(shown)
        report.lead(lead + "。" + base.fit_sentence(found), base.fit_figures(found), **facts)
        student: list[Paragraph] = [
            ("路径系数说明变量之间的关联在假设的方向下有多强，不等于证明了因果；箭头反过来的模型可能同样拟合。", {})
        ]
        paper: list[Paragraph] = [(base.FIT_PAPER, {})] if found.df else []
        report.voices(student, paper, [(base.fit_sentence(found), {})], **facts)
        if np.any(study.explained() > 1):
            report.warn("model.heywood", "有变量的 R² 超过 1，结果不可解读。")
