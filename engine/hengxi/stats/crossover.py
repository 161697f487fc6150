"""Crossover designs: periods and treatments within subjects, sequences between them.

Subjects are complete, so what is within a subject is what its mean leaves over; subjects never become columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from hengxi.stats.linear_design import coding
from hengxi.stats.moments import Floats


class Confounded(Exception):  # noqa: N818  (a finding about the data)
    """Treatments cannot be told from periods."""


@dataclass(frozen=True, slots=True)
class Source:
    """Sum of squares with its F against an error; p None where there is no error to test against."""

    ss: float
    df: float
    error: float = 0.0
    df_error: float = 0.0

    @property
    def F(self) -> float | None:  # noqa: N802
        return (self.ss / self.df) / (self.error / self.df_error) if self.error > 0 and self.df > 0 else None

    @property
    def p(self) -> float | None:
        return None if self.F is None else float(special.fdtrc(self.df, self.df_error, self.F))


@dataclass
class Crossover:
    """`y`: subjects × periods; `treatment`: codes of the same shape; `sequence`: a code a subject."""

    y: Floats
    treatment: np.ndarray
    sequence: np.ndarray

    def __post_init__(self) -> None:
        n, k = self.y.shape
        self.n, self.k = n, k
        self.t = int(self.treatment.max()) + 1
        self.groups = np.bincount(self.sequence)
        self.parts = {
            "period": np.tile(coding(k), (n, 1, 1)),
            "treatment": coding(self.t)[self.treatment],
        }
        self.middle = self.y.mean(axis=1)
        self.inner = self.y - self.middle[:, None]
        self.beta, self.unscaled, self.error = self._fit(["period", "treatment"])
        self.df = float(n * (k - 1) - self.beta.size)
        self.between()

    def _columns(self, names: list[str]) -> Floats:
        made = np.concatenate([self.parts[name] for name in names], axis=2)
        return np.asarray((made - made.mean(axis=1, keepdims=True)).reshape(self.n * self.k, -1))

    def _fit(self, names: list[str]) -> tuple[Floats, Floats, float]:
        x, y = self._columns(names), self.inner.reshape(-1)
        q, r = np.linalg.qr(x)
        if x.shape[0] < x.shape[1] or (np.abs(np.diag(r)) < 1e-9 * np.sqrt((x**2).sum(axis=0)).max()).any():
            raise Confounded
        inverse = np.linalg.solve(r, np.eye(r.shape[0]))
        beta = inverse @ (q.T @ y)
        rest = y - q @ (q.T @ y)
        return np.asarray(beta), np.asarray(inverse @ inverse.T), float(rest @ rest)

    def _adjusted(self, name: str, names: list[str]) -> Source:
        """`name` beside the others of `names`."""
        others = [one for one in names if one != name]
        _, _, full = self._fit(names)
        less = self._fit(others)[2] if others else float((self.inner**2).sum())
        width = self.parts[name].shape[2]
        df = self.n * (self.k - 1) - sum(self.parts[one].shape[2] for one in names)
        return Source(max(less - full, 0.0), width, full, df)

    @property
    def period(self) -> Source:
        return self._adjusted("period", ["period", "treatment"])

    @property
    def treated(self) -> Source:
        return self._adjusted("treatment", ["period", "treatment"])

    def between(self) -> None:
        """Sequences against subjects within them, and these against the error within subjects."""
        means = np.bincount(self.sequence, self.middle) / self.groups
        apart = self.middle - means[self.sequence]
        grand = float(self.middle.mean())
        g = self.groups.size
        inside = self.k * float(apart @ apart)
        ss = self.k * float(self.groups @ (means - grand) ** 2)
        self.sequences = Source(ss, g - 1, inside, self.n - g)
        self.subjects = Source(inside, self.n - g, self.error, self.df)

    def carryover(self) -> Source | None:
        """Of the treatment of the period before, as a factor; None where it cannot be told (as in 2 × 2 designs)."""
        before = np.zeros((self.n, self.k, self.t - 1))
        before[:, 1:] = coding(self.t)[self.treatment[:, :-1]]
        self.parts["carry"] = before
        try:
            found = self._adjusted("carry", ["period", "treatment", "carry"])
        except Confounded:
            return None
        return found if found.df_error > 0 else None

    def _place(self) -> tuple[Floats, Floats]:
        """Weights of subjects (sequences alike), and their average of what is coded."""
        weight = 1 / (self.groups.size * self.groups[self.sequence])
        shift = weight @ self.parts["treatment"].mean(axis=1)
        return weight, np.asarray(shift)

    def mean(self, code: int) -> tuple[float, float]:
        """Least-squares mean of a treatment with its standard error; subjects are fixed, sequences count alike."""
        weight, shift = self._place()
        row = np.concatenate([np.zeros(self.k - 1), coding(self.t)[code] - shift])
        variance = float(weight @ weight) / self.k + float(row @ self.unscaled @ row)
        return float(weight @ self.middle + row @ self.beta), float(np.sqrt(self.error / self.df * variance))

    def difference(self, first: int, second: int) -> tuple[float, float]:
        codes = coding(self.t)
        row = np.concatenate([np.zeros(self.k - 1), codes[first] - codes[second]])
        return float(row @ self.beta), float(np.sqrt(self.error / self.df * float(row @ self.unscaled @ row)))

    @property
    def residuals(self) -> Floats:
        return np.asarray(self.inner.reshape(-1) - self._columns(["period", "treatment"]) @ self.beta)
