"""What is said about correlations: size and sign first, then the interval, then p; never a cause."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report, SetRemedy, figure, more
from hengxi.contract.shapes import State
from hengxi.interpret import cohen1988
from hengxi.methods.descriptive._shared.associating import SYMBOLS, WORDS, Block, Pair
from hengxi.methods.descriptive._shared.scores import is_binary
from hengxi.stats.correlation import FEWEST, Association
from hengxi.stats.multiple import adjust
from hengxi.stats.names import level_words

LISTED = 6
"""Most pairs, and most groups, that a sentence names."""
SKEWED, HEAVY = 2.0, 7.0
"""|skewness| and kurtosis beyond which Pearson's test becomes unreliable (West, Finch & Curran 1995)."""
ADJUSTED = {"holm": "Holm", "bonferroni": "Bonferroni", "fdr_bh": "FDR-BH"}
SIDES = {"two_sided": "双尾", "greater": "单尾，备择假设为正相关", "less": "单尾，备择假设为负相关"}


def wide(found: Association) -> bool:
    """Whether there is an interval to tell of: of a perfect correlation it has no width."""
    return found.low is not None and found.high is not None and found.low < found.high


class Words:
    def __init__(self, form: Any, blocks: list[Block]) -> None:
        self.form, self.blocks = form, blocks
        self.alpha, self.symbol, self.name = 1 - form.conf_level, SYMBOLS[form.method], WORDS[form.method]

    def write(self, report: Report) -> None:
        lines, facts = [], {"level": self.form.conf_level, "alpha": self.alpha}
        for k, block in enumerate(self.blocks):
            suffix = "" if k == 0 else f"_{k + 1}"
            lines.append(self._line(block, suffix, facts))
        first = self.strongest(self.blocks[0])
        figures = []
        if len(self.blocks) == 1:
            single = len(self.blocks[0].known) == 1
            note = self.interval("") if first.found and wide(first.found) else None
            figures = [
                figure("相关系数" if single else "最强的相关", f"{self.symbol} = {{r:num}}", note),
                figure("样本量", "{n:integer}", "这一对变量共同有值的个案"),
            ]  # fmt: skip
        report.lead("\n".join(lines), figures, **facts)
        report.say(self.student(), voice="student", **facts)
        text, named = self.paper()
        report.say(text, voice="paper", **facts, **named)
        report.say("相关只说明两个变量一起变化，不等于因果；第三个变量也可能同时影响两者。")
        report.say("\n".join(lines), voice="brief", **facts)

    @staticmethod
    def strongest(block: Block) -> Pair:
        return max(block.known, key=lambda pair: abs(pair.found.r) if pair.found else 0)

    @property
    def ci(self) -> str:
        """One-sided where the test is: its other end is the end of the scale."""
        return "CI" if self.form.alternative == "two_sided" else "单侧 CI"

    def other_side(self, r: float) -> str:
        """A one-sided test is silent about what points the other way, however strong it is."""
        side = {"greater": "正", "less": "负"}.get(self.form.alternative)
        if side is None or (r > 0) == (side == "正"):
            return ""
        return f"，单尾检验只看{side}相关，不判断{'负' if side == '正' else '正'}相关"

    def higher(self, block: Block, pair: Pair, s: str, facts: dict[str, Any]) -> str:
        """Of two categories and a quantity the sign says which category is higher: say it by name."""
        a, b = (block.columns[i] for i in (pair.a, pair.b))
        if is_binary(a) == is_binary(b) or pair.found is None:
            return ""
        two, other = (a, f"b{s}") if is_binary(a) else (b, f"a{s}")
        facts[f"higher{s}"] = level_words(two.levels)[1 if pair.found.r > 0 else 0]
        return f"（“{{higher{s}}}”的“{{{other}}}”较高）"

    def interval(self, s: str) -> str:
        return f"{{level:percent}} {self.ci} {{low{s}:num}} 到 {{high{s}:num}}"

    def _line(self, block: Block, s: str, facts: dict[str, Any]) -> str:
        pair, single = self.strongest(block), len(block.known) == 1
        assert pair.found is not None
        one = pair.found
        facts |= {
            f"a{s}": block.names[pair.a], f"b{s}": block.names[pair.b], f"r{s}": one.r, f"low{s}": one.low,
            f"high{s}": one.high, f"n{s}": one.n, f"share{s}": one.r**2,
        }  # fmt: skip
        start = ""
        if block.at is not None:
            facts[f"group{s}"] = block.at
            start = f"“{{group{s}}}”组："
        span = f"（{self.interval(s)}）" if wide(one) else ""
        sign = ("正相关" if one.r > 0 else "负相关") + self.higher(block, pair, s, facts)
        line = (
            "；全部点在一条直线上，请核对是不是同一个量的换算"
            if self.form.method == "pearson" and abs(one.r) >= 1 - 1e-12
            else ""
        )
        value = f"{self.symbol} = {{r{s}:num}}{span}"
        strength = cohen1988.correlation(one.r)
        if single:
            facts[f"p{s}"] = pair.p
            if pair.p is not None and pair.p < self.alpha:
                return f"{start}“{{a{s}}}”与“{{b{s}}}”{sign}（*p* {{p{s}:peq}}），强度{strength}：{value}{line}。"
            what = {"greater": "正相关", "less": "负相关"}.get(self.form.alternative, "相关")
            sure = "真实的相关可能在这个范围内。" if span and self.form.alternative == "two_sided" else ""
            return (
                f"{start}“{{a{s}}}”与“{{b{s}}}”没有发现明显的{what}（*p* {{p{s}:peq}}）：{value}"
                f"{self.other_side(one.r)}。{sure}"
            )
        found = [p for p in block.known if p.p is not None and p.p < self.alpha]
        facts |= {f"m{s}": len(block.known), f"s{s}": len(found)}
        adjusted = f"经 {ADJUSTED[self.form.adjust]} 校正，" if self.form.adjust != "none" else ""
        if not found:
            return (
                f"{start}{{m{s}:integer}} 对变量都没有发现明显的相关（{adjusted}α = {{alpha:alpha}}）。"
                f"绝对值最大的是“{{a{s}}}”与“{{b{s}}}”，{value}{self.other_side(one.r)}。"
            )
        missed = ""
        if pair not in found and pair.p is not None:
            # Few cases in common, or the other side of a one-sided test.
            facts[f"p{s}"] = pair.p
            missed = f"，这一对不显著（*p* {{p{s}:peq}}）{self.other_side(one.r)}"
        return (
            f"{start}{{m{s}:integer}} 对变量中有 {{s{s}:integer}} 对显著相关（{adjusted}α = {{alpha:alpha}}）。"
            f"最强的相关是“{{a{s}}}”与“{{b{s}}}”，{sign}，强度{strength}：{value}{line}{missed}。"
        )

    def student(self) -> str:
        how = {
            "pearson": "Pearson *r* 看的是直线关系：1 是完全同升，−1 是完全一升一降，"
            "0 是没有直线关系（可能有弯曲的关系）",
            "spearman": "Spearman *ρ* 用名次计算，看的是一个变大时另一个是不是总跟着变大或变小，不要求是直线",
            "kendall": "Kendall *τ* 比较每两个个案的先后：同向的多为正，反向的多为负；它的数值通常比 *ρ* 小",
        }[self.form.method]
        pair = self.strongest(self.blocks[0]).found
        width = "再看区间：区间越宽，相关有多强越不确定。"
        if pair is None or pair.low is None:
            width = "个案太少，没有区间：相关有多强还不能确定。"
        elif not wide(pair):
            width = "系数恰为 1 或 −1，区间没有宽度，不能当作没有抽样误差。"
        return (
            f"先看大小和正负：{how}。{self._example()}{width}"
            "最后看 *p*：它只说明相关是不是抽样误差，不说明相关有多强；样本很大时，很弱的相关也会有很小的 *p*。"
            "下一步：看散点图；想同时考虑几个因素，用线性回归。"
        )

    def _example(self) -> str:
        """The strongest pair of the first block, as the conclusion has it."""
        block = self.blocks[0]
        pair = self.strongest(block)
        assert pair.found is not None
        span = f"（{self.interval('')}）" if wide(pair.found) else ""
        where = "“{group}”组里" if block.at is not None else "这里"
        if len(block.known) > 1:
            return f"{where}绝对值最大的一对是“{{a}}”与“{{b}}”，{self.symbol} = {{r:num}}{span}。"
        return f"{where}“{{a}}”与“{{b}}”的 {self.symbol} = {{r:num}}{span}。"

    def paper(self) -> tuple[str, dict[str, Any]]:
        missing = "成对剔除缺失" if self.form.missing == "pairwise" else "整行剔除缺失"
        tests = sum(len(block.known) for block in self.blocks)
        plain = "，*p* 未作多重比较校正" if tests > 1 else ""
        adjusted = f"，*p* 经 {ADJUSTED[self.form.adjust]} 校正" if self.form.adjust != "none" else plain
        weights = "，样本量为频数权重的合计" if self.blocks[0].counts is not None else ""
        method = (
            f"采用 {self.name} 相关分析（{SIDES[self.form.alternative]}，α = {{alpha:alpha}}），{missing}"
            f"{adjusted}{weights}。"
        )
        facts: dict[str, Any] = {}
        results = "".join(self._listed(k, facts) for k in range(min(len(self.blocks), LISTED)))
        rest = "其余各组见表。" if len(self.blocks) > LISTED else ""
        standard = "强度的说法按 Cohen（1988）的参考标准：0.1 小，0.3 中，0.5 大"
        only = {
            "pearson": "。",
            "spearman": "；这套标准是为 Pearson *r* 定的，用于 *ρ* 只作参考。",
            "kendall": "；这套标准是为 Pearson *r* 定的，同样的关系 *τ* 的数值较小，只作参考。",
        }[self.form.method]
        return f"{method}{results}{rest}{standard}{only}", facts

    def _listed(self, k: int, facts: dict[str, Any]) -> str:
        """The pairs of one block with their numbers, the strongest first."""
        block = self.blocks[k]
        order = sorted(block.known, key=lambda pair: -abs(pair.found.r) if pair.found else 0)
        parts = []
        for i, pair in enumerate(order[:LISTED]):
            assert pair.found is not None
            s = f"{k}_{i}"
            facts |= {
                f"u{s}": block.names[pair.a],
                f"v{s}": block.names[pair.b],
                f"c{s}": pair.found.r,
                f"q{s}": pair.p,
            }
            facts |= {f"l{s}": pair.found.low, f"h{s}": pair.found.high, f"m{s}": pair.n}
            span = f"（{{level:percent}} {self.ci} {{l{s}:num}} 到 {{h{s}:num}}）" if wide(pair.found) else ""
            parts.append(
                f"“{{u{s}}}”与“{{v{s}}}”，{self.symbol} = {{c{s}:num}}{span}，*p* {{q{s}:peq}}，*n* = {{m{s}:integer}}"
            )
        where = ""
        if block.at is not None:
            facts[f"g{k}"] = block.at
            where = f"“{{g{k}}}”组："
        tail = "；其余各对见表" if len(order) > LISTED else ""
        return f"{where}{'；'.join(parts)}{tail}。"

    # ---- notes and checks ------------------------------------------------------------------------------------------
    def notes(self, report: Report, cls: Any) -> None:
        adjusted = f"，经 {ADJUSTED[self.form.adjust]} 校正" if self.form.adjust != "none" else ""
        report.note(
            cls.cross if self.form.y else cls.matrix,
            f"{self.name} 相关；*p* 为{SIDES[self.form.alternative]}{adjusted}；*n* 为两个变量共同有值的个案数。",
        )
        for column in self.blocks[0].columns:
            if is_binary(column) and len(words := level_words(column.levels)) == 2 and words != ["0", "1"]:
                text = "“{v}”只有两类：“{low}”记为 0，“{high}”记为 1{name}。"
                name = "；它与数值变量的 *r* 就是点二列相关系数" if self.form.method == "pearson" else ""
                about = cls.cross if self.form.y else cls.matrix
                report.note(about, text.replace("{name}", name), v=column.title, low=words[0], high=words[1])
        method = {
            "pearson": "*p* 来自 t 分布，CI 用 Fisher z（标准误 1/√(n − 3)）",
            "spearman": "*p* 用 t 近似，n ≤ 9 且没有相同的值时用精确分布；CI 用 Bonett-Wright 标准误",
            "kendall": "*z* 含结校正，不做连续性校正，n ≤ 9 且没有相同的值时用精确分布；CI 用 Fieller 标准误",
        }[self.form.method]
        plain = "；CI 未作多重比较校正，与校正后的 *p* 不必一致" if self.form.adjust != "none" else ""
        report.note(
            cls.details, f"{method}；CI 的置信水平为 {{level:percent}}，n ≤ 4 时不给；单尾检验给单侧区间{plain}。",
            level=self.form.conf_level,
        )  # fmt: skip
        if any(pair.found and pair.found.exact for block in self.blocks for pair in block.pairs):
            report.note(cls.details, "有的 *p* 由精确分布得出，不经过 *t* 或 *z*。")
        if any(pair.found is None for block in self.blocks for pair in block.pairs):
            report.note(cls.details, "空白的一对没有变异或共同有值的个案不足 3 个，无法计算。")

    def checks(self, report: Report) -> None:
        self._shape(report)
        self._size(report)
        self._family(report)

    def _shape(self, report: Report) -> None:
        if self.form.method != "pearson":
            return
        ordered = [c.title for c in self.blocks[0].columns if c.ordered]
        odd: list[str] = []
        for block in self.blocks:
            for i, name in enumerate(block.names):
                if block.size(i) > 3 and not is_binary(block.columns[i]):
                    m = block.moments(i)
                    if (abs(m.skewness or 0) > SKEWED or (m.kurtosis or 0) > HEAVY) and name not in odd:
                        odd.append(name)
        state: State = "care" if odd or ordered else "pass"
        text = "各变量偏度的绝对值都不超过 2、峰度都不超过 7，可以用 Pearson 相关；是不是直线请看散点图。"
        if odd:
            text = "{names}明显偏斜或有长尾，*r* 容易受少数离群值影响。稳健替代：Spearman 相关。"
        if ordered:
            text = (
                "" if not odd else text
            ) + "{ordered}是有序变量，取值之间未必等距。稳健替代：Spearman 或 Kendall 相关。"
        remedies = [SetRemedy(title="改用 Spearman", set={"method": "spearman"})] if state == "care" else []
        report.check(
            "线性与正态",
            state,
            text,
            more=more(
                "Pearson 的检验要求两个变量大致呈二元正态，关系大致是直线。",
                "逐个看了 {k:integer} 个变量的偏度与峰度。",
                "偏斜和离群值会使 *r* 偏大或偏小，*p* 与区间也不准（参考标准：偏度绝对值 2、峰度 7，West 等，1995）。",
                "先看散点图：点成弯曲的带时 *r* 会低估关系；有离群值时用 Spearman 或 Kendall。",
            ),
            remedies=remedies,
            names="".join(f"“{name}”" for name in odd),
            ordered="".join(f"“{name}”" for name in ordered),
            k=len(self.blocks[0].names),
        )

    def _size(self, report: Report) -> None:
        least = min(pair.n for block in self.blocks for pair in block.known)
        most = max(pair.n for block in self.blocks for pair in block.known)
        state: State = "care" if least < 30 else "pass"
        pairs = sum(len(block.known) for block in self.blocks)
        few = "不足" if most < 30 else "有的不足"
        width = "个案太少，给不出区间" if most <= FEWEST else "请看区间有多宽"
        ending = f"{few} 30 例，系数很不稳定，{width}。" if least < 30 else ""
        which = "每对变量" if pairs > 1 else "这一对变量"
        span = "{least:integer} 例" if least == most else "{least:integer} 到 {most:integer} 例"
        report.check(
            "样本量",
            state,
            f"{which}共同有值的个案为 {span}。" + ending,
            more=more(
                "相关系数要样本够大才稳定。",
                f"{which}共同有值的个案为 {span}。",
                "成对剔除时各系数来自不同的个案，互相比较要小心。",
                "缺失多时改用整行剔除对照。",
            ),
            least=least,
            most=most,
        )

    def _family(self, report: Report) -> None:
        tests = [pair.found.p for block in self.blocks for pair in block.known if pair.found]
        if len(tests) < 3:
            return
        holm = sum(p < self.alpha for p in adjust(tests, "holm"))
        plain = sum(p < self.alpha for p in tests)
        loose = self.form.adjust == "none"
        ending = (
            "未校正有 {plain:integer} 对显著，按 Holm 校正后有 {holm:integer} 对。"
            if loose
            else ("*p* 已用 {how} 校正（每个分组内）。" if len(self.blocks) > 1 else "*p* 已用 {how} 校正。")
        )
        report.check(
            "多重比较",
            "care" if loose and plain != holm else "pass",
            "共检验 {m:integer} 对。" + ending,
            more=more(
                "检验的对数越多，碰巧出现小 *p* 的机会越大。",
                "共检验 {m:integer} 对。",
                "不校正时，20 对真无相关的变量平均会有 1 对 *p* < .05。",
                "研究前没有定下重点的，用 Holm 或 FDR-BH 校正，并在论文里写明检验了几对。",
            ),
            remedies=[SetRemedy(title="用 Holm 校正", set={"adjust": "holm"})] if loose else [],
            m=len(tests),
            plain=plain,
            holm=holm,
            how=ADJUSTED.get(self.form.adjust, ""),
        )
