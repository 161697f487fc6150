from __future__ import annotations

import io
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    File,
    Form,
    Method,
    Points,
    Record,
    Refusal,
    Report,
    Table,
    TypedFormula,
    TypedMatrix,
    choice,
    figure,
    filled,
    formula,
    integer,
    interval,
    matrix,
    num,
    number,
    numbers,
    percent,
    records,
    role,
    text,
    words,
)
from hengxi.contract.grammar import Symbol, comparisons
from hengxi.methods.mathematical_modeling._shared.draws import (
    DISTRIBUTIONS,
    Variable,
    correlated,
    fits,
    nearest_correlation,
    read_input,
    uniforms,
)
from hengxi.methods.mathematical_modeling._shared.grid import Floats
from hengxi.methods.mathematical_modeling._shared.typed import known_only
from hengxi.stats.solving.expressions import Function

SAMPLINGS = {"latin": "拉丁超立方", "random": "简单随机", "sobol": "Sobol"}
QUANTILES = (5, 25, 50, 75, 95)
KEPT, BINS, CURVE, PATH, FEW, MOST_CELLS = 100_000, 40, 200, 60, 20, 20_000_000


class MonteCarlo(Method):
    """The distribution of a formula of random inputs: its spread, risk, what drives it, and whether it has settled."""

    title, title_en = "蒙特卡罗模拟", "Monte Carlo simulation"
    slug, tier = "monte-carlo", "member"
    family = "数学建模"
    purpose = "由输入变量的分布模拟结果的分布，评估风险与不确定性"
    aliases = ("蒙特卡罗", "蒙特卡洛", "风险分析", "随机模拟", "净现值", "龙卷风图", "不确定性")
    references = ("mckay1979", "iman1982", "higham2002", "sobol1967")
    conventions = (
        "各分布由分布函数的反函数抽样；拉丁超立方把每个变量的概率分成与模拟次数相同的等份，每份抽一个。",
        "标准误 = 标准差 / √次数；用拉丁超立方或 Sobol 时实际误差通常更小。",
        "偏度、峰度为矩的比（峰度减 3）；分位数按线性插值。",
        "秩相关用 Iman-Conover 的方法：各变量的取值不变，只改先后；相关矩阵非正定时取最近的相关矩阵（Higham）。",
        "贡献：结果与各输入的 Spearman 秩相关的平方，归一。",
        "对数正态的参数是对数的均值与标准差；Beta-PERT 取形状和为 6。",
        "拟合用最大似然；K-S 与 A² 只作比较，参数是估计的，不给 *p*。",
    )
    needs_data = "optional"
    missing = "keep"
    random = True
    row_order = True

    class Input(Form):
        inputs: list[Record] = records(
            "输入变量", min=1, max=50, names="X{i}", symbols=True, name=words("名称", kind="name", longest=32),
            dist=choice("分布", DISTRIBUTIONS),
            parameters=numbers("参数", names=("p1", "p2", "p3")),
            hint="正态：均值、标准差；均匀：最小、最大；三角与 Beta-PERT：最小、众数、最大；"
            "泊松、指数：均值；二项：次数、概率",
        )  # fmt: skip
        outputs: list[TypedFormula] = formula(
            "结果公式", kind="equation", symbols="free", lines=(1, 10), none="至少需要一个结果公式",
            hint="一行一个，例如 利润 = (价格 - 成本) * 销量；后面的可以用前面的结果",
        )  # fmt: skip
        n: int = integer("模拟次数", 10000, least=100, most=1_000_000)
        sampling: str = choice("抽样方式", SAMPLINGS)
        corr: TypedMatrix | None = matrix("输入的秩相关矩阵（选填）", kind="symmetric", size=(2, 50), least=-1, most=1,
                                          required=False)  # fmt: skip
        threshold: float | None = number("目标阈值", None, least=-1e9, most=1e9)
        data: list[Column] = role("历史数据（选填）", "定量", min=0, max=20,
                                  hint="用来拟合分布；经验分布用同名的列")  # fmt: skip

    results = Table(
        "结果统计", name=text("结果"), mean=num("均值"), se=num("标准误", least=0, around="mean"),
        ci=interval("均值的 95%CI", "low", "high", around="mean"), sd=num("标准差", least=0), skew=num("偏度"),
        kurtosis=num("峰度"), q5=num("5%"), q25=num("25%"), q50=num("50%"), q75=num("75%"), q95=num("95%"),
        place="main",
    )  # fmt: skip
    risk = Table("超过阈值的概率", name=text("结果"), p=percent("概率"),
                 ci=interval("95%CI", "p_low", "p_high", around="p", format="percent"), when={"threshold": filled},
                 place="main")  # fmt: skip
    bins = Points("结果的分布", low=num("从"), high=num("到"), count=integer("次数"))
    histogram = Chart("结果的分布", "histogram", of=bins, low="low", high="high", count="count", place="main")
    curve = Points("累积分布", value=num("结果"), p=percent("概率"))
    cumulative = Chart("累积分布", "line", of=curve, x="value", y="p", place="detail")
    drivers = Table("输入的影响", name=text("输入"), rho=num("秩相关", least=-1, most=1), share=percent("贡献"),
                    place="main")  # fmt: skip
    tornado = Chart("龙卷风图", "bar", of=drivers, x="name", y="rho", place="main")
    path = Points("收敛", n=integer("模拟次数"), mean=num("均值"), low=num("下限"), high=num("上限"))
    settling = Chart("均值的收敛", "line", of=path, x="n", y="mean", low="low", high="high", place="detail")
    inputs_ = Table("输入变量", name=text("变量"), dist=text("分布"), mean=num("理论均值"),
                    sd=num("理论标准差", least=0), got=num("样本均值"), got_sd=num("样本标准差", least=0),
                    place="detail")  # fmt: skip
    fitted = Table("历史数据的分布拟合", name=text("变量"), dist=text("分布"), parameters=text("参数"),
                   d=num("K-S", least=0, most=1), a2=num("A²"), aic=num("AIC"), best=text("最好"),
                   when={"data": filled}, place="detail")  # fmt: skip
    samples = File("模拟样本")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = _data(report, form)
        inputs = [read_input(row, k, data) for k, row in enumerate(form.inputs, 1)]
        if form.n * (len(inputs) + len(form.outputs)) > MOST_CELLS:
            raise Refusal("data.many", "模拟次数乘变量数太大，请减少模拟次数", field="n")
        u = uniforms(form.n, len(inputs), form.sampling, form.rng)
        if form.corr is not None:
            u = correlated(u, _wanted(report, form, inputs), form.rng)
        x = np.column_stack([one.inverse(u[:, j]) for j, one in enumerate(inputs)])
        names, y = _outputs(form, inputs, x)
        good = np.isfinite(y).all(axis=1)
        if good.mean() < 0.5:
            text_ = "公式在大多数模拟里没有定义（如除以 0、负数开方），请核对公式和分布"
            raise Refusal("data.undefined", text_, field="outputs")
        if not good.all():
            text_ = "有 {k:integer} 次模拟里公式没有定义（如除以 0），没有计入。"
            report.warn("data.undefined", text_, k=int((~good).sum()))
        x, y = x[good], y[good]
        for j, name in enumerate(names):
            cls._result(report, form, name, y[:, j])
        cls._pictures(report, y[:, 0])
        cls._drivers(report, inputs, x, y[:, 0])
        for j, one in enumerate(inputs):
            report.row(cls.inputs_, name=one.name, dist=DISTRIBUTIONS[one.kind], mean=one.mean, sd=one.sd,
                       got=float(x[:, j].mean()), got_sd=float(x[:, j].std(ddof=1)))  # fmt: skip
        cls._fits(report, data)
        report.file(cls.samples, "模拟样本.csv", _csv([one.name for one in inputs] + names, np.column_stack([x, y])))
        _words(report, form, names[0], y[:, 0], inputs, x)
        return report

    @classmethod
    def _result(cls, report: Report, form: Any, name: str, y: Floats) -> None:
        n = len(y)
        mean, sd = float(y.mean()), float(y.std(ddof=1))
        se = sd / n**0.5
        flat = sd <= 1e-14 * max(1.0, abs(mean))
        at = [float(np.quantile(y, q / 100)) for q in QUANTILES]
        z = (y - mean) / (float(y.std()) if not flat else 1.0)
        report.row(
            cls.results, name=name, mean=mean, se=se, low=mean - 1.959963984540054 * se,
            high=mean + 1.959963984540054 * se, sd=sd, skew=None if flat else float((z**3).mean()),
            kurtosis=None if flat else float((z**4).mean() - 3),
            q5=at[0], q25=at[1], q50=at[2], q75=at[3], q95=at[4],
        )  # fmt: skip
        if flat:
            report.note(cls.results, "结果没有变动，没有偏度和峰度。")
        if form.threshold is not None:
            hits = int((y > form.threshold).sum())
            bounds = stats.binomtest(hits, n).proportion_ci(0.95, "wilson")
            report.row(cls.risk, name=name, p=hits / n, p_low=bounds.low, p_high=bounds.high)

    @classmethod
    def _pictures(cls, report: Report, y: Floats) -> None:
        low, high = np.quantile(y, [0.001, 0.999])
        inner = y[(y >= low) & (y <= high)] if high > low else y
        count, edges = np.histogram(inner, bins=BINS)
        report.add_rows(cls.bins, {"low": edges[:-1], "high": edges[1:], "count": count})
        if len(inner) < len(y):
            report.note(cls.histogram, "两端各千分之一没有画出。")
        at = np.linspace(0.001, 0.999, CURVE)
        report.add_rows(cls.curve, {"value": np.quantile(y, at), "p": at})
        stops = np.unique(np.round(np.geomspace(min(50, len(y)), len(y), PATH)).astype(int))
        sums, squares = np.cumsum(y - y[0]), np.cumsum((y - y[0]) ** 2)
        for k in stops.tolist():
            mean = sums[k - 1] / k
            half = 1.96 * max(0.0, squares[k - 1] / k - mean**2) ** 0.5 / k**0.5
            report.row(cls.path, n=k, mean=float(mean + y[0]), low=float(mean + y[0] - half),
                       high=float(mean + y[0] + half))  # fmt: skip

    @classmethod
    def _drivers(cls, report: Report, inputs: list[Variable], x: Floats, y: Floats) -> None:
        rho = _ranks(x, y)
        total = float((rho**2).sum())
        if total == 0:
            report.skip(cls.drivers, "结果不随输入变动")
            return
        for j in sorted(range(len(inputs)), key=lambda j: (-abs(round(float(rho[j]), 12)), j)):
            report.row(cls.drivers, name=inputs[j].name, rho=float(rho[j]), share=float(rho[j] ** 2 / total))
        report.note(cls.drivers, "是对第一个结果的影响；正的同向，负的反向。")

    @classmethod
    def _fits(cls, report: Report, data: dict[str, Floats]) -> None:
        for name, values in data.items():
            for k, one in enumerate(fits(values)):
                report.row(cls.fitted, name=name, dist=DISTRIBUTIONS[one.kind], parameters=one.parameters, d=one.d,
                           a2=one.a2, aic=one.aic, best="是" if k == 0 else "")  # fmt: skip
        if data:
            report.note(cls.fitted, "AIC 最小的最好；均匀分布的 A² 总是无穷大，因为最大值在它的端点上。")


