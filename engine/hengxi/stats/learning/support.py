"""Support vector machines as plain numbers: kernels, decisions of several two-class machines, their calibration.

The machines are libsvm's. A probability is 1 / (1 + exp(A·f + B)) with A and B from decisions on rows left out of the
machine (Platt 1999, with the targets and the method of Lin, Lin & Weng 2007); folds are drawn by the seed.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from hengxi.contract import Arrays
from hengxi.stats.learning.scaling import Scaling
from hengxi.stats.moments import Floats

KINDS = ("linear", "rbf", "poly", "sigmoid")
MOST_STEPS = 2_000_000
FOLDS = 5


@dataclass(frozen=True)
class Kernel:
    """linear: x·z; rbf: exp(−γ|x − z|²); poly: (γ x·z + c)^d; sigmoid: tanh(γ x·z + c)."""

    kind: str
    gamma: float
    degree: int
    constant: float

    @classmethod
    def of(cls, params: dict[str, Any], z: Floats) -> Kernel:
        """`gamma`: scale (1 / columns / variance of all entries), auto (1 / columns), own."""
        spread = float(z.var())
        gamma = 1 / z.shape[1]
        if params["gamma"] == "scale" and spread > 0:
            gamma /= spread
        elif params["gamma"] == "own":
            gamma = params["gamma_value"]
        return cls(params["kernel"], gamma, int(params["degree"] or 3), float(params.get("coef0") or 0.0))

    def settings(self) -> dict[str, Any]:
        return {"kernel": self.kind, "gamma": self.gamma, "degree": self.degree, "coef0": self.constant}

    def between(self, x: Floats, z: Floats) -> Floats:
        """Rows of x × rows of z."""
        if self.kind == "rbf":
            apart = (x**2).sum(axis=1)[:, None] + (z**2).sum(axis=1) - 2 * x @ z.T
            return np.asarray(np.exp(-self.gamma * np.maximum(apart, 0.0)))
        products = np.asarray(x @ z.T)
        if self.kind == "linear":
            return products
        inner = self.gamma * products + self.constant
        return np.asarray(inner**self.degree if self.kind == "poly" else np.tanh(inner))

    def pack(self) -> Arrays:
        return {"kernel": np.array([KINDS.index(self.kind), self.gamma, self.degree, self.constant])}

    @classmethod
    def unpack(cls, arrays: Arrays) -> Kernel:
        kind, gamma, degree, constant = arrays["kernel"].tolist()
        if not 0 <= int(kind) < len(KINDS):
            raise ValueError("these arrays are no kernel")
        return cls(KINDS[int(kind)], gamma, int(degree), constant)


@dataclass
class Machines:
    """`duals`: supports × machines; `sides`: machines × classes, 1 and −1 the classes each tells apart, 0 the others.

    `slopes`, `shifts`: A and B of each machine. `rows`: places of the supports in the training rows, `settled`: did
    every machine converge; `left`: decisions the calibration was learned from; none of these is stored.
    """

    scaling: Scaling
    kernel: Kernel
    supports: Floats
    duals: Floats
    intercepts: Floats
    slopes: Floats
    shifts: Floats
    sides: Floats
    rows: Any = None
    settled: bool = True
    left: Any = None

    def decisions(self, x: Floats) -> Floats:
        """Rows × machines."""
        return np.asarray(self.kernel.between(self.scaling.apply(x), self.supports) @ self.duals + self.intercepts)

    def answers(self, x: Floats) -> Floats:
        """Each machine's probability goes to its two sides; where one class is against the rest, only to that class."""
        p = 1 / (1 + np.exp(np.clip(self.slopes * self.decisions(x) + self.shifts, -700, 700)))
        share = p @ (self.sides == 1)
        if (self.sides == -1).sum(axis=1).max() == 1:
            share = share + (1 - p) @ (self.sides == -1)
        here = (self.sides != 0).any(axis=0)
        whole = share.sum(axis=1, keepdims=True)
        return np.asarray(np.where(whole > 0, share / np.where(whole > 0, whole, 1.0), here / here.sum()))

    def pack(self) -> Arrays:
        names = ("supports", "duals", "intercepts", "slopes", "shifts", "sides")
        return self.scaling.pack() | self.kernel.pack() | {f"svm.{name}": getattr(self, name) for name in names}

    @classmethod
    def unpack(cls, arrays: Arrays) -> Machines:
        names = ("supports", "duals", "intercepts", "slopes", "shifts", "sides")
        supports, duals, intercepts, slopes, shifts, sides = (arrays[f"svm.{name}"] for name in names)
        scaling, kernel = Scaling.unpack(arrays), Kernel.unpack(arrays)
        return cls(scaling, kernel, supports, duals, intercepts, slopes, shifts, sides)


