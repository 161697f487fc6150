"""What rank tests share: which p is read and how it came about, words for it, effects that may have no interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Report, Table, choice
from hengxi.contract.when import Condition
from hengxi.stats.effect_size import Effect
from hengxi.stats.ranks import DRAWS, EXACT_MOST

P_METHODS = {"auto": "自动", "exact": "精确（含结按置换）", "asymptotic": "渐近", "monte_carlo": "蒙特卡洛"}


def p_method(*ways: str, default: str | None = None, when: Condition | None = None) -> Any:
    """`p_method: str = rank_parts.p_method()`: how the p is computed; all four ways where none is named."""
    shown = {key: P_METHODS[key] for key in ways or P_METHODS}
    hint = f"自动：样本都不足 {EXACT_MOST} 例时用精确法" if "auto" in shown else None
    return choice("p值", shown, default=default, when=when, hint=hint)


def wants_exact(way: str, sizes: list[int]) -> bool:
    return way == "exact" or (way == "auto" and max(sizes) < EXACT_MOST)


@dataclass(frozen=True)
class Read:
    """The p that the conclusion reads."""

    p: float
    how: str
    low: float | None = None
    high: float | None = None


def read(
    way: str, asymptotic: float, exact: float | None, drawn: tuple[float, float, float] | None, continuity: bool = False
) -> Read:
    """Exact before drawn before asymptotic; what was asked for and could not be had is said in `how`."""
    if exact is not None:
        return Read(exact, "精确（置换分布，含结）")
    if drawn is not None:
        instead = "样本大，精确法太慢，改用" if way == "exact" else ""
        return Read(drawn[0], f"{instead}蒙特卡洛，抽 {DRAWS} 次", drawn[1], drawn[2])
    instead = "样本太大，改用" if way in ("exact", "monte_carlo") else ""
    correction = "连续性校正" if continuity else "不做连续性校正"
    return Read(asymptotic, f"{instead}正态近似，结校正，{correction}")


def note_drawn(report: Report, table: Table, found: Read, seed: int) -> None:
    """The interval of a Monte Carlo p, and the seed it can be drawn again with."""
    if found.low is not None and found.high is not None:
        report.note(
            table, "蒙特卡洛 *p* 的 99% CI 为 {low:pvalue} 到 {high:pvalue}；随机种子 {seed}。",
            low=found.low, high=found.high, seed=f"{seed}",
        )  # fmt: skip


def bounds(effect: Effect) -> tuple[float | None, float | None]:
    """None where there is no interval: a correlation of ±1, samples too small for this level."""
    return (None, None) if np.isnan(effect.low) or np.isnan(effect.high) else (effect.low, effect.high)
