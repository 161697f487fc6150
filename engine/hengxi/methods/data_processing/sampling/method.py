"""A part of the rows by a probability design, with the weight each row then stands for."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    ColumnToBe,
    Form,
    Processing,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    figure,
    integer,
    num,
    number,
    percent,
    role,
    text,
)
from hengxi.contract.columns import Floats
from hengxi.methods.data_processing._shared import drawing
from hengxi.methods.data_processing._shared.rows import Groups, Rows, bounded, tell

WEIGHT = "抽样权重"
LAYERED = ("stratified", "stratified_equal")
LISTED = 200


class Sampling(Processing):
    """Rows keep the order of the table; drawn with replacement, a row may come several times."""

    title, title_en = "抽样", "Sampling"
    family, tier = "数据处理", "standard"
    purpose = "从数据中抽取一部分个案"
    aliases = ("随机抽样", "分层抽样", "系统抽样", "整群抽样", "PPS", "bootstrap", "有放回抽样", "sample")
    references = ("cochran1977", "madow1949")
    conventions = (
        "随机数用 PCG64，种子相同时在任何机器上抽到同样的行（数据和行的次序要相同）。",
        "百分比换算成行数时四舍五入，至少 1 行。分层按比例用最大余数法分配，每层至少 1 行。",
        "抽样权重 = 1 / 入样概率：简单随机、系统、有放回为 N/n，分层为 N_h/n_h，整群为 群数/抽中群数，PPS 为 1/π。",
        "系统抽样的间隔为 N/n，起点随机。PPS 用 Madow 系统抽样，入样概率与规模成比例，超过 1 的必定抽中。",
        "整群的规模按群计算；分层变量的缺失算一层，整群变量的缺失算一群。",
        "前N行不是随机抽样，没有权重。",
    )
    random = True
    row_order = True

    class Input(Form):
        strata: list[Column] = role("分层变量", "定类", min=0, max=3, when={"method": LAYERED}, shared_with="compare")
        cluster: Column | None = role("整群变量", "任意", min=0, when={"method": "cluster"}, shared_with="compare")
        weight: Column | None = role("规模变量", "定量", min=0, when={"method": "pps"}, shared_with="compare")
        compare: list[Column] = role(
            "对比构成的变量（选填）", "任意", min=0, max=10, shared_with=("strata", "cluster", "weight")
        )
        method: str = choice(
            "方法",
            {
                "simple": "简单随机", "stratified": "分层（按比例）", "stratified_equal": "分层等量",
                "systematic": "系统", "cluster": "整群", "pps": "PPS", "bootstrap": "有放回", "head": "前N行",
            },
        )  # fmt: skip
        size_type: str = choice("规模单位", {"percent": "百分比", "count": "行数（整群为群数）"})
        size: float = number("规模", 20, above=0, hint="百分比写 20 表示抽 20%；分层等量写行数时，是每层的行数")

    result = Table(
        "抽样结果", stratum=text("层或群"), population=integer("总体数"), sample=integer("样本数"),
        rate=percent("抽样比", most=None), weight=num("权重"),
    )  # fmt: skip
    composition = Table(
        "样本与总体构成对比", variable=text("变量"), level=text("取值"), population=percent("总体占比"),
        sample=percent("样本占比"), mean=num("总体均值"), mean_sample=num("样本均值"), merge=("variable",),
    )  # fmt: skip

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        return [] if form["method"] == "head" else [ColumnToBe(name=WEIGHT, measure="定量", source=None)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        rows = form.whole.rows
        cls._judge(form)
        index, weights = cls._drawn(report, form, rows)
        bounded(len(index))
        report.take(index)
        if weights is not None:
            report.make(WEIGHT, weights, measure="定量")
        cls._compare(report, form, index)
        cls._say(report, form, rows, index)
        return report

    @classmethod
    def _judge(cls, form: Any) -> None:
        if form.size_type == "percent" and form.size > 100:
            raise Refusal("size.percent", "抽样百分比必须在0到100之间", field="size")
        if form.size_type == "count" and form.size != round(form.size):
            raise Refusal("size.whole", "行数须为整数", field="size")
        needed = {"stratified": "strata", "stratified_equal": "strata", "cluster": "cluster", "pps": "weight"}
        key = needed.get(form.method)
        if key is not None and not getattr(form, key):
            title = cls.Input.fields[key].title
            raise Refusal("role.required", f"请放入{title}", field=key)

    @classmethod
    def _wanted(cls, form: Any, whole: int, what: str = "总行数") -> int:
        wanted = max(round(whole * form.size / 100 + 1e-9), 1) if form.size_type == "percent" else int(form.size)
        if wanted > whole and form.method not in ("bootstrap", "head"):
            text_ = f"抽样{'群' if form.method == 'cluster' else '行'}数 {wanted:,} 大于{what} {whole:,}（不放回）"
            remedy = SetRemedy(title="改为有放回", set={"method": "bootstrap"})
            raise Refusal("size.large", text_, field="size", remedies=[] if form.method == "cluster" else [remedy])
        return wanted

    # ---- the rows ---------------------------------------------------------------------------------------------------
    @classmethod
    def _drawn(cls, report: Report, form: Any, rows: int) -> tuple[Rows, Floats | None]:
        if form.method in LAYERED:
            return cls._layered(report, form, rows)
        if form.method == "cluster":
            return cls._clusters(report, form, rows)
        if form.method == "pps":
            return cls._by_size(report, form, rows)
        n = cls._wanted(form, rows)
        if form.method == "head":
            index = np.arange(min(n, rows))
        elif form.method == "systematic":
            index = drawing.systematic(rows, n, form.rng)
        elif form.method == "bootstrap":
            bounded(n)
            index = np.sort(form.rng.integers(0, rows, n))
        else:
            index = np.sort(form.rng.permutation(rows)[:n])
        weight = None if form.method == "head" else rows / len(index)
        report.row(
            cls.result, stratum="全部", population=rows, sample=len(index), rate=len(index) / rows, weight=weight
        )
        return index, None if weight is None else np.full(len(index), weight)

    @classmethod
    def _layered(cls, report: Report, form: Any, rows: int) -> tuple[Rows, Floats]:
        strata, names = drawing.strata_of(form.strata, rows)
        wanted = cls._shares(report, form, strata, names, rows)
        index = drawing.drawn_within(strata.codes, strata.sizes, wanted, form.rng)
        weights = strata.sizes / np.maximum(wanted, 1)
        for name, size, n, weight in list(zip(names, strata.sizes, wanted, weights, strict=True))[:LISTED]:
            report.row(cls.result, stratum=name, population=int(size), sample=int(n), rate=float(n / size),
                       weight=float(weight))  # fmt: skip
        if strata.k > LISTED:
            report.note(cls.result, "只列前 200 层。")
        return index, weights[strata.codes[index]]

    @classmethod
    def _shares(cls, report: Report, form: Any, strata: Groups, names: list[str], rows: int) -> Rows:
        if form.method == "stratified":
            wanted = drawing.allocated(strata.sizes, cls._wanted(form, rows))
            for place in np.flatnonzero(wanted == 0)[:5].tolist():
                report.warn("strata.few", "层“{g}”按比例不足1个，已至少抽1个。", g=names[place])
            return np.maximum(wanted, 1)
        each = int(form.size) if form.size_type == "count" else max(cls._wanted(form, rows) // strata.k, 1)
        least = int(strata.sizes.argmin())
        if int(strata.sizes[least]) < each:
            text_ = f"层“{names[least]}”只有 {int(strata.sizes[least]):,} 行，不够抽 {each:,} 行，请减小规模"
            raise Refusal("size.large", text_, field="size")
        return np.full(strata.k, each, dtype=np.int64)

    @classmethod
    def _clusters(cls, report: Report, form: Any, rows: int) -> tuple[Rows, Floats]:
        groups, names = drawing.strata_of([form.cluster], rows)
        m = cls._wanted(form, groups.k, "总群数")
        chosen = np.sort(form.rng.permutation(groups.k)[:m])
        index = np.flatnonzero(np.isin(groups.codes, chosen))
        weight = groups.k / m
        report.row(cls.result, stratum="群", population=groups.k, sample=m, rate=m / groups.k, weight=weight)
        report.row(cls.result, stratum="行", population=rows, sample=len(index), rate=len(index) / rows, weight=weight)
        shown = "、".join(names[i] for i in chosen[:20].tolist()) + ("等" if m > 20 else "")
        report.note(cls.result, "抽中的群：{names}。", names=shown)
        return index, np.full(len(index), weight)

    @classmethod
    def _by_size(cls, report: Report, form: Any, rows: int) -> tuple[Rows, Floats]:
        size = form.weight.numbers
        if bool((~(size > 0)).any()):
            k = int((~(size > 0)).sum())
            text_ = f"规模变量必须大于0，“{form.weight.title}”有 {k:,} 行不大于 0 或缺失"
            raise Refusal("weight.positive", text_, field="weight", column=form.weight.id)
        n = cls._wanted(form, rows)
        chance = drawing.inclusion(size, n)
        index = drawing.drawn_by_chance(chance, form.rng)
        for name, rest in (("必定抽中", chance >= 1), ("按规模", chance < 1)):
            if rest.any():
                taken = int(rest[index].sum())
                report.row(cls.result, stratum=name, population=int(rest.sum()), sample=taken,
                           rate=taken / int(rest.sum()), weight=1.0 if name == "必定抽中" else None)  # fmt: skip
        report.note(cls.result, "按规模抽中的行，权重各不相同，见变量“抽样权重”。")
        return index, 1 / chance[index]

    # ---- what is shown ----------------------------------------------------------------------------------------------
    @classmethod
    def _compare(cls, report: Report, form: Any, index: Rows) -> None:
        if not form.compare:
            report.skip(cls.composition, "放入“对比构成的变量”后给出对比。")
        for column in form.compare:
            if column.is_number and not column.is_categorical:
                known, own = column.numbers, column.numbers[index]
                means = [float(x[~np.isnan(x)].mean()) if (~np.isnan(x)).any() else None for x in (known, own)]
                report.row(cls.composition, variable=column.title, level="均值", mean=means[0], mean_sample=means[1])
                continue
            codes = column.codes[index]
            whole, part = sum(one.count for one in column.levels), int((codes >= 0).sum())
            for one in column.levels[:50]:
                n = int((codes == one.code).sum())
                report.row(cls.composition, variable=column.title, level=one.label, population=one.count / whole,
                           sample=n / part if part else None)  # fmt: skip

    @classmethod
    def _say(cls, report: Report, form: Any, rows: int, index: Rows) -> None:
        n = len(index)
        facts: dict[str, Any] = {"rows": rows, "n": n, "rate": n / rows, "distinct": len(np.unique(index))}
        way = cls.Input.fields["method"].options  # type: ignore[attr-defined]
        title = next(option.title for option in way if option.key == form.method)
        done = f"按{title}从 {{rows:integer}} 行中抽出 {{n:integer}} 行（{{rate:percent1}}）。"
        if form.method == "bootstrap":
            done += "其中不同的行有 {distinct:integer} 行。"
        student = {
            "simple": "每一行被抽中的机会相同。",
            "stratified": "各层的比例与总体相同，比简单随机更稳定。",
            "stratified_equal": "各层行数相同，便于比较各层；估计总体时要用抽样权重。",
            "systematic": "行的次序有周期时，系统抽样会偏，请先确认次序。",
            "cluster": "同一群的人相似，标准误比同样行数的简单随机大，分析时要考虑群。",
            "pps": "规模大的更容易抽中，估计总体时要用抽样权重。",
            "bootstrap": "同一行可能出现几次，不能当作互不相关的个案来做检验。",
            "head": "前面的行往往不代表全部，只适合试算。",
        }[form.method]
        tell(report, done, student, [figure("样本", "{n:integer}", "行")], **facts)
