"""What every method owes, written once (architecture, section 3). A method is tested by having a folder."""

from __future__ import annotations

import json
import math
import random
import re
from typing import Any

import numpy as np
import orjson
import pandas as pd
import pytest

from hengxi import registry
from hengxi.citations import references
from hengxi.contract import Table
from hengxi.contract.claims import Claim
from hengxi.contract.fields import ChoiceField, Field, ManyField, NumberField, RoleField, WeightField
from hengxi.contract.form import Judge
from hengxi.contract.refusal import Refusal
from hengxi.contract.wire_shape import has_shape
from hengxi.declaration import declare
from hengxi.groups import FAMILIES, group_of
from hengxi.prepare import ids_by_name, report_on, to_ids
from tests.support import hard, oracle, units
from tools.seals import SEAL, seal

PATHS = list(registry.paths())
HEADINGS = ("用途", "数据要求", "操作", "结果解读", "公式", "参考文献")
FILES = ("method.py", "help.md", "oracle.json", "test_method.py")
OWN_VALUE = ("自定义", "手工", "自选", "指定值")


def over(paths: list[str]) -> pytest.MarkDecorator:
    marked = [pytest.param(path, marks=pytest.mark.slow if oracle.is_slow(path) else ()) for path in paths]
    return pytest.mark.parametrize("path", marked)


every_method = over(PATHS)
every_method_with_data = over([path for path in PATHS if registry.load(path).needs_data is True])


def first_case(path: str) -> oracle.Case:
    return oracle.cases(path)[0]


def judge_of(path: str, table: Any, form: dict[str, Any]) -> Judge:
    method = registry.load(path)
    models = {key: handle.choice for key, handle in first_case(path).models().items()}
    named = to_ids(method, form, ids_by_name(table))
    made = Judge(method.Input, method.limits, named, table.meta.columns, models=models)
    made.judge()
    return made


def tables_of(path: str) -> list[Table]:
    return [element for element in registry.load(path).elements().values() if isinstance(element, Table)]


# ---- 1 the folder --------------------------------------------------------------------------------------------------
@every_method
def test_folder_is_whole(path: str) -> None:
    place = registry.folder(path)
    missing = [name for name in FILES if not (place / name).is_file()]
    assert not missing, f"{path} lacks {missing}"
    assert (place / "example.csv").is_file() or (place / "example.json").is_file()
    made = [file.suffix for file in place.glob("oracle.*") if file.suffix != ".json"]
    assert made, "how the numbers were obtained: oracle.R, .py or .md"


@every_method
def test_help_has_the_fixed_headings(path: str) -> None:
    text = (registry.folder(path) / "help.md").read_text(encoding="utf-8")
    found = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert [heading for heading in found if heading in HEADINGS] == list(HEADINGS)


@every_method
def test_help_names_settings_as_the_form_does(path: str) -> None:
    text = (registry.folder(path) / "help.md").read_text(encoding="utf-8")
    named = set(re.findall(r"在“([^”]+)”里", text)) - {"查看对应关系"}
    titles = {re.split("[（(]", field.title)[0] for field in registry.load(path).Input.fields.values()}
    assert named <= titles, f"{path}: no setting is called {sorted(named - titles)}"


@every_method
def test_help_calls_no_method_absent_that_is_there(path: str) -> None:
    """“本站还没有” is true until the method comes; whoever brings it is told where it was said."""
    text = (registry.folder(path) / "help.md").read_text(encoding="utf-8")
    titles = [registry.load(other).title for other in PATHS]
    for line in (line for line in text.splitlines() if "本站还没有" in line):
        absent = line.split("本站还没有")[0].split("。")[-1]
        # A link leads to what is there; the words around it may speak of what is not.
        absent = re.sub(r"\[[^\]]*\]\([^)]*\)", "", absent)
        assert not [title for title in titles if title in absent], f"{path}: {line}"


@every_method
def test_class_is_named_after_its_folder_and_declares_itself(path: str) -> None:
    method = registry.load(path)
    assert method.__name__.lower() == registry.class_name(path).lower()
    assert method.family in FAMILIES and group_of(path)
    assert references(list(method.references), registry.folder(path) / "references.yaml")
    declared = declare(path)
    assert declared["path"] == path and declared["fields"]
    assert json.loads(json.dumps(declared, allow_nan=False)) == declared


