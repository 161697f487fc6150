"""Second-order response surfaces: plans that fit them, the fitted surface, where it is level and where it is best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from scipy import optimize

from hengxi.contract import Column, Refusal
from hengxi.families.design.least import Least, independent
from hengxi.families.design.plan import AXIAL, CENTRE, CORNER, EDGE
from hengxi.families.design.two_level import smallest
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles

BOX_BEHNKEN = {
    3: "12 13 23", 4: "12 34 14 23 13 24", 5: "12 34 25 13 45 23 14 35 15 24", 6: "124 235 346 145 256 136",
    7: "456 167 257 124 347 135 236",
}  # fmt: skip
"""Factors that move together while the others stay in the middle (Box & Behnken 1960)."""
FLAT = 0.01
"""An eigenvalue below this part of the largest is a ridge: the surface hardly bends along it."""


def axial_distance(kind: str, corners: int, k: int, centres: int) -> float:
    """α of a central composite plan: rotatable, on the faces, or with uncorrelated squares."""
    if kind == "rotatable":
        return float(corners**0.25)
    if kind == "face":
        return 1.0
    n = corners + 2 * k + centres
    return float(np.sqrt((np.sqrt(corners * n) - corners) / 2))


def composite(k: int, kind: str, centres: int) -> tuple[Floats, list[str], float]:
    """Coded runs of a central composite plan, the kind of each, and α; from 5 factors on a fraction of resolution V."""
    made = smallest(k, 5)
    assert made is not None
    alpha = axial_distance(kind, made.runs, k, centres)
    axes = np.vstack([sign * alpha * np.eye(k)[j] for j in range(k) for sign in (-1, 1)])
    coded = np.vstack([made.coded, axes, np.zeros((centres, k))])
    return coded, [CORNER] * made.runs + [AXIAL] * (2 * k) + [CENTRE] * centres, alpha


def box_behnken(k: int, centres: int) -> tuple[Floats, list[str]] | None:
    if k not in BOX_BEHNKEN:
        return None
    rows = []
    for group in BOX_BEHNKEN[k].split():
        for signs in product((-1.0, 1.0), repeat=len(group)):
            row = np.zeros(k)
            row[[int(j) - 1 for j in group]] = signs
            rows.append(row)
    return np.vstack([*rows, np.zeros((centres, k))]), [EDGE] * len(rows) + [CENTRE] * centres


@dataclass(frozen=True)
class Coding:
    """Of a numeric factor: x = middle + half · coded."""

    name: str
    middle: float
    half: float

    def coded(self, x: Floats) -> Floats:
        return (x - self.middle) / self.half

    def natural(self, coded: float) -> float:
        return self.middle + self.half * coded


def coding_of(column: Column, name: str) -> Coding:
    """−1 and +1 are the ends; of five levels symmetric about the middle the inner ones, the outer are axial runs."""
    values = np.unique(column.numbers)
    if values.size < 3:
        raise Refusal(
            "role.levels", "因子“{f}”只有 {k} 个水平，无法估计平方项，请换一个因子或补做中间水平的试验",
            field="factors", column=column.id, f=name, k=int(values.size),
        )  # fmt: skip
    low, high = (values[1], values[-2]) if values.size == 5 else (values[0], values[-1])
    middle = (low + high) / 2
    ends = (values[0] + values[-1]) / 2
    if abs(middle - ends) > 1e-3 * (values[-1] - values[0]):
        low, high = values[0], values[-1]
        middle = ends
    return Coding(name, float(middle), float((high - low) / 2))


Member = tuple[int, ...]


def kind_of(term: Member) -> str:
    return "线性" if len(term) == 1 else "平方" if term[0] == term[1] else "交互"


class Surface:
    """y = b0 + Σ bj xj + Σ bjj xj² + Σ bij xi xj in coded units, with blocks beside it."""

    def __init__(
        self, codings: Sequence[Coding], coded: Floats, y: Floats, blocks: Floats, terms: list[Member]
    ) -> None:
        self.codings, self.coded, self.y, self.blocks, self.terms = list(codings), coded, y, blocks, terms
        columns = [np.prod(coded[:, list(term)], axis=1) for term in terms]
        x = np.column_stack([np.ones(y.size), blocks, *columns])
        if y.size < x.shape[1]:
            raise Refusal(
                "data.few", "观测 {n} 少于二次模型参数 {p} 个，请减少因子或补做试验", field="factors",
                also=["response"], n=int(y.size), p=x.shape[1],
            )  # fmt: skip
        lost = sorted(set(range(x.shape[1])) - set(independent(x)))
        if lost:
            j = lost[0] - 1 - blocks.shape[1]
            name = "区组" if j < 0 else self.name(terms[j])
            raise Refusal(
                "data.collinear", "设计点不够，“{t}”与其他项分不开，不能拟合二次模型。请补做试验或减少因子",
                field="factors", t=name,
            )  # fmt: skip
        self.least = Least(x, y)
        self.first = 1 + blocks.shape[1]

    @classmethod
    def full(cls, columns: Sequence[Column], y: Floats, blocks: Floats) -> Surface:
        names = titles(columns)
        codings = [coding_of(column, names[column.id]) for column in columns]
        coded = np.column_stack([one.coded(column.numbers) for one, column in zip(codings, columns, strict=True)])
        k = len(columns)
        terms: list[Member] = [(j,) for j in range(k)]
        terms += [(j, j) for j in range(k)]
        terms += list(combinations(range(k), 2))
        return cls(codings, coded, y, blocks, terms)

    def name(self, term: Member) -> str:
        if len(term) == 2 and term[0] == term[1]:
            return f"{self.codings[term[0]].name}²"
        return " × ".join(self.codings[j].name for j in term)

    def place(self, term: Member) -> int:
        return int(self.first + self.terms.index(term))

    def kind(self, what: str) -> list[int]:
        return [self.place(term) for term in self.terms if kind_of(term) == what]

    def reduced(self, alpha: float) -> Surface:
        """Backward, the largest p first; a factor stays while a square or a product needs it."""
        made = self
        while made.least.has_error:
            free = [
                term for term in made.terms
                if len(term) == 2 or not any(term[0] in other for other in made.terms if len(other) == 2)
            ]  # fmt: skip
            ps = {term: made.least.p_of(made.place(term)) or 0.0 for term in free}
            worst = max(ps, key=lambda term: ps[term], default=None)
            if worst is None or ps[worst] <= alpha or len(made.terms) == 1:
                break
            rest = [term for term in made.terms if term != worst]
            made = Surface(made.codings, made.coded, made.y, made.blocks, rest)
        return made

    @property
    def slopes(self) -> Floats:
        k = len(self.codings)
        return np.array([self.least.b[self.place((j,))] if (j,) in self.terms else 0.0 for j in range(k)])

    @property
    def bends(self) -> Floats:
        """B of ŷ = b0 + b'x + x'Bx."""
        k = len(self.codings)
        made = np.zeros((k, k))
        for term in self.terms:
            if len(term) == 2:
                half = float(self.least.b[self.place(term)]) / 2
                made[term[0], term[1]] += half
                made[term[1], term[0]] += half
        return made

    def row(self, x: Floats) -> Floats:
        """A row of the model's columns at a coded point, blocks at their mean."""
        return np.concatenate(([1.0], np.zeros(self.first - 1), [float(np.prod(x[list(t)])) for t in self.terms]))

    def value(self, x: Floats) -> float:
        return float(self.least.b[0] + x @ self.slopes + x @ self.bends @ x)

    def gradient(self, x: Floats) -> Floats:
        return np.asarray(self.slopes + 2 * self.bends @ x)

    def natural(self) -> dict[str, float]:
        """Coefficients in the units of the factors, the constant first."""
        found: dict[Member, float] = {(): float(self.least.b[0])}
        for term in self.terms:
            b = float(self.least.b[self.place(term)])
            # The product of (x − m)/h over the term's factors, multiplied out.
            parts: list[tuple[Member, float]] = [((), b)]
            for j in term:
                one = self.codings[j]
                parts = [
                    (tuple(sorted(m)), c) for member, value in parts
                    for m, c in ((member, -value * one.middle / one.half), ((*member, j), value / one.half))
                ]  # fmt: skip
            for member, value in parts:
                found[member] = found.get(member, 0.0) + value
        ordered = [(), *(m for m in found if len(m) == 1), *(m for m in found if len(m) == 2)]
        return {"常数项" if not m else self.name(m): found[m] for m in ordered}


