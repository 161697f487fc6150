"""Assumptions of a linear regression: what was seen, what it does to the result, what can be done."""

from __future__ import annotations

from typing import Any

from hengxi.contract import MethodRemedy, Report, SetRemedy, StepRemedy, more
from hengxi.contract.shapes import State
from hengxi.families.regression.checks import (
    OVERLAP,
    POWERS,
    influence_check,
    marginal_warning,
    precision_warning,
    size_check,
)
from hengxi.methods.statistical._shared.linear_model import Model
from hengxi.methods.statistical._shared.linear_tables import BG, BP, JB, RESET, WHITE, Found
from hengxi.stats.collinearity import Condition, judged_as, worst
from hengxi.stats.influence import Influence
from hengxi.stats.normality import TESTED_MOST

ALPHA = 0.05
CLUSTERS = 30
"""Clusters below which cluster-robust errors are too small (Cameron, Gelbach & Miller 2008)."""
ROBUST = ("hc0", "hc1", "hc2", "hc3", "newey_west", "cluster")


def report_all(
    report: Report, model: Model, found: Found, dw: float | None, cond: Condition, inf: Influence, unusual: int
) -> None:
    marginal_warning(report, model)
    precision_warning(report, model.fit, model.design.names, (model.y, model.fit.y_grain))
    _few_clusters(report, model)
    _form(report, model, found)
    _variance(report, model, found)
    _normality(report, model, found)
    _order(report, model, found, dw)
    _collinear(report, model, cond)
    influence_check(report, inf.cook, model.form.y.row_numbers[model.rows], unusual)
    size_check(report, model, model.fit.n, model.fit.p)


def _few_clusters(report: Report, model: Model) -> None:
    """Cluster-robust errors rest on the number of clusters, not of rows (Cameron, Gelbach & Miller 2008)."""
    if model.clusters is None:
        return
    groups = int(model.clusters.max()) + 1
    if groups >= CLUSTERS:
        return
    report.warn(
        "data.clusters",
        "只有 {g:integer} 个聚类，少于 {least:integer} 个：聚类稳健标准误往往偏小，*p* 值也偏小。"
        "*p* 值接近界限时不要下结论；请增加聚类的个数，而不是每个聚类里的行数。",
        columns=[model.form.cluster],
        g=groups,
        least=CLUSTERS,
    )


def _form(report: Report, model: Model, found: Found) -> None:
    test = found[RESET]
    if test is None:
        report.check(
            "线性", "unknown", "行数太少，或拟合值的幂与自变量重合，RESET 检验无法计算；请看残差-拟合图有没有弯曲。"
        )
        return
    bent = test.p < ALPHA
    ending = "可能漏掉了曲线或交互项，请看残差-拟合图，或加入二次项。" if bent else "没有发现弯曲。"
    report.check(
        "线性",
        "care" if bent else "pass",
        "RESET *F*({df1:integer}, {df2:integer}) = {F:num}，*p* {p:peq}。" + ending,
        more=more(
            "线性回归要求每个自变量与因变量的关系是直线，且没有漏掉重要的交互项。",
            "RESET 检验加入拟合值的 2、3 次幂：*F* = {F:num}，*p* {p:peq}。",
            "关系是弯的而用直线拟合时，系数只是平均的斜率，两端的预测会偏。样本很大时请以图为准。",
            "看残差-拟合图和偏回归图；弯曲明显时加入二次项、取对数或分段。",
        ),
        remedies=_squares(model) if bent else [],
        F=test.statistic,
        p=test.p,
        df1=getattr(test, "df1", 2.0),
        df2=getattr(test, "df2", None),
    )


def _squares(model: Model) -> list[Any]:
    """The chosen terms, and the square of each quantitative variable with more than two values."""
    terms: list[list[str]] = [[column.id for column in term.columns] for term in model.form.terms.terms]
    held = [sorted(term) for term in terms]
    more_terms = [
        [column.id, column.id]
        for column, factor in zip(model.columns, model.design.factors, strict=True)
        if factor.values is not None and column.info.profile.distinct > 2 and [column.id, column.id] not in held
    ]
    if not more_terms:
        return []
    return [SetRemedy(title="加入二次项", set={"terms": {"preset": "custom", "terms": terms + more_terms}})]


