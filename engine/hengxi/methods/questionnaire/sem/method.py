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
    Paths,
    Refusal,
    Report,
    Table,
    blocks,
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
from hengxi.families.sem.blueprint import Blueprint, Factor, Link
from hengxi.families.sem.study import Estimate, Study


class Sem(base.Structural):
    """Factors, arrows between them, residuals that go together: one model, from the covariance matrix."""

    title, title_en = "结构方程模型SEM", "Structural equation model"
    slug = "sem"
    family, tier = "影响机制", "member"
    purpose = "潜变量之间的假设结构关系是否得到数据支持"
    aliases = (
        "SEM",
        "结构方程",
        "AMOS",
        "LISREL",
        "Mplus",
        "lavaan",
        "潜变量",
        "路径模型",
        "假设检验",
        "CFA",
        "因果模型",
        "WLSMV",
        "DWLS",
        "GLS",
        "ULS",
    )
    references = (*base.REFERENCES, *base.MORE_REFERENCES, "anderson1988", "henseler2015", "fornell1981")
    conventions = (
        *base.CONVENTIONS,
        *base.MORE_CONVENTIONS,
        "AVE 与 CR 由标准化载荷的绝对值计算，反向题不必先转换；HTMT 用题项相关的绝对值（Henseler 等，2015）。",
        "间接效应的标准误用 delta 法；Bootstrap 区间取百分位，每次从原样本的解出发，不收敛的一次不计。",
    )
    random = True
    graded = True

    class Input(Form):
        factors: list[Block] = blocks(
            "潜变量", "定量", min=1, size=(2, None), names="F{i}", varies=True, hint="每个潜变量一框，放它的题项"
        )
        observed: list[Column] = role(
            "显变量（选填）", "定量", min=0, max=None, hint="不属于任何潜变量的变量，如总分、年龄"
        )
        paths: Paths = paths(
            "结构路径", nodes=("factors", "observed"), kinds=("path", "cov"), hint="从原因画到结果；双向箭头表示相关"
        )
        group: Column | None = role("分组变量（选填）", "定类", min=0, levels=(2, 10), hint=base.GROUP_HINT)
        residuals: list[Match] = base.residual_pairs("factors", "observed")
        estimator: str = choice("估计方法", base.ALL_ESTIMATORS, hint=base.ESTIMATOR_HINT)
        missing: str = choice("缺失处理", base.ALL_MISSING)
        n_boot: int | None = integer(
            "Bootstrap 次数", None, least=200, most=10000, auto="不做", hint="间接效应的区间，常用 2000"
        )

    structure = base.path_table("结构路径")
    loadings = base.loading_table()
    convergent = base.convergent_table()
    discriminant = Table(
        "区分效度",
        layout=Matrix(r=num("相关", decimals=3), htmt=num("HTMT", decimals=3), show="lower", diagonal="√AVE"),
        place="main",
    )  # fmt: skip
    effects = Table(
        "间接效应与总效应", path=text("路径"), kind=text("效应"), b=num("效应值"),
        se=num("标准误", around="b"), z=num("*z*"),
        p=pvalue(), standard=num("标准化", decimals=3),
        ci=interval("Bootstrap 95%CI", "low", "high", around="b", inside=False, when={"n_boot": filled}),
        merge=("path",), place="main",
        claim=claim("named", stat("*z*", "z"), effect="b", names=("path", "kind")),
    )  # fmt: skip
    measurement = Table(
        "两步法：测量模型与结构模型", model=text("模型"), chi2=num("χ²", least=0), df=integer("*df*"), p=pvalue(),
        cfi=num("CFI", decimals=3), rmsea=num("RMSEA", least=0, decimals=3), srmr=num("SRMR", least=0, decimals=3),
        claim=claim("named", stat("χ²", "chi2", "df"), names=("model",)),
    )  # fmt: skip

    thresholds = base.threshold_table()
    groups = base.group_table()

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.factors)} 个潜变量的结构方程模型"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        items = [one for block in form["factors"] for one in block["columns"]]
        steps = [NextStep(title="看各量表的信度", method="descriptive/reliability", form={"items": form["factors"]})]
        if len(items) > 2:
            title = "题项的分组是否如设想（因子分析）"
            steps.append(NextStep(title=title, method="statistical/factor_analysis", form={"items": items}))
        return steps

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        columns = [c for block in form.factors for c in block.columns] + list(form.observed)
        print_ = _blueprint(form, columns)
        study = cls.study(report, form, print_, columns, "factors")
        base.write_loadings(report, cls.loadings, study)
        arrows = [(at, _arrows(study, study.estimates(group))) for group, at in study.places]
        for at, own in arrows:
            cls.write_arrows(report, cls.structure, study, own, at)
        base.write_validity(report, cls.convergent, cls.discriminant, study)
        cls.write_fit(report, study.indices)
        cls._effects(report, study, form)
        cls._two_steps(report, form, study, columns)
        base.write_groups(report, cls.groups, study)
        base.write_thresholds(report, cls.thresholds, study, columns)
        cls.write_common(report, study)
        if study.names:
            cls._say_groups(report, study, arrows)
        else:
            cls._say(report, study, arrows[0][1])
        cls.checks(report, study, columns, form)
        return report

    @classmethod
    def _effects(cls, report: Report, study: Study, form: Any) -> None:
        """Indirect and total effects of every pair that is joined over at least one variable between."""
        pairs = base.joined_over(study)
        if not pairs:
            report.skip(cls.effects, "路径里没有中间变量，没有间接效应")
            return
        boot.write_effects(report, cls.effects, study, pairs, form)

    @classmethod
    def _two_steps(cls, report: Report, form: Any, study: Study, columns: list[Column]) -> None:
        """The measurement model alone, all structural variables free to covary (Anderson & Gerbing, 1988)."""
        ids = set(study.print.indicators) | {column.id for column in columns}
        curves = [k for k in study.print.links if k.curved and {k.source, k.target} <= ids]
        free = Blueprint(study.print.observed, study.print.titles, study.print.factors, curves, means=study.print.means,
                         unit=study.print.unit, groups=study.print.groups)  # fmt: skip
        try:
            first = Study(free, study.samples, study.scale, kernel=study.kernel).indices
        except Refusal:
            report.skip(cls.measurement, "测量模型单独估计没有收敛")
            return
        for name, one in (("测量模型", first), ("结构模型", study.indices)):
            report.row(cls.measurement, model=name, chi2=one.chi2, df=one.df, p=one.p_value, cfi=one.cfi,
                       rmsea=one.rmsea, srmr=one.srmr)  # fmt: skip
        report.note(cls.measurement, "测量模型让潜变量之间自由相关。它拟合不好时，先改题项，再看结构路径。")

    @classmethod
    def _say_groups(cls, report: Report, study: Study, arrows: list[tuple[str | None, list[Estimate]]]) -> None:
        found = study.indices
        facts = base.fit_facts(found)
        counts = []
        for place, (at, own) in enumerate(arrows):
            facts[f"group{place}"] = at
            tested = [one for one in own if one.p is not None]
            sure = sum(1 for one in tested if (one.p or 1) < 0.05)
            counts.append(f"“{{group{place}}}”组 {len(tested)} 条路径中 {sure} 条显著")
        lead = f"{len(study.names)} 组分别估计，合起来：{base.fit_sentence(found)}{'；'.join(counts)}。"
        report.lead(lead, base.fit_figures(found), **facts)
        told: list[Paragraph] = [
            ("一条路径在一组显著、在另一组不显著，不等于两组的系数有差别。"
             "路径系数说明变量之间的关联在假设的方向下有多强，不等于证明了因果。", {})
        ]  # fmt: skip
        report.voices(told, base.fit_paper(found), [(lead, {})], **facts)

    @classmethod
    def _say(cls, report: Report, study: Study, arrows: list[Estimate]) -> None:
        found = study.indices
        tested = [one for one in arrows if one.p is not None]
        sure = sorted((one for one in tested if (one.p or 1) < 0.05), key=lambda one: -abs(one.standard))
        facts = base.fit_facts(found)
        lead = base.fit_sentence(found) + f"{len(tested)} 条结构路径中 {len(sure)} 条显著"
        if sure:
            names = {f"path{i}": base.arrow_name(study, one) for i, one in enumerate(sure[:3])}
            facts |= names | {f"beta{i}": one.standard for i, one in enumerate(sure[:3])}
            lead += ("，最大的 3 条为：" if len(sure) > 3 else "：") + "；".join(
                f"{{path{i}}}（β = {{beta{i}:num3}}）" for i in range(len(names))
            )
        report.lead(lead + "。", base.fit_figures(found), **facts)
        open_ = [one for one in tested if (one.p or 0) >= 0.05]
        told: list[Paragraph] = [
            ("路径系数说明变量之间的关联在假设的方向下有多强，不等于证明了因果；其他模型可能同样拟合。", {})
        ]
        if open_:
            names_ = "；".join(base.arrow_name(study, one) for one in open_[:5])
            told.insert(0, ("没有发现明显作用的路径：{open}。“不显著”不等于没有，也可能是样本不够。", {"open": names_}))
        report.voices(told, base.fit_paper(found), [(base.fit_sentence(found), {})], **facts)


def _arrows(study: Study, found: list[Estimate]) -> list[Estimate]:
    items = study.print.indicators
    return [one for one in found if one.cell.kind == "A" and study.print.ids[one.cell.row] not in items]


def _blueprint(form: Any, columns: list[Column]) -> Blueprint:
    names = base.column_titles(columns)
    factors = [Factor(block.id, block.name, [c.id for c in block.columns]) for block in form.factors]
    links = [
        Link(edge.source, edge.target, edge.kind == "cov", None if edge.free else edge.value)
        for edge in form.paths.edges
    ]
    links += base.residual_links(form, columns)
    return Blueprint([c.id for c in columns], {**names, **{f.id: f.name for f in factors}}, factors, links)
