"""Adoption at several times: group-time effects (Callaway and Sant'Anna 2021), their averages, and Goodman-Bacon's
decomposition of the coefficient of two-way fixed effects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.families.difference.reading import NEVER, Ints, Panel
from hengxi.stats.moments import Floats


@dataclass(frozen=True)
class Cell:
    """The effect of the cohort `g` in the period `t`; `influence` of each unit:
    the sum of its squares / n² is the variance."""

    g: int
    t: int
    effect: float
    influence: Floats
    treated: int
    controls: int

    @property
    def since(self) -> int:
        return self.t - self.g

    @property
    def se(self) -> float:
        return float(np.sqrt(np.sum(self.influence**2))) / self.influence.size


@dataclass(frozen=True)
class Average:
    effect: float
    influence: Floats

    @property
    def se(self) -> float:
        return float(np.sqrt(np.sum(self.influence**2))) / self.influence.size

    @property
    def z(self) -> float:
        return self.effect / self.se

    @property
    def p(self) -> float:
        return 2 * float(stats.norm.sf(abs(self.z)))

    def interval(self, level: float) -> tuple[float, float]:
        reach = float(stats.norm.ppf((1 + level) / 2)) * self.se
        return self.effect - reach, self.effect + reach


@dataclass(frozen=True)
class Staggered:
    cells: list[Cell]
    shares: dict[int, float]
    """P(G = g) among all units used."""
    first: Ints
    never: bool
    """Compared with units never treated; else with those not yet treated."""
    always: int
    """Units treated from the start: they have no period before and are left out."""

    def average(self, cells: list[Cell]) -> Average:
        """By size of the cohorts; that the sizes are estimated counts in the influence."""
        p = np.array([self.shares[cell.g] for cell in cells])
        effects = np.array([cell.effect for cell in cells])
        total = float(p.sum())
        weights = p / total
        influence = np.column_stack([cell.influence for cell in cells]) @ weights
        member = np.column_stack([(self.first == cell.g).astype(float) for cell in cells]) - p
        share = member / total - np.outer(member.sum(axis=1), p) / total**2
        return Average(float(weights @ effects), influence + share @ effects)

    @property
    def overall(self) -> Average:
        return self.average([cell for cell in self.cells if cell.since >= 0])

    def events(self) -> list[tuple[int, Average]]:
        times = sorted({cell.since for cell in self.cells})
        return [(k, self.average([cell for cell in self.cells if cell.since == k])) for k in times]

    def by_cohort(self) -> list[tuple[int, Average]]:
        groups = sorted({cell.g for cell in self.cells})
        found = []
        for g in groups:
            own = [cell for cell in self.cells if cell.g == g and cell.since >= 0]
            if own:
                found.append((g, self.average(own)))
        return found


def group_time(panel: Panel, base: int = -1) -> Staggered | None:
    """Every cohort against the controls, from its period `base` before adoption. None where nothing can be compared."""
    wide, first = panel.wide, panel.unit_first
    places = panel.places
    start = int(places[0])
    always = int(((first != NEVER) & (first <= start)).sum())
    kept = (first == NEVER) | (first > start)
    wide, first = wide[kept], first[kept]
    n = first.size
    never = bool((first == NEVER).any())
    cohorts = [int(g) for g in np.unique(first[first != NEVER])]
    cells = []
    for g in cohorts:
        before = places[places <= g + base]
        if not before.size:
            before = places[places < g]
        b = int(np.searchsorted(places, before[-1]))
        for j, t in enumerate(places):
            if j == b:
                continue
            known = ~np.isnan(wide[:, j]) & ~np.isnan(wide[:, b])
            if never:
                control = known & (first == NEVER)
            else:
                # Not yet treated in either period, and not of this cohort.
                control = known & (first > max(int(t), int(places[b]))) & (first != g)
            own = known & (first == g)
            if not own.any() or not control.any():
                continue
            change = wide[:, j] - wide[:, b]
            effect = float(change[own].mean() - change[control].mean())
            influence = np.zeros(n)
            influence[own] = n / own.sum() * (change[own] - change[own].mean())
            influence[control] -= n / control.sum() * (change[control] - change[control].mean())
            cells.append(Cell(g, int(t), effect, influence, int(own.sum()), int(control.sum())))
    if not any(cell.since >= 0 for cell in cells):
        return None
    shares = {g: float(np.mean(first == g)) for g in cohorts}
    return Staggered(cells, shares, first, never, always)


def joint_before(events: list[tuple[int, Average]]) -> tuple[float, int, float] | None:
    """χ², df and p: all effects before adoption are 0."""
    before = [one for k, one in events if k < 0]
    if not before:
        return None
    influence = np.column_stack([one.influence for one in before])
    covariance = influence.T @ influence / influence.shape[0] ** 2
    scale = np.sqrt(np.diag(covariance))
    if not (scale > 0).all() or np.linalg.eigvalsh(covariance / np.outer(scale, scale)).min() < 1e-10:
        return None
    b = np.array([one.effect for one in before])
    chi2 = float(b @ np.linalg.solve(covariance, b))
    return chi2, len(before), float(stats.chi2.sf(chi2, len(before)))


@dataclass(frozen=True)
class Part:
    kind: str
    weight: float
    effect: float


def bacon(panel: Panel) -> list[Part]:
    """Two-by-two comparisons and their weights in the coefficient of two-way fixed effects; a balanced panel."""
    wide, first = panel.wide, panel.unit_first
    places, n = panel.places, panel.unit_first.size
    groups = [int(g) for g in np.unique(first)]
    share = {g: float(np.mean(first == g)) for g in groups}
    treated = {g: float(np.mean(places >= g)) if g != NEVER else 0.0 for g in groups}
    mean = {g: wide[first == g].mean(axis=0) for g in groups}
    del n

    def two_by_two(own: int, other: int, before: Any, after: Any) -> float:
        return float((mean[own][after].mean() - mean[own][before].mean())
                     - (mean[other][after].mean() - mean[other][before].mean()))  # fmt: skip

    found: list[tuple[str, float, float]] = []
    start = int(places[0])
    cohorts = [g for g in groups if g != NEVER]
    for g in cohorts:
        if NEVER in groups and g > start:
            w = share[g] * share[NEVER] * treated[g] * (1 - treated[g])
            found.append(("处理组与从未处理的", w, two_by_two(g, NEVER, places < g, places >= g)))
    for a, early in enumerate(cohorts):
        for late in cohorts[a + 1 :]:
            both = share[early] * share[late]
            if early > start:
                w = both * (treated[early] - treated[late]) * (1 - treated[early])
                effect = two_by_two(early, late, places < early, (places >= early) & (places < late))
                found.append(("早处理与晚处理的（晚的尚未处理）", w, effect))
            w = both * treated[late] * (treated[early] - treated[late])
            kind = "晚处理与一直处理的" if early <= start else "晚处理与早处理的（早的已处理）"
            found.append((kind, w, two_by_two(late, early, (places >= early) & (places < late), places >= late)))
    total = sum(w for _, w, _ in found)
    return [Part(kind, w / total, effect) for kind, w, effect in found]


def permuted_effect(panel: Panel, base: int, rng: Any) -> float | None:
    """The overall effect when the times of adoption are dealt to the units by chance."""
    other = Panel(
        panel.y, panel.time, panel.place, panel.unit, panel.unit_labels,
        rng.permutation(panel.unit_first)[panel.unit], panel.x, panel.x_names, panel.rows,
    )  # fmt: skip
    found = group_time(other, base)
    return None if found is None else found.overall.effect