def _variance(report: Report, model: Model, found: Found) -> None:
    tests = [(key, test) for key, test in ((BP, found[BP]), (WHITE, found[WHITE])) if test is not None]
    if not tests:
        report.check("异方差", "unknown", "行数太少，Breusch-Pagan 与 White 检验无法计算；请看尺度-位置图。")
        return
    uneven = any(test.p < ALPHA for _, test in tests)
    robust = model.kind in ROBUST
    facts: dict[str, Any] = {}
    parts = []
    for i, (key, test) in enumerate(tests):
        word = "BP" if key == BP else "White"
        parts.append(f"{word} χ²({{d{i}:integer}}) = {{x{i}:num}}，*p* {{p{i}:peq}}")
        facts |= {f"d{i}": getattr(test, "df1", 0.0), f"x{i}": test.statistic, f"p{i}": test.p}
    if not uneven:
        ending = "没有发现方差不等。"
    elif robust:
        ending = "残差的方差不等；所选标准误已考虑。"
    else:
        ending = "残差的方差不等，经典标准误不准。稳健替代：HC3 标准误（系数不变）。"
    report.check(
        "异方差",
        "pass" if not uneven else "care",
        "；".join(parts) + "。" + ending,
        more=more(
            "经典标准误要求残差的方差处处相同。",
            "；".join(parts) + "。",
            "方差不等时系数不受影响，但经典标准误、*p* 值和区间不准。样本很大时请以尺度-位置图为准。",
            "改用 HC3 标准误，或对因变量取对数；知道方差与什么成比例时用精度权重。",
        ),
        remedies=[SetRemedy(title="改用 HC3 标准误", set={"se_type": "hc3"})] if uneven and not robust else [],
        **facts,
    )


def _normality(report: Report, model: Model, found: Found) -> None:
    test, jb = found["normal"], found[JB]
    m = model.residual_moments
    n = model.fit.n
    if jb is None or m.skewness is None or (test is None and n <= TESTED_MOST):
        report.check("残差正态", "unknown", "行数太少，无法判断残差是否正态。")
        return
    severe = abs(m.skewness) > 2 or (m.kurtosis or 0) > 7
    off = min(jb.p, test.p if test else 1.0) < ALPHA
    state: State = "fail" if off and severe and n < 50 else "care" if severe or (off and n < 100) else "pass"
    ending = {
        "pass": "略有偏离，样本够大，不影响系数的检验。" if off else "近似正态。",
        "care": "有偏离：对系数的检验影响不大，个体预测区间会不准。",
        "fail": "偏离明显而样本不大，*p* 值和区间可能不准。稳健替代：对因变量取对数后再做（因变量要大于 0）。",
    }[state]
    name = getattr(test, "name", "")
    tested = "{name} *p* {p:peq}" if test else "样本超过 {most:integer} 例，不做 Lilliefors 检验"
    facts = {"name": name, "p": test.p} if test else {"most": TESTED_MOST, "k": m.kurtosis}
    shape = "残差偏度 {g:num}" if test else "残差偏度 {g:num}，峰度 {k:num}"
    report.check(
        "残差正态",
        state,
        f"{tested}；Jarque-Bera *p* {{jb:peq}}，{shape}。" + ending,
        more=more(
            "小样本时，系数的 *t* 检验要求残差正态；不要求自变量或因变量本身正态。",
            f"{tested}；Jarque-Bera *p* {{jb:peq}}；{shape}，共 {{n:integer}} 例。",
            "按偏度、峰度和样本量一起判断，不单看 *p*：样本越大，对系数的检验影响越小；个体预测区间受影响最大。",
            "看正态 Q-Q 图；有长尾时对因变量取对数，或核对“异常个案”表。",
        ),
        remedies=[
            StepRemedy(title="对因变量取对数", step="data_processing/compute_variable", columns=[model.form.y.id])
        ]
        if state == "fail" and float(model.y_values.min()) > 0
        else [],
        jb=jb.p,
        g=m.skewness,
        n=n,
        **facts,
    )