@every_method
def test_a_table_with_a_p_tells_what_it_found_or_why_not(path: str) -> None:
    for table in tables_of(path):
        if any(spec.column.format == "pvalue" for spec in table.all_columns.values()):
            assert table.claim is not None, f"{table.title}: claim=claim(…) or claim=Silent(why)"


@every_method
def test_claims_name_roles_settings_and_tables_there_are(path: str) -> None:
    method = registry.load(path)
    fields = method.Input.fields
    tables = {table.id: table for table in tables_of(path)}
    for table in tables.values():
        if not isinstance(table.claim, Claim):
            continue
        for key in filter(None, (table.claim.outcome, table.claim.by)):
            assert isinstance(fields.get(key), RoleField), f"{table.title}: no role {key}"
        others = [table.claim.effect_elsewhere, *(statistic.df_elsewhere for statistic in table.claim.statistics)]
        for other in filter(None, others):
            keys = {other.column, *other.row, *other.match}
            assert keys <= set(tables[other.table].all_columns), f"{table.title}: {other.table} lacks some of {keys}"
        chosen = [statistic.symbol_by for statistic in table.claim.statistics if statistic.symbol_by]
        for symbol_by in chosen:
            assert isinstance(fields.get(symbol_by.field), ChoiceField), f"{table.title}: no choice {symbol_by.field}"


@every_method
def test_a_choice_of_ones_own_has_a_field_for_it(path: str) -> None:
    fields = registry.load(path).Input.fields
    for key, field in fields.items():
        if isinstance(field, ChoiceField | ManyField):
            for option in field.options:
                if any(word in option.title for word in OWN_VALUE):
                    assert _shown_by(fields, key, option.key), f"{path}: {field.title}={option.title} has no field"


def _shown_by(fields: dict[str, Field], key: str, choice: str) -> bool:
    tests = [t for f in fields.values() for branch in f.when or [] for t in branch]
    return any(t.field == key and choice in getattr(t, "values", []) for t in tests)


# ---- 2 to 4 oracle -------------------------------------------------------------------------------------------------
@pytest.mark.slow
@every_method
def test_cases_give_what_is_declared_as_json_twice_the_same(path: str) -> None:
    for case, report in oracle.quick_reports(path):
        again = oracle.run(case, oracle.quick_form(case))
        for document in (report, again):
            document["elapsed"] = 0
        assert orjson.dumps(report) == orjson.dumps(again), f"{case.name} differs on a second run"
        json.dumps(report, allow_nan=False)
        assert any(element["type"] == "lead" for part in report["parts"] for element in part["elements"])


@every_method
def test_oracle_is_what_its_script_gave(path: str) -> None:
    """A number edited by hand, or a script changed and not run again."""
    folder = registry.folder(path)
    held = folder / SEAL
    assert held.is_file() and held.read_text(encoding="utf-8") == seal(folder), "run tools/run_oracles.py " + path


@every_method
def test_numbers_agree_with_the_oracle(path: str) -> None:
    found = [f"{case.name}: {t}" for case, report in oracle.reports(path) for t in oracle.differences(case, report)]
    assert not found, "\n".join(found)


@every_method
def test_sentences_agree_with_the_oracle(path: str) -> None:
    found = [f"{case.name}: {text}" for case, report in oracle.reports(path) for text in oracle.unsaid(case, report)]
    assert not found, "\n".join(found)


@every_method
def test_every_number_and_sentence_is_checked_or_excused(path: str) -> None:
    found = oracle.uncovered(path)
    assert not found, "\n".join(found)


# ---- 5 limits ------------------------------------------------------------------------------------------------------
@every_method
def test_bad_values_are_refused_by_code_and_name(path: str) -> None:
    case, method = first_case(path), registry.load(path)
    table = case.table()
    judge = judge_of(path, table, case.form)
    good = to_ids(method, case.form, ids_by_name(table))
    for key, field in method.Input.fields.items():
        if field.when is not None and judge.value(key) == field.empty():
            continue
        for bad, code in field.bad_values(judge.value(key), judge):
            refusal = _refused(path, table, {**good, key: bad})
            codes = [fault.code for fault in refusal.faults]
            assert code in codes, f"{path}.{key}={bad!r}: {codes}, expected {code}"
            fault = next(fault for fault in refusal.faults if fault.code == code)
            assert field.title in fault.text or any(c.name in fault.text for c in table.meta.columns), fault.text


