"""The whole report around its parts: what was asked, what was used, the account of all rows."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from hengxi import registry
from hengxi.citations import references
from hengxi.contract.declared import CONTRACT
from hengxi.contract.measures import title_of
from hengxi.contract.method import Method
from hengxi.contract.refusal import NextStep
from hengxi.contract.report_shapes import FilterUsed, Part, Report, ReportMethod, SplitUsed, WeightUsed
from hengxi.contract.shapes import ColumnRef, Sample, WhyRows
from hengxi.data.table import Table
from hengxi.jobs.identity import libraries
from hengxi.jobs.validation import Filter, Judged, Request
from hengxi.pooling.report import CONVENTIONS, REFERENCES

COLUMN = re.compile(r"\{(c[1-9][0-9]*)\}")


def whole_report(
    method: type[Method],
    request: Request,
    judged: Judged,
    table: Table,
    parts: list[Part],
    heading: str,
    elapsed: float,
    stopped: bool,
    pooled: bool = False,
) -> Report:
    """`pooled`: copies of a multiple imputation were put together (hengxi.pooling)."""
    boxes = {k: f for k, f in method.Input.fields.items() if f.holds_variables}
    roles = {k: [_ref(table, c) for c in f.column_ids(judged.resolved[k])] for k, f in boxes.items()}
    own = registry.folder(request.path) / "references.yaml"
    weight = judged.weights[0] if judged.weights else None
    return Report(
        contract=CONTRACT,
        path=request.path,
        version=method.version,
        title=heading,
        method=ReportMethod(path=request.path, title=method.title, version=method.version),
        form=judged.wire_form,
        seed=judged.seed,
        libraries=libraries(),
        parts=parts,
        sample=_whole_sample(parts),
        conventions=[*method.conventions, *(CONVENTIONS if pooled else ())],
        references=references([*method.references, *(REFERENCES if pooled else ())], own),
        roles=roles,
        filter=_filter_used(request.filter, table),
        split=_split_used(request.split, table),
        weight=None if weight is None else WeightUsed(**_named(table, weight.column), kind=weight.kind),  # type: ignore[arg-type]
        fill_missing=request.fill_missing and method.missing in ("listwise", "each"),
        elapsed=elapsed,
        stopped=stopped,
        next_steps=_next_steps(method, judged, table),
    )


MOST_STEPS = 6


def _next_steps(method: type[Method], judged: Judged, table: Table) -> list[NextStep]:
    form = {key: value for key, value in judged.wire_form.items() if not key.startswith("_")}
    columns = {column.id: column for column in table.meta.columns}
    steps = [*judged.followed, *method.next_steps(form, columns)]  # type: ignore[arg-type]
    return [step for step in steps if registry.exists(step.method)][:MOST_STEPS]


def _whole_sample(parts: list[Part]) -> Sample:
    """The account of all parts together: the total part's where there is one."""
    if len(parts) == 1 or (parts[-1].group is not None and parts[-1].group.total and parts[-1].refusal is None):
        return parts[-1].sample
    samples = [part.sample for part in parts if part.group is None or not part.group.total]
    counts = {name: sum(getattr(s, name) for s in samples) for name in ("filter", "weight", "missing", "used")}
    weighted = sum(s.weighted or 0 for s in samples) or None
    why: dict[tuple[str | None, str | None], WhyRows] = {}
    for one in (one for s in samples for one in s.why):
        known = why.get((one.column, one.reason))
        why[one.column, one.reason] = replace(one, rows=one.rows + (known.rows if known else 0))
    columns = list(dict.fromkeys(column for s in samples for column in s.columns))
    whole = Sample(file=samples[0].file, **counts, weighted=weighted, why=list(why.values()), columns=columns)
    restricted = [s.chosen for s in samples if s.chosen is not None]
    if restricted:
        whole.chosen = replace(restricted[0], rows=sum(one.rows for one in restricted))
    return whole


def _ref(table: Table, column_id: str) -> ColumnRef:
    column = table.column(column_id)
    return ColumnRef(id=column.id, name=column.name, label=column.label, measure=column.measure)


def _named(table: Table, column_id: str) -> dict[str, str]:
    return {"column": column_id, "name": title_of(table.column(column_id))}


def _filter_used(used: Filter | None, table: Table) -> FilterUsed | None:
    if used is None:
        return None
    names = {column.id: title_of(column) for column in table.meta.columns}
    text = COLUMN.sub(lambda m: names.get(m[1], m[0]), used.condition)
    return FilterUsed(condition=used.condition, filter_type=used.filter_type, text=text)


def _split_used(split: dict[str, Any] | None, table: Table) -> SplitUsed | None:
    if split is None:
        return None
    named = _named(table, split["column"])
    return SplitUsed(**named, levels=split.get("levels"), total=bool(split.get("total", True)))
