"""The files of a new method, written from its catalogue entry: what is known is filled in, what is owed fails."""

from __future__ import annotations

import json
import re
from typing import Any

Entry = dict[str, Any]

COLUMN_KEYS = {
    "变量": ("variable", "text"), "组别": ("group", "text"), "组": ("group", "text"), "分组": ("group", "text"),
    "水平": ("level", "text"), "取值": ("level", "text"), "样本量": ("n", "integer"), "n": ("n", "integer"),
    "N": ("n", "integer"), "频数": ("n", "integer"), "百分比": ("share", "percent"), "均值": ("mean", "num"),
    "标准差": ("sd", "num"), "标准误": ("se", "num"), "中位数": ("median", "num"), "P25": ("q1", "num"),
    "P75": ("q3", "num"), "最小": ("least", "num"), "最大": ("most", "num"), "t": ("t", "num"), "F": ("F", "num"),
    "Z": ("z", "num"), "z": ("z", "num"), "df": ("df", "num"), "自由度": ("df", "num"), "p": ("p", "pvalue"),
    "χ²": ("chi2", "num"), "统计量": ("statistic", "num"), "均值差": ("difference", "num"), "VIF": ("vif", "num"),
    "CI下限": ("low", "num"), "CI上限": ("high", "num"), "平方和": ("ss", "num"), "均方": ("ms", "num"),
}  # fmt: skip


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def python_value(value: Any) -> str:
    return repr(value) if not isinstance(value, str) else quoted(value)


def bounds(option: Entry) -> str:
    low, high = [*(option.get("range") or ()), None, None][:2]
    return "".join(f", {word}={value!r}" for word, value in (("least", low), ("most", high)) if value is not None)


def choices(option: Entry) -> dict[str, str]:
    """ASCII key → title; a choice the catalogue gives in Chinese only gets a numbered key to be renamed."""
    pairs: dict[str, str] = {}
    for number, raw in enumerate(option.get("choices") or [], start=1):
        key, _, title = str(raw).partition(" ")
        pairs[key.replace("-", "_") if key.isascii() else f"option{number}"] = title or key
    return pairs


def choice_line(key: str, option: Entry) -> str:
    pairs = choices(option)
    given = "{" + ", ".join(f"{quoted(k)}: {quoted(v)}" for k, v in pairs.items()) + "}"
    default = option.get("default")
    if isinstance(default, list):
        kept = tuple(str(value).partition(" ")[0] for value in default)
        return f"{key}: list[str] = many({quoted(option['title_zh'])}, {given}, default={kept!r})"
    chosen = str(default).partition(" ")[0]
    ending = f", default={quoted(chosen)}" if chosen in pairs and chosen != next(iter(pairs)) else ""
    return f"{key}: str = choice({quoted(option['title_zh'])}, {given}{ending})"


def option_line(option: Entry) -> str:
    key, title, kind, default = option["key"], quoted(option["title_zh"]), option["type"], option.get("default")
    if kind == "enum":
        return choice_line(key, option)
    if kind in ("number", "integer"):
        python = {"number": "float", "integer": "int"}[kind] + ("" if default is not None else " | None")
        return f"{key}: {python} = {kind}({title}, {default!r}{bounds(option)})"
    if kind == "boolean":
        return f"{key}: bool = flag({title}, {bool(default)})"
    # The catalogue's `text`, `matrix` and `formula` are hints: the contract has a field for each shape behind them.
    return f'{key}: str = words({title}, kind="text")  # the catalogue says {kind}, default {default!r}'


def role_line(role: Entry) -> str:
    key, least, most = role["key"], role.get("min", 1), role.get("max")
    python = "list[Column]" if most != 1 else "Column" if least else "Column | None"
    limits = f", min={least}" if most != 1 and least != 1 else ""
    limits += f", max={most}" if most not in (None, 1) else ""
    return f"{key}: {python} = role({quoted(role['title_zh'])}, {quoted(role['measure'])}{limits})"


def table_lines(outputs: list[str]) -> tuple[list[str], list[str]]:
    """(declared tables, names of the formats they use); figures stand as comments."""
    lines: list[str] = []
    words: set[str] = set()
    for number, output in enumerate(outputs, start=1):
        title, colon, columns = re.sub(r"：", ":", str(output)).partition(":")
        if not colon or title.strip() in ("图", "图形", "图表"):
            lines.append(f"# figure: {output}")
            continue
        cells: dict[str, str] = {}
        for place, name in enumerate(re.split(r"[,，、]\s*", columns.strip()), start=1):
            key, word = COLUMN_KEYS.get(name.strip(), (f"column{place}", "num"))
            words.add(word)
            heading = "" if word == "pvalue" else quoted(name.strip())
            cells[key if key not in cells else f"column{place}"] = f"{word}({heading})"
        body = ", ".join(f"{key}={cell}" for key, cell in cells.items())
        lines.append(f"table{number} = Table({quoted(title.strip())}, {body})")
    return lines, sorted(words)