ODD: list[Any] = [{}, [{}], 5, "x", True, [["c1"]], {"a": 1}, [None], 10**400, float("nan"), "  ", [5]]


@every_method
def test_values_of_another_shape_are_refused_by_name(path: str) -> None:
    """A list where one variable is asked for, a word where numbers are: whoever calls us by a script is told which."""
    case, method = first_case(path), registry.load(path)
    table = case.table()
    good = to_ids(method, case.form, ids_by_name(table))
    models = {key: handle.choice for key, handle in case.models().items()}
    for key, field in method.Input.fields.items():
        for odd in ODD:
            columns: Any = table.meta.columns
            judge = Judge(method.Input, method.limits, {**good, key: odd}, columns, models=models)
            judge.judge()
            shown = field.when is None or judge.value(key) != field.empty()
            if shown and not has_shape(odd, field.schema()):
                found = [fault.text for fault in judge.faults if (fault.field, fault.code) == (key, "form.shape")]
                assert found and field.title in found[0], f"{path}.{key}={odd!r}: {judge.faults}"


@every_method_with_data
def test_variables_of_the_wrong_kind_are_refused_by_name(path: str) -> None:
    case, method = first_case(path), registry.load(path)
    frame = case.frame
    n = len(frame)
    frame = frame.assign(__开放题=[f"第 {i} 份的回答" for i in range(n)], __全空=[None] * n, __常量=["甲"] * n)
    table = oracle.table_from(frame, {**case.measures, "__开放题": "文本", "__常量": "定类", "__全空": "定类"})
    ids = ids_by_name(table)
    good = to_ids(method, case.form, ids)
    for key, field in method.Input.fields.items():
        if not isinstance(field, RoleField) or field.when is not None:
            continue
        for name, code in _wrong_columns(field):
            bad = [ids[name]] if field.many else ids[name]
            refusal = _refused(path, table, {**good, key: bad})
            hits = [fault for fault in refusal.faults if fault.code == code and fault.field == key]
            assert hits and name in hits[0].text, f"{path}.{key}={name}: {[f.code for f in refusal.faults]}"


def _wrong_columns(field: RoleField) -> list[tuple[str, str]]:
    found = []
    if field.measure in ("定类", "定量", "有序", "时间"):
        found.append(("__开放题", "role.measure"))
    if field.measure in ("定类", "任意") and not field.gaps:
        found.append(("__全空", "role.empty"))
    if field.measure == "定类" and field.levels is not None and field.levels[0] >= 2:
        found.append(("__常量", "role.levels"))
    return found


def _refused(path: str, table: Any, form: dict[str, Any]) -> Refusal:
    with pytest.raises(Refusal) as caught:
        report_on(path, table, form, kept=first_case(path).models())
    assert all(re.search(r"[\u4e00-\u9fff]", fault.text) for fault in caught.value.faults)
    return caught.value


# ---- 6 hard data ---------------------------------------------------------------------------------------------------
@pytest.mark.slow
@every_method_with_data
@pytest.mark.parametrize("kind", list(hard.HARD))
def test_degenerate_tables_give_a_report_or_a_refusal(path: str, kind: str) -> None:
    for case in oracle.cases(path):
        normal, table = case.table(), hard.degenerate(case, kind)
        form = to_ids(registry.load(path), oracle.quick_form(case), ids_by_name(normal))
        around = case.around()
        for key in ("split", "weight"):
            if around[key] is not None:
                column = around[key]["column"]
                around[key] = {**around[key], "column": ids_by_name(normal).get(column, column)}
        try:
            report = report_on(path, table, form, **around)
        except Refusal as refusal:
            assert refusal.code and re.search(r"[\u4e00-\u9fff]", refusal.text)
        else:
            orjson.dumps(report)


