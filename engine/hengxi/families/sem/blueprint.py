"""A model as people draw it: factors with items, arrows, curves. `assemble` turns it into a `Model` of numbers.

Rules, as most programs have them: the first item of a factor has loading 1 (or the factor variance 1); variables no
arrow points at covary freely; disturbances do not, unless a curve joins them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from hengxi.stats.moments import Floats
from hengxi.stats.structural.fit import Sample
from hengxi.stats.structural.model import Cell, Kind, Model


@dataclass
class Factor:
    id: str
    name: str
    items: list[str]


@dataclass
class Link:
    """An arrow (`target` ← `source`) or a curve between two variables; `value` where it is fixed."""

    source: str
    target: str
    curved: bool = False
    value: float | None = None


@dataclass
class Blueprint:
    """`titles`: what every variable is called, by id. `observed`: the columns, in order.

    `equal`: what is the same in all groups: loadings, intercepts, residuals, paths, means.
    """

    observed: list[str]
    titles: dict[str, str]
    factors: list[Factor] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    standard: bool = False
    """Factor variances 1 instead of first loadings 1."""
    means: bool = False
    unit: bool = False
    """A structure of correlations (polychoric ones): see `Model.unit`."""
    groups: int = 1
    equal: frozenset[str] = frozenset()
    loose: frozenset[str] = frozenset()
    """Keys that are free in every group although `equal` names their kind."""
    fixed: dict[str, float] = field(default_factory=dict)
    """Keys with a given value, in the units of the data."""
    alike: dict[str, str] = field(default_factory=dict)
    """Key → the key it shares its parameter with; what they belong to must have one unit (`Scale.common`)."""

    @property
    def ids(self) -> list[str]:
        return [*self.observed, *(factor.id for factor in self.factors)]

    def title(self, place: int) -> str:
        return self.titles[self.ids[place]]

    @property
    def indicators(self) -> dict[str, str]:
        """Item → its (first) factor."""
        return {item: factor.id for factor in reversed(self.factors) for item in factor.items}


@dataclass
class Draft:
    """Cells as they are found, with keys that people can read: `x2<-F1`."""

    print: Blueprint
    start: Sample
    units: Floats
    cells: list[Cell] = field(default_factory=list)

    def add(self, kind: Kind, row: str, col: str, start: float, kindred: str, value: float | None = None) -> None:
        ids = self.print.ids
        i, j = ids.index(row), ids.index(col) if col else 0
        if kind == "S" and i < j:
            i, j, row, col = j, i, col, row
        sign = {"A": "<-", "S": "~~", "M": "~1"}[kind]
        key = f"{row}{sign}{col}"
        value = self.print.fixed.get(key, value)
        for group in range(self.print.groups):
            shared = kindred in self.print.equal and key not in self.print.loose
            named = self.print.alike.get(key, key)
            own = named if shared or self.print.groups == 1 else f"{named}@{group}"
            if value is None:
                self.cells.append(Cell(kind, i, j, own, start, group))
            elif value != 0:
                unit = {"A": self.units[i] / self.units[j], "S": self.units[i] * self.units[j], "M": self.units[i]}
                self.cells.append(Cell(kind, i, j, None, float(value / unit[kind]), group))


def assemble(print_: Blueprint, samples: Sequence[Sample], scale: Scale) -> Model:
    """The rows are on a scale on which standard deviations are near 1 (`Scale`)."""
    pooled = samples[0] if len(samples) == 1 else _pooled(samples)
    draft = Draft(print_, pooled, scale.all(print_))
    s = pooled.s
    place = {item: i for i, item in enumerate(print_.observed)}
    left = {item: float(s[i, i]) for item, i in place.items()}
    spread: dict[str, float] = {}
    for factor in print_.factors:
        _measure(draft, factor, place, left, spread)
    arrows = [link for link in print_.links if not link.curved]
    driven = {link.target for link in arrows}
    nodes = list(
        dict.fromkeys([f.id for f in print_.factors] + [e for k in print_.links for e in (k.source, k.target)])
    )
    measured = set(print_.indicators)
    inner = {item for factor in print_.factors for item in factor.items if item not in place}
    for link in arrows:
        draft.add("A", link.target, link.source, 0.0, "paths", link.value)
    for item, i in place.items() if not print_.unit else ():
        share = 0.5 if item in driven and item not in measured else 1.0
        draft.add("S", item, item, left[item] if item in measured else share * float(s[i, i]), "residuals")
    for factor in print_.factors:
        free = not print_.standard
        start = spread.get(factor.id, 1.0)
        draft.add("S", factor.id, factor.id, start, "variances", None if free else 1.0)
    _covary(draft, nodes, driven | inner, measured, place)
    if print_.means:
        for item, i in place.items():
            draft.add("M", item, "", float(pooled.mean[i]), "intercepts")
        if print_.groups > 1 and "intercepts" in print_.equal:
            # Factor means are 0 in the first group and free in the others.
            for factor in print_.factors:
                place_ = print_.ids.index(factor.id)
                draft.cells += [
                    Cell("M", place_, 0, f"{factor.id}~1@{group}", 0.0, group) for group in range(1, print_.groups)
                ]
    names = [print_.titles[i] for i in print_.ids]
    return Model(names, len(print_.observed), draft.cells, print_.groups, print_.means, print_.unit)


def _measure(
    draft: Draft, factor: Factor, place: dict[str, int], left: dict[str, float], spread: dict[str, float]
) -> None:
    print_ = draft.print
    if all(item in place for item in factor.items):
        loads = _first_axis(draft.start.s, [place[item] for item in factor.items])
    else:
        below = [np.sqrt(spread.get(item, 0.5)) for item in factor.items]
        loads = np.array(below) * 0.7
    if print_.standard and loads[0] < 0:
        loads = -loads  # as in most programs the first loading is positive where the factor variance is fixed
    first = loads[0] if abs(loads[0]) > 0.05 else 0.05 * (1 if loads[0] >= 0 else -1)
    for k, item in enumerate(factor.items):
        start = float(loads[k]) if print_.standard else float(loads[k] / first)
        draft.add("A", item, factor.id, start, "loadings", 1.0 if k == 0 and not print_.standard else None)
        if item in left:
            own = float(draft.start.s[place[item], place[item]])
            left[item] = min(max(left[item] - float(loads[k]) ** 2, 0.2 * own), 0.9 * own)
        elif item in spread:
            spread[item] *= 0.5
    spread[factor.id] = 1.0 if print_.standard else max(float(first) ** 2, 0.05)


def _first_axis(s: Floats, places: list[int]) -> Floats:
    """Loadings of one factor from the first principal axis, without the share that is surely noise."""
    inner = s[np.ix_(places, places)]
    spread = np.sqrt(np.diag(inner))
    values, vectors = np.linalg.eigh(inner / np.outer(spread, spread))
    k = len(places)
    common = max((float(values[-1]) - 1) / max(k - 1, 1), 0.15)
    loads = vectors[:, -1] * np.sqrt(k * common)
    if loads[np.abs(loads).argmax()] < 0:
        loads = -loads
    found: Floats = np.clip(loads, -0.95, 0.95) * spread
    return found


def _covary(draft: Draft, nodes: list[str], driven: set[str], measured: set[str], place: dict[str, int]) -> None:
    print_ = draft.print
    curves = {frozenset((k.source, k.target)): k for k in print_.links if k.curved}
    outer = [node for node in nodes if node not in driven and node not in measured]
    outer += [item for item in print_.observed if item not in nodes and item not in driven | measured]
    done = set()
    for a, first in enumerate(outer):
        for second in outer[:a]:
            pair = frozenset((first, second))
            done.add(pair)
            value = curves[pair].value if pair in curves else None
            both = first in place and second in place
            start = float(draft.start.s[place[first], place[second]]) if both else 0.0
            draft.add("S", first, second, start, "covariances", value)
    for pair, link in curves.items():
        if pair not in done:
            draft.add("S", link.source, link.target, 0.0, "covariances", link.value)


def _pooled(samples: Sequence[Sample]) -> Sample:
    n = sum(sample.n for sample in samples)
    s: Floats = np.sum([sample.n * sample.s for sample in samples], axis=0) / n
    mean: Floats = np.sum([sample.n * sample.mean for sample in samples], axis=0) / n
    return Sample(n, mean, s, samples[0].parts, samples[0].rows)


@dataclass(frozen=True)
class Scale:
    """Powers of two by which the observed variables were divided, and what that makes of the factors."""

    sizes: Floats

    @classmethod
    def of(cls, sds: Floats) -> Scale:
        return cls(np.exp2(np.round(np.log2(sds))).astype(float))

    @property
    def common(self) -> Scale:
        """One unit for all of them."""
        return Scale(np.full(len(self.sizes), float(np.exp2(np.round(np.mean(np.log2(self.sizes)))))))

    def all(self, print_: Blueprint) -> Floats:
        """Of every variable of the model; a factor has the unit of its first item, or none."""
        found = {item: float(self.sizes[i]) for i, item in enumerate(print_.observed)}
        for factor in print_.factors:
            found[factor.id] = 1.0 if print_.standard else found[factor.items[0]]
        return np.array([found[one] for one in print_.ids])