def sides_of(here: Any, k: int, kind: str) -> Floats:
    """Which classes each machine tells apart: of two one machine, else each against the rest or each pair."""
    if here.size == 2:
        pairs = [(here[[1]], here[[0]])]
    elif kind == "ovr":
        pairs = [(here[[c]], np.delete(here, c)) for c in range(here.size)]
    else:
        pairs = [(here[[a]], here[[b]]) for a in range(here.size) for b in range(a + 1, here.size)]
    sides = np.zeros((len(pairs), k))
    for machine, (yes, no) in enumerate(pairs):
        sides[machine, yes], sides[machine, no] = 1.0, -1.0
    return sides


def learn_classes(
    params: dict[str, Any], x: Floats, y: Any, weight: Floats | None, k: int, seed: int, tell: Any
) -> Machines:
    """`params`: C, kernel, gamma, gamma_value, degree, coef0, tol, decision (ovr, ovo), standardize.

    `tell(done, of)` is called after each machine.
    """
    scaling = Scaling.learn(x, params["standardize"])
    z = scaling.apply(x)
    kernel = Kernel.of(params, z)
    sides = sides_of(np.unique(y), k, params["decision"])
    n = y.size
    duals, intercepts, slopes, shifts, left, settled = np.zeros((n, len(sides))), [], [], [], [], True
    for machine, side in enumerate(sides):
        label = side[y]
        own = np.flatnonzero(label)
        w = None if weight is None else weight[own]
        fitted, good = _fit(params, kernel, z[own], label[own], w)
        duals[own[fitted.support_], machine] = fitted.dual_coef_[0]
        intercepts.append(float(fitted.intercept_[0]))
        out = _left_out(params, kernel, z[own], label[own], w, seed)
        slope, shift = platt(out, label[own] > 0, w)
        slopes.append(slope)
        shifts.append(shift)
        left.append((own, out))
        settled = settled and good
        tell(machine + 1, len(sides))
    rows = np.flatnonzero(duals.any(axis=1))
    return Machines(
        scaling, kernel, z[rows], duals[rows], np.array(intercepts), np.array(slopes), np.array(shifts), sides, rows,
        settled, left,
    )  # fmt: skip


