"""Questions of several answers against groups, or against each other: one statistic over all options, corrected for
options of one person being associated (Rao & Scott 1984; Bilder & Loughin 2004, 2007), or permuted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from hengxi.stats.contingency import ChiSquare
from hengxi.stats.moments import Floats


@dataclass(frozen=True)
class Overall:
    """`value`: the sum of the Pearson χ² of all options, distributed as Σ λ χ²(1); `first` divides it by the mean λ,
    `second` by Σλ²/Σλ, with (Σλ)²/Σλ² degrees of freedom."""

    value: float
    first: ChiSquare
    second: ChiSquare


def _overall(value: float, roots: Floats, df: int) -> Overall | None:
    if not roots.sum() > 0:
        return None
    whole, squares = float(roots.sum()), float((roots**2).sum())
    one, two, df2 = value * df / whole, value * whole / squares, whole**2 / squares
    return Overall(
        value,
        ChiSquare(one, df, float(stats.chi2.sf(one, df))),
        ChiSquare(two, df2, float(stats.chi2.sf(two, df2))),  # type: ignore[arg-type]
    )


def _varying(hits: Floats, w: Floats) -> Floats:
    shares = w @ hits / w.sum()
    return hits[:, (shares > 0) & (shares < 1)]


def of_groups(hits: Floats, codes: npt.NDArray[np.integer], w: Floats) -> Overall | None:
    """`hits`: cases × options of 0 and 1; `codes`: groups 0 … r − 1, none empty. Options all or nobody chose are left
    out. The covariances are those inside each group, so groups may differ in how options go together."""
    hits = _varying(hits, w)
    r, k = int(codes.max()) + 1, hits.shape[1]
    if k == 0 or r < 2:
        return None
    value = group_statistic(hits, codes, w)
    n = np.bincount(codes, weights=w, minlength=r)
    pooled = w @ hits / w.sum()
    spread = np.sqrt(pooled * (1 - pooled))
    root = np.sqrt(n / n.sum())
    centring = np.eye(r) - np.outer(root, root)
    blocks = np.zeros((r * k, r * k))
    for i in range(r):
        own, v = hits[codes == i], w[codes == i]
        centred = (own - v @ own / v.sum()) / spread
        blocks[i * k : (i + 1) * k, i * k : (i + 1) * k] = (centred * v[:, None]).T @ centred / v.sum()
    project = np.kron(centring, np.eye(k))
    roots = np.linalg.eigvalsh(project @ blocks @ project)
    return _overall(value, roots, k * (r - 1))


def group_statistic(hits: Floats, codes: npt.NDArray[np.integer], w: Floats) -> float:
    r = int(codes.max()) + 1
    member = np.equal.outer(np.arange(r), codes) * w
    n = member.sum(axis=1)
    shares, pooled = member @ hits / n[:, None], w @ hits / w.sum()
    return float(np.sum(n[:, None] * (shares - pooled) ** 2 / (pooled * (1 - pooled))))


def of_answers(a: Floats, b: Floats, w: Floats) -> Overall | None:
    """Two questions of the same cases: every option of one against every option of the other."""
    a, b = _varying(a, w), _varying(b, w)
    if a.shape[1] == 0 or b.shape[1] == 0:
        return None
    x, y = _standard(a, w), _standard(b, w)
    products = (x[:, :, None] * y[:, None, :]).reshape(len(x), -1)
    centred = products - w @ products / w.sum()
    roots = np.linalg.eigvalsh((centred * w[:, None]).T @ centred / w.sum())
    return _overall(answer_statistic(x, y, w), roots, a.shape[1] * b.shape[1])


def _standard(hits: Floats, w: Floats) -> Floats:
    shares = w @ hits / w.sum()
    found: Floats = (hits - shares) / np.sqrt(shares * (1 - shares))
    return found


def answer_statistic(x: Floats, y: Floats, w: Floats) -> float:
    """Of standardised answers: n times the sum of squared φ."""
    return float(np.sum(((x * w[:, None]).T @ y) ** 2) / w.sum())


def permuted(
    observed: float, statistic: Callable[[npt.NDArray[np.int64]], float], n: int, times: int, rng: np.random.Generator
) -> float:
    """(hits + 1)/(times + 1), Phipson & Smyth (2010); `statistic` takes the order of the cases."""
    hits = sum(statistic(rng.permutation(n)) >= observed * (1 - 1e-12) for _ in range(times))
    return (hits + 1) / (times + 1)
