"""What a file is that cannot be read here, by its first bytes or the parts of its archive, and what to do instead."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

from hengxi.data.refusal import DataRefusal

_R = "R 的数据文件，请在 R 中用 haven::write_sav() 或 write.csv() 导出"
_BOOK = "请在表格软件中打开并另存为 xlsx"
_MAGIC = (
    (b"\x89PNG", "PNG 图片"),
    (b"\xff\xd8\xff", "JPEG 图片"),
    (b"GIF8", "GIF 图片"),
    (b"BM", "BMP 图片"),
    (b"%PDF", "PDF 文档"),
    (b"\xff\xfe\0\0", "UTF-32 编码的文本，请另存为 UTF-8"),
    (b"\0\0\xfe\xff", "UTF-32 编码的文本，请另存为 UTF-8"),
    (b"PK\x03\x04", "压缩包或文档"),
    (b"PK\x05\x06", "空的压缩包"),
    (b"\xd0\xcf\x11\xe0", "旧版 Office 文档"),
    (b"FEA1", "旧版 feather 文件，请用新版程序另存"),
    (b"\x1f\x8b", "gz 压缩包，请先解压"),
    (b"BZh", "bz2 压缩包，请先解压"),
    (b"\xfd7zXZ\0", "xz 压缩包，请先解压"),
    (b"\x28\xb5\x2f\xfd", "zst 压缩包，请先解压"),
    (b"7z\xbc\xaf", "7z 压缩包，请先解压"),
    (b"Rar!", "rar 压缩包，请先解压"),
    (b"\xff\xff\0\0\x07\0\0\0", "JMP 的数据表，请在 JMP 中另存为 xlsx 或 csv"),
    (b"\0\1\0\0Standard ", "Access 数据库，请在 Access 中把表导出为 xlsx"),
    (b"SQLite format 3\0", "SQLite 数据库，请把表导出为 csv"),
    (b"\x89HDF\r\n\x1a\n", "HDF5 文件，请导出为 csv 或 parquet"),
    (b"MATLAB ", "MATLAB 的数据文件，请用 writetable 导出为 xlsx 或 csv"),
    (b"\x93NUMPY", "NumPy 的数组文件，请导出为 csv"),
    (b"ORC", "ORC 文件，请转存为 parquet"),
    (b"Obj\1", "Avro 文件，请转存为 parquet"),
    (b"\xff\xff\xff\xff", "Arrow 的流文件，请另存为 feather 或 parquet"),
    (b"SR\0\4", "IDL 的 sav 文件（与 SPSS 的同名），请在 IDL 中导出为 csv"),
    (b"\x09\0\4\0", f"Excel 2.x 的工作表，{_BOOK}"),
    (b"\x09\0\6\0", f"Excel 2.x 的工作表，{_BOOK}"),
    (b"\x09\2\6\0", f"Excel 3.0 的工作表，{_BOOK}"),
    (b"\x09\4\6\0", f"Excel 4.0 的工作表，{_BOOK}"),
    (b"\0\0\2\0\6\4", f"Lotus 1-2-3 的工作表，{_BOOK}"),
    (b"MZ", "程序文件"),
    (b"\x7fELF", "程序文件"),
    (b"L\0\0\0\1\x14\2\0", "快捷方式，请找到它指向的文件"),
    (b"RIFF", "音频或图片文件"),
    (b"ID3", "音频文件"),
    (b"{\\rtf", "RTF 文档"),
)
_TEXTS = (b"BM", b"MZ", b"ID3", b"BZh", b"ORC", b"MATLAB ")
"""These marks may as well begin the first column of a text."""
_PAGE = re.compile(rb"^(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|table|head|\?xml)[\s>]", re.IGNORECASE)
_ARFF = re.compile(rb"^(?:\xef\xbb\xbf)?(?:\s*%[^\n]*\n)*\s*@relation\s[^\n]*\n[^@]{0,2000}@attribute\s", re.IGNORECASE)
_OF_R = re.compile(rb"(?:RD[XA][23]\n)?(?:X\n\0\0\0[\2\3]|A\n[23]\n\d{6}\n\d{6}\n)", re.DOTALL)
_PARTS = (
    (r"xl/workbook\.bin", f"xlsb 工作簿，{_BOOK}"),
    (r"word/.+", "Word 文档，请把表格复制到表格软件中存为 xlsx"),
    (r"ppt/.+", "PowerPoint 文档，请把表格复制到表格软件中存为 xlsx"),
    (r"Index/.+\.iwa|Index\.zip", "Numbers 表格，请在 Numbers 中导出为 xlsx"),
    (r"outputViewer\d+\.xml", "SPSS 的输出文档（spv），请在 SPSS 中把数据另存为 sav"),
    (r"data\.bin|xdata\.json", "jamovi 的文件，请在 jamovi 中导出为 sav 或 csv"),
    (r".+\.npy", "NumPy 的数组文件，请导出为 csv"),
)


def foreign(head: bytes) -> str | None:
    """The kind of file and, behind a comma, what to do with it; None for bytes that say nothing."""
    if _PAGE.match(head):
        return f"网页或 XML 文件，{_BOOK}"
    if _ARFF.match(head):
        return "Weka 的 ARFF 文件，请在 Weka 中另存为 csv"
    if _is_dbase(head):
        return f"dBASE 表（dbf），{_BOOK}"
    if head[4:8] == b"ftyp" and head[0] == 0:
        return "视频或图片文件"
    if head[257:262] == b"ustar" and head[256] == 0:
        return "tar 归档，请先解压"
    if _OF_R.match(_inflated(head) or head):
        return _R
    return next((title for magic, title in _MAGIC if head.startswith(magic)), None)


def is_text_mark(head: bytes) -> bool:
    """Whether a mark of another kind may be words of a text all the same."""
    return head.startswith(_TEXTS) and b"\0" not in head


def in_archive(names: Iterable[str]) -> str:
    """What a zip is by the names of its parts."""
    listed = list(names)
    for pattern, title in _PARTS:
        if any(re.fullmatch(pattern, name) for name in listed):
            return title
    return "压缩包或其他文档，请先解压或另存为 xlsx"


def archived(path: Path) -> str | None:
    """What a zip is that holds no workbook; None for a workbook, and for what is no whole zip."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return None
    return None if "xl/workbook.xml" in names else in_archive(names)