def method_file(path: str, name: str, entry: Entry) -> str:
    options = [option for option in entry["options"] or [] if option["key"] not in ("seed", "random_state")]
    is_random = len(options) < len(entry["options"] or [])
    fields = [role_line(role) for role in entry["roles"] or []] + [option_line(option) for option in options]
    tables, formats = table_lines(entry["outputs"] or [])
    used = re.findall(r"= (\w+)\(", "\n".join(fields))
    # A field named like one of the contract's words would hide it from the fields below.
    hidden = {line.partition(":")[0] for line in fields} & set(used)
    fields = [
        re.sub(r"= (\w+)\(", lambda m: f"= {m[1]}{'_field' * (m[1] in hidden)}(", line, count=1) for line in fields
    ]
    imports = sorted({"Column", "Form", "Method", "Report", "Table", *used, *formats}, key=str.swapcase)
    base = {"processing": "Processing"}.get(entry["kind"], "Method")
    imports = sorted({base if word == "Method" else word for word in imports}, key=str.swapcase)
    imports = [f"{word} as {word}_field" if word in hidden else word for word in imports]
    slug = entry["slug"]
    own_slug = f'    slug = "{slug}"\n' if slug != path.rsplit("/", 1)[-1].replace("_", "-") else ""
    body = [f"        {line}" for line in fields] or ["        pass"]
    return (
        f'"""{entry["name_en"]}: the variant, its source, and what a reader must know before changing it."""\n\n'
        "from __future__ import annotations\n\n"
        f"from hengxi.contract import {', '.join(imports)}\n\n\n"
        f"class {name}({base}):\n"
        f'    """{entry["library"]}"""\n\n'
        f"    title, title_en = {quoted(entry['name_zh'])}, {quoted(entry['name_en'])}\n"
        f"    family, tier = {quoted(entry['family_zh'])}, {quoted(entry['tier'])}\n"
        f"    purpose = {quoted(entry['purpose_zh'].rstrip('。？'))}\n"
        + own_slug
        + ("    random = True\n" if is_random else "")
        + "    references = ()\n\n"
        + "    class Input(Form):\n"
        + "\n".join(body)
        + "\n\n"
        + "\n".join(f"    {line}" for line in tables)
        + "\n\n    @classmethod\n    def run(cls, form: Input) -> Report:\n"
        + f'        raise NotImplementedError("{path}")\n'
    )


def test_file(path: str, entry: Entry) -> str:
    first = next((role["title_zh"] for role in entry["roles"] or []), "变量一")
    stubs = "".join(
        f'\n\ndef test_bad_input_{number}() -> None:\n    """{line}"""\n    pytest.fail("owed: {path}")\n'
        for number, line in enumerate((str(line).replace('"', "'") for line in entry["bad_input"] or []), start=1)
    )
    return (
        f'"""What is particular to {entry["name_en"]}: its branches, its refusals, each sentence."""\n\n'
        "from __future__ import annotations\n\nfrom pathlib import Path\n\nimport pandas as pd\nimport pytest\n\n"
        "from hengxi.testing import Trial\n\n"
        'FRAME = pd.read_csv(Path(__file__).parent / "example.csv")\n'
        f'TRIAL = Trial("{path}", FRAME, {{}})  # {first} …\n'
        "report, refused = TRIAL.report, TRIAL.refused\n" + stubs
    )


def oracle_script(path: str, entry: Entry) -> str:
    up = "/".join([".."] * (path.count("/") + 3))
    return (
        f"# How oracle.json was made: Rscript oracle.R > oracle.json\n# {entry['oracle']}\n"
        f'source("{up}/tools/oracle.R")\n\ndata <- example()\n\n'
        'oracle(sources = c("R 4.2.2"), cases = list(\n'
        '  case("example", form = list(), expect = list(block("table1", list(), n = nrow(data))), says = list())))\n'
    )


def help_file(entry: Entry) -> str:
    options = "\n".join(f"- {option['title_zh']}" for option in entry["options"] or [])
    roles = "\n".join(f"- {role['title_zh']}：{role['measure']}" for role in entry["roles"] or [])
    return (
        f"# {entry['name_zh']}\n\n## 用途\n\n{entry['purpose_zh'].rstrip('。？')}。\n\n## 数据要求\n\n{roles}\n\n"
        f"## 操作\n\n{options}\n\n## 结果解读\n\n## 公式\n\n## 参考文献\n"
    )


def files(path: str, name: str, entry: Entry) -> dict[str, str]:
    """File name → text."""
    written = {
        "method.py": method_file(path, name, entry),
        "help.md": help_file(entry),
        "oracle.json": '{"sources": [], "cases": [], "unverified": []}\n',
        "oracle.R": oracle_script(path, entry),
        "test_method.py": test_file(path, entry),
    }
    example = {"example.csv": "变量一,变量二\n1,甲\n2,乙\n3,甲\n"} if entry["roles"] else {"example.json": "{}\n"}
    return written | example
