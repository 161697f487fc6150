"""Path → method class, by import; and a walk over all paths. Nothing lists the methods."""

from __future__ import annotations

import importlib.util
import re
import sys
import threading
import traceback
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from hengxi.contract import Method
from hengxi.groups import FREQUENT

ROOT = Path(__file__).parent / "methods"
_PATH = re.compile(r"[a-z][a-z0-9_]*(/[a-z][a-z0-9_]*)+")


# A second thread must not see a module that is half imported.
_IMPORTING = threading.RLock()


class UnknownMethod(LookupError):  # noqa: N818
    """No folder of this path."""


def folder(path: str) -> Path:
    """The folder of a method; its path may come from a request, so its shape is checked first."""
    found = ROOT / path
    if not _PATH.fullmatch(path) or not (found / "method.py").is_file():
        raise UnknownMethod(path)
    return found


def load(path: str) -> type[Method]:
    """The class of a method. It is the one subclass of `Method` with an `Input` its module defines."""
    with _IMPORTING:
        return _load(path)


@cache
def _load(path: str) -> type[Method]:
    module = _import(path, folder(path) / "method.py")
    methods = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Method) and value.__module__ == module.__name__
    ]
    classes = [cls for cls in methods if hasattr(cls, "Input")]
    if len(classes) != 1:
        raise TypeError(f"{path}/method.py must define exactly one method, found {[cls.__name__ for cls in classes]}")
    classes[0].fellows = staticmethod(lambda: fellows(path))
    return classes[0]


def fellows(path: str) -> dict[str, type[Method]]:
    """The other methods of a method's group by their keys."""
    group = path.rpartition("/")[0]
    beside = [other for other in paths() if other != path and other.rpartition("/")[0] == group]
    return {other.rpartition("/")[2]: load(other) for other in beside}


def _import(path: str, file: Path) -> ModuleType:
    # By file, not by package name: no __init__.py in four hundred folders, and no two methods share a module name.
    name = "hengxi.methods." + path.replace("/", ".") + ".method"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def paths() -> Iterator[str]:
    """All paths, in the order of the alphabet; menus order them by groups.py."""
    for file in sorted(ROOT.glob("**/method.py")):
        path = file.parent.relative_to(ROOT).as_posix()
        if not any(part.startswith("_") for part in path.split("/")):
            yield path


def load_frequent() -> None:
    """Import the methods used most ahead of their first use; one that cannot be imported is logged, no more."""
    for path in FREQUENT:
        try:
            load(path)
        except Exception:
            print(f"method {path} cannot be loaded\n{traceback.format_exc()}", file=sys.stderr, flush=True)


def exists(path: str) -> bool:
    try:
        folder(path)
    except UnknownMethod:
        return False
    return True


def class_name(path: str) -> str:
    """`hypothesis_test/independent_t_test` → `IndependentTTest`."""
    return "".join(part.capitalize() for part in path.rsplit("/", 1)[-1].split("_"))
