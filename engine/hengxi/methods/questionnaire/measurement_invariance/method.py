from __future__ import annotations

from collections.abc import Mapping
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
    Refusal,
    Report,
    Row,
    Silent,
    Table,
    blocks,
    choice,
    claim,
    figure,
    flag,
    integer,
    more,
    num,
    pvalue,
    role,
    settings,
    stat,
    text,
)
from hengxi.families.sem import base
from hengxi.families.sem.blueprint import Blueprint, Factor, Scale, assemble
from hengxi.families.sem.study import Study, gather, heywood, sample_of
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words
from hengxi.stats.structural.fit import Sample, expected, gradient
from hengxi.stats.structural.model import Array, standard_errors

LEVELS = {"configural": "形态等值", "metric": "单位等值", "scalar": "尺度等值", "strict": "严格等值"}
EQUAL = {
    "configural": frozenset[str](), "metric": frozenset({"loadings"}), "scalar": frozenset({"loadings", "intercepts"}),
    "strict": frozenset({"loadings", "intercepts", "residuals"}),
}  # fmt: skip
HELD = {
    "metric": "载荷相等",
    "scalar": "载荷和截距相等",
    "strict": "载荷、截距和残差方差相等",
    "configural": "因子结构相同",
}
ALLOWS = {
    "configural": "只能说各组的因子结构相同，不能比较各组的相关、路径或平均分。",
    "metric": "可以比较各组的相关和路径系数，不能比较平均分。",
    "scalar": "可以比较各组的潜变量平均分。",
    "strict": "可以比较各组的平均分，观察分数也可以直接比较。",
}
CFI_DROP, RMSEA_RISE = 0.010, 0.015
SIGNS = {"loading": "<-", "intercept": "~1", "residual": "~~"}
KIND = {"metric": "loading", "scalar": "intercept", "strict": "residual"}
KIND_WORDS = {"loading": "载荷", "intercept": "截距", "residual": "残差方差"}


@dataclass
class Groups:
    names: list[str]
    columns: list[Column]
    factors: list[Factor]
    samples: list[Sample]
    scale: Scale
    titles: dict[str, str]
    free: frozenset[str]


