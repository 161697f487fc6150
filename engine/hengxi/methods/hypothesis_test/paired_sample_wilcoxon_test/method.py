from __future__ import annotations

from typing import Any

from scipy import stats

from hengxi.contract import Refusal, Report, Table, alternative, claim, confidence, figure, flag, integer, pvalue
from hengxi.interpret import cohen1988
from hengxi.methods.hypothesis_test._shared import rank_parts, samples, signed
from hengxi.methods.hypothesis_test._shared.comparison import PairedSamples, axis
from hengxi.methods.hypothesis_test._shared.finding import Estimate, Finding
from hengxi.methods.hypothesis_test._shared.samples import Pairs
from hengxi.methods.hypothesis_test._shared.signed import Signed, SignedRanks

SHIFT = "Hodges-Lehmann 差值"
LEAST = 5


class PairedSampleWilcoxonTest(SignedRanks, PairedSamples):
    title, title_en = "配对样本Wilcoxon检验", "Wilcoxon signed-rank test (paired)"
    rescaled = (("pairs_a", "pairs_b"),)
    purpose = "配对数据差值的中位数是否为0"
    aliases = ("配对秩检验", "符号秩检验", "前后比较", "前测后测", "配对非参数", "威尔科克森", "signed rank test")
    references = (
        "wilcoxon1945", "pratt1959", "streitberg1986", "hodges1963", "kerby2014", "hollander2014", "cohen1988",
        "holm1979",
    )  # fmt: skip
    conventions = (
        "差值 = 变量1 − 变量2；两个变量都有值的行才参与。",
        *signed.CONVENTIONS,
        "符号检验的 *p* 为精确二项 *p*，零差值不计。",
        "一次检验三对以上时，前提检验里另列 Holm 校正后的 *p*。",
    )

    class Input(PairedSamples.Input):
        alternative: str = alternative("大于、小于都指变量1对变量2")
        zero_method: str = signed.zero_method()
        p_method: str = rank_parts.p_method("auto", "exact", "asymptotic")
        continuity: bool = signed.continuity()
        sign_test: bool = flag("附符号检验", True, hint="只看差值的正负，不要求对称")
        conf_level: float = confidence()

    sign = Table(
        "符号检验", positive=integer("正差值"), negative=integer("负差值"), p=pvalue("精确 *p*"),
        when={"sign_test": True}, claim=claim("named"),
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        pairs = samples.pairs(form, least=1)
        if pairs.difference.n < LEAST:
            raise Refusal(
                "data.few", "“{a}”与“{b}”完整配对仅 {n} 对，至少需要5对，请放宽筛选或补充数据", field="pairs_a",
                also=["pairs_b"], a=pairs.first.name, b=pairs.second.name, n=pairs.difference.n,
            )  # fmt: skip
        found = cls.test_signs(report, form, pairs.difference, pairs.difference, SHIFT)
        test = found.test
        if form.sign_test:
            side = form.alternative.replace("_", "-")
            p = float(stats.binomtest(test.n_positive, test.n, alternative=side).pvalue)
            report.row(cls.sign, positive=test.n_positive, negative=test.n_negative, p=p)
        cls.describe_pairs(report, pairs, "median", form.conf_level)
        if found.centre is not None:
            label = f"{pairs.first.name} − {pairs.second.name}"
            low, high = rank_parts.bounds(found.centre)
            report.row(cls.contrast, label=label, y=found.centre.value, low=low, high=high)
        else:
            report.skip(cls.contrast, "个案很多，没有计算 Hodges-Lehmann 差值")
        report.chart(cls.plot, titles=axis("取值", pairs.unit))
        cls._say(report, form, pairs, found)
        return report

    all_zero = "所有配对差值均为0，检验无法进行，请核对是否放错了变量"

    @classmethod
    def _say(cls, report: Report, form: Any, pairs: Pairs, found: Signed) -> None:
        word = "高于" if found.biserial.value > 0 else "低于"
        centre = found.centre
        estimate = None
        if centre is not None:
            estimate = Estimate(SHIFT, centre.value, *rank_parts.bounds(centre), unit=pairs.unit)
        Finding(
            test="配对样本 Wilcoxon 符号秩检验",
            statistic=found.statistic,
            p=found.read.p,
            level=form.conf_level,
            side=form.alternative,
            shown=f"“{{a}}”总体上{word}“{{b}}”",
            asked=f"“{{a}}”总体上{'低于' if form.alternative == 'less' else '高于'}“{{b}}”",
            nothing="“{a}”与“{b}”没有发现明显差异",
            compared="“{a}”与“{b}”",
            observed="“{a}”的中位数为 {m1:num}{unit}，“{b}”为 {m2:num}{unit}；"
            "{up:integer} 对“{a}”较大，{down:integer} 对“{b}”较大，{zeros:integer} 对相同",
            estimate=estimate,
            effect="秩二列相关 *r* = {r:num}",
            strength=cohen1988.correlation(found.biserial.value),
            figures=(figure("秩二列相关", "{r:num}", "−1 到 1，0 表示正负各一半"),),
            caution="本检验要求各对之间互不影响，请按调查或实验方式自行判断。没有对照组时，前后变化不一定是处理造成的。",
            facts={
                "a": pairs.first.name, "b": pairs.second.name, "unit": pairs.unit, "m1": pairs.first.median,
                "m2": pairs.second.median, "up": found.test.n_positive, "down": found.test.n_negative,
                "zeros": found.test.zeros, "W": found.test.positive, "z": found.test.z, "r": found.biserial.value,
            },
        ).write(report)  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        cls.conclude(report, form, cls.result, "比较各对变量", "总体上有差异")
