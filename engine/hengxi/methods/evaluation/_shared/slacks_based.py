"""Slacks-based efficiency, its super-efficiency, and the directional distance, with undesirable outputs.

All programs are written in multiples of the evaluated unit's own values, so that units of measurement do not matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from .envelopment import ROUND, Floats, Returns, minimise

Orientation = Literal["none", "input", "output"]


@dataclass(frozen=True)
class Slacks:
    """`value`: efficiency; slacks as shares of the unit's own values; λ of each unit; β of a directional distance."""

    value: float
    inputs: Floats
    outputs: Floats
    bads: Floats
    weights: Floats
    beta: float | None = None


def _cut(values: Floats) -> Floats:
    return np.where(np.abs(values) < ROUND, 0.0, values)


def sbm(x: Floats, y: Floats, b: Floats, unit: int, returns: Returns, orientation: Orientation) -> Slacks:
    """Tone (2001, 2004): ρ = (1 − Σs⁻/x₀/m)/(1 + (Σs⁺/y₀ + Σsᵇ/b₀)/(s + q)), linear by Charnes and Cooper.

    Oriented: only the numerator, or only the denominator; the other slacks then by a second program.
    """
    n, m, s, q = len(x), x.shape[1], y.shape[1], b.shape[1]
    p = s + q
    both = np.hstack([x / x[unit], y / y[unit], b / b[unit]])
    sign = np.concatenate([np.ones(m), -np.ones(s), np.ones(q)])
    # Columns: t, λ·t, slacks·t.
    rows = np.hstack([-np.ones((m + p, 1)), both.T, np.diag(sign)])
    right = np.zeros(m + p)
    in_share = np.concatenate([np.full(m, 1 / m), np.zeros(p)])
    out_share = np.concatenate([np.zeros(m), np.full(p, 1 / p)])
    unity = np.concatenate([[1.0], np.zeros(n), out_share * (orientation != "input")])
    equal, values = [rows, unity[None]], [right, np.ones(1)]
    if returns == "vrs":
        equal.append(np.concatenate([[-1.0], np.ones(n), np.zeros(m + p)])[None])
        values.append(np.zeros(1))
    a, rhs = np.vstack(equal), np.concatenate(values)
    cost = np.concatenate([[1.0], np.zeros(n), -in_share * (orientation != "output")])
    first = minimise(cost, a, rhs)
    if first is None:
        return Slacks(1.0, np.zeros(m), np.zeros(s), np.zeros(q), np.eye(n)[unit])
    answer, value = first
    if orientation != "none":
        kept = np.concatenate([[0.0], np.zeros(n), in_share if orientation == "input" else out_share])
        held, t = float(kept @ answer), np.concatenate([[1.0], np.zeros(n + m + p)])
        rest = np.concatenate([[0.0], np.zeros(n), -(out_share if orientation == "input" else in_share)])
        second = minimise(rest, np.vstack([a, kept, t]), np.concatenate([rhs, [held, answer[0]]]))
        answer = answer if second is None else second[0]
    return _slacks(answer[0], answer, n, m, s, value, np.arange(n), n)


def _slacks(
    t: float, answer: Floats, n: int, m: int, s: int, value: float, units: Floats | object, whole: int
) -> Slacks:
    weights = np.zeros(whole)
    weights[np.asarray(units, dtype=int)] = _cut(answer[1 : n + 1] / t)
    part = _cut(answer[n + 1 :] / t)
    value = 1.0 if abs(value - 1) < ROUND else value
    return Slacks(value, part[:m], part[m : m + s], part[m + s :], weights)


