from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hengxi.contract import (
    Block,
    Column,
    ColumnInfo,
    Form,
    Match,
    Matrix,
    NextStep,
    Refusal,
    Report,
    SetRemedy,
    Table,
    blocks,
    choice,
    flag,
    num,
    role,
)
from hengxi.contract.report import Paragraph
from hengxi.families.sem import base
from hengxi.families.sem.blueprint import Blueprint, Factor
from hengxi.families.sem.study import Study

SECOND = "二阶因子"


class ConfirmatoryFactor(base.Structural):
    """Every item belongs to one factor; the factors covary freely, or load on one factor above them."""

    title, title_en = "验证性因子分析", "Confirmatory factor analysis"
    slug = "confirmatory-factor-analysis"
    family, tier = "问卷研究", "member"
    purpose = "预设的因子结构与数据是否拟合，聚合效度与区分效度如何"
    aliases = (
        "CFA",
        "验证性因素分析",
        "结构效度",
        "聚合效度",
        "收敛效度",
        "区分效度",
        "AVE",
        "组合信度",
        "HTMT",
        "测量模型",
        "WLSMV",
        "DWLS",
        "GLS",
        "ULS",
    )
    references = (*base.REFERENCES, *base.MORE_REFERENCES, "henseler2015", "fornell1981")
    conventions = (
        *base.CONVENTIONS,
        *base.MORE_CONVENTIONS,
        "AVE 与 CR 由标准化载荷的绝对值计算，反向题不必先转换；HTMT 用题项相关的绝对值（Henseler 等，2015）。",
        "二阶模型中，一阶因子之间的相关只由二阶因子解释。",
    )

    graded = True

    class Input(Form):
        factors: list[Block] = blocks(
            "因子", "定量", min=1, size=(2, None), names="F{i}", varies=True, hint="每个因子一框，放它的题项"
        )
        identification: str = choice("识别方式", {"marker": "首个载荷固定为 1", "std_lv": "因子方差固定为 1"})
        second_order: bool = flag("二阶因子", False, hint="各因子再由一个总的因子解释，至少 3 个因子")
        estimator: str = choice("估计方法", base.ALL_ESTIMATORS, hint=base.ESTIMATOR_HINT)
        missing: str = choice("缺失处理", base.ALL_MISSING)
        group: Column | None = role("分组变量（选填）", "定类", min=0, levels=(2, 10), hint=base.GROUP_HINT)
        residuals: list[Match] = base.residual_pairs("factors")

    loadings = base.loading_table()
    convergent = base.convergent_table()
    discriminant = Table(
        "区分效度",
        layout=Matrix(r=num("相关", decimals=3), htmt=num("HTMT", decimals=3), show="lower", diagonal="√AVE"),
        place="main",
    )
    thresholds = base.threshold_table()
    groups = base.group_table()

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.factors)} 个因子的验证性因子分析"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        sem = NextStep(
            title="因子之间有假设的路径：结构方程模型", method="questionnaire/sem", form={"factors": form["factors"]}
        )
        start = {"items": form["factors"]}
        return [sem, NextStep(title="看各量表的信度", method="descriptive/reliability", form=start)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        columns = [c for block in form.factors for c in block.columns]
        factors = [Factor(block.id, block.name or "", [c.id for c in block.columns]) for block in form.factors]
        if form.second_order:
            if len(factors) < 3:
                raise Refusal(
                    "data.few", "二阶因子至少要 3 个一阶因子，现有 {k} 个，模型不可识别", field="second_order",
                    k=len(factors), remedies=[SetRemedy(title="不做二阶因子", set={"second_order": False})],
                )  # fmt: skip
            factors.append(Factor("second", SECOND, [factor.id for factor in factors]))
        names = {**base.column_titles(columns), **{factor.id: factor.name for factor in factors}}
        links = base.residual_links(form, columns)
        standard = form.identification == "std_lv" and not form.second_order
        print_ = Blueprint([c.id for c in columns], names, factors, links, standard)
        study = cls.study(report, form, print_, columns, "factors")
        base.write_loadings(report, cls.loadings, study)
        base.write_validity(report, cls.convergent, cls.discriminant, study)
        cls.write_fit(report, study.indices)
        base.write_groups(report, cls.groups, study)
        base.write_thresholds(report, cls.thresholds, study, columns)
        cls.write_common(report, study)
        cls._say(report, study)
        cls.checks(report, study, columns, form)
        few = [factor.name for factor in factors if len(factor.items) == 2]
        if few:
            report.warn(
                "model.two_items", "{names}只有 2 个题项，要借助与其他因子的相关才能估计；最好各有 3 个以上。",
                names="".join(f"“{name}”" for name in few),
            )  # fmt: skip
        return report

    @classmethod
    def _say(cls, report: Report, study: Study) -> None:
        found = study.indices
        rows = [
            (name if at is None else f"{name}（{at}）", items, low, ave, cr)
            for group, at in study.places
            for name, items, low, ave, cr in base.convergent(study, group)
        ]
        weak = [name for name, _, _, ave, _ in rows if ave < 0.5]
        least = min(rows, key=lambda row: row[3])
        facts = {**base.fit_facts(found), "ave": least[3], "name": least[0], "weak": "".join(f"“{w}”" for w in weak)}
        told = (
            "各因子的 AVE 都不低于 0.5。" if not weak else "AVE 不足 0.5 的因子：{weak}（最低 {ave:num3}，“{name}”）。"
        )
        lead = base.fit_sentence(found) + told
        if study.names:
            lead = f"{len(study.names)} 组分别估计，合起来：{lead}"
        report.lead(lead, base.fit_figures(found), **facts)
        student: list[Paragraph] = [
            ("拟合好说明预设的分组与数据相符，不证明只有这一种分法。改动模型后要换一批数据验证。", {})
        ]
        report.voices(student, base.fit_paper(found), [(base.fit_sentence(found), {})], **facts)
