"""Delimited text: csv, tsv, txt in any common encoding.

Polars reads the file in a stream with our schema, never its own: each column is tried as what a bounded sample made
of it. Meanwhile the bytes are counted (delimited/scan.py); where nulls of the result and empty cells of the file
differ, or 007 would become 7, the column is counted cell by cell and decided again (decide.py).
"""

from __future__ import annotations

import csv as reader
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from hengxi.data import decide
from hengxi.data.arrays import RAW, ArrowFile
from hengxi.data.delimited.clean import Cleaned, Cleaner, cut
from hengxi.data.delimited.decoding import BROKEN, judge, note_cells, transcode
from hengxi.data.delimited.head import fitted, header_of, look, named_width
from hengxi.data.delimited.records import lone_returns, record_end
from hengxi.data.delimited.scan import Scanner, Shape
from hengxi.data.delimited.sniff import sniff, split, squeeze_file
from hengxi.data.delimited.tail import without_notes
from hengxi.data.delimited.verify import too_long, verify
from hengxi.data.delimited.wording import EXTRA, ragged, repair_warnings
from hengxi.data.formats import Asking, Job, Staged, binary
from hengxi.data.meta import Check, Column, ColumnReport, Warn
from hengxi.data.names import tidy
from hengxi.data.notes import footnote_warnings
from hengxi.data.plan import Plan
from hengxi.data.questionnaire import headers
from hengxi.data.refusal import DataRefusal
from hengxi.data.workbook.areas import Area, area_of