def unreadable(name: str, kind: str | None) -> DataRefusal:
    """`file.type`: what it is, and how to go on."""
    title, _, way = (kind or "").partition("，")
    space = " " if title[:1].isascii() else ""
    text = f"“{name}”是{space}{title}，还不能读取。" if kind else f"“{name}”不是可以识别的数据表。"
    if kind and not way:
        text = f"“{name}”是{space}{title}，不是数据表。"
    hint = (
        f"{way}{' ' if way[-1:].isascii() else ''}后再上传。"
        if way
        else "请上传 csv、xlsx、xls、ods、sav、dta、SAS、parquet 或 json 文件。"
    )
    return DataRefusal("file.type", text + hint, {"name": name, "kind": kind})


def _is_dbase(head: bytes) -> bool:
    """The version, a date of the last change, and lengths of header and row that fit together."""
    if len(head) < 65 or head[0] not in (0x02, 0x03, 0x30, 0x31, 0x32, 0x43, 0x83, 0x8B, 0xCB, 0xF5):
        return False
    size, row = int.from_bytes(head[8:10], "little"), int.from_bytes(head[10:12], "little")
    dated = head[2] <= 12 and head[3] <= 31
    zeros = head[12:14] == b"\0\0" and head[30:32] == b"\0\0"
    return dated and zeros and size >= 65 and size % 32 in (0, 1, 8) and row > 1 and head[43:44].isalpha()


def _inflated(head: bytes) -> bytes:
    """The first bytes within a gz; R packs its files so without saying."""
    try:
        return zlib.decompressobj(31).decompress(head, 64) if head.startswith(b"\x1f\x8b") else b""
    except zlib.error:
        return b""
