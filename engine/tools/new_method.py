"""`new_method.py group/key`: a folder with everything a method owes, and tests that fail until it is paid."""

from __future__ import annotations

import sys
from pathlib import Path

ENGINE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ENGINE))

from hengxi import registry  # noqa: E402
from hengxi.groups import GROUPS, group_of  # noqa: E402

METHOD = '''"""{key}: one sentence on what a reader must know before changing it (which variant, from which source)."""

from __future__ import annotations

from hengxi.contract import Column, Form, Method, Report, Table, integer, num, number, role, text


class {name}(Method):
    """What is shown, and which result the conclusion reads."""

    title, title_en = "{key}", "{key}"
    family, tier = "描述性分析", "standard"
    purpose = ""
    references = ()

    class Input(Form):
        variables: list[Column] = role("分析变量", "定量")
        conf_level: float = number("置信水平", 0.95, least=0.5, most=0.999, percent=True)

    result = Table("结果", variable=text("变量"), n=integer("*n*"), mean=num("均值"))

    @classmethod
    def run(cls, form: Input) -> Report:
        raise NotImplementedError("{path}")
'''

HELP = """# {key}

## 用途

## 数据要求

## 操作

## 结果解读

## 公式

## 参考文献
"""

ORACLE = """{
  "sources": [],
  "cases": [
    {
      "name": "example",
      "form": {"variables": ["变量一"]},
      "expect": [{"table": "result", "where": {"variable": "变量一"}, "cells": {"n": null, "mean": null}}],
      "says": []
    }
  ],
  "unverified": []
}
"""

ORACLE_R = """# Writes the reference numbers of {path} as "cell<TAB>value" lines; run by engine/tools/run_oracles.py.
# Independent of our engine: base R or a published table, never a number copied from our own output.
x <- read.csv("example.csv", fileEncoding = "UTF-8", check.names = FALSE)
cat(sprintf("result[variable=%s].n\\t%.17g\\n", "变量一", nrow(x)))
"""

TEST = '''"""What is particular to {key}: its branches, its refusals, each sentence."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from hengxi.testing import Trial

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial("{path}", FRAME, {{"variables": ["变量一"]}})
report, refused = TRIAL.report, TRIAL.refused


def test_a_constant_variable_is_refused_by_name() -> None:
    assert "变量一" in refused(FRAME.assign(变量一=1.0)).text
'''

EXAMPLE = "变量一,变量二\n1,甲\n2,乙\n3,甲\n"


def write(path: str, root: Path | None = None) -> Path:
    """Make the folder; refuses what exists and groups nobody has declared."""
    group_of(path)
    folder = (root or registry.ROOT) / path
    if folder.exists():
        raise SystemExit(f"{path} exists already")
    folder.mkdir(parents=True)
    key = path.rsplit("/", 1)[-1]
    name = registry.class_name(path)
    files = {
        "method.py": METHOD.format(key=key, name=name, path=path),
        "help.md": HELP.format(key=key),
        "oracle.json": ORACLE,
        "oracle.R": ORACLE_R.replace("{path}", path),
        "test_method.py": TEST.format(key=key, path=path),
        "example.csv": EXAMPLE,
    }
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8")
    return folder


def main() -> int:
    if len(sys.argv) != 2 or "/" not in sys.argv[1]:
        print("usage: new_method.py GROUP/KEY, groups: " + ", ".join(group.key for group in GROUPS))
        return 2
    try:
        folder = write(sys.argv[1])
    except LookupError as error:
        print(error)
        return 2
    print(f"wrote {folder.relative_to(ENGINE.parent)}; now: Input, tables, run, oracle, help, then `npm run generate`")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