def super_sbm(x: Floats, y: Floats, b: Floats, unit: int, returns: Returns, orientation: Orientation) -> Slacks | None:
    """Tone (2002) with undesirable outputs: how far the others' technology stays from the unit; None: infeasible.

    δ = (1 + Σs⁻/x₀/m)/(1 − (Σs⁺/y₀ + Σsᵇ/b₀)/(s + q)); oriented: the slacks of the other side are 0. No output falls
    below 0. Slacks are negative distances here: inputs and undesirable outputs may rise, outputs fall by so much.
    """
    others = np.array([k for k in range(len(x)) if k != unit])
    n, m, s, q = len(others), x.shape[1], y.shape[1], b.shape[1]
    p = s + q
    both = np.hstack([x[others] / x[unit], y[others] / y[unit], b[others] / b[unit]])
    sign = np.concatenate([-np.ones(m), np.ones(s), -np.ones(q)])
    may = np.concatenate([np.full(m, orientation != "output"), np.full(p, orientation != "input")]).astype(float)
    # Columns: t, λ·t, slacks·t, what is left of each row, and of s⁺ ≤ t.
    rows = np.hstack([-np.ones((m + p, 1)), both.T, np.diag(sign * may), np.diag(-sign), np.zeros((m + p, s))])
    floor = np.hstack([-np.ones((s, 1)), np.zeros((s, n + m)), np.eye(s), np.zeros((s, q + m + p)), np.eye(s)])
    out_share = np.concatenate([np.zeros(m), np.full(p, 1 / p)])
    tail = np.zeros(m + p + s)
    unity = np.concatenate([[1.0], np.zeros(n), -out_share * may, tail])
    equal, values = [rows, floor, unity[None]], [np.zeros(m + p + s), np.ones(1)]
    if returns == "vrs":
        equal.append(np.concatenate([[-1.0], np.ones(n), np.zeros(m + p), tail])[None])
        values.append(np.zeros(1))
    cost = np.concatenate([[1.0], np.zeros(n), np.concatenate([np.full(m, 1 / m), np.zeros(p)]) * may, tail])
    found = minimise(cost, np.vstack(equal), np.concatenate(values))
    if found is None:
        return None
    answer = found[0][: 1 + n + m + p].copy()
    answer[n + 1 :] *= may
    return _slacks(answer[0], answer, n, m, s, found[1], others, len(x))


def directional(x: Floats, y: Floats, b: Floats, unit: int, returns: Returns, orientation: Orientation) -> Slacks:
    """Largest β with (1 − β)x₀, (1 + β)y₀, (1 − β)b₀ attainable; undesirable outputs weakly disposable (equality).

    Second program: the largest sum of slacks with β held (Chung, Färe and Grosskopf 1997).
    """
    n, m, s, q = len(x), x.shape[1], y.shape[1], b.shape[1]
    both = np.hstack([x / x[unit], y / y[unit], b / b[unit]])
    inward, outward = float(orientation != "output"), float(orientation != "input")
    direction = np.concatenate([np.full(m, inward), np.full(s, -outward), np.full(q, outward)])
    disposal = np.vstack([np.diag(np.concatenate([np.ones(m), -np.ones(s)])), np.zeros((q, m + s))])
    a, rhs = np.hstack([direction[:, None], both.T, disposal]), np.ones(m + s + q)
    if returns == "vrs":
        a = np.vstack([a, np.concatenate([[0.0], np.ones(n), np.zeros(m + s)])])
        rhs = np.append(rhs, 1.0)
    first = minimise(np.concatenate([[-1.0], np.zeros(n + m + s)]), a, rhs)
    beta = 0.0 if first is None else float(first[0][0])
    beta = 0.0 if abs(beta) < ROUND else beta
    second = minimise(np.concatenate([np.zeros(n), -np.ones(m + s)]), a[:, 1:], rhs - a[:, 0] * beta)
    rest = second[0] if second is not None else np.concatenate([np.eye(n)[unit], np.zeros(m + s)])
    value = (
        1 - beta if orientation == "input" else 1 / (1 + beta) if orientation == "output" else (1 - beta) / (1 + beta)
    )
    part = _cut(rest[n:])
    return Slacks(
        value, part[:m] + inward * beta, part[m:] + outward * beta, np.full(q, outward * beta), _cut(rest[:n]), beta
    )
