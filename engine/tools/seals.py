"""What oracle.seal holds: digests of the oracle scripts of a folder and of the oracle.json they agreed with."""

from __future__ import annotations

import hashlib
from pathlib import Path

SEAL = "oracle.seal"


def seal(folder: Path) -> str:
    """One line a file, `sha256  name`, in the order of names; data the scripts write are not among them."""
    files = [file for file in sorted(folder.glob("oracle.*")) if file.name != SEAL]
    return "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
