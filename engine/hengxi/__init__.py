"""衡析: statistical methods, tables and runs. `analyse` runs one method on one file; see the README."""

from typing import Any


def __getattr__(name: str) -> Any:
    # Lazy, because every child process of the engine imports this package and must not pay for the testing face.
    if name == "analyse":
        from hengxi.prepare import analyse

        return analyse
    raise AttributeError(name)
