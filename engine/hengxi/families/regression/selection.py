"""Stepwise choice of the terms of a regression, by likelihood ratio (forward, backward) or by AIC."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scipy import stats

from hengxi.contract import Refusal, SetRemedy
from hengxi.stats.design import Design

Likelihood = Callable[[list[int]], float]
"""The maximised log-likelihood of a model with these columns of the design beside the constant."""


@dataclass(frozen=True, slots=True)
class Step:
    number: int
    action: str
    term: str
    chi2: float
    df: int
    p: float
    aic: float


class _Chooser:
    """Each set of terms fitted once."""

    def __init__(self, terms: list[tuple[int, ...]], design: Design, likelihood: Likelihood) -> None:
        self.terms, self.fitted = terms, likelihood
        self.columns = [term.columns for term in design.terms]
        self.names = [term.name for term in design.terms]
        self.known: dict[frozenset[int], float] = {}

    def likelihood(self, held: frozenset[int]) -> float:
        if held not in self.known:
            self.known[held] = self.fitted(sorted(j for i in held for j in self.columns[i]))
        return self.known[held]

    def size(self, i: int) -> int:
        return len(self.columns[i])

    def aic(self, held: frozenset[int]) -> float:
        return 2 * (1 + sum(self.size(i) for i in held)) - 2 * self.likelihood(held)

    def may_enter(self, held: frozenset[int]) -> list[int]:
        """Terms whose parts are all in (an interaction needs its main effects, where they are among the terms)."""
        return [
            i
            for i in range(len(self.terms))
            if i not in held and all(j in held for j in range(len(self.terms)) if j != i and self._part_of(j, i))
        ]

    def may_leave(self, held: frozenset[int]) -> list[int]:
        return [i for i in sorted(held) if not any(self._part_of(i, j) for j in held if j != i)]

    def _part_of(self, i: int, j: int) -> bool:
        one, other = self.terms[i], self.terms[j]
        return len(one) < len(other) and all(one.count(k) <= other.count(k) for k in one)

    def test(self, held: frozenset[int], i: int) -> tuple[float, int, float]:
        """Likelihood ratio of term i, between the set with it and without."""
        chi2 = max(0.0, 2 * (self.likelihood(held | {i}) - self.likelihood(held - {i})))
        return chi2, self.size(i), float(stats.chi2.sf(chi2, self.size(i)))


def selected(
    form: Any, terms: list[tuple[int, ...]], design: Design, likelihood: Likelihood
) -> tuple[list[tuple[int, ...]], list[Step]]:
    """The terms that stay and the steps that led there; `design` holds all of `terms`.

    `form` has `method` (forward_lr, backward_lr, step_aic), `p_enter` and `p_remove`.

    Raises `Refusal` where no term stays.
    """
    _refuse_circle(form)
    chooser = _Chooser(terms, design, likelihood)
    held = frozenset[int]() if form.method == "forward_lr" else frozenset(range(len(terms)))
    steps: list[Step] = []
    seen = {held}
    while (move := _move(form, chooser, held)) is not None:
        i, action = move
        chi2, df, p = chooser.test(held, i)
        then = held | {i} if action == "进入" else held - {i}
        if then in seen:
            break
        seen.add(then)
        held = then
        steps.append(Step(len(steps) + 1, action, chooser.names[i], chi2, df, p, chooser.aic(held)))
    if not held:
        raise Refusal(
            "data.none_chosen",
            "逐步选择后没有自变量留在模型里，没有可报告的模型；可改为全部进入",
            field="method",
            remedies=[SetRemedy(title="全部进入", set={"method": "enter"})],
        )
    return [terms[i] for i in sorted(held)], steps


def _refuse_circle(form: Any) -> None:
    """What enters at a p it is removed for would go in and out for ever."""
    if form.method != "forward_lr" or form.p_remove >= form.p_enter:
        return
    raise Refusal(
        "data.circle",
        "“剔除p值”（{out}）不能小于“进入p值”（{into}），否则刚进入的自变量又会被剔除",
        field="p_remove",
        also=["p_enter"],
        out=form.p_remove,
        into=form.p_enter,
        remedies=[SetRemedy(title=f"剔除p值改为 {form.p_enter:g}", set={"p_remove": form.p_enter})],
    )


def _move(form: Any, chooser: _Chooser, held: frozenset[int]) -> tuple[int, str] | None:
    """The next step, or none: out before in."""
    out, into = chooser.may_leave(held), chooser.may_enter(held)
    if form.method == "step_aic":
        now = chooser.aic(held)
        ways = [(chooser.aic(held - {i}), i, "剔除") for i in out] + [
            (chooser.aic(held | {i}), i, "进入") for i in into
        ]
        best = min(ways, default=None)
        return None if best is None or best[0] >= now - 1e-7 else (best[1], best[2])
    tests = [(chooser.test(held, i)[2], i) for i in out]
    worst = max(tests, default=None)
    if worst is not None and worst[0] > form.p_remove:
        return worst[1], "剔除"
    if form.method == "backward_lr":
        return None
    tests = [(chooser.test(held, i)[2], i) for i in into]
    best_in = min(tests, default=None)
    return (best_in[1], "进入") if best_in is not None and best_in[0] < form.p_enter else None
