"""A covariance structure in reticular form (McArdle & McDonald, 1984), for one or several groups.

Variables are the observed ones first, then the latent ones. With A (arrows), S (variances and covariances of what no
arrow explains) and m (means and intercepts), B = (I − A)⁻¹ and F picking the observed variables:
Σ = F B S Bᵀ Fᵀ, μ = F B m. Cells with the same key are one parameter, in one group or in several.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hengxi.stats.moments import Floats

Kind = Literal["A", "S", "M"]
Ints = NDArray[np.int64]
Array = NDArray[Any]
STEP = 1e-20
"""Of complex differences: no digits are lost, however small."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One element of A (`row` ← `col`), S or m (`col` = 0). `key` None: fixed to `value`; else `value` is the start."""

    kind: Kind
    row: int
    col: int
    key: str | None
    value: float
    group: int = 0


@dataclass
class Model:
    """`names` of all variables, the first `p` observed. `means`: is m part of the model?

    `unit`: a structure of correlations. Every observed variable has variance 1; what of it no arrow explains follows.
    """

    names: list[str]
    p: int
    cells: list[Cell] = field(default_factory=list)
    groups: int = 1
    means: bool = False
    unit: bool = False

    @property
    def v(self) -> int:
        return len(self.names)

    @cached_property
    def keys(self) -> list[str]:
        return list(dict.fromkeys(cell.key for cell in self.cells if cell.key is not None))

    @property
    def k(self) -> int:
        return len(self.keys)

    @cached_property
    def start(self) -> Floats:
        first: dict[str, float] = {}
        for cell in self.cells:
            if cell.key is not None:
                first.setdefault(cell.key, cell.value)
        return np.array([first[key] for key in self.keys], dtype=float)

    @property
    def known(self) -> int:
        """Moments the data give."""
        if self.unit:
            return self.groups * (self.p * (self.p - 1) // 2)
        return self.groups * (self.p * (self.p + 1) // 2 + (self.p if self.means else 0))

    @property
    def df(self) -> int:
        return self.known - self.k

    @cached_property
    def layouts(self) -> list[Layout]:
        return [Layout(self, group) for group in range(self.groups)]


class Layout:
    """Where the parameters of one group go, as index arrays."""

    def __init__(self, model: Model, group: int) -> None:
        number = {key: i for i, key in enumerate(model.keys)}
        own = [cell for cell in model.cells if cell.group == group]
        free = [cell for cell in own if cell.key is not None]
        self.v, self.p, self.k, self.unit = model.v, model.p, model.k, model.unit
        self.kinds = np.array([cell.kind for cell in free])
        self.rows = np.array([cell.row for cell in free], dtype=np.int64)
        self.cols = np.array([cell.col for cell in free], dtype=np.int64)
        self.numbers = np.array([number[str(cell.key)] for cell in free], dtype=np.int64)
        self.apart = len(set(self.numbers)) == len(self.numbers)
        self.a, self.s, self.m = (np.flatnonzero(self.kinds == kind) for kind in "ASM")
        self.fixed = {kind: np.zeros((self.v, self.v)) for kind in "ASM"}
        for cell in own:
            if cell.key is None:
                self.fixed[cell.kind][cell.row, cell.col] = cell.value
                if cell.kind == "S":
                    self.fixed["S"][cell.col, cell.row] = cell.value
        self.half = np.where((self.kinds == "S") & (self.rows == self.cols), 0.5, 1.0)
        # Which column of [E G] stands on each side of a cell's derivative of Σ.
        self.left, self.right = self.rows, np.where(self.kinds == "A", self.v + self.cols, self.cols)

    def at(self, theta: Array) -> State:
        a, s, m = (self.fixed[kind].astype(theta.dtype) for kind in "ASM")
        values = theta[self.numbers]
        a[self.rows[self.a], self.cols[self.a]] = values[self.a]
        s[self.rows[self.s], self.cols[self.s]] = values[self.s]
        s[self.cols[self.s], self.rows[self.s]] = values[self.s]
        m[self.rows[self.m], 0] = values[self.m]
        if self.unit:
            e = np.linalg.inv(np.eye(self.v) - a)[: self.p]
            s[: self.p, : self.p] += np.diag(np.linalg.solve(e[:, : self.p] ** 2, 1 - np.diag(e @ s @ e.T)))
        return State(a, s, m[:, 0], self.p)

    def gathered(self, cells: Array) -> Array:
        """Sums over the cells of each parameter."""
        found = np.zeros((self.k, *cells.shape[1:]), dtype=cells.dtype)
        if self.apart:
            found[self.numbers] = cells
        else:
            np.add.at(found, self.numbers, cells)
        return found

    def slopes(self, state: State, among: NDArray[np.bool_], w: Array, u: Array) -> Array:
        """Σ over a, b of W ∂Σ/∂θ /2 + uᵀ ∂μ/∂θ by cell, where only some variables were seen. W symmetric."""
        e, g = state.e[among], state.g[: self.p][among]
        found = np.zeros(len(self.kinds), dtype=e.dtype)
        i, j = self.rows, self.cols
        ew = e.T @ w
        by_a, by_s = ew @ g, ew @ e
        found[self.a] = by_a[i[self.a], j[self.a]]
        found[self.s] = by_s[i[self.s], j[self.s]]
        found *= self.half
        eu = e.T @ u
        found[self.m] += eu[i[self.m]]
        found[self.a] += eu[i[self.a]] * state.levels[j[self.a]]
        return found

    def information(self, state: State, among: NDArray[np.bool_], root: Array, means: bool) -> Array:
        """½ tr(V ∂Σ V ∂Σ) + ∂μᵀ V ∂μ by pairs of cells; `root` Vᵀ⁄² of those seen."""
        e, g = root @ state.e[among], root @ state.g[: self.p][among]
        z = np.hstack((e, g))
        inner = z.T @ z
        x, y = self.left, self.right
        found: Array = inner[np.ix_(x, x)] * inner[np.ix_(y, y)] + inner[np.ix_(x, y)] * inner[np.ix_(y, x)]
        found *= np.outer(self.half, self.half)
        found[self.m] = 0
        found[:, self.m] = 0
        if means:
            d = self.mean_slopes(state, e)
            found += d.T @ d
        return found

    def jacobian(self, state: State) -> Array:
        """∂Σ/∂θ by parameter: the lower triangle (without the diagonal where `unit`) × parameters."""
        e, g = state.e, state.g[: self.p]
        z = np.hstack((e, g))
        i, j = np.tril_indices(self.p, -1 if self.unit else 0)
        left, right = z[:, self.left], z[:, self.right]
        cells = (left[i] * right[j] + right[i] * left[j]) * self.half
        if self.unit:
            # Variances stay 1: what a cell adds to them is taken from the disturbances of the observed variables.
            own = e[:, : self.p]
            more = 2 * left * right * self.half
            cells = cells - (own[i] * own[j]) @ np.linalg.solve(own**2, more)
        cells[:, self.m] = 0
        found: Array = self.gathered(cells.T).T
        return found

    def pulled(self, state: State, v: Array) -> Array:
        """Jᵀ v of the `jacobian` J, without making it."""
        i, j = np.tril_indices(self.p, -1 if self.unit else 0)
        w = np.zeros((self.p, self.p), dtype=np.result_type(v, state.e))
        w[i, j] = v
        w = w + w.T
        if self.unit:
            own = state.e[:, : self.p]
            back = np.linalg.solve((own**2).T, np.einsum("ak,ab,bk->k", own, w, own, optimize=True) / 2)
            w[np.diag_indices(self.p)] = -2 * back
        among = np.ones(self.p, dtype=bool)
        return self.gathered(self.slopes(state, among, w, np.zeros(self.p, dtype=w.dtype)))

    def mean_slopes(self, state: State, e: Array) -> Array:
        d = np.zeros((len(e), len(self.kinds)), dtype=e.dtype)
        d[:, self.m] = e[:, self.rows[self.m]]
        d[:, self.a] = e[:, self.rows[self.a]] * state.levels[self.cols[self.a]]
        return d


class State:
    """The matrices at one point. Works with complex parameters: derivatives are taken by complex differences."""

    def __init__(self, a: Array, s: Array, m: Array, p: int) -> None:
        self.a, self.s, self.m = a, s, m
        self.b: Array = np.linalg.inv(np.eye(len(a)) - a)
        self.e: Array = self.b[:p]
        self.g: Array = self.b @ s @ self.b.T
        """Covariances of all variables, latent ones too."""
        self.levels: Array = self.b @ m
        self.sigma = self.g[:p, :p]
        self.mu = self.levels[:p]

    @property
    def total(self) -> Array:
        """Total effects: of column on row."""
        found: Array = self.b - np.eye(len(self.b))
        return found

    def standard(self) -> tuple[Array, Array]:
        """A and S of standardised variables; a covariance of disturbances becomes their correlation."""
        spread = np.sqrt(np.diag(self.g))
        own = np.sqrt(np.diag(self.s) + 0j) if np.iscomplexobj(self.s) else np.sqrt(np.abs(np.diag(self.s)))
        with np.errstate(divide="ignore", invalid="ignore"):
            s = self.s / np.outer(own, own)
        s[np.diag_indices(len(s))] = np.diag(self.s) / spread**2
        return self.a * (spread[None, :] / spread[:, None]), s


def derivatives(function: Callable[[Array], Array], theta: Floats) -> Floats:
    """Jacobian by complex differences: exact to rounding, for functions made of analytic parts."""
    found = []
    for i in range(len(theta)):
        moved = theta.astype(complex)
        moved[i] += 1j * STEP
        found.append(np.imag(np.atleast_1d(function(moved))) / STEP)
    return np.array(found).T


def standard_errors(function: Callable[[Array], Array], theta: Floats, v: Floats) -> tuple[Floats, Floats]:
    """Values of functions of the parameters, and their standard errors by the delta method."""
    j = derivatives(function, theta)
    found = np.atleast_1d(np.real(function(theta.astype(complex))))
    return found, np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", j, v, j), 0.0))