def _order(report: Report, model: Model, found: Found, dw: float | None) -> None:
    test = found[BG]
    if dw is None or test is None:
        copies = "有频数权重时一行代表多例，没有先后次序，不检验自相关。"
        report.check("自相关", "unknown", copies if dw is None else "自由度不足，无法检验自相关。")
        return
    order = int(model.form.bg_order)
    related = test.p < ALPHA
    facts: dict[str, Any] = {"dw": dw, "x": test.statistic, "p": test.p, "order": order}
    # That the rows stand in an order of time nobody has said, except by the choice of these standard errors.
    allowed = {"newey_west": "", "cluster": "同一聚类内的"}.get(model.kind)
    remedies = []
    state: State = "care"
    if not related:
        state, ending = "pass", "没有发现前后行相关。"
    elif allowed is not None:
        ending = f"前后行的残差相关；所选标准误已考虑{allowed}相关。"
    else:
        state = "unknown"
        ending = "前后行的残差相关。行按时间或测量先后排列时，请改用 Newey-West 标准误；行的次序没有意义时，不用理会。"
        remedies = [SetRemedy(title="改用 Newey-West 标准误", set={"se_type": "newey_west"})]
    report.check(
        "自相关",
        state,
        "Breusch-Godfrey χ²({order:integer}) = {x:num}，*p* {p:peq}；DW = {dw:num}。" + ending,
        more=more(
            "经典标准误要求各行的残差互不相关。数据按时间排列时，前后行常常相关。",
            "Breusch-Godfrey（{order:integer} 阶）*p* {p:peq}；Durbin-Watson = {dw:num}，没有自相关时约为 2。",
            "正相关时经典标准误偏小，*p* 值也偏小。问卷等没有先后次序的数据，不用看这一项。",
            "按时间排列的数据用 Newey-West 标准误或时间序列模型；同一对象有多行时用聚类稳健标准误。",
        ),
        remedies=remedies,
        **facts,
    )


def _collinear(report: Report, model: Model, cond: Condition) -> None:
    if model.fit.intercept and len(model.design.names) == 1:
        report.check("共线性", "pass", "只有一个自变量，不涉及共线性。")
        return
    top, first, term = worst(model.fit, model.design.terms)
    index = float(cond.indices[-1])
    powers = any(len(term.factors) > 1 for term in model.design.terms)
    # Without a constant the VIF is counted around 0 and large wherever a variable is far from 0: no evidence then.
    judged = top if model.fit.intercept else 0.0
    state: State = "fail" if judged >= 10 else "care" if judged >= 5 or index > 30 else "pass"
    name = term.name if term.width > 1 else model.design.names[first]
    ending = OVERLAP[state]
    if state != "pass" and powers:
        ending += POWERS
    if not model.fit.intercept:
        ending += "不含截距时 VIF 以 0 为中心，往往偏大，只看条件指数。"
    elif state == "care" and top < 5:
        ending = "VIF 不大，共线性不严重；离 0 很远的变量（如年份）减去均值后，条件指数会降低。"
    ridge = MethodRemedy(title="改用岭回归", method="statistical/ridge_regression", carry=["y", "x"])
    remedies: list[Any] = [ridge] if judged >= 10 or index > 30 else []
    report.check(
        "共线性",
        state,
        "最大 VIF = {vif:num}（“{name}”），最大条件指数 {index:num}。" + ending,
        more=more(
            "自变量之间高度相关时，各自的贡献难以分开。",
            f"“{{name}}”的 VIF = {{vif:num}}，最大条件指数 {{index:num}}{judged_as(model.design.terms, term)}。",
            (
                "系数的标准误放大到互不相关时的 {root:num} 倍，正负号也可能不稳；*R*² 和预测不受影响。"
                if model.fit.intercept
                else "共线时系数的标准误会变大，正负号也可能不稳；*R*² 和预测不受影响。"
            )
            + "参考标准：VIF 5 注意、10 严重；条件指数 30（Belsley 等，1980）。",
            "删去或合并意思相近的自变量，或改用岭回归；只为预测时可以不处理。",
        ),
        remedies=remedies,
        vif=top,
        name=name,
        index=index,
        root=top**0.5,
    )