# ---- reading -----------------------------------------------------------------------------------------------------
def _data(report: Report, form: Any) -> dict[str, Floats]:
    out: dict[str, Floats] = {}
    for column in form.data:
        values = column.numbers[np.isfinite(column.numbers)]
        if len(values) < FEW:
            text_ = f"“{{v}}”至少要 {FEW} 个数才能拟合，现有 {{n}} 个"
            raise Refusal("data.few", text_, field="data", column=column.id, v=column.title, n=len(values))
        if not float(np.abs(values).max()) < 1e100 or float(np.ptp(values)) < 1e-12 * float(np.abs(values).max()):
            text_ = "“{v}”没有变动，或数值太大，不能拟合"
            raise Refusal("data.constant", text_, field="data", column=column.id, v=column.title)
        out[column.title] = values
    report.used(max((len(values) for values in out.values()), default=0))
    return out


def _wanted(report: Report, form: Any, inputs: list[Variable]) -> Floats:
    k = len(inputs)
    given = np.asarray(form.corr.values, dtype=float)
    if given.shape != (k, k):
        text_ = f"相关矩阵应为 {k}×{k}（与输入变量一样多），现为 {given.shape[0]}×{given.shape[1]}"
        raise Refusal("data.corr", text_, field="corr")
    if not np.allclose(np.diag(given), 1.0, atol=1e-6) or np.isnan(given).any():
        raise Refusal("data.corr", "相关矩阵的对角线都应为 1，格子要填满", field="corr")
    made, change = nearest_correlation(given)
    if change > 1e-9:
        text_ = "相关矩阵不是正定的，已换成最近的相关矩阵，最多改动 {c:num}。"
        report.warn("data.corr", text_, c=change)
    return made


