"""Several variables tested at once: how many small p are to be expected, and which stay small when that is counted."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report, more
from hengxi.stats.multiple import adjust

FAMILY = 3
"""From so many tests on it is said."""
NAMED = 10


def family(report: Report, p: dict[str, float], alpha: float, title: str = "多重比较") -> None:
    """`p` by the name of the variable; the tests themselves are not changed."""
    m = len(p)
    if m < FAMILY:
        return
    held = dict(zip(p, adjust(list(p.values()), "holm"), strict=True))
    plain = [name for name in p if p[name] < alpha]
    kept = [name for name in p if held[name] < alpha]
    lost = [name for name in plain if name not in kept]
    if not plain:
        ending = "没有一个 *p* 小于 {alpha:alpha}，不校正时也没有发现差异。"
    elif lost:
        ending = "不校正时 {s:integer} 个有统计学意义，按 Holm 法校正后剩 {h:integer} 个；不再有统计学意义的是{lost}。"
    else:
        ending = "有统计学意义的 {s:integer} 个按 Holm 法校正后仍都有统计学意义。"
    listed, facts = _listed(held)
    report.check(
        title,
        "care" if lost else "pass",
        "一次检验了 {m:integer} 个变量，表中的 *p* 没有校正。" + ending,
        more=more(
            "检验的变量越多，碰巧出现小 *p* 的机会越大。Holm 法把最小的 *p* 乘以检验的个数，其余依次少乘一个，"
            "使整体错误率不超过 {alpha:alpha}，不要求各检验独立。",
            f"校正后的 *p*：{listed}。" if m <= NAMED else f"校正后的 *p* 最小的 {{named:integer}} 个：{listed}。",
            "若各变量其实都没有差异、检验又互相独立，{m:integer} 次检验至少错报一个的机会是 {chance:percent}。",
            "研究前就定为主要结果的变量可以单独看；其余当作一族时，报告校正后的 *p*，并写明共检验了几个。",
        ),
        m=m,
        s=len(plain),
        h=len(kept),
        alpha=alpha,
        lost=_quoted(lost),
        **facts,
        named=min(NAMED, m),
        chance=1 - (1 - alpha) ** m,
    )


def _quoted(names: list[str]) -> str:
    shown = "、".join(f"“{name}”" for name in names[:NAMED])
    return shown if len(names) <= NAMED else f"{shown}等"


def _listed(held: dict[str, float]) -> tuple[str, dict[str, Any]]:
    """The smallest, in the order they came."""
    smallest = sorted(held, key=lambda name: held[name])[:NAMED]
    named = [name for name in held if name in smallest]
    facts: dict[str, Any] = {}
    for i, name in enumerate(named):
        facts |= {f"v{i}": name, f"p{i}": held[name]}
    return "，".join(f"“{{v{i}}}” {{p{i}:pvalue}}" for i in range(len(named))), facts
