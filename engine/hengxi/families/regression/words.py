"""What is said of every regression: which variables matter, by how much, how sure; never a cause."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from hengxi.contract import Report
from hengxi.families.regression.model import Model
from hengxi.stats.design import Term
from hengxi.stats.names import unit_of, unit_words

LEADING, LISTED = 2, 6
"""Coefficients that the conclusion spells out, and coefficients or variables that a sentence lists."""
FLAT = 0.005
"""A coefficient this small gives a ratio that reads 1.00: it is told for a greater step."""
STEEP = float(np.log(1000))
"""One this large, of a variable with parts of a unit, moves the odds a thousandfold: it is told for a smaller step."""
HUGE = 700.0
"""Beyond it the exponential overflows."""

Sentence = tuple[str, dict[str, Any]]
"""A text with places, and the facts for them."""


def ratio(value: float) -> float:
    """exp(value); infinite where no double can hold it."""
    return float(np.exp(min(value, HUGE))) if value < HUGE else float("inf")


class Words(ABC):
    """A member gives `facts`, the texts below that are abstract, and how a single coefficient is read."""

    ratio_symbol: ClassVar[str] = ""
    """OR, HR, IRR: what an exponentiated coefficient is called; empty where coefficients are read as they are."""
    ratio_of: ClassVar[str] = ""
    """What is that many times as large: 发生比, 发生率."""

    def __init__(self, model: Model, facts: dict[str, Any]) -> None:
        self.model, self.first = model, model.first
        self.alpha = 1 - model.level
        self.facts: dict[str, Any] = {"y": model.y, "level": model.level, "m": len(model.design.terms)} | facts
        if self.is_single:
            self.facts["x"] = model.design.terms[0].name

    # ---- what a member says ----------------------------------------------------------------------------------------
    @abstractmethod
    def conclusion(self) -> Sentence: ...

    @abstractmethod
    def figures(self) -> list[Any]: ...

    @abstractmethod
    def student(self) -> list[Sentence]: ...

    @abstractmethod
    def paper(self) -> list[Sentence]: ...

    @abstractmethod
    def next(self) -> str: ...

    def brief(self) -> Sentence:
        return self.conclusion()

    def meaning(self) -> Sentence:
        """What the coefficients do not show."""
        return "系数说明变量有关联，不等于因果。", {}

    def write(self, report: Report) -> None:
        text, facts = self.conclusion()
        report.lead(text, self.figures(), **self.facts, **facts)
        report.voices(self.student(), self.paper(), [self.brief()], **self.facts)
        text, facts = self.meaning()
        report.say(text, **facts)
        report.say(self.next(), **self.facts)

    # ---- which coefficients can be read, and which are significant -------------------------------------------------
    @property
    def is_single(self) -> bool:
        return len(self.model.design.terms) == 1

    @property
    def given(self) -> str:
        return "" if self.is_single else "其他自变量相同时，"

    @property
    def crossed(self) -> bool:
        """Has the model products or powers?"""
        return any(len(term.factors) > 1 for term in self.model.design.terms)

    @property
    def these(self) -> str:
        if self.is_single:
            return "“{x}”"
        return f"这 {{m:integer}} {'项' if self.crossed else '个'}自变量"

    @cached_property
    def simple(self) -> list[int]:
        """Columns that can be read alone: their variable is in no product, power or interaction."""
        terms, factors = self.model.design.terms, self.model.design.factors
        mixed = {k for term in terms if len(term.factors) > 1 for k in term.factors}
        alone = [term for term in terms if len(term.factors) == 1 and term.factors[0] not in mixed]
        return [j for term in alone if not factors[term.factors[0]].full for j in term.columns]

    @cached_property
    def held(self) -> list[Term]:
        """Variables that can be read alone and are significant; of several levels by their test together, since one
        level among many is below the limit by chance soon."""
        alone = set(self.simple)
        return [t for t in self.model.design.terms if t.first in alone and self._p(t) < self.alpha]

    def _p(self, term: Term) -> float:
        if term.width == 1:
            return float(self.model.read_p[term.first + self.first])
        return self.model.term_p(term)

    def doubt(self, j: int) -> tuple[float, ...]:
        """The smaller, the surer is coefficient j."""
        return (-float(abs(self.model.statistic[j + self.first])),)

    def can_be_read(self, j: int) -> bool:
        """Does the interval of a ratio fit into a double?"""
        if not self.ratio_symbol:
            return True
        return self.model.read_interval(j + self.first)[1] * self.step(j) < HUGE

    def significant(self) -> list[int]:
        """Of each of these variables the coefficient that is surest, surest first."""
        best = [min(term.columns, key=self.doubt) for term in self.held]
        sure = [j for j in best if self.model.read_p[j + self.first] < self.alpha and self.can_be_read(j)]
        return sorted(sure, key=self.doubt)

    def missed(self) -> list[Term]:
        """Variables that can be read alone and are not significant."""
        alone, known = set(self.simple), {term.name for term in self.held}
        return [t for t in self.model.design.terms if t.first in alone and t.name not in known]

    # ---- one coefficient -------------------------------------------------------------------------------------------
    def term_of(self, j: int) -> Term:
        return next(term for term in self.model.design.terms if j in term.columns)

    def step(self, j: int) -> float:
        """So many units at a time: 1, or of a ratio the power of ten that gives one that can be read."""
        b = abs(float(self.model.b[j + self.first]))
        term = self.term_of(j)
        values = self.model.design.factors[term.factors[0]].values
        if not self.ratio_symbol or values is None or len(term.factors) > 1:
            return 1.0
        steep = b > STEEP and not np.array_equal(values, np.floor(values))
        return float(10.0 ** np.ceil(-np.log10(b) - 1)) if steep or 0 < b < FLAT else 1.0

    def sentence(self, j: int, place: int) -> Sentence:
        """One coefficient in words, with facts named for this place: what changes, and by how much."""
        term = self.term_of(j)
        factor = self.model.design.factors[term.factors[0]]
        text, facts = self.ratio_words(j, place) if self.ratio_symbol else self.difference_words(j, place)
        facts[f"x{place}"] = factor.name
        if factor.labels:
            facts[f"a{place}"] = factor.labels[factor.shown(True)[j - term.first]]
            facts[f"ref{place}"] = factor.labels[factor.reference]
            return f"“{{x{place}}}”为“{{a{place}}}”的{text[1]}", facts
        much = "1"
        if (step := self.step(j)) != 1:
            facts[f"s{place}"], much = step, step_slot(place, step)
        facts[f"u{place}"] = unit_words(unit_of(self.model.columns[term.factors[0]]))
        return f"“{{x{place}}}”每多 {much}{{u{place}}}，{text[0]}", facts

    def difference_words(self, j: int, place: int) -> tuple[tuple[str, str], dict[str, Any]]:
        """`“房价”平均高 0.96（95% CI …）`, of a unit more and of a level against the reference; y is named once."""
        i = j + self.first
        b, (low, high) = float(self.model.b[i]), self.model.read_interval(i)
        up = b > 0
        facts = {f"b{place}": abs(b), f"lo{place}": low if up else -high, f"hi{place}": high if up else -low}
        facts[f"p{place}"] = float(self.model.read_p[i])
        ci = f"（{{level:percent}} CI {{lo{place}:num}} 到 {{hi{place}:num}}）"
        tail = self.difference(f"{'高' if up else '低'} {{b{place}:num}}{{unit}}{ci}", place == 0)
        return (tail, f"比“{{ref{place}}}”的，{tail}"), facts

    def difference(self, much: str, opening: bool) -> str:
        """`much` in front of what it is said of; y is named in the opening sentence."""
        return f"{'“{y}”' if opening else ''}平均{much}"

    def ratio_words(self, j: int, place: int) -> tuple[tuple[str, str], dict[str, Any]]:
        """`发生比是原来的 1.03 倍（95% CI …）`, of a unit more and of a level against the reference."""
        i, step = j + self.first, self.step(j)
        low, high = self.model.read_interval(i)
        facts = {
            f"o{place}": ratio(float(self.model.b[i]) * step),
            f"lo{place}": ratio(low * step),
            f"hi{place}": ratio(high * step),
        }
        ci = f" {{o{place}:num}} 倍（{{level:percent}} CI {{lo{place}:num}} 到 {{hi{place}:num}}）"
        return (f"{self.ratio_of}是原来的{ci}", f"，{self.ratio_of}是“{{ref{place}}}”的{ci}"), facts

    # ---- ready parts of texts --------------------------------------------------------------------------------------
    def leading(self) -> tuple[str, dict[str, Any], list[int]]:
        """The surest coefficients in words, and which; empty where none can be told."""
        facts: dict[str, Any] = {}
        sentences = []
        columns = self.significant()[:LEADING]
        for place, j in enumerate(columns):
            text, own = self.sentence(j, place)
            sentences.append(text)
            facts |= own
        return "；".join(sentences), facts, columns

    def others(self, told: list[int], facts: dict[str, Any]) -> str:
        """The significant variables that were not spelled out, by name."""
        rest = [term.name for term in self.held if not set(told) & set(term.columns)]
        if not rest:
            return ""
        facts |= {f"n{i}": name for i, name in enumerate(rest[:LISTED])}
        names = "".join(f"“{{n{i}}}”" for i in range(len(rest[:LISTED])))
        return f"还有{names}{'等' if len(rest) > LISTED else ''}也显著，见系数表。"

    def missed_words(self) -> list[Sentence]:
        """The variables without an effect by name, as a student must read them."""
        missed = self.missed()
        if not missed:
            return []
        facts = {f"z{i}": term.name for i, term in enumerate(missed[:LISTED])}
        names = "".join(f"“{{z{i}}}”" for i in range(len(facts))) + ("等" if len(missed) > LISTED else "")
        wide = "（有几个类别的变量看整体检验）" if any(term.width > 1 for term in missed) else ""
        true = f"真实的 {self.ratio_symbol} " if self.ratio_symbol else "真实大小"
        return [(f"{names}没有发现明显的关系{wide}。“不显著”不等于没有关系，{true}可能在区间之内。", facts)]

    def crossed_words(self) -> list[Sentence]:
        """How the main effects beside products and powers are read."""
        if not self.crossed:
            return []
        what = f"{self.ratio_symbol} " if self.ratio_symbol else "系数"
        return [(f"模型含交互项或乘方：组成它们的变量，{what}只是其他变量为 0（或取参照水平）时的值。", {})]

    def coefficient_list(
        self, symbol: str, test: str = "", test_facts: dict[str, Any] | None = None, opening: str = "各系数："
    ) -> list[Sentence]:
        """Estimates with intervals and p for a paper; `test` is a statistic, `{q}` its number in each coefficient."""
        model = self.model
        columns = [j for j in range(len(model.design.names)) if self.can_be_read(j)]
        facts = dict(test_facts or {})
        listed = []
        for place, j in enumerate(columns[:LISTED]):
            i, step = j + self.first, self.step(j)
            low, high = model.read_interval(i)
            turn = ratio if self.ratio_symbol else float
            facts |= {f"z{place}": model.design.names[j], f"b{place}": turn(float(model.b[i]) * step)}
            facts |= {f"lo{place}": turn(low * step), f"hi{place}": turn(high * step)}
            facts |= {f"p{place}": float(model.read_p[i])}
            if test:
                facts[f"t{place}"] = float(model.statistic[i])
            each = ""
            if step != 1:
                facts[f"s{place}"], each = step, f"（每 {step_slot(place, step)}）"
            listed.append(
                f"“{{z{place}}}”{each}：{symbol} = {{b{place}:num}}（{{level:percent}} CI {{lo{place}:num}} 到 "
                f"{{hi{place}:num}}），{test.replace('{q}', f'{{t{place}:num}}')}*p* {{p{place}:peq}}"
            )
        if not listed:
            return []
        tail = "；其余系数见表。" if len(listed) < len(model.design.names) else "。"
        return [(opening + "；".join(listed) + tail, facts)]

    def step_note(self, report: Report, table: Any) -> None:
        """The table counts by single units: a ratio that reads 1.00 there is told for a step one can read."""
        steps = [j for j in self.simple if self.step(j) != 1 and self.can_be_read(j)]
        facts: dict[str, Any] = {"level": self.model.level}
        sentences = []
        for place, j in enumerate(steps[:LISTED]):
            text, own = self.sentence(j, place)
            sentences.append(text)
            facts |= own
        if sentences:
            text = f"表中的 {self.ratio_symbol} 按每多 1 个单位算；换一个步长：{'；'.join(sentences)}。"
            report.note(table, text, **facts)


def step_slot(place: int, step: float) -> str:
    """A power of ten is written without digits it does not have."""
    digits = next((k for k, size in enumerate((1.0, 0.1, 0.01)) if size <= step < 1e6), None)
    return f"{{s{place}:num{'' if digits is None else digits}}}"
