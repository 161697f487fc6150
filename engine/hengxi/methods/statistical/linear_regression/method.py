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
    Formula,
    Line,
    Method,
    NewColumns,
    NextStep,
    Points,
    Reference,
    Report,
    Row,
    Silent,
    Table,
    Terms,
    Wide,
    cases,
    choice,
    claim,
    elsewhere,
    estimates,
    few_of,
    filled,
    flag,
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
from hengxi.families.regression import next_steps
from hengxi.methods.statistical._shared import (
    linear_charts,
    linear_checks,
    linear_exact,
    linear_predictions,
    linear_tables,
    linear_words,
)
from hengxi.methods.statistical._shared.linear_model import build_model
from hengxi.stats.influence import influence
from hengxi.stats.linear_tests import durbin_watson
from hengxi.stats.names import titles


class LinearRegression(Method):
    """Least squares by QR on centred and scaled columns; numbers use every row, whatever is thinned in charts."""

    title, title_en = "线性回归（最小二乘法）", "Linear regression (OLS/WLS)"
    family, tier = "回归分析", "standard"
    rescaled = (("y",),)
    purpose = "一个定量因变量与哪些自变量有关联、方向和大小如何、能解释多少变异"
    aliases = (
        "OLS",
        "什么影响",
        "最小二乘",
        "多元回归",
        "一元回归",
        "多重回归",
        "回归分析",
        "VIF",
        "共线性",
        "R²",
        "R方",
        "残差",
        "标准化回归系数",
        "稳健标准误",
    )
    references = (
        "koenker1981", "breusch1979", "white1980", "mackinnon1985", "neweywest1987", "newey1994", "durbin1951",
        "breusch1978", "godfrey1978", "ramsey1969", "jarque1987", "shapiro1965", "cook1977", "belsley1980", "fox1992",
        "smithson2001", "harrell2015",
    )  # fmt: skip
    conventions = (
        "系数由各列中心化、标准化后的 QR 分解求得；自变量的线性关系按数值秩判断。",
        "置信区间和检验用 t 分布，自由度为 n − k；聚类稳健时为聚类数减 1。",
        "定类自变量用哑变量，参照水平默认为首水平；不含截距时，第一个定类自变量列出全部水平。",
        "多水平定类自变量和交互项的整体检验为第 III 类：每项在其余各项之后。",
        "AIC、BIC 把残差方差计入参数（与 R 相同）。",
        "R² 的置信区间由非中心 F 分布反解，λ/(λ + df2)。",
        "残差的正态性用 Shapiro-Wilk（3 到 5000 例），更多时用 Lilliefors；"
        "超过 50000 例只用 Jarque-Bera，看偏度和峰度。",
        "White 检验在辅助回归超过 2000 万个单元时不做，前提检验表下写明。",
        "统计用全部个案；图中的点超过 5000 个时等距抽取，并保留全部极端个案，图下写明。",
        "Newey-West 用 Bartlett 核，默认滞后 ⌊4(n/100)^(2/9)⌋ 阶，乘 n/(n − k)，不预白化；聚类稳健为 CR1。",
    )
    weights = ("precision", "frequency")
    row_order = True
    min_rows = 3
    pool = True

    class Input(Form):
        y: Column = role("因变量Y", "定量", varies=True)
        x: list[Column] = role("自变量X", "任意", min=1, max=None, varies=True)
        weight: Column | None = weights_box("精度权重（可选，WLS）", kind="precision")
        freq: Column | None = weights_box("频数权重（可选）", kind="frequency", whole=True)
        cluster: Column = role(
            "聚类变量", "任意", shared_with="x", when={"se_type": "cluster"}, hint="同一聚类内的个案可以相关"
        )
        intercept: bool = flag("包含截距", True)
        reference: list[Row] = settings(
            "定类自变量的参照水平", of="x", by="column", measure="定类", level=level("参照水平", auto="first")
        )
        terms: Terms = terms("模型项（主效应与交互）", of="x", order=3)
        se_type: str = choice(
            "标准误类型",
            {
                "classic": "经典", "hc0": "HC0", "hc1": "HC1", "hc2": "HC2", "hc3": "HC3", "newey_west": "Newey-West",
                "cluster": "聚类稳健",
            },
        )  # fmt: skip
        nw_lags: int | None = integer(
            "Newey-West滞后阶", None, least=0, most=50, auto="⌊4(n/100)^(2/9)⌋", when={"se_type": "newey_west"}
        )
        bg_order: int = integer(
            "Breusch-Godfrey阶数",
            1,
            least=1,
            most=50,
            advanced=True,
            hint="看残差与前几行是否相关；行按时间排列时才有用",
        )
        conf_level: float = number("置信水平", 0.95, least=0.8, most=0.999, percent=True)
        save: bool = flag("保存到数据（预测值/残差/Cook距离）", False)
        predict_at: list[Case] = cases("试算", of="x", max=20)

    coefficients = Table(
        "回归系数", name=text("自变量"), b=num("*B*", stars="p"), se=num("标准误", least=0, around="b"), beta=num("β"),
        t=num("*t*"), p=pvalue(), ci=interval("*B* 的CI", "low", "high", around="b"), vif=num("VIF", least=0),
        place="main",
        claim=estimates(stat("*t*", "t", elsewhere=elsewhere("summary", "df2"))),
    )  # fmt: skip
    summary = Table(
        "模型汇总", layout="record", n=integer("*N*"), R=num("*R*", least=0, most=1), r2=num("*R*²", least=0, most=1),
        r2_ci=interval("*R*² 的CI", "r2_low", "r2_high", around="r2", inside=False),
        adjusted=num("调整 *R*²", most=1), f2=num("*f*²", least=0),
        sigma=num("估计标准误（Root MSE）", least=0), rmse=num("RMSE", least=0),
        F=num("*F*", least=0), df1=integer("*df*1"), df2=integer("*df*2"), p=pvalue(),
        log_likelihood=num("对数似然"), aic=num("AIC"), bic=num("BIC"),
        dw=num("Durbin-Watson", least=0, most=4), place="detail",
        claim=claim(
            "model", stat("*F*", "F", "df1", "df2"), effect="r2", interval="r2_ci", outcome="y",
        ),
    )  # fmt: skip
    equation = Formula("模型方程")
    forest_points = Points("系数", name=text("自变量"), b=num("*B*"), low=num("下限"), high=num("上限"))
    forest = Chart(
        "系数森林图", "interval", of=forest_points, x="name", y="b", low="low", high="high", over=[Reference(x=0)],
        place="main",
    )  # fmt: skip
    predicted = Table(
        "新值预测", number=integer("序号"), case=text("代入值"), mean=num("预测均值"),
        ci=interval("均值CI", "low", "high", around="mean"),
        single=interval("个体预测区间", "single_low", "single_high", around="mean"), when={"predict_at": filled},
    )  # fmt: skip
    anova = Table(
        "方差分析", source=text("来源"), ss=num("*SS*", least=0), df=integer("*df*"), ms=num("*MS*", least=0),
        F=num("*F*", least=0), p=pvalue(),
        claim=Silent("the model is told by 模型汇总"),
    )  # fmt: skip
    terms_tests = Table(
        "定类自变量与交互项的整体检验", name=text("项"), F=num("*F*", least=0), df1=integer("*df*1"),
        df2=integer("*df*2"), p=pvalue(),
        claim=claim("named", stat("*F*", "F", "df1", "df2"), names=("name",), outcome="y"),
    )  # fmt: skip
    relations = Table(
        "各自变量的单独贡献与共线性", name=text("自变量"), partial=num("偏相关", least=-1, most=1),
        part=num("半偏相关", least=-1, most=1), tolerance=num("容差", least=0), vif=num("VIF", least=0),
        gvif=num("GVIF^(1/(2*df*))", least=0),
    )  # fmt: skip
    condition = Table(
        "共线性诊断", dimension=integer("维"), eigenvalue=num("特征根", least=0), index=num("条件指数", least=0),
        layout=Wide(share=percent("方差比例")),
    )  # fmt: skip
    assumptions = Table(
        "前提检验", what=text("前提"), test=text("检验"), kind=text("统计量"), value=num("值", decimals=3),
        df1=num("*df*1", decimals=0), df2=num("*df*2", decimals=0), p=pvalue(),
        claim=Silent("assumptions are told by their checks"),
    )  # fmt: skip
    outliers = Table(
        "异常个案", row=rows_column("行号"), studentized=num("学生化残差"), leverage=num("杠杆值", least=0, most=1),
        cook=num("Cook距离", least=0), dffits=num("DFFITS"), layout=Wide(dfbetas=num("DFBETAS")),
    )  # fmt: skip
    points = Points(
        "残差图的点", row=integer("行号"), fitted=num("拟合值"), observed=num("实际值"), residual=num("残差"),
        standardized=num("标准化残差"), root=num("√|标准化残差|"), leverage=num("杠杆值"), cook=num("Cook距离"),
    )  # fmt: skip
    trend = Points("分段平均", fitted=num("拟合值"), residual=num("残差"), root=num("√|标准化残差|"))
    residual_plot = Chart(
        "残差-拟合图", "point", of=points, x="fitted", y="residual", row="row",
        over=[Reference(y=0), Line(trend, x="fitted", y="residual", label="分段平均")], place="detail",
    )  # fmt: skip
    quantiles = Points("正态分位数", theory=num("正态分位数"), sample=num("标准化残差"))
    qq_plot = Chart("正态Q-Q图", "point", of=quantiles, x="theory", y="sample", over=[Diagonal()], place="detail")
    scale_plot = Chart(
        "尺度-位置图", "point", of=points, x="fitted", y="root", row="row",
        over=[Line(trend, x="fitted", y="root", label="分段平均")], place="detail",
    )  # fmt: skip
    leverage_plot = Chart(
        "残差-杠杆图", "point", of=points, x="leverage", y="standardized", size="cook", row="row",
        over=[Reference(y=0)], place="detail",
    )  # fmt: skip
    partial_points = Points("偏回归图的点", name=text("自变量"), x=num("自变量的剩余"), y=num("因变量的剩余"))
    partial_lines = Points("偏回归线", name=text("自变量"), x=num("自变量的剩余"), y=num("因变量的剩余"))
    partial_plot = Chart(
        "偏回归图", "point", of=partial_points, x="x", y="y", facet="name", over=[Line(partial_lines, x="x", y="y")],
        place="detail",
    )  # fmt: skip
    observed_plot = Chart(
        "实际-预测图", "point", of=points, x="fitted", y="observed", row="row", over=[Diagonal()], place="detail"
    )
    saved = NewColumns("预测值、残差与Cook距离", when={"save": True})

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        path = "statistical/linear_regression"
        ways = [*next_steps.crossed(path, form), next_steps.stratified(path, form)]
        return ways + next_steps.correlated(form, columns)

    @classmethod
    def heading(cls, form: Any) -> str:
        names = list(titles(form.x).values())
        return f"{form.y.title}与{few_of(names)}的线性回归"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        model = build_model(form)
        if model.exact:
            return linear_exact.write(report, cls, model)
        unusual = influence(model.fit)
        found = linear_tables.assumption_tests(model)
        dw = durbin_watson(model.fit)

        linear_tables.coefficients(report, cls, model)
        linear_tables.summary(report, cls, model, dw)
        linear_tables.pool(report, cls, model)
        linear_words.equation(report, cls, model)
        if form.predict_at:
            linear_predictions.predictions(report, cls, model)
        linear_tables.anova(report, cls, model)
        linear_tables.term_tests(report, cls, model)
        indices = linear_tables.collinearity(report, cls, model)
        linear_tables.assumptions(report, cls, model, found, dw)
        listed = linear_tables.cases(report, cls, model, unusual)
        linear_charts.draw(report, cls, model, unusual)
        if form.save:
            linear_predictions.saved(report, cls, model, unusual)

        linear_words.Words(model).write(report)
        linear_checks.report_all(report, model, found, dw, indices, unusual, listed)
        return report
