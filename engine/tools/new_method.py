"""`new_method.py group/key`: a method's folder from its catalogue entry, with tests that fail until done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ENGINE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ENGINE))
sys.path.insert(0, str(ENGINE / "tools"))

import scaffold  # noqa: E402

import catalogue  # noqa: E402
from hengxi import registry  # noqa: E402
from hengxi.groups import GROUPS, group_of  # noqa: E402


def write(path: str, root: Path | None = None) -> Path:
    """Make the folder; raises LookupError for a path that is not in the catalogue, SystemExit for one that exists."""
    group_of(path)
    entry = catalogue.entry_of(path)
    folder = (root or registry.ROOT) / path
    if folder.exists():
        raise SystemExit(f"{path} exists already")
    folder.mkdir(parents=True)
    for file, text in scaffold.files(path, registry.class_name(path), entry).items():
        (folder / file).write_text(text, encoding="utf-8")
    for rule in (["check", "--fix-only"], ["format"]):
        subprocess.run([sys.executable, "-m", "ruff", *rule, "-q", str(folder)], cwd=ENGINE, check=True)
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
    print(f"wrote {folder.relative_to(ENGINE.parent)}; now: tables, run, oracle, help, tests, then `npm run generate`")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
