from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Column,
    Form,
    Level,
    Reference,
    Refusal,
    Report,
    Table,
    alternative,
    claim,
    confidence,
    counted,
    figure,
    integer,
    interval,
    level,
    levels,
    num,
    number,
    numbers,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.interpret import cohen1988
from hengxi.methods.hypothesis_test._shared import samples
from hengxi.methods.hypothesis_test._shared.comparison import Comparison, axis, interval_figure
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, Estimate, Finding
from hengxi.methods.hypothesis_test._shared.samples import Sample
from hengxi.stats.names import number_words
from hengxi.stats.ranks import normal_p


class ZTest(Comparison):
    title, title_en = "Z检验（方差已知）", "Z test"
    purpose = "总体标准差已知时，一个或两个均值是否有差异"
    aliases = ("u检验", "正态检验", "已知方差", "已知总体标准差", "z test", "均值检验")
    references = ("cohen1988", "holm1979")
    conventions = (
        "用给出的总体标准差 σ，不用样本标准差；σ 不是从这份数据算出来的。",
        "单样本：均值差 = 样本均值 − 检验值；双样本：均值差 = 第一组 − 第二组，与检验值（通常为 0）比较。",
        "标准化差值 *d* = (均值差 − 双样本的检验值) ÷ σ；双样本以 √((σ1² + σ2²)/2) 为 σ。",
        "样本标准差与 σ 是否相符，用 χ² = (n − 1)s²/σ² 对照，双侧 α = .05。",
        "一次检验三个以上变量时，前提检验里另列 Holm 校正后的 *p*。",
    )
    min_rows = 1

    class Input(Form):
        variables: Column = role("检验变量Y", "定量", each=True)
        group: Column | None = role("分组变量（双样本，选填）", "定类")
        weight: Column | None = counted()
        groups: list[Level] = level(
            "比较的两组", of="group", many=(2, 2), ordered=True, alone=True, when={"group": levels(2, None)},
            auto="两组时按取值次序", hint="超过两类时须选出两类；均值差 = 第一个 − 第二个",
        )  # fmt: skip
        test_value: float = number("检验值", 0, hint="单样本时为要比较的均值；双样本时为要比较的均值差，通常是 0")
        sigma: list[float] = numbers("总体标准差", min=1, max=2, above=0, hint="双样本填两个，依两组的次序")
        alternative: str = alternative("大于、小于都指样本对检验值，或第一组对第二组")
        conf_level: float = confidence()

    result = Table(
        "Z检验结果", z=num("*Z*"), p=pvalue(), difference=num("均值差"), se=num("标准误", least=0),
        ci=interval("均值差 CI", "low", "high", around="difference"), d=num("标准化差值 *d*"), place="main",
        claim=claim("named", stat("*Z*", "z"), effect="d", interval="ci"),
    )  # fmt: skip
    means = Table(
        "各样本均值", sample=text("样本"), n=integer("*n*"), mean=num("均值"), sigma=num("已知 σ", least=0),
        sd=num("样本标准差", least=0), se=num("标准误", least=0), place="main",
    )  # fmt: skip
    plot = interval_figure()

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{cls.title}：{form.about}"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        held, unit = cls._samples(form)
        wanted = len(held)
        if len(form.sigma) != wanted:
            text = (
                "双样本Z检验需要两个总体标准差，依两组的次序各填一个"
                if wanted == 2
                else "单样本Z检验只需要一个总体标准差，请去掉多余的"
            )
            raise Refusal("numbers.count", text, field="sigma")
        errors = [sigma / s.n**0.5 for sigma, s in zip(form.sigma, held, strict=True)]
        for sample, sigma, error in zip(held, form.sigma, errors, strict=True):
            sd = sample.moments.sd if sample.n > 1 else None
            report.row(
                cls.means, sample=sample.name, n=sample.n, mean=sample.moments.mean, sigma=sigma, sd=sd, se=error
            )
        first = held[0].moments
        if wanted == 2:
            difference, null = first.centre - held[1].moments.centre, form.test_value
        else:
            difference, null = first.anchor - form.test_value + first.centre, 0.0
        se = float(np.hypot(*errors)) if wanted == 2 else errors[0]
        z = (difference - null) / se
        p = normal_p(z, form.alternative)
        sigma = float(np.sqrt(np.mean(np.square(form.sigma))))
        alpha = (1 - form.conf_level) / (2 if form.alternative == "two_sided" else 1)
        half = -float(special.ndtri(alpha)) * se
        low = -np.inf if form.alternative == "less" else difference - half
        high = np.inf if form.alternative == "greater" else difference + half
        d = (difference - null) / sigma
        report.row(cls.result, z=z, p=p, difference=difference, se=se, low=low, high=high, d=d)
        report.note(cls.result, "CI 的置信水平为 {level:percent}，用已知的 σ 计算。", level=form.conf_level)
        cls.describe(report, held, "mean", form.conf_level)
        mark = [Reference(y=form.test_value, label="检验值")] if wanted == 1 else []
        report.chart(cls.plot, titles=axis(form.variables.title, unit), over=mark)
        estimate = Estimate("均值差", difference, low, high, null, unit)
        cls._say(report, form, held, estimate, (z, p, d))
        cls._sigma(report, form, held)
        return report

    @classmethod
    def _samples(cls, form: Any) -> tuple[list[Sample], str]:
        if form.group is None:
            return [samples.one(form, least=1)], samples.unit(form.variables)
        groups = samples.two(form, "双样本Z", least=1)
        return groups.samples, groups.unit

    @classmethod
    def _say(
        cls, report: Report, form: Any, held: list[Sample], estimate: Estimate, found: tuple[float, float, float]
    ) -> None:
        z, p, d = found
        two, less = len(held) == 2, form.alternative == "less"
        value = number_words(form.test_value)
        word = "高于" if z > 0 else "低于"
        facts: dict[str, Any] = {
            "y": form.variables.title, "unit": estimate.unit, "value": value, "z": z, "d": d,
            "m1": held[0].moments.mean, "n1": held[0].n, "first": held[0].name,
        }  # fmt: skip
        if two:
            facts |= {"second": held[1].name, "m2": held[1].moments.mean, "n2": held[1].n}
            plain = form.test_value == 0
            more = "" if plain else "加 {value}"
            words = {
                "shown": f"“{{first}}”组的“{{y}}”平均值{word}“{{second}}”组{more}",
                "asked": f"“{{first}}”组的“{{y}}”平均值{'低于' if less else '高于'}“{{second}}”组{more}",
                "nothing": f"没有发现“{{first}}”组的“{{y}}”与“{{second}}”组{more}有明显差异",
                "compared": "“{first}”组（*n* = {n1:integer}）与“{second}”组（*n* = {n2:integer}）的“{y}”",
                "observed": "“{first}”组平均 {m1:num}{unit}，“{second}”组平均 {m2:num}{unit}",
            }
        else:
            words = {
                "shown": f"“{{y}}”的平均值{word}检验值 {{value}}",
                "asked": f"“{{y}}”的平均值{'低于' if less else '高于'} {{value}}",
                "nothing": "没有发现“{y}”的平均值与检验值 {value} 有明显差异",
                "compared": "“{y}”的平均值与检验值 {value}",
                "observed": "“{y}”的平均值为 {m1:num}{unit}（*n* = {n1:integer}），检验值为 {value}",
            }
        Finding(
            test="总体 σ 已知的 *Z* 检验", statistic="*Z* = {z:num}", p=p, level=form.conf_level, side=form.alternative,
            estimate=estimate, effect="*d* = {d:num}", strength=cohen1988.difference(d),
            figures=(figure("标准化差值", "*d* = {d:num}", "差值是 σ 的多少倍"),),
            caution=INDEPENDENT + "σ 须来自可靠的来源（标准、常模、长期记录），不能从这份数据估计。",
            facts=facts, **words,
        ).write(report)  # fmt: skip

    @classmethod
    def _sigma(cls, report: Report, form: Any, held: list[Sample]) -> None:
        """Does the spread seen go with the σ given?"""
        far, worst = [], 0.0
        facts: dict[str, Any] = {}
        for sample, sigma in zip(held, form.sigma, strict=True):
            if sample.n > 1:
                chi2, df = (sample.n - 1) * (sample.moments.sd / sigma) ** 2, sample.n - 1
                below = float(special.chdtr(df, chi2))
                far.append(2 * min(below, 1 - below) < 0.05)
                apart = abs(float(np.log(sample.moments.sd / sigma))) if sample.moments.sd > 0 else np.inf
                if not facts or apart > worst:
                    worst, facts = apart, {"sd": sample.moments.sd, "sigma": sigma}
        state = "unknown" if not far else "care" if any(far) else "pass"
        text = {
            "unknown": "只有一个值，看不出 σ 是否合适。",
            "care": "样本标准差 {sd:num}，给出的 σ 为 {sigma:num}，相差较大，请核对 σ；σ 不可靠时改用 *t* 检验。",
            "pass": "样本标准差 {sd:num}，给出的 σ 为 {sigma:num}，没有明显出入。",
        }[state]
        report.check("总体标准差", state, text, **facts)  # type: ignore[arg-type]
        least = min(sample.n for sample in held)
        report.check(
            "正态性", "pass" if least >= 30 else "care",
            "{n:integer} 例，" + ("均值近似正态。" if least >= 30 else "不足 30 例，要求总体本身正态，请看箱线图。"),
            n=least,
        )  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        cls.conclude(report, form, cls.result, "做 Z 检验", "平均值有差异")