class MeasurementInvariance(Method):
    """A sequence of nested models over groups, each against the one before it."""

    title, title_en = "测量等值性检验", "Measurement invariance (multi-group CFA)"
    slug = "measurement-invariance"
    family, tier = "问卷研究", "member"
    purpose = "同一量表在不同群体中的测量含义是否一致，能否比较均值"
    aliases = ("测量不变性", "多组验证性因子分析", "多群组", "形态等值", "单位等值", "弱等值", "尺度等值", "强等值",
    "严格等值",
               "部分等值", "潜均值")  # fmt: skip
    references = ("meredith1993", "chen2007", "cheung2002", "byrne1989", "satorra2001", "hancock2001", "rosseel2012")
    conventions = (
        "各组的首个题项载荷固定为 1；尺度等值起，第一组的因子均值为 0，其余组自由估计。",
        "协方差以 n 为分母；χ² 为各组之和；RMSEA 乘以组数的平方根（lavaan 的做法）。",
        "ΔCFI、ΔRMSEA 为本级减上一级；参考标准为 ΔCFI ≥ −0.010 且 ΔRMSEA ≤ 0.015（Chen，2007）。",
        "选 MLR 时 χ² 为 Yuan-Bentler 校正值，Δχ² 用 Satorra 与 Bentler（2001）的校正差。",
        "放开一个约束的检验为拉格朗日乘数检验，用期望信息，自由度为组数减 1；MLR 下不作校正。",
        "潜均值差的 d 除以各组因子方差按样本量合并后的标准差。",
    )
    missing = "listwise"
    min_rows = 6

    class Input(Form):
        factors: list[Block] = blocks(
            "因子（每因子一框）", "定量", min=1, size=(2, None), names="F{i}", hint="每个因子一框，放它的题项"
        )
        group: Column = role("分组变量", "定类", levels=(2, 10))
        levels: str = choice(
            "检验到",
            {"metric": "单位等值（载荷）", "scalar": "尺度等值（截距）", "strict": "严格等值（残差）"},
            default="strict",
        )
        criterion: str = choice(
            "判断标准", {"chisq_diff": "Δχ² 检验", "chen2007": "ΔCFI 与 ΔRMSEA（Chen，2007）"}, default="chen2007",
            hint="样本大时 Δχ² 几乎总是显著",
        )  # fmt: skip
        estimator: str = choice("估计方法", base.ESTIMATORS)
        missing: str = choice("缺失处理", base.MISSING)
        partial: list[Row] = settings(
            "释放的约束", of="factors", loading=flag("载荷", False), intercept=flag("截距", False),
            residual=flag("残差方差", False), advanced=True, hint="部分等值：勾选的参数各组自由估计",
        )  # fmt: skip

    compared = Table(
        "嵌套模型比较", level=text("模型"), chi2=num("χ²", least=0), df=integer("*df*"), cfi=num("CFI", decimals=3),
        tli=num("TLI", decimals=3), rmsea=num("RMSEA", least=0, decimals=3), srmr=num("SRMR", least=0, decimals=3),
        dchi2=num("Δχ²"), ddf=integer("Δ*df*"), p=pvalue("Δχ² 的 *p*"), dcfi=num("ΔCFI", decimals=3),
        drmsea=num("ΔRMSEA", decimals=3), verdict=text("结论"), place="main",
        claim=claim("named", stat("Δχ²", "dchi2", "ddf"), names=("level",)),
    )  # fmt: skip
    line = Chart("各级模型的 CFI", "line", of=compared, x="level", y="cfi", place="detail")
    means = Table(
        "潜均值差异", factor=text("因子"), group=text("组"), b=num("与第一组的差"), se=num("标准误", around="b"),
        z=num("*z*"),
        p=pvalue(), d=num("*d*", decimals=3), place="main", when={"levels": ("scalar", "strict")},
        claim=claim("named", stat("*z*", "z"), effect="d", effect_symbol="*d*", names=("factor", "group")),
    )  # fmt: skip
    releases = Table(
        "可放开的约束", parameter=text("参数"), lm=num("χ²（放开后约下降）", least=0), df=integer("*df*"),
        p=pvalue(), place="main",
        claim=Silent("a search for the constraints that do not hold, not a finding"),
    )  # fmt: skip
    parameters = Table(
        "各组参数（形态等值模型）", group=text("组"), factor=text("因子"), item=text("题项"), b=num("载荷"),
        standard=num("标准化载荷", decimals=3), intercept=num("截距"), residual=num("残差方差"), merge=("group",
        "factor"),
    )  # fmt: skip
    sizes = Table("各组样本", group=text("组"), n=integer("样本量"))

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.group.title}各组的测量等值性"

    @classmethod
    def dropped_by(cls, form: dict[str, Any]) -> tuple[str, ...] | None:
        return ("group",) if form.get("missing") == "fiml" else None

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 1.0 + rows * columns * 1e-6 + columns**2 * 1e-2

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        factors = form["factors"]
        return [
            NextStep(
                title="不分组的验证性因子分析", method="questionnaire/confirmatory_factor", form={"factors": factors}
            )
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        groups = _groups(report, form)
        tested = list(LEVELS)[: list(LEVELS).index(form.levels) + 1]
        studies = {level: _study(groups, level, form) for level in tested}
        heywood(studies["configural"], report)
        rows = cls._compare(report, studies, form)
        reached = _reached(rows)
        cls._parameters(report, groups, studies["configural"])
        if "scalar" in studies:
            cls._means(report, groups, studies["scalar"], reached)
        failed = next((level for level in tested[1:] if rows[level]["verdict"] == "不成立"), None)
        cls._releases(report, groups, studies, failed or tested[-1], failed is not None)
        _words(report, form, groups, rows, reached, failed)
        _checks(report, groups, studies["configural"], form)
        return report

    @classmethod
    def _compare(cls, report: Report, studies: Mapping[str, Study], form: Any) -> dict[str, dict[str, Any]]:
        rows: dict[str, dict[str, Any]] = {}
        before: Study | None = None
        broken = False
        for level, study in studies.items():
            found = study.indices
            cells: dict[str, Any] = {}
            if before is not None:
                cells = _difference(before, study)
                fine = cells["dcfi"] is not None and cells["dcfi"] >= -CFI_DROP - 1e-12
                fine = fine and (cells["drmsea"] is None or cells["drmsea"] <= RMSEA_RISE + 1e-12)
                if form.criterion == "chisq_diff":
                    fine = cells["p"] is not None and cells["p"] >= 0.05
                cells["verdict"] = "上一级不成立" if broken else "成立" if fine else "不成立"
                broken = broken or not fine
            else:
                cells["verdict"] = {"良好": "拟合良好", "可接受": "拟合可接受", "不佳": "拟合不佳"}[base.grade(found)]
            rows[level] = report.row(
                cls.compared, level=LEVELS[level], chi2=found.chi2 if found.df else 0.0, df=found.df, cfi=found.cfi,
                tli=found.tli, rmsea=found.rmsea, srmr=found.srmr, **cells,
            )  # fmt: skip
            before = study
        rule = (
            "Δχ² 检验 *p* ≥ .05" if form.criterion == "chisq_diff" else "ΔCFI ≥ −0.010 且 ΔRMSEA ≤ 0.015（Chen，2007）"
        )
        report.note(cls.compared, f"每一级与上一级比较，成立的条件：{rule}。")
        if form.estimator == "mlr":
            report.note(cls.compared, "χ² 为稳健校正值，Δχ² 不等于两级 χ² 之差。")
        return rows

    @classmethod
    def _parameters(cls, report: Report, groups: Groups, study: Study) -> None:
        ids = study.print.ids
        for g, name in enumerate(groups.names):
            found = {(one.cell.kind, one.cell.row, one.cell.col): one for one in study.estimates(g)}
            for factor in groups.factors:
                for item in factor.items:
                    i = ids.index(item)
                    one = found["A", i, ids.index(factor.id)]
                    report.row(
                        cls.parameters, group=name, factor=factor.name, item=groups.titles[item], b=one.b,
                        standard=one.standard, intercept=found["M", i, 0].b, residual=found["S", i, i].b,
                    )  # fmt: skip
            report.row(cls.sizes, group=name, n=groups.samples[g].n)

    @classmethod
    def _means(cls, report: Report, groups: Groups, study: Study, reached: str) -> None:
        layouts, places = study.model.layouts, [study.print.ids.index(factor.id) for factor in groups.factors]
        units = study.scale.all(study.print)
        n = np.array([sample.n for sample in groups.samples], dtype=float)

        def both(theta: Array) -> Array:
            states = [layout.at(theta) for layout in layouts]
            spread = sum(w * np.diag(state.g)[places] for w, state in zip(n / n.sum(), states, strict=True))
            values = [state.m[places] for state in states[1:]]
            found: Array = np.concatenate([*values, *(value / np.sqrt(spread) for value in values)])
            return found

        values, errors = standard_errors(both, study.fit.theta, study.v)
        k, half = len(places), len(values) // 2
        for g, name in enumerate(groups.names[1:]):
            for f, factor in enumerate(groups.factors):
                at = g * k + f
                unit = float(units[places[f]])
                z = float(values[at] / errors[at]) if errors[at] > 0 else None
                report.row(
                    cls.means, factor=factor.name, group=f"{name} 减 {groups.names[0]}", b=float(values[at]) * unit,
                    se=float(errors[at]) * unit, z=z, p=None if z is None else float(2 * stats.norm.sf(abs(z))),
                    d=float(values[half + at]),
                )  # fmt: skip
        if reached not in ("scalar", "strict"):
            report.note(cls.means, "尺度等值没有成立，这些差异可能来自题项而不是因子，不宜解读。")

    @classmethod
    def _releases(cls, report: Report, groups: Groups, studies: Mapping[str, Study], level: str, failed: bool) -> None:
        kind, study = KIND[level], studies[level]
        found = []
        for factor in groups.factors:
            for k, item in enumerate(factor.items):
                if kind == "loading" and k == 0:
                    continue
                key = _key(item, kind, factor.id)
                if key in groups.free:
                    continue
                value, df = _score_test(study, key)
                found.append((value, df, groups.titles[item]))
        found.sort(key=lambda one: (-one[0], one[2]))
        for value, df, name in found[:20]:
            report.row(
                cls.releases,
                parameter=f"“{name}”的{KIND_WORDS[kind]}",
                lm=value,
                df=df,
                p=float(stats.chi2.sf(value, df)),
            )
        if not found:
            report.skip(cls.releases, "没有可放开的约束")
            return
        report.note(
            cls.releases,
            f"{LEVELS[level]}模型里，把这个参数改为各组自由估计时 χ² 大约下降多少。" + (
                "先放开最大且有理由的一个，再重新检验；至少要有 2 题保持相等（部分等值，Byrne 等，1989）。" if failed
                else "这一级已经成立，不需要放开。"
            ),
        )  # fmt: skip


# ---- data and models -----------------------------------------------------------------------------------------------
def _groups(report: Report, form: Any) -> Groups:
    columns = [column for block in form.factors for column in block.columns]
    factors = [Factor(block.id, block.name or "", [c.id for c in block.columns]) for block in form.factors]
    incomplete = form.missing == "fiml"
    values, scale = gather(columns, "factors", incomplete)
    levels, codes = form.group.levels, form.group.codes
    if not 2 <= len(levels) <= 10:
        raise Refusal("role.levels", "等值性检验需要2到10个组，“{v}”有 {k} 组；请换一个分组变量，或先合并类别",
                      field="group", column=form.group.id,
                      v=form.group.title, k=len(levels))  # fmt: skip
    names, samples = level_words(levels), []
    for level, name in zip(levels, names, strict=True):
        rows = codes == level.index if hasattr(level, "index") else codes == levels.index(level)
        own = [x[rows] for x in values]
        for column, x in zip(columns, own, strict=True):
            held = x[~np.isnan(x)]
            if held.size and held.min() == held.max():
                raise Refusal(
                    "role.constant", "在组“{g}”中题项“{v}”为常数，无法估计；请移去这一题，或不放这一组",
                    field="factors",
                    column=column.id, g=name, v=column.title,
                )  # fmt: skip
        samples.append(sample_of(columns, own, "factors", f"“{name}”组："))
    report.used(sum(sample.n for sample in samples))
    homes = {item: factor.id for factor in factors for item in factor.items}
    free = {
        _key(row.column.id, kind, homes[row.column.id]) for row in form.partial for kind in SIGNS if getattr(row, kind)
    }
    first = {f"{factor.items[0]}<-{factor.id}" for factor in factors}
    if free & first:
        report.warn("model.marker", "首个题项的载荷固定为 1，用来确定单位，不能释放；要检验它，请换一个题项排在第一。")
    titles = {**base.column_titles(columns), **{factor.id: factor.name for factor in factors}}
    return Groups(names, columns, factors, samples, scale, titles, frozenset(free - first))


def _key(item: str, kind: str, factor: str) -> str:
    return {"loading": f"{item}<-{factor}", "intercept": f"{item}~1", "residual": f"{item}~~{item}"}[kind]


def _study(groups: Groups, level: str, form: Any) -> Study:
    print_ = Blueprint(
        [c.id for c in groups.columns], groups.titles, groups.factors, means=True, groups=len(groups.names),
        equal=EQUAL[level], loose=groups.free,
    )  # fmt: skip
    return Study(print_, groups.samples, groups.scale, form.estimator == "mlr")


def _difference(free: Study, held: Study) -> dict[str, Any]:
    a, b = free.indices, held.indices
    df = b.df - a.df
    chi2: float | None = b.chi2 - a.chi2
    if held.robust and df > 0:
        scaling = (b.df * b.scaling - a.df * a.scaling) / df
        chi2 = (b.chi2 * b.scaling - a.chi2 * a.scaling) / scaling if scaling > 0 else None
    p = float(stats.chi2.sf(max(chi2, 0.0), df)) if chi2 is not None and df > 0 else None
    dcfi = b.cfi - a.cfi if a.cfi is not None and b.cfi is not None else None
    drmsea = b.rmsea - a.rmsea if a.rmsea is not None and b.rmsea is not None else None
    return {"dchi2": chi2, "ddf": df, "p": p, "dcfi": dcfi, "drmsea": drmsea}


def _score_test(study: Study, key: str) -> tuple[float, int]:
    """Lagrange multiplier test of one equality over groups: score and expected information of the wider model."""
    print_ = study.print
    wide_print = Blueprint(print_.observed, print_.titles, print_.factors, means=True, groups=print_.groups,
                           equal=print_.equal, loose=print_.loose | {key})  # fmt: skip
    wide = assemble(wide_print, study.samples, study.scale)
    at = {name: float(value) for name, value in zip(study.model.keys, study.fit.theta, strict=True)}
    theta: Floats = np.array([at[name] if name in at else at[name.split("@")[0]] for name in wide.keys])
    slope = gradient(wide, study.samples, theta)
    information = expected(wide, study.samples, theta)
    size = np.sqrt(np.diag(information))
    scaled = slope / size
    value = float(scaled @ np.linalg.solve(information / np.outer(size, size), scaled))
    return max(value, 0.0), print_.groups - 1


def _reached(rows: Mapping[str, dict[str, Any]]) -> str:
    """The highest level that holds with all those before it."""
    reached = "configural"
    for level in list(rows)[1:]:
        if rows[level]["verdict"] != "成立":
            break
        reached = level
    return reached


# ---- words ---------------------------------------------------------------------------------------------------------
def _words(
    report: Report,
    form: Any,
    groups: Groups,
    rows: Mapping[str, dict[str, Any]],
    reached: str,
    failed: str | None,
) -> None:
    facts: dict[str, Any] = {}
    part = "（部分等值：放开了 {freed:integer} 个约束）" if groups.free else ""
    if groups.free:
        facts["freed"] = len(groups.free)
    told = f"达到{LEVELS[reached]}（{HELD[reached]}）{part}。"
    if failed is not None:
        told += f"{LEVELS[failed]}不成立："
        row = rows[failed]
        if form.criterion == "chisq_diff":
            told += "Δχ²({ddf:integer}) = {dchi2:num2}，*p* {p:peq}。"
            facts |= {"ddf": row["ddf"], "dchi2": row["dchi2"], "p": row["p"]}
        else:
            told += "ΔCFI = {dcfi:num3}，ΔRMSEA = {drmsea:num3}。"
            facts |= {"dcfi": row["dcfi"], "drmsea": row["drmsea"]}
    if rows["configural"]["verdict"] == "拟合不佳":
        told += "但形态等值模型本身拟合不佳（CFI = {cfi:num3}，RMSEA = {rmsea:num3}），结论要谨慎。"
        facts |= {"cfi": rows["configural"]["cfi"], "rmsea": rows["configural"]["rmsea"]}
    allows = ALLOWS[reached]
    if reached == "strict" and groups.free:
        allows = "可以比较各组的潜变量平均分。有约束放开了，观察分数不能直接比较。"
    elif reached == "metric" and failed is None:
        allows = "可以比较各组的相关和路径系数。尺度等值没有检验，还不能比较平均分。"
    report.lead(told + allows, [figure("达到", LEVELS[reached])], **facts)
    sequence = "；".join(
        f"{LEVELS[level]} χ²({{df{i}:integer}}) = {{chi{i}:num2}}，CFI = {{cfi{i}:num3}}，RMSEA = {{rmsea{i}:num3}}"
        for i, level in enumerate(rows)
    )
    inner = {f"{short}{i}": row[key] for i, row in enumerate(rows.values())
             for short, key in (("df", "df"), ("chi", "chi2"), ("cfi", "cfi"), ("rmsea", "rmsea"))}  # fmt: skip
    report.voices(
        [("等值性检验看同一道题在各组里的含义是否一样。不等值时，平均分的差别可能来自题目，不是来自人。"
        "ΔCFI 等界限是参考；"
          "样本大时 Δχ² 检验几乎总是显著。", {})],
        [(f"多组验证性因子分析：{sequence}。{told}", inner)],
        [(told + allows, {})], **facts,
    )  # fmt: skip


def _checks(report: Report, groups: Groups, study: Study, form: Any) -> None:
    least = min(range(len(groups.names)), key=lambda g: groups.samples[g].n)
    n = groups.samples[least].n
    report.check(
        "各组样本", "care" if n < 100 else "pass",
        "最小的组“{name}”有 {n:integer} 份" + ("，不足 100 份，检验只是近似。" if n < 100 else "。"),
        name=groups.names[least], n=n,
        more=more(
            "组太小时，等值检验的把握不足，不成立也难以发现。", "最小的组有 {n:integer} 份。", "不显著不等于等值。",
            "每组最好 200 份以上；合并相近的组，或减少题项。",
        ),
    )  # fmt: skip
    found = study.indices
    bad = base.grade(found) == "不佳"
    report.check(
        "形态等值", "fail" if bad else "pass",
        "各组同时拟合：CFI = {cfi:num3}，RMSEA = {rmsea:num3}，拟合" + base.grade(found) + "。", cfi=found.cfi,
        rmsea=found.rmsea,
    )  # fmt: skip
