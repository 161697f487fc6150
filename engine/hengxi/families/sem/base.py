"""Tables, figure, sentences and checks that every covariance structure method has; members add their own fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Matrix,
    Method,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    claim,
    figure,
    filled,
    integer,
    interval,
    matched,
    more,
    num,
    option,
    pvalue,
    slot,
    stat,
    text,
)
from hengxi.contract.fields.choice import Option
from hengxi.contract.report import Paragraph
from hengxi.contract.shapes import State
from hengxi.stats import multivariate_normality
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles
from hengxi.stats.structural.indices import Indices, changes, standardised_residuals
from hengxi.stats.structural.model import Cell
from hengxi.stats.structural.ordinal import OrdinalSample
from hengxi.stats.structural.squares import Squares

from .blueprint import Blueprint, Link, Scale
from .study import Estimate, Study, gather, groups_of, heywood, impossible, ordinal_samples, sample_of, words_of

SHOWN = 20
FEW_ANSWERS, FEW_GRADES = 5, 5
HOW = {"wlsmv": "加权最小二乘", "dwls": "加权最小二乘", "gls": "广义最小二乘", "uls": "未加权最小二乘"}
ESTIMATORS = {"ml": "最大似然 ML", "mlr": "稳健最大似然 MLR"}
ORDINAL = {"wlsmv": "WLSMV（有序题项，稳健）", "dwls": "DWLS（有序题项）"}
SQUARES = {"gls": "广义最小二乘 GLS", "uls": "未加权最小二乘 ULS"}
ALL_ESTIMATORS = {**ESTIMATORS, **ORDINAL, **SQUARES}
ESTIMATOR_HINT = "题项明显不正态选 MLR；题项是 5 级以下的等级选 WLSMV"
FULL = option(
    "FIML（用全部信息）", unless={"estimator": (*ORDINAL, *SQUARES)}, why="FIML 是最大似然的做法，只能配 ML 或 MLR"
)
ALL_MISSING: dict[str, str | Option] = {"listwise": "整行剔除", "fiml": FULL}
MISSING = {"listwise": "整行剔除", "fiml": "FIML（用全部信息）"}
CONVENTIONS = (
    "协方差以 n 为分母，χ² = n × 最小值（lavaan、Mplus 的做法；AMOS 用 n − 1）。",
    "每个因子第一个题项的载荷固定为 1；没有箭头指向的变量之间自由相关；残差之间不相关，除非指定。",
    "显变量也按随机变量估计（lavaan 的 fixed.x = FALSE，与 AMOS 相同）；基线模型只有方差。",
    "标准误用期望信息；FIML 用观测信息；MLR 用 Huber-White 标准误和 Yuan-Bentler 校正的 χ²。",
    "标准化系数的标准误用 delta 法；残差协方差标准化为残差相关。",
    "RMSEA 区间为 90%；SRMR 按 Bentler；GFI 按 Jöreskog 与 Sörbom。",
    "修正指数为单自由度的拉格朗日乘数检验，用期望信息。",
)
MORE_CONVENTIONS = (
    "GLS 的权重取自样本协方差的逆，ULS 不加权；协方差以 n − 1 为分母，"
    "χ² 为 n − 1 乘以最小的加权平方和（lavaan 的做法）。",
    "ULS 的结果随单位变化；标准误为不假定分布的三明治估计（Browne，1984），"
    "χ² 与 WLSMV 一样作均值与方差校正（lavaan 的 ULSMV）。",
    "WLSMV 与 DWLS 把题项看作连续变量的分段：先估阈值，再逐对估多分格相关（Muthén，1984，两步），缺失整行剔除。",
    "有序题项的潜在变量方差固定为 1（delta 参数化）；权重为相关的渐近方差的倒数，渐近协方差由各行得分的乘积得出。",
    "WLSMV 的标准误为三明治估计，χ² 校正到均值与方差都与 χ² 分布一致（Asparouhov 与 Muthén，2010）；"
    "DWLS 用同样的权重，不校正。",
    "RMSEA 的分母用 n，最小二乘各法用 n 减组数；分组时再乘以组数的平方根（lavaan 的做法）。",
    "分组而没有缺失时不估均值（lavaan 的 meanstructure = FALSE）。",
)
MORE_REFERENCES = ("browne1984", "muthen1984", "asparouhov2010", "xia2019")
REFERENCES = ("joreskog1969", "bollen1989", "hu1999", "browne1993", "mcardle1984", "rosseel2012")


def path_table(title: str, place: Any = "main") -> Table:
    return Table(
        title, path=text("路径"), b=num("非标准化系数"), se=num("标准误", around="b"), z=num("*z*（CR）"), p=pvalue(),
        standard=num("标准化系数", decimals=3, stars="p"), place=place,
        claim=claim("named", stat("*z*", "z"), effect="standard", effect_symbol="β", names=("path",)),
    )  # fmt: skip


def loading_table() -> Table:
    return Table(
        "因子载荷", factor=text("因子"), item=text("题项"), b=num("非标准化载荷"), se=num("标准误", around="b"),
        z=num("*z*（CR）"), p=pvalue(), standard=num("标准化载荷", decimals=3, stars="p"),
        standard_se=num("标准化载荷的标准误", decimals=3), smc=num("SMC（R²）", decimals=3), merge=("factor",),
        place="main", claim=claim("named", stat("*z*", "z"), effect="standard", effect_symbol="λ", names=("item",)),
    )  # fmt: skip


def convergent_table() -> Table:
    return Table(
        "聚合效度", factor=text("因子"), items=integer("题项数"), least=num("最小标准化载荷", decimals=3),
        ave=num("AVE", decimals=3), cr=num("CR", decimals=3), place="main",
    )  # fmt: skip


def threshold_table() -> Table:
    return Table(
        "阈值", item=text("题项"), between=text("界于"), value=num("阈值", decimals=3),
        se=num("标准误", around="value"), merge=("item",), place="detail", when={"estimator": tuple(ORDINAL)},
    )  # fmt: skip


def group_table() -> Table:
    return Table("各组样本", group=text("组"), n=integer("样本量"), place="detail", when={"group": filled})


def write_groups(report: Report, table: Table, study: Study) -> None:
    """Sizes of the groups, and that their coefficients were not compared."""
    if not study.names:
        return
    for sample, name in zip(study.samples, study.names, strict=True):
        report.row(table, group=name, n=sample.n)
    least = min(range(len(study.names)), key=lambda g: study.samples[g].n)
    n = study.samples[least].n
    report.check(
        "各组的人数", "care" if n < LEAST_OF_GROUP else "pass",
        "最小的组“{name}”有 {n:integer} 份" + ("，不足 100 份，各组的检验只是近似。" if n < LEAST_OF_GROUP else "。"),
        name=study.names[least], n=n,
    )  # fmt: skip
    report.note(
        table, "同一个模型在各组分别估计、合起来评价拟合。各组的系数不同，不等于差别显著；"
        "要比较，先做测量等值性检验。",
    )  # fmt: skip


GROUP_HINT = "同一个模型在各组分别估计，2 到 10 组"
LEAST_OF_GROUP = 100


class Structural(Method):
    """`form.estimator`, `form.missing` where a member has them; both have one way where it has not."""

    missing = "listwise"
    min_rows = 3
    graded = False
    """Has the form the estimators for ordered items?"""

    fit = Table(
        "模型拟合", layout="record", n=integer("样本量"), k=integer("待估参数"),
        chi2=num("χ²", least=0), df=integer("*df*"),
        p=pvalue(), ratio=num("χ²/*df*", least=0), cfi=num("CFI", decimals=3), tli=num("TLI（NNFI）", decimals=3),
        rmsea=num("RMSEA", least=0, decimals=3), ci=interval("RMSEA 的90%CI", "low", "high", around="rmsea"),
        close=num("*p*（RMSEA ≤ .05）", decimals=3), srmr=num("SRMR", least=0, decimals=3), rmr=num("RMR", least=0),
        gfi=num("GFI", decimals=3), agfi=num("AGFI", decimals=3), nfi=num("NFI", decimals=3),
        ifi=num("IFI", decimals=3),
        pgfi=num("PGFI", decimals=3), pnfi=num("PNFI", decimals=3), aic=num("AIC"), bic=num("BIC"), place="main",
        claim=claim("named", stat("χ²", "chi2", "df")),
    )  # fmt: skip
    covaried = path_table("相关与协方差", "detail")
    explained = Table("解释的方差", variable=text("变量"), r2=num("R²", decimals=3))
    nodes = Points("节点", id=text("节点"), label=text("名称"), shape=text("形状"), x=num("x"), y=num("y"))
    edges = Points("连线", source=text("起点"), target=text("终点"), text=text("系数"))
    diagram = Chart(
        "路径图（标准化系数）", "network", nodes=nodes, edges=edges, shape="shape", x="x", y="y", text="text",
        arrange="fixed", place="main",
    )  # fmt: skip
    changes = Table(
        "修正指数",
        parameter=text("参数"),
        mi=num("MI", least=0),
        epc=num("EPC"),
        standard=num("标准化 EPC", decimals=3),
    )
    residuals = Table("相关残差", layout=Matrix(r=num("残差", decimals=3), show="lower"))

    @classmethod
    def dropped_by(cls, form: dict[str, Any]) -> tuple[str, ...] | None:
        if form.get("missing") != "fiml":
            return None
        return ("group",) if form.get("group") else ()

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        slow = 3.0 if form.get("missing") == "fiml" else 0.3
        if form.get("estimator") in ORDINAL:
            slow += columns**2 * 3e-3
        return slow + rows * columns * 1e-7 + columns**2 * 1e-3 + (form.get("n_boot") or 0) * 4e-3

    @classmethod
    def study(cls, report: Report, form: Any, print_: Blueprint, columns: Sequence[Column], field: str) -> Study:
        incomplete = getattr(form, "missing", "listwise") == "fiml"
        estimator: Any = getattr(form, "estimator", "ml")
        column = getattr(form, "group", None)
        groups = [] if column is None else groups_of(column, columns, field)
        names = [name for name, _ in groups]
        print_.groups = max(len(groups), 1)
        if estimator in ORDINAL:
            graded = ordinal_samples(columns, field, groups)
            print_.unit = True
            report.used(sum(one.n for one in graded))
            return Study(print_, graded, Scale(np.ones(len(columns))), kernel=Squares(estimator), names=names)
        values, scale = gather(columns, field, incomplete)
        if estimator == "uls":  # what has no weights is not the same in other units
            values = [x * (size / scale.common.sizes[0]) for x, size in zip(values, scale.sizes, strict=True)]
            scale = scale.common
        samples = [sample_of(columns, [x[rows] for x in values], field, f"“{name}”组：") for name, rows in groups]
        samples = samples or [sample_of(columns, values, field)]
        print_.means = print_.means or (incomplete and not all(one.complete for one in samples))
        report.used(sum(one.n for one in samples))
        if estimator in SQUARES:
            made = [replace(one, s=one.s * one.n / (one.n - 1)) for one in samples]
            return Study(print_, made, scale, kernel=Squares(estimator), names=names)
        return Study(print_, samples, scale, robust=estimator == "mlr", names=names)

    @classmethod
    def write_fit(cls, report: Report, found: Indices) -> None:
        report.row(
            cls.fit, n=found.n, k=found.k, chi2=found.chi2 if found.df or found.chi2 > 1e-6 else 0.0, df=found.df,
            p=found.p_value,
            ratio=found.chi2 / found.df if found.df else None, cfi=found.cfi, tli=found.tli, rmsea=found.rmsea,
            low=found.rmsea_low, high=found.rmsea_high, close=found.close, srmr=found.srmr, rmr=found.rmr,
            gfi=found.gfi,
            agfi=found.agfi, nfi=found.nfi, ifi=found.ifi, pgfi=found.pgfi, pnfi=found.pnfi, aic=found.aic,
            bic=found.bic,
        )  # fmt: skip
        if found.df == 0:
            report.note(cls.fit, "自由度为 0：模型恰好识别，必然完全拟合，拟合指标不用于评价模型。")
            return
        report.note(
            cls.fit,
            "常用参考（Hu 与 Bentler，1999）：CFI、TLI ≥ 0.95 良好，≥ 0.90 可接受；RMSEA ≤ 0.06 良好，≤ 0.08 可接受；"
            "SRMR ≤ 0.08。参考值不是判决，还要看残差和理论。",
        )
        if found.saturated is None:
            cls._without_likelihood(report, found)
            return
        if found.gfi is None:
            report.note(cls.fit, "有缺失时不给 GFI、AGFI、PGFI：它们只对完整数据有定义。")
        if found.scaling != 1:
            report.note(cls.fit, "χ² 已除以校正系数 {c:num3}；CFI、TLI、RMSEA 等由校正后的 χ² 计算。", c=found.scaling)

    @classmethod
    def _without_likelihood(cls, report: Report, found: Indices) -> None:
        if found.rmr is not None:
            report.note(cls.fit, "没有似然，不给 AIC、BIC。")
        else:
            report.note(
                cls.fit,
                "没有似然，不给 AIC、BIC；RMR 只用于协方差。上面的参考值来自最大似然，"
                "有序题项的 CFI、RMSEA 往往更好看，不能直接照搬（Xia 与 Yang，2019）。",
            )
        if found.scaling != 1:
            report.note(
                cls.fit, "χ² 已作均值与方差校正：除以 {c:num3} 再加 {b:num3}；CFI、TLI、RMSEA 等由校正后的 χ² 计算。",
                c=found.scaling, b=found.shift,
            )  # fmt: skip

    @classmethod
    def write_arrows(
        cls, report: Report, table: Table, study: Study, links: Sequence[Estimate], at: str | None = None
    ) -> None:
        for one in links:
            row, col = study.print.title(one.cell.row), study.print.title(one.cell.col)
            sign = "→" if one.cell.kind == "A" else "↔"
            report.row(
                table, at=at, path=f"{col} {sign} {row}", b=one.b, se=one.se, z=one.z, p=one.p, standard=one.standard
            )  # fmt: skip

    @classmethod
    def write_common(cls, report: Report, study: Study) -> None:
        for group, at in study.places:
            cls._write_group(report, study, group, at)
        if not any(_is_curve(cell) for cell in study.model.cells):
            report.skip(cls.covaried, "模型里没有相关")
        if all(_is_item(study, cell.row) for cell in study.model.cells if cell.kind == "A"):
            report.skip(cls.explained, "没有箭头指向因子；题项的 R² 在载荷表")
        cls.write_changes(report, study)

    @classmethod
    def _write_group(cls, report: Report, study: Study, group: int, at: str | None) -> None:
        found = study.estimates(group)
        cls.write_arrows(report, cls.covaried, study, [one for one in found if _is_curve(one.cell)], at)
        explained = study.explained(group)
        for i in sorted({one.cell.row for one in found if one.cell.kind == "A"}):
            if not _is_item(study, i):
                report.row(cls.explained, at=at, variable=study.print.title(i), r2=float(explained[i]))
        rest = standardised_residuals(study.fit, group)
        names = [study.print.title(i) for i in range(study.model.p)]
        for i, name in enumerate(names):
            for j in range(i):
                report.row(cls.residuals, at=at, item=name, against=names[j], r=float(rest[i, j]))
        cls.draw(report, study, found, at)

    @classmethod
    def write_changes(cls, report: Report, study: Study) -> None:
        if study.kernel == Squares("uls"):
            report.skip(cls.changes, "ULS 的修正指数不服从 χ² 分布")
            return
        units = study.scale.all(study.print)
        listed = [] if study.model.df == 0 else changes(study.fit, candidates(study), study.kernel)
        kept = [one for one in listed if one.mi > 3.841458820694124][:SHOWN]
        for one in kept:
            cell = one.cell
            unit = units[cell.row] / units[cell.col] if cell.kind == "A" else units[cell.row] * units[cell.col]
            report.row(
                cls.changes, at=study.places[cell.group][1], parameter=words_of(study.print, cell), mi=one.mi,
                epc=one.epc * float(unit), standard=one.standard,
            )  # fmt: skip
        if kept:
            report.note(
                cls.changes,
                "MI 是放开这个参数后 χ² 大约下降多少，列出大于 3.84 的前 20 个。只放开理论上说得通的参数，一次一个。"
                + ("有序题项的 MI 没有校正，只看相对大小。" if study.ordinal else ""),
            )
        else:
            report.skip(cls.changes, "没有大于 3.84 的修正指数" if study.model.df else "自由度为 0，没有可放开的参数")

    # ---- the figure ------------------------------------------------------------------------------------------------
    @classmethod
    def draw(cls, report: Report, study: Study, found: Sequence[Estimate], at: str | None = None) -> None:
        ids, spots = study.print.ids, places(study)
        for i, node in enumerate(ids):
            x, y = spots[i]
            shape = "ellipse" if i >= study.model.p else "rect"
            report.row(cls.nodes, at=at, id=node, label=study.print.title(i), shape=shape, x=x, y=y)
        for one in found:
            if one.cell.kind == "A":
                words = f"{one.standard:.2f}" + _stars(one.p)
                report.row(cls.edges, at=at, source=ids[one.cell.col], target=ids[one.cell.row], text=words)

    # ---- what is said ----------------------------------------------------------------------------------------------
    @classmethod
    def checks(cls, report: Report, study: Study, columns: Sequence[Column], form: Any) -> None:
        found, n, k = study.indices, study.fit.n, study.model.k
        bad = heywood(study, report)
        beyond = not bad and impossible(study)
        report.check(
            "解是否合理", "fail" if bad or beyond else "pass",
            "有负的方差：{names}。" if bad
            else "因子的协方差矩阵不是正定的，解不合理。" if beyond else "没有负的方差，也没有超出范围的解。",
            names="".join(f"“{name}”" for name in bad),
        )  # fmt: skip
        few = n < 200 or n < 10 * k
        how = HOW.get(getattr(form, "estimator", "ml"), "最大似然")
        report.check(
            "样本量", "care" if few else "pass",
            "{n:integer} 份，待估参数 {k:integer} 个" + ("（不含阈值）" if study.ordinal else "")
            + ("，样本偏少，χ² 和标准误只是近似。" if few else "。"),
            n=n, k=k,
            more=more(
                f"{how}的检验和标准误在大样本时才准确。", "本次 {n:integer} 份，参数 {k:integer} 个。",
                "样本少时 χ² 偏大，容易拒绝正确的模型。",
                "经验上至少 200 份，且不少于参数个数的 10 倍；或减少路径和题项。",
            ),
        )  # fmt: skip
        cls._normality(report, study, columns, form)
        if found.df > 0:
            verdict = grade(found)
            state: State = "care" if verdict == "不佳" else "pass"
            report.check(
                "模型拟合", state,
                "CFI = {cfi:num3}，RMSEA = {rmsea:num3}，SRMR = {srmr:num3}：拟合{verdict}。",
                cfi=found.cfi, rmsea=found.rmsea, srmr=found.srmr, verdict=verdict,
            )  # fmt: skip

    @classmethod
    def _normality(cls, report: Report, study: Study, columns: Sequence[Column], form: Any) -> None:
        if study.ordinal:
            _categories(report, study)
            return
        if not all(one.complete for one in study.samples) or len(columns) > 60:
            return
        found = []
        for sample, (_, at) in zip(study.samples, study.places, strict=True):
            z = np.linalg.solve(np.linalg.cholesky(np.cov(sample.rows.T, bias=True)), (sample.rows - sample.mean).T).T
            found.append((float(multivariate_normality.mardia(z)[2].statistic), at))
        kurtosis, at = max(found, key=lambda one: abs(one[0]))
        where = "" if at is None else "偏离最大的是“{group}”组："
        far = abs(kurtosis) > 5
        estimator = getattr(form, "estimator", "ml")
        robust = estimator in ("mlr", "uls")
        remedies = [SetRemedy(title="改用 MLR", set={"estimator": "mlr"})] if far and hasattr(form, "estimator") else []
        if remedies and cls.graded and all(np.unique(column.numbers).size <= FEW_GRADES for column in columns):
            answered: dict[str, Any] = {"estimator": "wlsmv", "missing": "listwise"}
            remedies.insert(0, SetRemedy(title="题项是等级，改用 WLSMV", set=answered))
        report.check(
            "多元正态", "pass" if not far or robust else "care",
            where + "Mardia 峰度的 *z* = {z:num2}" + ("，偏离正态" if far else "，没有严重偏离")
            + ("；已用稳健标准误。" if far and robust else "。"),
            z=kurtosis, **({} if at is None else {"group": at}), remedies=[] if robust else remedies,
            more=more(
                f"{HOW.get(estimator, '最大似然')}的检验和标准误假定变量多元正态。",
                "Mardia 峰度的标准化值为 {z:num2}，超过 5 算明显偏离（Bentler，2005）。",
                "偏离时系数仍可用，χ² 和标准误不准。", "把估计方法改为 MLR。",
            ),
        )  # fmt: skip


def _categories(report: Report, study: Study) -> None:
    graded = [one for one in study.samples if isinstance(one, OrdinalSample)]
    fewest = [(float(counts.min()), g, i) for g, one in enumerate(graded) for i, counts in enumerate(one.counts)]
    few, group, least = min(fewest)
    at = study.places[group][1]
    where = "" if at is None else "“{group}”组的"
    known: dict[str, Any] = {} if at is None else {"group": at}
    report.check(
        "各等级的人数", "care" if few < FEW_ANSWERS else "pass",
        f"人数最少的等级在{where}“{{name}}”，有 {{few:integer}} 份"
        + ("，阈值和相关估得不准。" if few < FEW_ANSWERS else "。"),
        name=study.print.title(least), few=round(few), **known,
        more=more(
            "每个等级都要有一定的人数，才能估准它两边的阈值。", "最少的一个等级有 {few:integer} 份。",
            "人数太少的等级会让多分格相关不稳定。", "把人数很少的等级与相邻的等级合并后再分析。",
        ),
    )  # fmt: skip
    if min(float(np.linalg.eigvalsh(one.s)[0]) for one in graded) <= 0:
        report.warn(
            "model.polychoric",
            "多分格相关矩阵不是正定的：它是两两估计的，样本少或等级人数少时会这样。系数仍可估计，但要谨慎；"
            "请增加样本或合并等级。",
        )


def write_thresholds(report: Report, table: Table, study: Study, columns: Sequence[Column]) -> None:
    if not study.ordinal:
        return
    share = float(np.sqrt(study.fit.n / (study.fit.n - study.model.groups)))  # as the other errors of these ways
    for sample, (_, at) in zip(study.samples, study.places, strict=True):
        assert isinstance(sample, OrdinalSample)
        for i, column in enumerate(columns):
            grades = [f"{value:g}" for value in np.unique(column.numbers)]
            for t, (value, se) in enumerate(zip(sample.cuts[i], sample.cut_errors[i], strict=True)):
                report.row(
                    table, at=at, item=study.print.title(i), between=f"{grades[t]} | {grades[t + 1]}",
                    value=float(value), se=float(se) * share,
                )  # fmt: skip
    report.note(table, "看不见的连续变量（均值 0，标准差 1）超过阈值，就落到下一个等级。")


def grade(found: Indices) -> str:
    cfi, rmsea = found.cfi or 0.0, found.rmsea or 0.0
    if cfi >= 0.95 and rmsea <= 0.06 and found.srmr <= 0.08:
        return "良好"
    return "可接受" if cfi >= 0.90 and rmsea <= 0.08 and found.srmr <= 0.10 else "不佳"


def fit_figures(found: Indices) -> list[Any]:
    if found.df == 0:
        return [figure("样本量", "{n:integer}")]
    return [
        figure("CFI", "{cfi:num3}", "≥ 0.90 可接受"),
        figure("RMSEA", "{rmsea:num3}", "90% CI [{low:num3}, {high:num3}]"),
        figure("SRMR", "{srmr:num3}", "≤ 0.08 良好"),
    ]  # fmt: skip


def fit_facts(found: Indices) -> dict[str, Any]:
    return {
        "n": found.n, "chi2": found.chi2, "df": found.df, "cfi": found.cfi, "tli": found.tli, "rmsea": found.rmsea,
        "low": found.rmsea_low, "high": found.rmsea_high, "srmr": found.srmr, "p_fit": found.p_value,
    }  # fmt: skip


def fit_sentence(found: Indices) -> str:
    if found.df == 0:
        return "模型恰好识别（自由度 0），不能评价拟合。"
    return f"模型与数据的拟合{grade(found)}：CFI = {{cfi:num3}}，RMSEA = {{rmsea:num3}}，SRMR = {{srmr:num3}}。"


def fit_paper(found: Indices) -> list[Paragraph]:
    return [(FIT_PAPER, {})] if found.df else []


FIT_PAPER = (
    "模型拟合：χ²({df:integer}) = {chi2:num2}，*p* {p_fit:peq}，CFI = {cfi:num3}，TLI = {tli:num3}，"
    "RMSEA = {rmsea:num3}，90% CI [{low:num3}, {high:num3}]，SRMR = {srmr:num3}。"
)


def candidates(study: Study) -> list[Cell]:
    """Cross loadings, covariances of residuals, arrows between structural variables that make no circle."""
    return [replace(cell, group=group) for group, _ in study.places for cell in _candidates(study)]


def _candidates(study: Study) -> list[Cell]:
    model, p, v = study.model, study.model.p, study.model.v
    held = {(c.kind, c.row, c.col) for c in model.cells}
    ids, homes = study.print.ids, study.print.indicators
    found = []
    lower = {item for factor in study.print.factors for item in factor.items}
    items = [i for i in range(p) if ids[i] in homes]
    for factor in range(p, v):
        first = study.print.factors[factor - p]
        if any(item in ids[:p] for item in first.items):
            found += [Cell("A", i, factor, None, 0.0) for i in items if ("A", i, factor) not in held]
    for i in range(p):
        for j in range(i):
            if ("S", i, j) not in held and (ids[i] in homes) == (ids[j] in homes):
                found.append(Cell("S", i, j, None, 0.0))
    inner = [i for i in range(v) if ids[i] not in lower]
    reach = np.linalg.inv(np.eye(v) - (np.abs(study.state().a) > 0) * 0.1) > 1e-12
    for i in inner:
        for j in inner:
            joined = ("S", max(i, j), min(i, j)) in held
            if i != j and ("A", i, j) not in held and not reach[j, i] and not joined:
                found.append(Cell("A", i, j, None, 0.0))
    return found


def convergent(study: Study, group: int = 0) -> list[tuple[str, int, float, float, float]]:
    """Factor, number of items, least loading, AVE, CR; of the loadings' sizes, so that reversed items do not matter."""
    found = []
    a, _ = study.state(group).standard()
    ids = study.print.ids
    for factor in study.print.factors:
        loads = np.array([a[ids.index(item), ids.index(factor.id)] for item in factor.items])
        squares, whole = float(np.sum(loads**2)), float(np.sum(np.abs(loads))) ** 2
        rest = float(np.sum(1 - loads**2))
        found.append(
            (factor.name, len(loads), float(np.abs(loads).min()), squares / len(loads), whole / (whole + rest))
        )
    return found


