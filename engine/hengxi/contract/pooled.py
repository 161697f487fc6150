"""What Rubin's rules can pool of a result: estimates with standard errors, tests of several at once, shares explained.

A method with `pool = True` gives them beside its tables; on one table they are not looked at, on the copies of a
multiple imputation they are all that is read (hengxi.pooling).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from .columns import Floats

Side = Literal["two_sided", "greater", "less"]


@dataclass(kw_only=True)
class Estimate:
    """`of`: id of the table that shows it. `df`: of the complete data, None where the normal distribution is used."""

    of: str
    quantity: str
    name: str
    value: float
    se: float
    df: float | None
    null: float
    tested: bool
    read: bool
    ratio: str | None
    side: Side
    level: float
    holm: bool
    variable: str | None = None


@dataclass(kw_only=True)
class Joint:
    """All `values` are 0 together. `names` tell whether two copies speak of the same; covariance k × k."""

    of: str
    name: str
    names: tuple[str, ...]
    values: Floats
    covariance: Floats
    df: float
    read: bool
    variable: str | None = None


@dataclass(kw_only=True)
class Explained:
    """A share of variance, an R², of `n` cases."""

    of: str
    name: str
    value: float
    n: float
    level: float
    variable: str | None = None


class Estimates:
    """Mixed into `Report`."""

    def __init__(self) -> None:
        super().__init__()
        self.estimates: list[Estimate] = []
        self.joints: list[Joint] = []
        self.shares: list[Explained] = []

    def estimate(
        self,
        of: Any,
        quantity: str,
        name: str,
        value: float,
        se: float,
        df: float | None,
        *,
        level: float,
        null: float = 0.0,
        side: str = "two_sided",
        tested: bool = True,
        read: bool = True,
        ratio: str | None = None,
        holm: bool = False,
    ) -> None:
        """`estimate(cls.result, "均值差", "男 − 女", 1.2, 0.4, 38, level=.95)`; `name` is what it is an estimate of.

        `null`: what it is tested against, unless `tested` is false. `read`: the conclusion speaks of it. `ratio`: what
        its exponential is called ("OR"). `holm`: one of several comparisons whose *p* are corrected together.
        """
        held = Estimate(
            of=of.id, quantity=quantity, name=name, value=float(value), se=float(se), df=df, null=null, tested=tested,
            read=read and tested, ratio=ratio, side=cast(Side, side), level=level,
            holm=holm,
        )  # fmt: skip
        self.estimates.append(held)

    def joint(
        self,
        of: Any,
        name: str,
        names: Sequence[str],
        values: Floats,
        covariance: Floats,
        df: float,
        read: bool = False,
    ) -> None:
        """A test that several values are 0 together, e.g. all slopes of a regression."""
        held = Joint(
            of=of.id, name=name, names=tuple(names), values=values, covariance=covariance, df=float(df), read=read
        )
        self.joints.append(held)

    def explained(self, of: Any, name: str, value: float, n: float, level: float) -> None:
        self.shares.append(Explained(of=of.id, name=name, value=float(value), n=float(n), level=level))

    def absorb_estimates(self, other: Estimates, variable: str) -> None:
        """Those of one variable of an `each` role."""
        given: list[Estimate | Joint | Explained] = [*other.estimates, *other.joints, *other.shares]
        for one in given:
            one.variable = variable
        self.estimates += other.estimates
        self.joints += other.joints
        self.shares += other.shares
