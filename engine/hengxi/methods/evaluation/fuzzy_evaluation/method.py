from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Block,
    Chart,
    Column,
    Form,
    Method,
    Points,
    Record,
    Refusal,
    Report,
    Row,
    SetRemedy,
    Table,
    TypedMatrix,
    Wide,
    blocks,
    choice,
    figure,
    integer,
    matrix,
    num,
    number,
    numbers,
    percent,
    records,
    role,
    settings,
    text,
    words,
)
from hengxi.methods.evaluation._shared.fuzzy import COMPOSE, MEMBERSHIP, Floats, compose, effectiveness, memberships
from hengxi.methods.evaluation._shared.indicators import ranked

COLUMNS, TYPED, MEASURED = {"source": ("survey", "measured_values")}, {"source": "membership_matrix"}, {
    "source": "measured_values"}  # fmt: skip
CLOSE, MOST, DRAWN, SHARE = 0.005, 2000, 8, 0.1


class FuzzyEvaluation(Method):
    """Memberships of grades composed with weights, in one or two levels."""

    title, title_en = "模糊综合评价", "Fuzzy comprehensive evaluation"
    slug = "fuzzy-evaluation"
    family = "综合评价"
    purpose = "多因素、多等级评价下，对象总体隶属哪个等级、得分多少"
    aliases = ("模糊评价", "隶属度", "模糊综合评判", "多级模糊评价", "评语集", "最大隶属原则")
    references = ("wang1983fuzzy", "xie2006")
    conventions = (
        "问卷：隶属度是选这个评语的人占回答者的比例；有任一道题缺失的答卷整份不参加。",
        "实测值：每个等级填一个标准值；相邻两个标准值的中点处，两个等级的隶属度相等。两端以外完全属于首末等级。",
        "三角形和岭形（正弦）在相邻标准值之间过渡；梯形在间距的首末各 1/4 上持平；正态型按两侧间距定宽度，再归一。",
        "先在每个维度里合成，归一后再按维度权重合成总评价；算子两级相同。",
        "算子：M(∧,∨) 取 max min(w, r)；M(·,∨) 取 max w·r；M(∧,⊕) 取 min(1, Σ min(w, r))；"
        "M(·,⊕) 取 Σ w·r；均衡型 M(∧,+) 取 Σ min(w, r/Σr)。",
        "最大隶属原则的有效度 α = (nβ − 1)/(2γ(n − 1))，β 是最大、γ 是第二大的隶属度；α < 0.5 时不宜只看最大隶属等级。",
        "级别特征值 = Σ 等级序号 × 隶属度；综合得分 = Σ 分值 × 隶属度。",
    )
    needs_data = "optional"

    class Input(Form):
        source: str = choice("数据形式", {
            "survey": "问卷等级题", "membership_matrix": "录入隶属度矩阵", "measured_values": "实测值"})  # fmt: skip
        items: list[Block] = blocks(
            "指标（按维度分组）", min=1, names="维度{i}", when=COLUMNS, hint="只有一级指标就放成一组",
            weight=number("维度权重", 1, least=0, most=1e6),
        )  # fmt: skip
        label: Column | None = role("对象名称", "任意", use="label", when=MEASURED)
        item_weights: list[Row] = settings("指标权重", of="items", when=COLUMNS, hint="同一维度里自动归一",
                                           w=number("权重", 1, least=0, most=1e6))  # fmt: skip
        typed: TypedMatrix | None = matrix("隶属度矩阵", kind="free", size=(2, 50), least=0, most=1, when=TYPED,
                                           hint="一行一个指标，一列一个评语，每行之和为 1")  # fmt: skip
        typed_weights: list[float] = numbers("权重（按指标顺序）", least=0, max=50, when=TYPED, hint="不填为等权")
        grades: list[Record] = records(
            "评语与分值", min=2, max=9, names="等级{i}", name=words("评语", kind="name"), score=number("分值"),
            answer=words("问卷里的选项", auto="与评语相同"),
        )  # fmt: skip
        standards: list[Row] = settings("各等级的标准值", of="items", when=MEASURED,
                                        values=numbers("按评语顺序", max=9))  # fmt: skip
        membership: str = choice("隶属函数", MEMBERSHIP, default="trapezoid", when=MEASURED)
        operator: str = choice("合成算子", COMPOSE, default="weighted_average")

    result = Table(
        "评价结果", object=text("对象"), grade=text("最大隶属等级"), top=num("最大隶属度", least=0, most=1),
        alpha=num("有效度 α", least=0), level=num("级别特征值", least=1), score=num("综合得分"),
        rank=integer("排名"), place="main",
    )  # fmt: skip
    vector = Table("各级评价向量", object=text("对象"), node=text("层次"), score=num("得分"),
                   layout=Wide(b=num("隶属度", least=0, most=1)), merge=("object",), place="main")  # fmt: skip
    bars = Points("隶属度", grade=text("评语"), object=text("对象"), b=num("隶属度"))
    plot = Chart(f"隶属度（最多 {DRAWN} 个对象）", "bar", of=bars, x="grade", y="b", series="object", place="main")
    axes = Points("维度得分", node=text("维度"), score=num("得分"), object=text("对象"))
    radar = Chart("维度得分雷达图", "radar", of=axes, axis="node", value="score", group="object", place="detail")
    relation = Table("隶属度矩阵", object=text("对象"), node=text("维度"), item=text("指标"),
                     weight=percent("权重"), layout=Wide(r=num("隶属度", least=0, most=1)), merge=("object", "node"),
                     place="detail")  # fmt: skip
    shaken = Table(
        "权重增减 10% 时的结果", item=text("指标"), down=integer("减 10%：等级改变的对象"), down_score=num(
            "减 10%：第一名得分"),
        up=integer("增 10%：等级改变的对象"), up_score=num("增 10%：第一名得分"), place="detail",
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        objects, nodes, r, own, outer = _read(form)
        names, points = [one.name for one in form.grades], np.array([one.score for one in form.grades], dtype=float)
        parts, b = _compose(form, r, nodes, own, outer)
        scores = b @ points
        cls._tables(report, form, objects, nodes, r, own, outer, parts, b, points)
        changed = cls._firm(report, form, r, nodes, own, outer, b, points)
        _words(report, form, objects, b, scores, names, changed)
        return report

    @classmethod
    def _tables(
        cls, report: Report, form: Any, objects: list[str], nodes: list[tuple[str, list[str]]], r: Floats,
        own: list[Floats], outer: Floats, parts: Floats, b: Floats, points: Floats,
    ) -> None:  # fmt: skip
        names, scores = [one.name for one in form.grades], b @ points
        ranks = ranked(scores)
        for i, name in enumerate(objects):
            at = int(np.argmax(np.round(b[i], 12)))
            report.row(
                cls.result, object=name, grade=names[at], top=b[i, at], alpha=effectiveness(b[i]),
                level=float(b[i] @ np.arange(1, len(names) + 1)), score=scores[i], rank=ranks[i],
            )  # fmt: skip
            cls._vector(report, name, "总评价", names, b[i], points)
            for k, (node, items) in enumerate(nodes):
                if len(nodes) > 1:
                    cls._vector(report, name, node, names, parts[i, k], points)
                start = sum(len(other[1]) for other in nodes[:k])
                for j, item in enumerate(items):
                    report.row(cls.relation, object=name, node=node, item=item, weight=own[k][j] * outer[k],
                               wide={g: {"r": v} for g, v in zip(names, r[i, start + j], strict=True)})  # fmt: skip
        report.note(cls.relation, "权重是指标在总评价里的份额（维度权重 × 维度内权重）。")
        for i in np.argsort(-scores, kind="stable")[:DRAWN]:
            for g, v in zip(names, b[i], strict=True):
                report.row(cls.bars, grade=g, object=objects[i], b=v)
            for k, (node, _) in enumerate(nodes if len(nodes) > 2 else []):
                report.row(cls.axes, node=node, score=float(parts[i, k] @ points), object=objects[i])
        if len(nodes) < 3:
            report.skip(cls.axes, "维度少于 3 个")

    @classmethod
    def _vector(cls, report: Report, name: str, node: str, names: list[str], b: Floats, points: Floats) -> None:
        report.row(cls.vector, object=name, node=node, score=float(b @ points),
                   wide={g: {"b": v} for g, v in zip(names, b, strict=True)})  # fmt: skip

    @classmethod
    def _firm(
        cls, report: Report, form: Any, r: Floats, nodes: list[tuple[str, list[str]]], own: list[Floats],
        outer: Floats, b: Floats, points: Floats,
    ) -> int:  # fmt: skip
        """One indicator's share of the whole a tenth up or down, the others in proportion."""
        share = np.concatenate([w * o for w, o in zip(own, outer, strict=True)])
        before, turned = np.argmax(np.round(b, 12), axis=1), 0
        first = int(np.argmax(np.round(b @ points, 12)))
        items = [item for _, part in nodes for item in part]
        sizes = np.cumsum([len(part) for _, part in nodes])[:-1]
        for j, item in enumerate(items if len(items) > 1 else []):
            cells: dict[str, Any] = {}
            for key, factor in (("down", 1 - SHARE), ("up", 1 + SHARE)):
                w = share.copy()
                w[j] *= factor
                split = np.split(w / w.sum(), sizes)
                totals = np.array([part.sum() for part in split])
                again = [part / t if t > 0 else part for part, t in zip(split, totals, strict=True)]
                after = _compose(form, r, nodes, again, totals)[1]
                cells[key] = int((np.argmax(np.round(after, 12), axis=1) != before).sum())
                cells[f"{key}_score"] = float(after[first] @ points)
                turned += cells[key] > 0
            report.row(cls.shaken, item=item, **cells)
        if len(items) < 2:
            report.skip(cls.shaken, "只有一个指标")
        else:
            report.note(cls.shaken, "每次只改一个指标的权重（相对增减 10%，其余按比例调整）。")
        return turned


def _compose(
    form: Any, r: Floats, nodes: list[tuple[str, list[str]]], own: list[Floats], outer: Floats
) -> tuple[Floats, Floats]:
    """Evaluation vectors of the parts (objects × parts × grades) and of the whole (objects × grades), each to sum 1."""
    parts, start = [], 0
    for (_, items), w in zip(nodes, own, strict=True):
        parts.append(compose(w, r[:, start : start + len(items)], form.operator))
        start += len(items)
    lower = np.stack(parts, axis=1)
    return lower, lower[:, 0] if len(nodes) == 1 else compose(outer, lower, form.operator)


def _read(form: Any) -> tuple[list[str], list[tuple[str, list[str]]], Floats, list[Floats], Floats]:
    """Objects, parts with their indicators, memberships (objects × indicators × grades), weights within, of parts."""
    if form.source == "membership_matrix":
        return _typed(form)
    columns = [column for block in form.items for column in block.columns]
    given = {row.column.id: float(row.w) for row in form.item_weights}
    nodes = [(block.name, [column.title for column in block.columns]) for block in form.items]
    own = [_shares([given[c.id] for c in block.columns], f"“{block.name}”里的指标", "item_weights")
           for block in form.items]  # fmt: skip
    outer = _shares([float(block["weight"]) for block in form.items], "维度", "items")
    if form.source == "survey":
        return ["全体答卷"], nodes, np.stack([_answers(form, column) for column in columns])[None], own, outer
    n = len(columns[0])
    if n > MOST:
        raise Refusal("data.many", f"有 {n:,} 个对象，最多 {MOST:,} 个，请先筛选", field="items")
    standards = {row.column.id: row.values for row in form.standards}
    r = np.stack([_measured(form, column, standards[column.id]) for column in columns], axis=1)
    labels = [None] * n if form.label is None else list(form.label.text)
    objects = [f"第 {row} 行" if one is None else str(one)
               for one, row in zip(labels, columns[0].row_numbers, strict=True)]  # fmt: skip
    return [one if objects.count(one) == 1 else f"{one}（第 {row} 行）"
            for one, row in zip(objects, columns[0].row_numbers, strict=True)], nodes, r, own, outer  # fmt: skip


def _typed(form: Any) -> tuple[list[str], list[tuple[str, list[str]]], Floats, list[Floats], Floats]:
    if form.typed is None:
        raise Refusal("matrix.required", "请填写“隶属度矩阵”", field="typed")
    r, items = np.array(form.typed.values), list(form.typed.rows)
    if r.shape[1] != len(form.grades):
        text_ = f"隶属度矩阵有 {r.shape[1]} 列，评语有 {len(form.grades)} 个，请改成一样多"
        raise Refusal("data.grades", text_, field="typed")
    for name, total in zip(items, r.sum(axis=1), strict=True):
        if abs(total - 1) > CLOSE:
            sums = r.sum(axis=1, keepdims=True)
            cells = {"rows": items, "columns": list(form.typed.columns), "values": (r / sums).tolist()}
            remedies = [SetRemedy(title="各行除以行和", set={"typed": cells})] if (sums > 0).all() else []
            text_ = f"指标“{name}”隶属度之和为 {total:g}，应为 1，请归一化"
            raise Refusal("data.sum", text_, field="typed", remedies=remedies)
    given = form.typed_weights or [1.0] * len(items)
    if len(given) != len(items):
        text_ = f"权重数量与指标数量不一致：权重 {len(given)} 个，指标 {len(items)} 个"
        raise Refusal("data.weights", text_, field="typed_weights")
    own = _shares(given, "指标", "typed_weights")
    return ["评价对象"], [("总评价", items)], (r / r.sum(axis=1, keepdims=True))[None], [own], np.ones(1)


def _shares(given: list[float], whose: str, field: str) -> Floats:
    w = np.array(given, dtype=float)
    if w.sum() <= 0:
        raise Refusal("data.weights", f"{whose}的权重不能全为 0，请至少给一个大于 0 的权重", field=field)
    return np.asarray(w / w.sum())


def _answers(form: Any, column: Any) -> Floats:
    """Shares of the grades among those who answered this item."""
    wanted = {(one.answer or one.name).strip(): k for k, one in enumerate(form.grades)}
    counts = np.zeros(len(form.grades))
    for level in column.levels:
        value = level.value
        plain = f"{value:g}" if isinstance(value, int | float) else str(value)
        at = wanted.get(str(level.label).strip(), wanted.get(plain))
        if at is None:
            text_ = (
                f"“{column.title}”里有答案“{level.label}”（{level.count} 份），不是任何评语，"
                "请在评语里填它对应的选项，或先重新编码"
            )
            raise Refusal("data.answer", text_, field="grades", column=column.id)
        counts[at] += level.count
    if counts.sum() == 0:
        raise Refusal("data.few", f"“{column.title}”没有有效的回答，请移去或核对评语", field="items", column=column.id)
    return np.asarray(counts / counts.sum())


def _measured(form: Any, column: Any, standard: list[float]) -> Floats:
    if not column.is_number:
        text_ = f"“{column.title}”不是数值，不能按实测值评价，请移去它，或改用“问卷等级题”"
        raise Refusal("data.measure", text_, field="items", column=column.id)
    s = np.array(standard, dtype=float)
    if len(s) != len(form.grades):
        text_ = f"“{column.title}”要有 {len(form.grades)} 个标准值，按评语的顺序各填一个，现有 {len(s)} 个"
        raise Refusal("data.standards", text_, field="standards", column=column.id)
    steps = np.diff(s)
    if not ((steps > 0).all() or (steps < 0).all()):
        text_ = f"“{column.title}”的标准值要一直增大或一直减小，现为 {'、'.join(f'{v:g}' for v in s)}"
        raise Refusal("data.standards", text_, field="standards", column=column.id)
    return memberships(column.numbers, s, form.membership)


def _words(
    report: Report, form: Any, objects: list[str], b: Floats, scores: Floats, names: list[str], changed: int
) -> None:
    first, last = int(np.argmax(np.round(scores, 12))), int(np.argmin(np.round(scores, 12)))
    at = int(np.argmax(np.round(b[first], 12)))
    alpha = effectiveness(b[first])
    facts: dict[str, Any] = {
        "n": len(objects), "first": objects[first], "grade": names[at], "top": b[first, at], "score": scores[first],
        "last": objects[last], "low": scores[last],
    }  # fmt: skip
    if len(objects) == 1:
        lead = "总体隶属“{grade}”（隶属度 {top:num}），综合得分 {score:num}。"
    else:
        lead = (
            "{n:integer} 个对象里得分最高的是“{first}”（{score:num}，隶属“{grade}”），最低的是“{last}”（{low:num}）。"
        )
    report.lead(lead, [figure("综合得分", "{score:num}", "{grade}")], **facts)
    weak = [o for o, one in zip(objects, b, strict=True) if (a := effectiveness(one)) is not None and a < 0.5]
    if weak:
        text_ = "{k:integer} 个对象的有效度 α 小于 0.5，最大的两个隶属度接近：请看级别特征值和综合得分。"
        report.check("最大隶属原则", "care", text_, k=len(weak))
    elif alpha is None:
        report.check("最大隶属原则", "pass", "隶属度全在一个等级上，等级没有争议。")
    else:
        report.check("最大隶属原则", "pass", "有效度 α 都不小于 0.5，可以按最大隶属度定等级。")
    if changed:
        report.check("权重稳不稳", "care", "单个权重增减 10%，有 {k:integer} 次改变了等级。", k=changed)
    else:
        report.check("权重稳不稳", "pass", "单个权重增减 10%，等级都不变。")
    if form.operator in ("min_max", "product_max"):
        report.warn("data.max", "这个算子只看权重乘后最大的一项，其余指标不起作用。指标多时建议用加权平均型。")
    if len(objects) == 1:
        said = "总评价隶属“{grade}”（隶属度 {top:num}），综合得分 {score:num}。"
    else:
        said = "{n:integer} 个对象里得分最高的是{first}（{score:num}），最低的是{last}（{low:num}）。"
    report.say(f"采用模糊综合评价（算子为{COMPOSE[form.operator]}）：{said}", voice="paper", **facts)
    report.say("得分随评语的分值而变：分值是人定的，只用来比较，不是测量出来的。", voice="student")