@dataclass(frozen=True)
class Canonical:
    """Where the surface is level: coded point, eigenvalues from the smallest, axes as columns, and what it is."""

    point: Floats
    values: Floats
    axes: Floats
    kind: str


def canonical(surface: Surface) -> Canonical | None:
    """None where the surface does not bend in every direction, so that no single point is level."""
    bends = surface.bends
    values, axes = np.linalg.eigh(bends)
    size = float(np.abs(values).max())
    if size == 0 or float(np.abs(values).min()) < 1e-10 * size:
        return None
    point = -np.linalg.solve(bends, surface.slopes) / 2
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), range(len(values))])
    flat = bool((np.abs(values) < FLAT * size).any())
    kind = "最大值点" if (values < 0).all() else "最小值点" if (values > 0).all() else "鞍点"
    return Canonical(point, values, axes * signs, "岭" if flat else kind)


@dataclass(frozen=True)
class Region:
    """Where experiments were made: inside the range of each factor and no farther from the middle than the farthest."""

    low: Floats
    high: Floats
    radius: float

    @classmethod
    def of(cls, coded: Floats) -> Region:
        return cls(coded.min(axis=0), coded.max(axis=0), float(np.sqrt((coded**2).sum(axis=1)).max()))

    def holds(self, x: Floats) -> bool:
        inside = (x >= self.low - 1e-9).all() and (x <= self.high + 1e-9).all()
        return bool(inside and float(x @ x) <= self.radius**2 * (1 + 1e-9))


def best(
    objective: Callable[[Floats], float], gradient: Callable[[Floats], Floats], region: Region, starts: Floats,
    also: Sequence[dict[str, Any]] = (),
) -> Floats | None:  # fmt: skip
    """The smallest value of a smooth function inside the region (and under further constraints), from each start."""
    ball = {"type": "ineq", "fun": lambda x: region.radius**2 - x @ x, "jac": lambda x: -2 * x}
    found = []
    for start in starts:
        answer = optimize.minimize(
            objective, start, jac=gradient, method="SLSQP", bounds=list(zip(region.low, region.high, strict=True)),
            constraints=[ball, *also], options={"ftol": 1e-15, "maxiter": 500},
        )  # fmt: skip
        kept = all(abs(float(one["fun"](answer.x))) < 1e-7 for one in also)
        if region.holds(answer.x) and kept:
            found.append((round(float(answer.fun), 10), tuple(answer.x)))
    return np.array(min(found)[1]) if found else None
