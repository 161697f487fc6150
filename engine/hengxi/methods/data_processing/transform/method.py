"""Variables through a function that changes the shape of their distribution; the shape is shown before and after."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special, stats

from hengxi.contract import (
    Chart,
    Column,
    Diagonal,
    Form,
    Points,
    Reference,
    Refusal,
    Report,
    SetRemedy,
    Silent,
    Table,
    choice,
    interval,
    num,
    number,
    pvalue,
    role,
    text,
    words,
)
from hengxi.contract.columns import Floats
from hengxi.methods.data_processing._shared.columns_step import ColumnsStep, tell_each
from hengxi.methods.data_processing._shared.power_family import BoxCox, YeoJohnson, fitted, johnson
from hengxi.methods.data_processing._shared.rows import tell
from hengxi.stats.histogram import histogram
from hengxi.stats.moments import moments
from hengxi.stats.names import titles
from hengxi.stats.normality import normality

LOGS = ("ln", "log10", "log2", "boxcox")
SHIFTED = (*LOGS, "log1p", "sqrt", "reciprocal", "logit", "probit", "power")
POWER = ("boxcox", "yeojohnson")
PLAIN: dict[str, Callable[..., Any]] = {
    "ln": np.log, "log10": np.log10, "log2": np.log2, "log1p": np.log1p, "sqrt": np.sqrt, "cbrt": np.cbrt,
    "square": np.square, "reciprocal": np.reciprocal, "exp": np.exp, "abs": np.abs, "fisher_z": np.arctanh,
    "logit": special.logit, "probit": stats.norm.ppf,
}  # fmt: skip
DRAWN = 6
QQ = 200


class Transform(ColumnsStep):
    """A value where the function has none is refused with its number of cells, never turned into a gap unseen."""

    title, title_en = "数据变换", "Mathematical transformation"
    family, tier = "数据处理", "standard"
    purpose = "改变分布形态使其更对称/方差稳定"
    aliases = (
        "对数变换",
        "取对数",
        "log",
        "Box-Cox",
        "Yeo-Johnson",
        "Johnson变换",
        "平方根",
        "倒数",
        "logit",
        "正态化",
    )
    references = ("box1964", "yeo2000", "slifker1980", "chou1998", "joanes1998")
    conventions = (
        "先加平移常数，再变换；Box-Cox 也是这样。",
        "Box-Cox 与 Yeo-Johnson 的 λ 用极大似然估计，在 −5 到 5 之间找；区间是似然比区间。",
        "Box-Cox：λ ≠ 0 时为 (x^λ − 1)/λ，λ = 0 时为 ln x。Yeo-Johnson 可以有 0 和负值。",
        "Johnson 变换用四个分位数定参数（SU 或 SB），z 从 0.25 到 1.25 逐一尝试，取最接近正态的一个。",
        "反射对数为 ln(最大值 + 1 − x)，变换后大小次序颠倒。",
        "偏度和峰度是校正的 G1、G2。不超过 5000 行用 Shapiro-Wilk 检验，再多用 Lilliefors 检验，超过 50000 行不检验。",
    )
    noun = "变换"

    class Input(Form):
        variables: list[Column] = role("处理变量", "定量", min=1, max=None)
        method: str = choice(
            "变换",
            {
                "ln": "自然对数", "log10": "常用对数", "log2": "以2为底的对数", "log1p": "ln(1+x)", "sqrt": "平方根",
                "cbrt": "立方根", "square": "平方", "reciprocal": "倒数", "exp": "指数",
                "asin_sqrt": "反正弦平方根（比例）", "logit": "Logit", "probit": "Probit", "boxcox": "Box-Cox",
                "yeojohnson": "Yeo-Johnson", "johnson": "Johnson", "reflect_log": "反射对数（左偏）",
                "fisher_z": "Fisher z", "abs": "绝对值", "power": "幂",
            },
        )  # fmt: skip
        lam: float | None = number("λ", None, least=-5, most=5, auto="极大似然估计", when={"method": POWER})
        shift: float = number("平移常数", 0, when={"method": SHIFTED})
        power: float = number("幂次", 2, least=-10, most=10, when={"method": "power"})
        mode: str = choice("结果写入", {"new": "新增变量", "replace": "在新版本中替换原变量"})
        suffix: str = words("新变量后缀", "_变换", kind="name", longest=20, when={"mode": "new"})

    shape = Table(
        "正态性前后对比", variable=text("变量"), skewness=num("偏度", span="变换前"),
        kurtosis=num("峰度", span="变换前"),
        W=num("统计量", span="变换前"), p=pvalue("*p*", span="变换前"), skewness_after=num("偏度", span="变换后"),
        kurtosis_after=num("峰度", span="变换后"), W_after=num("统计量", span="变换后"),
        p_after=pvalue("*p*", span="变换后"), test=text("正态检验"),
        claim=Silent("two shapes are compared, nothing is claimed about a population"),
    )  # fmt: skip
    parameters = Table(
        "变换参数", variable=text("变量"), formula=text("变换"), shift=num("平移"), lam=num("λ"),
        ci=interval("λ 的95% CI", "low", "high"), gamma=num("γ"), eta=num("η"), epsilon=num("ε"),
        width=num("Johnson λ"),
    )  # fmt: skip
    bins = Points("直方图", stage=text("阶段"), low=num("下限"), high=num("上限"), n=num("频数"))
    hist = Chart("变换前后直方图", "histogram", of=bins, low="low", high="high", count="n", facet="stage", place="main")
    pairs = Points("Q-Q数据", stage=text("阶段"), x=num("理论分位数"), y=num("标准化的值"))
    qq = Chart("变换前后Q-Q图", "point", of=pairs, x="x", y="y", series="stage", over=[Diagonal()])
    curve = Points("对数似然", lam=num("λ"), value=num("对数似然"), when={"method": POWER})
    profile = Chart("λ 的对数似然图", "line", of=curve, x="lam", y="value", when={"method": POWER})

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = titles(form.variables)
        facts = []
        for i, column in enumerate(form.variables):
            name = names[column.id]
            gone = np.isnan(column.numbers)
            known = column.numbers[~gone] + (form.shift if form.method in SHIFTED else 0.0)
            if not len(known):
                raise Refusal("role.empty", f"“{name}”全部缺失，不能变换，请移去", field="variables", column=column.id)
            cls._judge(known, column, name, form)
            done, row, family = cls._changed(known, column, name, form)
            if not np.isfinite(done).all():
                text_ = f"“{name}”变换后有 {int((~np.isfinite(done)).sum())} 个值太大，无法表示，请换一种变换"
                raise Refusal("transform.overflow", text_, field="method", column=column.id)
            values = np.full(len(gone), np.nan)
            values[~gone] = done
            report.put(form, column, values, measure="定量")
            cls.compare(report, name, column.numbers, values)
            shift = form.shift if form.method in SHIFTED else None
            report.row(cls.parameters, variable=name, formula=cls.way(form), shift=shift, **row)
            facts.append({"v": name, **cls._shape(report, name, column.numbers[~gone], done), **row})
            if i < DRAWN:
                cls._draw(report, name, column.numbers[~gone], done)
                if family is not None:
                    cls._profile(report, name, family, row)
        cls._say(report, form, facts)
        return report

    # ---- what has no value ------------------------------------------------------------------------------------------
    @classmethod
    def _judge(cls, x: Floats, column: Column, name: str, form: Any) -> None:
        method = form.method
        low = float(x.min())
        remedies = [SetRemedy(title="改用Yeo-Johnson", set={"method": "yeojohnson"})]
        if low <= 0 and method in LOGS:
            text_ = f"“{name}”含 {int((x <= 0).sum())} 个小于等于0的值，请加平移常数或改用Yeo-Johnson"
            cls._refuse("transform.log", text_, column, [cls._shift(1 - low, form), *remedies])
        if low <= -1 and method == "log1p":
            text_ = f"“{name}”含 {int((x <= -1).sum())} 个小于等于−1的值，ln(1+x) 没有定义，请加平移常数"
            cls._refuse("transform.log", text_, column, [cls._shift(-low, form), *remedies])
        if low < 0 and method == "sqrt":
            text_ = f"“{name}”含负值，不能开平方，请加平移常数或改用立方根"
            cls._refuse("transform.root", text_, column, [cls._shift(-low, form)])
        turned = method == "reciprocal" or (method == "power" and form.power < 0)
        if turned and (zeros := int((x == 0).sum())):
            text_ = f"“{name}”含0（{zeros} 个），倒数无定义，请加平移常数"
            cls._refuse("transform.zero", text_, column, [cls._shift(1 if low == 0 else 1 - low, form)])
        if method == "power" and low < 0 and form.power != round(form.power):
            cls._refuse(
                "transform.root", f"“{name}”含负值，不能取非整数次幂，请加平移常数", column, [cls._shift(-low, form)]
            )
        cls._judge_ends(x, column, name, method)
        if method in POWER and float(x.min()) == float(x.max()):
            cls._refuse("role.constant", f"“{name}”没有变异，无法估计λ，请移去", column, [])

    @classmethod
    def _judge_ends(cls, x: Floats, column: Column, name: str, method: str) -> None:
        if method == "asin_sqrt" and (k := int(((x < 0) | (x > 1)).sum())):
            cls._refuse("transform.range", f"“{name}”超出0到1（{k} 个值），反正弦变换只用于比例", column, [])
        if method in ("logit", "probit") and (k := int(((x <= 0) | (x >= 1)).sum())):
            cls._refuse("transform.range", f"“{name}”超出0到1（{k} 个值，两端也不能取），只用于比例", column, [])
        if method == "fisher_z" and (k := int((np.abs(x) >= 1).sum())):
            cls._refuse("transform.range", f"“{name}”有 {k} 个值不在 −1 与 1 之间，Fisher z 只用于相关系数", column, [])

    @classmethod
    def _shift(cls, more: float, form: Any) -> SetRemedy:
        """The constant that brings the smallest value to where the function begins, of six digits and enough."""
        whole = form.shift + more
        shift = float(f"{whole:.6g}")
        shift = shift if shift >= whole else float(f"{whole * (1 + 1e-5):.6g}")
        return SetRemedy(title=f"平移 {shift:g}", set={"shift": shift})

    @classmethod
    def _refuse(cls, code: str, text_: str, column: Column, remedies: list[SetRemedy]) -> None:
        raise Refusal(code, text_, field="variables", column=column.id, remedies=list(remedies))

    # ---- the values -------------------------------------------------------------------------------------------------
    @classmethod
    def _changed(
        cls, x: Floats, column: Column, name: str, form: Any
    ) -> tuple[Floats, dict[str, Any], BoxCox | YeoJohnson | None]:
        """New values, the row of the table of parameters, and the likelihood where there is one."""
        method = form.method
        with np.errstate(all="ignore"):
            if method in PLAIN:
                return np.asarray(PLAIN[method](x), dtype=np.float64), {}, None
            if method == "asin_sqrt":
                return np.arcsin(np.sqrt(x)), {}, None
            if method == "reflect_log":
                return np.log(x.max() + 1 - x), {}, None
            if method == "power":
                return np.asarray(np.power(x, form.power)), {}, None
            if method == "johnson":
                curve = johnson(x) if len(x) >= 10 and float(x.min()) < float(x.max()) else None
                if curve is None:
                    cls._refuse("transform.johnson", f"没有适合“{name}”的 Johnson 曲线，请改用Yeo-Johnson", column, [])
                assert curve is not None
                row = {"gamma": curve.gamma, "eta": curve.eta, "epsilon": curve.epsilon, "width": curve.lam}
                return curve.values(x), row, None
            family = BoxCox(x) if method == "boxcox" else YeoJohnson(x)
            if form.lam is not None:
                return family.values(form.lam), {"lam": form.lam}, family
            fit = fitted(family)
            if fit is None:
                text_ = f"“{name}”的 λ 不在 −5 到 5 之间，请换一种变换或填写 λ"
                raise Refusal("transform.lambda", text_, field="lam", column=column.id)
            return family.values(fit.lam), {"lam": fit.lam, "low": fit.low, "high": fit.high}, family

    # ---- what is shown ----------------------------------------------------------------------------------------------
    @classmethod
    def _shape(cls, report: Report, name: str, old: Floats, new: Floats) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for x, tail in ((old, ""), (new, "_after")):
            shaped = moments(x)
            test = normality(x)
            found |= {f"skewness{tail}": shaped.skewness, f"kurtosis{tail}": shaped.kurtosis}
            if test is not None:
                found |= {f"W{tail}": test.statistic, f"p{tail}": test.p, "test": test.name}
        report.row(cls.shape, variable=name, **found)
        return found

    @classmethod
    def _draw(cls, report: Report, name: str, old: Floats, new: Floats) -> None:
        for x, stage in ((old, "变换前"), (new, "变换后")):
            bins = histogram(x)
            k = len(bins.counts)
            cells = {"stage": [stage] * k, "low": bins.edges[:-1], "high": bins.edges[1:], "n": bins.counts}
            report.add_rows(cls.bins, cells, at=name)
            places = (np.arange(1, QQ + 1) - 0.5) / QQ if len(x) > QQ else (np.arange(1, len(x) + 1) - 0.5) / len(x)
            sd = float(x.std())
            score = (np.quantile(x, places) - x.mean()) / sd if sd > 0 else np.zeros(len(places))
            points = {"stage": [stage] * len(places), "x": stats.norm.ppf(places), "y": score}
            report.add_rows(cls.pairs, points, at=name)
        report.chart(cls.hist, at=name, titles={"x": name})
        report.chart(cls.qq, at=name)

    @classmethod
    def _profile(cls, report: Report, name: str, family: BoxCox | YeoJohnson, row: dict[str, Any]) -> None:
        """The likelihood around λ, as far again as its interval reaches."""
        lam = row["lam"]
        low = row["low"] if row.get("low") is not None else lam - 1
        high = row["high"] if row.get("high") is not None else lam + 1
        grid = np.linspace(1.5 * low - 0.5 * high, 1.5 * high - 0.5 * low, 25)
        heights = np.array([family.log_likelihood(one) for one in grid.tolist()])
        there = np.isfinite(heights)
        report.add_rows(cls.curve, {"lam": grid[there], "value": heights[there]}, at=name)
        report.chart(cls.profile, at=name, over=[Reference(x=lam, label="λ")])

    @classmethod
    def _say(cls, report: Report, form: Any, facts: list[dict[str, Any]]) -> None:
        way = cls.way(form)

        def line(i: int) -> tuple[str, dict[str, Any]]:
            one = facts[i]
            own = {f"{key}{i}": one.get(key) for key in ("v", "skewness", "skewness_after", "lam")}
            own = {key: value for key, value in own.items() if value is not None}
            if f"skewness_after{i}" not in own or f"skewness{i}" not in own:
                return f"“{{v{i}}}”已变换。", {f"v{i}": one["v"]}
            better = abs(one["skewness_after"]) < abs(one["skewness"])
            words_ = f"“{{v{i}}}”的偏度由 {{skewness{i}:num}} 变为 {{skewness_after{i}:num}}"
            words_ += "，更对称。" if better else "，没有变得更对称。"
            if f"lam{i}" in own:
                words_ = words_[:-1] + f"（λ = {{lam{i}:num}}）。"
            return words_, own

        lines, said = tell_each(report, [one["v"] for one in facts], line)
        student = "变换以后，均值、系数的单位都变了，解释结果时要换算回来。"
        if form.method == "reflect_log":
            student += "反射对数把大小次序颠倒了，系数的正负也随之相反。"
        if form.method in LOGS and form.method != "boxcox":
            student += "对数的均值换算回来是几何平均，不是算术平均。"
        if (
            form.method in POWER
            and (low := facts[0].get("low")) is not None
            and (high := facts[0].get("high")) is not None
        ):
            plain = ((1, "不变换"), (0, "自然对数"), (0.5, "平方根"))
            near = next((word for lam, word in plain if low <= lam <= high), None)
            if form.method == "boxcox" and near:
                student += "“{v0}”的 λ 区间里有更容易解释的选择：{near}。"
                said["near"] = near
        tell(report, f"已按{way}变换。\n{lines}", student, **said)
