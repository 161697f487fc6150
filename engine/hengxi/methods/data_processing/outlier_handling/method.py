"""Values beyond a rule's bounds, and what becomes of them. Marking is the only way that loses nothing."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    ColumnToBe,
    Deals,
    Form,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    figure,
    flag,
    integer,
    num,
    number,
    percent,
    role,
    rows_column,
    text,
    values_column,
)
from hengxi.contract.columns import Floats
from hengxi.methods.data_processing._shared import odd_values
from hengxi.methods.data_processing._shared.columns_step import MOST_GROUPS, ColumnsStep, Share, shares_of, some_left
from hengxi.methods.data_processing._shared.odd_values import Bools, Bounds, NoSpreadError, bounds
from hengxi.methods.data_processing._shared.rows import tell
from hengxi.stats.boxes import box
from hengxi.stats.moments import Ordered
from hengxi.stats.names import titles

JOINT = ("mahalanobis", "lof", "iforest")
ALONE = ("sigma", "iqr", "mad", "zscore", "percentile", "range")
ESTIMATED = ("sigma", "iqr", "mad", "zscore", "percentile")
WHOLE_ROW = ("missing", "drop", "flag")
MARK = "异常"
LISTED, DRAWN = 1000, 12
MOST_ROWS = {"lof": 50_000, "iforest": 2_000_000, "mahalanobis": 20_000_000}


class OutlierHandling(ColumnsStep):
    """Variable by variable within bounds (in groups, repeated), or whole rows by distance, density, isolation."""

    title, title_en = "异常值处理", "Outlier treatment"
    family, tier = "数据处理", "standard"
    purpose = "按规则识别异常值并删除、替换或缩尾"
    aliases = ("异常值", "离群值", "缩尾", "截尾", "winsorize", "极端值", "3σ", "孤立森林", "LOF", "马氏距离")
    references = ("tukey1977", "leys2013", "breunig2000", "liu2008")
    conventions = (
        "3σ准则固定用均值 ± 3 个标准差；Z分数用填写的倍数。标准差除以 n − 1。",
        "IQR 用 Tukey 的枢纽（与 R 的 boxplot.stats 相同）；百分位用 R 的 type 7。",
        "MAD 乘以 1.4826，使它在正态分布下等于标准差。",
        "缩尾把界限外的值改成界限；均值、中位数、众数由同一变量（同一组）的其余值求得。",
        "迭代时，每一轮用剩下的值重新求界限，直到没有异常，最多 100 轮。",
        "马氏距离的 p 用 χ² 分布；LOF 用标准化后的变量和 20 个近邻；孤立森林用 100 棵树，每棵 256 行。",
        "LOF 和孤立森林按“异常比例”取得分最高的行，因此总会有行被判为异常。",
        "缺失不算异常，保持缺失。",
    )
    deals_with: ClassVar[Deals] = {"extremes": {"rule": "iqr", "multiplier": 3, "action": "flag"}}
    random = True
    row_order = True
    noun = "异常值处理"

    class Input(Form):
        variables: list[Column] = role("处理变量", "定量", min=1, max=None)
        group: Column | None = role(
            "分组变量（选填，组内判定）", "定类", min=0, levels=(2, MOST_GROUPS), when={"rule": ESTIMATED}
        )
        rule: str = choice(
            "识别规则",
            {
                "iqr": "箱线图IQR", "sigma": "3σ准则", "mad": "MAD准则", "zscore": "Z分数", "percentile": "百分位",
                "range": "业务范围", "mahalanobis": "马氏距离", "lof": "LOF", "iforest": "孤立森林",
            },
        )  # fmt: skip
        multiplier: float | None = number(
            "倍数", None, least=0.5, most=10, auto="IQR 为 1.5，其余为 3", when={"rule": ("iqr", "mad", "zscore")}
        )
        lower: float | None = number("下限（范围或百分位）", None, when={"rule": ("range", "percentile")})
        upper: float | None = number("上限（范围或百分位）", None, when={"rule": ("range", "percentile")})
        level: float = number("马氏距离的p小于", 0.001, above=0, most=0.1, when={"rule": "mahalanobis"})
        contamination: float = number(
            "异常比例", 0.05, least=0.001, most=0.5, percent=True, when={"rule": ("lof", "iforest")}
        )
        action: str = choice(
            "处理方式",
            {
                "missing": "设为缺失", "drop": "删除行", "mean": "均值替换", "median": "中位数替换",
                "mode": "众数替换", "constant": "常数", "winsorize": "缩尾到界限", "interpolate": "线性插值",
                "random_normal": "随机正态", "flag": "仅标记",
            },
        )  # fmt: skip
        constant: float = number("替换为", 0, when={"action": "constant"})
        iterate: bool = flag("迭代直到无异常", False, when={"rule": ("sigma", "iqr", "mad", "zscore")})

    result = Table(
        "异常值处理结果", variable=text("变量"), group=text("组"), n=integer("有效"), low=num("下界"), high=num("上界"),
        below=integer("低于下界"), above=integer("高于上界"), outliers=integer("异常个数"), share=percent("占比"),
        merge=("variable",),
    )  # fmt: skip
    detail = Table(
        "异常明细", row=rows_column("行号"), variable=text("变量"), old=num("原值"), new=num("新值"), place="detail"
    )
    drawn = Points(
        "箱线图", label=text("变量"), min=num("须下端"), q1=num("下枢纽"), median=num("中位数"), q3=num("上枢纽"),
        max=num("须上端"), outliers=values_column("离群值"),
    )  # fmt: skip
    boxes = Chart(
        "处理前后箱线图", "box", of=drawn, x="label", min="min", q1="q1", median="median", q3="q3", max="max",
        outliers="outliers", place="main",
    )  # fmt: skip

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        if form["action"] != "flag":
            return []
        if form["rule"] in JOINT:
            return [ColumnToBe(name=MARK, measure="定类", source=None)]
        chosen = [one for one in columns if one.id in form["variables"]]
        return [ColumnToBe(name=f"{one.name}_{MARK}", measure="定类", source=one.id) for one in chosen]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = titles(form.variables)
        cls._judge(form)
        if form.rule in JOINT:
            odd = cls._rows(report, form)
            masks, made = [odd] * len(form.variables), cls._emptied(form, odd)
        else:
            masks, made = cls._values(report, form, names)
        odd_rows = np.logical_or.reduce(masks)
        stays = np.arange(len(odd_rows)) if form.action != "drop" else np.flatnonzero(~odd_rows)
        if not len(stays):
            raise Refusal("data.none_left", "删除异常行后没有剩余数据，请放宽规则或换一种处理", field="action")
        cls._make(report, form, masks, made, stays)
        for column, values in zip(form.variables, made, strict=True):
            cls.compare(report, names[column.id], column.numbers, values[stays])
        cls._detail(report, form, names, masks, made)
        cls._draw(report, form, names, [values[stays] for values in made])
        cls._say(report, form, masks, int(odd_rows.sum()), len(odd_rows))
        return report

    @classmethod
    def _judge(cls, form: Any) -> None:
        if form.rule in ("range", "percentile"):
            if form.lower is None and form.upper is None:
                raise Refusal("limits.none", "请填写下限或上限", field="lower")
            if form.lower is not None and form.upper is not None and form.lower >= form.upper:
                raise Refusal("limit.less", "下限必须小于上限", field="upper")
        if form.rule == "percentile" and any(p is not None and not 0 <= p <= 100 for p in (form.lower, form.upper)):
            raise Refusal("limits.percent", "百分位必须在 0 到 100 之间，例如 1 和 99", field="lower")
        if form.rule in JOINT and form.action not in WHOLE_ROW:
            text_ = "这个规则判断的是整行，只能设为缺失、删除行或仅标记"
            raise Refusal(
                "action.row", text_, field="action", remedies=[SetRemedy(title="仅标记", set={"action": "flag"})]
            )

    # ---- what stands out --------------------------------------------------------------------------------------------
    @classmethod
    def _values(cls, report: Report, form: Any, names: dict[str, str]) -> tuple[list[Bools], list[Floats]]:
        rows = len(form.variables[0])
        shares = shares_of(form.group, rows)
        masks, made = [], []
        for column in form.variables:
            odd, values = np.zeros(rows, dtype=np.bool_), column.numbers.copy()
            for share in shares:
                x = column.numbers[share.rows]
                found, ends = cls._found(x, column, names[column.id], share, form)
                odd[share.rows] = found
                values[share.rows] = cls._replaced(x, found, ends, names[column.id], form)
                n = int((~np.isnan(x)).sum())
                report.row(
                    cls.result, variable=names[column.id], group=share.label, n=n, low=ends.low, high=ends.high,
                    below=0 if ends.low is None else int((x < ends.low).sum()),
                    above=0 if ends.high is None else int((x > ends.high).sum()),
                    outliers=int(found.sum()), share=int(found.sum()) / n,
                )  # fmt: skip
            if form.action == "interpolate":
                values = cls._between(column.numbers, odd)
            masks.append(odd)
            made.append(values)
        return masks, made

    @classmethod
    def _found(cls, x: Floats, column: Column, name: str, share: Share, form: Any) -> tuple[Bools, Bounds]:
        odd = np.zeros(len(x), dtype=np.bool_)
        known = ~np.isnan(x)
        some_left(name, x[known], share, column)
        times = 3.0 if form.rule == "sigma" else form.multiplier or (1.5 if form.rule == "iqr" else 3.0)
        ends = Bounds(None, None)
        for _ in range(odd_values.MOST_ROUNDS if form.iterate else 1):
            rest = x[known & ~odd]
            try:
                ends = bounds(rest, form.rule, times, form.lower, form.upper)
            except NoSpreadError:
                if odd.any():
                    break  # What is left is all alike.
                kind = form.rule.upper()
                text_ = f"“{name}”{share.words}的{kind}为0，该规则会把大量值判为异常，请换规则"
                remedy = SetRemedy(title="改用百分位 1–99", set={"rule": "percentile", "lower": 1, "upper": 99})
                raise Refusal("rule.no_spread", text_, field="rule", column=column.id, remedies=[remedy]) from None
            more = ends.outside(x) & ~odd
            if not more.any():
                break
            odd |= more
        return odd, ends

    @classmethod
    def _replaced(cls, x: Floats, odd: Bools, ends: Bounds, name: str, form: Any) -> Floats:
        if form.action in ("drop", "flag", "interpolate") or not odd.any():
            return x
        values = x.copy()
        rest = x[~odd & ~np.isnan(x)]
        if form.action == "missing":
            values[odd] = np.nan
        elif form.action == "constant":
            values[odd] = form.constant
        elif form.action == "winsorize":
            values[odd] = np.clip(x[odd], ends.low, ends.high)
        elif not len(rest):
            raise Refusal(
                "data.none_left",
                f"“{name}”的值全部判为异常，没有可以用来替换的值，请放宽规则或换一种处理",
                field="action",
            )
        elif form.action == "mean":
            values[odd] = rest.mean()
        elif form.action == "median":
            values[odd] = np.median(rest)
        elif form.action == "mode":
            distinct, counts = np.unique(rest, return_counts=True)
            values[odd] = distinct[np.argmax(counts)]
        elif form.action == "random_normal":
            values[odd] = form.rng.normal(rest.mean(), rest.std(ddof=1) if len(rest) > 1 else 0.0, int(odd.sum()))
        return values

    @classmethod
    def _between(cls, x: Floats, odd: Bools) -> Floats:
        """By the nearest rows above and below; at either end the nearest value."""
        good = np.flatnonzero(~odd & ~np.isnan(x))
        if not len(good):
            raise Refusal(
                "data.none_left", "值全部判为异常，没有可以用来插值的值，请放宽规则或换一种处理", field="action"
            )
        values = x.copy()
        values[odd] = np.interp(np.flatnonzero(odd), good, x[good])
        return values

    @classmethod
    def _rows(cls, report: Report, form: Any) -> Bools:
        block = np.column_stack([column.numbers for column in form.variables])
        whole = ~np.isnan(block).any(axis=1)
        n, most = int(whole.sum()), MOST_ROWS[form.rule]
        if n < 3:
            raise Refusal("data.few", "没有缺失的行少于 3 行，无法判断，请移去缺失多的变量", field="variables")
        if n > most:
            text_ = f"{cls.way(form, 'rule')}最多用于 {most:,} 行，现有 {n:,} 行，请换规则或先抽样"
            raise Refusal("data.too_many_rows", text_, field="rule", rows=n, most=most)
        x = block[whole]
        if form.rule == "mahalanobis":
            try:
                found = odd_values.mahalanobis_p(x) < form.level
            except ValueError:
                text_ = "变量之间完全相关、有变量没有变异或行数太少，求不出马氏距离，请减少变量"
                raise Refusal("data.singular", text_, field="variables") from None
        else:
            scores = odd_values.local_scores(x) if form.rule == "lof" else odd_values.forest_scores(x, form.seed)
            found = odd_values.highest(scores, form.contamination)
        odd = np.zeros(len(block), dtype=np.bool_)
        odd[whole] = found
        report.row(
            cls.result,
            variable="所有变量（整行）",
            n=n,
            below=None,
            above=None,
            outliers=int(odd.sum()),
            share=float(odd.sum() / n),
        )
        if n < len(block):
            text_ = "{k:integer} 行有缺失，没有判断。"
            report.warn("data.not_judged", text_, k=len(block) - n)
        return odd

    @classmethod
    def _emptied(cls, form: Any, odd: Bools) -> list[Floats]:
        gone = odd if form.action == "missing" else np.zeros(len(odd), dtype=np.bool_)
        return [np.where(gone, np.nan, column.numbers) for column in form.variables]

    # ---- the data ---------------------------------------------------------------------------------------------------
    @classmethod
    def _make(cls, report: Report, form: Any, masks: list[Bools], made: list[Floats], stays: Any) -> None:
        words = [(0, "正常"), (1, MARK)]
        if form.action == "drop":
            report.take(stays)
        elif form.action == "flag" and form.rule in JOINT:
            gone = np.logical_or.reduce([column.missing for column in form.variables])
            report.make(MARK, np.where(gone, np.nan, masks[0]), measure="定类", levels=words)
        elif form.action == "flag":
            for column, odd in zip(form.variables, masks, strict=True):
                cells = np.where(np.isnan(column.numbers), np.nan, odd)
                report.make(f"{column.name}_{MARK}", cells, measure="定类", source=column, levels=words)
        else:
            for column, values in zip(form.variables, made, strict=True):
                report.replace(column, values, keeps_words=True)

    # ---- what is shown ----------------------------------------------------------------------------------------------
    @classmethod
    def _detail(cls, report: Report, form: Any, names: dict[str, str], masks: list[Bools], made: list[Floats]) -> None:
        listed, total = 0, sum(int(odd.sum()) for odd in masks)
        kept = form.action not in ("drop", "flag")
        for column, odd, values in zip(form.variables, masks, made, strict=True):
            for place in np.flatnonzero(odd)[: LISTED - listed].tolist():
                new = values[place] if kept and np.isfinite(values[place]) else None
                old = float(column.numbers[place])
                report.row(cls.detail, row=int(column.row_numbers[place]), variable=names[column.id], old=old, new=new)
                listed += 1
        if not total:
            report.skip(cls.detail, "没有异常值。")
        elif listed < total:
            report.note(cls.detail, "只列前 {k:integer} 个，共 {total:integer} 个。", k=listed, total=total)

    @classmethod
    def _draw(cls, report: Report, form: Any, names: dict[str, str], made: list[Floats]) -> None:
        drawn = 0
        for column, values in list(zip(form.variables, made, strict=True))[:DRAWN]:
            for x, stage in ((column.numbers, "前"), (values, "后")):
                known = x[~np.isnan(x)]
                if not len(known):
                    continue
                one = box(Ordered.of(known, None))
                report.row(
                    cls.drawn, at=names[column.id], label=f"处理{stage}", min=one.low, q1=one.q1, median=one.median,
                    q3=one.q3, max=one.high, outliers=one.outliers,
                )  # fmt: skip
                drawn += 1
            report.chart(cls.boxes, at=names[column.id], titles={"x": names[column.id]})

    @classmethod
    def _say(cls, report: Report, form: Any, masks: list[Bools], odd_rows: int, rows: int) -> None:
        cells = int(masks[0].sum()) if form.rule in JOINT else sum(int(odd.sum()) for odd in masks)
        facts: dict[str, Any] = {
            "cells": cells,
            "k": len(masks),
            "odd": odd_rows,
            "rows": rows,
            "rest": rows - odd_rows,
        }
        rule, action = cls.way(form, "rule"), cls.way(form, "action")
        if not cells:
            tell(
                report, f"按{rule}没有发现异常值，数据不变（{{rows:integer}} 行）。",
                "没有发现异常，不等于数据没有错误，例如年龄填成了别人的。", [], rows=rows,
            )  # fmt: skip
            return
        if form.rule in JOINT:
            done = f"按{rule}，{{rows:integer}} 行中有 {{odd:integer}} 行异常，"
        else:
            done = f"按{rule}，{{k:integer}} 个变量中有 {{cells:integer}} 个异常值，涉及 {{odd:integer}} 行，"
        done += {
            "drop": "已删除这些行，留下 {rest:integer} 行。", "flag": "已在新变量中标为 1。",
            "missing": "已设为缺失。", "winsorize": "已改成界限的值。",
        }.get(form.action, f"已用{action.removesuffix('替换')}替换。")  # fmt: skip
        student = "异常不等于错误。先看异常明细，确认是录入错误再删除或替换，真实的极端值应保留。"
        if form.action not in ("flag", "drop"):
            student += "替换会让变量的标准差变小，论文里要说明规则和个数。"
        if form.rule in ("lof", "iforest"):
            student += "异常的行数由“异常比例”决定，不说明真有这么多异常。"
        tell(report, done, student, [figure("异常", "{cells:integer}", "涉及 {odd:integer} 行")], **facts)
