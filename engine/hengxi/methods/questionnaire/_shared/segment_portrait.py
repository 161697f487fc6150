"""What the report of a segmentation shows and says."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import Report, SetRemedy, figure
from hengxi.contract.shapes import State
from hengxi.methods.questionnaire._shared.segment_model import METHODS, Model, Variable
from hengxi.stats.contingency import pearson
from hengxi.stats.moments import Floats
from hengxi.stats.partition import Codes
from hengxi.stats.segments import discriminant
from hengxi.stats.thin import thin

MARKED, STABLE, GOOD, WEAK, STRONG, SHOWN, DRAWN = 0.5, 0.6, 0.75, 0.25, 0.5, 12, 1000


Marks = dict[tuple[str, bool], Floats]
"""By what it is called, and whether it is a number."""


def write(report: Report, cls: Any, form: Any, model: Model) -> None:
    marks = _marks(model)
    titles = [_title(marks, g) for g in range(model.k)]
    _sizes(report, cls, model, titles)
    _portrait(report, cls, model)
    _figures(report, cls, model, marks)
    _choosing(report, cls, form, model)
    _latent(report, cls, model)
    if model.loadings is not None:
        for name, row in zip(model.factor_names, model.loadings, strict=True):
            report.row(cls.loadings, name=name, wide={f"因子{j + 1}": {"loading": v} for j, v in enumerate(row)})
    told = _rule(report, cls, model)
    _save(report, cls, model)
    _words(report, model, titles, told)


def _marks(model: Model) -> Marks:
    """How far each segment lies from all, in standard deviations: numbers, and shares of the levels."""
    found: Marks = {}
    labels, k = model.labels, model.k
    for one in model.basis:
        columns = {(one.name, True): one.values} if one.levels is None else {
            (f"{one.name}“{level}”", False): one.marks[:, i] for i, level in enumerate(one.levels)
        }  # fmt: skip
        for name, x in columns.items():
            sd = float(x.std(ddof=1 if one.levels is None else 0))
            found[name] = np.array([(x[labels == g].mean() - x.mean()) / sd for g in range(k)])
    return found


def _title(marks: Marks, g: int) -> str:
    """Up to two marks of half a standard deviation or more."""
    words = []
    for name, is_number in sorted(marks, key=lambda one: -abs(round(float(marks[one][g]), 9)))[:6]:
        value = float(marks[name, is_number][g])
        if abs(value) >= MARKED and (value > 0 or is_number):
            words.append(("高" if value > 0 else "低") + name if is_number else name)
    return " · ".join(words[:2]) + "型" if words else "接近总体型"


def _sizes(report: Report, cls: Any, model: Model, titles: list[str]) -> None:
    sample = thin(model.n, most=len(model.widths)) if model.widths.size < model.n else np.arange(model.n)
    for g, name in enumerate(model.names):
        n = int(model.chosen.found.sizes[g])
        width = model.widths[model.labels[sample][: model.widths.size] == g]
        report.row(
            cls.sizes, name=name, n=n, share=n / model.n, suggested=titles[g],
            width=float(width.mean()) if width.size else None,
        )  # fmt: skip
    report.note(cls.sizes, "命名建议取与总体相差半个标准差以上、相差最多的两项，请按含义改写。")


def _portrait(report: Report, cls: Any, model: Model) -> None:
    whole = np.arange(model.n)
    every = [*((one, whole) for one in model.basis), *model.profile]
    for one, rows in every:
        (_mean_row if one.levels is None else _share_rows)(report, cls, model, one, model.labels[rows])
    note = "细分变量的检验只作描述：类就是按它们分的。"
    for table, kind in ((cls.means, "数值变量"), (cls.shares, "类别变量")):
        held = [one for one, _ in every if (one.levels is None) == (table is cls.means)]
        if not held:
            report.skip(table, f"没有{kind}")
            continue
        if any(one.basis for one in held):
            report.note(table, note)
        report.note(table, "指数以总体为 100，超过 120 或低于 80 的值得注意。")


def _use(one: Variable) -> str:
    return "细分" if one.basis else "描述"


def _mean_row(report: Report, cls: Any, model: Model, one: Variable, labels: Codes) -> None:
    x = one.values
    groups = [x[labels == g] for g in range(model.k)]
    all_ = float(x.mean())
    indexed = x.min() >= 0 and all_ > 0
    wide: dict[str, Any] = {}
    for name, part in zip(model.names, groups, strict=True):
        mean = float(part.mean()) if part.size else None
        wide[name] = {"mean": mean, "index": mean / all_ * 100 if indexed and mean is not None else None}
    wide["总体"] = {"mean": all_, "index": 100.0 if indexed else None}
    held = [part for part in groups if part.size]
    total = float(((x - all_) ** 2).sum())
    inner = float(sum(((part - part.mean()) ** 2).sum() for part in held))
    k = len(held)
    f = p = eta2 = None
    if k > 1 and x.size > k and inner > 1e-12 * total:
        f = (total - inner) / (k - 1) / (inner / (x.size - k))
        p, eta2 = float(stats.f.sf(f, k - 1, x.size - k)), 1 - inner / total
    report.row(cls.means, name=one.name, use=_use(one), F=f, p=p, eta2=eta2, wide=wide)


def _share_rows(report: Report, cls: Any, model: Model, one: Variable, labels: Codes) -> None:
    levels = one.levels or []
    table = np.zeros((model.k, len(levels)))
    np.add.at(table, (labels, one.values.astype(int)), 1)
    held = table[table.sum(axis=1) > 0]
    total = table.sum(axis=0) / table.sum()
    test: dict[str, Any] = {}
    if len(held) > 1 and len(levels) > 1:
        found = pearson(held)
        test = {"chi2": found.value, "p": found.p}
        test["v"] = float(np.sqrt(found.value / table.sum() / (min(held.shape) - 1)))
    for j, level in enumerate(levels):
        wide: dict[str, Any] = {}
        for name, row in zip(model.names, table, strict=True):
            share = float(row[j] / row.sum()) if row.sum() else None
            wide[name] = {"share": share, "index": None if share is None else share / float(total[j]) * 100}
        wide["总体"] = {"share": float(total[j]), "index": 100.0}
        report.row(cls.shares, name=one.name, use=_use(one), level=level, wide=wide, **(test if j == 0 else {}))


def _figures(report: Report, cls: Any, model: Model, marks: Marks) -> None:
    shown = sorted(marks, key=lambda one: -float(np.round(np.abs(marks[one]).max(), 9)))[:30]
    for name in (one for one in marks if one in shown):
        for group, value in zip(model.names, marks[name], strict=True):
            report.row(cls.heat_points, name=name[0], group=group, value=float(value))
    report.note(cls.heat, "颜色是与总体相差几个标准差；正数高于总体。")
    axes = [one for one in marks if one[1]][:SHOWN]
    if len(axes) < 3:
        report.skip(cls.radar_points, "雷达图要 3 个以上的数值变量")
    else:
        for g, group in enumerate(model.names):
            for name in axes:
                report.row(cls.radar_points, axis=name[0], value=float(marks[name][g]), group=group)
    centred = model.u - model.u.mean(axis=0)
    _, values, v = np.linalg.svd(centred, full_matrices=False)
    v = v[:2].T * np.sign(v[:2][[0, 1], np.abs(v[:2]).argmax(axis=1)])
    spots = centred @ v
    rows = thin(model.n, most=DRAWN)
    rows = rows[np.lexsort((model.place[rows], model.labels[rows]))]
    report.add_rows(
        cls.plane_points,
        {
            "x": spots[rows, 0], "y": spots[rows, 1], "group": [model.names[i] for i in model.labels[rows]],
            "row": model.numbers[rows],
        },
    )  # fmt: skip
    report.chart(cls.plane, thinned=(rows.size, model.n) if rows.size < model.n else None)
    share = float((values[:2] ** 2).sum() / (values**2).sum())
    report.note(cls.plane, "横轴和纵轴是前两个主成分，共占 {share:percent1} 的变异。", share=share)


def _choosing(report: Report, cls: Any, form: Any, model: Model) -> None:
    for one in model.tried:
        has_gap = model.gap is not None and one.k <= len(model.gap.gap)
        report.row(
            cls.choosing, k=one.k, sse=one.found.within, silhouette=one.silhouette, ch=one.ch, db=one.db,
            gap=float(model.gap.gap[one.k - 1]) if model.gap is not None and has_gap else None,
            bic=one.latent.bic if one.latent else None, ari=one.ari, chosen="采用" if one is model.chosen else None,
        )  # fmt: skip
    report.note(cls.choosing, "SSE 越小、轮廓系数和 CH 越大、DB 越小越好；稳定性越接近 1，换一批人越可能得到同样的类。")
    if form.k is None:
        rule = "BIC 最小" if model.method == "latent_class" else "平均轮廓系数最大"
        report.note(cls.choosing, f"自动采用{rule}的类数；各指标不一致时，选含义最清楚的一种。")


def _latent(report: Report, cls: Any, model: Model) -> None:
    latent = model.chosen.latent
    if latent is None:
        report.skip(cls.latent, "没有使用潜类别")
        return
    report.row(
        cls.latent, log_likelihood=latent.log_likelihood, parameters=latent.parameters, bic=latent.bic,
        entropy=latent.entropy, starts=latent.starts, reached=latent.reached,
    )  # fmt: skip
    report.note(cls.latent, "熵指数越接近 1，归类越有把握。")
    few = latent.reached < 3
    words = "{starts:integer} 个起点有 {reached:integer} 个到达最大的对数似然，"
    report.check(
        "潜类别的起点", "care" if few else "pass",
        words + ("太少，可能还有更好的解；请减少类数或换一个随机种子。" if few else "结果不是偶然的局部最大值。"),
        starts=latent.starts, reached=latent.reached,
    )  # fmt: skip


def _rule(report: Report, cls: Any, model: Model) -> float | None:
    """Fisher's functions of the variables as they are; the first level of a category is the reference."""
    names, columns = [], []
    for one in model.basis:
        if one.levels is None:
            names.append(one.name)
            columns.append(one.values)
        else:
            names += [f"{one.name}：{level}" for level in one.levels[1:]]
            columns += list(one.marks[:, 1:].T)
    x = np.column_stack(columns)
    found = discriminant(x, model.labels, model.k)
    if found is None:
        for table in (cls.rule, cls.judged):
            report.skip(table, "有的变量在各类内没有变化或互相重复，算不出判别函数")
        return None
    for name, row in [*zip(names, found.weights, strict=True), ("常数", found.constant)]:
        report.row(cls.rule, name=name, wide={g: {"weight": float(v)} for g, v in zip(model.names, row, strict=True)})
    report.note(
        cls.rule, "新客户的判别：各列系数乘以他的取值，加上常数，得数最大的一列就是他的类。类别变量选中该选项取 1。"
    )
    largest = float(model.chosen.found.sizes.max()) / model.n
    report.row(cls.judged, apparent=found.apparent, left_out=found.left_out, largest=largest)
    return found.left_out


