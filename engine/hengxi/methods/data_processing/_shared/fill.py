"""Gaps of one series filled from its own values: from the neighbours in order, or drawn."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.interpolate import CubicSpline

from hengxi.contract.columns import Floats

Bools = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]


def last_seen(gone: Bools) -> Places:
    """For each cell the place of the last one with a value up to it, −1 where there is none."""
    place: Places = np.maximum.accumulate(np.where(gone, -1, np.arange(len(gone))))
    return place


def carried(gone: Bools, backward: bool) -> Places:
    """Where each gap's value comes from, forward or backward; −1 where nothing precedes (follows)."""
    if not backward:
        return last_seen(gone)
    place = last_seen(gone[::-1])[::-1]
    found: Places = np.where(place < 0, -1, len(gone) - 1 - place)
    return found


def _points(at: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Known points in order, equal places averaged."""
    known = ~np.isnan(y) & ~np.isnan(at)
    places, owner = np.unique(at[known], return_inverse=True)
    counts = np.bincount(owner, minlength=len(places))
    return places, np.bincount(owner, y[known], minlength=len(places)) / np.maximum(counts, 1)


def linear(at: Floats, y: Floats) -> Floats:
    """Straight lines between neighbours; nothing before the first and after the last."""
    x, v = _points(at, y)
    return _inside(at, x, np.interp(at, x, v)) if len(x) > 1 else _none(at)


def spline(at: Floats, y: Floats) -> Floats:
    """A natural cubic spline through the known points, not continued beyond them."""
    x, v = _points(at, y)
    if len(x) < 3:
        return linear(at, y)
    # One unit for the places and one for the values: extreme magnitudes would end in infinities.
    width, height = x[-1] - x[0], float(np.abs(v).max()) or 1.0
    curve = CubicSpline((x - x[0]) / width, v / height, bc_type="natural")
    return _inside(at, x, curve((at - x[0]) / width) * height)


def polynomial(at: Floats, y: Floats, degree: int) -> Floats:
    """The polynomial through the `degree` + 1 nearest neighbours of each gap, some on either side (ties: the earlier).

    With points of one side only it would be continued beyond them, also in the middle of the series.
    """
    x, v = _points(at, y)
    out = _none(at)
    if len(x) <= degree:
        return out
    for i in np.flatnonzero(np.isnan(y) & (at >= x[0]) & (at <= x[-1])):
        after = min(max(int(np.searchsorted(x, at[i])), 1), len(x) - 1)
        starts = np.arange(max(after - degree, 0), min(after, len(x) - degree))
        reach = np.maximum(at[i] - x[starts], x[starts + degree] - at[i])
        near = starts[np.argmin(reach)] + np.arange(degree + 1)
        unit = float(np.abs(x[near] - at[i]).max()) or 1.0
        places = (x[near] - at[i]) / unit
        total = 0.0
        for j in range(degree + 1):
            rest = np.delete(places, j)
            total += v[near][j] * float(np.prod(-rest / (places[j] - rest)))
        out[i] = total
    return out


def nearby(at: Floats, y: Floats, span: int) -> Floats:
    """The mean of up to `span` known values on each side."""
    order = np.argsort(at, kind="stable")
    sorted_y = y[order]
    known = np.flatnonzero(~np.isnan(sorted_y))
    out = _none(at)
    if not len(known):
        return out
    for place in np.flatnonzero(np.isnan(sorted_y) & ~np.isnan(at[order])):
        i = int(np.searchsorted(known, place))
        around = known[max(i - span, 0) : i + span]
        out[order[place]] = float(sorted_y[around].mean())
    return out


def _inside(at: Floats, x: Floats, values: Floats) -> Floats:
    found: Floats = np.where((at >= x[0]) & (at <= x[-1]), values, np.nan)
    return found


def _none(at: Floats) -> Floats:
    return np.full(len(at), np.nan)
