"""The generator, the scaffold and the oracle runner."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from hengxi import registry

TOOLS = Path(__file__).resolve().parents[1] / "tools"


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"tools_{name}", TOOLS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
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
    monkeypatch.setattr(registry, "ROOT", tmp_path)
    folder = tool("new_method").write("descriptive/scaffold_try", tmp_path)
    names = {file.name for file in folder.iterdir()}
    assert names == {"method.py", "help.md", "oracle.json", "oracle.R", "test_method.py", "example.csv"}
    registry._load.cache_clear()
    method = registry.load("descriptive/scaffold_try")
    assert method.__name__ == "ScaffoldTry"
    with pytest.raises(NotImplementedError):
        method.run(None)
    json.loads((folder / "oracle.json").read_text(encoding="utf-8"))
    with pytest.raises(SystemExit):
        tool("new_method").write("descriptive/scaffold_try", tmp_path)
    with pytest.raises(LookupError):
        tool("new_method").write("no_such_group/x", tmp_path)
    registry._load.cache_clear()


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
