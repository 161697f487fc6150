"""A picture method that draws every chart kind and overlay no method of the product has used yet, from made-up rows."""

from __future__ import annotations

from typing import Any

from hengxi.contract import (
    Arrow,
    Bracket,
    Chart,
    Column,
    Ellipse,
    Form,
    Level,
    Points,
    Region,
    Report,
    Table,
    Visualization,
    choice,
    flag,
    integer,
    level,
    num,
    pvalue,
    role,
    text,
)


class Drawings(Visualization):
    title, title_en = "图形样张", "Drawings"
    family, purpose = "可视化", "测试"
    min_rows = 2

    class Input(Form):
        value: Column = role("变量", "定量")
        group: Column = role("分组", "定类", levels=(2, None))
        first: Level | None = level("首个取值", of="group", auto="first")
        theme: str = choice("配色", {"calm": "素净", "bright": "明亮"})
        all: bool = flag("画出全部", True)

    means = Table("各组均值", group=text("组"), mean=num("均值"), low=num("下限"), high=num("上限"))
    pairs = Points("两两比较", left=text("组一"), right=text("组二"), p=pvalue())
    groups = Chart(
        "各组均值与比较",
        "interval",
        of=means,
        x="group",
        y="mean",
        low="low",
        high="high",
        over=[Bracket(pairs, left="left", right="right", text="p")],
    )

    nodes = Points(
        "节点",
        id=text("编号"),
        label=text("名称"),
        size=num("次数"),
        group=text("类"),
        shape=text("形状"),
        x=num("x"),
        y=num("y"),
    )
    edges = Points("连线", source=text("起点"), target=text("终点"), weight=num("权重"))
    words_net = Chart("共现网络", "network", nodes=nodes, edges=edges, size="size", group="group", weight="weight")
    layer_net = Chart("层次网络", "network", nodes=nodes, edges=edges, arrange="layers", shape="shape")
    path_net = Chart(
        "路径图", "network", nodes=nodes, edges=edges, arrange="fixed", shape="shape", x="x", y="y", weight="weight"
    )

    grid = Points("网格", a=num("温度"), b=num("压力"), z=num("产量"), inside=integer("可行"))
    contour = Chart("等值线图", "surface", of=grid, x="a", y="b", z="z", draw="contour")
    surface = Chart("响应曲面", "surface", of=grid, x="a", y="b", z="z", draw="surface")
    region = Chart("可行域", "surface", of=grid, x="a", y="b", z="inside", draw="region")

    merges = Points("合并", node=text("节点"), parent=text("上级"), label=text("名称"), height=num("距离"))
    dendrogram = Chart(
        "树状聚类图", "tree", of=merges, node="node", parent="parent", label="label", height="height", draw="dendrogram"
    )
    parts = Points("分支", node=text("节点"), parent=text("上级"), label=text("名称"), n=integer("*n*"))
    rules_tree = Chart("决策树", "tree", of=parts, node="node", parent="parent", label="label", value="n", draw="rules")
    outline = Chart("思维导图", "tree", of=parts, node="node", parent="parent", label="label", draw="outline")
    fishbone = Chart("鱼骨图", "tree", of=parts, node="node", parent="parent", label="label", draw="fishbone")

    terms = Points("词频", word=text("词"), n=integer("次数"), kind=text("词性"))
    cloud = Chart("词云", "words", of=terms, word="word", weight="n", group="kind")

    moves = Points("流向", before=text("前"), after=text("后"), n=integer("人数"))
    stages = Chart("流向图", "flow", of=moves, source="before", target="after", value="n")
    changes = Points("变动", before=text("培训前"), after=text("培训后"), n=integer("人数"))
    transition = Chart("前后变动图", "flow", of=changes, source="before", target="after", value="n")

    scales = Points("刻度", scale=text("尺"), value=text("刻度"), position=num("位置"))
    nomogram = Chart("列线图", "nomogram", of=scales, scale="scale", value="value", position="position")

    points = Points(
        "控制图数据",
        index=integer("子组"),
        value=num("值"),
        cl=num("中心线"),
        ucl=num("上限"),
        lcl=num("下限"),
        signal=text("异常"),
        panel=text("图"),
        phase=text("阶段"),
    )
    control = Chart(
        "均值极差控制图",
        "control",
        of=points,
        index="index",
        value="value",
        cl="cl",
        ucl="ucl",
        lcl="lcl",
        signal="signal",
        panel="panel",
        phase="phase",
    )

    shares = Points("构成", path=text("类别"), n=integer("人数"))
    pie = Chart("饼图", "share", of=shares, path="path", value="n", draw="pie")
    ring = Chart("环图", "share", of=shares, path="path", value="n", draw="ring")
    treemap = Chart("矩形树图", "share", of=shares, path="path", value="n", draw="treemap")
    sunburst = Chart("旭日图", "share", of=shares, path="path", value="n", draw="sunburst")

    scores = Points("得分", name=text("个案"), f1=num("因子1"), f2=num("因子2"))
    rims = Points("椭圆", x=num("x"), y=num("y"), a=num("长半轴"), b=num("短半轴"), angle=num("角"))
    loads = Points("载荷", name=text("变量"), f1=num("因子1"), f2=num("因子2"))
    biplot = Chart(
        "双标图",
        "point",
        of=scores,
        x="f1",
        y="f2",
        label="name",
        over=[
            Ellipse(rims, x="x", y="y", a="a", b="b", angle="angle"),
            Arrow(loads, x="f1", y="f2", label="name"),
            Region(x_low=1, x_high=2, label="关注区"),
        ],
    )

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        values = form.value.numbers
        names = form.group.labels
        for code, name in enumerate(names):
            mean = float(values[form.group.codes == code].mean())
            report.row(cls.means, group=name, mean=mean, low=mean - 1, high=mean + 1)

        report.row(cls.pairs, left=names[0], right=names[1], p=0.004)
        report.lead("“{group}”有 {k:integer} 组。", group=form.group.name, k=len(names))
        for table, rows in ROWS.items():
            for row in rows:
                report.row(getattr(cls, table), **row)
        for i in range(5):
            for j in range(4):
                # A hill with its top inside the grid; the feasible region is a corner of it.
                z = 20 - (i - 2) ** 2 - (j - 1.5) ** 2
                report.row(cls.grid, a=100 + 10 * i, b=1 + j, z=z, inside=int(i + j <= 4))
        for i in range(12):
            signal = "超出上限" if i == 7 else None
            phase = "改进前" if i < 6 else "改进后"
            mean, spread = 10 + (i % 3) + (4 if i == 7 else 0), 2 + i % 2
            report.row(
                cls.points, index=i + 1, value=mean, cl=11, ucl=14, lcl=8, signal=signal, panel="均值", phase=phase
            )
            report.row(
                cls.points, index=i + 1, value=spread, cl=2.5, ucl=5, lcl=0, signal=None, panel="极差", phase=phase
            )
        report.note(cls.contour, "每格一个试验点。")
        return report


