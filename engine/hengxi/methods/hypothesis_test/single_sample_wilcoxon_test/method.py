from __future__ import annotations

from typing import Any

from hengxi.contract import Reference, Report, alternative, confidence, figure, number
from hengxi.interpret import cohen1988
from hengxi.methods.hypothesis_test._shared import rank_parts, samples, signed
from hengxi.methods.hypothesis_test._shared.comparison import OneSample, axis
from hengxi.methods.hypothesis_test._shared.finding import Estimate, Finding
from hengxi.methods.hypothesis_test._shared.samples import Sample, snapped
from hengxi.methods.hypothesis_test._shared.signed import Signed, SignedRanks
from hengxi.stats.names import number_words

LOCATION = "Hodges-Lehmann 中位数"


class SingleSampleWilcoxonTest(SignedRanks, OneSample):
    title, title_en = "单样本Wilcoxon符号秩检验", "One-sample Wilcoxon signed-rank test"
    rescaled = (("variables", "test_value"),)
    purpose = "一个总体的中位数是否等于给定值"
    aliases = (
        "符号秩检验",
        "单样本秩检验",
        "中位数检验",
        "非参数检验",
        "威尔科克森",
        "signed rank test",
        "Hodges-Lehmann",
    )
    references = (
        "wilcoxon1945", "pratt1959", "streitberg1986", "hodges1963", "kerby2014", "hollander2014", "cohen1988",
        "holm1979",
    )  # fmt: skip
    conventions = (
        "差值 = 取值 − 检验值。",
        *signed.CONVENTIONS,
        "一次检验三个以上变量时，前提检验里另列 Holm 校正后的 *p*。",
    )

    class Input(OneSample.Input):
        test_value: float = number("检验值", 0, hint="拿中位数和它比较")
        alternative: str = alternative("大于、小于都指样本对检验值")
        zero_method: str = signed.zero_method()
        p_method: str = rank_parts.p_method("auto", "exact", "asymptotic")
        continuity: bool = signed.continuity()
        conf_level: float = confidence()

    all_zero = "“{v}”所有观测都等于检验值，无法排秩，请核对检验值或换一个变量"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        sample = samples.one(form, least=1)
        reach = max(abs(sample.moments.least), abs(sample.moments.most), abs(form.test_value))
        difference = Sample(sample.name, snapped(sample.x - form.test_value, reach), sample.counts)
        found = cls.test_signs(report, form, difference, sample, LOCATION)
        cls.describe(report, [sample], "median", form.conf_level)
        unit = samples.unit(form.variables)
        mark = Reference(y=form.test_value, label="检验值")
        report.chart(cls.plot, titles=axis(sample.name, unit), over=[mark])
        report.chart(cls.box, over=[mark])
        cls._say(report, form, sample, found, unit)
        return report

    @classmethod
    def _say(cls, report: Report, form: Any, sample: Sample, found: Signed, unit: str) -> None:
        word = "高于" if found.biserial.value > 0 else "低于"
        centre = found.centre
        estimate = None
        if centre is not None:
            estimate = Estimate(LOCATION, centre.value, *rank_parts.bounds(centre), form.test_value, unit)
        Finding(
            test="单样本 Wilcoxon 符号秩检验",
            statistic=found.statistic,
            p=found.read.p,
            level=form.conf_level,
            side=form.alternative,
            shown=f"“{{y}}”总体上{word}检验值 {{value}}",
            asked=f"“{{y}}”总体上{'低于' if form.alternative == 'less' else '高于'} {{value}}",
            nothing="没有发现“{y}”与检验值 {value} 有明显差异",
            compared="“{y}”与检验值 {value}",
            observed="“{y}”的中位数为 {median:num}{unit}（{up:integer} 例高于检验值，{down:integer} 例低于）",
            estimate=estimate,
            effect="秩二列相关 *r* = {r:num}",
            strength=cohen1988.correlation(found.biserial.value),
            figures=(figure("秩二列相关", "{r:num}", "−1 到 1，0 表示高低各一半"),),
            facts={
                "y": sample.name, "unit": unit, "value": number_words(form.test_value), "median": sample.median,
                "up": found.test.n_positive, "down": found.test.n_negative, "W": found.test.positive,
                "z": found.test.z, "r": found.biserial.value,
            },
        ).write(report)  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        value = number_words(form["test_value"])
        cls.conclude(report, form, cls.result, f"与检验值 {value} 比较", "总体位置与检验值不同")
