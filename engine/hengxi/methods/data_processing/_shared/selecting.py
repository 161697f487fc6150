"""How useful variables are for a target: univariate scores, and searches over linear models by correlations alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats
from sklearn.linear_model import lasso_path

from hengxi.contract.columns import Floats

Codes = npt.NDArray[np.int64]
BINS, PATH, SHORTEST = 10, 100, 1e-3
ALIKE = 1e-10
"""Share of a variable's variance its others leave, below which it follows from them."""


class CollinearError(Exception):
    """A variable follows from the others, or there are too few rows."""


@dataclass
class Outcome:
    """Of each feature, in their order; NaN where a score has no meaning. Rank 1 is the most useful."""

    scores: Floats
    kept: npt.NDArray[np.bool_]
    p: Floats | None = None
    rank: Floats | None = None


def ranked(scores: Floats, kept: npt.NDArray[np.bool_] | None = None, low_first: bool = False) -> Floats:
    """Places by score (equal ones: the first), those kept before the others; NaN has none."""
    key = np.where(np.isnan(scores), np.inf, scores if low_first else -scores)
    order = np.lexsort((np.arange(len(key)), key) if kept is None else (np.arange(len(key)), key, ~kept))
    place = np.empty(len(key))
    place[order] = np.arange(1, len(key) + 1)
    place[np.isnan(scores)] = np.nan
    return place


def best(scores: Floats, k: int, p: Floats | None = None) -> Outcome:
    rank = ranked(scores)
    return Outcome(scores, rank <= k, p, rank)


def binned(x: Floats) -> Codes:
    """Ten bins of equal frequency (quantiles of type 7, closed above); equal bounds fall together."""
    edges = np.unique(np.quantile(x, np.arange(1, BINS) / BINS))
    return np.searchsorted(edges, x, side="left").astype(np.int64)


def table_of(a: Codes, b: Codes) -> Floats:
    """Counts without empty rows and columns."""
    rows, cols = np.unique(a, return_inverse=True)[1], np.unique(b, return_inverse=True)[1]
    table = np.zeros((int(rows.max()) + 1, int(cols.max()) + 1))
    np.add.at(table, (rows, cols), 1)
    return table


# ---- scores of one feature: value and p ------------------------------------------------------------------------------
def f_of_groups(y: Floats, codes: Codes) -> tuple[float, float]:
    """One-way analysis of variance."""
    groups, index = np.unique(codes, return_inverse=True)
    g, n = len(groups), len(y)
    if g < 2 or n <= g:
        return float("nan"), float("nan")
    sizes = np.bincount(index)
    y = y - y.mean()
    means = np.bincount(index, y) / sizes
    between, within = float(np.sum(sizes * means**2)), float(np.sum((y - means[index]) ** 2))
    return _f(between, within, g - 1, n - g)


def f_of_line(x: Floats, y: Floats) -> tuple[float, float]:
    """Of the slope of y on x."""
    if len(x) < 3:
        return float("nan"), float("nan")
    r2 = correlation(x, y) ** 2
    return _f(r2, max(0.0, 1 - r2), 1, len(x) - 2)


def _f(between: float, within: float, df1: int, df2: int) -> tuple[float, float]:
    if not within > 1e-14 * (between + within):  # Also where they are not numbers.
        return float("nan"), float("nan")
    value = between / df1 / (within / df2)
    return value, float(stats.f.sf(value, df1, df2))


def correlation(x: Floats, y: Floats) -> float:
    a, b = x - x.mean(), y - y.mean()
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(np.clip(a @ b / size, -1, 1)) if size > 0 else float("nan")


def chi2_of_sums(x: Floats, codes: Codes) -> tuple[float, float]:
    """Sums of a feature of counts by class against the shares of the classes (as scikit-learn's chi2)."""
    _, index = np.unique(codes, return_inverse=True)
    seen = np.bincount(index, x)
    expected = np.bincount(index) / len(x) * x.sum()
    value = float(np.sum((seen - expected) ** 2 / expected))
    return value, float(stats.chi2.sf(value, len(seen) - 1))


def chi2_of_table(table: Floats) -> tuple[float, float]:
    """Pearson's."""
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    value = float(np.sum((table - expected) ** 2 / expected))
    return value, float(stats.chi2.sf(value, (table.shape[0] - 1) * (table.shape[1] - 1)))


def mutual_information(table: Floats) -> tuple[float, float]:
    """In nats, from counts; p by G = 2n·MI."""
    share = table / table.sum()
    apart = np.outer(share.sum(axis=1), share.sum(axis=0))
    some = share > 0
    value = max(0.0, float(np.sum(share[some] * np.log(share[some] / apart[some]))))
    df = (table.shape[0] - 1) * (table.shape[1] - 1)
    return value, float(stats.chi2.sf(2 * table.sum() * value, df))


# ---- searches over linear models -------------------------------------------------------------------------------------
def inflation(r: Floats, most: float) -> Outcome:
    """The largest VIF is taken out until none is above `most`; scores when taken out, or at the end."""
    left = list(range(len(r)))
    scores, order = np.ones(len(r)), []
    while len(left) > 1:
        block = r[np.ix_(left, left)]
        if np.linalg.eigvalsh(block)[0] > 1e-8:
            own = np.asarray(np.diag(np.linalg.inv(block)))
        else:
            own = np.array([_vif(r, left, j) for j in left])
        scores[left] = own
        worst = int(np.argmax(own >= own.max() * (1 - 1e-9)))
        if own[worst] <= most:
            break
        order.append(left.pop(worst))
    if len(left) == 1:
        scores[left[0]] = 1.0
    kept = np.zeros(len(r), dtype=np.bool_)
    kept[left] = True
    return Outcome(np.minimum(scores, 1 / ALIKE), kept, None, _after(scores, kept, order, low_first=True))


