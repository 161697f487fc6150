from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Case,
    Chart,
    Column,
    ColumnInfo,
    Diagonal,
    Form,
    Level,
    Method,
    NextStep,
    Points,
    Reference,
    Report,
    Row,
    SetRemedy,
    Table,
    Terms,
    choice,
    claim,
    estimates,
    few_of,
    filled,
    integer,
    interval,
    level,
    num,
    percent,
    pvalue,
    role,
    rows_column,
    stat,
    text,
)
from hengxi.contract.report import more
from hengxi.families.regression import checks, form, next_steps
from hengxi.families.regression.standard import write_terms, write_unusual
from hengxi.families.regression.tables import new_cases
from hengxi.methods.statistical._shared.binary_model import SE_WORDS, BinaryModel, build_model
from hengxi.methods.statistical._shared.binary_words import BinaryWords
from hengxi.stats.classification import Confusion, Roc, confusion, roc, settled
from hengxi.stats.likelihood_fit import score_test
from hengxi.stats.names import titles
from hengxi.stats.thin import thin

ALPHA, CORNERS, CURVES, GRID = 0.05, 500, 3, 60
AT = {"average": "平均边际效应", "means": "均值处", "medians": "中位数处"}
LOGISTIC = "statistical/logistic_regression"


class ProbitRegression(Method):
    """Maximum likelihood of two classes by a link; what is read are the effects on the probability."""

    title, title_en = "二元Probit/Logit回归（边际效应）", "Binary probit and logit with marginal effects"
    family, tier = "回归分析", "standard"
    purpose = "哪些因素与“是/否”有关，概率各差多少个百分点"
    aliases = ("probit", "二元选择", "边际效应", "dy/dx", "cloglog", "互补双对数", "离散选择", "概率单位")
    references = (
        "wooldridge2010",
        "bliss1934",
        "berajarquelee1984",
        "mcfadden1974",
        "delong1988",
        "harrell2015",
        "cook1977",
    )
    conventions = (
        "系数由 Newton 法求最大似然；经典标准误用期望信息矩阵（与 R 的 glm 相同）；Stata 用观测信息矩阵，略有不同。",
        "稳健标准误为 HC0；聚类稳健再乘 G/(G − 1)，G 为聚类数。",
        "平均边际效应逐行计算后平均；“均值处”取各列的均值（哑变量取比例），“中位数处”取中位数，定类取最多的一类。",
        "定类自变量的边际效应是从参照水平换成该水平时概率的差；标准误用 delta 法。",
        "整体检验：经典标准误时为似然比，其余为 Wald。零模型只含常数项。",
        "正态性检验在模型里加预测指数的 2、3 次幂，异方差检验加预测指数与各列的乘积，都是得分（LM）检验。",
        "正确率的界值为 0.5；AUC 的区间为 DeLong 法；两者都是建模数据上的结果。",
    )
    min_rows = 4

    class Input(Form):
        y: Column = role("因变量Y（两类）", "定类")
        x: list[Column] = form.predictors()
        cluster: Column = role(
            "聚类变量", "任意", shared_with="x", when={"se_type": "cluster"}, hint="同一聚类内的行可以相关"
        )
        event: Level | None = level("事件水平（Y=1）", of="y", auto="last")
        reference: list[Row] = form.reference_levels()
        terms: Terms = form.model_terms()
        link: str = choice("连接函数", {"probit": "Probit", "logit": "Logit", "cloglog": "互补双对数"})
        margeff: str = choice("边际效应位置", AT)
        se_type: str = choice("标准误", {"classic": "经典", "robust": "稳健", "cluster": "聚类稳健"})
        conf_level: float = form.confidence_level()
        predict_at: list[Case] = form.new_cases()

    effects = Table(
        "边际效应", name=text("自变量"), value=num("dy/dx", stars="p"), se=num("标准误", least=0, around="value"),
        z=num("*z*"), p=pvalue(), ci=interval("CI", "low", "high", around="value"), place="main",
        claim=claim("named", stat("*z*", "z"), effect="value", interval="ci", names=("name",), outcome="y"),
    )  # fmt: skip
    forest_points = Points("边际效应", name=text("自变量"), value=num("dy/dx"), low=num("下限"), high=num("上限"))
    forest = Chart(
        "边际效应森林图", "interval", of=forest_points, x="name", y="value", low="low", high="high",
        over=[Reference(x=0)], place="main",
    )  # fmt: skip
    coefficients = Table(
        "回归系数", name=text("自变量"), b=num("*B*", stars="p"), se=num("标准误", least=0, around="b"), z=num("*z*"),
        p=pvalue(), ci=interval("*B* 的CI", "low", "high", around="b"), vif=num("VIF", least=0),
        claim=estimates(stat("*z*", "z")),
    )  # fmt: skip
    predicted = Table(
        "新值预测", number=integer("序号"), case=text("代入值"), value=percent("预测概率"),
        ci=interval("CI", "low", "high", around="value", format="percent"), when={"predict_at": filled},
    )  # fmt: skip
    summary = Table(
        "模型拟合", layout="record", n=integer("*N*"), events=integer("事件数"), rate=percent("事件占比"),
        ll=num("对数似然"), ll_null=num("零模型的对数似然"), chi2=num("χ²（整体检验）", least=0), df=integer("*df*"),
        p=pvalue(), mcfadden=num("McFadden *R*²", most=1), aic=num("AIC"), bic=num("BIC"), accuracy=percent("正确率"),
        base=percent("全猜多数类的正确率"), auc=num("AUC", least=0, most=1),
        auc_ci=interval("AUC 的CI", "auc_low", "auc_high", around="auc"),
        place="detail",
        claim=claim("model", stat("χ²", "chi2", "df"), effect="mcfadden", outcome="y"),
    )  # fmt: skip
    compared = Table(
        "Probit 与 Logit 对照", name=text("自变量"), probit=num("*B*", span="Probit"),
        probit_se=num("标准误", span="Probit"), logit=num("*B*", span="Logit"),
        logit_se=num("标准误", span="Logit"), ratio=num("Logit ÷ Probit"),
    )  # fmt: skip
    terms_tests = Table(
        "各项的整体检验", name=text("项"), wald=num("Wald χ²", least=0), df=integer("*df*"), p=pvalue(),
        claim=claim("named", stat("Wald χ²", "wald", "df"), names=("name",), outcome="y"),
    )  # fmt: skip
    lm_tests = Table(
        "设定检验", name=text("检验"), chi2=num("LM χ²", least=0), df=integer("*df*"), p=pvalue(),
        claim=claim("named", stat("χ²", "chi2", "df"), names=("name",)),
    )  # fmt: skip
    roc_points = Points("ROC曲线的点", x=num("1 − 特异度"), y=num("灵敏度"))
    roc_plot = Chart("ROC曲线", "line", of=roc_points, x="x", y="y", over=[Diagonal()], place="detail")
    curve = Points(
        "预测概率曲线", name=text("自变量"), x=num("自变量"), value=num("预测概率"), low=num("下限"), high=num("上限")
    )
    curve_plot = Chart(
        "预测概率曲线", "line", of=curve, x="x", y="value", low="low", high="high", facet="name", place="detail"
    )
    outliers = Table(
        "异常个案", row=rows_column("行号"), observed=num("实际（1 为事件）", decimals=0),
        fitted=num("预测概率", least=0, most=1),
        standardized=num("标准化残差"), leverage=num("杠杆值", least=0, most=1), cook=num("Cook距离", least=0),
    )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        path = "statistical/probit_regression"
        other = next_steps.instead("要优势比（OR）：二元Logistic回归", LOGISTIC, form, "event", "terms", "reference")
        return [other, *next_steps.crossed(path, form), next_steps.stratified(path, form)]

    @classmethod
    def heading(cls, form: Any) -> str:
        name = {"probit": "Probit", "logit": "Logit", "cloglog": "互补双对数"}[form.link]
        return f"{form.y.title}与{few_of(list(titles(form.x).values()))}的{name}回归"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        model = build_model(form)
        probabilities, ones = settled(model.fit.mean), np.ones(model.n)
        curve = roc(probabilities, model.fit.rows.y, ones, model.level)
        cut = confusion(probabilities, model.fit.rows.y, ones, 0.5)
        BinaryWords(model, curve, cut).write(report)
        cls._effects(report, model)
        cls._coefficients(report, model)
        cls._summary(report, model, curve, cut)
        if form.predict_at:
            new_cases(
                report, cls.predicted, model, "区间先在预测指数上按 Wald 法求出（{level:percent} CI），再换成概率。"
            )
        write_terms(report, cls.terms_tests, model)
        cls._curves(report, model, curve)
        listed = write_unusual(report, cls.outliers, model)
        cls._judge(report, model)
        checks.precision_warning(report, model.plain, model.design.names)
        checks.marginal_warning(report, model)
        checks.collinearity_check(report, model, model.plain, "", "预测的概率")
        checks.influence_check(report, model.cook, form.y.row_numbers, listed)
        return report

    @classmethod
    def _effects(cls, report: Report, model: BinaryModel) -> None:
        for one in model.effects:
            factor = model.design.factors[one.factor]
            name = factor.name if one.level is None else f"{factor.name}：{factor.labels[one.level]}"
            low, high = one.ends(model.reach)
            p = None if one.z is None else float(2 * stats.norm.sf(abs(one.z)))
            report.row(cls.effects, name=name, value=one.value, se=one.se, z=one.z, p=p, low=low, high=high)
            report.row(cls.forest_points, name=name, value=one.value, low=low, high=high)
        how = {
            "average": "先按每行自己的取值算，再平均",
            "means": "其余自变量都取均值（哑变量取比例）",
            "medians": "其余自变量取中位数，定类取最多的一类",
        }[model.form.margeff]
        report.note(
            cls.effects,
            f"{AT[model.form.margeff]}：{how}。定量自变量是多 1 个单位时“{{e}}”的概率的变化率，"
            "定类的是换成该水平时概率的差。"
            "区间为 {level:percent} CI，标准误用 delta 法。",
            e=model.event.label, level=model.level,
        )  # fmt: skip
        if model.references:
            report.note(cls.effects, "定类自变量的参照水平：{told}。", told="；".join(model.references))
        report.note(cls.forest, "虚线为 0（没有关联）；定量变量的边际效应随单位而变，长短不能直接比大小。")

    @classmethod
    def _coefficients(cls, report: Report, model: BinaryModel) -> None:
        probit, logit = model.by("probit"), model.by("logit")
        scale = np.concatenate(([1.0], model.plain.scale))
        for i, name in enumerate(model.names):
            low, high = model.interval(i)
            report.row(
                cls.coefficients, name=name, b=model.b[i], se=model.se[i], z=model.statistic[i], p=model.p[i],
                low=low, high=high, vif=model.vif[i - 1] if i else None,
            )  # fmt: skip
            if i and probit.converged and logit.converged:
                a, b = float(probit.beta[i] / scale[i]), float(logit.beta[i] / scale[i])
                errors = [float(np.sqrt(one.covariance[i, i]) / scale[i]) for one in (probit, logit)]
                ratio = b / a if a else None
                report.row(
                    cls.compared, name=name, probit=a, probit_se=errors[0], logit=b, logit_se=errors[1], ratio=ratio
                )
        report.note(
            cls.coefficients,
            f"*N* = {{n:integer}}。{model.link_words} 连接，事件为“{{y}}”的“{{e}}”。标准误：{SE_WORDS[model.kind]}。"
            "系数是预测指数的变化，不是概率的变化，大小看边际效应。",
            n=model.n, y=model.y, e=model.event.label,
        )  # fmt: skip
        if not (probit.converged and logit.converged):
            report.skip(cls.compared, "另一种连接函数的迭代没有收敛")
            return
        report.note(
            cls.compared,
            "标准误都是经典的。两种系数的单位不同，Logit 的通常是 Probit 的 1.6 到 1.8 倍；符号和显著性应当一致。"
            "对数似然：Probit {a:num}，Logit {b:num}。",
            a=probit.value, b=logit.value,
        )  # fmt: skip

    @classmethod
    def _summary(cls, report: Report, model: BinaryModel, curve: Roc, cut: Confusion) -> None:
        chi2, df, p = model.tested
        report.row(
            cls.summary, n=model.n, events=model.events, rate=model.events / model.n, ll=model.log_likelihood,
            ll_null=model.null.value, chi2=chi2, df=df, p=p, mcfadden=model.mcfadden, aic=model.aic, bic=model.bic,
            accuracy=cut.accuracy, base=max(model.events, model.n - model.events) / model.n, auc=curve.auc,
            auc_low=curve.low, auc_high=curve.high,
        )  # fmt: skip
        kind = "似然比检验" if model.kind == "classic" else "按所选标准误的 Wald 检验"
        report.note(cls.summary, f"整体检验是{kind}。正确率要与全猜多数类的相比。")

    @classmethod
    def _curves(cls, report: Report, model: BinaryModel, curve: Roc) -> None:
        kept = np.unique(np.append(thin(curve.false_rate.size, most=CORNERS), [0, curve.false_rate.size - 1]))
        report.add_rows(cls.roc_points, {"x": curve.false_rate[kept], "y": curve.true_rate[kept]})
        report.note(cls.roc_plot, "曲线越靠左上角，区分得越好；对角线为随机猜测。AUC = {auc:num}。", auc=curve.auc)
        alone = [t for t in model.design.terms if len(t.factors) == 1 and t.numeric]
        crossed = {k for t in model.design.terms if len(t.factors) > 1 for k in t.factors}
        shown = [t for t in alone if t.factors[0] not in crossed][:CURVES]
        for term in shown:
            values = np.asarray(model.design.factors[term.factors[0]].values)
            grid = np.linspace(float(values.min()), float(values.max()), GRID)
            rows = np.zeros((GRID, model.beta.size))
            rows[:, 0] = 1.0
            rows[:, term.first + 1] = (grid - model.plain.centre[term.first]) / model.plain.scale[term.first]
            eta = rows @ model.beta
            half = model.reach * np.sqrt(np.sum((rows @ model.covariance) * rows, axis=1))
            ends = {"low": model.link.mean(eta - half), "high": model.link.mean(eta + half)}
            names = np.array([term.name] * GRID, dtype=object)
            report.add_rows(cls.curve, {"name": names, "x": grid, "value": model.link.mean(eta), **ends})
        if not shown:
            report.skip(cls.curve, "没有可以单独画的定量自变量")
            return
        report.note(cls.curve_plot, "其余各列取均值；色带为 {level:percent} CI。", level=model.level)

    @classmethod
    def _judge(cls, report: Report, model: BinaryModel) -> None:
        eta = model.fit.eta
        tests = {"异方差": score_test(model.fit, eta[:, None] * model.plain.z)}
        if model.form.link == "probit":
            tests = {"正态性": score_test(model.fit, np.column_stack([eta**2, eta**3]))} | tests
        known = {name: (one[0], one[1], float(stats.chi2.sf(*one))) for name, one in tests.items() if one}
        for name, (chi2, df, p) in known.items():
            report.row(cls.lm_tests, name=name, chi2=chi2, df=df, p=p)
        if known:
            report.note(cls.lm_tests, "得分（LM）检验：在模型里加预测指数的幂，或它与各列的乘积。")
        else:
            report.skip(cls.lm_tests, "加入的列与自变量重合，无从检验")
        cls._events(report, model)
        for name, (chi2, df, p) in known.items():
            off = p < ALPHA
            what = "误差项近似正态" if name == "正态性" else "误差的方差处处相同"
            bad = "误差项可能不正态，或漏了平方项。" if name == "正态性" else "误差的方差可能随自变量变化。"
            robust = [SetRemedy(title="改用稳健标准误", set={"se_type": "robust"})]
            report.check(
                f"{name}（LM）",
                "care" if off else "pass",
                "χ²({df:integer}) = {chi2:num}，*p* {p:peq}。" + (bad if off else f"没有发现问题：{what}。"),
                more=more(
                    f"最大似然要求{what}。", "得分检验 χ²({df:integer}) = {chi2:num}，*p* {p:peq}。",
                    "不成立时系数会有偏，稳健标准误只能修正标准误。样本很大时小的偏离也会显著。",
                    "加入平方项或交互项，换一种连接函数，比较边际效应变不变。",
                ),
                remedies=robust if off and model.kind == "classic" else [],
                chi2=chi2, df=df, p=p,
            )  # fmt: skip

    @classmethod
    def _events(cls, report: Report, model: BinaryModel) -> None:
        fewer, k = min(model.events, model.n - model.events), len(model.design.names)
        few = fewer / k < 10
        report.check(
            "事件数",
            "care" if few else "pass",
            "较少的一类有 {e:integer} 行，{k:integer} 个系数，每个系数约 {ratio:num1} 行。"
            + ("不足 10 行，系数可能偏大、区间不准。" if few else "足够。"),
            more=more(
                "信息量由较少的一类决定，不是总行数。",
                "较少的一类 {e:integer} 行 ÷ 系数 {k:integer} 个 = {ratio:num1}。",
                "参考标准：每个系数 10 行以上（Harrell，2015）。", "减少自变量，合并类别，或收集更多数据。",
            ),
            e=fewer, k=k, ratio=fewer / k,
        )  # fmt: skip
