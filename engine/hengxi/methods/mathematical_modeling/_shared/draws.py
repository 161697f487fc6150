"""Random inputs: distributions by their inverse, three ways to sample, wanted rank correlations."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import Refusal

from .grid import Floats

DISTRIBUTIONS = {"normal": "正态", "uniform": "均匀", "triangular": "三角", "lognormal": "对数正态", "poisson": "泊松",
                 "binomial": "二项", "exponential": "指数", "pert": "Beta-PERT", "empirical": "经验"}  # fmt: skip
PARAMETERS = {
    "normal": ("均值", "标准差"), "uniform": ("最小", "最大"), "triangular": ("最小", "众数", "最大"),
    "lognormal": ("对数的均值", "对数的标准差"), "poisson": ("均值",), "binomial": ("次数", "概率"),
    "exponential": ("均值",), "pert": ("最小", "众数", "最大"), "empirical": (),
}  # fmt: skip


@dataclass(frozen=True)
class Variable:
    name: str
    kind: str
    law: Any
    """A frozen distribution of scipy, or the sorted data."""
    mean: float
    sd: float

    def inverse(self, u: Floats) -> Floats:
        if self.kind == "empirical":
            return np.asarray(self.law[np.minimum((u * len(self.law)).astype(int), len(self.law) - 1)])
        return np.asarray(self.law.ppf(u), dtype=float)


def read_input(row: Any, number: int, data: dict[str, Floats]) -> Variable:
    """One row of the form as a distribution; parameters that are none are refused."""
    name, kind = row.name, row.dist
    if kind == "empirical":
        values = data.get(name)
        if values is None:
            text = f"变量“{name}”用经验分布，要在“历史数据”里放入同名的一列"
            raise Refusal("data.empirical", text, field="inputs", row=number)
        return Variable(name, kind, np.sort(values), float(values.mean()), float(values.std()))
    words = PARAMETERS[kind]
    given = [row.parameters.get(key) for key in ("p1", "p2", "p3")][: len(words)]
    for word, value in zip(words, given, strict=True):
        if value is None:
            raise _wrong(name, number, f"缺少{word}")
    p = [float(value) for value in given]
    if max(abs(value) for value in p) > 1e12:
        raise _wrong(name, number, "数太大")
    match kind:
        case "normal" | "lognormal":
            if p[1] <= 0:
                raise _wrong(name, number, "标准差必须大于 0")
            if kind == "lognormal" and (p[0] > 100 or p[1] > 10):
                raise _wrong(name, number, "对数的均值或标准差太大（先取自然对数再求）")
            law = stats.norm(p[0], p[1]) if kind == "normal" else stats.lognorm(p[1], scale=np.exp(p[0]))
        case "uniform":
            if p[0] >= p[1]:
                raise _wrong(name, number, "最小必须小于最大")
            law = stats.uniform(p[0], p[1] - p[0])
        case "triangular" | "pert":
            if not p[0] <= p[1] <= p[2] or p[0] == p[2]:
                text = f"变量“{name}”应满足 最小 ≤ 众数 ≤ 最大，且最小小于最大"
                raise Refusal("data.order", text, field="inputs", row=number)
            share, span = (p[1] - p[0]) / (p[2] - p[0]), p[2] - p[0]
            law = stats.triang(share, p[0], span) if kind == "triangular" else \
                stats.beta(1 + 4 * share, 5 - 4 * share, p[0], span)  # fmt: skip
        case "poisson":
            if not 0 < p[0] <= 1e9:
                raise _wrong(name, number, "均值必须大于 0")
            law = stats.poisson(p[0])
        case "binomial":
            if p[0] < 1 or p[0] != round(p[0]) or not 0 <= p[1] <= 1:
                raise _wrong(name, number, "次数是正整数，概率在 0 到 1 之间")
            law = stats.binom(int(p[0]), p[1])
        case _:
            if p[0] <= 0:
                raise _wrong(name, number, "均值必须大于 0")
            law = stats.expon(scale=p[0])
    return Variable(name, kind, law, float(law.mean()), float(law.std()))


def _wrong(name: str, number: int, why: str) -> Refusal:
    return Refusal("data.parameter", f"变量“{name}”的参数无效：{why}", field="inputs", row=number)


def uniforms(n: int, k: int, how: str, rng: np.random.Generator) -> Floats:
    """n × k numbers between 0 and 1, ends excluded: random, Latin hypercube (McKay et al. 1979) or Sobol."""
    if how == "sobol":
        from scipy.stats import qmc

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            u = qmc.Sobol(k, scramble=True, rng=rng).random(n)
    elif how == "latin":
        u = (np.column_stack([rng.permutation(n) for _ in range(k)]) + rng.random((n, k))) / n
    else:
        u = rng.random((n, k))
    return np.asarray(np.clip(u, 1e-12, 1 - 1e-12))


def correlated(u: Floats, wanted: Floats, rng: np.random.Generator) -> Floats:
    """The same numbers of each column in an order that gives about the wanted rank correlations (Iman & Conover)."""
    n, k = u.shape
    scores = stats.norm.ppf((np.arange(n) + 1) / (n + 1))
    held = np.column_stack([rng.permutation(scores) for _ in range(k)])
    target = np.linalg.cholesky(wanted)
    own = np.linalg.cholesky(np.corrcoef(held, rowvar=False).reshape(k, k))
    mixed = held @ np.linalg.inv(own).T @ target.T
    out = np.empty_like(u)
    for j in range(k):
        out[:, j] = np.sort(u[:, j])[stats.rankdata(mixed[:, j], method="ordinal").astype(int) - 1]
    return out


def nearest_correlation(wanted: Floats) -> tuple[Floats, float]:
    """The nearest matrix that is a correlation matrix, by alternating projections (Higham 2002), and the change."""
    if np.linalg.eigvalsh(wanted).min() > 1e-10:
        return wanted, 0.0
    y, correction = wanted.copy(), np.zeros_like(wanted)
    for _ in range(500):
        r = y - correction
        values, vectors = np.linalg.eigh(r)
        x = (vectors * np.maximum(values, 1e-8)) @ vectors.T
        correction = x - r
        y = x.copy()
        np.fill_diagonal(y, 1.0)
        if np.linalg.eigvalsh(y).min() > 1e-10:
            break
    d = np.sqrt(np.diag(x))
    made = x / np.outer(d, d)
    return made, float(np.abs(made - wanted).max())


@dataclass(frozen=True)
class Fit:
    kind: str
    parameters: str
    d: float
    a2: float
    aic: float


def fits(values: Floats) -> list[Fit]:
    """Maximum likelihood fits of four distributions, best by AIC first."""
    x = np.sort(values)
    n = len(x)
    out = []
    mean, sd = float(x.mean()), float(x.std())
    laws: list[tuple[str, str, Any, int]] = []
    if sd > 0:
        laws.append(("normal", f"均值 {mean:.6g}，标准差 {sd:.6g}", stats.norm(mean, sd), 2))
        laws.append(("uniform", f"最小 {x[0]:.6g}，最大 {x[-1]:.6g}", stats.uniform(x[0], x[-1] - x[0]), 2))
    if x[0] > 0 and sd > 0:
        logs = np.log(x)
        m, s = float(logs.mean()), float(logs.std())
        laws.append(("lognormal", f"对数的均值 {m:.6g}，对数的标准差 {s:.6g}", stats.lognorm(s, scale=np.exp(m)), 2))
    if x[0] >= 0 and mean > 0:
        laws.append(("exponential", f"均值 {mean:.6g}", stats.expon(scale=mean), 1))
    for kind, words, law, k in laws:
        cdf = np.clip(law.cdf(x), 1e-300, 1.0)
        d = float(max((np.arange(1, n + 1) / n - cdf).max(), (cdf - np.arange(n) / n).max()))
        i = np.arange(1, n + 1)
        with np.errstate(divide="ignore"):
            a2 = float(-n - ((2 * i - 1) / n * (np.log(cdf) + np.log1p(-np.minimum(cdf[::-1], 1.0)))).sum())
        out.append(Fit(kind, words, d, a2, float(2 * k - 2 * law.logpdf(x).sum())))
    return sorted(out, key=lambda one: (one.aic, one.kind))
