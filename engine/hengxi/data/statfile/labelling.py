"""The labels of a SAS catalogue put to the variables whose formats it explains, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hengxi.data.formats import Job
from hengxi.data.meta import Warn
from hengxi.data.statfile.catalogue import Format, read_catalogue
from hengxi.data.statfile.dialect import is_users, sas_format

_SHOWN = 5


def catalogue_formats(job: Job) -> dict[str, Format]:
    """What the catalogue of this import defines; nothing without one."""
    beside = job.catalogue
    return read_catalogue(beside.path, beside.name, job.settings.get("encoding")) if beside else {}


def put_labels(meta: Any, formats: dict[str, Format]) -> None:
    """Labels into the metadata of the reader, by the format of each variable."""
    for name in meta.column_names:
        fmt = formats.get(_format_of(meta, name))
        if fmt and fmt.labels:
            meta.variable_value_labels[name] = dict(fmt.labels)


def name_periods(meta: Any, named: Callable[[str], dict[float, str]]) -> None:
    """Value labels for variables whose format shows numbers as words, where the file has none of its own."""
    for name in meta.column_names:
        words = named(meta.original_variable_types.get(name) or "")
        if words and not meta.variable_value_labels.get(name):
            meta.variable_value_labels[name] = dict(words)


def _format_of(meta: Any, name: str) -> str:
    form = sas_format(meta.original_variable_types.get(name) or "")
    texted = meta.readstat_variable_types.get(name) == "string"
    return f"${form}" if form and texted and not form.startswith("$") else form


def catalogue_warnings(job: Job, meta: Any, formats: dict[str, Format]) -> list[Warn]:
    """How catalogue and variables fit, in words: what has labels now, what has none and why."""
    own = {
        name: _format_of(meta, name)
        for name in meta.column_names
        if _format_of(meta, name) in formats or is_users(meta.original_variable_types.get(name) or "")
    }
    if job.catalogue is None:
        if not own:
            return []
        text = (
            f"{len(own)} 个变量用了自定义格式（{_pairs(own)}），值标签在 SAS 的目录文件（sas7bcat）里，不在数据文件中。"
            "需要标签时，请在导入报告里添加目录文件，或与数据文件一起上传。"
        )
        return [Warn(code="sas7bcat.wanted", text=text, facts={"formats": own})]
    title = job.catalogue.name
    matched = {name: form for name, form in own.items() if form in formats and formats[form].labels}
    lacking = {name: form for name, form in own.items() if form not in formats}
    ranged = sorted({form for form in own.values() if form in formats and formats[form].ranged})
    warnings = []
    if matched:
        text = f"{len(matched)} 个变量按“{title}”加上了值标签（{_pairs(matched)}）。"
        warnings.append(Warn(code="sas7bcat.used", text=text, facts={"formats": matched}))
    else:
        holds = f"有 {len(formats)} 个格式（{_listed(sorted(formats))}）" if formats else "没有格式"
        uses = f"数据用的是 {_listed(sorted(set(own.values())))}" if own else "数据中的变量没有用自定义格式"
        text = f"“{title}”{holds}，没有一个给数据中的变量加上值标签；{uses}。请核对是不是这份数据的目录。"
        warnings.append(Warn(code="sas7bcat.unmatched", text=text, facts={"formats": sorted(formats)[:50]}))
    if lacking and matched:
        text = f"{len(lacking)} 个变量的格式不在“{title}”中，没有值标签（{_pairs(lacking)}）。"
        warnings.append(Warn(code="sas7bcat.lacking", text=text, facts={"formats": lacking}))
    if ranged:
        text = (
            f"格式 {_listed(ranged)} 还给取值区间或其余的值（OTHER）起了名字；"
            "值标签只能对应单个取值，这部分没有采用，数据不变。"
        )
        warnings.append(Warn(code="sas7bcat.ranged", text=text, facts={"formats": ranged}))
    return warnings


def _pairs(own: dict[str, str]) -> str:
    return _listed([f"{name}：{form}" for name, form in own.items()])


def _listed(names: list[str]) -> str:
    return "、".join(names[:_SHOWN]) + (" 等" if len(names) > _SHOWN else "")