# ---- 7 sense -------------------------------------------------------------------------------------------------------
def shape(report: dict[str, Any], ordered: bool) -> dict[str, list[list[float]]]:
    """The numbers of each visible table; rows sorted where their order is free. Row numbers are left out."""
    out: dict[str, list[list[float]]] = {}
    for table in oracle.elements(report, "table"):
        if table["hidden"]:
            continue
        keys = [key for key in oracle.numeric_keys(table) if key not in ("row", "row_number")]
        rows = [[_number(row.get(key)) for key in keys] for row in oracle.table_rows(table)]
        out[table["id"]] = rows if ordered else sorted(rows, key=_without_last_digits)
    return out


def _without_last_digits(row: list[float]) -> list[float]:
    """Rows equal but for rounding keep the order their further numbers give them."""
    return [float(f"{value:.7g}") for value in row]


def _number(value: Any) -> float:
    match value:
        case None:
            return -math.pi
        case "inf":
            return math.inf
        case "-inf":
            return -math.inf
        case _:
            return float(value)


def assert_same(a: dict[str, list[list[float]]], b: dict[str, list[list[float]]], what: str) -> None:
    assert a.keys() == b.keys(), what
    for key in a:
        assert len(a[key]) == len(b[key]), f"{what}: {key}"
        for one, other in zip(a[key], b[key], strict=True):
            assert np.allclose(one, other, rtol=1e-7, atol=1e-10), f"{what}: {key} {one} {other}"


@pytest.mark.slow
@every_method_with_data
def test_order_of_rows_does_not_matter(path: str) -> None:
    if registry.load(path).row_order:
        return
    for case, report in oracle.quick_reports(path):
        other = oracle.run(case, oracle.quick_form(case), hard.shuffled(case.table()))
        assert_same(shape(report, False), shape(other, False), f"{path} {case.name} shuffled")


@pytest.mark.slow
@every_method_with_data
def test_names_do_not_matter(path: str) -> None:
    """Names with quotes, braces, markup, blanks and symbols: nothing breaks, no number changes."""
    if registry.load(path).reads_names:
        return
    for case, report in oracle.quick_reports(path):
        table = case.table()
        ids = ids_by_name(table)
        form = to_ids(registry.load(path), oracle.quick_form(case), ids)
        around = case.around()
        for key in ("split", "weight"):
            if around[key] is not None:
                around[key] = {**around[key], "column": ids.get(around[key]["column"], around[key]["column"])}
        other = report_on(path, hard.renamed(table), form, True, **around)
        plain = orjson.loads(orjson.dumps(other))
        assert_same(shape(report, True), shape(plain, True), f"{path} {case.name} renamed")


@every_method
def test_rescaled_names_roles_and_numbers_there_are(path: str) -> None:
    fields = registry.load(path).Input.fields
    for keys in registry.load(path).rescaled:
        assert all(isinstance(fields.get(key), RoleField | NumberField) for key in keys), f"{path}: {keys}"


@pytest.mark.slow
@every_method_with_data
def test_another_unit_moves_nothing_but_what_has_the_unit(path: str) -> None:
    """The first case with its variables as 4x + 512: t, F, p, r stay, means and spreads follow."""
    if not registry.load(path).rescaled:
        return
    case, report = oracle.quick_reports(path)[0]
    for keys in registry.load(path).rescaled:
        found = list(units.differences(case, tuple(keys), report))
        assert not found, f"{path} {keys}: {found[:5]}"


OF_ROWS = {
    ("descriptive/explore", "extremes"): "lists the single rows at the ends",
    ("descriptive/frequency", "summary"): "counts rows beside cases",
    ("statistical/logistic_regression", "coding"): "counts rows of each category",
    ("statistical/logistic_regression", "outliers"): "lists rows",
}
"""Tables that speak of rows of the file, not of the cases they stand for."""


@pytest.mark.slow
@every_method_with_data
def test_a_frequency_weight_is_rows_written_so_often(path: str) -> None:
    """The first case with whole frequencies: the same numbers from the table with its rows repeated and no weight."""
    fields = registry.load(path).Input.fields
    boxes = [key for key, f in fields.items() if isinstance(f, WeightField) and f.kind == "frequency"]
    for case in oracle.cases(path):
        name = next((case.form[key] for key in boxes if case.form.get(key)), None)
        if name is None or not _are_frequencies(case.frame[name]):
            continue
        form = oracle.quick_form(case)
        weighted = shape(oracle.run(case, form), True)
        often = case.frame.index.repeat(case.frame[name].astype(int))
        repeated = oracle.table_from(case.frame.loc[often].reset_index(drop=True), case.measures)
        plain = shape(oracle.run(case, {key: form[key] for key in form if key not in boxes}, repeated), True)
        of_cases = [key for key in weighted if (path, key.split(":")[0]) not in OF_ROWS]
        assert_same({k: weighted[k] for k in of_cases}, {k: plain[k] for k in of_cases}, f"{path} {case.name} repeated")
        return


