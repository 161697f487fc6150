"""Stable order by up to ten keys; missing cells together at one end, whatever the direction."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import Column, Form, Processing, Report, Row, Table, choice, figure, integer, role, settings, text
from hengxi.methods.data_processing._shared.rows import shown_key, tell, titles

TOP = 20


class Sort(Processing):
    """Each key becomes ranks; one stable sort over all of them."""

    title, title_en = "数据排序", "Sort cases"
    family, tier = "数据处理", "standard"
    purpose = "按一个或多个变量排列行"
    aliases = ("排序", "升序", "降序", "sort cases")
    references = ("knuth1998",)
    conventions = (
        "排序是稳定的：所有排序变量都相同的行保持原来的先后。",
        "缺失（含用户设定的缺失码）放在一起，升序和降序都在所选的一端。",
        "有先后顺序的定类变量按它的顺序排；其余文字按“文本次序”，数字和日期按大小。",
        "拼音次序按国标一级汉字的编码，多音字只有一个位置；不常用的字（二级汉字）按部首排在后面。",
    )
    row_order = True
    pool = True

    class Input(Form):
        keys: list[Column] = role("排序变量", "任意", max=10, hint="先放的先比较，相同时再比较后一个")
        orders: list[Row] = settings(
            "方向", of="keys", by="column", direction=choice("方向", {"asc": "升序", "desc": "降序"})
        )
        na_position: str = choice("缺失位置", {"last": "最后", "first": "最前"})
        collation: str = choice("文本次序", {"pinyin": "拼音", "binary": "编码"}, advanced=True)

    result = Table(
        "排序结果", keys=text("排序变量"), rows=integer("行数"), moved=integer("换了位置的行"),
        ties=integer("排序变量相同的行"), missing=integer("排序变量有缺失的行"), layout="record",
    )  # fmt: skip
    top = Table("前 20 行", now=text("现在第几行"), row=integer("原来第几行"), values=text("排序变量的值"))

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        ways = {row.column.id: row.direction for row in form.orders}
        keys, gone = [], np.zeros(len(form.keys[0]), dtype=bool)
        for column in form.keys:
            ranks = ranks_of(column, form.collation)
            missing = np.isnan(ranks)
            gone |= missing
            ranks = np.where(missing, 0.0, ranks if ways.get(column.id, "asc") == "asc" else -ranks)
            keys += [missing if form.na_position == "last" else ~missing, ranks]
        order = np.lexsort(keys[::-1]).astype(np.int64)
        sorted_keys = [key[order] for key in keys]
        same = np.ones(max(len(order) - 1, 0), dtype=bool)
        for key in sorted_keys:
            same &= key[1:] == key[:-1]
        tied = np.zeros(len(order), dtype=bool)
        tied[1:] |= same
        tied[:-1] |= same
        moved = int((order != np.arange(len(order))).sum())
        words = "、".join(f"{c.title}（{'升序' if ways.get(c.id, 'asc') == 'asc' else '降序'}）" for c in form.keys)
        facts: dict[str, Any] = {
            "keys": words,
            "rows": len(order),
            "moved": moved,
            "ties": int(tied.sum()),
            "missing": int(gone.sum()),
        }
        report.row(cls.result, **facts)
        for place, row in enumerate(order[:TOP].tolist()):
            report.row(cls.top, now=str(place + 1), row=row + 1, values=shown_key(form.keys, row))
        report.reshape(order)
        done = "按{keys}排列了 {rows:integer} 行，{moved:integer} 行换了位置。"
        if not moved:
            done = "{rows:integer} 行已经是按{keys}排列的，次序没有变（{moved:integer} 行换了位置）。"
        rest = [
            "{ties:integer} 行的排序变量与别的行相同，它们保持原来的先后。" if facts["ties"] else "",
            "{missing:integer} 行的排序变量有缺失，放在" + ("最后。" if form.na_position == "last" else "最前。")
            if facts["missing"]
            else "",
        ]
        student = "排序只改变行的先后，不改变任何数值；时间序列、滞后等方法会用到行的先后。" + "".join(rest)
        tell(report, done, student, [figure("换了位置", "{moved:integer}", "共 {rows:integer} 行")], **facts)
        return report

    @classmethod
    def heading(cls, form: Input) -> str:
        return f"按{titles(form.keys)}排序"


def ranks_of(column: Column, collation: str) -> npt.NDArray[np.float64]:
    """A number for each row that orders it; NaN where missing."""
    if column.is_number or column.measure == "时间":
        return np.asarray(column.numbers, dtype=np.float64)
    place = np.full(len(column.all_levels) + 1, np.nan)
    levels = column.all_levels
    if not column.ordered:
        levels = sorted(levels, key=lambda level: word_key(str(level.value), collation))
    for rank, level in enumerate(levels):
        place[level.code] = rank
    return place[column.codes]


def word_key(value: str, collation: str) -> bytes:
    """Level-one characters of GB 2312 stand in the order of their pinyin."""
    return value.encode("gb18030" if collation == "pinyin" else "utf-32-be", errors="replace")
