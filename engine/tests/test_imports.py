"""Who may import whom (architecture, section 8), and proof that a planted violation is caught."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from hengxi import registry

PACKAGE = registry.ROOT.parent
INNER = (
    "contract",
    "stats",
    "interpret",
    "families",
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
    "jobs": {"contract", "data", "jobs", "registry", "groups", "citations", "selectors", "declaration"},
    "http": {"contract", "data", "jobs", "registry", "groups", "citations", "selectors", "declaration", "http"},
}
CONTRACT_LIBRARIES = {"numpy", "pandas"}


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