def _fit(params: dict[str, Any], kernel: Kernel, z: Floats, label: Floats, w: Floats | None) -> tuple[Any, bool]:
    from sklearn.svm import SVC

    model = SVC(
        C=params["C"], tol=params["tol"], max_iter=MOST_STEPS, cache_size=200, random_state=0, **kernel.settings()
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(z, label, sample_weight=w)
    return model, int(model.fit_status_) == 0 and int(np.max(model.n_iter_)) < MOST_STEPS


def _left_out(params: dict[str, Any], kernel: Kernel, z: Floats, label: Floats, w: Floats | None, seed: int) -> Floats:
    """Decisions on each row by a machine that has not seen it; too few rows of a side: by the machine itself."""
    least = int(min((label > 0).sum(), (label < 0).sum()))
    if least < 2:
        return np.asarray(_fit(params, kernel, z, label, w)[0].decision_function(z))
    out = np.zeros(label.size)
    for inner, outer in StratifiedKFold(min(FOLDS, least), shuffle=True, random_state=seed).split(z, label):
        model, _ = _fit(params, kernel, z[inner], label[inner], None if w is None else w[inner])
        out[outer] = model.decision_function(z[outer])
    return out


def platt(f: Floats, positive: Any, weight: Floats | None) -> tuple[float, float]:
    """A and B of 1 / (1 + exp(A·f + B)), by Newton's method with halved steps."""
    w = np.ones(f.size) if weight is None else weight
    yes, no = float(w[positive].sum()), float(w[~positive].sum())
    target = np.where(positive, (yes + 1) / (yes + 2), 1 / (no + 2))
    size = float(np.abs(f).max()) or 1.0
    design = np.column_stack([f / size, np.ones(f.size)])
    b = np.array([0.0, np.log((no + 1) / (yes + 1))])

    def loss(at: Floats) -> float:
        eta = design @ at
        return float(w @ (np.logaddexp(0, eta) - (1 - target) * eta))

    now = loss(b)
    for _ in range(200):
        p = 1 / (1 + np.exp(-np.clip(design @ b, -700, 700)))  # of not being positive
        slope = design.T @ (w * (p - (1 - target)))
        h = (design * (w * p * (1 - p))[:, None]).T @ design + 1e-12 * np.eye(2)
        step = np.linalg.solve(h, slope)
        share = 1.0
        while (then := loss(b - share * step)) > now + 1e-14 * abs(now) and share > 1e-10:
            share /= 2
        b, now = b - share * step, then
        if np.abs(step).max() < 1e-11 * (1 + np.abs(b).max()):
            break
    return float(b[0] / size), float(b[1])


@dataclass
class Tube:
    """Support vector regression: `duals` of the supports, the outcome shifted by `centre` and divided by `spread`."""

    scaling: Scaling
    kernel: Kernel
    supports: Floats
    duals: Floats
    numbers: Floats
    """Intercept, centre, spread."""
    rows: Any = None
    settled: bool = True

    def answers(self, x: Floats) -> Floats:
        inner = self.kernel.between(self.scaling.apply(x), self.supports) @ self.duals + self.numbers[0]
        return np.asarray(inner * self.numbers[2] + self.numbers[1])[:, None]

    def pack(self) -> Arrays:
        own = {"svr.supports": self.supports, "svr.duals": self.duals, "svr.numbers": self.numbers}
        return self.scaling.pack() | self.kernel.pack() | own

    @classmethod
    def unpack(cls, arrays: Arrays) -> Tube:
        supports, duals, numbers = (arrays[f"svr.{name}"] for name in ("supports", "duals", "numbers"))
        return cls(Scaling.unpack(arrays), Kernel.unpack(arrays), supports, duals, numbers)


def learn_values(params: dict[str, Any], x: Floats, y: Floats, weight: Floats | None) -> Tube:
    """`params`: C, epsilon, kernel, gamma, gamma_value, degree, standardize, standardize_y."""
    from sklearn.svm import SVR

    scaling = Scaling.learn(x, params["standardize"])
    z = scaling.apply(x)
    kernel = Kernel.of(params, z)
    target = Scaling.learn(y[:, None], params["standardize_y"])
    v = target.apply(y[:, None])[:, 0]
    model = SVR(
        C=params["C"], epsilon=params["epsilon"], tol=params["tol"], max_iter=MOST_STEPS, cache_size=200,
        **kernel.settings(),
    )  # fmt: skip
    # Without one, libsvm's seed is drawn from the generator all code shares; it decides nothing here.
    model.random_state = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(z, v, sample_weight=weight)
    numbers = np.array([float(model.intercept_[0]), float(target.means[0]), float(target.sds[0])])
    settled = int(model.fit_status_) == 0 and int(np.max(model.n_iter_)) < MOST_STEPS
    return Tube(scaling, kernel, z[model.support_], model.dual_coef_[0], numbers, model.support_, settled)
