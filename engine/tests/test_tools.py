"""The generator, the scaffold and the oracle runner."""

from __future__ import annotations

import importlib.util
import json
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from hengxi import registry
from tools.seals import SEAL, seal

TOOLS = Path(__file__).resolve().parents[1] / "tools"


@cache
def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"tools_{name}", TOOLS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def conftest() -> ModuleType:
    spec = importlib.util.spec_from_file_location("engine_conftest", TOOLS.parent / "conftest.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generated_contract_is_in_step(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["export_contracts.py", "--check"])
    assert tool("export_contracts").main() == 0, capsys.readouterr().out


def test_drift_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    export = tool("export_contracts")
    monkeypatch.setattr(export, "OUT", tmp_path / "generated")
    monkeypatch.setattr(sys, "argv", ["export_contracts.py"])
    assert export.main() == 0
    contract = tmp_path / "generated" / "contract.ts"
    contract.write_text(contract.read_text(encoding="utf-8") + "// by hand\n", encoding="utf-8")
    (tmp_path / "generated" / "methods" / "gone.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["export_contracts.py", "--check"])
    assert export.main() == 1
    said = capsys.readouterr().out
    assert "contract.ts" in said and "gone.json (no such method)" in said


def test_a_new_method_is_a_folder_that_still_owes_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = "medical/dose_response"
    monkeypatch.setattr(registry, "ROOT", tmp_path)
    folder = tool("new_method").write(path, tmp_path)
    names = {file.name for file in folder.iterdir()}
    assert names == {"method.py", "help.md", "oracle.json", "oracle.R", "test_method.py", "example.csv"}
    registry._load.cache_clear()
    method, entry = registry.load(path), tool("catalogue").entry_of(path)
    assert (method.title, method.family, method.tier) == (entry["name_zh"], entry["family_zh"], entry["tier"])
    with pytest.raises(NotImplementedError):
        method.run(None)
    stubs = (folder / "test_method.py").read_text(encoding="utf-8").count("pytest.fail")
    assert stubs == len(entry["bad_input"])
    json.loads((folder / "oracle.json").read_text(encoding="utf-8"))
    with pytest.raises(SystemExit):
        tool("new_method").write(path, tmp_path)
    with pytest.raises(LookupError):
        tool("new_method").write("no_such_group/x", tmp_path)
    with pytest.raises(LookupError, match="medical/dose_response"):
        tool("new_method").write("medical/dose_respons", tmp_path)
    registry._load.cache_clear()


def test_every_entry_of_the_catalogue_becomes_a_class_that_loads() -> None:
    scaffold, catalogue = tool("scaffold"), tool("catalogue")
    for path, entry in catalogue.entries().items():
        name = registry.class_name(path)
        module = ModuleType(f"scaffold_{name}")
        sys.modules[module.__name__] = module
        exec(compile(scaffold.files(path, name, entry)["method.py"], path, "exec"), module.__dict__)
        assert module.__dict__[name].title == entry["name_zh"]
        del sys.modules[module.__name__]


@pytest.mark.parametrize("path", list(registry.paths()))
def test_a_method_is_what_the_catalogue_says(path: str) -> None:
    """Title, family and who may run it: a member's method open to everybody would never be refused (20002)."""
    method, entry = registry.load(path), tool("catalogue").entry_of(path)
    half_width = str.maketrans("（）", "()")
    assert method.title.translate(half_width) == entry["name_zh"].translate(half_width)
    assert (method.family, method.tier) == (entry["family_zh"], entry["tier"])
    assert (method.slug or path.rsplit("/", 1)[-1].replace("_", "-")) == entry["slug"]


def test_oracle_lines_are_read_and_compared() -> None:
    oracles = tool("run_oracles")
    numbers = oracles.read("> remark\nresult[test=Welch].t\t1.5\nsecond:result[].p\t0.25\n")
    assert [(n.case, n.table, n.where, n.cell, n.value) for n in numbers] == [
        (None, "result", {"test": "Welch"}, "t", 1.5),
        ("second", "result", {}, "p", 0.25),
    ]
    block = {"table": "result", "where": {"test": "Welch"}, "cells": {"t": 1.5}}
    stored = {"cases": [{"name": "first", "expect": [block]}, {"name": "second", "expect": []}]}
    assert oracles.compare(numbers[0], stored) is None
    block["cells"] = {"t": 1.4}
    assert "gives 1.5" in oracles.compare(numbers[0], stored)
    assert "not in oracle.json" in oracles.compare(numbers[1], stored)


def test_a_number_edited_by_hand_breaks_the_seal_of_an_oracle(tmp_path: Path) -> None:
    (tmp_path / "oracle.R").write_text("cat(1)", encoding="utf-8")
    (tmp_path / "oracle.json").write_text('{"t": 1.5}', encoding="utf-8")
    before = seal(tmp_path)
    (tmp_path / SEAL).write_text(before, encoding="utf-8")
    assert seal(tmp_path) == before
    (tmp_path / "oracle.json").write_text('{"t": 1.6}', encoding="utf-8")
    assert seal(tmp_path) != before


def test_a_method_whose_shared_tests_take_too_long_is_named() -> None:
    spending = conftest().Spending(None)
    spending.shared["descriptive/frequency"] = 1e6
    assert [line.split(":")[0] for line in spending.over_budget()] == ["descriptive/frequency"]
