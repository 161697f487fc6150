"""NumPy and SciPy for all the numbers of a report of `gaps.py`, not only its main table: moments, checks, diagnostics
of cases, points of figures. Each takes arrays that are loaded already; no tables, pictures or sentences are made."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import special, stats

Floats = np.ndarray


def moments(x: Floats) -> tuple[float, ...]:
    mean = x.mean()
    d = x - mean
    square = d * d
    m2, m3, m4 = square.mean(), (square * d).mean(), (square * square).mean()
    return x.size, mean, np.sqrt(m2 * x.size / (x.size - 1)), m3 / m2**1.5, m4 / m2**2 - 3, x.min(), x.max()


def describe(x: Floats) -> list[tuple[float, ...]]:
    return [moments(row[~np.isnan(row)]) for row in x]


def scatters(x: Floats, pairs: int = 12, points: int = 500) -> list[Floats]:
    series = []
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if len(series) < pairs:
                rows = np.flatnonzero(~np.isnan(x[i]) & ~np.isnan(x[j]))
                series.append(x[[i, j]][:, rows[np.linspace(0, rows.size - 1, points).astype(int)]])
    return series


def correlation(x: Floats, coefficients: Callable[[], Floats]) -> object:
    """With p and interval of each pair, moments of each column and points of twelve pairs."""
    known = (~np.isnan(x)).astype(float)
    n, r = known @ known.T, coefficients()
    with np.errstate(divide="ignore", invalid="ignore"):
        t = r * np.sqrt((n - 2) / (1 - r**2))
        z, reach = np.arctanh(r), stats.norm.isf(0.025) / np.sqrt(n - 3)
    used = int((known.sum(axis=0) > 1).sum())
    return 2 * stats.t.sf(np.abs(t), n - 2), np.tanh(z - reach), np.tanh(z + reach), used, describe(x), scatters(x)


def frequencies(x: Floats) -> object:
    """From the columns as they are loaded: eight bytes a cell, NaN where there is none."""
    return [np.bincount(np.nan_to_num(row).astype(np.int8), minlength=6) for row in x]


def box(x: Floats) -> tuple[object, ...]:
    """Quartiles, whiskers, points outside, density, two hundred cases in their order."""
    ordered = np.sort(x)
    q1, middle, q3 = np.quantile(ordered, [0.25, 0.5, 0.75])
    low, high = np.searchsorted(ordered, [q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)])
    edges = np.linspace(ordered[0], ordered[-1], 513)
    heights = np.diff(np.searchsorted(ordered, edges))
    width = 0.9 * min(x.std(), (q3 - q1) / 1.34) * x.size**-0.2
    grid = np.linspace(ordered[0], ordered[-1], 80)
    density = np.exp(-0.5 * ((grid[:, None] - (edges[:-1] + edges[1:]) / 2) / width) ** 2) @ heights
    shown = ordered[np.linspace(0, x.size - 1, 200).astype(int)]
    return middle, ordered[:low], ordered[high:], density, shown


def groups(y: Floats, g: Floats) -> object:
    """Moments and boxes of each group, Levene's test around means and medians, the residuals' quantiles."""
    ok = (g >= 0) & ~np.isnan(y)
    values, code = y[ok], g[ok]
    parts = [values[code == k] for k in range(code.max() + 1)]
    known = [moments(part) for part in parts]
    boxes = [box(part) for part in parts]
    levene = []
    for middles in ([one[1] for one in known], [one[0] for one in boxes]):
        away = [np.abs(part - middle) for part, middle in zip(parts, middles, strict=True)]
        levene.append([(part.mean(), part.var(ddof=1)) for part in away])
    return known, boxes, levene


def t_test(y: Floats, g: Floats) -> object:
    return groups(y, g)


def anova(y: Floats, g: Floats) -> object:
    ok = (g >= 0) & ~np.isnan(y)
    values, code = y[ok], g[ok]
    means = np.bincount(code, values) / np.bincount(code)
    residuals = np.sort(values - means[code])
    return groups(y, g), moments(residuals), residuals[np.linspace(0, residuals.size - 1, 1000).astype(int)]


def largest(x: Floats, most: int = 50) -> Floats:
    return np.argpartition(np.abs(x), -most)[-most:]


def linear(x: Floats, y: Floats) -> object:
    """Coefficients and errors; leverage, studentised residuals, Cook's distances; Breusch-Pagan, RESET, Durbin-Watson,
    Breusch-Godfrey; VIF; points of the residual, Q-Q and trend figures. `x`: ones, then the regressors, by rows."""
    k, n = x.shape
    gram = x @ x.T
    inverse = np.linalg.inv(gram)
    b = inverse @ (x @ y)
    fitted = b @ x
    e = y - fitted
    sse = e @ e
    half = np.linalg.cholesky(inverse).T @ x
    h = np.einsum("ij,ij->j", half, half)
    internal = e / np.sqrt(sse / (n - k) * (1 - h))
    external = e / np.sqrt((sse - e**2 / (1 - h)) / (n - k - 1) * (1 - h))
    cook = internal**2 * h / (1 - h) / k

    def explained(u: Floats) -> float:
        pull = x @ u
        return float(pull @ inverse @ pull)

    u = e**2 - (e**2).mean()
    breusch_pagan = n * explained(u) / (u @ u)
    more = np.vstack((fitted**2, fitted**3))
    both = np.block([[gram, x @ more.T], [more @ x.T, more @ more.T]])
    pull = np.concatenate((x @ e, more @ e))
    reset = pull @ np.linalg.lstsq(both, pull, rcond=None)[0]
    step = np.diff(e)
    durbin_watson = step @ step / sse
    before = np.concatenate(([0.0], e[:-1]))
    left = before @ before - explained(before)
    godfrey = n * (before @ e) ** 2 / left / sse
    vif = np.diag(np.linalg.inv(np.corrcoef(x[1:])))
    ordered = np.sort(internal)
    cuts = np.quantile(fitted, np.arange(1, 15) / 15)
    place = np.searchsorted(cuts, fitted)
    trend = [np.bincount(place, w) for w in (fitted, e, np.sqrt(np.abs(internal)))]
    shown = [largest(one) for one in (external, h, cook)]
    errors = b / np.sqrt(np.diag(inverse) * sse / (n - k))
    checks = (breusch_pagan, reset, durbin_watson, godfrey, vif)
    return errors, checks, ordered[:: max(1, n // 1000)], trend, shown, moments(internal)


def newton(x: Floats, z: Floats, b: Floats, steps: int) -> tuple[Floats, Floats]:
    for _ in range(steps):
        p = special.expit(b @ x)
        information = (x * (p * (1 - p))) @ x.T
        b = b + np.linalg.solve(information, x @ (z - p))
    return b, np.linalg.inv(information)


def logistic(x: Floats, z: Floats) -> object:
    """Coefficients; Box-Tidwell's test, which is a second fit with x ln x of every variable; ROC, DeLong's variance,
    Hosmer-Lemeshow; leverage and Cook's distances; marginal effects; logits in ten parts of each variable."""
    k, n = x.shape
    b, covariance = newton(x, z, np.zeros(k), 6)
    p = special.expit(b @ x)
    bent = np.vstack((x, x[1:] * np.log(x[1:])))
    middle, spread = bent[1:].mean(axis=1), bent[1:].std(axis=1)
    bent[1:] = (bent[1:] - middle[:, None]) / spread[:, None]
    start = np.concatenate(([b @ np.concatenate(([1.0], middle[: k - 1]))], b[1:] * spread[: k - 1], np.zeros(k - 1)))
    tidwell = newton(bent, z, start, 4)

    order = np.argsort(p)
    events = z[order]
    true, false = np.cumsum(events[::-1]), np.cumsum(1 - events[::-1])
    below = np.cumsum(1 - events) / false[-1]
    auc = below @ events / true[-1]
    variance = (below[events > 0]).var() / true[-1] + (np.cumsum(events) / true[-1])[events == 0].var() / false[-1]
    cuts = np.quantile(p, np.arange(1, 10) / 10)
    place = np.searchsorted(cuts, p)
    lemeshow = [np.bincount(place, w) for w in (z, p)]

    w = p * (1 - p)
    half = np.linalg.cholesky(covariance).T @ x
    h = w * np.einsum("ij,ij->j", half, half)
    pearson = (z - p) / np.sqrt(w * (1 - h))
    cook = pearson**2 * h / (1 - h) / k
    turn = x @ (w * (1 - 2 * p)) / n
    margins = w.mean() * b, turn
    logits = []
    for row in x[1:]:
        at = np.searchsorted(np.unique(np.quantile(row, np.arange(1, 10) / 10)), row)
        logits.append([np.bincount(at, weights) for weights in (z, row, np.ones(n))])
    shown = [largest(one) for one in (pearson, h, cook)]
    spreads = [np.histogram(p[z == code], 20, (0, 1)) for code in (0, 1)]
    return tidwell, auc, variance, lemeshow, margins, logits, shown, spreads
