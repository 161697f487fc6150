"""The tables of a linear regression."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import Report
from hengxi.families.regression import pooled
from hengxi.families.regression.tables import finite, unusual_cases
from hengxi.methods.statistical._shared.linear_model import SE_WORDS, Model
from hengxi.stats.collinearity import Condition, condition, gvif, vif
from hengxi.stats.influence import Influence, dfbetas
from hengxi.stats.linear_covariance import Wald
from hengxi.stats.linear_tests import Checked, breusch_godfrey, breusch_pagan, reset, white
from hengxi.stats.normality import TESTED_MOST, Normality, jarque_bera, normality

BP, WHITE, JB = "Breusch-Pagan（Koenker）", "White", "Jarque-Bera"
NO_SQUARES = "平方和超出了可表示的范围，请给因变量换一个单位"
BG, RESET = "Breusch-Godfrey", "RESET（2、3 次幂）"


def summary(report: Report, cls: Any, model: Model, dw: float | None) -> None:
    fit, overall = model.fit, model.overall
    low, high = model.r2_interval
    f = (overall.F, overall.df1, overall.df2, overall.p) if overall else (None,) * 4
    with np.errstate(over="ignore"):
        report.row(
            cls.summary,
            n=fit.n,
            R=float(np.sqrt(fit.r2)),
            r2=fit.r2,
            r2_low=low,
            r2_high=high,
            adjusted=model.adjusted,
            f2=fit.r2 / fit.rest,
            sigma=model.sigma,
            rmse=model.rmse,
            F=f[0],
            df1=f[1],
            df2=f[2],
            p=f[3],
            log_likelihood=model.log_likelihood,
            aic=-2 * model.log_likelihood + 2 * (fit.k + 1),
            bic=-2 * model.log_likelihood + float(np.log(fit.n)) * (fit.k + 1),
            dw=dw,
        )
    if overall is None:
        report.note(cls.summary, "整体 *F* 未给：聚类数不足以同时检验全部自变量。")
    if model.kind != "classic" and overall is not None:
        report.note(
            cls.summary,
            "整体 *F* 为按所选标准误（{kind}）计算的 Wald 检验，与方差分析表的 *F* 不同。",
            kind=SE_WORDS[model.kind],
        )
    if not fit.intercept:
        report.note(cls.summary, "模型不含截距：*R*² 以 0 为中心，与含截距模型的 *R*² 不可比。")
    if dw is None:
        report.note(cls.summary, "Durbin-Watson 未给：频数权重下一行代表多个个案，没有行序。")
    report.note(
        cls.summary,
        "估计标准误（Root MSE）是残差平方和除以自由度再开方，RMSE 是除以 *N* 再开方。"
        "*R*² 的置信区间（{level:percent}）由非中心 *F* 分布反解，λ/(λ + *df*2)；AIC、BIC "
        "把残差方差计入参数，与 R 相同。",
        level=model.level,
    )
    if high is not None and fit.r2 >= high:
        report.note(cls.summary, "*F* 很小时，*R*² 的区间收缩到 0 附近，不能据此说没有关系。")
    if overall is not None and overall.p < 1 - model.level and low == 0:
        report.note(
            cls.summary,
            "*R*² 的区间是双侧的，下限为 0 与整体 *F* 的 *p* 小于 {alpha:alpha} 并不矛盾：*F* 检验只看一侧，"
            "与它对应的是 {narrow:percent} 的区间。"
            if model.kind == "classic"
            else "*R*² 的区间由经典 *F* 反解，假定方差齐，与所读的 *F* 检验不一致时以检验为准。",
            alpha=1 - model.level, narrow=2 * model.level - 1,
        )  # fmt: skip


def pool(report: Report, cls: Any, model: Model) -> None:
    """For the copies of a multiple imputation."""
    fit = model.fit
    with np.errstate(over="ignore"):
        scale = fit.y_scale / fit.scale
    pooled.give(report, cls.coefficients, model, model.cov[model.first :, model.first :], scale, model.df)
    if fit.intercept:
        report.explained(cls.summary, "R²", fit.r2, fit.n, model.level)
        report.explained(cls.summary, "调整 R²", max(0.0, model.adjusted), fit.n, model.level)


def sum_of_squares(model: Model) -> float | None:
    """Of y; None where no double can hold it."""
    fit = model.fit
    with np.errstate(over="ignore", under="ignore"):
        unit = float(np.float64(fit.y_scale * fit.precision_scale) ** 2)
    return fit.whole * unit if np.isfinite(unit * fit.whole) and unit >= 1e-290 else None


def anova(report: Report, cls: Any, model: Model) -> None:
    fit = model.fit
    whole = sum_of_squares(model)
    if whole is None:
        report.skip(cls.anova, NO_SQUARES)
        return
    rest = fit.rest * whole
    inside = max(0.0, whole - rest)
    f = model.classic_f
    report.row(
        cls.anova, source="回归", ss=inside, df=fit.p, ms=inside / fit.p, F=f, p=float(stats.f.sf(f, fit.p, fit.df))
    )
    report.row(cls.anova, source="残差", ss=rest, df=fit.df, ms=rest / fit.df)
    report.row(cls.anova, total=True, source="总计", ss=whole, df=fit.n - int(fit.intercept))
    centre = "总平方和以均值为中心" if fit.intercept else "总平方和以 0 为中心"
    robust = "" if model.kind == "classic" else "；本表的 *F* 假定方差齐，结论读模型汇总表的稳健 Wald *F*"
    report.note(cls.anova, f"{centre}{robust}。")


def coefficients(report: Report, cls: Any, model: Model) -> None:
    fit = model.fit
    first = int(fit.intercept)
    inflation = vif(fit)
    classic_t = fit.coefficients / fit.errors(fit.variance * fit.unscaled)
    owners = {j: term for term in model.design.terms for j in term.columns}
    for i, name in enumerate(model.names):
        low, high = model.interval(i)
        j = i - first
        cells: dict[str, Any] = {}
        if j >= 0:
            term = owners[j]
            wide = term.width > 1
            partial = classic_t[i] / np.sqrt(classic_t[i] ** 2 + fit.df)
            beta = fit.beta[j] if term.numeric and len(term.factors) == 1 else None
            cells = {"beta": beta, "vif": inflation[j]}
            generalised = gvif(fit, term.columns) if wide else None
            report.row(
                cls.relations,
                name=name,
                partial=float(partial),
                part=float(classic_t[i] * np.sqrt(fit.rest / fit.df)),
                tolerance=1 / inflation[j],
                vif=inflation[j],
                gvif=finite(generalised ** (1 / (2 * term.width))) if generalised else None,
            )
        report.row(
            cls.coefficients,
            name=name,
            b=model.b[i],
            se=model.se[i],
            t=model.t[i],
            p=model.p[i],
            low=low,
            high=high,
            **cells,
        )
    _coefficient_notes(report, cls, model)


def _coefficient_notes(report: Report, cls: Any, model: Model) -> None:
    overall = model.overall
    tested = "；*F*({df1:integer}, {df2:integer}) = {F:num}，*p* {p:peq}" if overall else ""
    facts = {"F": overall.F, "df1": overall.df1, "df2": overall.df2, "p": overall.p} if overall else {}
    equals = " =" if model.fit.intercept else "（以 0 为中心）="
    report.note(
        cls.coefficients,
        f"*N* = {{n:integer}}；*R*²{equals} {{r2:num}}，调整 *R*² = {{adjusted:num}}{tested}。",
        n=model.fit.n,
        r2=model.fit.r2,
        adjusted=model.adjusted,
        **facts,
    )
    kind = {
        "newey_west": f"Newey-West（Bartlett 核，滞后 {model.lags} 阶，乘 n/(n − k)，不预白化）",
        "cluster": f"聚类稳健（CR1，{int(model.df) + 1} 个聚类，*t* 的自由度为聚类数减 1）",
    }.get(model.kind, SE_WORDS[model.kind])
    report.note(
        cls.coefficients,
        f"因变量：“{{y}}”。标准误：{kind}。CI 为 {{level:percent}} 置信区间，*df* = {{df:integer}}。",
        y=model.y,
        level=model.level,
        df=model.df,
    )
    references = model.references
    for factor in model.design.factors:
        if factor.full:
            report.note(
                cls.coefficients,
                "不含截距时，“{v}”的各水平都列出，系数是该水平的均值（其他自变量为 0 时），检验它是否为 0。",
                v=factor.name,
            )
    crossed = any(len(term.factors) > 1 for term in model.design.terms)
    if references:
        apart = "（在交互项里的变量，是其他变量为 0 或取参照水平时的差）" if crossed else ""
        report.note(
            cls.coefficients,
            f"定类自变量的参照水平：{{told}}；系数是与参照水平的均值差{apart}。β 只给单个定量自变量。",
            told="；".join(references),
        )
    elif crossed:
        report.note(cls.coefficients, "β 只给单个定量自变量，乘积项不给。")
    if model.weighted_words:
        report.note(cls.coefficients, "加权：{told}。", told=model.weighted_words)
    report.note(
        cls.relations,
        "偏相关、半偏相关由经典 *t* 值换算；容差 = 1/VIF；多水平定类自变量另给 GVIF^(1/(2df))，与 √VIF 可比"
        + ("。" if model.fit.intercept else "；不含截距时这些量以 0 为中心，不宜与含截距的模型比较。"),
    )


def term_tests(report: Report, cls: Any, model: Model) -> None:
    """Several columns of one term are judged together: the test does not depend on the reference level."""
    found: dict[str, Wald | None] = {}
    for term in model.design.terms:
        if term.numeric and len(term.factors) == 1:
            continue
        test = found[term.name] = model.joint(term)
        F, df1, df2, p = (test.F, test.df1, test.df2, test.p) if test else (None,) * 4
        report.row(cls.terms_tests, name=term.name, F=F, df1=df1, df2=df2, p=p)
    if not found:
        report.skip(cls.terms_tests, "自变量都是定量的，没有定类自变量或交互项")
    elif any(test is None for test in found.values()):
        report.note(cls.terms_tests, "空缺的一行：聚类数不足以同时检验该项的全部系数。")
    else:
        report.note(
            cls.terms_tests, "一项的全部系数同时为 0 的检验，按所选标准误计算；第 III 类（每项在其余各项之后）。"
        )


def collinearity(report: Report, cls: Any, model: Model) -> Condition:
    found = condition(model.fit)
    for i in range(found.eigenvalues.size):
        report.row(
            cls.condition,
            dimension=i + 1,
            eigenvalue=float(found.eigenvalues[i]),
            index=float(found.indices[i]),
            wide={name: {"share": float(found.shares[i, j])} for j, name in enumerate(model.names)},
        )
    report.note(cls.condition, "各列（含常数项）先化为单位长度，不中心化（Belsley、Kuh 与 Welsch，1980）。")
    return found


Found = dict[str, Checked | Normality | None]


def assumption_tests(model: Model) -> Found:
    fit = model.fit
    counts = fit.counts
    return {
        BP: breusch_pagan(fit),
        WHITE: white(fit),
        JB: jarque_bera(model.residual_moments),
        "normal": normality(fit.standard_residuals, counts),
        BG: breusch_godfrey(fit, model.form.bg_order),
        RESET: reset(fit),
    }


def assumptions(report: Report, cls: Any, model: Model, found: Found, dw: float | None) -> None:
    n, weighted = model.fit.n, model.form.weight is not None
    reads = {BP: "方差齐", WHITE: "方差齐", JB: "残差正态", "normal": "残差正态"}
    reads |= {BG: "残差无自相关", RESET: "设定（线性）"}
    absent = []
    for key, test in found.items():
        name = test.name if isinstance(test, Normality) else key
        if key == BG:
            name = f"{BG}（{model.form.bg_order} 阶）"
        if test is None:
            if key != "normal":
                absent.append(name)
            continue
        kind = "F" if key == RESET else {"Shapiro-Wilk": "W", "Lilliefors": "D"}.get(name, "χ²")
        df1, df2 = (test.df1, test.df2) if isinstance(test, Checked) else (2.0 if key == JB else None, None)
        cells: dict[str, Any] = {"value": test.statistic, "df1": df1, "df2": df2, "p": test.p}
        report.row(cls.assumptions, what=reads[key], test=name, kind=kind, **cells)
    if dw is not None:
        report.row(cls.assumptions, what=reads[BG], test="Durbin-Watson", kind="d", value=dw)
    report.note(
        cls.assumptions,
        ("残差为按精度权重标准化后的残差；" if weighted else "")
        + "Durbin-Watson 与 Breusch-Godfrey 只在行按时间或测量先后排列时才有意义；Durbin-Watson 只给统计量。",
    )
    if absent:
        report.note(
            cls.assumptions,
            "未给：{told}（行数或自由度不足、有频数权重、拟合值的幂与自变量重合，或辅助回归超过 2000 万个单元）。",
            told="、".join(absent),
        )
    if n > TESTED_MOST:
        report.note(
            cls.assumptions,
            "样本超过 {most:integer} 例，不做 Lilliefors 检验，请看残差的偏度、峰度和正态 Q-Q 图。",
            most=TESTED_MOST,
        )


def cases(report: Report, cls: Any, model: Model, found: Influence) -> int:
    """Unusual rows with how far each moves the single coefficients; how many there are."""

    def cells(rows: np.ndarray[Any, np.dtype[np.int64]]) -> list[dict[str, Any]]:
        external, dffits = found.external(rows), found.dffits(rows)
        moves = dfbetas(model.fit, [int(r) for r in rows])
        return [
            {
                "studentized": finite(external[i]),
                "leverage": finite(found.leverage[r]),
                "cook": finite(found.cook[r]),
                "dffits": finite(dffits[i]),
                "wide": {name: {"dfbetas": finite(_settled(moves[i, j]))} for j, name in enumerate(model.names)},
            }
            for i, r in enumerate(rows)
        ]

    words = ("学生化残差", "学生化残差")
    return unusual_cases(report, cls.outliers, model, found.external(), found.cook, model.fit.n, cells, words)


def _settled(value: float) -> float:
    """Rounding dust is 0."""
    return 0.0 if abs(value) < 1e-12 else value