def factor_correlations(study: Study, group: int = 0) -> Floats:
    places = range(study.model.p, study.model.v)
    inner = study.state(group).g[np.ix_(places, places)]
    spread = np.sqrt(np.diag(inner))
    return inner / np.outer(spread, spread)


def htmt(s: Floats, groups: Sequence[Sequence[int]]) -> Floats:
    """Henseler, Ringle & Sarstedt (2015), of absolute correlations: reversed items do not matter."""
    spread = np.sqrt(np.diag(s))
    r = np.abs(s / np.outer(spread, spread))
    within = []
    for items in groups:
        block = r[np.ix_(items, items)]
        within.append(float(block[np.tril_indices(len(items), -1)].mean()))
    found = np.eye(len(groups))
    for i, first in enumerate(groups):
        for j, second in enumerate(groups[:i]):
            found[i, j] = found[j, i] = r[np.ix_(first, second)].mean() / np.sqrt(within[i] * within[j])
    return found


def write_loadings(report: Report, table: Table, study: Study) -> None:
    for group, at in study.places:
        _loadings(report, table, study, group, at)
    report.note(table, "载荷为 1、没有标准误的题项用来固定因子的单位。*** *p* < .001，** *p* < .01，* *p* < .05。")


def _loadings(report: Report, table: Table, study: Study, group: int, at: str | None) -> None:
    ids = study.print.ids
    by_cell = {(one.cell.row, one.cell.col): one for one in study.estimates(group) if one.cell.kind == "A"}
    explained = study.explained(group)
    for factor in study.print.factors:
        for item in factor.items:
            row = ids.index(item)
            one = by_cell[row, ids.index(factor.id)]
            report.row(
                table, at=at, factor=factor.name, item=study.print.title(row), b=one.b, se=one.se, z=one.z, p=one.p,
                standard=one.standard, standard_se=one.standard_se, smc=float(explained[row]),
            )  # fmt: skip