def _outputs(form: Any, inputs: list[Variable], x: Floats) -> tuple[list[str], Floats]:
    known = [one.name for one in inputs]
    names: list[str] = []
    held = x
    for number_, one in enumerate(form.outputs, 1):
        (equal,) = comparisons(one.node)
        if not isinstance(equal.left, Symbol):
            text_ = f"第 {number_} 个公式的左边应是结果的名称，例如 利润 = 价格 - 成本"
            raise Refusal("data.output", text_, field="outputs", row=number_)
        if equal.left.name in known:
            text_ = f"名称“{equal.left.name}”用了两次，请改一个"
            raise Refusal("data.output", text_, field="outputs", row=number_)
        known_only(equal.right, known, "outputs", one.source)
        values = Function(equal.right, known).values(held)
        held = np.column_stack([held, values])
        known.append(equal.left.name)
        names.append(equal.left.name)
    return names, held[:, x.shape[1] :]


def _ranks(x: Floats, y: Floats) -> Floats:
    """Spearman's rank correlation of each column with y; 0 where one does not vary."""
    ry = stats.rankdata(y)
    out = np.zeros(x.shape[1])
    if np.ptp(ry) == 0:
        return out
    for j in range(x.shape[1]):
        rx = stats.rankdata(x[:, j])
        if np.ptp(rx) > 0:
            out[j] = float(np.corrcoef(rx, ry)[0, 1])
    return out


