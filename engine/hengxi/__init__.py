"""衡析: statistical methods, tables and runs.

Without a server: `analyse(method, data, **settings)`, `list_methods()`, `help(method)`; see the README and
`hengxi.notebook`.
"""

from typing import Any

VERSION = "0.1.0"
"""Version of the engine; part of every result's key through the versions of its libraries and methods."""

NOTEBOOK = ("Refusal", "Result", "analyse", "help", "list_methods", "table")


def __getattr__(name: str) -> Any:
    # Lazy, because every child process of the engine imports this package and must not pay for the notebook's face.
    if name in NOTEBOOK:
        from hengxi.notebook import analysis

        return getattr(analysis, name)
    raise AttributeError(name)
