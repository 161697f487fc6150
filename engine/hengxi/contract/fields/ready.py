"""Settings that many methods ask for in the same words: a method declares each in one line."""

from __future__ import annotations

from typing import Any

from ..when import Condition
from .choice import choice
from .number import integer, number
from .weight import weight

SIDES = {"two_sided": "双侧", "greater": "右侧（大于）", "less": "左侧（小于）"}
ADJUSTMENTS = {"none": "不校正", "bonferroni": "Bonferroni", "holm": "Holm", "fdr_bh": "FDR-BH"}


def confidence(least: float = 0.5, *, when: Condition | None = None, hint: str | None = None) -> Any:
    """`conf_level: float = confidence()`; α is 1 − it."""
    return number("置信水平", 0.95, least=least, most=0.999, percent=True, when=when, hint=hint)


def alternative(hint: str | None = None, *, when: Condition | None = None) -> Any:
    """`alternative: str = alternative("大于、小于都指第一组对第二组")`: two_sided, greater or less."""
    return choice("备择假设", dict(SIDES), hint=hint, when=when)


def adjustment(default: str = "bonferroni", *ways: str, when: Condition | None = None) -> Any:
    """`adjust: str = adjustment("holm", "none", "holm")`: all ways of `ADJUSTMENTS` where none is named."""
    shown = {key: ADJUSTMENTS[key] for key in ways or ADJUSTMENTS}
    return choice("p 值校正", shown, default=default, when=when)


def counted() -> Any:
    """`weight: Column | None = counted()`: a whole frequency for each row."""
    return weight("频数权重（选填）", kind="frequency", whole=True)


def resamples(default: int = 9999, least: int = 999, most: int = 999_999, *, when: Condition | None = None) -> Any:
    """`n_resamples: int = resamples()`; a method with it says `random = True` and draws from `form.rng`."""
    return integer("重抽样次数", default, least=least, most=most, when=when)