def _save(report: Report, cls: Any, model: Model) -> None:
    made = np.full(model.read, None, dtype=object)
    made[model.place] = [model.names[i] for i in model.labels]
    report.columns(cls.saved, {"客户类别": made})


def _words(report: Report, model: Model, titles: list[str], told: float | None) -> None:
    one = model.chosen
    facts: dict[str, Any] = {"n": model.n, "vars": len(model.basis), "k": model.k, "s": one.silhouette}
    told_ = []
    for g, name in enumerate(model.names[:6]):
        facts |= {f"n{g}": int(one.found.sizes[g]) / model.n, f"t{g}": titles[g]}
        told_.append(f"{name}占 {{n{g}:percent1}}，{{t{g}}}")
    parts = "；".join(told_) + "。"
    facts["ari"] = one.ari
    stable = one.ari is not None and one.ari >= STABLE
    clear = (
        "类与类分得较开" if one.silhouette > STRONG else "类与类有重叠" if one.silhouette > WEAK
        else "分类不明显，这几类之间没有清楚的界线"
    )  # fmt: skip
    again = "换一批人大致得到同样的类" if stable else "分类不稳定，换一批人可能得到别的类"
    counted = "{n:integer} 份答卷按 {vars:integer} 个变量分成 {k:integer} 类。"
    judged = f"{clear}（平均轮廓系数 {{s:num3}}），{again}（平均 ARI {{ari:num3}}）。"
    report.lead(
        counted + parts + judged, [figure("类数", "{k:integer}"), figure("稳定性", "{ari:num3}", "越接近 1 越稳定")],
        **facts,
    )  # fmt: skip
    rule = "判别函数按每人的回答直接归类，留一交叉验证的正确率为 {told:percent1}。" if told is not None else ""
    extra = {"told": told} if told is not None else {}
    method = METHODS[model.method]
    method = f" {method} " if method.isascii() else method
    paper = f"用{method}" + "对 {n:integer} 份答卷、{vars:integer} 个变量细分，得到 {k:integer} 类。"
    report.voices(
        [
            ("分类把回答相近的人放在一起。" + counted + "指数大于 100 的，是这一类比总体多的。", {}),
            (parts + judged, {}),
            (rule + "下一步：用没有参与分类的变量比较各类，再给每类起一个名字。", extra),
        ],
        [(paper + judged + rule, extra)],
        [(counted + parts, {})],
        **facts,
    )  # fmt: skip
    state: State = "fail" if not stable else "pass" if (one.ari or 0) >= GOOD else "care"
    report.check(
        "分类的稳定性", state,
        "重抽样 {b:integer} 次，平均 ARI {ari:num3}，"
        + ("不低于 0.6。" if stable else "低于 0.6：分类不稳定。请减少变量或类数。"),
        remedies=[] if stable else [SetRemedy(title="自动选择类数", set={"k": None})], ari=one.ari, b=model.times,
    )  # fmt: skip
