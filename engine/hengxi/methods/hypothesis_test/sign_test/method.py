from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Points,
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
    num,
    number,
    pvalue,
    role,
    text,
)
from hengxi.methods.hypothesis_test._shared import sample_checks, samples
from hengxi.methods.hypothesis_test._shared.comparison import Comparison, axis, interval_figure
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, Estimate, Finding
from hengxi.methods.hypothesis_test._shared.samples import Sample, snapped
from hengxi.stats import boxes
from hengxi.stats.frequencies import frequencies
from hengxi.stats.location import median_interval
from hengxi.stats.names import number_words


class SignTest(Comparison):
    title, title_en = "符号检验", "Sign test"
    family = "非参数检验"
    rescaled = (("variable", "pair"),)
    purpose = "配对差值为正与为负的概率是否相等（中位数是否为给定值）"
    aliases = ("正负号检验", "中位数检验", "配对非参数", "二项检验", "前后比较", "sign test")
    references = ("arbuthnot1710", "conover1999", "holm1979")
    conventions = (
        "放了“变量2”时差值 = 变量1 − 变量2 − 检验值，否则差值 = 变量1 − 检验值；差值先按 12 位有效数字取整。",
        "差值为 0 的不计；*p* 为精确二项 *p*（概率 ½），*Z* 不做连续性校正，只供对照。",
        "中位数的区间取自次序统计量，实际置信度不低于所选水平；样本太小时没有区间。",
        "一次检验三个以上变量时，前提检验里另列 Holm 校正后的 *p*。",
    )

    class Input(Form):
        variable: Column = role("变量1", "定量", each=True)
        pair: Column | None = role(
            "变量2（配对，选填）", "定量", min=0, along="variable", shared_with="variable", hint="与变量1按次序一一对应"
        )
        weight: Column | None = counted()
        test_value: float = number("检验值", 0, hint="中位数（或差值的中位数）和它比较")
        alternative: str = alternative("大于、小于都指变量1对变量2（或检验值）")
        conf_level: float = confidence()

    result = Table(
        "符号检验结果", n=integer("非零差值"), S=integer("正差个数 *S*"), z=num("*Z*"), p=pvalue("精确 *p*"),
        share=num("正差比例", least=0, most=1), median=num("中位数"), ci=interval("中位数 CI", "low", "high"),
        place="main", claim=claim("named"),
    )  # fmt: skip
    signs = Table("符号", sign=text("差值"), count=integer("个数"), place="main")
    plot = interval_figure()
    dots = Points("差值", order=num("次序"), value=num("差值"))
    dot_plot = Chart("差值（从小到大）", "point", of=dots, x="order", y="value", over=[Reference(y=0)], place="detail")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{cls.title}：{form.about}"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        name, unit = form.variable.title, samples.unit(form.variable)
        x, other = form.variable.numbers, 0.0 if form.pair is None else form.pair.numbers
        located = samples.single(
            form.variable, x - other, frequencies(form.weight), name if form.pair is None else "差值"
        )
        reach = max(float(np.max(np.abs(x))), float(np.max(np.abs(other))), abs(form.test_value))
        difference = Sample("差值", snapped(located.x - form.test_value, reach), located.counts)
        f = np.ones(difference.x.size) if difference.counts is None else difference.counts
        up, down, zeros = (round(float(f[np.sign(difference.x) == sign].sum())) for sign in (1, -1, 0))
        n = up + down
        if n == 0:
            raise Refusal(
                "data.constant", "“{v}”所有差值为0，符号检验无法进行，请核对检验值或换一个变量", field="variable",
                column=form.variable.id, v=name,
            )  # fmt: skip
        p = float(stats.binomtest(up, n, alternative=form.alternative.replace("_", "-")).pvalue)
        low, high = median_interval(located.ordered, form.conf_level, form.alternative)
        median = located.ordered.median
        report.row(
            cls.result, n=n, S=up, z=(up - n / 2) / (n / 4) ** 0.5, p=p, share=up / n, median=median, low=low, high=high
        )
        note = "" if low is not None else "样本太小，中位数在这个置信水平下没有区间。"
        report.note(cls.result, "CI 的置信水平为 {level:percent}。" + note, level=form.conf_level)
        for sign, count in (("正差", up), ("负差", down), ("结（零差）", zeros), ("总数", n + zeros)):
            report.row(cls.signs, sign=sign, count=count)
        drawn = [located]
        if form.pair is not None:
            drawn = [
                samples.single(form.variable, x, frequencies(form.weight), name),
                samples.single(form.pair, form.pair.numbers, frequencies(form.weight), form.pair.title),
            ]
        cls.describe(
            report, [*drawn, *([located] if form.pair is not None else [])], "median", form.conf_level, drawn=drawn
        )
        mark = [] if form.pair is not None else [Reference(y=form.test_value, label="检验值")]
        report.chart(cls.plot, titles=axis(name if form.pair is None else "取值", unit), over=mark)
        cls._dots(report, difference)
        cls._say(report, form, Estimate("中位数", median, low, high, form.test_value, unit), (up, down, zeros), p)
        least = 0.5**n * (2 if form.alternative == "two_sided" else 1)
        sample_checks.size_for_ranks(report, [n], min(1.0, least), 1 - form.conf_level, "符号检验")
        return report

    @classmethod
    def _dots(cls, report: Report, difference: Sample) -> None:
        values = boxes.evenly(difference.ordered, 1000)
        report.add_rows(cls.dots, {"order": np.arange(1, values.size + 1), "value": values})

    @classmethod
    def _say(cls, report: Report, form: Any, estimate: Estimate, counted: tuple[int, int, int], p: float) -> None:
        up, down, zeros = counted
        paired = form.pair is not None
        value = number_words(form.test_value)
        against = "“{b}”" if paired else " {value} "
        plain = paired and form.test_value == 0
        word = "大于" if up > down else "小于"
        if paired and not plain:
            against = "“{b}”加 {value}"
        asked = f"“{{a}}”{'小于' if form.alternative == 'less' else '大于'}{against}的情形更多"
        Finding(
            test="符号检验",
            statistic="*S* = {S:integer}（*n* = {n:integer}）",
            p=p,
            level=form.conf_level,
            side=form.alternative,
            shown=f"“{{a}}”{word}{against}的情形更多",
            asked=asked,
            nothing=f"没有发现“{{a}}”与{against}有明显差异",
            compared=f"“{{a}}”与{against}",
            observed=f"{{S:integer}} 例“{{a}}”大于{against}，{{down:integer}} 例小于，{{zeros:integer}} 例相等",
            estimate=Estimate(
                "差值的中位数" if paired else "中位数", estimate.value, estimate.low, estimate.high, estimate.null,
                estimate.unit,
            ),
            figures=(figure("正差比例", "{share:percent1}", "不计相等的；没有差异时为 50%"),),
            caution=INDEPENDENT,
            facts={
                "a": form.variable.title, "b": form.pair.title if paired else "", "value": value, "S": up, "down": down,
                "zeros": zeros, "n": up + down, "share": up / (up + down),
            },
        ).write(report)  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        cls.conclude(report, form, cls.result, "做符号检验", "正负差的多少不同")