def _rows(keys: str, *lines: tuple[Any, ...]) -> list[dict[str, Any]]:
    return [dict(zip(keys.split(), line, strict=True)) for line in lines]


ROWS: dict[str, list[dict[str, Any]]] = {
    "nodes": _rows(
        "id label size group shape x y",
        ("a", "满意", 30, "态度", "ellipse", 0, 0),
        ("b", "价格", 20, "产品", "rect", 1, 0),
        ("c", "服务", 12, "产品", "rect", 1, 1),
        ("d", "推荐", 8, "态度", "ellipse", 2, 0.5),
    ),
    "edges": _rows("source target weight", ("b", "a", 0.62), ("c", "a", -0.31), ("a", "d", 0.8), ("b", "d", 0.12)),
    "merges": _rows(
        "node parent label height",
        ("top", None, "全部", 9.5),
        ("left", "top", "左", 4),
        ("beijing", "left", "北京", 0),
        ("tianjin", "left", "天津", 0),
        ("guangzhou", "top", "广州", 0),
    ),
    "parts": _rows(
        "node parent label n",
        ("1", None, "交货迟", 100),
        ("2", "1", "人员", 60),
        ("3", "1", "设备", 40),
        ("4", "2", "新手多", 35),
        ("5", "2", "轮班", 25),
        ("6", "3", "老化", 40),
    ),
    "terms": _rows(
        "word n kind", ("满意", 40, "形容词"), ("快递", 25, "名词"), ("包装", 12, "名词"), ("慢", 6, "形容词")
    ),
    "moves": _rows(
        "before after n", ("访问", "注册", 60), ("访问", "离开", 40), ("注册", "下单", 25), ("注册", "离开", 35)
    ),
    "changes": _rows("before after n", ("低", "低", 10), ("低", "高", 30), ("高", "高", 20), ("高", "低", 5)),
    "scales": _rows(
        "scale value position",
        ("得分", "0", 0),
        ("得分", "50", 50),
        ("得分", "100", 100),
        ("年龄", "20", 10),
        ("年龄", "60", 70),
        ("性别", "女", 0),
        ("性别", "男", 22),
    ),
    "shares": _rows("path n", ("线上/商城", 30), ("线上/小程序", 20), ("线下/门店", 50)),
    "scores": _rows("name f1 f2", ("甲", 0.5, 1), ("乙", -1, 0.2), ("丙", 1.5, -0.8)),
    "rims": _rows("x y a b angle", (0.2, 0.1, 2, 1, 0.5)),
    "loads": _rows("name f1 f2", ("数学", 0.9, 0.1), ("语文", 0.2, 0.8)),
}
