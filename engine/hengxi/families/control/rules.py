"""Tests for special causes: the eight of Nelson (1984) and GB/T 17989.2; Western Electric's four; AIAG's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

RULES = {
    "nelson1": "1 点超出控制限",
    "nelson2": "连续 {same} 点在中心线同侧",
    "nelson3": "连续 6 点递增或递减",
    "nelson4": "连续 14 点上下交替",
    "nelson5": "3 点中有 2 点在同侧 2σ 以外",
    "nelson6": "5 点中有 4 点在同侧 1σ 以外",
    "nelson7": "连续 15 点在 1σ 以内",
    "nelson8": "连续 8 点在 1σ 以外",
}
ZONES = ("nelson5", "nelson6", "nelson7", "nelson8")
"""Rules that ask for a distribution alike on both sides: not for ranges and standard deviations."""


@dataclass(frozen=True)
class RuleSet:
    """`same`: how many points on one side; `has`: the rules of the set."""

    title: str
    same: int
    has: tuple[str, ...]


EIGHT = tuple(RULES)
SETS = {
    "gbt": RuleSet("GB/T 17989", 9, EIGHT),
    "nelson": RuleSet("Nelson", 9, EIGHT),
    "western_electric": RuleSet("西部电气", 8, ("nelson1", "nelson2", "nelson5", "nelson6")),
    "aiag": RuleSet("AIAG", 7, EIGHT),
}


def words(rule: str, rules: RuleSet) -> str:
    return RULES[rule].format(same=rules.same)


def signals(
    value: Floats,
    cl: Floats,
    se: Floats,
    beyond: Bools,
    phase: npt.NDArray[np.int64],
    chosen: list[str],
    rules: RuleSet,
) -> dict[str, Bools]:
    """Which points end a pattern, by rule. A pattern does not reach over a gap or into another phase.

    `se`: one standard error of each plotted value; `beyond`: outside its control limits.
    """
    marked = {rule: np.zeros(value.size, dtype=bool) for rule in chosen}
    for stretch in _stretches(value, phase):
        found = _within(value[stretch], cl[stretch], se[stretch], beyond[stretch], chosen, rules)
        for rule, mask in found.items():
            marked[rule][stretch] = mask
    return marked


def _stretches(value: Floats, phase: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    """Places of points that follow one another."""
    there = np.flatnonzero(~np.isnan(value))
    if there.size == 0:
        return []
    breaks = np.flatnonzero((np.diff(there) > 1) | (np.diff(phase[there]) != 0)) + 1
    return list(np.split(there, breaks))


def _within(
    value: Floats, cl: Floats, se: Floats, beyond: Bools, chosen: list[str], rules: RuleSet
) -> dict[str, Bools]:
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(se > 0, (value - cl) / se, 0.0)
    up, down = value > cl, value < cl
    step = np.sign(np.diff(value))
    marked: dict[str, Bools] = {}
    for rule in chosen:
        match rule:
            case "nelson1":
                marked[rule] = beyond
            case "nelson2":
                marked[rule] = _all_of(up, rules.same) | _all_of(down, rules.same)
            case "nelson3":
                rising, falling = _all_of(step > 0, 5), _all_of(step < 0, 5)
                marked[rule] = np.concatenate([[False], rising | falling])
            case "nelson4":
                turns = step[1:] * step[:-1] < 0
                marked[rule] = np.concatenate([[False, False], _all_of(turns, 12)])[: value.size]
            case "nelson5":
                marked[rule] = _some_of(z > 2, 2, 3) | _some_of(z < -2, 2, 3)
            case "nelson6":
                marked[rule] = _some_of(z > 1, 4, 5) | _some_of(z < -1, 4, 5)
            case "nelson7":
                marked[rule] = _all_of(np.abs(z) < 1, 15)
            case "nelson8":
                marked[rule] = _all_of(np.abs(z) > 1, 8)
    return marked


def _all_of(holds: Bools, length: int) -> Bools:
    """Where it has held for so many points in a row."""
    return _count(holds, length) >= length


def _some_of(holds: Bools, least: int, among: int) -> Bools:
    """Where it holds, and held for at least so many of the last ones."""
    return np.asarray(holds & (_count(holds, among) >= least))


def _count(holds: Bools, among: int) -> npt.NDArray[np.int64]:
    """How often it held among the last points, this one included."""
    total = np.concatenate([[0], np.cumsum(holds)])
    first = np.maximum(np.arange(1, total.size) - among, 0)
    return np.asarray(total[1:] - total[first])
