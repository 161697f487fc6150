from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Block,
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Reference,
    Refusal,
    Report,
    SetRemedy,
    Silent,
    Table,
    blocks,
    choice,
    claim,
    figure,
    integer,
    num,
    number,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.families.sem import base
from hengxi.families.sem.blueprint import Blueprint, Factor, Link, Scale
from hengxi.families.sem.study import Study, gather, heywood, sample_of
from hengxi.stats.structural.fit import Sample

METHODS = {
    "harman": "Harman 单因子", "cfa_single": "单因子 CFA", "ulmc": "ULMC（不可测方法因子）", "marker": "标记变量",
    "harman_and_cfa": "Harman 与单因子 CFA",
}  # fmt: skip
HARMAN = {"method": ("harman", "harman_and_cfa")}
MODELS = {"method": ("cfa_single", "ulmc", "marker", "harman_and_cfa")}
METHOD, MARKER = "method", "marker"


@dataclass
class Data:
    """Substantive items first, marker items after them; all on one unit."""

    columns: list[Column]
    items: list[Column]
    dimensions: list[Factor]
    marker: list[Column]
    sample: Sample
    scale: Scale
    names: dict[str, str]


class CommonMethodBias(Method):
    """Harman's test, and confirmatory models with one factor, with a method factor, with a marker."""

    title, title_en = "共同方法偏差检验", "Common method bias"
    slug = "common-method-bias"
    family, tier = "问卷研究", "standard"
    purpose = "自陈问卷数据中来自同一测量方法的系统误差是否严重"
    aliases = (
        "共同方法变异",
        "CMB",
        "CMV",
        "Harman",
        "单因子检验",
        "ULMC",
        "方法因子",
        "标记变量",
        "marker",
        "同源偏差",
    )
    references = (
        "podsakoff2003", "lindell2001", "williams2010", "richardson2009", "harman1976", "wen2018", "joreskog1969",
    )  # fmt: skip
    conventions = (
        "Harman 检验用相关矩阵的主成分，不旋转（与 SPSS 相同）。",
        "验证性模型用最大似然，因子方差固定为 1，因子自由相关；χ² = n × 最小值。",
        "ULMC：每题另受一个方法因子影响，方法因子与各维度不相关。",
        "标记变量的模型按 Williams、Hartman 与 Cavazotte（2010）：基线模型中标记因子的载荷与残差固定为 CFA 的估计值，"
        "与各维度不相关；方法-C 让标记因子对各题的载荷相等，方法-U 自由估计，方法-R 再把维度间相关固定为基线值。",
        "偏相关校正按 Lindell 与 Whitney（2001）：r* = (r − r_M)/(1 − r_M)，"
        "r_M 取标记变量与各维度平均分的相关中绝对值最小的；"
        "自由度 n − 3。",
        "只用全部题项都有回答的行。",
    )
    min_rows = 3

    class Input(Form):
        items: list[Block] = blocks(
            "全部量表题项（可按维度分框）", "定量", min=0, size=(2, None), names="维度{i}", loose=True, varies=True,
            hint="ULMC 和标记变量要把题项按维度分框",
        )  # fmt: skip
        marker: list[Column] = role(
            "标记变量（选填）", "定量", min=0, max=30, hint="理论上与研究变量无关的题", varies=True
        )
        method: str = choice("检验方法", METHODS, default="harman_and_cfa")
        threshold: float = number("Harman 判据(%)", 40, least=20, most=60, when=HARMAN)
        loadings: str = choice(
            "方法因子的载荷", {"free": "自由估计", "equal": "各题相等"}, when={"method": "ulmc"},
            hint="自由估计常不收敛，可改为相等",
        )  # fmt: skip

    harman = Table(
        "Harman 单因子检验", component=integer("未旋转成分"), eigenvalue=num("特征根", least=0, decimals=3),
        share=percent("方差解释率"),
        running=percent("累积"), place="main", when=HARMAN,
    )  # fmt: skip
    scree = Chart(
        "未旋转的碎石图", "line", of=harman, x="component", y="eigenvalue", over=[Reference(y=1, label="特征根 1")],
        place="main",
        when=HARMAN,
    )  # fmt: skip
    models = Table(
        "模型拟合", model=text("模型"), chi2=num("χ²", least=0), df=integer("*df*"), p=pvalue(), cfi=num("CFI",
        decimals=3),
        tli=num("TLI", decimals=3), rmsea=num("RMSEA", least=0, decimals=3), srmr=num("SRMR", least=0, decimals=3),
        place="main", when=MODELS, claim=claim("named", stat("χ²", "chi2", "df"), names=("model",)),
    )  # fmt: skip
    compared = Table(
        "模型比较", pair=text("比较"), chi2=num("Δχ²", least=0), df=integer("Δ*df*"), p=pvalue(), cfi=num("ΔCFI",
        decimals=3),
        tli=num("ΔTLI", decimals=3), rmsea=num("ΔRMSEA", decimals=3), srmr=num("ΔSRMR", decimals=3), place="main",
        when=MODELS, claim=claim("named", stat("Δχ²", "chi2", "df"), names=("pair",)),
    )  # fmt: skip
    variance = Table(
        "方差的来源", item=text("题项"), dimension=text("维度"), trait=percent("维度", span="解释的方差"),
        method=percent("方法", span="解释的方差"), when={"method": ("ulmc", "marker")},
    )  # fmt: skip
    adjusted = Table(
        "校正标记变量后的相关", pair=text("两个维度"), r=num("相关", least=-1, most=1, decimals=3), p=pvalue("*p*"),
        corrected=num("校正后", decimals=3), corrected_p=pvalue("校正后 *p*"), when={"method": "marker"},
        claim=Silent("correlations of sums before and after a correction; the models carry the conclusion"),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{sum(len(block.columns) for block in form.items)} 个题项的共同方法偏差"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        named = [block for block in form["items"] if block["id"] != "loose"]
        return [
            NextStep(title="各维度的验证性因子分析", method="questionnaire/confirmatory_factor",
            form={"factors": named})
        ] if named else []  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = _data(form)
        report.used(data.sample.n)
        told = []
        if form.method in HARMAN["method"]:
            told.append(cls._harman(report, data, form))
        if form.method in ("cfa_single", "harman_and_cfa"):
            told.append(cls._single(report, data))
        if form.method == "ulmc":
            told.append(cls._method_factor(report, data, form))
        if form.method == "marker":
            told.append(cls._marker(report, data))
        _words(report, data, told)
        return report

    # ---- Harman ----------------------------------------------------------------------------------------------------
    @classmethod
    def _harman(cls, report: Report, data: Data, form: Any) -> tuple[str, dict[str, Any]]:
        k = len(data.items)
        spread = np.sqrt(np.diag(data.sample.s))[:k]
        values = np.linalg.eigvalsh(data.sample.s[:k, :k] / np.outer(spread, spread))[::-1]
        for i, value in enumerate(values):
            report.row(cls.harman, component=i + 1, eigenvalue=float(value), share=float(value) / k,
                       running=float(values[: i + 1].sum()) / k)  # fmt: skip
        first, several = float(values[0]) / k, int((values > 1 + 1e-10).sum())
        over = first * 100 >= form.threshold
        report.note(cls.harman, "国内常用判据是首个成分的解释率低于 40%，也有人用 50%；这是经验界限。")
        report.check(
            "Harman 检验", "care" if over else "pass",
            "特征根大于 1 的成分 {several:integer} 个，首个解释 {first:percent1}，" + ("不低于" if over else "低于")
            + "判据 {bound:num0}%。"
            + ("" if over else "这个检验偏弱，低于判据不等于没有共同方法偏差。"),
            several=several, first=first, bound=form.threshold,
        )  # fmt: skip
        return (
            "首个未旋转成分解释 {first:percent1} 的方差，" + ("不低于" if over else "低于") + "判据 {bound:num0}%。",
            {"first": first, "bound": form.threshold},
        )

    # ---- one factor ------------------------------------------------------------------------------------------------
    @classmethod
    def _single(cls, report: Report, data: Data) -> tuple[str, dict[str, Any]]:
        one = cls._fit(report, "单因子模型", data, [Factor("one", "单因子", [c.id for c in data.items])])
        planned = cls._fit(report, "预设维度模型", data, data.dimensions) if len(data.dimensions) > 1 else None
        if one is None:
            report.skip(cls.models, "没有可用的解，见提示")
            report.skip(cls.compared, "没有可以比较的两个模型")
            return "单因子模型没有可用的解。", {}
        found = one.indices
        bad = base.grade(found) == "不佳"
        facts = {"cfi": found.cfi, "rmsea": found.rmsea}
        told = "单因子模型拟合" + ("不佳" if bad else "并不差") + "（CFI = {cfi:num3}，RMSEA = {rmsea:num3}）"
        if planned is None:
            report.skip(cls.compared, "没有预设维度的模型可以比较：把题项按维度分框后才有")
            return told + "。", facts
        row = cls._compare(report, "预设维度模型 对 单因子模型", one, planned)
        clear = row["p"] is not None and row["p"] < 0.05 and row["cfi"] is not None and row["cfi"] > 0.01
        return told + ("，明显不如预设维度模型。" if clear else "，与预设维度模型相差不大。"), facts

    # ---- a method factor -------------------------------------------------------------------------------------------
    @classmethod
    def _method_factor(cls, report: Report, data: Data, form: Any) -> tuple[str, dict[str, Any]]:
        if not data.dimensions:
            raise Refusal("data.dimensions", "ULMC 要先知道题项属于哪个维度：请先把题项放入各自维度的框", field="items")
        planned = cls._fit(report, "预设维度模型", data, data.dimensions)
        inside = [item for factor in data.dimensions for item in factor.items]
        links = [Link(METHOD, factor.id, True, 0.0) for factor in data.dimensions]
        alike = {f"{item}<-{METHOD}": "method" for item in inside} if form.loadings == "equal" else {}
        remedy = [SetRemedy(title="方法因子的载荷设为相等", set={"loadings": "equal"})] if not alike else []
        factors = [*data.dimensions, Factor(METHOD, "方法因子", inside)]
        with_method = cls._fit(report, "加入方法因子", data, factors, links, alike=alike)
        if planned is None or with_method is None:
            report.skip(cls.compared, "有模型没有可用的解，见提示")
            report.skip(cls.variance, "有模型没有可用的解，见提示")
            if planned is None:
                report.skip(cls.models, "没有可用的解，见提示")
            report.check(
                "方法因子模型",
                "fail",
                "没有得到方法因子的解。这种模型常不收敛或不可识别；可把载荷设为相等，或改用标记变量。",
                remedies=remedy,
            )
            return "没有得到方法因子模型的解，不能判断。", {}
        row = cls._compare(report, "加入方法因子 对 预设维度模型", planned, with_method)
        share = cls._sources(report, data, with_method, METHOD)
        strong = (
            (row["cfi"] or 0) > 0.1
            or (row["tli"] or 0) > 0.1
            or (row["rmsea"] or 0) < -0.05
            or (row["srmr"] or 0) < -0.05
        )
        report.note(
            cls.compared,
            "常用参考（温忠麟等，2018）：加入方法因子后 CFI、TLI 提高不超过 0.1，RMSEA、SRMR 降低不超过 0.05，"
            "没有严重的共同方法偏差。",
        )
        return (
            "加入方法因子后 CFI 提高 {cfi:num3}，RMSEA 变化 {rmsea:num3}，"
            + ("拟合明显变好" if strong else "拟合没有明显变好")
            + "；方法因子平均解释 {share:percent1} 的方差。",
            {"cfi": row["cfi"], "rmsea": row["rmsea"], "share": share},
        )

    # ---- a marker --------------------------------------------------------------------------------------------------
    @classmethod
    def _marker(cls, report: Report, data: Data) -> tuple[str, dict[str, Any]]:
        if not data.marker:
            raise Refusal("role.few", "请放入标记变量：一个理论上与研究变量无关的量表", field="marker")
        if len(data.dimensions) < 2:
            raise Refusal("data.dimensions", "标记变量的检验至少要两个维度：请先把题项放入各自维度的框", field="items")
        smallest = cls._partial(report, data)
        whole = {"smallest": smallest}
        if len(data.marker) < 2:
            for table in (cls.models, cls.compared, cls.variance):
                report.skip(table, "标记变量只有 1 题，不能建标记因子的模型；至少 2 题")
            return "标记变量与各维度的最小相关为 {smallest:num3}，校正前后的相关见表。", whole
        own = Factor(MARKER, "标记因子", [column.id for column in data.marker])
        factors = [*data.dimensions, own]
        cfa = cls._fit(report, "CFA（标记因子自由相关）", data, factors)
        fixed: dict[str, float] = {}
        if cfa is not None:
            ids = cfa.print.ids
            for one in cfa.estimates():
                row, col = ids[one.cell.row], ids[one.cell.col]
                if one.cell.kind == "A" and col == MARKER:
                    fixed[f"{row}<-{MARKER}"] = one.b
                if one.cell.kind == "S" and row == col and row in own.items:
                    fixed[f"{row}~~{row}"] = one.b
        apart = [Link(MARKER, factor.id, True, 0.0) for factor in data.dimensions]
        inside = [item for factor in data.dimensions for item in factor.items]
        onto = [Link(MARKER, item) for item in inside]
        alike = {f"{item}<-{MARKER}": "method" for item in inside}
        base_ = None if cfa is None else cls._fit(report, "基线", data, factors, apart, fixed=fixed)
        equal = (
            None
            if base_ is None
            else cls._fit(report, "方法-C（载荷相等）", data, factors, [*apart, *onto], fixed, alike)
        )
        free = None if equal is None else cls._fit(report, "方法-U（载荷自由）", data, factors, [*apart, *onto], fixed)
        if base_ is None or equal is None or free is None:
            report.skip(cls.compared, "有模型没有可用的解，见提示")
            report.skip(cls.variance, "有模型没有可用的解，见提示")
            if cfa is None:
                report.skip(cls.models, "没有可用的解，见提示")
            return "标记因子的模型没有可用的解；标记变量与各维度的最小相关为 {smallest:num3}。", whole
        held = {
            f"{base_.print.ids[one.cell.row]}~~{base_.print.ids[one.cell.col]}": one.b
            for one in base_.estimates()
            if one.cell.kind == "S" and one.cell.row != one.cell.col
        }
        same = cls._fit(report, "方法-R（维度相关固定）", data, factors, [*apart, *onto], {**fixed, **held})
        found = cls._compare(report, "方法-C 对 基线", base_, equal)
        cls._compare(report, "方法-U 对 方法-C", equal, free)
        if same is not None:
            cls._compare(report, "方法-U 对 方法-R", same, free)
        share = cls._sources(report, data, free, MARKER)
        report.note(
            cls.compared,
            "方法-C 对基线：有没有方法效应；方法-U 对方法-C：效应各题是否相等；方法-U 对方法-R："
            "维度间的相关是否受影响。",
        )
        there = found["p"] is not None and found["p"] < 0.05
        return (
            ("发现" if there else "没有发现")
            + "标记变量所代表的方法效应（方法-C 对基线 *p* {p:peq}），它平均解释 {share:percent1} 的方差。",
            {"p": found["p"], "share": share},
        )

    @classmethod
    def _partial(cls, report: Report, data: Data) -> float:
        rows, n = data.sample.rows, data.sample.n
        place = {column.id: i for i, column in enumerate(data.columns)}
        scores = [rows[:, [place[item] for item in factor.items]].mean(axis=1) for factor in data.dimensions]
        own = rows[:, [place[column.id] for column in data.marker]].mean(axis=1)
        if min(float(np.std(one)) for one in [*scores, own]) <= 1e-12:
            raise Refusal(
                "data.constant", "有一个维度或标记变量的平均分没有变化（题项互相抵消），请先把反向题转换", field="items"
            )
        r = np.corrcoef(np.column_stack([*scores, own]).T)
        with_marker = r[-1, :-1]
        smallest = float(with_marker[np.argmin(np.abs(with_marker))])
        for i in range(len(scores)):
            for j in range(i):
                raw = float(r[i, j])
                corrected = (raw - smallest) / (1 - smallest)
                report.row(
                    cls.adjusted, pair=f"{data.dimensions[j].name} — {data.dimensions[i].name}", r=raw, p=_r_p(raw,
                    n - 2),
                    corrected=corrected, corrected_p=_r_p(corrected, n - 3),
                )  # fmt: skip
        report.note(cls.adjusted, "用各维度的平均分计算；扣去的相关 r_M = {smallest:num3}。", smallest=smallest)
        return smallest

    # ---- models ----------------------------------------------------------------------------------------------------
    @classmethod
    def _fit(
        cls, report: Report, name: str, data: Data, factors: Sequence[Factor], links: Sequence[Link] = (),
        fixed: dict[str, float] | None = None, alike: dict[str, str] | None = None,
    ) -> Study | None:  # fmt: skip
        observed = {item for factor in factors for item in factor.items}
        places = [i for i, column in enumerate(data.columns) if column.id in observed]
        ids = [data.columns[i].id for i in places]
        names = {**data.names, **{factor.id: factor.name for factor in factors}}
        whole = data.sample
        part = whole if len(places) == len(data.columns) else sample_of([data.columns[i] for i in places],
        [whole.rows[:, i] for i in places], "items")  # fmt: skip
        print_ = Blueprint(ids, names, list(factors), list(links), True, fixed=fixed or {}, alike=alike or {})
        try:
            study = Study(print_, [part], Scale(data.scale.sizes[places]))
        except Refusal as refusal:
            report.warn("model.unsolved", "“{name}”没有可用的解：{why}。", name=name, why=refusal.text)
            return None
        found = study.indices
        heywood(study, report)
        report.row(cls.models, model=name, chi2=found.chi2 if found.df else 0.0, df=found.df, p=found.p_value,
        cfi=found.cfi,
                   tli=found.tli, rmsea=found.rmsea, srmr=found.srmr)  # fmt: skip
        return study

    @classmethod
    def _compare(cls, report: Report, pair: str, narrow: Study, wide: Study) -> dict[str, Any]:
        a, b = narrow.indices, wide.indices
        chi2, df = max(a.chi2 - b.chi2, 0.0), a.df - b.df

        def change(key: str) -> float | None:
            one, other = getattr(a, key), getattr(b, key)
            return None if one is None or other is None else float(other - one)

        return report.row(
            cls.compared, pair=pair, chi2=chi2, df=df, p=float(stats.chi2.sf(chi2, df)) if df > 0 else None,
            cfi=change("cfi"), tli=change("tli"), rmsea=change("rmsea"), srmr=change("srmr"),
        )  # fmt: skip

    @classmethod
    def _sources(cls, report: Report, data: Data, study: Study, method: str) -> float:
        a, _ = study.state().standard()
        ids = study.print.ids
        shares: list[float] = []
        traits: list[float] = []
        for factor in data.dimensions:
            for item in factor.items:
                i = ids.index(item)
                trait, own = float(a[i, ids.index(factor.id)] ** 2), float(a[i, ids.index(method)] ** 2)
                shares.append(own)
                traits.append(trait)
                report.row(cls.variance, item=data.names[item], dimension=factor.name, trait=trait, method=own)
        report.row(
            cls.variance,
            item="平均",
            dimension="—",
            trait=float(np.mean(traits)),
            method=float(np.mean(shares)),
            total=True,
        )
        report.note(cls.variance, "标准化载荷的平方。")
        return float(np.mean(shares))


def _data(form: Any) -> Data:
    items = [column for block in form.items for column in block.columns]
    if len(items) < 6:
        raise Refusal(
            "role.few", "共同方法偏差检验需要放入全部量表题项(至少6个)，现在有 {k} 个", field="items", k=len(items)
        )
    named = [block for block in form.items if block.name is not None]
    used = [c for block in named for c in block.columns] if form.method in ("ulmc", "marker") and named else items
    marker = list(form.marker) if form.method == "marker" else []
    if form.method in ("harman", "cfa_single", "harman_and_cfa"):
        used = items
    columns = [*used, *marker]
    values, scale = gather(columns, "items")
    common = scale.common
    values = [x * (own / one) for x, own, one in zip(values, scale.sizes, common.sizes, strict=True)]
    sample = sample_of(columns, values, "items")
    whole = len(used) == sum(len(block.columns) for block in named)
    dimensions = [Factor(block.id, block.name or "", [c.id for c in block.columns]) for block in named] if whole else []
    return Data(columns, used, dimensions, marker, sample, common, base.column_titles(columns))


def _r_p(r: float, df: int) -> float | None:
    if abs(r) >= 1 or df < 1:
        return None
    return float(2 * stats.t.sf(abs(r) * np.sqrt(df / (1 - r * r)), df))


def _words(report: Report, data: Data, told: list[tuple[str, dict[str, Any]]]) -> None:
    facts: dict[str, Any] = {"n": data.sample.n}
    for _, own in told:
        facts |= {key: value for key, value in own.items() if value is not None}
    text_ = "".join(one for one, _ in told)
    figures = [figure("首个成分", "{first:percent1}", "判据 {bound:num0}%")] if "first" in facts else []
    report.lead(text_, figures, **facts)
    report.voices(
        [("Harman 检验和单因子模型的检出力低：通过只说明没有一个因子包办一切，不等于没有共同方法偏差。"
          "方法因子模型更敏感，但方法因子也可能含有真实的内容。预防比检验重要：不同来源、不同时间、匿名和打乱题序。",
          {})],
        [("用统计方法检查共同方法偏差（*n* = {n:integer}）：" + text_, {})], [(text_, {})], **facts,
    )  # fmt: skip
