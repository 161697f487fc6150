"""Two measurements of the same cases: their correlation, and standardised mean differences."""

from __future__ import annotations

import numpy as np

from hengxi.stats.effect_size import Effect, hedges_g
from hengxi.stats.moments import Moments
from hengxi.stats.two_groups import tail


def paired_r(a: Moments, b: Moments, difference: Moments) -> tuple[float | None, float | None]:
    """Pearson's r from the three standard deviations, and its p; None where one measurement does not vary."""
    if a.sd == 0 or b.sd == 0:
        return None, None
    ratio, share = a.sd / b.sd, difference.sd / a.sd * (difference.sd / b.sd)
    r = min(1.0, max(-1.0, (ratio + 1 / ratio - share) / 2))
    if a.n < 3:
        return r, None
    if abs(r) > 1 - 1e-15:
        return r, 0.0
    return r, tail(r * float(np.sqrt((a.n - 2) / ((1 - r) * (1 + r)))), a.n - 2, "two_sided")


def standardised(dz: Effect, a: Moments, b: Moments, difference: Moments, r: float | None) -> dict[str, Effect | None]:
    """d_z, d_av, d_rm (Lakens 2013), and g from d_av; intervals of the last three are d_z's in proportion."""

    def scaled(factor: float) -> Effect:
        return Effect(dz.value * factor, dz.low * factor, dz.high * factor)

    average = (a.sd + b.sd) / 2
    dav = scaled(difference.sd / average) if average > 0 else None
    drm = scaled(float(np.sqrt(2 * (1 - r)))) if r is not None else None
    return {"dz": dz, "dav": dav, "drm": drm, "hedges_g": hedges_g(dav, difference.n - 1) if dav else None}
