"""Correspondence analysis of a table of counts (Greenacre 1984): the SVD of its standardised residuals.

Also of indicator and Burt matrices (multiple correspondence analysis). Signs: in each dimension the row category with
the largest absolute coordinate is positive.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hengxi.stats.moments import Floats

RANK = 1e-11


@dataclass(frozen=True)
class Correspondence:
    """`rows`, `columns`: standard coordinates (categories × dimensions), weighted mean 0 and variance 1; `singular`:
    singular values, those of 0 left out."""

    row_mass: Floats
    column_mass: Floats
    singular: Floats
    rows: Floats
    columns: Floats
    residuals: Floats
    """Standardised residuals, (p − rc)/√(rc)."""

    @property
    def inertia(self) -> Floats:
        return self.singular**2

    @cached_property
    def total(self) -> float:
        """Of all dimensions: χ²/n."""
        return float((self.residuals**2).sum())

    @property
    def row_principal(self) -> Floats:
        return self.rows * self.singular

    @property
    def column_principal(self) -> Floats:
        return self.columns * self.singular

    def side(self, of_rows: bool) -> Side:
        mass, standard = (self.row_mass, self.rows) if of_rows else (self.column_mass, self.columns)
        own = (self.residuals**2).sum(axis=1 if of_rows else 0)
        principal = standard * self.singular
        distance = own / mass
        safe = np.where(distance > 0, distance, 1.0)
        return Side(mass, standard, principal, own, mass[:, None] * standard**2, principal**2 / safe[:, None])

    def project(self, counts: Floats, of_rows: bool) -> Side:
        """Supplementary categories (one a row of `counts`, against the active ones of the other side)."""
        other, centre = (self.columns, self.column_mass) if of_rows else (self.rows, self.row_mass)
        profiles = counts / counts.sum(axis=1, keepdims=True)
        principal = profiles @ other
        distance = ((profiles - centre) ** 2 / centre).sum(axis=1)
        safe = np.where(distance > 0, distance, 1.0)
        standard = principal / self.singular
        empty = np.full(len(counts), np.nan)
        return Side(empty, standard, principal, empty, np.full_like(principal, np.nan), principal**2 / safe[:, None])


@dataclass(frozen=True)
class Side:
    """Of the categories of one variable; `contribution` to a dimension, `cos2`: how much of a category it shows."""

    mass: Floats
    standard: Floats
    principal: Floats
    inertia: Floats
    contribution: Floats
    cos2: Floats


def correspondence(table: Floats) -> Correspondence:
    """`table`: counts ≥ 0 without an empty row or column."""
    p = table / table.sum()
    r, c = p.sum(axis=1), p.sum(axis=0)
    residuals = (p - np.outer(r, c)) / np.sqrt(np.outer(r, c))
    u, singular, vt = np.linalg.svd(residuals, full_matrices=False)
    k = int((singular > RANK * max(1.0, float(singular[0]))).sum()) if singular.size else 0
    k = min(k, min(table.shape) - 1)
    rows, columns = u[:, :k] / np.sqrt(r)[:, None], vt[:k].T / np.sqrt(c)[:, None]
    signs = sign_of(rows * singular[:k])
    return Correspondence(r, c, singular[:k], rows * signs, columns * signs, residuals)


def sign_of(coordinates: Floats) -> Floats:
    """1 or −1 for each dimension, so that the largest absolute coordinate is positive (the first of those that tie)."""
    size = np.round(np.abs(coordinates), 10)
    at = size.argmax(axis=0)
    signs: Floats = np.sign(coordinates[at, np.arange(coordinates.shape[1])])
    return np.where(signs == 0, 1.0, signs)


# ---- adjusted inertias of multiple correspondence analysis ---------------------------------------------------------
def adjusted_inertia(burt: Floats, questions: int, categories: int, how: str) -> tuple[Floats, Floats]:
    """Of the inertias of the indicator matrix above 1/Q: Benzécri (1979) as shares of their sum, Greenacre (1993) as
    shares of the mean off-diagonal inertia of the Burt matrix. Gives the adjusted inertias and their shares."""
    q = questions
    held = burt[burt > 1 / q + 1e-12]
    adjusted = ((q / (q - 1)) * (held - 1 / q)) ** 2
    if how == "benzecri":
        return adjusted, adjusted / adjusted.sum() if adjusted.size else adjusted
    mean = q / (q - 1) * (float((burt**2).sum()) - (categories - q) / q**2)
    return adjusted, adjusted / mean
