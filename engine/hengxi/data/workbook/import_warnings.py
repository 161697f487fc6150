"""What is said about a sheet: cells without a value, merged cells, rows and columns that nobody sees."""

from __future__ import annotations

from dataclasses import dataclass

from hengxi.data.meta import Warn
from hengxi.data.workbook.areas import Area, cell_name
from hengxi.data.workbook.guard import Sheet
from hengxi.data.workbook.merged import FILL


@dataclass(frozen=True)
class Scanned:
    """What the guard saw: of the sheet that is read, or of all where it cannot tell which one that is."""

    sheets: list[Sheet]
    alone: bool

    @property
    def where(self) -> str:
        return "工作表" if self.alone else "工作簿"


def of_sheet(scanned: dict[str, Sheet], name: str, names: list[str]) -> Scanned:
    """The guard of old workbooks numbers the sheets, behind what belongs to the whole workbook."""
    key = name if name in scanned else f"#{names.index(name) + 1}"
    numbered = len(scanned) == len(names) + 1
    if key in scanned and (key == name or numbered):
        return Scanned([scanned[key]], True)
    return Scanned(list(scanned.values()), False)


@dataclass(frozen=True)
class Read:
    """The part of the sheet that was read; `merged`: first cells of the merged ones, `first`: lines above the data,
    `end`: row and column, from 1, of the last used cell."""

    scanned: Scanned
    merged: list[tuple[int, int]]
    area: Area
    areas: list[Area]
    first: int
    end: tuple[int, int]
    way: str = ""
    """What was done with merged cells that reach down (merged.py); empty where the file does not tell how far."""


def import_warnings(read: Read, rows: int, blank: int) -> list[Warn]:
    warnings = []
    if rows == 0:
        warnings.append(Warn(code="rows.none", text="工作表只有表头，没有数据行。"))
    warnings += [*_merged(read), *_without(read.scanned), *_hidden(read)]
    if read.area.whole and read.areas:
        places = "、".join(one.text for one in read.areas)
        text = f"工作表里像是有 {len(read.areas)} 张表（{places}），已一起读入。要分开读，请重新导入并选择“区域”。"
        warnings.append(Warn(code="xlsx.tables", text=text, facts={"ranges": [one.text for one in read.areas]}))
    if blank:
        warnings.append(Warn(code="rows.blank", text=f"跳过了 {blank:,} 个空行。", facts={"count": blank}))
    return warnings


def _merged(read: Read) -> list[Warn]:
    alone = read.scanned.sheets[0].merged if read.scanned.alone else []
    merged = [cell for cell in read.merged or alone if cell[0] >= read.area.top + read.first]
    if not merged:
        return []
    top, left = min(merged)
    text = f"数据区有 {len(merged):,} 处合并单元格（如 {cell_name(top, left)}），"
    if read.way == FILL:
        text += "已把左上角的值填到下面各行。"
    else:
        text += "只有左上角的单元格有值，其余作缺失。如果合并表示各行相同，"
        how = "请重新导入，把“合并单元格”改为“向下填满”。"
        text += how if read.way else "请在表格软件中取消合并、填满后重新上传。"
    return [Warn(code="xlsx.merged", text=text, facts={"count": len(merged), "row": top + 1})]


def _without(scanned: Scanned) -> list[Warn]:
    """Formulas whose results were not kept, and results that are errors."""
    formulas = [(sheet.formulas, sheet.first_formula) for sheet in scanned.sheets]
    not_kept = "没有保存计算结果，或结果是空的，已作缺失。请在表格软件中打开、保存后重新上传。"
    errors = [(sheet.errors, sheet.first_error) for sheet in scanned.sheets]
    wrong = "是错误值（#DIV/0!、#N/A 一类），已作缺失。需要这些值时，请在表格软件中改正公式后重新上传。"
    return [
        *_counted(scanned, "xlsx.formulas", formulas, "个公式", not_kept),
        *_counted(scanned, "xlsx.errors", errors, "个单元格", wrong),
    ]


def _counted(scanned: Scanned, code: str, counts: list[tuple[int, str]], unit: str, end: str) -> list[Warn]:
    """What every sheet has of one kind, with the first place, in one sentence."""
    count = sum(many for many, _ in counts)
    if not count:
        return []
    place = next((first for _, first in counts if first), "")
    text = f"{scanned.where}中有 {count:,} {unit}{f'（如 {place}）' if place else ''}{end}"
    return [Warn(code=code, text=text, facts={"count": count})]


def _hidden(read: Read) -> list[Warn]:
    """Whoever filtered a sheet, or hid a column, sees less than what is read."""
    if not read.scanned.alone:
        return []
    (sheet,), area = read.scanned.sheets, read.area
    bottom, right = min(read.end[0], area.bottom or read.end[0]), min(read.end[1], area.right or read.end[1])
    rows = sorted(row for row in sheet.hidden_rows if area.top + read.first < row <= bottom)
    columns = sorted(place for place in sheet.hidden_columns if area.left < place <= right)
    parts = [
        *([f"{len(rows):,} 行（如第 {rows[0]:,} 行）"] if rows else []),
        *([f"{len(columns):,} 列（如 {cell_name(0, columns[0] - 1)[:-1]} 列）"] if columns else []),
    ]
    if not parts:
        return []
    text = (
        f"工作表中有 {'、'.join(parts)}被隐藏或被筛选掉，也已读入。只要看得见的部分时，请把它复制到新的工作表中再上传。"
    )
    return [Warn(code="xlsx.hidden", text=text, facts={"rows": len(rows), "columns": len(columns)})]
