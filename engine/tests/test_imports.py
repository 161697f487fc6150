"""Who may import whom (architecture, section 8), and proof that a planted violation is caught."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from hengxi import registry

PACKAGE = registry.ROOT.parent
INNER = (
    "answers",
    "contract",
    "stats",
    "interpret",
    "families",
    "pooling",
    "plagdet",
    "methods",
    "data",
    "jobs",
    "http",
    "registry",
    "groups",
    "selectors",
)

# folder → parts of hengxi it may import
ALLOWED: dict[str, set[str]] = {
    "contract": {"contract"},
    "stats": {"contract", "stats"},
    "interpret": {"contract", "interpret"},
    # Bases that methods of several groups stand on; they name no method.
    "families": {"contract", "stats", "interpret", "families"},
    "methods": {"contract", "stats", "interpret", "families", "methods"},
    "data": {"contract", "data"},
    # Coding of answers: reads tables and cuts words.
    "answers": {"contract", "data", "families", "answers"},
    # The estimates of several copies of a table as one report; it names no method either.
    "pooling": {"contract", "stats", "pooling"},
    # Texts against texts: no table, no method.
    "plagdet": {"contract", "data", "families", "plagdet"},
    "jobs": {
        "answers",
        "contract",
        "data",
        "jobs",
        "plagdet",
        "pooling",
        "registry",
        "groups",
        "citations",
        "selectors",
        "declaration",
    },
    "http": {
        "answers",
        "contract",
        "data",
        "jobs",
        "registry",
        "groups",
        "citations",
        "selectors",
        "declaration",
        "http",
    },
}
CONTRACT_LIBRARIES = {"numpy", "pandas"}


TYPES_ONLY = re.compile(r"^if TYPE_CHECKING:\n(?:(?: .*)?\n)+", re.MULTILINE)


def imported(source: str) -> list[str]:
    """Absolute names a module imports, inside functions too."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def violations(file: Path, source: str) -> list[str]:
    """What this file may not import."""
    place = file.relative_to(PACKAGE)
    part = place.parts[0]
    if part not in ALLOWED:
        return []
    faults = []
    for name in imported(source):
        pieces = name.split(".")
        if pieces[0] == "hengxi" and len(pieces) > 1:
            # Tests beside a method, and scripts that say how its oracle was made, make their own small tables.
            is_beside = file.name.startswith(("test_", "oracle"))
            allowed = ALLOWED[part] | ({"data", "prepare"} if is_beside else set())
            if (pieces[1] in INNER and pieces[1] not in allowed) or (pieces[1] == "testing" and not is_beside):
                faults.append(f"{place} imports {name}")
            if part == "methods" and pieces[1] == "methods":
                faults += _other_method(place, pieces, name)
            if part in ("jobs", "http") and pieces[1] == "methods":
                faults.append(f"{place} names a method: {name}")
        elif part == "contract" and pieces[0] not in CONTRACT_LIBRARIES and not _standard(pieces[0]):
            faults.append(f"{place} imports the library {name}")
    return faults


def _other_method(place: Path, pieces: list[str], name: str) -> list[str]:
    """Within methods only `_shared` of the own group, and of the group it is a part of (never the other way)."""
    group = place.parts[1:-2]
    own = [("hengxi", "methods", *group[:depth], "_shared") for depth in range(1, len(group) + 1)]
    mine = any(tuple(pieces[: len(one)]) == one for one in own)
    return [] if mine else [f"{place} imports another method: {name}"]


def _standard(name: str) -> bool:
    import sys

    return name in sys.stdlib_module_names


def files() -> list[Path]:
    return [file for part in ALLOWED for file in sorted((PACKAGE / part).glob("**/*.py"))]


