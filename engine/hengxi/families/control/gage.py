"""Variances of a measurement system: operators, parts, their interaction and repeatability; by mean squares, REML or
ranges (AIAG MSA)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import optimize, special

from hengxi.families.control.constants import d2, d3

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NDC = 1.41
"""AIAG's factor of the number of distinct categories."""
MANY_RANGES = 15
"""Above so many ranges AIAG's K1 rests on d2, below on d2*."""


@dataclass(frozen=True)
class Variances:
    """Components as estimated, negative ones included. `interaction` None: pooled, or not in the model."""

    repeat: float
    operator: float
    interaction: float | None
    part: float

    def positive(self) -> Variances:
        """Negative components set to 0."""
        inner = None if self.interaction is None else max(self.interaction, 0.0)
        return Variances(max(self.repeat, 0.0), max(self.operator, 0.0), inner, max(self.part, 0.0))

    @property
    def reproducibility(self) -> float:
        return self.operator + (self.interaction or 0.0)

    @property
    def gage(self) -> float:
        return self.repeat + self.reproducibility

    @property
    def total(self) -> float:
        return self.gage + self.part


@dataclass(frozen=True)
class Square:
    ss: float
    df: int

    @property
    def ms(self) -> float:
        return self.ss / self.df


@dataclass(frozen=True)
class Squares:
    """Sums of squares of p parts × o operators × r repeats; `pooled`: interaction and repeats together."""

    p: int
    o: int
    r: int
    part: Square
    operator: Square
    interaction: Square
    repeat: Square

    @property
    def pooled(self) -> Square:
        return Square(self.interaction.ss + self.repeat.ss, self.interaction.df + self.repeat.df)

    @property
    def total(self) -> Square:
        parts = (self.part, self.operator, self.interaction, self.repeat)
        return Square(sum(one.ss for one in parts), sum(one.df for one in parts))

    def variances(self, pool: bool) -> Variances:
        """From expected mean squares, all factors random."""
        error = self.pooled if pool else self.interaction
        return Variances(
            self.pooled.ms if pool else self.repeat.ms,
            (self.operator.ms - error.ms) / (self.p * self.r),
            None if pool else (self.interaction.ms - self.repeat.ms) / self.r,
            (self.part.ms - error.ms) / (self.o * self.r),
        )

    def combinations(self, pool: bool) -> dict[str, list[tuple[float, float, float]]]:
        """What each variance is of the mean squares: coefficient, mean square, degrees of freedom."""
        p, o, r = self.p, self.o, self.r
        a, b, c, e = ((one.ms, float(one.df)) for one in (self.part, self.operator, self.interaction, self.repeat))
        if pool:
            e = (self.pooled.ms, float(self.pooled.df))
            found = {
                "repeat": [(1.0, *e)], "operator": [(1 / (p * r), *b), (-1 / (p * r), *e)],
                "gage": [(1 / (p * r), *b), (1 - 1 / (p * r), *e)], "part": [(1 / (o * r), *a), (-1 / (o * r), *e)],
                "total": [(1 / (o * r), *a), (1 / (p * r), *b), (1 - 1 / (o * r) - 1 / (p * r), *e)],
            }  # fmt: skip
            return {**found, "reproducibility": found["operator"]}
        return {
            "repeat": [(1.0, *e)],
            "operator": [(1 / (p * r), *b), (-1 / (p * r), *c)],
            "interaction": [(1 / r, *c), (-1 / r, *e)],
            "reproducibility": [(1 / (p * r), *b), ((p - 1) / (p * r), *c), (-1 / r, *e)],
            "gage": [(1 / (p * r), *b), ((p - 1) / (p * r), *c), ((r - 1) / r, *e)],
            "part": [(1 / (o * r), *a), (-1 / (o * r), *c)],
            "total": [
                (1 / (o * r), *a), (1 / (p * r), *b), ((p * o - p - o) / (p * o * r), *c), ((r - 1) / r, *e),
            ],
        }  # fmt: skip