def _are_frequencies(weights: pd.Series) -> bool:
    """Whole, never negative, without gaps, and of no more than 3,000 cases together."""
    return bool(weights.notna().all() and (weights >= 0).all() and (weights % 1 == 0).all() and weights.sum() <= 3000)


def shared_generator() -> tuple[list[int], int]:
    """Numbers and place of numpy's global generator: the numbers alone change once in 624 draws."""
    state = np.random.get_state(legacy=False)["state"]
    return state["key"].tolist(), int(state["pos"])


@every_method
def test_global_random_state_is_left_alone(path: str) -> None:
    before, state = random.getstate(), shared_generator()
    oracle.run(first_case(path), oracle.quick_form(first_case(path)))
    assert random.getstate() == before
    assert shared_generator() == state


@every_method
def test_the_conclusion_agrees_with_p(path: str) -> None:
    """A lead that speaks of significance reads the p it states."""
    for case, report in oracle.reports(path):
        alpha = 1 - float(report["form"].get("conf_level") or 0.95)
        for one in oracle.sentences(report):
            p = one["facts"].get("p")
            if one["type"] != "lead" or not isinstance(p, int | float):
                continue
            found = re.search(r"(?<![无未不没])有统计学意义", one["words"]) is not None
            missed = re.search(r"未发现|无统计学意义|没有统计学意义", one["words"]) is not None
            assert not (found and p >= alpha) and not (missed and p < alpha), f"{case.name}: {one['words']} p={p}"


@every_method
def test_one_sided_p_values_complement_each_other(path: str) -> None:
    """greater + less = 1 (more where the distribution is discrete), unless the p has no direction."""
    field = registry.load(path).Input.fields.get("alternative")
    if not isinstance(field, ChoiceField):
        return
    case = first_case(path)
    sides = [oracle.run(case, {**case.form, "alternative": side}) for side in ("greater", "less")]
    for one, other in zip(*(oracle.elements(side, "table") for side in sides), strict=True):
        keys = [column["key"] for column in one["columns"] if column["format"] == "pvalue"]
        for a, b in zip(oracle.table_rows(one), oracle.table_rows(other), strict=True):
            for key in keys:
                if a[key] is not None and a[key] != pytest.approx(b[key], rel=1e-12):
                    assert 1 - 1e-9 <= a[key] + b[key] < 1.5, f"{path} {one['name']}.{key}: {a[key]} and {b[key]}"


@every_method
def test_rows_follow_their_variable_whatever_its_name_and_number(path: str) -> None:
    """Twelve variables i1 … i12 in one run give each the rows it gets alone ("i10" is not sorted before "i2")."""
    fields = registry.load(path).Input.fields
    each = next((field for field in fields.values() if isinstance(field, RoleField) and field.each), None)
    if each is None:
        return
    case = first_case(path)
    source = case.form[each.key][0]
    frame = case.frame
    numeric = pd.api.types.is_numeric_dtype(frame[source])
    copies = {f"i{k}": frame[source] * k if numeric else frame[source].astype(str) + "x" * k for k in range(12, 0, -1)}
    # Variables that go along with those of the role: pairs.
    partners = {key: case.form[key][0] for key, f in fields.items() if getattr(f, "along", None) and case.form.get(key)}
    for key, partner in partners.items():
        copies |= {f"{key}{k}": frame[partner] * k for k in range(1, 13)}
    table = oracle.table_from(frame.assign(**copies), case.measures)

    def beside(names: list[str]) -> dict[str, list[str]]:
        return {key: [f"{key}{name[1:]}" for name in names] for key in partners}

    names = [f"i{k}" for k in range(1, 13)]
    together = oracle.run(case, {**case.form, each.key: names, **beside(names)}, table)
    for name in ("i2", "i10"):
        alone = oracle.run(case, {**case.form, each.key: [name], **beside([name])}, table)
        for one in oracle.elements(alone, "table"):
            match = next(t for t in oracle.elements(together, "table") if t["id"] == one["id"])
            rows = [row for row in oracle.table_rows(match) if row["variable"].split(" − ")[0] == name]
            assert rows == oracle.table_rows(one), f"{path}: {one['id']} of {name}"


