from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    figure,
    flag,
    integer,
    num,
    percent,
    role,
    text,
)

Floats = npt.NDArray[np.float64]
LONGEST = 40
SHORT = 15
GRADES = ((0.35, 0.95, "一级（好）"), (0.5, 0.8, "二级（合格）"), (0.65, 0.7, "三级（勉强）"))
# Deng compares C and P only: a fast growing series passes both although its early periods fit badly.
FINE, POOR = 0.1, 0.2
MODELS = {"gm11": "GM(1,1)", "dgm11": "DGM(1,1)", "verhulst": "灰色 Verhulst"}


class GreyPrediction(Method):
    """Few data near an exponential: fitted on the accumulated series, carried forward a few steps."""

    title, title_en = "灰色预测GM(1,1)", "Grey prediction GM(1,1)"
    family = "灰色预测"
    purpose = "数据少且近似指数变化时，未来几期的值是多少，模型精度如何"
    aliases = ("灰色预测", "GM(1,1)", "DGM", "Verhulst", "小样本预测", "级比检验", "后验差")
    references = ("deng1982", "liu2014")
    conventions = (
        "GM(1,1)：x⁽⁰⁾(k) + a·z(k) = b，z(k) = ½[X(k) + X(k − 1)]，X 是累加序列；最小二乘求 a、b，初值取第一期。",
        "DGM(1,1)：X(k + 1) = β₁X(k) + β₂；Verhulst：x⁽⁰⁾(k) + a·z(k) = b·z(k)²，以累加序列为 S 形。",
        "级比 λ(k) = x(k − 1)/x(k)，可容覆盖 (e^(−2/(n + 1)), e^(2/(n + 1)))；不合格时平移最小的 1、2、"
        "5×10ᵏ 使之合格。",
        "后验差比 C = S₂/S₁（残差与原序列的标准差，除以 n），P 是 |e − ē| < 0.6745·S₁ 的份额；第一期的残差为 0，"
        "也计入。",
        "等级：C ≤ 0.35 且 P ≥ 0.95 一级；0.5、0.8 二级；0.65、0.7 三级；其余不合格。",
        "平均相对误差不超过 10% 为好，超过 20% 为差。",
        "平均相对误差不计第一期；级比偏差 = 1 − (1 − 0.5a)/(1 + 0.5a)·λ(k)，只对 GM(1,1)。",
    )
    row_order = True
    split = True

    class Input(Form):
        series: Column = role("时间序列", "定量", hint="按时间先后排列，一行一期")
        time: Column | None = role("时间（选填）", "任意", use="label")
        model: str = choice("模型", MODELS)
        horizon: int = integer("预测期数", 3, least=1, most=30)
        shift: bool = flag("级比不合格时平移", True)

    fitted = Table("拟合", period=text("期"), actual=num("真实值"), fit=num("拟合值"), residual=num("残差"),
                   error=percent("相对误差", most=None), ratio=num("级比偏差"), place="main")  # fmt: skip
    forecast = Table("预测", step=integer("往后第几期"), value=num("预测值"), place="main")
    path = Points("拟合与预测", period=text("期"), value=num("值"), series=text("序列"))
    plot = Chart("拟合预测曲线", "line", of=path, x="period", y="value", series="series", place="main")
    model_ = Table("模型", a=num("发展系数 *a*"), b=num("灰色作用量 *b*"), c=num("后验差比 C", least=0),
                   p=num("小误差概率 P", least=0, most=1), grade=text("精度等级"), error=percent("平均相对误差",
                       most=None),
                   layout="record", place="detail")  # fmt: skip
    ratios = Table("级比检验", period=text("期"), value=num("序列值"), ratio=num("级比 λ"), passes=text("通过"),
                   place="detail")  # fmt: skip
    bounds = Table("可容覆盖", low=num("下界"), high=num("上界"), shift=num("平移常数"), verdict=text("结果"),
        layout="record",
                   place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        x, names = _read(report, form)
        n = len(x)
        edge = 2 / (n + 1)
        low, high = float(np.exp(-edge)), float(np.exp(edge))
        moved = _shift(x, low, high) if form.shift and not _within(x, low, high) else 0.0
        y = x + moved
        passes = _within(y, low, high)
        ratio = y[:-1] / y[1:]
        for k, name in enumerate(names):
            one = None if k == 0 else float(ratio[k - 1])
            word = None if one is None else "是" if low < one < high else "否"
            report.row(cls.ratios, period=name, value=y[k], ratio=one, passes=word)
        report.row(cls.bounds, low=low, high=high, shift=moved, verdict="通过" if passes else "未通过")
        a, b, curve = _fit(form.model, y, n + form.horizon)
        fit, future = curve[:n] - moved, curve[n:] - moved
        if not np.all(np.isfinite(curve)) or np.abs(curve).max() > 1e200:
            raise Refusal("data.explodes", "这个模型在预测期内发散，请减少预测期数或换一个模型", field="model")
        residual = x - fit
        deviation = 1 - (1 - 0.5 * a) / (1 + 0.5 * a) * ratio if form.model == "gm11" else np.full(n - 1, np.nan)
        for k, name in enumerate(names):
            own = None if k == 0 or np.isnan(deviation[k - 1]) else float(deviation[k - 1])
            report.row(cls.fitted, period=name, actual=x[k], fit=fit[k], residual=residual[k],
                       error=abs(residual[k] / x[k]) if x[k] != 0 else None, ratio=own)  # fmt: skip
            report.row(cls.path, period=name, value=x[k], series="真实值")
        for k, one in enumerate([*fit, *future]):
            period = names[k] if k < n else f"往后第 {k - n + 1} 期"
            report.row(cls.path, period=period, value=one, series="拟合与预测")
        for k, one in enumerate(future):
            report.row(cls.forecast, step=k + 1, value=one)
        s1, s2 = float(x.std()), float(residual.std())
        c = s2 / s1
        share = float(np.mean(np.abs(residual - residual.mean()) < 0.6745 * s1))
        grade = next((word for most, least, word in GRADES if c <= most and share >= least), "不合格")
        known = x[1:] != 0
        error = float(np.mean(np.abs(residual[1:][known] / x[1:][known]))) if known.any() else 0.0
        report.row(cls.model_, a=a, b=b, c=c, p=share, grade=grade, error=error)
        _words(report, form, a, c, share, grade, error, passes, moved, future)
        return report


def _read(report: Report, form: Any) -> tuple[Floats, list[str]]:
    x = form.series.numbers.astype(float)
    name, n = form.series.title, len(x)
    if n < 4:
        raise Refusal("data.few", f"至少需要 4 期数据，“{name}”只有 {n} 期", field="series", column=form.series.id)
    if n > LONGEST:
        text_ = f"“{name}”有 {n:,} 期，灰色预测最多 {LONGEST} 期；数据多时请用时间序列模型，或只留最近十几期"
        raise Refusal("data.many", text_, field="series", column=form.series.id)
    if np.ptp(x) <= 1e-12 * max(np.abs(x).max(), 1e-300):
        text_ = f"“{name}”各期都相同，没有变化可以预测"
        raise Refusal("data.constant", text_, field="series", column=form.series.id)
    if not 1e-100 < np.abs(x).max() < 1e100:
        text_ = f"“{name}”的数值过大或过小，超出可计算的范围，请换一个单位"
        raise Refusal("data.magnitude", text_, field="series", column=form.series.id)
    if (x <= 0).any() and not form.shift:
        at = int(form.series.row_numbers[int(np.argmin(x))])
        text_ = f"GM(1,1) 要求序列为正，“{name}”第 {at} 行是 {x.min():g}，可选择平移"
        remedies = [SetRemedy(title="级比不合格时平移", set={"shift": True})]
        raise Refusal("data.not_positive", text_, field="series", column=form.series.id, remedies=remedies)
    if n > SHORT:
        report.warn("data.long", "序列有 {n:integer} 期；超过 15 期时，时间序列模型通常更好。", n=n)
    given = [None] * n if form.time is None else list(form.time.text)
    return x, [f"第 {k + 1} 期" if one is None else str(one) for k, one in enumerate(given)]


def _within(x: Floats, low: float, high: float) -> bool:
    if (x <= 0).any():
        return False
    ratio = x[:-1] / x[1:]
    return bool(np.all((ratio > low) & (ratio < high)))


def _shift(x: Floats, low: float, high: float) -> float:
    """The least of 1, 2, 5 × 10ᵏ that brings all ratios inside; k from the size of the data."""
    start = int(np.floor(np.log10(max(float(np.ptp(x)), 1e-100)))) - 1
    for k in range(start, start + 8):
        for digit in (1, 2, 5):
            if _within(x + digit * 10.0**k, low, high):
                return float(digit * 10.0**k)
    return float(10.0 ** (start + 8))


def _fit(model: str, x: Floats, total: int) -> tuple[float, float, Floats]:
    """a, b and the fitted and forecast values of the series (not accumulated)."""
    sums = np.cumsum(x)
    z = (sums[1:] + sums[:-1]) / 2
    k = np.arange(total)
    if model == "dgm11":
        first, second = np.linalg.lstsq(np.stack([sums[:-1], np.ones(len(z))], axis=1), sums[1:], rcond=None)[0]
        curve = np.empty(total)
        curve[0] = x[0]
        for j in range(1, total):
            curve[j] = first * curve[j - 1] + second
        return float(first), float(second), np.concatenate([[x[0]], np.diff(curve)])
    if model == "verhulst":
        a, b = np.linalg.lstsq(np.stack([-z, z**2], axis=1), x[1:], rcond=None)[0]
        with np.errstate(all="ignore"):
            curve = a * sums[0] / (b * sums[0] + (a - b * sums[0]) * np.exp(a * k))
        return float(a), float(b), np.concatenate([[x[0]], np.diff(curve)])
    a, b = np.linalg.lstsq(np.stack([-z, np.ones(len(z))], axis=1), x[1:], rcond=None)[0]
    if abs(a) < 1e-12:
        return float(a), float(b), np.concatenate([[x[0]], np.full(total - 1, b)])
    curve = (x[0] - b / a) * np.exp(-a * k) + b / a
    return float(a), float(b), np.concatenate([[x[0]], np.diff(curve)])


def _words(
    report: Report, form: Any, a: float, c: float, share: float, grade: str, error: float, passes: bool, moved: float,
    future: Floats,
) -> None:  # fmt: skip
    facts: dict[str, Any] = {
        "v": form.series.title, "next": float(future[0]), "last": float(future[-1]), "h": form.horizon, "c": c,
            "p": share,
        "grade": grade, "error": error,
    }  # fmt: skip
    lead = "“{v}”下一期的预测值为 {next:num}" + ("，第 {h:integer} 期为 {last:num}" if form.horizon > 1 else "")
    fair = grade.startswith(("一", "二"))
    link = "，但" if fair and error > POOR else "，"
    report.lead(
        lead + "；模型精度{grade}" + link + "平均相对误差 {error:percent}。", [figure("下一期", "{next:num}")], **facts
    )
    if passes:
        tail = f"平移 {moved:g} 后级比都在可容覆盖之内。" if moved else "级比都在可容覆盖之内，适合建灰色模型。"
        report.check("级比检验", "pass" if not moved else "care", tail)
    else:
        report.check("级比检验", "fail", "有的级比不在可容覆盖之内，序列不像指数变化，预测不可靠。")
    report.check(
        "模型精度", "pass" if fair else "fail", "后验差比 C = {c:num}，小误差概率 P = {p:num}：{grade}。", **facts
    )
    report.check(
        "平均相对误差", "pass" if error <= FINE else "care" if error <= POOR else "fail",
        "拟合值平均偏离真实值 {error:percent}，"
        + (
            "不超过 10%。" if error <= FINE
            else "超过 10%，预测值只作参考。" if error <= POOR
            else "超过 20%，预测不可靠；请换一个模型，或只用最近几期。"
        ), **facts,
    )  # fmt: skip
    if form.model == "gm11":
        words = (
            "适合中长期预测"
            if -a <= 0.3
            else "只适合短期预测"
            if -a <= 0.5
            else "预测要谨慎"
            if -a <= 1
            else "不宜用 GM(1,1)"
        )
        report.check(
            "发展系数",
            "pass" if -a <= 0.3 else "care" if -a <= 1 else "fail",
            "−*a* = {m:num}，只看这一项" + words + "。",
            m=-a,
        )
    name = MODELS[form.model] if form.model == "verhulst" else f" {MODELS[form.model]}"
    report.say(
        f"采用{name} 模型，后验差比 C = {{c:num}}，P = {{p:num}}，平均相对误差 {{error:percent}}；"
        "下一期的预测值为 {next:num}。", voice="paper", **facts,
    )  # fmt: skip
    report.say("灰色预测假定今后照过去的趋势变化。拟合得好不保证预测得准，期数越远越不可靠。", voice="student")
