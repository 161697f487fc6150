"""SPSS files with a password: decrypted into a file without a name, as locked workbooks are.

A header of 36 bytes, then the file in blocks of AES-256 (ECB) with PKCS #7 padding; the key is twice the CMAC of a
fixed text under the password, of which at most ten bytes count. Source: GNU PSPP, "Encrypted File Wrappers".
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.cmac import CMAC

from hengxi.data.formats import Job
from hengxi.data.refusal import DataRefusal

HEADER = 36
_BLOCK = 16
_COUNTED = 10
_PIECE = 1 << 20
_FIXED = bytes.fromhex(
    "00000001352713cc53a7788987532211d65b3158dcfe2e7e94da2f00cc1571800a6c6353"
    "0038c338ac22f363620ece853fb8074c4e2b77c721f51a801d67fbe1e18307d80d00000100"
)


def is_locked(head: bytes) -> bool:
    """From the first twenty bytes."""
    return head[8:20] == b"ENCRYPTEDSAV"


def key_of(password: bytes) -> bytes:
    """The 32 bytes of the AES key."""
    mac = CMAC(algorithms.AES(password[:_COUNTED].ljust(32, b"\0")))
    mac.update(_FIXED)
    return mac.finalize() * 2


@contextmanager
def unlocked(job: Job) -> Iterator[Job]:
    """The job with a path that can be read. DataRefusal `file.password`, `file.password.wrong`, `sav.damaged`."""
    with job.path.open("rb") as file:
        if not is_locked(file.read(HEADER)):
            yield job
            return
        if not job.password:
            text = f"“{job.name}”经过 SPSS 加密，请输入密码后读取。密码只用于这次读取，不会保存。"
            raise DataRefusal("file.password", text, {"name": job.name})
        size = job.path.stat().st_size - HEADER
        if size < 2 * _BLOCK or size % _BLOCK:
            text = f"“{job.name}”不完整或已损坏，无法读取。请在 SPSS 中打开并另存后再上传。"
            raise DataRefusal("sav.damaged", text, {"name": job.name})
        key = _fitting(job, file.read(_BLOCK))
        with tempfile.TemporaryFile(dir=job.work if job.work != Path() else None) as plain:
            file.seek(HEADER)
            _decrypt(file, key, plain)
            yield replace(job, path=Path(f"/proc/self/fd/{plain.fileno()}"))


def _fitting(job: Job, block: bytes) -> bytes:
    """The key under which the first block begins like an SPSS file; passwords come in either encoding."""
    password = job.password or ""
    for encoding in ("utf-8", "gb18030"):
        key = key_of(password.encode(encoding))
        decryptor = Cipher(algorithms.AES(key), modes.ECB()).decryptor()
        if decryptor.update(block).startswith((b"$FL2@(#)", b"$FL3@(#)")):
            return key
    text = f"密码不正确，无法打开“{job.name}”。请核对大小写后重新输入。"
    raise DataRefusal("file.password.wrong", text, {"name": job.name})


def _decrypt(file: IO[bytes], key: bytes, plain: IO[bytes]) -> None:
    decryptor = Cipher(algorithms.AES(key), modes.ECB()).decryptor()
    last = b""
    while piece := file.read(_PIECE):
        plain.write(last)
        last = decryptor.update(piece)
    padding = last[-1] if last else 0
    plain.write(last[:-padding] if 1 <= padding <= _BLOCK else last)
    plain.flush()