def test_nobody_imports_what_they_must_not() -> None:
    found = [text for file in files() for text in violations(file, file.read_text(encoding="utf-8"))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("stats/two_groups.py", "from hengxi.methods.descriptive.frequency.method import Frequency"),
        ("stats/two_groups.py", "from hengxi.families.regression.model import Model"),
        ("families/regression/model.py", "from hengxi.methods.statistical._shared import linear_model"),
        ("contract/form.py", "import hengxi.registry"),
        ("contract/form.py", "from scipy import stats"),
        ("methods/hypothesis_test/independent_t_test/method.py", "from hengxi.jobs import analysis"),
        ("methods/hypothesis_test/independent_t_test/method.py", "from hengxi.methods.statistical._shared import x"),
        ("methods/descriptive/frequency/method.py", "import hengxi.methods.descriptive.crosstabs.method"),
        (
            "methods/supervised_learning/_shared/learner.py",
            "from hengxi.methods.supervised_learning.classifier._shared import tables",
        ),
        ("jobs/analysis.py", "def f():\n    from hengxi.methods.descriptive.frequency import method"),
        ("data/table.py", "from hengxi.jobs.analysis import run_analysis"),
        ("methods/descriptive/frequency/method.py", "from hengxi.testing import records"),
    ],
)
def test_a_planted_violation_is_caught(place: str, line: str) -> None:
    assert violations(PACKAGE / place, line)


def modules() -> dict[str, Path]:
    """The modules of the package by name, tests and oracle scripts left out."""
    names = {}
    for file in PACKAGE.rglob("*.py"):
        if not file.name.startswith(("test_", "oracle")):
            place = file.relative_to(PACKAGE.parent).with_suffix("")
            names[".".join(place.parts).removesuffix(".__init__")] = file
    return names


def uses(name: str, source: str, known: set[str]) -> set[str]:
    """Modules of the package it imports when it runs, inside functions too; what only types need is left out."""
    source = TYPES_ONLY.sub("\n", source)
    package = name if (PACKAGE.parent / Path(*name.split("."))).is_dir() else name.rpartition(".")[0]
    targets = set(imported(source))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = ".".join([*package.split(".")[: len(package.split(".")) - node.level + 1], node.module or ""])
            targets |= {f"{base.rstrip('.')}.{alias.name}" for alias in node.names}
    reached = {target if target in known else target.rpartition(".")[0] for target in targets}
    return (reached & known) - {name}


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Some modules that import one another in a circle; none where there is no circle."""
    state: dict[str, str] = {}
    way: list[str] = []

    def walk(name: str) -> list[str]:
        state[name] = "open"
        way.append(name)
        for other in sorted(graph.get(name, ())):
            if state.get(other) == "open":
                return way[way.index(other) :]
            if other not in state and (around := walk(other)):
                return around
        state[name] = "done"
        way.pop()
        return []

    return next((around for name in sorted(graph) if name not in state and (around := walk(name))), [])


def test_no_modules_import_one_another_in_a_circle() -> None:
    known = modules()
    graph = {name: uses(name, file.read_text(encoding="utf-8"), set(known)) for name, file in known.items()}
    assert sum(map(len, graph.values())) > 1000, "imports are not found any more"
    assert circle(graph) == []


def test_a_planted_circle_is_found() -> None:
    known = {"hengxi.data.table", "hengxi.data.pages", "hengxi.contract", "hengxi.contract.form"}
    late = "def page():\n    from hengxi.data.pages import page"
    table = uses("hengxi.data.table", late, known)
    assert circle({"hengxi.data.table": table, "hengxi.data.pages": {"hengxi.data.table"}})
    assert uses("hengxi.contract.form", "from . import text", known) == {"hengxi.contract"}
    assert not circle({"hengxi.data.table": {"hengxi.contract"}, "hengxi.data.pages": {"hengxi.data.table"}})


def test_a_method_may_use_its_groups_shared_code() -> None:
    line = "from hengxi.methods.hypothesis_test._shared.pair import Pair"
    assert not violations(
        PACKAGE / "methods/econometric/probit/method.py", "from hengxi.families.regression import words"
    )
    assert not violations(PACKAGE / "methods/hypothesis_test/independent_t_test/method.py", line)


def test_a_group_may_use_the_shared_code_of_the_group_it_is_a_part_of() -> None:
    line = "from hengxi.methods.supervised_learning._shared.learner import Learner"
    assert not violations(PACKAGE / "methods/supervised_learning/classifier/_shared/classifier.py", line)
    assert not violations(PACKAGE / "methods/supervised_learning/classifier/random_forest/method.py", line)
