"""The two-phase simplex method in exact fractions, step by step, as textbooks show it: for small programs only."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from hengxi.stats.solving.linear_program import LinearProgram

LARGEST_TABLEAU = 12
MOST_STEPS = 60
ZERO = Fraction(0)


@dataclass(frozen=True)
class Pivot:
    step: int
    entering: str | None
    leaving: str | None
    reduced: Fraction | None
    ratio: Fraction | None
    target: Fraction | None
    basis: list[tuple[str, Fraction]]

    def cells(self) -> dict[str, str]:
        return {
            "step": "开始" if self.step == 0 else str(self.step),
            "entering": self.entering or "—", "leaving": self.leaving or "—", "reduced": told(self.reduced),
            "ratio": told(self.ratio), "target": told(self.target),
            "basis": "，".join(f"{name} = {told(value)}" for name, value in self.basis),
        }  # fmt: skip


def told(value: Fraction | None) -> str:
    return "—" if value is None else str(value)


def exactly(value: float) -> Fraction:
    """0.1 is 1/10, as it was typed."""
    return Fraction(repr(float(value)))


def simplex_steps(program: LinearProgram, names: list[str]) -> list[Pivot] | None:
    """Every pivot, from slacks and artificial variables to the optimum; None where it would become unreadable.

    Variables are moved to start at 0 (x − lower bound; upper − x; the difference of two for a free one), further bounds
    become rows. Entering: the best reduced cost; leaving: the smallest ratio, the first by order among equals.
    """
    n = len(names)
    columns: list[tuple[int, int, str]] = []
    start = [ZERO] * n
    extra: list[tuple[list[Fraction], str, Fraction]] = []
    for k, name in enumerate(names):
        low, high = program.low[k], program.high[k]
        if np.isfinite(low):
            start[k] = exactly(low)
            columns.append((k, 1, name if low == 0 else f"{name}′"))
            if np.isfinite(high):
                extra.append(([Fraction(int(j == k)) for j in range(n)], "<=", exactly(high)))
        elif np.isfinite(high):
            start[k] = exactly(high)
            columns.append((k, -1, f"{name}′"))
        else:
            columns += [(k, 1, f"{name}⁺"), (k, -1, f"{name}⁻")]
    rows = []
    for coefficients, low, high in zip(program.rows, program.row_low, program.row_high, strict=True):
        exact = [exactly(value) for value in coefficients]
        if low == high:
            rows.append((exact, "=", exactly(high)))
        elif np.isfinite(high):
            rows.append((exact, "<=", exactly(high)))
        else:
            rows.append((exact, ">=", exactly(low)))
    rows += extra
    if len(rows) > 2 * LARGEST_TABLEAU:
        return None
    cost = [exactly(value) for value in program.cost]
    sign = -1 if program.maximise else 1
    constant = exactly(program.constant) + sum((c * s for c, s in zip(cost, start, strict=True)), ZERO)
    labels = [label for _, _, label in columns]
    table: list[list[Fraction]] = []
    kinds: list[str] = []
    for coefficients, op, side in rows:
        line = [side_ * coefficients[k] for k, side_, _ in columns]
        right = side - sum((c * s for c, s in zip(coefficients, start, strict=True)), ZERO)
        if right < 0:
            line, right, op = [-v for v in line], -right, {"<=": ">=", ">=": "<=", "=": "="}[op]
        table.append([*line, right])
        kinds.append(op)
    width = len(columns)
    basis: list[int] = []
    artificial: set[int] = set()
    for row, op in enumerate(kinds):
        for mark, value in (("s", 1 if op == "<=" else -1), ("a", 1)):
            if (mark == "s" and op == "=") or (mark == "a" and op == "<="):
                continue
            for other, line in enumerate(table):
                line.insert(width, Fraction(value) if other == row else ZERO)
            labels.append(f"{mark}{row + 1}")
            if mark == "a":
                artificial.add(width)
            if value == 1:
                held = width
            width += 1
        basis.append(held)
    target = [sign * side_ * cost[k] for k, side_, _ in columns] + [ZERO] * (width - len(columns))
    made: list[Pivot] = []
    phases = [[Fraction(int(k in artificial)) for k in range(width)], target] if artificial else [target]
    for phase, goal in enumerate(phases):
        first = phase < len(phases) - 1
        while True:
            reduced = [
                goal[k] - sum((goal[basis[r]] * table[r][k] for r in range(len(table))), ZERO) for k in range(width)
            ]
            here = sum((target[basis[r]] * table[r][-1] for r in range(len(table))), ZERO)
            shown = (
                None
                if any(b in artificial and table[r][-1] != 0 for r, b in enumerate(basis))
                else sign * here + constant
            )
            if not made:
                made.append(Pivot(0, None, None, None, None, shown, _basis(labels, basis, table)))
            choices = [k for k in range(width) if reduced[k] < 0 and (k not in artificial)]
            if not choices:
                break
            # The most negative one; after many steps Bland's rule, which cannot cycle.
            enters = min(choices, key=lambda k: reduced[k]) if len(made) < 30 else choices[0]
            ratios = [(table[r][-1] / table[r][enters], basis[r], r) for r in range(len(table)) if table[r][enters] > 0]
            if not ratios:
                return None
            ratio, left, row = min(ratios)
            _pivot(table, row, enters)
            basis[row] = enters
            here = sum((target[basis[r]] * table[r][-1] for r in range(len(table))), ZERO)
            shown = (
                None
                if any(b in artificial and table[r][-1] != 0 for r, b in enumerate(basis))
                else sign * here + constant
            )
            made.append(
                Pivot(
                    len(made),
                    labels[enters],
                    labels[left],
                    sign * reduced[enters] if not first else reduced[enters],
                    ratio,
                    shown,
                    _basis(labels, basis, table),
                )
            )
            if len(made) > MOST_STEPS or max(len(str(value.denominator)) for value in table[row]) > 12:
                return None
        if first:
            if any(b in artificial and table[r][-1] != 0 for r, b in enumerate(basis)):
                return None
            _drive_out(table, basis, artificial, width)
    return made


def _pivot(table: list[list[Fraction]], row: int, column: int) -> None:
    head = table[row][column]
    table[row] = [value / head for value in table[row]]
    for other, line in enumerate(table):
        if other != row and line[column] != 0:
            factor = line[column]
            table[other] = [value - factor * top for value, top in zip(line, table[row], strict=True)]


def _drive_out(table: list[list[Fraction]], basis: list[int], artificial: set[int], width: int) -> None:
    """An artificial variable left in the basis at 0 makes room for any other, so that it cannot grow again."""
    for row, held in enumerate(basis):
        if held in artificial:
            other = next((k for k in range(width) if k not in artificial and table[row][k] != 0), None)
            if other is not None:
                _pivot(table, row, other)
                basis[row] = other


def _basis(labels: list[str], basis: list[int], table: list[list[Fraction]]) -> list[tuple[str, Fraction]]:
    return [(labels[b], table[r][-1]) for r, b in enumerate(basis)]
