"""The triangle R of tall tables, in blocks of rows: no dense copy, one pass.

By Householder's QR. Cross-products (X'X) are faster but lose as many digits again as the condition number takes: on
NIST Filip all of them. They are used on long tables whose columns, scaled to length 1, have a condition number up to
`SAFE`: there the loss stays below 1e-11. The condition is found from the cross-products themselves, and QR follows
where it is larger.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from hengxi.stats.moments import Floats

CELLS = 1 << 18
LONG = 200_000
"""Cells above which cross-products are tried first."""
SAFE = 100.0


def spans(rows: int, width: int) -> Iterator[slice]:
    step = max(4 * width, CELLS // max(1, width), 1)
    for start in range(0, rows, step):
        yield slice(start, min(start + step, rows))


def triangle(rows: int, width: int, block: Callable[[slice], Floats]) -> Floats:
    """R of the table whose rows `block` gives; always width × width. Signs of its rows are arbitrary."""
    if rows * width > LONG and (root := _from_products(rows, width, block)) is not None:
        return root
    r: Floats = np.zeros((0, width))
    for span in spans(rows, width):
        r = np.asarray(np.linalg.qr(np.vstack((r, block(span))), mode="r"))
    if r.shape[0] < width:
        r = np.vstack((r, np.zeros((width - r.shape[0], width))))
    return r


def _from_products(rows: int, width: int, block: Callable[[slice], Floats]) -> Floats | None:
    """Cholesky's factor of the cross-products; None where they do not keep the digits."""
    products = np.zeros((width, width))
    for span in spans(rows, width):
        part = block(span)
        products += part.T @ part
    sizes = np.sqrt(np.diag(products))
    if not np.isfinite(products).all() or not (sizes > 0).all():
        return None
    scaled = products / np.outer(sizes, sizes)
    values = np.linalg.eigvalsh(scaled)
    if not values[0] * SAFE**2 > values[-1]:
        return None
    return np.asarray(np.linalg.cholesky(scaled).T * sizes)


def column_stack(*parts: Floats) -> Floats:
    """The parts as columns of one table, column by column in memory: what `block` gives."""
    widths = [1 if part.ndim == 1 else part.shape[1] for part in parts]
    table = np.empty((parts[0].shape[0], sum(widths)), order="F")
    at = 0
    for part, width in zip(parts, widths, strict=True):
        table[:, at : at + width] = part[:, None] if part.ndim == 1 else part
        at += width
    return table


@dataclass(frozen=True, slots=True)
class Explained:
    """How much of the last column the others explain, not centred."""

    rank: int
    explained: float
    rest: float

    @property
    def share(self) -> float:
        whole = self.explained + self.rest
        return self.explained / whole if whole > 0 else 0.0


def explained(rows: int, width: int, block: Callable[[slice], Floats], tolerance: float = 1e-10) -> Explained:
    """Auxiliary regression of the last column on the others; columns that add nothing are left out by pivoting."""
    r = triangle(rows, width, block)
    left, target = r[:, :-1], r[:, -1]
    norms = np.linalg.norm(left, axis=0)
    held = norms > 0
    if not held.any():
        return Explained(0, 0.0, float(target @ target))
    q, small, _ = linalg.qr(left[:, held] / norms[held], mode="economic", pivoting=True)
    size = np.abs(np.diag(small))
    rank = int(np.sum(size > tolerance * size[0]))
    turned = q.T @ target
    inside = float(turned[:rank] @ turned[:rank])
    return Explained(rank, inside, max(0.0, float(target @ target) - inside))
