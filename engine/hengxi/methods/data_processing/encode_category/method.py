"""Categories as one number each. A code that looks at the target is made out of fold: no row sees its own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Column,
    ColumnToBe,
    Form,
    Level,
    OtherTable,
    Refusal,
    Report,
    Table,
    choice,
    few_of,
    figure,
    integer,
    level,
    num,
    number,
    role,
    text,
    words,
)
from hengxi.contract.columns import Floats
from hengxi.methods.data_processing._shared.columns_step import (
    Learning,
    learn_from,
    tell_each,
    train_column,
    train_level,
)
from hengxi.methods.data_processing._shared.drawing import folds_within
from hengxi.methods.data_processing._shared.rows import NewTableStep, tell
from hengxi.methods.data_processing._shared.woe import weights_of
from hengxi.stats.names import level_words, titles

WITH_TARGET = ("target", "woe")
FITTED = ("frequency", "target", "woe")
SHOWN, NAMED = 200, 5
PRIME = 1_000_003


@dataclass
class Code:
    """What the rows to learn from say of each of their levels; `values` by level value."""

    levels: list[Level]
    sizes: list[int]
    codes: list[float | None]
    ivs: list[float | None] | None = None
    unknown: float | None = None
    adjusted: int = 0


class EncodeCategory(NewTableStep):
    """Label, order, frequency, smoothed target mean (cross-fitted), weight of evidence, or a hash."""

    title, title_en = "类别编码（标签/频数/目标）", "Categorical encoding"
    family, tier = "数据处理", "member"
    purpose = "把高基数定类变量变成数值供建模"
    aliases = ("标签编码", "目标编码", "频数编码", "WOE", "target encoding", "label encoding", "哈希编码", "均值编码")
    references = ("micci2001", "pargent2022", "siddiqi2006", "kaufman2012")
    conventions = (
        "标签编码按值标签的次序编为 1 到 k，没有标签时按取值首次出现的次序。",
        "频数编码是该类别占求编码的行的比例。",
        "目标编码 = (n·ȳ + m·ȳ总) / (n + m)，m 是平滑系数；目标有两类时 ȳ 是事件的比例。",
        "目标编码交叉拟合：每一行的编码由其他各折求得，不含这一行自己的目标。"
        "编码表给出全部求编码的行的结果，供新数据用。",
        "WOE = ln(事件占比 / 非事件占比)；某类别有一侧为 0 时两侧各加 0.5。WOE 没有交叉拟合。",
        "哈希把文字逐字按 h = (31h + 码位) mod 1000003 计算，再除以桶数取余，得 0 到桶数 − 1；"
        "不同的类别可能落在同一个桶。",
        "放入“训练标记”或“参数取自”时，编码只由那些行求得；其余的行直接用编码表。",
    )
    random = True
    row_order = True
    reads_names = True  # Columns of the version in `learn_from` are found by name.

    class Input(Form):
        variables: list[Column] = role("定类变量", "任意", min=1, max=None)
        target: Column | None = role("目标变量（目标编码、WOE）", "任意", min=0, when={"method": WITH_TARGET})
        method: str = choice(
            "方法",
            {
                "label": "标签编码", "ordinal": "指定次序", "frequency": "频数编码", "target": "目标编码（交叉拟合）",
                "woe": "WOE", "hash": "哈希",
            },
        )  # fmt: skip
        event: Level | None = level("事件取值（目标有两类时）", of="target", auto="last", when={"method": WITH_TARGET})
        order: str = words("次序", longest=2000, hint="从低到高，用 < 或逗号隔开", when={"method": "ordinal"})
        smoothing: float = number("平滑系数", 10, least=0, most=1000, when={"method": "target"})
        cv: int = integer("交叉折数", 5, least=2, most=20, when={"method": "target"})
        unknown: str = choice("未见类别", {"missing": "缺失", "global": "全局均值"}, when={"method": FITTED})
        buckets: int = integer("桶数", 32, least=2, most=100_000, when={"method": "hash"})
        learn_from: OtherTable | None = learn_from()
        train: Column | None = train_column()
        train_level: Level | None = train_level()
        mode: str = choice("结果写入", {"new": "新增变量", "replace": "在新版本中替换原变量"})
        suffix: str = words("新变量后缀", "_编码", kind="name", longest=20, when={"mode": "new"})

    codes = Table(
        "编码表", variable=text("变量"), level=text("类别"), n=integer("频数"), code=num("编码值"),
        iv=num("IV", least=0), merge=("variable",),
    )  # fmt: skip
    summary = Table(
        "编码概况", variable=text("变量"), levels=integer("类别数"), rows=integer("求编码的行"),
        unseen=integer("未见类别的行"), missing=integer("缺失"), distinct=integer("编码后取值数"),
        iv=num("IV合计", least=0),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{few_of(list(titles(form.variables).values()))}的类别编码"

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        if form["mode"] != "new":
            return []
        chosen = [one for one in columns if one.id in form["variables"]]
        return [ColumnToBe(name=f"{one.name}{form['suffix']}", measure="定量", source=one.id) for one in chosen]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = titles(form.variables)
        learning = Learning(form)
        if form.method in WITH_TARGET and form.target is None:
            raise Refusal("target.required", "请放入目标变量", field="target")
        made, told = [], []
        for column in form.variables:
            source = learning.column(column)
            keep = learning.rows(column)
            y = cls._target(learning, form) if form.method in WITH_TARGET else None
            code = cls._learned(source, keep, y, form)
            values = cls._applied(column, code, form)
            if form.method == "target" and not learning.is_elsewhere and y is not None:
                values = cls._out_of_fold(column, keep, y, values, code, form)
            report.put(form, column, values, stored="number", measure="定量")
            made.append((f"{column.name}{form.suffix}" if form.mode == "new" else column.name, values))
            told.append(cls._rows(report, names[column.id], column, code, keep, values))
        cls.list_columns(report, made)
        cls._say(report, form, told)
        return report

    # ---- what is learned --------------------------------------------------------------------------------------------
    @classmethod
    def _target(cls, learning: Learning, form: Any) -> Floats:
        """0 and 1 of two classes, or the numbers themselves; NaN where it is not known."""
        target = learning.column(form.target)
        own = form.target
        if own.is_number and not own.is_categorical and own.distinct_least > 2 and form.method == "target":
            return target.numbers  # Not one level is counted: there may be a million.
        k = len(own.levels)
        if k == 2 and form.event is not None:
            return np.where(target.missing, np.nan, target.where(form.event).astype(np.float64))
        if form.method == "woe":
            text_ = f"WOE 编码要求目标为0/1（两类），“{target.title}”有 {k:,} 个取值"
            raise Refusal("woe.levels", text_, field="target", column=form.target.id)
        if not target.is_number or target.is_categorical:
            text_ = f"目标编码要求目标是数值或两类，“{target.title}”有 {k:,} 个类别"
            raise Refusal("target.measure", text_, field="target", column=form.target.id)
        return target.numbers

    @classmethod
    def _learned(cls, source: Column, keep: npt.NDArray[np.bool_], y: Floats | None, form: Any) -> Code:
        levels = source.levels
        k = len(levels)
        own = np.where(keep, source.codes, -1)
        sizes = np.bincount(own[own >= 0], minlength=k)
        code = Code(levels, sizes.tolist(), [None] * k)
        match form.method:
            case "label":
                code.codes = [i + 1.0 for i in range(k)]
            case "ordinal":
                code.codes = cls._ordered(source, form)
            case "frequency":
                total = int(sizes.sum())
                code.codes = [n / total if n else None for n in sizes.tolist()] if total else code.codes
                code.unknown = 0.0
            case "hash":
                code.codes = [float(_hashed(str(one.value), form.buckets)) for one in levels]
            case "woe":
                assert y is not None
                known = ~np.isnan(y) & (own >= 0)
                found = weights_of(own.astype(np.int64), np.nan_to_num(y) == 1, known, k)
                code.codes, code.ivs, code.adjusted = list(found.woe), list(found.iv), found.adjusted
                code.unknown = 0.0
            case _:
                assert y is not None
                known = ~np.isnan(y) & (own >= 0)
                code.codes, code.unknown = _means(own[known], y[known], k, form.smoothing)
        return code

    @classmethod
    def _ordered(cls, source: Column, form: Any) -> list[float | None]:
        listed = [part.strip() for part in re.split(r"[<,，、;；\n]", form.order or "") if part.strip()]
        if len(listed) < 2:
            raise Refusal("order.few", "请在“次序”里写出从低到高的类别，例如 低 < 中 < 高", field="order")
        place = {word: i + 1.0 for i, word in enumerate(listed)}
        found = [place.get(str(one.label), place.get(str(one.value))) for one in source.levels]
        if lost := [one.label for one, code in zip(source.levels, found, strict=True) if code is None]:
            text_ = f"“{source.title}”的类别{few_of(lost)}不在“次序”里，请补上"
            raise Refusal("order.missing", text_, field="order", column=source.id)
        return found

    # ---- the cells --------------------------------------------------------------------------------------------------
    @classmethod
    def _applied(cls, column: Column, code: Code, form: Any) -> Floats:
        """By value; a category that was not learned is missing, or the value of no knowledge."""
        known = {one.value: number for one, number in zip(code.levels, code.codes, strict=True) if number is not None}
        unseen = code.unknown if form.unknown == "global" and code.unknown is not None else np.nan
        if form.method == "hash":
            table = [float(_hashed(str(one.value), form.buckets)) for one in column.levels]
        else:
            table = [known.get(one.value, unseen) for one in column.levels]
        return np.array([*table, np.nan])[column.codes]

    @classmethod
    def _out_of_fold(
        cls, column: Column, keep: npt.NDArray[np.bool_], y: Floats, values: Floats, code: Code, form: Any
    ) -> Floats:
        used = np.flatnonzero(keep & ~np.isnan(y) & (column.codes >= 0))
        if len(used) < form.cv:
            raise Refusal("data.few", f"有目标的行只有 {len(used)} 行，不够分成 {form.cv} 折，请减少折数", field="cv")
        fold = folds_within(np.zeros(len(used), dtype=np.int64), form.cv, form.rng)
        own, target = column.codes[used], y[used]
        done = values.copy()
        for i in range(form.cv):
            rest = fold != i
            means, whole = _means(own[rest], target[rest], len(column.levels), form.smoothing)
            unseen = whole if form.unknown == "global" else np.nan
            table = np.array([unseen if one is None else one for one in means])
            done[used[~rest]] = table[own[~rest]]
        return done

    # ---- what is shown ----------------------------------------------------------------------------------------------
    @classmethod
    def _rows(
        cls, report: Report, name: str, column: Column, code: Code, keep: npt.NDArray[np.bool_], values: Floats
    ) -> dict[str, Any]:
        ivs = code.ivs or [None] * len(code.codes)
        labels = level_words(code.levels)
        for label, n, number_, iv in list(zip(labels, code.sizes, code.codes, ivs, strict=True))[:SHOWN]:
            report.row(cls.codes, variable=name, level=label, n=n, code=number_, iv=iv)
        if len(labels) > SHOWN:
            report.note(cls.codes, "每个变量只列前 200 个类别。")
        if code.adjusted:
            text_ = "“{v}”有 {k:integer} 个类别的 WOE 无穷大，已加0.5平滑。"
            report.warn("woe.adjusted", text_, columns=[column], v=name, k=code.adjusted)
        known = {one.value for one, number_ in zip(code.levels, code.codes, strict=True) if number_ is not None}
        unseen = sum(one.count for one in column.levels if one.value not in known)
        if unseen:
            text_ = "“{v}”有 {k:integer} 行的类别在求编码的行里没有出现过。"
            report.warn("code.unseen", text_, columns=[column], v=name, k=unseen)
        there = [iv for iv in ivs if iv is not None]
        facts: dict[str, Any] = {
            "variable": name, "levels": len(labels), "rows": sum(code.sizes), "unseen": unseen,
            "missing": int(column.missing.sum()), "distinct": len(np.unique(values[~np.isnan(values)])),
            "iv": sum(there) if there else None,
        }  # fmt: skip
        report.row(cls.summary, **facts)
        return facts

    @classmethod
    def _say(cls, report: Report, form: Any, told: list[dict[str, Any]]) -> None:
        options = cls.Input.fields["method"].options  # type: ignore[attr-defined]
        way = next(option.title for option in options if option.key == form.method)

        def line(i: int) -> tuple[str, dict[str, Any]]:
            own = {f"{key}{i}": told[i][key] for key in ("variable", "levels", "rows")}
            text_ = (
                f"“{{variable{i}}}”的 {{levels{i}:integer}} 个类别已按{way}变为数值（由 {{rows{i}:integer}} 行求得）。"
            )
            return text_, own

        lines, facts = tell_each(report, [one["variable"] for one in told], line)
        student = {
            "label": "编号只是名称，大小没有意义，只适合树模型，不要当作定量变量放入回归。",
            "ordinal": "编号保留了次序，相邻两类的距离当作相等。",
            "frequency": "频数相同的类别编码相同，分不开。",
            "target": "每一行的编码不含它自己的目标。新数据用编码表，不要重新求。",
            "woe": "WOE 用到了目标，拆分前用全部行求会泄漏，请放入训练标记。",
            "hash": "不同的类别可能落在同一个桶，桶数越少越多。",
        }[form.method]
        if form.method == "target" and form.train is None and form.learn_from is None:
            student += "有测试集时请放入训练标记，测试行的目标才不会参与。"
        tell(report, lines, student, [figure("类别", "{levels0:integer}")], **facts)


def _means(codes: npt.NDArray[Any], y: Floats, k: int, smoothing: float) -> tuple[list[float | None], float | None]:
    """Smoothed means of each level (None where it does not occur), and the mean of all."""
    if not len(y):
        return [None] * k, None
    whole = float(y.mean())
    n = np.bincount(codes, minlength=k)
    total = np.bincount(codes, weights=y, minlength=k)
    found = [
        (s + smoothing * whole) / (size + smoothing) if size else None
        for s, size in zip(total.tolist(), n.tolist(), strict=True)
    ]
    return found, whole


def _hashed(word: str, buckets: int) -> int:
    value = 0
    for one in word:
        value = (31 * value + ord(one)) % PRIME
    return value % buckets
