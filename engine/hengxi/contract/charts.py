"""Charts: seventeen kinds, each a view of declared tables. The engine names columns and knows no chart library."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from .tables import Element, Place, Table
from .when import Condition


@dataclass(frozen=True)
class Kind:
    """`needed` and `further` are columns of `of`; `options` are words with a closed list, the first is the default."""

    needed: tuple[str, ...]
    further: tuple[str, ...] = ()
    options: dict[str, tuple[str, ...]] = field(default_factory=dict)


KINDS: dict[str, Kind] = {
    "line": Kind(("x", "y"), ("series", "low", "high", "step", "phase", "mark")),
    "bar": Kind(("x", "y"), ("series", "start", "low", "high", "second"), {"arrange": ("grouped", "stacked", "full")}),
    "point": Kind(("x", "y"), ("series", "size", "label", "low", "high", "row", "shade")),
    "box": Kind(("x", "min", "q1", "median", "q3", "max"), ("series", "outliers", "density", "rows")),
    "interval": Kind(("x", "y", "low", "high"), ("group", "size", "texts")),
    "histogram": Kind(("low", "high", "count"), ("series",)),
    "heat": Kind(("row", "column", "value"), ("text", "mark")),
    "network": Kind(
        ("node", "label", "source", "target"),
        ("size", "group", "shape", "x", "y", "weight", "text", "mark", "ends"),
        {"arrange": ("force", "layers", "fixed")},
    ),
    "control": Kind(("index", "value", "cl", "ucl", "lcl"), ("signal", "phase", "panel", "label", "rows")),
    "surface": Kind(("x", "y", "z"), (), {"draw": ("contour", "surface", "region")}),
    "tree": Kind(
        ("node", "parent", "label"), ("height", "value"), {"draw": ("dendrogram", "rules", "outline", "fishbone")}
    ),
    "radar": Kind(("axis", "value"), ("group",)),
    "words": Kind(("word", "weight"), ("group", "rows", "turn")),
    "share": Kind(("path", "value"), (), {"draw": ("pie", "ring", "treemap", "sunburst")}),
    "mosaic": Kind(("row", "column", "count"), ("residual",)),
    "flow": Kind(("source", "target", "value")),
    "nomogram": Kind(("scale", "value", "position")),
}

ChartKind = Literal[
    "line",
    "bar",
    "point",
    "box",
    "interval",
    "histogram",
    "heat",
    "network",
    "control",
    "surface",
    "tree",
    "radar",
    "words",
    "share",
    "mosaic",
    "flow",
    "nomogram",
]


@dataclass(kw_only=True)
class Raw:
    """Single cases behind an interval chart: drawn one by one up to about 200 a group, else as box and quantiles."""

    of: str
    x: str
    y: str


@dataclass(kw_only=True)
class Contrast:
    """The difference on its own axis, right of the groups."""

    of: str
    label: str
    y: str
    low: str
    high: str


@dataclass(kw_only=True)
class LineOverlay:
    """A curve over the chart, from columns of a table."""

    type: Literal["line"] = "line"
    of: str
    x: str
    y: str
    label: str | None = None


@dataclass(kw_only=True)
class ReferenceOverlay:
    """A straight line at a value of one axis."""

    type: Literal["reference"] = "reference"
    x: float | None = None
    y: float | None = None
    label: str | None = None


@dataclass(kw_only=True)
class BandOverlay:
    """The space between two curves."""

    type: Literal["band"] = "band"
    of: str
    x: str
    low: str
    high: str
    label: str | None = None


@dataclass(kw_only=True)
class RegionOverlay:
    """A shaded rectangle; a missing bound reaches to the edge."""

    type: Literal["region"] = "region"
    x_low: float | None = None
    x_high: float | None = None
    y_low: float | None = None
    y_high: float | None = None
    label: str | None = None


@dataclass(kw_only=True)
class EllipseOverlay:
    """Ellipses, one a row: centre, half axes, angle in radians."""

    type: Literal["ellipse"] = "ellipse"
    of: str
    x: str
    y: str
    a: str
    b: str
    angle: str
    series: str | None = None


@dataclass(kw_only=True)
class ArrowOverlay:
    """Arrows from the origin, one a row."""

    type: Literal["arrow"] = "arrow"
    of: str
    x: str
    y: str
    label: str | None = None


@dataclass(kw_only=True)
class DiagonalOverlay:
    """The line y = intercept + slope x."""

    type: Literal["diagonal"] = "diagonal"
    intercept: float = 0
    slope: float = 1
    label: str | None = None


@dataclass(kw_only=True)
class BracketOverlay:
    """A bracket between two groups, one a row, with a text (or the p the text is made of)."""

    type: Literal["bracket"] = "bracket"
    of: str
    left: str
    right: str
    text: str


Overlay = (
    LineOverlay
    | ReferenceOverlay
    | BandOverlay
    | RegionOverlay
    | EllipseOverlay
    | ArrowOverlay
    | DiagonalOverlay
    | BracketOverlay
)


def _columns_given(of: Table | None, names: dict[str, str], where: str) -> None:
    known = of.part_names() if of is not None else set()
    for word, name in names.items():
        if of is not None and name not in known:
            raise TypeError(f"{where}: {word}={name!r} is no column of “{of.title}”")


class Later:
    """An overlay or companion whose table ids are known only when the class is made."""

    def __init__(self, kind: Any, of: Table, **facts: Any) -> None:
        self.kind, self.of, self.facts = kind, of, facts

    def wire(self) -> Any:
        return self.kind(of=self.of.id, **self.facts)


def Line(of: Table, *, x: str, y: str, label: str | None = None) -> Later:  # noqa: N802
    _columns_given(of, {"x": x, "y": y}, "Line")
    return Later(LineOverlay, of, x=x, y=y, label=label)


def Band(of: Table, *, x: str, low: str, high: str, label: str | None = None) -> Later:  # noqa: N802
    _columns_given(of, {"x": x, "low": low, "high": high}, "Band")
    return Later(BandOverlay, of, x=x, low=low, high=high, label=label)


def Ellipse(of: Table, *, x: str, y: str, a: str, b: str, angle: str, series: str | None = None) -> Later:  # noqa: N802
    _columns_given(of, {"x": x, "y": y, "a": a, "b": b, "angle": angle}, "Ellipse")
    return Later(EllipseOverlay, of, x=x, y=y, a=a, b=b, angle=angle, series=series)


def Arrow(of: Table, *, x: str, y: str, label: str | None = None) -> Later:  # noqa: N802
    _columns_given(of, {"x": x, "y": y}, "Arrow")
    return Later(ArrowOverlay, of, x=x, y=y, label=label)


def Bracket(of: Table, *, left: str, right: str, text: str) -> Later:  # noqa: N802
    _columns_given(of, {"left": left, "right": right, "text": text}, "Bracket")
    return Later(BracketOverlay, of, left=left, right=right, text=text)


def Reference(*, x: float | None = None, y: float | None = None, label: str | None = None) -> ReferenceOverlay:  # noqa: N802
    return ReferenceOverlay(x=x, y=y, label=label)


def Region(  # noqa: N802
    *,
    x_low: float | None = None,
    x_high: float | None = None,
    y_low: float | None = None,
    y_high: float | None = None,
    label: str | None = None,
) -> RegionOverlay:
    return RegionOverlay(x_low=x_low, x_high=x_high, y_low=y_low, y_high=y_high, label=label)


def Diagonal(intercept: float = 0, slope: float = 1, label: str | None = None) -> DiagonalOverlay:  # noqa: N802
    return DiagonalOverlay(intercept=intercept, slope=slope, label=label)


class Chart(Element):
    """`Chart("均值与区间", "interval", of=table, x="group", y="mean", low="low", high="high")`.

    A network takes `nodes=` and `edges=` instead of `of`; an edge whose `mark` has words stands out, one whose `ends`
    is empty has no arrow; `mask=` of `words` has a column `line`, rows of 1 and 0
    from the top: words stand on the ones. `raw=(points, x, y)` and
    `contrast=(table, label, y, low, high)` belong to `interval`. `titles={"y": "牙长"}` names axes
    (plain text); else the table's column titles stand there.

    A point leads to the rows it comes from where the chart names them: `row` of `point` (one row number), `rows` of
    `control` (a `rows_column`, see `few_rows`) and of `box` (a list for each of its outliers).
    """

    type = "chart"

    def __init__(
        self,
        title: str,
        kind: ChartKind,
        *,
        of: Table | None = None,
        nodes: Table | None = None,
        edges: Table | None = None,
        mask: Table | None = None,
        facet: str | tuple[str, ...] = (),
        over: list[Later | Overlay] | tuple[Later | Overlay, ...] = (),
        raw: tuple[Table, str, str] | None = None,
        contrast: tuple[Table, str, str, str, str] | None = None,
        titles: dict[str, str] | None = None,
        when: Condition | None = None,
        place: Place | None = None,
        **words: str,
    ) -> None:
        super().__init__(title, when=when, place=place)
        self.kind, self.of, self.nodes, self.edges, self.mask = kind, of, nodes, edges, mask
        self.facet = [facet] if isinstance(facet, str) else list(facet)
        self.over, self.titles = list(over), dict(titles or {})
        self.raw, self.contrast = raw, contrast
        self.words = self._read_words(KINDS[kind], words)

    def _read_words(self, kind: Kind, words: dict[str, str]) -> dict[str, str]:
        allowed = {*kind.needed, *kind.further, *kind.options}
        if unknown := words.keys() - allowed:
            raise TypeError(f"chart “{self.title}”: {self.kind} has no {sorted(unknown)}")
        for name, choices in kind.options.items():
            chosen = words.setdefault(name, choices[0])
            if chosen not in choices:
                raise TypeError(f"chart “{self.title}”: {name} is one of {choices}")
        if self.kind == "network":
            # The usual keys of a table of nodes and a table of edges; `id` alone is the element's own.
            words = {"node": "id", "label": "label", "source": "source", "target": "target", **words}
        elif missing := [name for name in kind.needed if name not in words]:
            raise TypeError(f"chart “{self.title}”: {self.kind} needs {missing}")
        columns = {word: name for word, name in words.items() if word not in kind.options}
        _columns_given(self.of, columns | {f"facet {f}": f for f in self.facet}, f"chart “{self.title}”")
        return words

    @property
    def sources(self) -> list[Table]:
        """Tables the chart cannot be drawn without."""
        return [table for table in (self.of, self.nodes, self.edges) if table is not None]

    def wire(self) -> dict[str, Any]:
        """The part of the element that does not depend on the run."""
        kind = KINDS[self.kind]
        facts: dict[str, Any] = {word: self.words.get(word) for word in (*kind.needed, *kind.further, *kind.options)}
        if self.kind == "network":
            facts |= {"nodes": self.nodes.id if self.nodes else None, "edges": self.edges.id if self.edges else None}
        else:
            facts["of"] = self.of.id if self.of else None
        if self.kind == "words":
            facts["mask"] = self.mask.id if self.mask else None
        if self.kind == "interval":
            facts["raw"] = Raw(of=self.raw[0].id, x=self.raw[1], y=self.raw[2]) if self.raw else None
            facts["contrast"] = self._contrast()
        over = [one.wire() if isinstance(one, Later) else one for one in self.over]
        return {"kind": self.kind, **facts, "facet": self.facet, "over": over, "titles": dict(self.titles)}

    def _contrast(self) -> Contrast | None:
        if self.contrast is None:
            return None
        table, label, y, low, high = self.contrast
        return Contrast(of=table.id, label=label, y=y, low=low, high=high)

    def declare(self) -> dict[str, Any]:
        return {**super().declare(), "kind": self.kind, "of": self.of.id if self.of else None}


class Panel(Element):
    """Several charts as one picture: `Panel("六合一图", a, b)`."""

    type = "panel"

    def __init__(self, title: str, *charts: Chart, when: Condition | None = None, place: Place | None = None) -> None:
        super().__init__(title, when=when, place=place)
        self.charts = charts
