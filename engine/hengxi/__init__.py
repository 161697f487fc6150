"""衡析: statistical methods, tables and runs. `analyse` runs one method on one file; see the README."""

from typing import Any

VERSION = "0.1.0"
"""Version of the engine; part of every result's key through the versions of its libraries and methods."""


def __getattr__(name: str) -> Any:
    # Lazy, because every child process of the engine imports this package and must not pay for the testing face.
    if name == "analyse":
        from hengxi.prepare import analyse

        return analyse
    raise AttributeError(name)
