"""Files of other programs are told what they are and what to do; texts that only begin alike are read."""

from __future__ import annotations

import gzip
import io
import zipfile

import pytest

from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import


def archive(part: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr(part, "x")
    return out.getvalue()


R = b"RDX3\nX\n\0\0\0\3\0\4\4\1\0\3\5\0"
DBF = (
    b"\3\x5f\7\x1a"
    + (49).to_bytes(4, "little")
    + b"\x61\0\x12\0"
    + bytes(20)
    + b"AREA".ljust(11, b"\0")
    + b"N"
    + bytes(60)
)


@pytest.mark.parametrize(
    ("content", "kind", "advice"),
    [
        (R, "R 的数据文件", "haven::write_sav()"),
        (gzip.compress(R, mtime=0), "R 的数据文件", "haven::write_sav()"),
        (b"A\n3\n262658\n197888\n5\nUTF-8\n787\n", "R 的数据文件", "write.csv()"),
        (gzip.compress(b"a,b\n1,2\n", mtime=0), "gz 压缩包", "请先解压"),
        (DBF, "dBASE 表", "另存为 xlsx"),
        (b"\xff\xff\0\0\7\0\0\0\4\0\0\0" + bytes(99), "JMP 的数据表", "在 JMP 中另存为"),
        (b"SQLite format 3\0" + bytes(99), "SQLite 数据库", "导出为 csv"),
        (b"\x09\4\6\0\0\0\x10\0\0\0" + bytes(99), "Excel 4.0 的工作表", "另存为 xlsx"),
        (b"SR\0\4" + bytes(99), "IDL 的 sav 文件", "导出为 csv"),
        (b"% made by R\n@relation 'a b'\n@attribute x numeric\n@data\n1\n", "Weka 的 ARFF 文件", "另存为 csv"),
        (archive("xl/workbook.bin"), "xlsb 工作簿", "另存为 xlsx"),
        (archive("Index/Document.iwa"), "Numbers 表格", "在 Numbers 中导出为 xlsx"),
        (archive("word/document.xml"), "Word 文档", "xlsx"),
        (archive("数据.csv"), "压缩包", "请先解压"),
    ],
)
@pytest.mark.parametrize("name", ["数据.csv", "数据.sav"])
def test_kind_and_advice(read: Import, content: bytes, kind: str, advice: str, name: str) -> None:
    with pytest.raises(DataRefusal) as caught:
        read(content, name)
    assert caught.value.code == "file.type"
    assert kind in caught.value.text and advice in caught.value.text and "不能读取" in caught.value.text


@pytest.mark.parametrize(
    "text", ["A\n2\n3\n", "RDA3\n1\n2\n", "id1,ftyp\n1,2\n", "ORC,b\n1,2\n", "BZh\n1\n2\n", "MATLAB \n1\n"]
)
def test_texts_that_begin_alike(read: Import, text: str) -> None:
    assert read(text)["table"].meta.columns[0].name == text.split("\n")[0].split(",")[0].strip()
