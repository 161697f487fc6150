"""What an analysis returns: tables as data frames, sentences, the processed table, the saved model."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from hengxi.jobs.artifacts import Handle, matrix_of
from hengxi.notebook.frames import frame_of
from hengxi.notebook.names import unknown
from hengxi.notebook.words import filled, plain

MARKS = {"pass": "✓", "care": "!", "fail": "✗", "unknown": "?"}


class Tables(Mapping[str, pd.DataFrame]):
    """The tables of a report by title or by the name in the method's declaration.

    A table given several times (one for each layer, each part of a split) comes as one frame with the columns 部分 and
    所属 in front. Numbers keep their full precision; `frame.attrs["keys"]` are the keys of the columns.
    """

    def __init__(self, report: dict[str, Any]) -> None:
        self._titles: dict[str, str] = {}
        self._frames: dict[str, list[pd.DataFrame]] = {}
        for part in report["parts"]:
            group = (part["group"] or {}).get("label")
            for element in part["elements"]:
                if element["type"] == "table" and not element["hidden"]:
                    self._titles.setdefault(plain(element["title"]), element["name"])
                    self._frames.setdefault(element["name"], []).append(_frame(element, group))

    def __getitem__(self, name: str) -> pd.DataFrame:
        key = self._titles.get(name, name)
        if key not in self._frames:
            raise unknown("表", name, [*self._titles, *self._frames])
        frames = self._frames[key]
        if len(frames) == 1:
            return frames[0]
        joined = pd.concat(frames, ignore_index=True)
        joined.attrs = frames[0].attrs
        return joined

    def __iter__(self) -> Iterator[str]:
        return iter(self._titles)

    def __len__(self) -> int:
        return len(self._titles)

    def __contains__(self, name: object) -> bool:
        return name in self._titles or name in self._frames


def _frame(element: dict[str, Any], group: str | None) -> pd.DataFrame:
    """One table element as a frame; an interval gives a column for each end, a matrix a block of columns a layer."""
    if element["matrix"] is not None:
        return _matrix(element, group)
    titles: list[str] = []
    keys: list[str] = []
    cells: list[list[Any]] = []
    for place, column in enumerate(element["columns"]):
        title = plain(" ".join([*column["span"], *filter(None, [column["wide"]]), column["title"]]))
        values = [row[place] for row in element["rows"]]
        parts = column["parts"] or []
        for i, part in enumerate(parts):
            titles.append(f"{title} {part}")
            keys.append(part)
            cells.append([_value(None if value is None else value[i]) for value in values])
        if not parts:
            titles.append(title)
            keys.append(column["key"])
            cells.append([_value(value) for value in values])
    frame = pd.concat([pd.Series(values) for values in cells], axis=1) if cells else pd.DataFrame()
    frame.columns = pd.Index(_distinct(titles, keys))
    if element["at"]:
        frame.insert(0, "所属", plain(element["at"]))
    if group is not None:
        frame.insert(0, "部分", group)
    frame.attrs["keys"] = keys
    return frame


def _matrix(element: dict[str, Any], group: str | None) -> pd.DataFrame:
    """Rows and columns by name; with several layers (r and p) the title of the layer stands before the name."""
    body = element["matrix"]
    layers = body["layers"]
    blocks = [
        pd.DataFrame(
            [[_value(cell) for cell in row] for row in layer["values"]],
            columns=[name if len(layers) == 1 else f"{plain(layer['title'])} {name}" for name in body["labels"]],
        )
        for layer in layers
    ]
    frame = pd.concat([pd.Series(body["labels"], name=""), *blocks], axis=1)
    if element["at"]:
        frame.insert(0, "所属", plain(element["at"]))
    if group is not None:
        frame.insert(0, "部分", group)
    frame.attrs["keys"] = [layer["key"] for layer in layers]
    return frame


def _distinct(titles: list[str], keys: list[str]) -> list[str]:
    """Titles, with the key added where two columns have the same."""
    return [title if titles.count(title) == 1 else f"{title} ({key})" for title, key in zip(titles, keys, strict=True)]


def _value(cell: Any) -> Any:
    """Infinite bounds as numbers."""
    return {"inf": np.inf, "-inf": -np.inf}.get(cell, cell) if isinstance(cell, str) else cell


class SavedModel:
    """A model a method fitted: `predict` answers new rows given by the names of the variables it learned from."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self.features = [feature.name for feature in handle.card.features]

    def predict(self, data: Any) -> pd.DataFrame:
        """One row per row of `data` (a frame or a dict of columns): the value, and the probability of each class.

        A row that lacks a variable the model cannot do without has no value and says why in the column 说明. Raises
        UnknownName where a whole variable is absent.
        """
        from hengxi import registry
        from hengxi.data import models

        card = self._handle.card
        frame = pd.DataFrame(data)
        for name in self.features:
            if name not in frame.columns:
                raise unknown("变量", name, [str(column) for column in frame.columns])
        rows = frame[self.features].astype(object)
        cases = [
            {feature.key: _case(value) for feature, value in zip(card.features, row, strict=True)}
            for row in rows.itertuples(index=False)
        ]
        matrix, status = matrix_of(card, cases)
        answered = np.array([why is None for why in status], dtype=bool)
        owner: Any = registry.load(card.path)
        fitted = owner.unpack(models.open_arrays(self._handle.arrays), card)
        answers = owner.predict(fitted, matrix[answered]) if answered.any() else np.zeros((0, 1))
        return _answers(card, answered, np.asarray(answers), status)