# ---- 8 every choice ------------------------------------------------------------------------------------------------
@pytest.mark.slow
@every_method
def test_every_choice_runs(path: str) -> None:
    case, method = first_case(path), registry.load(path)
    table = case.table()
    form = {**case.form, **oracle.quick(path)}
    judge = judge_of(path, table, form)
    good = to_ids(method, form, ids_by_name(table))
    for key, field in method.Input.fields.items():
        for value in field.other_values(judge.value(key), judge):
            try:
                report_on(path, table, {**good, key: value}, strict=True, kept=case.models())
            except Refusal as refusal:
                # A choice may need something the example does not have; it must say which field.
                assert any(fault.field for fault in refusal.faults), f"{path}.{key}={value!r}: {refusal}"


@every_method
def test_next_steps_open_with_settings_their_method_has(path: str) -> None:
    for case, report in oracle.quick_reports(path):
        steps = report["next_steps"]
        assert steps is not None and len({step["title"] for step in steps}) == len(steps)
        known = {column.id for column in case.table().meta.columns}
        for step in steps:
            fields = registry.load(step["method"]).Input.fields
            allowed = {*fields, "seed"}
            assert set(step["form"]) <= allowed and set(step["seek"]) <= {*fields, "_split"}, f"{path}: {step}"
            for key, value in step["form"].items():
                if isinstance(fields.get(key), RoleField):
                    assert _ids_in(value) <= known, f"{path}: {step}"
    offers = registry.load(path).needs_data is True and path.split("/")[0] in ("descriptive", "hypothesis_test")
    assert steps or not offers


def _ids_in(value: Any) -> set[str]:
    """Variables a role names; a multiple-answer question names several at once."""
    if isinstance(value, list):
        return set().union(*map(_ids_in, value))
    return set(value["columns"]) if isinstance(value, dict) else {value} - {None}


@every_method
def test_saved_forms_still_open(path: str) -> None:
    method = registry.load(path)
    for file in sorted((registry.folder(path) / "saved").glob("*.json")):
        saved = json.loads(file.read_text(encoding="utf-8"))
        form = method.upgrade(saved["form"], saved["version"])
        unknown = form.keys() - method.Input.fields.keys() - {"seed"}
        assert not unknown, f"{file.name}: {unknown}"


@every_method
def test_numbers_in_the_conclusion_stand_in_a_table(path: str) -> None:
    """A lead reads the very cells of the tables; what it computes itself must be in the oracle."""
    excused = {one["what"] for one in oracle.oracle(path).get("unverified", []) if one.get("reason")}
    found = []
    for case, report in oracle.reports(path):
        known = {abs(x) for rows in shape(report, True).values() for row in rows for x in row if math.isfinite(x)}
        form = [float(v) for v in report["form"].values() if isinstance(v, int | float)]
        known |= {v for number in form for v in (number, 1 - number)}
        for wanted in case.raw.get("says", []):
            known |= {abs(float(v)) for v in _facts(wanted).values() if isinstance(v, int | float)}
        known |= {float(n) for n in report["sample"].values() if isinstance(n, int | float)}
        for one in oracle.sentences(report):
            if one["type"] != "lead":
                continue
            for key, value in one["facts"].items():
                if isinstance(value, bool) or not isinstance(value, int | float) or f"lead.{key}" in excused:
                    continue
                if not any(math.isclose(abs(value), number, rel_tol=1e-9, abs_tol=1e-12) for number in known):
                    found.append(f"{case.name}: {key} = {value} in “{one['words']}” stands in no table")
    assert not found, "\n".join(found)


def _facts(wanted: Any) -> dict[str, Any]:
    return {} if isinstance(wanted, str) else wanted.get("facts") or {}


def test_there_are_methods() -> None:
    assert PATHS