KIND = "csv"
TITLE = "文本表格"
ENDINGS = ("csv", "tsv", "txt", "tab")
PRIORITY = 90
MAX_COLUMNS = 20_000
BATCH_BYTES = 64 << 20
SAMPLE_CELLS = 100_000
FAULTS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""What Polars raises on a file that is not regular; the second is no Exception, and is told apart by its words."""


def recognises(head: bytes, name: str) -> bool:
    """Everything that is text."""
    return not binary(head)


def preview(job: Job) -> dict[str, Any]:
    """The first 50 rows under the given settings, from the first 256 kB; works on a file still being received."""
    return {"kind": KIND, **look(job)}


class _BrokenBytes(Exception):  # noqa: N818 - the file is read again, through a decoder that replaces them
    """A file read as it lies is not wholly UTF-8."""


class _Import:
    """One run of `stage`: the regular UTF-8 file, its header and what became of its columns."""

    def __init__(self, job: Job, as_it_lies: bool = True) -> None:
        self.job, self.as_it_lies = job, as_it_lies
        self.warnings: list[Warn] = []
        self.sniffed = sniff(job.path, job.settings)
        self.settings = self.sniffed.settings
        self.broken, self.commas, self.passes = False, self.settings.decimal == ",", 0
        self.path = self._utf8()
        raw = self._head()
        self.quotes = bool(self.settings.quote) and self.settings.quote.encode() in raw
        self.start, self.lines, header, self.labels = self._find_header(raw)
        if not header:
            raise DataRefusal("file.empty", f"“{job.name}”中没有数据。", {"name": job.name})
        if len(header) > MAX_COLUMNS:
            text = f"文件有 {len(header):,} 列，最多支持 {MAX_COLUMNS:,} 列。请检查分隔符，或拆分后上传。"
            raise DataRefusal("csv.columns", text, {"columns": len(header)})
        _, _, rows = header_of(self.sniffed)
        self.header = fitted(header, rows)
        self.labels = [*[None] * (len(self.header) - len(header)), *self.labels]
        self.width, self.kept = len(self.header), named_width(self.header, rows)
        self.path, notes = without_notes(self.path, self.settings, self.start, self.width, job.work / "noteless.csv")
        self.warnings += footnote_warnings(notes)
        self.names: list[str] = []
        self.shape: Shape
        self.cleaned: Cleaned | None = None
        self.arrow = job.work / "raw-0.arrow"

    def _utf8(self) -> Path:
        """The upload itself where it can be read as it lies, else a copy in UTF-8."""
        self.as_it_lies &= self.settings.is_plain
        path = self.job.path
        if not self.as_it_lies or lone_returns(path):
            path = self.job.work / "utf8.csv"
            told = partial(self._tick, 0.02, 0.15, "转换编码")
            self.as_it_lies = False
            found = transcode(self.job.path, self.settings, path, told)
            self.warnings += judge(found, self.settings)
            self.broken = found.broken > 0
        if self.settings.delimiter == " ":
            squeeze_file(path, self.job.work / "squeezed.csv")
            path = self.job.work / "squeezed.csv"
        area = area_of(self.settings.range)
        return path if area.whole else self._part(path, area)

    def _part(self, path: Path, area: Area) -> Path:
        """A copy of the rows and columns that shall be read."""
        out = self.job.work / "part.csv"
        try:
            cut(path, self.settings, area, out, partial(self._tick, 0.17, 0.03, "取出区域"))
        except UnicodeDecodeError as error:
            raise _BrokenBytes from error
        except reader.Error as error:
            cause = "有超过 16 MB 的单元格，可能缺少配对的引号，无法取出区域。"
            raise DataRefusal("csv.field", f"“{self.job.name}”{cause}") from error
        return out

    def _head(self) -> bytes:
        with self.path.open("rb") as file:
            return file.read(4 << 20)

    def _find_header(self, raw: bytes) -> tuple[int, int, list[str], list[str | None]]:
        """(byte where data begin, lines above, names, labels)."""
        place = self.settings.header_row
        if place <= 0:
            width = max((len(row) for row in self.sniffed.head[:100]), default=0)
            return 0, 0, [""] * width, [None] * width
        at = records = 0
        lines: list[list[str]] = []
        while records < place + self.settings.header_rows - 1 and at < len(raw):
            begin, at = at, record_end(raw, at, self.settings)
            records += 1
            if records >= place:
                text = raw[begin:at].decode("utf-8", errors="replace").removeprefix("\ufeff")
                if BROKEN in text and self.as_it_lies:
                    raise _BrokenBytes
                lines += split(text, self.settings.delimiter, self.settings.quote, True)[:1]
        open_end = at == len(raw) and not raw.endswith(b"\n")
        return at, raw[:at].count(b"\n") + open_end, *headers.join(lines)

    # -- reading -------------------------------------------------------------------------------------------------------

    def scan(self, direct: dict[str, pl.DataType] | None = None) -> pl.LazyFrame:
        """The rows of the regular file as columns c1 …, text but for those named in `direct`."""
        cleaned = self.cleaned is not None
        kinds = direct or {}
        frame = pl.scan_csv(
            self.path,
            schema={name: kinds.get(name, pl.String()) for name in (f"c{i + 1}" for i in range(self.width))},
            has_header=False,
            skip_lines=0 if cleaned else self.lines,
            separator="," if cleaned else self.settings.delimiter,
            quote_char='"' if cleaned else (self.settings.quote or None),
            infer_schema=False,
        )
        return frame.head(self.shape.rows) if hasattr(self, "shape") else frame

    def write(self, plans: list[Plan]) -> None:
        """One streaming pass: typed columns to a new Arrow file, `self.arrow`.

        Numbers are first parsed on the way in, which is quicker but stops at the first cell that is none; then the
        pass is made again from text, where such a cell becomes a null that is noticed and judged later.
        """
        if not self.quotes:  # its parser of numbers stumbles over faulty quotes
            try:
                self._pass(plans, direct=True)
                return
            except FAULTS as error:
                if "No space left" in str(error):
                    raise
        self._pass(plans, direct=False)

    def _pass(self, plans: list[Plan], direct: bool) -> None:
        kinds: dict[str, pl.DataType] = {}
        exprs = []
        for i, plan in enumerate(plans[: self.kept]):
            name = f"c{i + 1}"
            if direct and plan.kind in ("int", "float") and not plan.readings:
                kinds[name] = pl.Int64() if plan.kind == "int" else pl.Float64()
            exprs.append(self._cell(plan, name, name in kinds).alias(name))
            if plan.keep_raw:
                exprs.append(plan.raw_expr(name).alias(name + RAW))
        size = max(1024, min(1 << 17, BATCH_BYTES // (8 * self.width)))
        frame = self.scan(kinds).select(exprs)
        # A pass that failed may still be writing, and an earlier file may be mapped: never the same file twice.
        self.arrow.unlink(missing_ok=True)
        self.passes += 1
        self.arrow = self.job.work / f"raw-{self.passes}.arrow"
        # Given a path Polars opens it twice, and the disk is sent at once what was emptied and written again.
        with self.arrow.open("wb") as out:
            frame.sink_ipc(out, record_batch_size=size, compat_level=pl.CompatLevel.oldest(), maintain_order=True)

    def _cell(self, plan: Plan, name: str, parsed: bool) -> pl.Expr:
        cell = pl.col(name)
        if parsed:
            return cell if plan.kind == "int" else pl.when(cell.is_finite()).then(cell)
        cell = plan.expr(name)
        quoted = not hasattr(self, "shape") or self.shape.quoted
        return pl.when(cell != "").then(cell) if quoted and not plan.typed else cell  # "" is an empty cell too

    def read(self, plans: list[Plan]) -> None:
        """Counts bytes and parses at the same time; a file that is not regular is cleaned first."""
        failed: BaseException | None = None
        with ThreadPoolExecutor(1) as pool:
            shape = pool.submit(self._shape)
            try:
                self.write(plans)
            except FAULTS as error:
                failed = error
            self.shape = shape.result()
        if failed is not None and "No space left" in str(failed):
            raise failed
        if self.shape.problem is None and failed is None:
            if self.shape.blank_tail:
                self.write(plans)
            return
        self._clean(failed)
        plans += [Plan() for _ in range(self.width - len(plans))]
        self.write(plans)

    def settle_width(self, plans: list[Plan]) -> None:
        """Names the columns, without those that only separators at the ends of lines make: now they are known."""
        if any(int(cells) < self.shape.rows for cells in self.shape.empties[self.kept :]):
            self.kept = self.width
            self.write(plans)
        left_out = self.width - self.kept
        if left_out:
            text = f"每行末尾都多出分隔符：最后 {left_out} 列没有名称也没有内容，没有读入。"
            self.warnings.append(Warn(code="columns.trailing", text=text, facts={"count": left_out}))
        header = self.header[: self.kept]
        if self.settings.header_row <= 0:
            header = [f"列{i + 1}" for i in range(self.kept)]
        self.names, renamed = tidy(header)
        self.warnings += renamed

    def _widen(self) -> None:
        """One column more: what rows have too much."""
        self.header, self.labels = [*self.header, EXTRA], [*self.labels, None]
        self.width = self.kept = self.width + 1

    def _shape(self) -> Shape:
        quote = '"' if self.cleaned else self.settings.quote
        delimiter = "," if self.cleaned else self.settings.delimiter
        scanner = Scanner(delimiter, quote, self.width, self.lines + 1)
        return scanner.run(self.path, self.start, partial(self._tick, 0.2, 0.3, "读取"))

    def _tick(self, start: float, width: float, text: str, share: float) -> None:
        self.job.tick(start + width * share, text)

    def _check_utf8(self) -> None:
        """Whether the file that is read as it lies is UTF-8 throughout."""
        if not self.as_it_lies:
            return
        plain = replace(self.settings, encoding="UTF-8")
        if transcode(self.path, plain, self.job.work / "check.csv", lambda _: None).broken:
            raise _BrokenBytes

    def _clean(self, failed: BaseException | None) -> None:
        """Makes the file regular, or refuses with place, cause and the choices that would get further."""
        problem = self.shape.problem
        if problem and problem.kind == "nul":
            text = f"第 {problem.line:,} 行含有空字节（NUL），文件可能已损坏或不是文本表格。"
            choice = {"title": "删除空字节后读取", "set": {"nul": "drop"}}
            raise DataRefusal("csv.nul", text, {"line": problem.line}, [choice])  # type: ignore[list-item]
        if problem and problem.kind == "field":
            text = f"第 {problem.line:,} 行有超过 1 MB 的单元格，请缩短后再上传。"
            raise DataRefusal("csv.field", text, {"line": problem.line})
        cleaner = Cleaner(self.settings, self.width)
        out = self.job.work / "clean.csv"
        self._check_utf8()
        done = cleaner.run(self.path, self.start, self.lines + 1, out, partial(self._tick, 0.5, 0.1, "整理行"))
        if done.skipped and self.settings.on_bad_row not in ("skip", "repair", "pad", "extra"):
            raise ragged(done, self.width, problem is not None and problem.kind == "quote")
        self.warnings += repair_warnings(done)
        if cleaner.keeps_extra:
            self._widen()
        self.cleaned, self.path, self.start, self.lines = done, out, 0, 0
        self.shape = self._shape()
        if self.shape.problem is not None:
            cause = "这个文件的行列结构不规则，无法读取。请在表格软件中另存为 UTF-8 的 csv 后再上传。"
            raise DataRefusal("csv.irregular", cause, {"line": self.shape.problem.line}) from failed

    # -- deciding ------------------------------------------------------------------------------------------------------

    def plans(self) -> list[Plan]:
        """First plans, from the sample."""
        rows = [row for row in header_of(self.sniffed)[2] if len(row) == self.width][
            : max(100, SAMPLE_CELLS // self.width)
        ]
        columns = zip(*rows, strict=True) if rows else ((),) * self.width
        return [decide.guess(cells) for cells in columns]

    def suspects(self, plans: list[Plan]) -> list[int]:
        """Typed columns of which some cell was lost, or would be changed."""
        file = ArrowFile(self.arrow)

        def is_suspect(i: int) -> bool:
            plan, column = plans[i], file.array(f"c{i + 1}")
            number = plan.kind in ("int", "float")
            lost = column.null_count != int(self.shape.empties[i])
            zeros = number and self.shape.zeros[i] > 0
            commas = self.commas and plan.kind == "float"
            found = plan.doubt or lost or zeros or commas or (number and too_long(column))
            file.release()  # each column is looked at once
            return bool(found)

        typed = [i for i, plan in enumerate(plans[: self.kept]) if plan.typed]
        with ThreadPoolExecutor(2) as pool:
            return [i for i, found in zip(typed, pool.map(is_suspect, typed), strict=True) if found]

    def settle(self, plans: list[Plan], places: list[int]) -> dict[str, ColumnReport]:
        """Decides suspects cell by cell; raises Asking if some need the user."""
        frame = self.scan().with_row_index("row")
        notes, questions = {}, []
        # A guessed decimal comma is a question like any other; one that the user set is the answer.
        decimal = self.settings.decimal if self.job.settings.get("decimal") else "."
        for step, i in enumerate(places):
            self.job.tick(0.6 + 0.1 * step / len(places), "核对数值列")
            name = f"c{i + 1}"
            counts = decide.count(frame, name, "row")
            plan, note, question = decide.settle(
                name,
                self.names[i],
                counts,
                self.job.answers.get(name),
                self.job.on_doubt,
                decimal,
                self.settings.date_order,
                self.commas,
            )
            plans[i], notes[name] = plan, note
            if question:
                questions.append(question)
        if questions:
            raise Asking(questions)
        return notes


def stage(job: Job) -> Staged:
    """Reads the file into an Arrow file. DataRefusal `csv.*`, Asking."""
    try:
        run, plans = _begin(job)
    except _BrokenBytes:
        run, plans = _begin(job, as_it_lies=False)
    if run.shape.rows == 0 and not run.width:
        raise DataRefusal("file.empty", f"“{job.name}”中没有数据。", {"name": job.name})
    if run.shape.rows == 0:
        run.warnings.append(Warn(code="rows.none", text="文件只有表头，没有数据行。"))
    suspects = run.suspects(plans)
    notes = run.settle(plans, suspects) if suspects else {}
    if run.broken:
        note_cells(run.scan().with_row_index("row"), run.names, notes, [f"c{i + 1}" for i in range(run.kept)])
    if suspects:
        job.tick(0.7, "读取")
        run.write(plans)
    columns = [
        Column(id=f"c{i + 1}", name=name, label=label, measure="文本", storage=plan.kind, why=plan.why)  # type: ignore[arg-type]
        for i, (name, label, plan) in enumerate(zip(run.names, run.labels[: run.kept], plans, strict=True))
    ]
    return Staged(run.arrow, columns, notes, run.settings.wire(), _check(run, plans), run.warnings)


def _begin(job: Job, as_it_lies: bool = True) -> tuple[_Import, list[Plan]]:
    """The file read by its first plans."""
    run = _Import(job, as_it_lies)
    plans = run.plans()
    job.tick(0.2, "读取")
    run.read(plans)
    run.settle_width(plans)
    return run, plans[: run.kept]


def _check(run: _Import, plans: list[Plan]) -> Check:
    """Rows, columns and numbers of the file against those of the table."""
    rows = ArrowFile(run.arrow).rows
    numeric = [i for i, plan in enumerate(plans) if plan.kind in ("int", "float") and not plan.grouping]
    delimiter, quote = (",", '"') if run.cleaned else (run.settings.delimiter, run.settings.quote)
    compared, wrong = verify(run.path, run.shape.marks, delimiter, quote, run.width, numeric, run.arrow)
    if rows != run.shape.rows or wrong:
        text = f"读入的数据与原文件不一致（{wrong or '行数'}），已停止导入，原文件未受影响。请联系我们。"
        raise DataRefusal("import.check", text, {"rows": rows, "raw_rows": run.shape.rows, "column": wrong})
    raw_rows = rows + (run.cleaned.skipped if run.cleaned else 0)
    sums = "same" if numeric and rows else "none"
    told = "；数值列合计一致" if sums == "same" and compared == rows else f"；数值列抽查 {compared:,} 行，逐格一致"
    origin = f"区域 {run.settings.range}：" if run.settings.range else "原文件 "
    text = f"{origin}{raw_rows:,} 行 × {run.width} 列；已读 {rows:,} × {run.kept}" + (told if sums == "same" else "")
    return Check(
        raw_rows=raw_rows, raw_columns=run.width, rows=rows, columns=run.kept, sums=sums,  # type: ignore[arg-type]
        checked_rows=compared, text=text,
    )  # fmt: skip
