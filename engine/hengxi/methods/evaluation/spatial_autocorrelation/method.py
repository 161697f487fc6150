from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    Points,
    Reference,
    Refusal,
    Report,
    Silent,
    Table,
    TypedMatrix,
    choice,
    claim,
    figure,
    integer,
    matrix,
    num,
    number,
    pvalue,
    role,
    stat,
    text,
    words,
)
from hengxi.methods.evaluation._shared import spatial
from hengxi.methods.evaluation._shared.spatial import Floats

TYPES = {"knn": "K 近邻", "distance": "距离之内", "inverse_distance": "反距离", "matrix": "粘贴权重矩阵",
         "contiguity_list": "邻接名单"}  # fmt: skip
BY_PLACE = {"weight_type": ("knn", "distance", "inverse_distance")}
MOST = 500
KINDS = {(True, True): "高-高", (False, True): "低-高", (False, False): "低-低", (True, False): "高-低"}


class SpatialAutocorrelation(Method):
    """Whether neighbours resemble each other, over all regions and around each."""

    title, title_en = "莫兰指数（空间自相关）", "Moran's I (global, local), Geary's C, Getis-Ord"
    slug = "spatial-autocorrelation"
    family, tier = "一致性与均衡", "member"
    purpose = "相邻地区的取值是否相互聚集，冷热点在哪里"
    aliases = ("莫兰指数", "Moran", "空间自相关", "LISA", "Geary", "热点分析", "Getis-Ord", "空间权重矩阵")
    references = ("moran1950", "geary1954", "cliff1981", "anselin1995", "ord1995")
    conventions = (
        "期望 E(I) = −1/(n − 1)；方差按随机化假定或正态假定（Cliff 和 Ord，1981），p 为双侧。",
        "置换 p：把数值随机分给各地区，(1 + 偏离期望不小于实际的次数)/(次数 + 1)。",
        "局部 I = z·Σwz ÷ (Σz²/n)；局部置换固定本地区的值，只打乱其他地区；p 用 Benjamini-Hochberg 法校正（FDR）。",
        "Gi* 包括本地区（二元权重记 1，反距离取该行最大的权重），是标准化后的 z 值。",
        "行标准化：每行权重之和为 1。二元：相邻为 1。不处理：照原值。",
        "K 近邻距离相同时取坐标较小的；经纬度按球面距离（半径 6371 千米），平面坐标按欧氏距离。",
        "没有邻居的地区（孤岛）单独列出，不参加计算。",
    )
    random = True

    class Input(Form):
        value: Column = role("指标值", "定量", each=True)
        label: Column = role("地区名称", "任意")
        x: Column | None = role("经度或横坐标", "定量", when=BY_PLACE)
        y: Column | None = role("纬度或纵坐标", "定量", when=BY_PLACE)
        weight_type: str = choice("权重类型", TYPES)
        weights: TypedMatrix | None = matrix("空间权重矩阵", kind="free", size=(3, 200), least=0, when={
            "weight_type": "matrix"}, hint="行和列是地区名称，次序相同；对角线为 0")  # fmt: skip
        pairs: str = words("邻接名单", kind="text", longest=20000, when={"weight_type": "contiguity_list"},
                           hint="一个地区一段，用分号隔开，如 甲:乙,丙;乙:丁")  # fmt: skip
        k: int = integer("K 近邻数", 4, least=1, most=50, when={"weight_type": "knn"})
        reach: float | None = number(
            "距离上限", above=0, when={"weight_type": "distance"}, auto="使每个地区至少有一个邻居"
        )
        coordinates: str = choice("坐标", {"sphere": "经纬度", "plane": "平面坐标"}, when=BY_PLACE)
        style: str = choice("标准化", {"row": "行标准化", "binary": "二元", "none": "不处理"})
        variance: str = choice("方差假定", {"random": "随机化", "normal": "正态"})
        permutations: int = integer("置换次数", 999, least=99, most=9999)

    whole = Table(
        "全局空间自相关", index=text("指数"), value=num("值"), expected=num("期望"), variance=num("方差", least=0),
        z=num("*z*"), p=pvalue(), shuffled=pvalue("置换 *p*"), place="main",
        claim=claim("named", stat("*z*", "z"), effect="value", names=("index",)),
    )  # fmt: skip
    local = Table(
        "局部空间自相关", region=text("地区"), value=num("值"), lag=num("邻居平均（z）"), i=num("局部 I"),
        p=pvalue("置换 *p*"), fdr=pvalue("*p*（FDR）"), kind=text("象限"), found=text("结论"), g=num("Gi*（z）"),
        neighbours=integer("邻居数"), place="main",
        claim=Silent("many regions are looked at together, their p values stand corrected beside them"),
    )  # fmt: skip
    scatter = Points("莫兰散点", z=num("标准化值"), lag=num("邻居的标准化值"), region=text("地区"), kind=text("象限"))
    plot = Chart("莫兰散点图", "point", of=scatter, x="z", y="lag", label="region", series="kind", over=[
        Reference(x=0), Reference(y=0)], place="main")  # fmt: skip
    info = Table("空间权重", n=integer("地区"), links=integer("邻接关系"), mean=num("平均邻居数", least=0),
                 least_=integer("最少邻居"), most_=integer("最多邻居"), sum_=num("权重之和", least=0), layout="record",
                 place="detail")  # fmt: skip
    alone = Table("孤岛", region=text("地区"), place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names, x, w = _read(form)
        linked = (w > 0).any(axis=1)
        for name in names[~linked]:
            report.row(cls.alone, region=name)
        if linked.all():
            report.skip(cls.alone, "每个地区都有邻居")
        else:
            report.warn("data.island", "{k:integer} 个地区没有邻居，没有参加计算，见“孤岛”表。", k=int((~linked).sum()))
        names, x, w = names[linked], x[linked], w[np.ix_(linked, linked)]
        if len(x) < 4:
            raise Refusal("data.few", "有邻居的地区不到 4 个，不能计算，请放宽邻接条件", field="weight_type")
        if np.ptp(x) <= 1e-12 * max(float(np.abs(x).max()), 1e-300):
            text_ = f"指标“{form.value.title}”无变异，莫兰指数无定义，请换一个指标"
            raise Refusal("data.constant", text_, field="value", column=form.value.id)
        scaled = spatial.styled(w, form.style)
        counts = (w > 0).sum(axis=1)
        report.row(cls.info, n=len(x), links=int(counts.sum()), mean=counts.mean(), least_=int(counts.min()),
                   most_=int(counts.max()), sum_=float(scaled.sum()))  # fmt: skip
        i, p = cls._whole(report, form, x, scaled)
        found = cls._local(report, form, names, x, w, scaled, counts)
        _words(report, form, names, i, p, found)
        return report

    @classmethod
    def _whole(cls, report: Report, form: Any, x: Floats, w: Floats) -> tuple[float, float]:
        drawn = np.array([form.rng.permutation(x) for _ in range(form.permutations)])
        first = (0.0, 1.0)
        for title, find in (("Moran's I", spatial.moran), ("Geary's C", spatial.geary)):
            one = find(x, w, form.variance)
            others = np.array([find(sample, w, form.variance).value for sample in drawn])
            hits = int((np.abs(others - one.expected) >= abs(one.value - one.expected) - 1e-12).sum())
            report.row(
                cls.whole, index=title, value=one.value, expected=one.expected, variance=one.variance, z=one.z,
                p=one.p, shuffled=(1 + hits) / (form.permutations + 1),
            )  # fmt: skip
            first = (one.value, one.p) if title == "Moran's I" else first
        return first

    @classmethod
    def _local(
        cls, report: Report, form: Any, names: Any, x: Floats, w: Floats, scaled: Floats, counts: Any
    ) -> dict[str, int]:
        z = (x - x.mean()) / x.std()
        lag = scaled @ z
        own = z * lag
        p = spatial.local_p(z, scaled, form.permutations, form.rng)
        fdr = spatial.benjamini_hochberg(p)
        g = spatial.getis(x, w if form.style == "none" else spatial.styled(w, "binary") if form.weight_type not in (
            "inverse_distance", "matrix") else w)  # fmt: skip
        tally: dict[str, int] = {}
        for k, name in enumerate(names):
            kind = KINDS[bool(z[k] > 0), bool(lag[k] > 0)]
            found = f"{kind}聚集" if kind in ("高-高", "低-低") else f"{kind}异常"
            found = found if fdr[k] < 0.05 else "不显著"
            tally[found] = tally.get(found, 0) + 1
            report.row(cls.local, region=name, value=x[k], lag=lag[k], i=own[k], p=p[k], fdr=fdr[k], kind=kind,
                       found=found, g=g[k], neighbours=int(counts[k]))  # fmt: skip
            report.row(cls.scatter, z=z[k], lag=lag[k], region=name, kind=kind)
        return tally


def _read(form: Any) -> tuple[Any, Floats, Floats]:
    """Names, values and raw weights, in the order of the names, so that no order of rows decides what is drawn."""
    given = [str(one) for one in form.label.text]
    if (again := next((one for one in given if given.count(one) > 1), None)) is not None:
        raise Refusal("data.repeated", f"地区“{again}”有几行，请每个地区只留一行（多年数据请筛选一年）", field="label")
    if len(given) > MOST:
        raise Refusal("data.many", f"有 {len(given):,} 个地区，最多 {MOST} 个，请先筛选", field="label")
    order = sorted(range(len(given)), key=lambda k: given[k])
    names, x = np.array([given[k] for k in order], dtype=object), form.value.numbers.astype(float)[order]
    if not (np.abs(x).max() == 0 or 1e-50 < np.abs(x).max() < 1e50):
        raise Refusal("data.magnitude", "指标值过大或过小，超出可计算的范围，请换一个单位", field="value")
    match form.weight_type:
        case "matrix":
            w = _typed(form, list(names))
        case "contiguity_list":
            w = _listed(form, list(names))
        case _:
            if form.x is None or form.y is None:
                raise Refusal("role.required", "这种权重要有经度和纬度（或横、纵坐标）", field="x")
            place = np.stack([form.x.numbers[order], form.y.numbers[order]], axis=1)
            if form.coordinates == "sphere" and ((np.abs(place[:, 0]) > 360) | (np.abs(place[:, 1]) > 90)).any():
                text_ = "坐标不像经纬度（纬度要在 −90 到 90 之间），请核对，或改为平面坐标"
                raise Refusal("data.place", text_, field="coordinates")
            if form.weight_type == "knn" and form.k >= len(x):
                raise Refusal("data.k", f"只有 {len(x)} 个地区，K 要小于它", field="k")
            d = spatial.distances(place, form.coordinates)
            if form.weight_type == "inverse_distance" and (d[~np.eye(len(d), dtype=bool)] <= 0).any():
                raise Refusal("data.place", "有两个地区的坐标相同，反距离无法计算，请核对坐标", field="x")
            w = spatial.by_place(form.weight_type, d, place, form.k, form.reach)
    if not (w > 0).any():
        raise Refusal("data.none", "空间权重矩阵没有任何邻接关系，请放宽条件或核对", field="weight_type")
    return names, x, w


def _typed(form: Any, names: list[str]) -> Floats:
    if form.weights is None:
        raise Refusal("matrix.required", "请粘贴“空间权重矩阵”", field="weights")
    given = form.weights
    if given.rows != given.columns or len(given.rows) != len(names):
        text_ = (
            f"空间权重矩阵为 {len(given.rows)}×{len(given.columns)}，数据有 {len(names)} 个地区；行和列要是同样的地区"
        )
        raise Refusal("data.shape", text_, field="weights")
    if (missing := next((one for one in names if one not in given.rows), None)) is not None:
        raise Refusal("data.names", f"空间权重矩阵里没有地区“{missing}”，请核对名称", field="weights")
    at = [given.rows.index(one) for one in names]
    w = np.array(given.values)[np.ix_(at, at)]
    np.fill_diagonal(w, 0.0)
    return np.asarray(w)


def _listed(form: Any, names: list[str]) -> Floats:
    w = np.zeros((len(names), len(names)))
    for part in (
        (form.pairs or "").replace("：", ":").replace("；", ";").replace("，", ",").replace("\n", ";").split(";")
    ):
        head, _, tail = part.partition(":")
        for one in filter(None, (word.strip() for word in (head, *tail.split(",")))):
            if one not in names:
                raise Refusal("data.names", f"邻接名单里的“{one}”不在数据的地区名称里，请核对", field="pairs")
        for one in filter(None, (word.strip() for word in tail.split(","))):
            a, b = names.index(head.strip()), names.index(one)
            if a != b:
                w[a, b] = w[b, a] = 1.0
    return w


def _words(report: Report, form: Any, names: Any, i: float, p: float, found: dict[str, int]) -> None:
    facts: dict[str, Any] = {"name": form.value.title, "i": i, "p": p, "n": len(names)}
    counts: dict[str, Any] = {
        "hh": found.get("高-高聚集", 0),
        "ll": found.get("低-低聚集", 0), "odd": found.get("高-低异常", 0) + found.get("低-高异常", 0),
    }  # fmt: skip
    if p >= 0.05:
        lead = "未发现“{name}”有空间自相关（Moran's I = {i:num}，p {p:pvalue}）。"
    elif i > -1 / (len(names) - 1):
        lead = "“{name}”在空间上聚集：相近的值挨在一起，有统计学意义（Moran's I = {i:num}，p {p:pvalue}）。"
    else:
        lead = "“{name}”在空间上相间：高值与低值挨在一起，有统计学意义（Moran's I = {i:num}，p {p:pvalue}）。"
    report.lead(lead, [figure("Moran's I", "{i:num}")], **facts)
    text_ = "校正后显著的地区：高-高聚集 {hh:integer} 个，低-低聚集 {ll:integer} 个，异常 {odd:integer} 个。"
    report.say(text_, **counts)
    if len(names) < 30:
        report.check("地区个数", "care", "只有 {n:integer} 个地区，z 近似不可靠，请看置换 p。", n=len(names))
    else:
        report.check("地区个数", "pass", "{n:integer} 个地区，不少于 30 个。", n=len(names))
    how = f"{TYPES[form.weight_type]}权重"
    report.say(f"采用{how}，{{n:integer}} 个地区的 Moran's I 为 {{i:num}}（p {{p:pvalue}}）。", voice="paper", **facts)
    report.say("结果依赖怎样算相邻。换一种空间权重再算一次，结论一致才可靠。", voice="student")