def write_validity(report: Report, convergent_: Table, discriminant: Table, study: Study) -> None:
    ids = study.print.ids
    first = [factor for factor in study.print.factors if all(item in ids[: study.model.p] for item in factor.items)]
    for group, at in study.places:
        for name, items, least, ave, cr in convergent(study, group):
            report.row(convergent_, at=at, factor=name, items=items, least=least, ave=ave, cr=cr)
    report.note(
        convergent_, "常用参考：标准化载荷 ≥ 0.5（最好 0.7），AVE ≥ 0.5，CR ≥ 0.7（Fornell 与 Larcker，1981）。"
    )
    if len(first) < 2:
        report.skip(discriminant, "只有一个因子，没有区分效度")
        return
    alike: list[tuple[float, float, str]] = []
    for group, at in study.places:
        rows = convergent(study, group)[: len(first)]
        r = factor_correlations(study, group)
        apart = htmt(study.samples[group].s, [[ids.index(item) for item in factor.items] for factor in first])
        where = "" if at is None else f"（“{at}”组）"
        for i, (name, _, _, ave, _) in enumerate(rows):
            report.row(discriminant, at=at, item=name, against=name, r=float(np.sqrt(ave)), htmt=None)
            for j in range(i):
                report.row(
                    discriminant, at=at, item=name, against=rows[j][0], r=float(r[i, j]), htmt=float(apart[i, j])
                )  # fmt: skip
                if abs(r[i, j]) >= np.sqrt(min(ave, rows[j][3])) or apart[i, j] > 0.9:
                    alike.append((abs(float(r[i, j])), float(apart[i, j]), f"“{rows[j][0]}”与“{name}”{where}"))
    report.note(
        discriminant,
        "对角线是 √AVE，应大于同行同列的相关（Fornell-Larcker）。HTMT 低于 0.85（宽松 0.90）说明因子能区分开"
        "（Henseler 等，2015）。",
    )
    _check_apart(report, alike)


