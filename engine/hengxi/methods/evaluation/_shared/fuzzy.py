"""Memberships of grades and their composition with weights."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

MEMBERSHIP = {"triangular": "三角形", "trapezoid": "梯形", "gaussian": "正态型", "ridge": "岭形"}
COMPOSE = {
    "min_max": "主因素决定型 M(∧,∨)",
    "product_max": "主因素突出型 M(·,∨)",
    "min_bounded_sum": "不均衡平均型 M(∧,⊕)",
    "weighted_average": "加权平均型 M(·,⊕)",
    "balanced": "均衡平均型 M(∧,+)",
}


def memberships(x: Floats, standards: Floats, kind: str) -> Floats:
    """Objects × grades, rows sum to 1. `standards`: what a grade stands for, strictly monotone.

    Between two neighbours the membership goes from 1 to 0 by a curve that is ½ half-way; beyond the ends it is 1.
    """
    s = standards if standards[0] < standards[-1] else -standards
    value = x if standards[0] < standards[-1] else -x
    out = np.zeros((len(x), len(s)))
    for j, centre in enumerate(s):
        away = value - centre
        grade = np.ones(len(x))
        for side, other in ((-1, j - 1), (1, j + 1)):
            beyond = away * side > 0
            if 0 <= other < len(s):
                grade = np.where(beyond, _fall(np.abs(away) / abs(s[other] - centre), kind), grade)
        out[:, j] = grade
    return np.asarray(out / out.sum(axis=1, keepdims=True))


def _fall(t: Floats, kind: str) -> Floats:
    """From 1 at t = 0 through ½ at t = ½ (to 0 at t = 1, the normal one never)."""
    match kind:
        case "triangular":
            return np.asarray(np.clip(1 - t, 0, 1))
        case "gaussian":
            return np.asarray(np.exp(-np.log(2) * (2 * t) ** 2))
        case "ridge":
            return np.asarray(0.5 - 0.5 * np.sin(np.pi * (np.clip(t, 0, 1) - 0.5)))
    return np.asarray(np.clip(1.5 - 2 * t, 0, 1))


def compose(weights: Floats, relation: Floats, operator: str) -> Floats:
    """Weights (m) ∘ relation (objects × m × grades) → objects × grades, each brought to sum 1."""
    w = weights[None, :, None]
    match operator:
        case "min_max":
            raw = np.minimum(w, relation).max(axis=1)
        case "product_max":
            raw = (w * relation).max(axis=1)
        case "min_bounded_sum":
            raw = np.minimum(1.0, np.minimum(w, relation).sum(axis=1))
        case "balanced":
            total = relation.sum(axis=1, keepdims=True)
            raw = np.minimum(w, relation / np.where(total > 0, total, 1.0)).sum(axis=1)
        case _:
            raw = (w * relation).sum(axis=1)
    return np.asarray(raw / raw.sum(axis=1, keepdims=True))


def effectiveness(b: Floats) -> float | None:
    """α of the principle of largest membership; None where nothing lies outside the largest."""
    ordered = np.sort(b / b.sum())[::-1]
    n = len(b)
    return None if ordered[1] <= 1e-15 else float((n * ordered[0] - 1) / (2 * ordered[1] * (n - 1)))
