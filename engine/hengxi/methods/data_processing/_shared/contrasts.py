"""Codes of k categories as rows of a matrix (k × columns), as R's contrast functions give them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from hengxi.contract.columns import Floats

WITH_REFERENCE = ("dummy", "effect")


def contrasts(coding: str, k: int, reference: int) -> Floats:
    """`reference`: place of the reference level, for dummy and effect coding only."""
    match coding:
        case "onehot":
            return np.eye(k)
        case "dummy":
            return np.delete(np.eye(k), reference, axis=1)
        case "effect":
            codes = np.delete(np.eye(k), reference, axis=1)
            codes[reference] = -1.0
            return codes
        case "helmert":
            codes = np.zeros((k, k - 1))
            for j in range(k - 1):
                codes[: j + 1, j], codes[j + 1, j] = -1.0, j + 1.0
            return codes
        case "difference":
            places = np.arange(1, k)
            upper = np.arange(k)[:, None] < places[None, :]
            return np.where(upper, -(k - places) / k, places / k)
        case "orthogonal":
            return _polynomials(k)
        case _:
            bits = math.ceil(math.log2(k + 1))
            numbers = np.arange(1, k + 1)
            return np.column_stack([(numbers >> (bits - 1 - j)) & 1 for j in range(bits)]).astype(np.float64)


def _polynomials(k: int) -> Floats:
    """contr.poly: orthonormal polynomials on 1 … k without the constant; the last level is positive."""
    x = np.arange(k) - (k - 1) / 2
    done = [np.full(k, 1 / math.sqrt(k))]
    for _ in range(1, k):
        fresh = x * done[-1]
        for _ in range(2):  # Twice, so that no digit of orthogonality is lost for many levels.
            for one in done:
                fresh = fresh - np.dot(one, fresh) * one
        done.append(fresh / math.sqrt(float(np.dot(fresh, fresh))))
    return np.column_stack(done[1:])


def names_of(coding: str, labels: list[str], reference: int) -> list[str]:
    """What stands behind the prefix in the name of each column."""
    k = len(labels)
    match coding:
        case "onehot":
            return labels
        case "dummy" | "effect":
            return [label for i, label in enumerate(labels) if i != reference]
        case "helmert":
            return [f"{label}对前面" for label in labels[1:]]
        case "difference":
            return [f"{after}减{before}" for before, after in pairwise(labels)]
        case "orthogonal":
            words = ("一次", "二次", "三次")
            return [words[j] if j < 3 else f"{j + 1}次" for j in range(k - 1)]
        case _:
            return [f"位{j + 1}" for j in range(math.ceil(math.log2(k + 1)))]
