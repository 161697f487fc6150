"""The same estimate in every copy, found and pooled; what is not in all of them is named."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from hengxi.contract import Report
from hengxi.contract.pooled import Estimate, Explained, Joint
from hengxi.stats import rubin
from hengxi.stats.multiple import adjust

Item = TypeVar("Item", Estimate, Joint, Explained)


@dataclass(frozen=True)
class One:
    """An estimate with its value in each copy."""

    first: Estimate
    values: list[float]
    errors: list[float]
    df: float | None
    pooled: rubin.Pooled
    test: rubin.Test
    read: bool


@dataclass(frozen=True)
class Pools:
    m: int
    ones: list[One]
    joints: list[tuple[Joint, rubin.Wald]]
    shares: list[tuple[Explained, rubin.Share]]
    partial: list[str]
    """Names of what some copies have and others have not."""
    unfit: list[str]
    """Names of what has no standard error, or covariances that cannot be inverted."""


def pools(reports: Sequence[Report]) -> Pools:
    partial: list[str] = []
    unfit: list[str] = []
    ones = []
    for held in _together([r.estimates for r in reports], _of_estimate, partial):
        errors = [one.se for one in held]
        if not np.isfinite([*errors, *(one.value for one in held)]).all() or min(errors) <= 0:
            unfit.append(held[0].name)
        else:
            ones.append(_pooled(held))
    joints = []
    for tests in _together(
        [r.joints for r in reports], lambda one: (one.of, one.name, one.names, one.variable), partial
    ):
        df = float(np.mean([one.df for one in tests]))
        wald = rubin.pool_joint([one.values for one in tests], [one.covariance for one in tests], df)
        if wald is None:
            unfit.append(tests[0].name)
        else:
            joints.append((tests[0], wald))
    shares = []
    for given in _together([r.shares for r in reports], lambda one: (one.of, one.name, one.variable), partial):
        n, level = float(np.mean([one.n for one in given])), given[0].level
        if n > 3:
            shares.append((given[0], rubin.pool_share([one.value for one in given], n, level)))
    return Pools(len(reports), ones, joints, shares, list(dict.fromkeys(partial)), list(dict.fromkeys(unfit)))


def _of_estimate(one: Estimate) -> Hashable:
    return one.of, one.quantity, one.name, one.variable


def _together(copies: Sequence[list[Item]], key: Callable[[Item], Any], partial: list[str]) -> list[list[Item]]:
    """Items of all copies by what they are of, in the order of the first copy that has them."""
    found: dict[Any, list[Item]] = {}
    for items in copies:
        for item in items:
            found.setdefault(key(item), []).append(item)
    partial += [held[0].name for held in found.values() if len(held) != len(copies)]
    return [held for held in found.values() if len(held) == len(copies)]


def _pooled(held: list[Estimate]) -> One:
    first = held[0]
    given = [one.df for one in held if one.df is not None]
    df = float(np.mean(given)) if len(given) == len(held) else None
    values, errors = [one.value for one in held], [one.se for one in held]
    found = rubin.pool(values, errors, df)
    read = sum(one.read for one in held) * 2 > len(held)
    return One(first, values, errors, df, found, rubin.test(found, first.null, first.side, first.level), read)


def corrected(ones: list[One]) -> dict[int, float]:
    """Holm's *p* by place in `ones`, of the comparisons of each variable together."""
    out: dict[int, float] = {}
    for variable in dict.fromkeys(one.first.variable for one in ones):
        places = [i for i, one in enumerate(ones) if one.first.holm and one.first.variable == variable]
        if places:
            out |= dict(zip(places, adjust([ones[i].test.p for i in places], "holm"), strict=True))
    return out
