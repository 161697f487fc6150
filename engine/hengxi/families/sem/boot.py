"""Bootstrap intervals of effects: rows drawn again, the model fitted again from the solution of the sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hengxi.contract import Refusal, Report, SetRemedy, Table
from hengxi.stats.moments import Floats
from hengxi.stats.structural.fit import Unconverged, complete

from .study import Study

LEAST = 100
"""Fewer samples give no limits of a 95 % interval."""


def intervals(
    report: Report, study: Study, pairs: Sequence[tuple[int, int]], form: Any
) -> dict[tuple[tuple[int, int], str], tuple[float, float]]:
    """Percentile limits of indirect and total effects. 停止并保留 keeps what has been drawn."""
    sample, layout = study.samples[0], study.model.layouts[0]
    if study.names:
        raise Refusal(
            "data.bootstrap", "分组时不做 Bootstrap：间接效应已有标准误；需要区间时请不分组，或用筛选逐组做",
            field="n_boot", also=["group"],
            remedies=[SetRemedy(title="不做 Bootstrap", set={"n_boot": None}),
                      SetRemedy(title="不分组", set={"group": None})],
        )  # fmt: skip
    if study.ordinal:
        raise Refusal(
            "data.bootstrap", "Bootstrap 只用于把题项当作数值的估计方法；WLSMV 与 DWLS 请不做 Bootstrap"
            "（间接效应已有标准误），或改用 MLR", field="n_boot", also=["estimator"],
            remedies=[SetRemedy(title="不做 Bootstrap", set={"n_boot": None}),
                      SetRemedy(title="改用 MLR", set={"estimator": "mlr"})],
        )  # fmt: skip
    if not sample.complete:
        raise Refusal(
            "data.missing", "Bootstrap 只用于没有缺失的答卷；缺失处理选 FIML 时请不做 Bootstrap，或改用整行剔除",
            field="n_boot", remedies=[SetRemedy(title="改用整行剔除", set={"missing": "listwise"}),
                                      SetRemedy(title="不做 Bootstrap", set={"n_boot": None})],
        )  # fmt: skip
    rows = sample.rows[np.lexsort(sample.rows.T)]  # the order of the rows must not decide what is drawn
    sources, targets = np.array(pairs).T
    units = study.scale.all(study.print)
    unit = units[targets] / units[sources]
    drawn: list[Floats] = []
    failed = 0
    for time in range(form.n_boot):
        if time % 20 == 0 and not form.progress(time, form.n_boot, f"第 {time}/{form.n_boot} 次 Bootstrap"):
            if len(drawn) < LEAST:
                continue
            report.warn(
                "model.stopped", "Bootstrap 提前停止：区间只用了 {k:integer} 次，原定 {of:integer} 次。",
                k=len(drawn), of=form.n_boot,
            )  # fmt: skip
            break
        again = complete(rows[form.rng.integers(0, len(rows), len(rows))])
        try:
            theta = study.kernel.estimate(study.model, [again], study.fit.theta, polish=False).theta
        except (Unconverged, np.linalg.LinAlgError):
            failed += 1
            continue
        state = layout.at(theta)
        total = state.total
        drawn.append(np.concatenate(((total - state.a)[targets, sources] * unit, total[targets, sources] * unit)))
    if len(drawn) < LEAST:
        report.warn("model.bootstrap", "Bootstrap 中能收敛的不足 {k:integer} 次，没有给出区间。", k=LEAST)
        return {}
    if failed:
        report.warn("model.bootstrap", "{failed:integer} 次 Bootstrap 没有收敛，未计入区间。", failed=failed)
    low, high = np.quantile(np.array(drawn), [0.025, 0.975], axis=0)
    k = len(pairs)
    return {
        (pair, kind): (float(low[i + shift]), float(high[i + shift]))
        for shift, kind in ((0, "间接"), (k, "总"))
        for i, pair in enumerate(pairs)
    }


def write_effects(report: Report, table: Table, study: Study, pairs: Sequence[tuple[int, int]], form: Any) -> None:
    """Two rows a pair: what goes over others, and all of it."""
    bounds = intervals(report, study, pairs, form) if form.n_boot else {}
    for group, at in study.places:
        _write(report, table, study, pairs, bounds, group, at)


def _write(
    report: Report,
    table: Table,
    study: Study,
    pairs: Sequence[tuple[int, int]],
    bounds: dict[tuple[tuple[int, int], str], tuple[float, float]],
    group: int,
    at: str | None,
) -> None:
    both = zip(pairs, study.effects("indirect", pairs, group), study.effects("total", pairs, group), strict=True)
    for pair, indirect, total in both:
        name = f"{study.print.title(pair[0])} → {study.print.title(pair[1])}"
        for kind, one in (("间接", indirect), ("总", total)):
            low, high = bounds.get((pair, kind), (None, None))
            report.row(
                table, at=at, path=name, kind=kind, b=one.b, se=one.se, z=one.z, p=one.p, standard=one.standard,
                low=low, high=high,
            )  # fmt: skip
