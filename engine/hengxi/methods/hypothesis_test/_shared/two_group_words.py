"""What is said about a difference of two means, true in each branch: side, significance, direction, weights."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report, figure
from hengxi.interpret import cohen1988
from hengxi.methods.hypothesis_test._shared.pair import Pair
from hengxi.stats.effect_size import Effect
from hengxi.stats.two_groups import TTest

FORMS = {"Welch": "Welch", "Student": "等方差（Student）"}
SIDES = {"two_sided": "双侧", "greater": "单侧，备择假设为第一组较大", "less": "单侧，备择假设为第一组较小"}


class Words:
    def __init__(self, pair: Pair, form: Any, name: str, read: TTest, d: Effect, cles: Effect) -> None:
        self.pair, self.form, self.name, self.read = pair, form, name, read
        self.side = form.alternative
        self.found = read.p < 1 - form.conf_level
        up = read.difference > 0
        size_low, size_high = (read.low, read.high) if up else (-read.high, -read.low)
        self.facts: dict[str, Any] = {
            "first": pair.first,
            "second": pair.second,
            "y": pair.y,
            "unit": pair.unit,
            "n1": pair.a.n,
            "n2": pair.b.n,
            "m1": pair.a.mean,
            "m2": pair.b.mean,
            "s1": pair.a.sd,
            "s2": pair.b.sd,
            "diff": read.difference,
            "size": abs(read.difference),
            "size_low": size_low,
            "size_high": size_high,
            "low": read.low,
            "high": read.high,
            "level": form.conf_level,
            "alpha": 1 - form.conf_level,
            "t": read.t,
            "df": read.df,
            "p": read.p,
            "d": d.value,
            "d_low": d.low,
            "d_high": d.high,
            "share": cles.value,
            "share_low": cles.low,
            "share_high": cles.high,
            "name": FORMS[name],
            "word": "高" if up else "低",
        }
        self.strength = cohen1988.difference(abs(d.value))
        self.df = "{df:integer}" if name == "Student" else "{df:num1}"

    # ---- parts ----------------------------------------------------------------------------------------------------
    def interval(self, low: str = "low", high: str = "high", unit: bool = True, verb: str = "") -> str:
        """`95% CI …`, one-sided where the test is; `verb`: 95% CI 为 … in a running sentence."""
        tail = "{unit}" if unit else ""
        if self.side == "greater":
            return f"{{level:percent}} 单侧置信下限{verb} {{{low}:num}}{tail}"
        if self.side == "less":
            return f"{{level:percent}} 单侧置信上限{verb} {{{high}:num}}{tail}"
        return f"{{level:percent}} CI{' ' * bool(verb)}{verb} {{{low}:num}} 到 {{{high}:num}}{tail}"

    @property
    def claim(self) -> str:
        """What a one-sided test was asked to show."""
        return f"“{{first}}”组{'高于' if self.side == 'greater' else '低于'}“{{second}}”组"

    @property
    def means(self) -> str:
        return "“{first}”组的“{y}”平均为 {m1:num}{unit}，“{second}”组为 {m2:num}{unit}"

    # ---- sentences ------------------------------------------------------------------------------------------------
    def write(self, report: Report) -> None:
        report.lead(self.conclusion(), self.figures(), **self.facts)
        report.say(self.student(), voice="student", **self.facts)
        report.say(self.student_more(), voice="student", **self.facts)
        report.say(self.paper(), voice="paper", **self.facts)
        report.say(self.paper_more(), voice="paper", **self.facts)
        report.say(self.brief(), voice="brief", **self.facts)

    def conclusion(self) -> str:
        if self.side == "two_sided":
            if self.found:
                return (
                    "“{first}”组的“{y}”平均为 {m1:num}{unit}，比“{second}”组{word} {size:num}{unit}"
                    f"（{self.interval('size_low', 'size_high', False)}）；差异有统计学意义，效应{self.strength}。"
                )
            return (
                "“{first}”组与“{second}”组的“{y}”没有发现明显差异（*p* {p:peq}）：均值差 {diff:num}{unit}"
                f"（{self.interval(unit=False)}），真实差值可能在这个范围内。"
            )
        word = "高于" if self.side == "greater" else "低于"
        if self.found:
            return (
                f"“{{first}}”组的“{{y}}”平均为 {{m1:num}}{{unit}}，{word}“{{second}}”组，均值差 {{diff:num}}{{unit}}"
                f"（{self.interval(unit=False)}）；单侧检验差异有统计学意义，效应{self.strength}。"
            )
        return (
            f"没有发现“{{first}}”组的“{{y}}”平均{word}“{{second}}”组（*p* {{p:peq}}）：均值差 {{diff:num}}{{unit}}"
            f"（{self.interval(unit=False)}）。单侧检验不判断相反方向的差异。"
        )

    def figures(self) -> list[Any]:
        d_note = self.interval("d_low", "d_high", False)
        return [
            figure("均值差", "{diff:num}{unit}", self.interval(unit=False)),
            figure("检验", "*p* {p:peq}", f"*t*({self.df}) = {{t:num}}"),
            figure("效应量", "*d* = {d:num}", d_note),
            figure("优势概率", "{share:percent}", "随机各取一例，“{first}”组大于“{second}”组的机会；没有差异时为 50%"),
        ]

    def paper(self) -> str:
        verdict = "差异有统计学意义" if self.found else "差异无统计学意义"
        if self.side != "two_sided" and not self.found:
            # The data may well show a difference the other way: the test says nothing about that.
            verdict = f"单侧检验未达到统计学意义，不足以说{self.claim}"
        return (
            f"采用{self.spaced(FORMS[self.name])}独立样本 *t* 检验（{SIDES[self.side]}，α = {{alpha:alpha}}）"
            f"比较“{{first}}”组与“{{second}}”组的“{{y}}”。"
            "“{first}”组（*n* = {n1:integer}，*M* = {m1:num}，*SD* = {s1:num}）与“{second}”组"
            "（*n* = {n2:integer}，*M* = {m2:num}，*SD* = {s2:num}）的均值差为 {diff:num}{unit}，"
            f"{verdict}，*t*({self.df}) = {{t:num}}，*p* {{p:peq}}，{self.interval()}，"
            f"Cohen's *d* = {{d:num}}（{self.interval('d_low', 'd_high', False)}）。"
        )

    @staticmethod
    def spaced(word: str) -> str:
        return f" {word} " if word.isascii() else word

    def paper_more(self) -> str:
        weights = "样本量为频数权重的合计。" if self.pair.weighted else ""
        open_end = "" if self.found else "“不显著”不等于没有差异；差异最大可能有多大，看置信区间。"
        if self.side != "two_sided" and not self.found:
            open_end = "“不显著”不等于没有差异；单侧检验也不判断相反方向的差异。"
        return (
            f"{weights}{open_end}本检验要求各行数据互不影响，请按调查或实验方式自行判断。"
            "分组不是随机分配时，这一差异不能说明是分组造成的。"
        )

    def student(self) -> str:
        start = f"先看差多少：{self.means}，样本中相差 {{size:num}}{{unit}}。"
        if self.side == "two_sided":
            ends = "不包含 0" if self.found else "包含 0"
            return (
                f"{start}再看区间：均值差（“{{first}}”减“{{second}}”）的 {self.interval(verb='为')}，{ends}。"
                "区间的意思是：同样的抽样做很多次，每次都这样算，大约 {level:percent} 的区间会盖住总体的均值差。"
            )
        sides = ("大于", "不大于") if self.side == "greater" else ("小于", "不小于")
        return (
            f"{start}再看区间：单侧检验只给一端，均值差（“{{first}}”减“{{second}}”）的 {self.interval(verb='为')}，"
            f"{sides[0] if self.found else sides[1]} 0。"
        )

    def student_more(self) -> str:
        if self.found:
            return (
                "最后看 *p*：*p* {p:peq}，小于 {alpha:alpha}，所以说差异有统计学意义。"
                f"差异的大小看 *d* = {{d:num}}，按 Cohen（1988）的参考标准属“{self.strength}”。"
                "有统计学意义只表示差异不像是抽样误差造成的，不表示差异很大。*p* 也不是“两组相同的概率”。"
            )
        if self.side != "two_sided":
            return (
                f"最后看 *p*：*p* {{p:peq}}，不小于 {{alpha:alpha}}，现有数据不足以说{self.claim}。"
                "这不等于两组一样；单侧检验只问这一个方向，相反方向的差异再大，*p* 也不会小。"
                "*p* 也不是“两组相同的概率”。"
            )
        return (
            "最后看 *p*：*p* {p:peq}，不小于 {alpha:alpha}，没有发现两组有明显差异。"
            "没有发现差异不等于两组一样：也许真有差别，只是样本不够看不出来。*p* 也不是“两组相同的概率”。"
        )

    def brief(self) -> str:
        if self.side == "two_sided" and self.found:
            end = f"“{{first}}”组{{word}} {{size:num}}{{unit}}，差异有统计学意义（*p* {{p:peq}}），效应{self.strength}"
        elif self.found:
            word = "高于" if self.side == "greater" else "低于"
            size = f"相差 {{size:num}}{{unit}}，效应{self.strength}"
            end = f"单侧检验支持“{{first}}”组{word}“{{second}}”组（*p* {{p:peq}}），{size}"
        elif self.side == "two_sided":
            end = f"没有发现明显差异（*p* {{p:peq}}），均值差的 {self.interval(verb='为')}"
        else:
            end = f"单侧检验不足以说{self.claim}（*p* {{p:peq}}），均值差的 {self.interval(verb='为')}"
        return f"{self.means}；{end}。"

    def notes(self, report: Report, cls: Any) -> None:
        level = {"level": self.form.conf_level, "first": self.pair.first, "second": self.pair.second}
        side = "" if self.side == "two_sided" else "单侧检验给单侧区间，另一端为无穷。"
        report.note(
            cls.comparison,
            f"*M* ± *SD* 为均值 ± 标准差；{self.spaced(FORMS[self.name]).lstrip()}*t* 检验，{SIDES[self.side]}；"
            f"均值差 = “{{first}}” − “{{second}}”；CI 为 {{level:percent}} 置信区间。{side}",
            **level,
        )
        if self.name == "Welch":
            report.note(
                cls.comparison, "*d* 以合并标准差为分母，它的 CI 假定等方差；有没有差异，以 Welch 检验的 *p* 为准。"
            )
        report.note(
            cls.result,
            f"两种结果都列出，论文报告“采用”一行。均值差 = “{{first}}” − “{{second}}”；CI "
            f"的置信水平为 {{level:percent}}。{side}",
            **level,
        )
        report.note(
            cls.descriptives,
            "均值 CI 的置信水平为 {level:percent}，各组单独按 t 分布计算。",
            level=self.form.conf_level,
        )
        if self.form.effect:
            report.note(cls.effects, self.effect_note(), level=self.form.conf_level)
        if self.pair.weighted:
            report.note(cls.comparison, "*n* 为频数权重的合计。")

    def effect_note(self) -> str:
        """Only what is in the table is explained."""
        chosen = self.form.effect
        parts = ["CI 的置信水平为 {level:percent}。"]
        if self.side != "two_sided":
            ends = {"greater": ("+∞", "1"), "less": ("−∞", "0")}[self.side]
            bounded = "cles" in chosen
            open_end = f"，优势概率的另一端为 {ends[1]}" if bounded else ""
            parts.append(
                f"单侧检验给单侧区间，优势概率的另一端为 {ends[1]}。"
                if chosen == ["cles"]
                else f"单侧检验给单侧区间，另一端为 {ends[0]}{open_end}。"
            )
        told = []
        pooled = [word for key, word in (("cohen_d", "d"), ("hedges_g", "g")) if key in chosen]
        if pooled:
            told.append(f"{' 与 '.join(pooled)} 的区间来自非中心 t 分布（df = n − 2）")
        if "glass_delta" in chosen:
            told.append("Glass's Δ 的区间来自自由度为第二组 n − 1 的非中心 t 分布")
        if "cles" in chosen:
            told.append("优势概率假定两组正态，区间由 delta 法得出")
        return "".join(parts) + "；".join(told) + "。"