def _case(value: Any) -> Any:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return None
    return value.item() if isinstance(value, np.generic) else value


def _answers(card: Any, answered: Any, answers: Any, status: list[str | None]) -> pd.DataFrame:
    out = pd.DataFrame({"说明": status})
    if card.task == "regression":
        values = np.full(len(status), np.nan)
        values[answered] = answers.reshape(len(answers), -1)[:, 0]
        out.insert(0, "预测值", values)
        return out
    labels = [level.label for level in card.target.classes or []]
    shares = np.full((len(status), len(labels)), np.nan)
    shares[answered] = answers
    chosen = answers.argmax(axis=1)
    event = card.target.event
    if event is not None and card.threshold is not None and len(labels) == 2:
        chosen = np.where(answers[:, event] >= card.threshold, event, 1 - event)
    classes = np.full(len(status), None, dtype=object)
    classes[answered] = [labels[i] for i in chosen]
    out.insert(0, "预测值", classes)
    for place, label in enumerate(labels):
        out[f"P({label})"] = shares[:, place]
    return out


class Result:
    """A report: `print` it, or read `tables`, `lead`, `text`, `warnings`, `checks`; `data` is the table a step made,
    `model` what a model method fitted. `document` is the whole report as the product stores it."""

    def __init__(self, document: dict[str, Any], table: Any = None, handle: Handle | None = None) -> None:
        self.document = document
        self.title: str = plain(document["title"])
        self.tables = Tables(document)
        self._table = table
        self.model = None if handle is None else SavedModel(handle)

    def _elements(self, kind: str) -> Iterator[dict[str, Any]]:
        for part in self.document["parts"]:
            yield from (element for element in part["elements"] if element["type"] == kind)

    @property
    def data(self) -> pd.DataFrame | None:
        """The processed table of a data step; None of an analysis."""
        return None if self._table is None else frame_of(self._table)

    @property
    def lead(self) -> str:
        """The conclusion, a line for each part."""
        return "\n".join(filled(one["text"], one["facts"]) for one in self._elements("lead"))

    @property
    def text(self) -> list[str]:
        """The sentences for a paper where the method has them, else all."""
        texts = [one for one in self._elements("text") if one["about"] is None]
        for_paper = [one for one in texts if one["voice"] == "paper"]
        return [filled(one["text"], one["facts"]) for one in for_paper or texts]

    @property
    def checks(self) -> pd.DataFrame:
        """Assumptions: what was checked, the state (pass, care, fail, unknown) and what it says."""
        rows = [(one["title"], one["state"], filled(one["text"], one["facts"])) for one in self._elements("check")]
        return pd.DataFrame(rows, columns=["检查", "状态", "说明"])

    @property
    def warnings(self) -> list[str]:
        return [filled(one["text"], one["facts"]) for one in self._elements("warning")]

    def _main(self) -> list[str]:
        """Titles of the tables a reader sees first."""
        places = {plain(one["title"]): one["place"] for one in self._elements("table") if not one["hidden"]}
        return [title for title, place in places.items() if place == "main"] or list(places)[:1]

    def __str__(self) -> str:
        lines = [self.title, "=" * 2 * len(self.title), self.lead]
        for title in self._main():
            lines += ["", title, self.tables[title].to_string(index=False, na_rep="", float_format="{:.4g}".format)]
        checks = self.checks
        if len(checks):
            lines += ["", *(f"{MARKS[state]} {what}：{words}" for what, state, words in checks.itertuples(index=False))]
        lines += [f"! {words}" for words in self.warnings]
        others = [title for title in self.tables if title not in self._main()]
        if others:
            lines += ["", f"其余的表：{'、'.join(others)}"]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """The same for a notebook."""
        said = html.escape(self.lead).replace("\n", "<br>")
        parts = [f"<h4>{html.escape(self.title)}</h4><p>{said}</p>"]
        for title in self._main():
            frame = self.tables[title].to_html(index=False, na_rep="", float_format="{:.4g}".format)
            parts.append(f"<p><b>{html.escape(title)}</b></p>{frame}")
        for what, state, words in self.checks.itertuples(index=False):
            parts.append(f"<div>{MARKS[state]} {html.escape(what)}：{html.escape(words)}</div>")
        parts += [f"<div>! {html.escape(words)}</div>" for words in self.warnings]
        return "".join(parts)
