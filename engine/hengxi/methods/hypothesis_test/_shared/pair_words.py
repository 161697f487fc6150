"""Which pairs of groups differ, by name, the largest differences first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hengxi.contract import Report

NAMED = 5
"""Most pairs that a sentence names."""


@dataclass(frozen=True)
class PairFound:
    """A pair that the post-hoc test supports: first minus second, and its adjusted p."""

    first: str
    second: str
    difference: float
    p: float


class Named(Protocol):
    @property
    def samples(self) -> Sequence[Any]: ...


def say(
    report: Report,
    groups: Named,
    differing: Sequence[PairFound],
    how: str,
    overall: bool,
    noun: str = "组",
    high: str = "高于",
) -> None:
    """`overall`: whether the test of all groups together found a difference; nothing is said where `how` is 不做."""
    k = len(groups.samples)
    if how == "不做":
        return
    facts: dict[str, Any] = {"how": how, "m": k * (k - 1) // 2, "s": len(differing)}
    if not differing:
        report.say("事后比较（{how}）：{m:integer} 对中没有一对的差异达到统计学意义。", **facts)
        return
    parts = []
    for i, pair in enumerate(sorted(differing, key=lambda pair: pair.p)[:NAMED], 1):
        up = pair.difference > 0
        top, bottom = (pair.first, pair.second) if up else (pair.second, pair.first)
        facts |= {f"a{i}": top, f"b{i}": bottom, f"p{i}": pair.p}
        parts.append(f"“{{a{i}}}”{noun}{high}“{{b{i}}}”{noun}（*p* {{p{i}:peq}}）")
    rest = f"等（只列出 *p* 最小的 {NAMED} 对）" if len(differing) > NAMED else ""
    ending = "" if overall else "整体检验未达到统计学意义，两者回答的问题不同；请按研究前的计划报告。"
    found = "事后比较（{how}）：{m:integer} 对中有 {s:integer} 对的差异有统计学意义："
    report.say(f"{found}{'、'.join(parts)}{rest}。{ending}", **facts)