def _check_apart(report: Report, alike: list[tuple[float, float, str]]) -> None:
    if not alike:
        report.check("区分效度", "pass", "各因子的 √AVE 都大于它与其他因子的相关，HTMT 都不超过 0.90。")
        return
    r, ratio, pair = max(alike)
    known: dict[str, Any] = {"ratio": ratio} if np.isfinite(ratio) else {}
    report.check(
        "区分效度", "fail" if any(one > 0.9 for _, one, _ in alike) else "care",
        "{k:integer} 对因子区分得不好，最明显的是{pair}（相关 {r:num3}"
        + ("，HTMT {ratio:num3}）。" if np.isfinite(ratio) else "）。")
        + "请核对题项，或把它们合成一个因子。",
        k=len(alike), pair=pair, r=r, **known,
    )  # fmt: skip


def arrow_name(study: Study, one: Estimate) -> str:
    return f"“{study.print.title(one.cell.col)}”→“{study.print.title(one.cell.row)}”"


def joined_over(study: Study) -> list[tuple[int, int]]:
    """(source, target) of structural variables that are joined by arrows over at least one between."""
    arrow = np.abs(study.state().a) > 0
    inner = [i for i, one in enumerate(study.print.ids) if one not in study.print.indicators]
    only = np.zeros_like(arrow)
    only[np.ix_(inner, inner)] = arrow[np.ix_(inner, inner)]
    size = np.eye(len(only))
    reach = np.linalg.inv(size - only * 0.1) - size - only * 0.1
    return [(s, t) for t in inner for s in inner if reach[t, s] > 1e-9]


