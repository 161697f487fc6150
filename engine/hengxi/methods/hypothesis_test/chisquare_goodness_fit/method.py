from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    StepRemedy,
    Table,
    choice,
    claim,
    confidence,
    counted,
    figure,
    flag,
    integer,
    interval,
    num,
    numbers,
    percent,
    pvalue,
    resamples,
    role,
    stat,
    text,
)
from hengxi.interpret import cohen1988
from hengxi.stats import goodness_of_counts as goodness
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words

MOST_LEVELS = 100
KINDS = {"pearson": "Pearson χ²", "likelihood": "似然比 G", "freeman_tukey": "Freeman-Tukey"}
LAWS = {
    "equal": "均等比例",
    "custom": "给定的比例",
    "poisson": "泊松分布",
    "binomial": "二项分布",
    "benford": "本福特定律",
}
ESTIMATED = ("poisson", "binomial")


@dataclass(frozen=True)
class Cells:
    """Categories with counts and the shares they ought to have."""

    words: list[str]
    observed: Floats
    shares: Floats
    parameter: float | None = None


class ChisquareGoodnessFit(Method):
    """Counts of the categories of one variable against expected shares or a distribution."""

    title, title_en = "卡方拟合优度检验", "Chi-square goodness of fit"
    family, tier = "差异性分析", "standard"
    purpose = "各类别的比例是否与期望比例一致"
    aliases = ("拟合优度", "goodness of fit", "单样本卡方", "孟德尔", "本福特", "泊松拟合", "G检验")
    references = ("pearson1900", "cochran1954", "cohen1988", "benford1938")
    conventions = (
        "期望比例之和为 1（或 100），按类别的次序填；类别的次序：数值从小到大，文字按首次出现。",
        "泊松的 λ、二项的 p 由数据估计，自由度各减 1；两端的类别合并到期望频数不小于 1。",
        "Freeman-Tukey 为 4Σ(√O − √E)²。",
        "精确 p 为统计量不小于观察值的全部频数表的多项概率之和；列不完时用固定种子的蒙特卡洛，附 99% 区间。",
        "标准化残差 = (O − E) / √(E(1 − 期望占比))，近似服从标准正态分布。",
        "Cohen's w = √(χ²/n)，区间由非中心 χ² 反解。",
    )
    weights = ("frequency",)
    random = True

    class Input(Form):
        variable: Column = role("分析变量", "任意", hint="泊松、二项要非负整数；本福特要数值")
        weight: Column | None = counted()
        theoretical: str = choice(
            "理论分布",
            {
                "equal": "均等", "custom": "自定义比例", "poisson": "泊松", "binomial": "二项", "benford": "本福特",
            },
        )  # fmt: skip
        expected: list[float] = numbers(
            "期望比例", (), least=0, when={"theoretical": "custom"}, hint="每类一个，按类别次序，合计 1 或 100"
        )
        trials: int | None = integer(
            "试验次数", None, least=1, most=1000, when={"theoretical": "binomial"}, auto="取最大值", hint="每例试几次"
        )
        statistic: str = choice(
            "统计量", {"pearson": "Pearson", "likelihood": "似然比G", ("freeman_tukey"): "Freeman-Tukey"}
        )
        exact: bool = flag("精确多项/蒙特卡洛p", False)
        n_resamples: int = resamples(9999, most=99_999, when={"exact": True})
        conf_level: float = confidence()

    result = Table(
        "卡方拟合优度分析结果", category=text("类别"), n=integer("实际频数"), share=percent("实际占比"),
        expected=num("期望频数", least=0), wanted=percent("期望占比"), residual=num("残差"),
        z=num("标准化残差"), place="main",
    )  # fmt: skip
    tests = Table(
        "检验", test=text("检验"), read=text("采用"), value=num("χ²", least=0), df=integer("*df*"), p=pvalue(),
        ci=interval("*p* 的99%CI", "low", "high", around="p"), place="main",
        claim=claim("distribution", stat("χ²", "value", "df"), names=("test",), outcome="variable", read="read"),
    )  # fmt: skip
    effects = Table(
        "效应量", effect=text("效应量"), value=num("估计", least=0),
        ci=interval("CI", "low", "high", around="value", inside=False),
    )  # fmt: skip
    bars = Points("实际与期望", category=text("类别"), n=num("频数"), series=text("频数的来源"))
    plot = Chart("实际频数与期望频数", "bar", of=bars, x="category", y="n", series="series", place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.variable.title}的卡方拟合优度检验"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"rows": [form["variable"]], "weight": form.get("weight")}
        title = "看这个变量与另一个变量有没有关联（列联分析）"
        return [NextStep(title=title, method="descriptive/crosstabs", form=start, seek=["columns"])]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        cells = cls._cells(report, form)
        n = float(cells.observed.sum())
        expected = n * cells.shares
        df = len(cells.words) - 1 - (form.theoretical in ESTIMATED)
        cls._judge(form, cells, expected, df)
        gap = cells.observed - expected
        z = gap / np.sqrt(expected * np.maximum(1 - cells.shares, 1e-300))
        for i, word in enumerate(cells.words):
            report.row(
                cls.result, category=word, n=cells.observed[i], share=cells.observed[i] / n, expected=expected[i],
                wanted=cells.shares[i], residual=gap[i], z=float(np.clip(z[i], -1e6, 1e6)),
            )  # fmt: skip
            report.row(cls.bars, category=word, n=cells.observed[i], series="实际")
            report.row(cls.bars, category=word, n=expected[i], series="期望")
        report.chart(cls.plot, titles={"x": form.variable.title, "y": "频数"})
        read = cls._tests(report, form, cells, expected, df)
        pearson = float(goodness.divergence(cells.observed, expected, "pearson"))
        w = float(np.sqrt(pearson / n))
        low, high = goodness.w_interval(pearson, df, n, form.conf_level)
        report.row(cls.effects, effect="Cohen's w", value=w, low=low, high=high)
        report.note(cls.effects, "CI 的置信水平为 {level:percent}。", level=form.conf_level)
        cls._words(report, form, cells, read, {"n": n, "w": w, "w_low": low, "w_high": high, "df": df}, z)
        cls._check(report, form, expected, read)
        return report

    # ---- categories ------------------------------------------------------------------------------------------------
    @classmethod
    def _cells(cls, report: Report, form: Any) -> Cells:
        column, weights = form.variable, frequencies(form.weight)
        if form.theoretical in ("equal", "custom"):
            return cls._categories(form, column, weights)
        if not column.is_number:
            raise Refusal(
                "role.measure", "“{v}”是文字，{law}要数值", field="variable", also=["theoretical"], column=column.id,
                v=column.title, law=LAWS[form.theoretical],
            )  # fmt: skip
        x = column.numbers
        known = ~np.isnan(x)
        counts = (np.ones(x.size) if weights is None else weights)[known]
        x = x[known]
        if form.theoretical == "benford":
            digits = goodness.first_digits(x)
            if (digits == 0).any():
                lost = float(counts[digits == 0].sum())
                report.warn(
                    "data.zero", ("有 {lost:integer} 个值是 0，没有首位数字，没有计入。"), lost=lost, columns=[column]
                )
            observed = np.array([counts[digits == d].sum() for d in range(1, 10)])
            return Cells([str(d) for d in range(1, 10)], observed, goodness.BENFORD)
        if (x < 0).any() or (x != np.floor(x)).any() or (x > 1000).any():
            raise Refusal(
                "data.counts", "“{v}”含有负数、小数或大于 1000 的数，{law}只适用于次数", field="variable",
                also=["theoretical"], column=column.id, v=column.title, law=LAWS[form.theoretical],
            )  # fmt: skip
        if x.size == 0 or float(counts @ x) == 0:
            text = "“{v}”全部为0，无法拟合"
            raise Refusal("data.constant", text, field="variable", column=column.id, v=column.title)
        if form.theoretical == "poisson":
            fitted = goodness.poisson(x, counts)
        else:
            trials = form.trials or int(x.max())
            if x.max() > trials:
                raise Refusal(
                    "data.trials", "“{v}”的最大值 {m} 超过试验次数 {k}", field="trials", column=column.id,
                    v=column.title, m=int(x.max()), k=trials,
                )  # fmt: skip
            fitted = goodness.binomial(x, counts, trials)
        return Cells(fitted.words, fitted.observed, fitted.shares, fitted.parameter)

    @staticmethod
    def _categories(form: Any, column: Column, weights: Floats | None) -> Cells:
        levels = column.levels if column.distinct_least <= MOST_LEVELS else []
        if not levels or len(levels) > MOST_LEVELS:
            step = "binning" if column.is_number else "value_coding"
            raise Refusal(
                "role.levels", "“{v}”有超过 {k} 个取值，请先分箱或合并类别", field="variable", column=column.id,
                v=column.title, k=MOST_LEVELS,
                remedies=[StepRemedy(title="合并类别", step=f"data_processing/{step}", columns=[column.id])],
            )  # fmt: skip
        k = len(levels)
        if k < 2:
            text = "分析变量“{v}”只有一个类别"
            raise Refusal("role.levels", text, field="variable", column=column.id, v=column.title)
        known = column.codes >= 0
        w = None if weights is None else weights[known]
        observed = np.bincount(column.codes[known], weights=w, minlength=k).astype(float)
        if form.theoretical == "equal":
            return Cells(level_words(levels), observed, np.full(k, 1 / k))
        given = np.array(form.expected, dtype=float)
        if given.size != k:
            raise Refusal(
                "numbers.count", (
                    "期望比例需填 {k} 个，已填 {m} 个；"
                    "类别依次为{names}"
                ), field="expected", k=k, m=given.size,
                names="".join(f"“{word}”" for word in level_words(levels)[:10]),
            )  # fmt: skip
        total = float(given.sum())
        if abs(total - 1) > 1e-6 and abs(total - 100) > 1e-4:
            shares = [round(float(v), 10) for v in given / total] if total > 0 else []
            raise Refusal(
                "numbers.sum", "期望比例之和应为100%，当前为 {s}", field="expected", s=f"{total:g}",
                remedies=[SetRemedy(title="换算成合计 1", set={"expected": shares})] if shares else [],
            )  # fmt: skip
        return Cells(level_words(levels), observed, given / total)

    @staticmethod
    def _judge(form: Any, cells: Cells, expected: Floats, df: int) -> None:
        if df < 1:
            raise Refusal(
                "data.few", ("合并以后类别太少，没有自由度，无法检验，请增加数据或换一个分布"), field="variable"
            )
        least = 0.0 if form.exact else 1.0
        few = [i for i in range(len(cells.words)) if expected[i] < least or expected[i] == 0]
        if few:
            raise Refusal(
                "data.expected", "类别“{g}”期望频数小于1，请合并类别，或改用精确 p（期望为 0 的类别不能有）",
                field="variable", g=cells.words[few[0]],
            )  # fmt: skip

    # ---- tests -----------------------------------------------------------------------------------------------------
    @classmethod
    def _tests(cls, report: Report, form: Any, cells: Cells, expected: Floats, df: int) -> dict[str, Any]:
        exact = None
        if form.exact and form.theoretical in ESTIMATED:
            report.warn("data.left_out", "理论分布的参数由数据估计，不给精确 *p*，采用 χ² 近似。")
        elif form.exact:
            exact = goodness.exact(cells.observed, cells.shares, form.statistic) or goodness.drawn(
                cells.observed, cells.shares, form.statistic, form.n_resamples, form.rng
            )
        read: dict[str, Any] = {}
        for key, name in KINDS.items():
            value = float(goodness.divergence(cells.observed, expected, key))
            mark = key == form.statistic and exact is None
            row: dict[str, Any] = {"test": name, "value": value, "df": df, "p": float(stats.chi2.sf(value, df))}
            report.row(cls.tests, read="采用" if mark else "", **row)
            if key == form.statistic:
                read = row
        if exact is not None:
            name = "精确多项检验" if exact.draws is None else f"蒙特卡洛（{exact.draws:,} 次）"
            report.row(cls.tests, test=name, read="采用", p=exact.p, low=exact.low, high=exact.high)
            read = {**read, "p": exact.p, "exact": name}
        return read

    @classmethod
    def _words(
        cls, report: Report, form: Any, cells: Cells, read: dict[str, Any], facts: dict[str, Any], z: Floats
    ) -> None:
        i = int(np.abs(z).argmax())
        found = read["p"] < 1 - form.conf_level
        n = facts["n"]
        facts |= {
            "v": form.variable.title, "law": LAWS[form.theoretical], "p": read["p"], "chi": read["value"],
            "level": form.conf_level, "c": cells.words[i], "s1": float(cells.observed[i] / n),
            "s0": float(cells.shares[i]),
        }  # fmt: skip
        symbol = {"pearson": "χ²", "likelihood": "*G*", "freeman_tukey": "*FT*"}[form.statistic]
        test = f"{symbol}({{df:integer}}, *N* = {{n:integer}}) = {{chi:num}}，*p* {{p:peq}}"
        if "exact" in read:
            facts["how"] = read["exact"]
            test = f"{{how}}，{test}"
        fitted = ""
        if cells.parameter is not None:
            facts["parameter"] = cells.parameter
            fitted = f"（{'λ' if form.theoretical == 'poisson' else 'p'} = {{parameter:num}}，由数据估计）"
        size = cohen1988.association(facts["w"])
        most = "相差最大的是“{c}”：实际占 {s1:percent1}，期望 {s0:percent1}"
        if found:
            lead = f"“{{v}}”的分布与{{law}}{fitted}不一致（{test}），相差{size}（*w* = {{w:num}}）。{most}。"
            student = "如果真实比例就是期望的比例，很少会碰巧相差这么多。看标准化残差，绝对值超过 2 的类别偏离明显。"
        else:
            lead = f"没有发现“{{v}}”的分布与{{law}}{fitted}有明显差异（{test}；*w* = {{w:num}}）。{most}。"
            student = "“没有发现差异”不等于完全一致，只说明数据与期望的比例不矛盾。"
        report.lead(lead, [figure("检验", "*p* {p:peq}", KINDS[form.statistic]), figure("*w*", "{w:num}")], **facts)
        report.say(student, voice="student")
        word = "有" if found else "没有"
        span = "{level:percent} CI {w_low:num} 到 {w_high:num}"
        report.say(
            f"拟合优度检验：“{{v}}”的分布与{{law}}{fitted}的差异{word}统计学意义，{test}，Cohen's *w* = "
            f"{{w:num}}，{span}。{most}。",
            voice="paper", **facts,
        )  # fmt: skip
        report.say(f"“{{v}}”的分布与{{law}}的差异{word}统计学意义（*p* {{p:peq}}）。{most}。", voice="brief", **facts)

    @classmethod
    def _check(cls, report: Report, form: Any, expected: Floats, read: dict[str, Any]) -> None:
        low = int((expected < 5).sum())
        share = low / expected.size
        care = share > 0.2 and "exact" not in read
        end = (
            ("超过 20%，χ² 近似不可靠，请改用精确 *p*。")
            if care
            else "χ² 近似可以用。"
            if "exact" not in read
            else "已用精确 *p*。"
        )
        remedy = [SetRemedy(title="改用精确 p", set={"exact": True})] if form.theoretical not in ESTIMATED else []
        report.check(
            "期望频数", "care" if care else "pass",
            "期望频数小于 5 的类别有 {low:integer} 个（{share:percent1}），最小 {least:num}。" + end,
            low=low, share=share, least=float(expected.min()), remedies=remedy if care else [],
        )  # fmt: skip
        report.check("个案独立", "unknown", "每个（每人）只能计一次，彼此互不影响，请按调查方式自行判断。")
