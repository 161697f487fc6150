"""What an SPSS file holds beside its table, a weight that was on and documents: told, not dropped in silence."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any

from hengxi.data.delimited.decoding import is_utf8
from hengxi.data.meta import Warn

_HEADER, _WEIGHT = 176, 76
_SHOWN = 60
_DICTIONARY = 8 << 20
_ATTRIBUTES = (17, 18)
"""Records with the attributes of the file and of its variables."""
_ATTRIBUTE = re.compile(r"(?:^|[:)/])([^\s:()/']+?)(?:\[\d+\])?\(\n?'")


def import_warnings(path: Path, meta: Any) -> list[Warn]:
    """Sentences for the import report."""
    warnings = []
    weight = weight_of(path)
    if weight is not None and weight < len(meta.column_names):
        name = meta.column_names[weight]
        text = f"文件保存时正按“{name}”加权。导入的是未加权的各行；需要加权分析时，请在数据页的状态栏把它设为权重。"
        warnings.append(Warn(code="sav.weight", text=text, facts={"name": name}))
    notes = [line.strip() for line in meta.notes or [] if line.strip()]
    title = (meta.file_label or "").strip()
    if notes or title:
        first = title or notes[0]
        shown = first[:_SHOWN] + ("…" if len(first) > _SHOWN else "")
        kinds = "和".join(kind for kind, found in (("文件标签", title), (f" {len(notes)} 行文档说明", notes)) if found)
        text = f"文件带有{kinds}（“{shown}”），不属于数据表，没有读入；原文件中仍可查看。"
        warnings.append(Warn(code="sav.documents", text=text, facts={"label": title, "notes": notes[:50]}))
    own = attributes_of(path)
    if own:
        text = f"文件带有 {len(own)} 种自定义属性（如“{own[0]}”），没有读入；原文件中仍可查看。"
        warnings.append(Warn(code="sav.attributes", text=text, facts={"names": own[:50]}))
    return warnings


def attributes_of(path: Path) -> list[str]:
    """Names of attributes that somebody gave to the file or to variables; those with a dollar are of the program."""
    with path.open("rb") as file:
        head = file.read(_DICTIONARY)
    order = "<" if head[64:68] in (b"\2\0\0\0", b"\3\0\0\0") else ">"
    names: dict[str, None] = {}
    for kind in _ATTRIBUTES:
        place = head.find(struct.pack(f"{order}iii", 7, kind, 1))
        if place < 0 or place + 16 > len(head):
            continue
        (size,) = struct.unpack_from(f"{order}i", head, place + 12)
        raw = head[place + 16 : place + 16 + max(size, 0)]
        text = raw.decode("utf-8" if is_utf8(raw) else "gb18030", "replace")
        names |= dict.fromkeys(name for name in _ATTRIBUTE.findall(text) if not name.startswith("$"))
    return list(names)


def weight_of(path: Path) -> int | None:
    """Place of the weight variable among the variables; the header counts slots of eight bytes, of which texts take
    several."""
    with path.open("rb") as file:
        head = file.read(_HEADER)
        order = "<" if head[64:68] in (b"\2\0\0\0", b"\3\0\0\0") else ">"
        try:
            (wanted,) = struct.unpack_from(f"{order}i", head, _WEIGHT)
            place = -1
            for _ in range(max(wanted, 0)):
                kind, width, labelled, missing = struct.unpack(f"{order}iiii", file.read(16))
                if kind != 2 or labelled not in (0, 1) or abs(missing) > 3:
                    return None
                file.seek(16, 1)
                if labelled:
                    (size,) = struct.unpack(f"{order}i", file.read(4))
                    file.seek(-(-max(size, 0) // 4) * 4, 1)
                file.seek(8 * abs(missing), 1)
                place += width >= 0
        except struct.error:
            return None
    return place if wanted > 0 else None
