"""Workbooks with a password to open: decrypted into a file without a name, which nobody finds and nothing outlives."""

from __future__ import annotations

import struct
import tempfile
from pathlib import Path
from typing import IO
from xml.parsers.expat import ExpatError

import msoffcrypto
from msoffcrypto import exceptions
from olefile.olefile import OleFileError

from hengxi.data.formats import Job
from hengxi.data.refusal import DataRefusal
from hengxi.data.workbook.guard import damaged

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# What the library raises on hostile bytes besides its own.
_FAULTS = (
    exceptions.FileFormatError, exceptions.ParseError, exceptions.DecryptionError, exceptions.EncryptionError,
    OleFileError, OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, MemoryError,
    RecursionError, struct.error, ExpatError, NotImplementedError, AssertionError,
)  # fmt: skip


def unlocked(job: Job) -> tuple[Path, IO[bytes] | None]:
    """(path to read, file to hold open meanwhile). DataRefusal `file.password`, `file.password.wrong`, `xlsx.damaged`.

    The decrypted workbook has no name in any folder: it is gone with its last reader, also when the child is killed.
    """
    with job.path.open("rb") as file:
        if file.read(8) != OLE:
            return job.path, None
        file.seek(0)
        try:
            book = msoffcrypto.OfficeFile(file)
            locked = book.is_encrypted()
        except exceptions.FileFormatError:
            return job.path, None  # a workbook of Excel 5, or broken: the guard will tell
        except _FAULTS as error:
            raise damaged(job.name) from error
        if not locked:
            return job.path, None
        if not job.password:
            text = f"“{job.name}”设有打开密码，请输入密码后读取。密码只用于这次读取，不会保存。"
            raise DataRefusal("file.password", text, {"name": job.name})
        folder = job.work if job.work != Path() else None
        plain = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - lives as long as the workbook is read
        try:
            _decrypt(book, job.password, plain)
        except exceptions.InvalidKeyError as error:
            text = f"密码不正确，无法打开“{job.name}”。请核对大小写后重新输入。"
            raise DataRefusal("file.password.wrong", text, {"name": job.name}) from error
        except _FAULTS as error:
            raise damaged(job.name) from error
    plain.flush()
    return Path(f"/proc/self/fd/{plain.fileno()}"), plain


def _decrypt(book: msoffcrypto.format.base.BaseOfficeFile, password: str, plain: IO[bytes]) -> None:
    if book.format == "ooxml":
        book.load_key(password=password, verify_password=True)
    else:
        book.load_key(password=password)
    book.decrypt(plain)
