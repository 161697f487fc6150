"""A mark that says which rows train, validate and test. What must not be torn apart stays together."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    ColumnToBe,
    Form,
    Processing,
    Refusal,
    Report,
    StepRemedy,
    Table,
    Wide,
    choice,
    figure,
    integer,
    number,
    percent,
    role,
    text,
)
from hengxi.contract.columns import Floats
from hengxi.methods.data_processing._shared import drawing
from hengxi.methods.data_processing._shared.rows import Rows, tell

MARK, FOLD = "_split_", "_fold_"
PARTS = ("训练", "验证", "测试")
SPLITS = ("random", "stratified", "group", "time")
ONLY = {"train": 0, "valid": 1, "test": 2}


class TrainTestSplit(Processing):
    """Every row is in one part. Rows without a time are in none."""

    title, title_en = "数据集拆分", "Split dataset"
    family, tier = "数据处理", "standard"
    purpose = "把数据分成训练/验证/测试集或交叉验证折"
    aliases = ("训练集", "测试集", "验证集", "拆分", "交叉验证", "train test split", "K折", "holdout")
    references = ("kohavi1995", "kaufman2012", "roberts2017")
    conventions = (
        "随机数用 PCG64，种子相同时在任何机器上得到同样的拆分（数据和行的次序要相同）。",
        "随机：训练集的行数是 行数 × 训练比例 四舍五入。分层：每一层分别这样计算，与比例相差不到 1 行。",
        "按组：组的先后随机排列，组的中点落在哪一段就归哪一段，整组不拆开，所以比例是近似的。",
        "按时间：先的训练，后的测试；时间相同的行不拆开，归到界限较近的一段。",
        "K 折：行数尽量相等，放入分层变量则每层也相等，放入分组变量则整组不拆开。",
        "分层变量的缺失算一层；时间缺失的行不归任何一段。",
    )
    random = True
    row_order = True

    class Input(Form):
        strata: Column | None = role(
            "分层变量（选填）",
            "定类",
            min=0,
            levels=(2, 200),
            hint="按组、按时间拆分时只用来看分布",
            shared_with="group",
        )
        group: Column | None = role(
            "分组变量（同组不拆开，选填）", "任意", min=0, when={"method": ("group", "kfold")}, shared_with="strata"
        )
        time: Column | None = role("时间变量（选填）", "时间", min=0, when={"method": "time"})
        method: str = choice(
            "方式",
            {"random": "随机", "stratified": "分层", "group": "按组", "time": "按时间先后", "kfold": "K折标记"},
        )
        train: float = number("训练比例", 0.7, least=0.05, most=0.99, percent=True, when={"method": SPLITS})
        valid: float = number("验证比例", 0, least=0, most=0.9, percent=True, when={"method": SPLITS})
        k: int = integer("折数", 5, least=2, most=20, when={"method": "kfold"})
        output: str = choice(
            "输出",
            {"flag": "加标记列", "train": "只留训练集", "valid": "只留验证集", "test": "只留测试集"},
            hint="要拆成几份数据：从同一版各做一次，种子相同就不会重叠", when={"method": SPLITS},
        )  # fmt: skip

    result = Table("拆分结果", part=text("子集"), n=integer("行数"), share=percent("占比"), groups=integer("组数"))
    composition = Table("各子集的分布", level=text("取值"), layout=Wide(n=integer("行数"), share=percent("占比")))

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        if form["method"] == "kfold":
            return [ColumnToBe(name=FOLD, measure="定类", source=None)]
        return [ColumnToBe(name=MARK, measure="定类", source=None)] if form["output"] == "flag" else []

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        rows = form.whole.rows
        cls._judge(form, rows)
        codes = cls._parts(report, form, rows)
        names = [f"第 {i + 1} 折" for i in range(form.k)] if form.method == "kfold" else list(PARTS)
        shown = [i for i in range(len(names)) if form.method == "kfold" or i != 1 or form.valid > 0]
        counts = cls._tables(report, form, codes, names, shown)
        if form.method == "kfold":
            levels = [(i + 1, names[i]) for i in shown]
            report.make(FOLD, codes + 1.0, measure="定类", levels=levels)
        elif form.output == "flag":
            words = np.array([*PARTS, None], dtype=object)
            report.make(MARK, words[codes], measure="定类", levels=[(names[i], names[i]) for i in shown])
        else:
            wanted = ONLY[form.output]
            if not counts[wanted]:
                raise Refusal("data.none_left", f"{PARTS[wanted]}集没有行，请增大它的比例", field="output")
            report.take(np.flatnonzero(codes == wanted))
        cls._say(report, form, counts, rows, [names[i] for i in shown])
        return report

    @classmethod
    def _judge(cls, form: Any, rows: int) -> None:
        if form.method != "kfold" and form.train + form.valid >= 1 - 1e-12:
            raise Refusal("limit.sums", "训练与验证比例之和必须小于1", field="valid")
        needed = {"stratified": ("strata", "分层变量"), "group": ("group", "分组变量"), "time": ("time", "时间变量")}
        if form.method in needed:
            key, word = needed[form.method]
            if getattr(form, key) is None:
                raise Refusal("role.required", f"请放入{word}", field=key)
        least = form.k if form.method == "kfold" else 2 + (form.valid > 0)
        if rows < least:
            raise Refusal("data.few", f"只有 {rows} 行，不够分成 {least} 份", field="method")

    # ---- the parts --------------------------------------------------------------------------------------------------
    @classmethod
    def _parts(cls, report: Report, form: Any, rows: int) -> Rows:
        cuts = [form.train, form.train + form.valid] if form.method != "kfold" else []
        if form.method == "time":
            return cls._by_time(report, form, cuts)
        if form.group is not None and form.method in ("group", "kfold"):
            groups, _ = drawing.strata_of([form.group], rows)
            k = form.k if form.method == "kfold" else 2 + (form.valid > 0)
            if groups.k < k:
                text_ = f"“{form.group.title}”只有 {groups.k} 组，不够分成 {k} 份"
                raise Refusal("group.few", text_, field="group", column=form.group.id)
            if form.method == "kfold":
                return drawing.folds_of_groups(groups.codes, groups.sizes, k, form.rng)
            if form.valid > 0:
                return drawing.parts_of_groups(groups.codes, groups.sizes, cuts, form.rng)
            return 2 * drawing.parts_of_groups(groups.codes, groups.sizes, cuts[:1], form.rng)
        layered = form.method in ("stratified", "kfold") and form.strata is not None
        strata, names = drawing.strata_of([form.strata] if layered else [], rows)
        least = form.k if form.method == "kfold" else 2 + (form.valid > 0)
        if layered and int(strata.sizes.min()) < least:
            place = int(strata.sizes.argmin())
            text_ = f"类别“{names[place]}”只有 {int(strata.sizes[place])} 行，无法分层拆分"
            raise Refusal("strata.few", text_, field="strata", column=form.strata.id)
        if form.method == "kfold":
            return drawing.folds_within(strata.codes, form.k, form.rng)
        return drawing.parts_within(strata.codes, strata.sizes, cuts, form.rng)

    @classmethod
    def _by_time(cls, report: Report, form: Any, cuts: list[float]) -> Rows:
        column = form.time
        if column.info.storage == "text":
            text_ = f"“{column.title}”是文字，排不出先后，请先改变它的类型为日期或整数"
            remedy = StepRemedy(title="改变类型", step="measure", columns=[column.id])
            raise Refusal("time.text", text_, field="time", column=column.id, remedies=[remedy])
        at = column.numbers
        known = np.flatnonzero(~np.isnan(at))
        if len(known) < 2:
            raise Refusal("time.few", f"“{column.title}”有值的行太少，无法按时间拆分", field="time")
        ordered = np.sort(at[known])
        codes = np.full(len(at), -1, dtype=np.int64)
        codes[known] = 0
        for cut in cuts:
            codes[known] += at[known] >= cls._first_after(ordered, cut)
        if not (codes == 0).any():
            text_ = f"“{column.title}”最早的时间占了太多行，训练集是空的，请减小训练比例或换时间变量"
            raise Refusal("time.ties", text_, field="time", column=column.id)
        if gone := len(at) - len(known):
            report.warn("data.no_time", "“{v}”有 {k:integer} 行缺失，这些行不归任何一段。", columns=[column],
                        v=column.title, k=gone)  # fmt: skip
        return codes

    @classmethod
    def _first_after(cls, ordered: Floats, cut: float) -> float:
        """The first time of the later part: rows of one time go to the side whose end is nearer."""
        place = min(round(len(ordered) * cut), len(ordered) - 1)
        start, end = np.searchsorted(ordered, ordered[place], "left"), np.searchsorted(ordered, ordered[place], "right")
        goes_later = end == len(ordered) or (start > 0 and place - start <= end - place)
        return float(ordered[start if goes_later else end])

    # ---- what is shown ----------------------------------------------------------------------------------------------
    @classmethod
    def _tables(cls, report: Report, form: Any, codes: Rows, names: list[str], shown: list[int]) -> list[int]:
        used = int((codes >= 0).sum())
        counts: list[int] = np.bincount(codes[codes >= 0], minlength=len(names)).tolist()
        group = form.group if form.method in ("group", "kfold") else None
        for i in shown:
            inside = codes == i
            groups = None if group is None else len(np.unique(group.identities[inside]))
            report.row(cls.result, part=names[i], n=counts[i], share=counts[i] / used, groups=groups)
        if form.strata is None:
            report.skip(cls.composition, "放入分层变量后给出各子集的分布。")
            return counts
        own = form.strata.codes.astype(np.int64)
        labels = [*form.strata.labels, "缺失"] if form.strata.missing.any() else form.strata.labels
        own = np.where(own < 0, len(form.strata.labels), own)
        for j, label in enumerate(labels):
            wide = {}
            for i in shown:
                n = int(((codes == i) & (own == j)).sum())
                wide[names[i]] = {"n": n, "share": n / counts[i] if counts[i] else None}
            report.row(cls.composition, level=label, wide=wide)
        return counts

    @classmethod
    def _say(cls, report: Report, form: Any, counts: list[int], rows: int, names: list[str]) -> None:
        facts: dict[str, Any] = {"rows": rows}
        if form.method == "kfold":
            facts |= {"k": form.k, "least": min(counts), "most": max(counts)}
            done = "{rows:integer} 行分成 {k:integer} 折，每折 {least:integer} 到 {most:integer} 行。"
            student = f"轮流把一折当测试集、其余当训练集，所有的折都测过一遍。折号在变量“{FOLD}”里。"
        else:
            facts |= {"train": counts[0], "valid": counts[1], "test": counts[2]}
            middle = "，验证 {valid:integer} 行" if form.valid > 0 else ""
            done = f"{{rows:integer}} 行拆成训练 {{train:integer}} 行{middle}，测试 {{test:integer}} 行。"
            if form.output == "flag":
                student = f"标记在变量“{MARK}”里。填补、标准化、编码的参数只能由训练行求得，否则测试得分偏高。"
            else:
                student = "另一部分要从拆分前的那一版再做一次，种子和设置都不变。"
        student += {
            "time": "测试集都在训练集之后，适合预测未来。", "group": "同一组的行不会分在两边，适合一人多行的数据。",
        }.get(form.method, "")  # fmt: skip
        if form.method == "random":
            student += "同一个人有几行时请按组拆分，有先后时请按时间拆分。"
        figures = [figure("训练", "{train:integer}", "测试 {test:integer} 行")] if form.method != "kfold" else []
        tell(report, done, student, figures, **facts)
