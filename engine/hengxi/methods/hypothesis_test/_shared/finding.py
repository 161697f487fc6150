"""What a test found, in words that hold in each branch: two-sided or one-sided, found or not, 0 inside or outside."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hengxi.contract import Report, figure
from hengxi.stats.names import number_words

SIDES = {"two_sided": "双侧", "greater": "单侧，备择假设为大于", "less": "单侧，备择假设为小于"}
INDEPENDENT = "本检验要求各行数据互不影响，请按调查或实验方式自行判断。"
UNASSIGNED = "分组不是随机分配时，这一差异不能说明是分组造成的。"


@dataclass(frozen=True)
class Estimate:
    """How large the difference is, with its interval; bounds of a one-sided test are infinite on one side."""

    label: str
    """均值差"""
    value: float
    low: float | None
    high: float | None
    null: float = 0.0
    unit: str = ""
    percent: bool = False


@dataclass(frozen=True)
class Finding:
    """Phrases without a full stop, their numbers as slots of `facts`; `p`, `alpha`, `level`, `est`, `low`, `high` are
    there already."""

    test: str
    """单样本 *t* 检验"""
    statistic: str
    """*t*({df:integer}) = {t:num}"""
    p: float
    level: float
    side: str
    shown: str
    """What a small p of a two-sided test shows: “甲”组的“y”比“乙”组高."""
    asked: str
    """What a one-sided test asks: “甲”组的“y”高于“乙”组."""
    nothing: str
    """没有发现…有明显差异."""
    compared: str
    """For a paper: “甲”组与“乙”组的“y”."""
    observed: str
    """The sample in numbers, without a verdict."""
    estimate: Estimate | None = None
    effect: str = ""
    """For a paper: Cohen's *d* = {d:num}."""
    strength: str = ""
    """小到中等, by the reference standards of Cohen; empty: not said."""
    figures: tuple[Any, ...] = ()
    caution: str = INDEPENDENT
    note: str = ""
    """A sentence that follows the conclusion where a reader would otherwise err."""
    matter: str = "差异"
    """What is found or not: 差异, 相关."""
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def found(self) -> bool:
        return self.p < 1 - self.level

    @property
    def is_two(self) -> bool:
        """Tests without a direction (`side` none) speak as two-sided ones."""
        return self.side in ("two_sided", "none")

    @property
    def _all(self) -> dict[str, Any]:
        facts: dict[str, Any] = {"p": self.p, "alpha": 1 - self.level, "level": self.level}
        if self.estimate is not None:
            e = self.estimate
            facts |= {"est": e.value, "low": e.low, "high": e.high, "est_unit": e.unit}
        return facts | self.facts

    # ---- parts ----------------------------------------------------------------------------------------------------
    def span(self, verb: str = "") -> str:
        """`95% CI … 到 …`, one bound where the test is one-sided; empty without an interval."""
        e = self.estimate
        if e is None or e.low is None or e.high is None:
            return ""
        shape = "percent1" if e.percent else "num"
        tail = "{est_unit}"
        if self.side == "greater":
            return f"{{level:percent}} 单侧置信下限{verb} {{low:{shape}}}{tail}"
        if self.side == "less":
            return f"{{level:percent}} 单侧置信上限{verb} {{high:{shape}}}{tail}"
        return f"{{level:percent}} CI{' ' * bool(verb)}{verb} {{low:{shape}}} 到 {{high:{shape}}}{tail}"

    @property
    def _value(self) -> str:
        e = self.estimate
        return "" if e is None else f"{e.label} {{est:{'percent1' if e.percent else 'num'}}}{{est_unit}}"

    def _bracket(self, *parts: str) -> str:
        held = [part for part in parts if part]
        return f"（{'，'.join(held)}）" if held else ""

    @property
    def _size(self) -> str:
        return f"，效应{self.strength}" if self.strength else ""

    # ---- sentences ------------------------------------------------------------------------------------------------
    def write(self, report: Report) -> None:
        facts = self._all
        report.lead(self._of_matter(self.conclusion()), self._figures(), **facts)
        for text in (self.student(), self.student_more()):
            report.say(self._of_matter(text), voice="student", **facts)
        for text in (self.paper(), self.paper_more()):
            report.say(self._of_matter(text), voice="paper", **facts)
        report.say(self._of_matter(self.brief()), voice="brief", **facts)

    def _of_matter(self, text: str) -> str:
        return text.replace("差异", self.matter)

    def conclusion(self) -> str:
        value, span = self._value, self.span()
        sized = f"：{value}{self._bracket(span)}" if value else ""
        if self.is_two:
            if self.found:
                held = self._bracket(value, span, "*p* {p:peq}")
                return f"{self.shown}{held}；差异有统计学意义{self._size}。{self.note}"
            inside = (
                "，真实差值可能在这个范围内"
                if span and self.estimate and self.estimate.label.endswith(("差", "差值"))
                else ""
            )
            return f"{self.nothing}（*p* {{p:peq}}）{sized}{inside}。{self.note}"
        if self.found:
            return f"{self.asked}（*p* {{p:peq}}）{sized}；单侧检验差异有统计学意义{self._size}。{self.note}"
        return f"没有发现{self.asked}（*p* {{p:peq}}）{sized}。单侧检验不判断相反方向的差异。{self.note}"

    def _figures(self) -> list[Any]:
        made = []
        if self.estimate is not None:
            value = f"{{est:{'percent1' if self.estimate.percent else 'num'}}}{{est_unit}}"
            made.append(figure(self.estimate.label, value, self.span() or None))
        made.append(figure("检验", "*p* {p:peq}", self.statistic or None))
        return [*made, *self.figures][:4]

    def student(self) -> str:
        start = f"先看差多少：{self.observed}。"
        span, e = self.span("为"), self.estimate
        if not span or e is None or e.low is None or e.high is None:
            return start
        null = f"{e.null:.0%}" if e.percent else number_words(e.null)
        if self.is_two:
            ends = f"包含 {null}" if e.low <= e.null <= e.high else f"不包含 {null}"
            return (
                f"{start}再看区间：{e.label}的 {span}，{ends}。"
                "区间的意思是：同样的抽样做很多次，每次都这样算，大约 {level:percent} 的区间会盖住真实的值。"
            )
        above = e.low > e.null if self.side == "greater" else e.high < e.null
        word = {"greater": "大于", "less": "小于"}[self.side]
        return f"{start}再看区间：单侧检验只给一端，{e.label}的 {span}，{word if above else '不' + word} {null}。"

    def student_more(self) -> str:
        if self.found:
            size = f"差异的大小按 Cohen（1988）的参考标准属“{self.strength}”。" if self.strength else ""
            return (
                f"最后看 *p*：*p* {{p:peq}}，小于 {{alpha:alpha}}，所以说差异有统计学意义。{size}"
                "有统计学意义只表示差异不像是抽样误差造成的，不表示差异很大。*p* 也不是“没有差异的概率”。"
            )
        if not self.is_two:
            return (
                f"最后看 *p*：*p* {{p:peq}}，不小于 {{alpha:alpha}}，现有数据不足以说{self.asked}。"
                "这不等于没有差异；单侧检验只问这一个方向，相反方向的差异再大，*p* 也不会小。"
            )
        return (
            "最后看 *p*：*p* {p:peq}，不小于 {alpha:alpha}，没有发现明显差异。"
            "没有发现差异不等于没有差异：也许真有差别，只是样本不够看不出来。*p* 也不是“没有差异的概率”。"
        )

    def paper(self) -> str:
        verdict = "差异有统计学意义" if self.found else "差异无统计学意义"
        if not self.is_two and not self.found:
            verdict = f"单侧检验未达到统计学意义，不足以说{self.asked}"
        parts = [verdict, self.statistic, "*p* {p:peq}", self._value + self._bracket(self.span()), self.effect]
        blank = "" if self.test[0] > "\u2e7f" else " "
        side = f"{SIDES[self.side]}，" if self.side in SIDES else ""
        compared = f" {self.compared}" if self.compared.startswith("{") else self.compared  # a number comes first
        return (
            f"采用{blank}{self.test}（{side}α = {{alpha:alpha}}）比较{compared}。"
            f"{self.observed}；{'，'.join(part for part in parts if part)}。"
        )

    def paper_more(self) -> str:
        open_end = "" if self.found else "“不显著”不等于没有差异；差异最大可能有多大，看置信区间。"
        if not self.found and not self.span():
            open_end = "“不显著”不等于没有差异。"
        return open_end + self.caution

    def brief(self) -> str:
        if self.is_two:
            end = f"{self.shown}，差异有统计学意义{self._size}" if self.found else self.nothing
        else:
            end = f"单侧检验{'支持' if self.found else '不足以说'}{self.asked}{self._size if self.found else ''}"
        return f"{end}（*p* {{p:peq}}）。{self.observed}。"