def crossed(cube: Floats) -> Squares:
    """`cube`: parts × operators × repeats, two of each at least."""
    p, o, r = cube.shape
    cube = cube - cube.mean()
    parts, operators, cells = cube.mean(axis=(1, 2)), cube.mean(axis=(0, 2)), cube.mean(axis=2)
    both = cells - parts[:, None] - operators[None, :]
    return Squares(
        p, o, r,
        Square(o * r * float(parts @ parts), p - 1), Square(p * r * float(operators @ operators), o - 1),
        Square(r * float((both**2).sum()), (p - 1) * (o - 1)),
        Square(float(((cube - cells[:, :, None]) ** 2).sum()), p * o * (r - 1)),
    )  # fmt: skip


def by_ranges(cube: Floats) -> Variances:
    """AIAG's averages and ranges, with constants by integration instead of rounded tables."""
    p, o, r = cube.shape
    ranges = np.ptp(cube, axis=2)
    spread = d2(r) if p * o > MANY_RANGES else d2_star(r, p * o)
    repeat = float(ranges.mean()) / spread
    between = float(np.ptp(cube.mean(axis=(0, 2)))) / d2_star(o, 1)
    part = float(np.ptp(cube.mean(axis=(1, 2)))) / d2_star(p, 1)
    return Variances(repeat**2, between**2 - repeat**2 / (p * r), None, part**2)


def d2_star(n: int, groups: int) -> float:
    """√(d2² + d3²/g): the range of n values, averaged over g groups, over this estimates σ² without bias (Duncan)."""
    return float(np.sqrt(d2(n) ** 2 + d3(n) ** 2 / groups))


def crossed_reml(y: Floats, part: Ints, operator: Ints) -> Variances:
    """y = mean + part + operator + part × operator + rest, all random, by restricted likelihood (Bates et al. 2015).

    For designs that are not balanced. The matrix solved has one row for each part, operator and cell.
    """
    # One order of the rows, so that rounding in the optimiser does not depend on the file's.
    order = np.lexsort((y, operator, part))
    y, part, operator = y[order], part[order], operator[order]
    cell = part * (int(operator.max()) + 1) + operator
    blocks = [np.eye(int(code.max()) + 1)[code] for code in (part, operator, np.unique(cell, return_inverse=True)[1])]
    z = np.hstack(blocks)
    widths = np.repeat([0, 1, 2], [block.shape[1] for block in blocks])
    size = float(np.std(y))
    x = (y - y.mean()) / size
    zz, zx, zy, n = z.T @ z, z.sum(axis=0), z.T @ x, y.size

    def parts(theta: Floats) -> tuple[float, float]:
        """log-determinants and the residual sum of squares, the mean and random effects eliminated."""
        scale = np.abs(theta)[widths]
        root = np.linalg.cholesky(scale[:, None] * zz * scale[None, :] + np.eye(widths.size))
        u = np.linalg.solve(root, np.column_stack((scale * zx, scale * zy)))
        ones = n - float(u[:, 0] @ u[:, 0])
        cross = float(x.sum()) - float(u[:, 0] @ u[:, 1])
        rest = float(x @ x) - float(u[:, 1] @ u[:, 1]) - cross**2 / ones
        return 2 * float(np.log(np.diag(root)).sum()) + float(np.log(ones)), rest

    def deviance(theta: Floats) -> float:
        logs, rest = parts(theta)
        return logs + (n - 1) * float(np.log(max(rest, 1e-300)))

    best = optimize.minimize(deviance, np.ones(3), method="L-BFGS-B", bounds=[(0, None)] * 3).x
    for _ in range(2):
        best = optimize.minimize(
            deviance, best, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 3000}
        ).x
    theta = np.where(np.abs(best) < 1e-5, 0.0, np.abs(best))
    repeat = parts(theta)[1] / (n - 1) * size**2
    a, b, c = (theta**2 * repeat).tolist()
    return Variances(repeat, b, c, a)


def categories(found: Variances) -> int | None:
    """ndc = 1.41 PV/GRR, cut to a whole number, at least 1; None where the gage does not vary."""
    return None if found.gage <= 0 else max(1, int(NDC * float(np.sqrt(found.part / found.gage))))


def f_test(top: Square, bottom: Square) -> tuple[float | None, float | None]:
    if not bottom.ms > 0:
        return None, None
    value = top.ms / bottom.ms
    return value, float(special.fdtrc(top.df, bottom.df, value))