def _csv(names: list[str], values: Floats) -> bytes:
    out = io.StringIO()
    out.write("﻿" + ",".join(names) + "\n")
    np.savetxt(out, values[:KEPT], delimiter=",", fmt="%.10g")
    return out.getvalue().encode()


def _words(report: Report, form: Any, name: str, y: Floats, inputs: list[Variable], x: Floats) -> None:
    n = len(y)
    mean, sd = float(y.mean()), float(y.std(ddof=1))
    low, high = float(np.quantile(y, 0.05)), float(np.quantile(y, 0.95))
    facts: dict[str, Any] = {"y": name, "m": mean, "l": low, "h": high}
    report.lead("“{y}”平均 {m:num}，有九成可能在 {l:num} 到 {h:num} 之间。",
                [figure("均值", "{m:num}"), figure("5%–95%", "{l:num} – {h:num}")], **facts)  # fmt: skip
    if form.threshold is not None:
        p = float((y > form.threshold).mean())
        report.say("“{y}”超过 {t:num} 的概率是 {p:percent}。", y=name, t=form.threshold, p=p)
    share = sd / n**0.5 / sd if sd > 0 else 0.0
    if share <= 0.02:
        report.check("模拟次数", "pass", "均值的标准误不到标准差的 2%，次数够了。")
    else:
        report.check("模拟次数", "care", "均值的标准误是标准差的 {s:percent}，请加大模拟次数。", s=share)
    rho = _ranks(x, y)
    if len(inputs) > 1 and np.abs(rho).max() > 0:
        top = int(np.argmax(np.abs(np.round(rho, 12))))
        report.say("影响最大的输入是“{x}”（秩相关 {r:num}）。", x=inputs[top].name, r=float(rho[top]))
    if form.corr is None and len(inputs) > 1:
        report.say("没有填相关矩阵，各输入互不影响；实际相关时，结果的起伏会不同。", voice="student")
    if n > KEPT:
        report.say(f"下载的样本是前 {KEPT:,} 次。")
    report.say(
        f"以{SAMPLINGS[form.sampling]}抽样模拟 {{n:integer}} 次，{{y}}的均值为 {{m:num}}，标准差 {{s:num}}，"
        "第 5 与第 95 百分位为 {l:num} 与 {h:num}。", voice="paper", n=n, s=sd, **facts,
    )  # fmt: skip