def _vif(r: Floats, left: list[int], j: int) -> float:
    others = [one for one in left if one != j]
    block, own = r[np.ix_(others, others)], r[others, j]
    rest = 1 - float(own @ np.linalg.pinv(block, rcond=1e-10, hermitian=True) @ own)
    return 1 / max(rest, ALIKE)


def eliminated(r: Floats, ry: Floats, k: int) -> Outcome:
    """Backward: the smallest absolute standardised coefficient leaves until k are left (Guyon et al., 2002)."""
    left = list(range(len(r)))
    scores, order = np.zeros(len(r)), []
    while True:
        beta = np.abs(_solved(r, ry, left))
        scores[left] = beta
        if len(left) <= k:
            break
        order.append(left.pop(int(np.argmin(beta))))
    kept = np.zeros(len(r), dtype=np.bool_)
    kept[left] = True
    return Outcome(scores, kept, None, _after(scores, kept, order))


def _after(scores: Floats, kept: npt.NDArray[np.bool_], order: list[int], low_first: bool = False) -> Floats:
    """Ranks: what is kept by its score, then what left, the last to leave first."""
    place = ranked(scores, kept, low_first)
    for i, j in enumerate(reversed(order)):
        place[j] = int(kept.sum()) + 1 + i
    return place


def stepwise(r: Floats, ry: Floats, n: int) -> Outcome:
    """Backward, with return, by AIC = n·ln(RSS/n) + 2p (as R's step from the full model).

    Scores: how much AIC is worse with a kept feature left out, or with another one added (negative).
    """
    p = len(r)

    def aic(r2: float, size: int) -> float:
        return n * float(np.log(max(1 - r2, 1e-300))) + 2 * size

    def neighbours(chosen: list[int]) -> tuple[float, Floats]:
        """AIC of this model, and with each feature taken out of it or added to it, from one inverse."""
        block = r[np.ix_(chosen, chosen)]
        if chosen and np.linalg.eigvalsh(block)[0] < ALIKE:
            raise CollinearError
        inverse = np.linalg.inv(block)
        beta = inverse @ ry[chosen]
        r2, size = float(ry[chosen] @ beta), len(chosen)
        found = np.empty(p)
        for i, j in enumerate(chosen):
            found[j] = aic(r2 - float(beta[i] ** 2 / inverse[i, i]), size - 1)
        for j in sorted(set(range(p)) - set(chosen)):
            own = r[chosen, j]
            rest = max(1 - float(own @ inverse @ own), ALIKE)
            found[j] = aic(r2 + (float(ry[j]) - float(own @ beta)) ** 2 / rest, size + 1)
        return aic(r2, size), found

    now = list(range(p))
    level, values = neighbours(now)
    while values.min() < level - 1e-9:
        now = sorted(set(now) ^ {int(np.argmin(values))})
        level, values = neighbours(now)
    kept = np.zeros(p, dtype=np.bool_)
    kept[now] = True
    scores = np.where(kept, values - level, level - values)
    return Outcome(scores, kept, None, ranked(scores, kept))


def _solved(r: Floats, ry: Floats, chosen: list[int]) -> Floats:
    block = r[np.ix_(chosen, chosen)]
    if np.linalg.eigvalsh(block)[0] < ALIKE:
        raise CollinearError
    return np.asarray(np.linalg.solve(block, ry[chosen]))


def lasso(x: Floats, y: Floats, folds: int) -> tuple[Outcome, float]:
    """Absolute standardised coefficients at the λ of least squared error over folds; row i is in fold i mod k."""
    z, _ = _scaled(x)
    most = float(np.abs(z.T @ (y - y.mean())).max()) / len(y)
    if most == 0:
        nothing = np.zeros(x.shape[1])
        return Outcome(nothing, nothing > 0, None, ranked(nothing)), 0.0
    path = most * SHORTEST ** (np.arange(PATH) / (PATH - 1))
    fold = np.arange(len(y)) % folds
    errors = np.zeros(PATH)
    for i in range(folds):
        train, test = fold != i, fold == i
        own, spread = _scaled(x[train])
        coefs = _path(own, y[train], path) / spread[:, None]
        fitted = (x[test] - x[train].mean(axis=0)) @ coefs + y[train].mean()
        errors += np.sum((y[test][:, None] - fitted) ** 2, axis=0)
    at = int(np.argmin(errors))
    beta = np.abs(_path(z, y, path)[:, at])
    beta[beta < 1e-9 * most] = 0.0
    return Outcome(beta / y.std(), beta > 0, None, ranked(beta, beta > 0)), float(path[at])


def _scaled(x: Floats) -> tuple[Floats, Floats]:
    scale = x.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    return (x - x.mean(axis=0)) / scale, scale


def _path(z: Floats, y: Floats, path: Floats) -> Floats:
    """Features × λ."""
    found = lasso_path(np.asfortranarray(z), y - y.mean(), alphas=path, tol=1e-12, max_iter=20_000)[1]
    return np.asarray(found)
