from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
    Silent,
    Table,
    Terms,
    cases,
    choice,
    claim,
    estimates,
    few_of,
    filled,
    integer,
    interval,
    level,
    num,
    number,
    percent,
    pvalue,
    role,
    rows_column,
    settings,
    stat,
    terms,
    text,
)
from hengxi.contract import weight as weights_box
from hengxi.families.regression import next_steps, pooled
from hengxi.methods.statistical._shared import logistic_charts, logistic_checks, logistic_tables, logistic_words
from hengxi.methods.statistical._shared.logistic_model import build_model
from hengxi.stats.names import titles


class LogisticRegression(Method):
    """Maximum likelihood in standard coordinates; Firth's penalty where the outcome is separated, and only then."""

    title, title_en = "二元Logistic回归", "Binary logistic regression"
    family, tier = "回归分析", "standard"
    purpose = "哪些因素与“是/否”结局有关联，优势比多大，能否准确区分"
    aliases = (
        "逻辑回归",
        "会不会",
        "逻辑斯蒂",
        "logit",
        "优势比",
        "OR值",
        "比值比",
        "二分类",
        "ROC",
        "AUC",
        "预测是否",
        "混淆矩阵",
    )
    references = (
        "hosmer2013", "firth1993", "heinze2002", "albert1984", "delong1988", "box1962", "mcfadden1974",
        "cox1989", "nagelkerke1991", "peduzzi1996", "brier1950", "cook1977", "wilson1927",
    )  # fmt: skip
    conventions = (
        "系数由 Newton 法求最大似然；标准误由信息矩阵求得，Wald χ² = (B/SE)²。",
        "事件水平默认为末水平，定类自变量的参照水平默认为首水平，表下写明。",
        "OR 的轮廓似然区间由似然比 χ²(1) 的界限直接解出，不插值（R 的 confint 插值，第 4 位有效数字起会不同）；"
        "行数 × 系数个数³ 超过 2000 万（Firth 为 2 亿）时不做，表下写明。",
        "出现分离（最大似然不存在）时改用 Firth 惩罚似然，区间与 p 读惩罚轮廓似然；结论写明。",
        "BIC 的样本量为个案数；Cox-Snell 与 Nagelkerke R² 用对数似然。",
        "Hosmer-Lemeshow 按预测概率的分位数（R 第 7 类）分组，相同概率同组，df = 实际组数 − 2。",
        "AUC 的区间为 DeLong 法；概率按 12 位有效数字比较大小。",
        "平均边际效应逐个案计算后平均，定类自变量为与参照水平之差，标准误用 delta 法。",
        "分类表、AUC 与 Brier 均为训练样本内结果。",
    )
    weights = ("frequency",)
    min_rows = 4
    pool = True

    class Input(Form):
        y: Column = role("因变量Y（两类）", "定类")
        x: list[Column] = role("自变量X", "任意", min=1, max=None, varies=True)
        freq: Column | None = weights_box("频数权重（可选）", kind="frequency", whole=True)
        event: Level | None = level("事件水平（Y=1）", of="y", auto="last")
        reference: list[Row] = settings(
            "定类自变量的参照水平", of="x", by="column", measure="定类", level=level("参照水平", auto="first")
        )
        terms: Terms = terms("模型项（主效应与交互）", of="x", order=3)
        method: str = choice(
            "进入方式",
            {"enter": "全部进入", "forward_lr": "向前LR", "backward_lr": "向后LR", "step_aic": "逐步AIC"},
        )
        p_enter: float = number("进入p值", 0.05, least=0.001, most=0.5, when={"method": "forward_lr"})
        p_remove: float = number("剔除p值", 0.1, least=0.001, most=0.5, when={"method": ("forward_lr", "backward_lr")})
        firth: str = choice("Firth惩罚（稀有/分离）", {"separated": "分离时自动", "never": "从不", "always": "总是"})
        conf_level: float = number("置信水平", 0.95, least=0.8, most=0.999, percent=True)
        cutoff: float = number("分类界值", 0.5, least=0.01, most=0.99)
        hl_groups: int = integer("HL分组数", 10, least=5, most=20)
        predict_at: list[Case] = cases("试算", of="x", max=20)

    coefficients = Table(
        "回归系数与优势比", name=text("自变量"), b=num("*B*", stars="p"), se=num("标准误", least=0, around="b"),
        wald=num("Wald χ²", least=0), df=integer("*df*"), p=pvalue(), odds=num("OR", least=0),
        ci=interval("OR 的CI（Wald）", "low", "high", around="odds"),
        profile=interval("OR 的CI（轮廓似然）", "profile_low", "profile_high", around="odds"),
        lr_p=pvalue("似然比 *p*"), vif=num("VIF", least=0), place="main",
        claim=estimates(stat("Wald χ²", "wald", "df"), ratio=("odds", "OR"), interval_of="ratio"),
    )  # fmt: skip
    forest_points = Points("优势比", name=text("自变量"), odds=num("OR"), low=num("下限"), high=num("上限"))
    forest = Chart(
        "OR森林图", "interval", of=forest_points, x="name", y="odds", low="low", high="high", over=[Reference(x=1)],
        place="main",
    )  # fmt: skip
    predicted = Table(
        "新值预测", number=integer("序号"), case=text("代入值"), value=percent("预测概率"),
        ci=interval("CI", "low", "high", around="value", format="percent"), when={"predict_at": filled},
    )  # fmt: skip
    summary = Table(
        "模型检验与拟合", layout="record", n=integer("*N*"), events=integer("事件数"), minus2=num("−2LL", least=0),
        minus2_null=num("零模型的 −2LL", least=0),
        chi2=num("似然比 χ²", least=0), df=integer("*df*"), p=pvalue(), aic=num("AIC"), bic=num("BIC"),
        mcfadden=num("McFadden *R*²", most=1), snell=num("Cox-Snell *R*²", most=1),
        nagelkerke=num("Nagelkerke *R*²", most=1), place="detail",
        claim=claim("model", stat("χ²", "chi2", "df"), effect="nagelkerke", outcome="y"),
    )  # fmt: skip
    terms_tests = Table(
        "各项的整体检验", name=text("项"), df=integer("*df*"), wald=num("Wald χ²", least=0), wald_p=pvalue("Wald *p*"),
        lr=num("似然比 χ²", least=0), p=pvalue("似然比 *p*"),
        claim=claim("named", stat("χ²", "lr", "df"), stat("Wald χ²", "wald", "df"), names=("name",), outcome="y"),
    )  # fmt: skip
    steps = Table(
        "逐步选择的过程", number=integer("步"), action=text("动作"), term=text("项"), chi2=num("似然比 χ²", least=0),
        df=integer("*df*"), p=pvalue(), aic=num("AIC"), when={"method": ("forward_lr", "backward_lr", "step_aic")},
        claim=Silent("a course of steps is no test of its own"),
    )  # fmt: skip
    effects = Table(
        "平均边际效应", name=text("自变量"), value=num("dy/dx"),
        se=num("标准误", least=0, around="value"), z=num("*z*"), p=pvalue(),
        ci=interval("CI", "low", "high", around="value"),
        claim=claim("named", stat("*z*", "z"), effect="value", interval="ci", names=("name",), outcome="y"),
    )  # fmt: skip
    outcome = Table(
        "因变量编码", level=text("水平"), code=integer("编码"), n=integer("*n*"), share=percent("占比"),
    )  # fmt: skip
    coding = Table(
        "定类自变量编码", variable=text("自变量"), level=text("水平"), code=text("哑变量"), n=integer("*n*"),
        events=integer("事件数"), rate=percent("事件比例"), merge=("variable",),
    )  # fmt: skip
    hosmer = Table(
        "Hosmer-Lemeshow检验", layout="record", groups=integer("组数"), chi2=num("χ²", least=0), df=integer("*df*"),
        p=pvalue(),
        claim=claim("named", stat("χ²", "chi2", "df")),
    )  # fmt: skip
    fit_groups = Table(
        "按预测概率分组", number=integer("组"), n=integer("*n*"), events=integer("事件：实际"),
        expected=num("事件：期望", least=0), others=integer("非事件：实际"),
        others_expected=num("非事件：期望", least=0), mean=percent("预测概率均值"), rate=percent("实际比例"),
        ci=interval("实际比例的CI", "low", "high", around="rate", format="percent"),
    )  # fmt: skip
    classes = Table(
        "分类表", actual=text("实际"), no=integer("判为非事件"), yes=integer("判为事件"), right=percent("正确率"),
    )  # fmt: skip
    accuracy = Table(
        "分类指标", layout="record", sensitivity=percent("灵敏度"), specificity=percent("特异度"),
        accuracy=percent("准确率"), precision=percent("精确率"), f1=num("F1", least=0, most=1),
        brier=num("Brier", least=0, most=1),
    )  # fmt: skip
    discrimination = Table(
        "区分能力", layout="record", auc=num("AUC", least=0, most=1), se=num("标准误", least=0, around="auc"),
        ci=interval("AUC 的CI", "low", "high", around="auc"),
    )  # fmt: skip
    linearity = Table(
        "logit线性（Box-Tidwell）", name=text("自变量"), wald=num("Wald χ²", least=0), df=integer("*df*"), p=pvalue(),
        claim=Silent("linearity is told by its check"),
    )  # fmt: skip
    outliers = Table(
        "异常个案", row=rows_column("行号"), observed=text("实际"), fitted=num("预测概率", least=0, most=1),
        standardized=num("标准化残差"), leverage=num("杠杆值", least=0, most=1), cook=num("Cook距离", least=0),
    )  # fmt: skip
    roc_points = Points("ROC曲线的点", x=num("1 − 特异度"), y=num("灵敏度"))
    roc_plot = Chart("ROC曲线", "line", of=roc_points, x="x", y="y", over=[Diagonal()], place="detail")
    calibration = Chart(
        "校准图", "point", of=fit_groups, x="mean", y="rate", low="low", high="high", over=[Diagonal()],
        place="detail",
    )  # fmt: skip
    spread = Points("预测概率的分布", series=text("实际"), low=num("下限"), high=num("上限"), count=integer("例数"))
    spread_plot = Chart(
        "预测概率分布图", "histogram", of=spread, low="low", high="high", count="count", series="series",
        place="detail",
    )  # fmt: skip
    logits = Points("经验logit", name=text("自变量"), x=num("自变量"), y=num("经验logit"))
    logit_plot = Chart("线性性图", "point", of=logits, x="x", y="y", facet="name", place="detail")

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        path, forest = "statistical/logistic_regression", "supervised_learning/classifier/random_forest"
        ways = [*next_steps.crossed(path, form), next_steps.stratified(path, form)]
        other = next_steps.instead("只要预测：与随机森林分类比较准确率", forest, form)
        return ways if form.get("freq") is not None else [*ways, other]

    @classmethod
    def heading(cls, form: Any) -> str:
        names = list(titles(form.x).values())
        return f"{form.y.title}与{few_of(names)}的Logistic回归"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        model = build_model(form)
        found = logistic_tables.write(report, cls, model)
        # mice takes n − k for the degrees of freedom of the complete data here too.
        cov, scale = model.covariance[1:, 1:], 1 / model.plain.scale
        pooled.give(report, cls.coefficients, model, cov, scale, model.n - model.data.k, ratio="OR")
        logistic_charts.draw(report, cls, model, found)
        words = logistic_words.Words(model, found)
        words.write(report)
        words.step_note(report, cls.coefficients)
        logistic_checks.report_all(report, model, found)
        return report
