"""What is said about several means, true in each branch: significance, pairs found, pairs not asked for, weights."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report, figure
from hengxi.interpret import cohen1988
from hengxi.methods.hypothesis_test._shared import post_hoc
from hengxi.methods.hypothesis_test._shared.many_groups import ManyGroups
from hengxi.methods.hypothesis_test._shared.post_hoc import PairTest
from hengxi.stats.one_way import Share
from hengxi.stats.two_groups import Ratio

FORMS = {"welch": "Welch 方差分析", "fisher": "经典方差分析", "brown_forsythe": "Brown-Forsythe 方差分析"}
NAMED = 5
"""Most pairs that a sentence names."""


class Words:
    def __init__(
        self,
        groups: ManyGroups,
        form: Any,
        name: str,
        read: Ratio,
        found: dict[str, Share],
        how: str,
        pairs: list[PairTest],
    ) -> None:
        self.groups, self.form, self.name, self.read, self.how, self.pairs = groups, form, name, read, how, pairs
        self.alpha, self.narrow = 1 - form.conf_level, 2 * form.conf_level - 1
        self.found = read.p < self.alpha
        order = groups.order
        self.top, self.bottom = order[0], order[-1]
        self.widest = self._widest()
        self.strength = cohen1988.spread(found["f"].value)
        top, bottom = groups.each[self.top], groups.each[self.bottom]
        low, high = self.widest or (None, None)
        self.facts: dict[str, Any] = {
            "y": groups.y, "unit": groups.unit, "k": groups.k, "n": groups.n,
            "top": groups.level_with(self.top), "bottom": groups.level_with(self.bottom),
            "m1": top.mean, "m2": bottom.mean,
            "s1": top.sd, "s2": bottom.sd, "n1": top.n, "n2": bottom.n,
            "size": top.centre - bottom.centre, "low": low, "high": high, "level": form.conf_level,
            "alpha": self.alpha, "F": read.F, "df1": read.df1, "df2": read.df2, "p": read.p,
            "eta": found["eta"].value, "eta_low": found["eta"].low, "eta_high": found["eta"].high,
            "omega": found["omega"].value, "how": post_hoc.TITLES.get(how, ""),
        }  # fmt: skip
        self.df = "{df1:integer}, {df2:integer}" if name == "fisher" else "{df1:integer}, {df2:num1}"

    @property
    def is_tied(self) -> bool:
        """Several groups share the highest or the lowest mean."""
        return "”、“" in self.facts["top"] or "”、“" in self.facts["bottom"]

    def _widest(self) -> tuple[float, float] | None:
        """The interval of highest minus lowest mean, where the table of pairs holds it."""
        for pair in self.pairs:
            if {pair.first, pair.second} == {self.top, self.bottom} and pair.low is not None and pair.high is not None:
                return (pair.low, pair.high) if pair.first == self.top else (-pair.high, -pair.low)
        return None

    # ---- parts ----------------------------------------------------------------------------------------------------
    @property
    def test(self) -> str:
        return f"*F*({self.df}) = {{F:num}}，*p* {{p:peq}}"

    @property
    def span(self) -> str:
        corrected = "未校正多次比较" if self.how == "lsd" else "已校正多次比较"
        return f"（{{level:percent}} CI {{low:num}} 到 {{high:num}}，{corrected}）" if self.widest else ""

    @property
    def means(self) -> str:
        return (
            "“{y}”的平均值最高的是“{top}”组（{m1:num}{unit}），最低的是“{bottom}”组（{m2:num}{unit}）"
            if self.facts["size"] > 0
            else "各组“{y}”的平均值相同（{m1:num}{unit}）"
        )

    @property
    def differing(self) -> list[PairTest]:
        return [pair for pair in self.pairs if pair.p is not None and pair.p < self.alpha]

    @property
    def beyond(self) -> str:
        """Why the interval of η², which rests on the classic F, says another thing than η² itself or the test."""
        eta, low, high = self.facts["eta"], self.facts["eta_low"], self.facts["eta_high"]
        if self.found and low == 0 and self.groups.whole.fisher().p < self.alpha:
            return (
                "η² 的区间是双侧的，下限为 0 与 *p* 小于 {alpha:alpha} 并不矛盾：*F* 检验只看一侧，"
                "与它对应的是 {narrow:percent} 的区间。"
            )
        if self.found != (low > 0):
            return "η² 的区间由经典 *F* 反解，假定等方差，与所采用的检验不一致时以检验为准。"
        if high == 0:
            return "*F* 很小时，由非中心 *F* 反解的区间收缩到 0，不能据此说各组没有差别。"
        if eta > high:
            return "η² 高于它的区间，是因为 *F* 很小时样本的 η² 偏大，而区间由非中心 *F* 反解；大小以 ω² 和区间为准。"
        return ""

    # ---- sentences ------------------------------------------------------------------------------------------------
    def write(self, report: Report) -> None:
        report.lead(self.conclusion(), self.figures(), **self.facts)
        report.say(self.student(), voice="student", **self.facts, narrow=self.narrow)
        report.say(self.student_more(), voice="student", **self.facts)
        report.say(self.paper(), voice="paper", **self.facts)
        pairs, facts = self.pair_words()
        if pairs:
            report.say(pairs, **facts)
        report.say(self.paper_more(), voice="paper", **self.facts)
        report.say(self.brief(), voice="brief", **self.facts)

    def conclusion(self) -> str:
        """The omnibus p belongs to all groups together; a pair is named only where its own test says so."""
        overall = f"（*p* {{p:peq}}，效应{self.strength}）"
        if self.found and self.differing:
            return f"{{k:integer}} 个组的“{{y}}”平均值差异有统计学意义{overall}：{self._pair()}。"
        if self.found:
            none = "，但多重比较没有一对达到统计学意义" if self.pairs else ""
            return (
                f"{{k:integer}} 个组的“{{y}}”平均值差异有统计学意义{overall}{none}：样本中最高的是“{{top}}”组，"
                f"最低的是“{{bottom}}”组，相差 {{size:num}}{{unit}}{self.span}。"
            )
        if self.differing:
            return (
                "{k:integer} 个组的“{y}”整体检验未达到统计学意义（*p* {p:peq}），而多重比较中"
                f"{self._pair()}。两者回答的问题不同，请按研究前的计划报告。"
            )
        if self.facts["size"] <= 0:
            return "样本中 {k:integer} 个组的“{y}”平均值相同，都是 {m1:num}{unit}（*p* {p:peq}）。"
        ending = "，真实差值可能在这个范围内" if self.widest and self.widest[0] <= 0 <= self.widest[1] else ""
        return (
            "{k:integer} 个组的“{y}”没有发现明显差异（*p* {p:peq}）：样本中最高组与最低组"
            f"相差 {{size:num}}{{unit}}{self.span}{ending}。"
        )

    def _pair(self) -> str:
        """The pair that differs most, of those the post-hoc test supports, and how many there are."""
        pair = max(self.differing, key=lambda one: abs(one.difference or 0))
        up = (pair.difference or 0) > 0
        high, low = (pair.first, pair.second) if up else (pair.second, pair.first)
        self.facts |= {
            "pair_high": self.groups.names[high], "pair_low": self.groups.names[low],
            "pair_size": abs(pair.difference or 0), "pair_p": pair.p,
        }  # fmt: skip
        span = ""
        if pair.low is not None and pair.high is not None and not pair.low <= 0 <= pair.high:
            ends = (pair.low, pair.high) if up else (-pair.high, -pair.low)
            self.facts |= {"pair_from": ends[0], "pair_to": ends[1]}
            corrected = "未校正多次比较" if self.how == "lsd" else "已校正多次比较"
            span = f"，{{level:percent}} CI {{pair_from:num}} 到 {{pair_to:num}}，{corrected}"
        counted = "；{pairs:integer} 对中有 {differ:integer} 对有差异" if len(self.pairs) > 1 else ""
        self.facts |= {"differ": len(self.differing), "pairs": len(self.pairs)}
        return f"“{{pair_high}}”组比“{{pair_low}}”组高 {{pair_size:num}}{{unit}}（*p* {{pair_p:peq}}{span}）{counted}"

    def figures(self) -> list[Any]:
        made = [
            figure(
                "最大的均值差",
                "{size:num}{unit}",
                "“{top}”组减“{bottom}”组" if self.facts["size"] > 0 else "各组的平均值相同",
            ),
            figure("检验", "*p* {p:peq}", f"*F*({self.df}) = {{F:num}}"),
            figure("效应量", "η² = {eta:num}", "{level:percent} CI {eta_low:num} 到 {eta_high:num}"),
        ]
        if self.pairs:
            # Both counts are facts of the sentence, so that a reader can trace them.
            self.facts |= {"differ": len(self.differing), "pairs": len(self.pairs)}
            made.append(figure("两两比较", "{differ:integer} / {pairs:integer}", "{how}，有统计学意义的对数"))
        return made

    def student(self) -> str:
        interval = "这两组差值的 {span}是同时对所有比较成立的范围。" if self.widest and self.how != "lsd" else ""
        if self.facts["size"] <= 0:
            interval = ""
        gap = "，样本中相差 {size:num}{unit}" if self.facts["size"] > 0 else ""
        interval = interval.replace("{span}", "{level:percent} 联合 CI 为 {low:num} 到 {high:num}，")
        return (
            f"先看差多少：{self.means}{gap}。{interval}"
            "再看分组说明了多少：η² = {eta:num}，样本里“{y}”的变异有 {eta:percent1} 与分组对应"
            "（{level:percent} CI {eta_low:num} 到 {eta_high:num}）。" + self.beyond
        )

    def student_more(self) -> str:
        if self.found:
            return (
                "最后看 *p*：*p* {p:peq}，小于 {alpha:alpha}，所以说各组平均值的差异有统计学意义。"
                + (
                    "有统计学意义只说明不是每一组都一样，不说明每两组都不同；哪些组不同，看多重比较。"
                    if self.groups.k > 2
                    else "只有两组，说的就是这两组的差异。"
                )
                + f"效应的大小按 Cohen（1988）的参考标准属“{self.strength}”。*p* 也不是“各组相同的概率”。"
            )
        return (
            "最后看 *p*：*p* {p:peq}，不小于 {alpha:alpha}，没有发现各组有明显差异。"
            "没有发现差异不等于各组一样：也许真有差别，只是样本不够看不出来。*p* 也不是“各组相同的概率”。"
        )

    def paper(self) -> str:
        verdict = "差异有统计学意义" if self.found else "差异无统计学意义"
        return (
            f"采用 {FORMS[self.name]}（α = {{alpha:alpha}}）".replace("采用 经典", "采用经典")
            + "比较 {k:integer} 个组的“{y}”（*N* = {n:integer}）。"
            + (
                "各组的样本平均值相同，都是 {m1:num}{unit}。"
                if self.facts["size"] <= 0
                else f"{self.means}，相差 {{size:num}}{{unit}}。"
                if self.is_tied
                else "最高的“{top}”组（*n* = {n1:integer}，*M* = {m1:num}，*SD* = {s1:num}）与最低的“{bottom}”组"
                "（*n* = {n2:integer}，*M* = {m2:num}，*SD* = {s2:num}）相差 {size:num}{unit}。"
            )
            + f"各组{verdict}，{self.test}，η² = {{eta:num}}"
            "（{level:percent} CI {eta_low:num} 到 {eta_high:num}），ω² = {omega:num}。"
        )

    def paper_more(self) -> str:
        weights = "样本量为频数权重的合计。" if self.groups.weighted else ""
        open_end = "" if self.found else "“不显著”不等于没有差异；差异最大可能有多大，看置信区间。"
        return (
            f"{weights}{open_end}本检验要求各行数据互不影响，请按调查或实验方式自行判断。"
            "分组不是随机分配时，这一差异不能说明是分组造成的。"
        )

    def brief(self) -> str:
        if self.found:
            verdict = f"{{k:integer}} 个组的“{{y}}”平均值差异有统计学意义（*p* {{p:peq}}），效应{self.strength}"
        else:
            verdict = "{k:integer} 个组的“{y}”没有发现明显差异（*p* {p:peq}）"
        return f"{verdict}。{self.means}。"

    def pair_words(self) -> tuple[str, dict[str, Any]]:
        """Which pairs differ, by name, the largest differences first."""
        if not self.pairs:
            return "", {}
        facts: dict[str, Any] = {
            "how": post_hoc.TITLES[self.how], "m": len(self.pairs), "s": len(self.differing), "unit": self.groups.unit
        }  # fmt: skip
        differing = sorted(self.differing, key=lambda pair: -abs(pair.difference or 0))
        if not differing and len(self.pairs) == 1:
            return "多重比较（{how}）：只有一对，差异未达到统计学意义。", facts
        if not differing:
            return "多重比较（{how}）：{m:integer} 对中没有一对的差异达到统计学意义。", facts
        parts = []
        for i, pair in enumerate(differing[:NAMED], 1):
            up = (pair.difference or 0) > 0
            high, low = (pair.first, pair.second) if up else (pair.second, pair.first)
            facts |= {
                f"a{i}": self.groups.names[high], f"b{i}": self.groups.names[low],
                f"d{i}": abs(pair.difference or 0), f"p{i}": pair.p,
            }  # fmt: skip
            parts.append(f"“{{a{i}}}”组高于“{{b{i}}}”组（差 {{d{i}:num}}{{unit}}，*p* {{p{i}:peq}}）")
        rest = f"等（只列出差值最大的 {NAMED} 对）" if len(differing) > NAMED else ""
        every = len(differing) == len(self.pairs)
        some = "{m:integer} 对中有 {s:integer} 对的差异有统计学意义"
        counted = "{m:integer} 对的差异都有统计学意义" if every else some
        if len(self.pairs) == 1:
            counted = "只有一对，差异有统计学意义"
        found = f"多重比较（{{how}}）：{counted}："
        found += f"{'、'.join(parts)}{rest}。"
        if not self.found:
            found += "整体检验未达到统计学意义，两者回答的问题不同；请按研究前的计划报告。"
        return found, facts

    # ---- notes ----------------------------------------------------------------------------------------------------
    def notes(self, report: Report, cls: Any) -> None:
        level = {"level": self.form.conf_level, "alpha": self.alpha, "narrow": self.narrow}
        form = FORMS[self.name]
        weights = "*n* 为频数权重的合计。" if self.groups.weighted else ""
        report.note(
            cls.comparison,
            f"*M* ± *SD* 为均值 ± 标准差；*F*、*df*、*p* 来自{'' if form.startswith('经典') else ' '}{form}；"
            f"η² 的 CI 为 {{level:percent}} 置信区间，由非中心 F 分布反解。{weights}{self.beyond}",
            **level,
        )
        report.note(
            cls.descriptives, "均值 CI 的置信水平为 {level:percent}，各组单独按 t 分布计算；例数不足 3、没有变异"
            "或超过 50000 例的组不做正态性检验。", **level,
        )  # fmt: skip
        report.note(cls.anova, "三种 F 都列出，论文报告“采用”一行；Welch 与 Brown-Forsythe 的 F 不假定等方差。")
        report.note(
            cls.effects, "CI 的置信水平为 {level:percent}，均由经典 F 的非中心 λ 反解：η² 与 f 用 λ/(λ + df2)，"
            "ω² 与 ε² 用 λ/(λ + N)。ω²、ε² 小于 0 时记作 0。", **level,
        )  # fmt: skip
        if self.pairs:
            report.note(cls.pairs, self.pair_note(), **level)

    def pair_note(self) -> str:
        start = "均值差 = 组I − 组J；*d* 以两组的合并标准差为分母。"
        ending = {
            "lsd": "LSD 不校正，不控制整体错误率；区间是单个比较的 {level:percent} CI。",
            "snk": "SNK 为逐步法，没有联合区间，只在各组总体均值全都相同时控制整体错误率；"
            "*p* 为包含这两组的各个范围中最大的一个。",
            "duncan": "Duncan 为逐步法，没有联合区间，不控制整体错误率；*p* 为包含这两组的各个范围中最大的一个，"
            "已按 Duncan 的保护水平换算。",
            "holm": "Holm 是逐步校正，区间取 Bonferroni 的 {level:percent} 联合 CI，比检验保守："
            "*p* 小于 α 时它仍可能包含 0。",
            "dunnett": "每组都与对照组（组J）比较；*p* 与 {level:percent} 联合 CI 来自多元 t 分布（数值积分）。",
        }.get(self.how, "*p* 已校正，区间为 {level:percent} 联合 CI，与所选方法一致。")
        if self.how in post_hoc.UNEQUAL:
            ending += "标准误与自由度不假定等方差。"
        return start + ending
