"""Least squares, weighted or not, on centred and scaled columns by QR (NIST Filip: 14 digits where pinv has none).

All work is done in standard coordinates: column j is (x - centre_j) / scale_j, y is (y - y_centre) / y_scale.
Numbers in the user's units are made at the end, so that 1e±300 neither overflows nor underflows on the way.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from hengxi.stats.moments import Floats, exponent
from hengxi.stats.triangle import SAFE, column_stack, spans, triangle

Long = NDArray[np.floating[Any]]
"""In the longest float of the machine, or plain doubles."""
EPS = float(np.finfo(float).eps)


class Collinear(Exception):  # noqa: N818  (a finding about the data)
    """Columns that are sums of others: `relations[j]` = (constant, {column: coefficient})."""

    def __init__(self, relations: dict[int, tuple[float, dict[int, float]]]) -> None:
        super().__init__(f"rank deficient: {sorted(relations)}")
        self.relations = relations


@dataclass(frozen=True, slots=True)
class Standard:
    values: Floats
    centre: float
    scale: float
    offset_ratio: float
    """|values| before centring, relative to the scale: tells how many digits centring has cost."""
    grain: float
    """The step between two neighbouring numbers a double can hold there, relative to the scale."""


def standard(x: Floats, weights: Floats | None, whole: float, centred: bool, out: Floats | None = None) -> Standard:
    """Weighted mean 0 (if centred) and weighted mean square 1."""
    target = np.empty(x.size) if out is None else out
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        least, most = float(x.min()), float(x.max())
        up = exponent(np.array([least, most]))
        anchor = (least / 2 + most / 2) if centred else 0.0
        np.subtract(np.ldexp(x, -up) if up else x, float(np.ldexp(anchor, -up)), out=target)
        centre = 0.0
        if centred:
            for _ in range(2):
                step = _sum(target, weights) / whole
                target -= step
                centre += step
        down = exponent(target)
        if down:
            np.ldexp(target, -down, out=target)
        scale = float(np.sqrt(_sum(target * target, weights) / whole))
        if scale > 0:
            target /= scale
        size = float(np.ldexp(scale, up + down))
        middle = anchor + float(np.ldexp(centre, up))
        farthest = max(abs(least), abs(most))
        ratio, grain = (farthest / size, float(np.spacing(farthest)) / size) if size > 0 else (np.inf, np.inf)
    return Standard(target, middle, size, ratio, grain)


def _sum(x: Floats, weights: Floats | None) -> float:
    return float(np.sum(x)) if weights is None else float(np.dot(weights, x))


@dataclass(frozen=True, kw_only=True)
class Basis:
    """Regressors in standard coordinates; `root` is the triangle of their weighted cross-products."""

    z: Floats
    centre: Floats
    scale: Floats
    intercept: bool
    weights: Floats | None
    n: int
    root: Floats
    grains: Floats
    """Of each regressor, see `Standard`."""

    @property
    def p(self) -> int:
        return int(self.z.shape[1])

    @property
    def k(self) -> int:
        return self.p + int(self.intercept)

    @property
    def df(self) -> int:
        return self.n - self.k

    @cached_property
    def whole(self) -> float:
        return float(self.n) if self.weights is None else float(self.weights.sum())

    @cached_property
    def spread(self) -> float:
        """Condition number of the standard columns: what an error in them may grow by."""
        return float(np.linalg.cond(self.root))

    @property
    def is_sound(self) -> bool:
        """Are the columns far enough from each other for sums of products to keep their digits?"""
        return self.spread <= SAFE

    @cached_property
    def root_inverse(self) -> Floats:
        return np.asarray(linalg.solve_triangular(self.root, np.eye(self.p)))

    @cached_property
    def unscaled(self) -> Floats:
        """(G'WG)⁻¹ of the standard columns, the constant first when there is one."""
        inner = self.root_inverse @ self.root_inverse.T
        if not self.intercept:
            return inner
        full = np.zeros((self.k, self.k))
        full[0, 0] = 1 / self.whole
        full[1:, 1:] = inner
        return full


@dataclass(frozen=True, kw_only=True)
class Fit(Basis):
    y_centre: float
    y_scale: float
    y_grain: float
    precision: Floats | None
    precision_scale: float
    counts: Floats | None
    beta: Floats
    residuals: Floats
    """In standard units of y, not weighted."""
    log_weights: float
    fine: Long
    """`beta` in the longest float: the constant is a difference of large numbers."""

    @cached_property
    def sse(self) -> float:
        square = self.residuals**2
        return _sum(square, self.weights)

    @cached_property
    def variance(self) -> float:
        return self.sse / self.df

    @property
    def rest(self) -> float:
        """1 - R², without the digits that subtraction would cost when R² is near 1."""
        return min(1.0, self.sse / self.whole)

    @property
    def r2(self) -> float:
        return 1 - self.rest if self.beta.any() else 0.0

    @cached_property
    def standard_residuals(self) -> Floats:
        """√w e: equal variance if the precision weights are right."""
        return self.residuals if self.precision is None else np.sqrt(self.precision) * self.residuals

    @cached_property
    def leverage(self) -> Floats:
        """Of one copy of each case."""
        leverage = np.empty(self.z.shape[0])
        for span in spans(leverage.size, self.p):
            part = self.z[span] @ self.root_inverse
            leverage[span] = np.einsum("ij,ij->i", part, part)
        if self.intercept:
            leverage += 1 / self.whole
        if self.precision is not None:
            leverage *= self.precision
        return np.minimum(leverage, 1.0)

    @cached_property
    def fitted_standard(self) -> Floats:
        return self.z @ self.beta

    def fitted(self) -> Floats:
        with np.errstate(over="ignore"):
            return self.y_centre + self.y_scale * self.fitted_standard

    @cached_property
    def transform(self) -> Floats:
        """From standard coordinates (constant first) to the user's coefficients."""
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            slopes = self.y_scale / self.scale
            if not self.intercept:
                return np.diag(slopes)
            t = np.zeros((self.k, self.k))
            t[0, 0] = self.y_scale
            t[0, 1:] = -(self.centre / self.scale) * self.y_scale
            t[1:, 1:] = np.diag(slopes)
        return t

    @cached_property
    def coefficients(self) -> Floats:
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            slopes = self.beta * (self.y_scale / self.scale)
            if not self.intercept:
                return slopes
            exact = self.fine * self.fine.dtype.type(self.y_scale) / self.scale
            moved = exact * self.centre
            constant = float(self.fine.dtype.type(self.y_centre) - np.sum(moved))
            if abs(constant) <= EPS * (abs(self.y_centre) + float(np.sum(np.abs(moved)))):
                constant = 0.0
        return np.concatenate(([constant], slopes))

    def errors(self, covariance: Floats) -> Floats:
        """Standard errors in the user's units from a covariance in standard coordinates."""
        values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
        half = vectors * np.sqrt(np.maximum(values, 0))
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            rows = self.transform @ half
            top = np.max(np.abs(rows), axis=1)
            top[top == 0] = 1.0
            return np.asarray(top * np.sqrt(np.sum((rows / top[:, None]) ** 2, axis=1)))


def _grains(columns: list[Standard]) -> Floats:
    return np.array([column.grain for column in columns])


def basis(x: Floats, counts: Floats | None = None) -> Basis:
    """Regressors beside a constant, without an outcome. `x` is overwritten by its standard columns."""
    n = int(x.shape[0] if counts is None else round(float(counts.sum())))
    columns = [standard(x[:, j], counts, float(n), True, out=x[:, j]) for j in range(x.shape[1])]
    roots = None if counts is None else np.sqrt(counts)

    def block(span: slice) -> Floats:
        return x[span] if roots is None else (x[span].T * roots[span]).T

    root = triangle(x.shape[0], x.shape[1], block)
    refuse_collinear(root / np.sqrt(n), columns, True)
    centre, scale = np.array([c.centre for c in columns]), np.array([c.scale for c in columns])
    return Basis(
        z=x, centre=centre, scale=scale, intercept=True, weights=counts, n=n, root=root, grains=_grains(columns)
    )


def least_squares(
    x: Floats,
    y: Floats,
    intercept: bool = True,
    precision: Floats | None = None,
    counts: Floats | None = None,
) -> Fit:
    """`x` is overwritten by its standard columns."""
    n = int(y.size if counts is None else round(float(counts.sum())))
    shift = 0 if precision is None else int(np.frexp(float(precision.max()))[1]) - 1
    w = None if precision is None else np.ldexp(precision, -shift)
    weights = w if counts is None else counts if w is None else w * counts
    whole = float(n) if weights is None else float(weights.sum())
    original = (x.copy(order="F"), y) if x.size <= REFINED else None
    columns = [standard(x[:, j], weights, whole, intercept, out=x[:, j]) for j in range(x.shape[1])]
    target = standard(y, weights, whole, intercept)
    roots = None if weights is None else np.sqrt(weights)

    def block(span: slice) -> Floats:
        part = column_stack(x[span], target.values[span])
        return part if roots is None else (part.T * roots[span]).T

    p = x.shape[1]
    r = triangle(y.size, p + 1, block)
    refuse_collinear(r[:p, :p] / np.sqrt(whole), columns, intercept)
    beta = linalg.solve_triangular(r[:p, :p], r[:p, p]) if p else np.zeros(0)
    system = (x, target.values) if original is None else _extended(*original, columns, target)
    fine, shift_y, residuals = _refine(system, r[:p, :p], beta, weights, whole, intercept)
    return Fit(
        z=x,
        centre=np.array([c.centre for c in columns]),
        scale=np.array([c.scale for c in columns]),
        intercept=intercept,
        weights=weights,
        n=n,
        root=r[:p, :p],
        grains=_grains(columns),
        y_grain=target.grain,
        y_centre=target.centre + shift_y * target.scale,
        y_scale=target.scale,
        precision=w,
        precision_scale=2.0 ** (shift / 2),
        counts=counts,
        beta=fine.astype(float),
        residuals=residuals,
        log_weights=0.0 if precision is None else _sum(np.log(precision), counts),
        fine=fine,
    )


ZERO = 1e-15
"""A slope in standard units below this is what rounding left of 0: equal groups differ by 0, not by 3e-20."""
REFINED = 200_000
"""Cells up to which residuals are taken in extended precision: cheap there, and worth 5 digits on NIST Filip."""


def _extended(x: Floats, y: Floats, columns: list[Standard], target: Standard) -> tuple[Long, Long]:
    """Standard columns again from the user's values, in the longest float of the machine."""
    long = np.longdouble
    z = np.empty(x.shape, dtype=long, order="F")
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for j, column in enumerate(columns):
            z[:, j] = (x[:, j].astype(long) - long(column.centre)) / long(column.scale)
        return z, (y.astype(long) - long(target.centre)) / long(target.scale)


def _refine(
    system: tuple[Long, Long], root: Floats, beta: Floats, weights: Floats | None, whole: float, intercept: bool
) -> tuple[Long, float, Floats]:
    """Corrected seminormal equations (Björck 1987): the slopes, what the constant moves by, the residuals."""
    z, target = system
    refined = beta.astype(z.dtype)
    constant = z.dtype.type(0)
    residuals = target - z @ refined
    for _ in range(4 if z.dtype != np.float64 else 2):
        pull = residuals if weights is None else weights * residuals
        if intercept:
            constant += pull.sum() / whole
        step = linalg.solve_triangular(root, (z.T @ pull).astype(float), trans="T")
        refined = refined + linalg.solve_triangular(root, step)
        residuals = target - constant - z @ refined
    refined[np.abs(refined) < ZERO] = 0
    return refined, float(constant), residuals.astype(float)


def refuse_collinear(r: Floats, columns: list[Standard], intercept: bool) -> None:
    """Raises `Collinear` where a column of the triangle `r` is a sum of those before it.

    |R_jj| is the distance of column j (length 1) from the span of the columns before it.

    A column that is a sum of others agrees with it only up to the rounding of its own values, which grows with
    their size before centring; the tolerance follows that, not a fixed 1e-7, which would refuse NIST Filip.
    """
    digits = max((c.offset_ratio for c in columns), default=1.0)
    tolerance = 20 * EPS * (len(columns) + digits)
    independent: list[int] = []
    relations: dict[int, tuple[float, dict[int, float]]] = {}
    for j in range(len(columns)):
        if columns[j].scale == 0 or _distance(r, independent, j) <= tolerance:
            relations[j] = _relation(r, independent, j, columns, intercept)
        else:
            independent.append(j)
    if relations:
        raise Collinear(relations)


def _distance(r: Floats, independent: list[int], j: int) -> float:
    """Distance of column j from the kept ones before it; all columns have length 1 in `r`."""
    if len(independent) == j:
        return float(abs(r[j, j]))
    small = np.asarray(np.linalg.qr(r[:, [*independent, j]], mode="r"))
    return float(abs(small[-1, -1]))


def _relation(
    r: Floats, independent: list[int], j: int, columns: list[Standard], intercept: bool
) -> tuple[float, dict[int, float]]:
    if columns[j].scale == 0:
        return columns[j].centre, {}
    solved, *_ = np.linalg.lstsq(r[:, independent], r[:, j], rcond=None) if independent else (np.zeros(0), None)
    with np.errstate(all="ignore"):
        weights = {
            k: float(c * columns[j].scale / columns[k].scale)
            for k, c in zip(independent, solved, strict=True)
            if abs(c) > 1e-9
        }
        constant = columns[j].centre - sum(c * columns[k].centre for k, c in weights.items()) if intercept else 0.0
    if abs(constant) <= 1e-9 * max(abs(columns[j].centre), columns[j].scale):
        constant = 0.0
    return constant, weights