def _is_curve(cell: Cell) -> bool:
    return cell.kind == "S" and cell.row != cell.col


def _is_item(study: Study, place: int) -> bool:
    return study.print.ids[place] in study.print.indicators


def _stars(p: float | None) -> str:
    return "" if p is None else "***" if p < 0.001 else "**" if p < 0.01 else "*" if p < 0.05 else ""


def places(study: Study) -> list[tuple[float, float]]:
    """Structural variables in columns from left to right by the arrows; items of a factor above or below it, or beside
    it where nothing stands there."""
    ids, p = study.print.ids, study.model.p
    homes = study.print.indicators
    arrows = [(k.source, k.target) for k in study.print.links if not k.curved]
    inner = [one for one in ids if one not in homes]
    depth = dict.fromkeys(inner, 0)
    for _ in inner:
        for source, target in arrows:
            if source in depth and target in depth:
                depth[target] = min(max(depth[target], depth[source] + 1), len(inner))
    found: dict[str, tuple[float, float]] = {}
    last = max(depth.values(), default=0)
    spans = [(depth[s], depth[t]) for s, t in arrows if s in depth and t in depth]
    for level in range(last + 1):
        members = [one for one in inner if depth[one] == level]
        room = {one: max(1, sum(1 for item in homes if homes[item] == one)) for one in members}
        total, run = sum(room.values()), 0.0
        for one in members:
            y = (run + room[one] / 2) / total
            run += room[one]
            items = [item for item in ids[:p] if homes.get(item) == one]
            x = level * 2.0
            # An arrow that leaps over a column must not run through what stands there.
            aside = 1.6 if any(low < level < high for low, high in spans) else 0.0
            found[one] = (x, y * 6 + (aside if y >= 0.5 else -aside))
            for k, item in enumerate(items):
                if level == 0 or level == last:
                    side = -1.3 if level == 0 and last > 0 else 1.3
                    found[item] = (x + side, (run - room[one] + k + 0.5) / total * 6)
                else:
                    found[item] = (x + (k - (len(items) - 1) / 2) * 0.45, 6.9 if y >= 0.5 else -0.9)
    return [found.get(one, (0.0, 0.0)) for one in ids]


def residual_pairs(*of: str) -> Any:
    return matched(
        "残差相关（选填）",
        min=0,
        advanced=True,
        first=slot("题项一", "定量", shared_with=of),
        second=slot("题项二", "定量", shared_with=of),
        hint="例如同一道题的前后两次测量",
    )


def residual_links(form: Any, columns: Sequence[Column]) -> list[Link]:
    held = {column.id for column in columns}
    links = []
    for row, pair in enumerate(form.residuals, 1):
        for column in (pair.first, pair.second):
            if column.id not in held:
                raise Refusal(
                    "matched.unknown",
                    "“残差相关”第 {row} 行的“{v}”不在模型里，请先放入或删去这一行",
                    field="residuals",
                    column=column.id,
                    row=row,
                    v=column.title,
                )
        links.append(Link(pair.first.id, pair.second.id, True))
    return links


def column_titles(columns: Sequence[Column]) -> dict[str, str]:
    return titles(list(columns))
