"""The conclusion of a pooled report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hengxi.contract import Report, figure
from hengxi.contract.pooled import Joint
from hengxi.pooling.estimates import One, Pools
from hengxi.pooling.tables import finite, fmi_of
from hengxi.stats import rubin

MOST_NAMED = 5


@dataclass
class Lead:
    """The conclusion: a test of several at once, one estimate in full, or how many of several."""

    report: Report
    found: Pools
    read: list[tuple[One, float]]
    """Estimates the conclusion speaks of, with the *p* of the table."""
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def alpha(self) -> float:
        return 1 - (self.found.ones[0].first.level if self.found.ones else 0.95)

    def write(self) -> None:
        joints = [(joint, wald) for joint, wald in self.found.joints if joint.read]
        self.facts["m"] = self.found.m
        text = "合并 {m:integer} 份插补后，"
        if len(joints) == 1:
            text += self._joint(*joints[0]) + self._count()
        elif joints:
            text += self._joints(joints)
        elif len(self.read) == 1:
            self._single(text, *self.read[0])
            return
        else:
            text += self._count()
        self.report.lead(text, **self.facts)

    def _joint(self, joint: Joint, wald: rubin.Wald) -> str:
        self.facts |= {"about": joint.name, "F": wald.F, "df1": wald.df1, "df2": finite(wald.df2), "p": wald.p}
        head = self._subject(joint.variable)
        ending = "，有统计学意义。" if wald.p < self.alpha else "，没有统计学意义。"
        return head + "整体检验（{about}）：*F*({df1:integer}, {df2:num}) = {F:num}，*p* {p:peq}" + ending

    def _joints(self, joints: list[tuple[Joint, rubin.Wald]]) -> str:
        shown = [joint.variable or joint.name for joint, wald in joints if wald.p < self.alpha]
        self.facts |= {"about": joints[0][0].name, "tests": len(joints), "hits": len(shown), "names": listed(shown)}
        text = "{tests:integer} 个整体检验（{about}）中 {hits:integer} 个有统计学意义"
        return text + ("：{names}。" if shown else "。")

    def _single(self, text: str, one: One, p: float) -> None:
        self.facts |= {
            "quantity": one.first.quantity, "name": one.first.name, "value": one.pooled.value, "low": one.test.low,
            "high": one.test.high, "level": one.first.level, "t": one.test.t, "df": finite(one.pooled.df), "p": p,
            "fmi": fmi_of(one),
        }  # fmt: skip
        head = "" if one.first.variable == one.first.name else self._subject(one.first.variable)
        # One-sided, a small p need not mean that the interval leaves out the other side.
        ending = "，有统计学意义。" if p < self.alpha else "，没有统计学意义。“不显著”不等于没有差异。"
        self.report.lead(
            text + head + "{quantity}（{name}）为 {value:num}，*t*({df:num}) = {t:num}，*p* {p:peq}" + ending,
            [
                figure("合并值", "{value:num}", "{level:percent} CI [{low:num}, {high:num}]"),
                figure("缺失信息比例", "{fmi:percent}", "{m:integer} 份插补"),
            ],
            **self.facts,
        )

    def _subject(self, variable: str | None) -> str:
        if variable is None:
            return ""
        self.facts["variable"] = variable
        return "“{variable}”的"

    def _count(self) -> str:
        """How many of several estimates differ from their value, and which."""
        if not self.read:
            return ""
        variables = {one.first.variable for one, _ in self.read}
        alone = 1 < len(variables) == len(self.read)
        shown = [_about(one, len(variables) > 1, alone) for one, p in self.read if p < self.alpha]
        quantities = {one.first.quantity for one, _ in self.read}
        self.facts |= {
            "what": quantities.pop() if len(quantities) == 1 else "估计", "of": len(self.read), "hits": len(shown),
            "names": listed(shown),
        }  # fmt: skip
        return "{of:integer} 个{what}中 {hits:integer} 个有统计学意义" + ("：{names}。" if shown else "。")


def _about(one: One, several: bool, alone: bool) -> str:
    """Of several variables with one estimate each the variable is name enough."""
    if alone and one.first.variable is not None:
        return one.first.variable
    if not several or one.first.variable in (None, one.first.name):
        return one.first.name
    return f"{one.first.variable}：{one.first.name}"


def listed(names: list[str]) -> str:
    more = f"等 {len(names)} 个" if len(names) > MOST_NAMED else ""
    return "".join(f"“{name}”" for name in names[:MOST_NAMED]) + more
