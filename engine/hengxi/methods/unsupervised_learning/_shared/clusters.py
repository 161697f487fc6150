"""What every clustering here reports: sizes, what marks each cluster, how clear they are, a map, each row's cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Form,
    Method,
    NewColumns,
    Points,
    Report,
    Silent,
    Table,
    Wide,
    combo,
    figure,
    integer,
    num,
    percent,
    pvalue,
    text,
)
from hengxi.contract.shapes import State
from hengxi.contract.tables import Element
from hengxi.methods.unsupervised_learning._shared.space import SCIPY, Space, check_units, draw_plane
from hengxi.stats.moments import Floats
from hengxi.stats.partition import (
    Codes,
    Partition,
    calinski,
    davies,
    settle,
    silhouettes,
    total_squares,
    within_squares,
)
from hengxi.stats.thin import thin

NOISE, SAMPLE, LEADING, MARKED = "噪声", 10_000, 4, 0.5
REASONABLE, WEAK, MUCH = 0.5, 0.25, 0.5
"""Kaufman & Rousseeuw (1990) for the silhouette; a share of noise beyond `MUCH` speaks against the settings."""
COMMON = (
    "类别按例数从多到少编号，例数相同的按第一个变量的中心从小到大；计算前各行按取值排成固定的次序，文件的行序不影响结果。",
    "Z 标准化和标准差以 n − 1 为分母；类别特征表的 F 与 p 只作描述。",
    "轮廓系数用所选的距离，噪声不计；超过 10000 行时等距抽 10000 行。Calinski-Harabasz 与 Davies-Bouldin 用欧氏距离。",
)


@dataclass
class Clusters:
    """`labels`: −1 noise, else the cluster by falling size; `found` and `widths` are of the rows in a cluster."""

    space: Space
    labels: Codes
    found: Partition | None
    widths: Floats
    numeric: bool = True
    """Are there values whose means say what a cluster is like? Of a matrix of similarities there are none."""

    @property
    def k(self) -> int:
        return 0 if self.found is None else self.found.k

    @property
    def names(self) -> list[str]:
        return [f"第{i + 1}类" for i in range(self.k)]

    @property
    def noise(self) -> int:
        return int((self.labels < 0).sum())

    @property
    def silhouette(self) -> float | None:
        return float(self.widths.mean()) if self.widths.size else None

    def of_rows(self) -> list[str]:
        names = [*self.names, NOISE]
        return [names[label] for label in self.labels]

    def centres(self, values: Floats) -> Floats:
        """Means by cluster: clusters × variables."""
        return np.array([values[self.labels == i].mean(axis=0) for i in range(self.k)])


def clusters_of(space: Space, raw: Any, distance: str = "euclidean") -> Clusters:
    """Labels of a library (−1 noise) put in their order, and how good they are."""
    raw = np.asarray(raw, dtype=np.int64)
    inside = np.flatnonzero(raw >= 0)
    labels = np.full(raw.size, -1, dtype=np.int64)
    if inside.size == 0:
        return Clusters(space, labels, None, np.empty(0))
    _, compact = np.unique(raw[inside], return_inverse=True)
    found = settle(space.u[inside], compact, int(compact.max()) + 1)
    labels[inside] = found.labels
    widths = np.empty(0)
    if found.k > 1:
        sample = thin(inside.size, most=SAMPLE)
        widths = silhouettes(space.u[inside][sample], [found.labels[sample]], SCIPY[distance])[0]
    return Clusters(space, labels, found, widths)


class Clustering(Method):
    """The tables and figures all clusterings have; a member adds its own `sizes` and settings and calls `write`."""

    family = "机器学习聚类"
    missing = "keep"
    noisy: ClassVar[bool] = True
    """Can a row be in no cluster?"""

    class Input(Form):
        pass

    plane_points = Points(
        "聚类平面", x=num("横轴"), y=num("纵轴"), group=text("类别"), row=integer("行号"), label=text("样本")
    )
    plane = Chart("聚类散点图", "point", of=plane_points, x="x", y="y", series="group", row="row", place="main")
    profile = Table(
        "类别特征", name=text("变量"), F=num("*F*", least=0), p=pvalue(), place="main",
        layout=Wide(value=combo("均值 ± 标准差", "mean_sd", "mean", "sd")),
        claim=Silent("the clusters were made from these very variables: the p proves nothing"),
    )  # fmt: skip
    validity = Table(
        "聚类评价", layout="record", n=integer("*N*"), variables=integer("变量数"), k=integer("类数"),
        noise=integer("噪声"), noise_share=percent("噪声占比"),
        silhouette=num("平均轮廓系数", least=-1, most=1, decimals=3), calinski=num("Calinski-Harabasz", least=0),
        davies=num("Davies-Bouldin", least=0, decimals=3),
    )  # fmt: skip
    heat_points = Points("类中心", name=text("变量"), group=text("类别"), value=num("标准化均值"))
    heat = Chart("类中心热力图", "heat", of=heat_points, row="name", column="group", value="value", place="detail")
    members = Table(
        "样本类别", row=integer("行号"), label=text("样本标识"), cluster=text("类别"),
        distance=num("到类中心距离", least=0), place="detail",
    )  # fmt: skip
    saved = NewColumns("聚类类别", when={"append": True})

    @classmethod
    def elements(cls) -> dict[str, Element]:
        """The method's own table of sizes first, so that it is the main one."""
        found = super().elements()
        return {"sizes": found["sizes"], **found} if "sizes" in found else found

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.x)} 个变量的{cls.title}"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.1 + rows * rows * 1e-8 * (1 + columns / 10)


def write(report: Report, cls: Any, form: Any, made: Clusters) -> None:
    """All but the sizes and the words."""
    _profile(report, cls, made)
    _validity(report, cls, made)
    names = made.of_rows()
    draw_plane(report, cls, made.space, names, [*made.names, NOISE])
    _members(report, cls, made, names)
    check_units(report, made.space)
    if form.append:
        report.columns(cls.saved, {"聚类类别": made.space.spread(np.array(names, dtype=object), object, None)})


def _profile(report: Report, cls: Any, made: Clusters) -> None:
    space, inside = made.space, made.labels >= 0
    if made.found is None:
        return
    sizes = made.found.sizes
    means, centres = made.centres(space.x), made.centres(space.z)
    with np.errstate(over="ignore", invalid="ignore"):
        inner = within_squares(space.z[inside], made.found.labels, centres)
    n, k = int(inside.sum()), made.k
    between = (sizes[:, None] * (centres - space.z[inside].mean(axis=0)) ** 2).sum(axis=0)
    for j, name in enumerate(space.names):
        wide = {}
        for i, one in enumerate(made.names):
            sd = float(np.sqrt(inner[i, j] / (sizes[i] - 1)) * space.scale[j]) if sizes[i] > 1 else None
            wide[one] = {"mean": float(means[i, j]), "sd": sd if sd is None or np.isfinite(sd) else None}
            report.row(cls.heat_points, name=name, group=one, value=float(centres[i, j]))
        rest = float(inner[:, j].sum())
        f = p = None
        if k > 1 and n > k and rest > 1e-14 * n:
            f = float(between[j]) / (k - 1) / (rest / (n - k))
            p = float(stats.f.sf(f, k - 1, n - k))
        report.row(cls.profile, name=name, F=f, p=p, wide=wide)
    report.note(cls.profile, "*F* 与 *p* 只作描述：类就是按这些变量分的，不能当作检验。")
    report.note(cls.heat, "颜色是各类的标准化均值：0 为总平均，正数高于总平均。")


def _validity(report: Report, cls: Any, made: Clusters) -> None:
    space, found = made.space, made.found
    inside = made.labels >= 0
    total = float(total_squares(space.u[inside]).sum()) if found is not None else 0.0
    several = found is not None and found.k > 1
    report.row(
        cls.validity, n=space.n, variables=len(space.names), k=made.k, noise=made.noise,
        noise_share=made.noise / space.n, silhouette=made.silhouette,
        calinski=calinski(found.within, total, int(inside.sum()), found.k) if found is not None and several else None,
        davies=davies(space.u[inside], found) if found is not None and several else None,
    )  # fmt: skip
    if several:
        report.note(
            cls.validity,
            "轮廓系数从 −1 到 1，越大分得越开；Calinski-Harabasz 越大、Davies-Bouldin 越小越好。"
            "三个指标都偏好圆形的类，弯曲的类会偏低。",
        )
    else:
        report.note(cls.validity, "只有 1 类，没有可以比较的类，轮廓系数等不给出。")


def _members(report: Report, cls: Any, made: Clusters, names: Sequence[str]) -> None:
    space = made.space
    away = np.full(space.n, np.nan)
    if made.found is not None:
        inside = made.labels >= 0
        gap = space.u[inside] - made.found.centres[made.found.labels]
        with np.errstate(over="ignore"):
            away[inside] = np.sqrt((gap * gap).sum(axis=1)) * space.unit
    file = space.by_file
    report.add_rows(
        cls.members,
        {
            "row": space.numbers[file], "label": space.called(file), "cluster": [names[i] for i in file],
            "distance": [float(v) if np.isfinite(v) else None for v in away[file]],
        },
    )  # fmt: skip
    report.note(cls.members, "距离是到本类均值的欧氏距离，在聚类所用的数值上计算。")


# ---- words ---------------------------------------------------------------------------------------------------------
def tell(report: Report, cls: Any, made: Clusters, how: str, student: str, **facts: Any) -> None:
    """Lead and voices. `how`: the method with its settings, as a paper says it; `student`: how it works."""
    space, s = made.space, made.silhouette
    facts |= {
        "n": space.n, "vars": len(space.names), "k": made.k, "noise": made.noise, "share": made.noise / space.n,
        **({} if s is None else {"s": s}),
    }  # fmt: skip
    noise = "，{noise:integer} 行（{share:percent1}）是噪声" if made.noise else "，没有噪声" if cls.noisy else ""
    counted = f"{{n:integer}} 行按 {{vars:integer}} 个变量聚成 {{k:integer}} 类{noise}。"
    clear = f"{_clear(s)}（平均轮廓系数 {{s:num3}}）。" if s is not None else ""
    marks, own = _marks(made)
    figures = [figure("类数", "{k:integer}", "共 {n:integer} 行")]
    if cls.noisy:
        figures.append(figure("噪声", "{noise:integer}", "占 {share:percent1}"))
    if s is not None:
        figures.append(figure("平均轮廓系数", "{s:num3}", "−1 到 1，越大分得越开"))
    report.lead(f"{counted}{clear}\n{marks}。", figures, **facts, **own)
    after = "下一步：保存类别，用没有参与聚类的变量比较各类。"
    report.voices(
        [
            (student, {}),
            (f"各类的特点：{marks}。“偏高”“偏低”指比总平均相差半个标准差以上。{after}", own)
            if made.numeric
            else (after, {}),
        ],
        [(f"用{how}对 {{n:integer}} 行、{{vars:integer}} 个变量聚类，得到 {{k:integer}} 类{noise}。{clear}", {})],
        [(f"{counted}{marks}。", own)],
        **facts,
    )
    if s is not None:
        state: State = "pass" if s > REASONABLE else "care" if s > WEAK else "fail"
        report.check("类的清晰程度", state, f"{_clear(s)}：平均轮廓系数 {{s:num3}}。弯曲的类请看散点图。", s=s)
    elif made.k == 1:
        report.check("类的清晰程度", "unknown", "只得到 1 类，看不出分群。")


def _clear(s: float) -> str:
    return "类与类分得较开" if s > REASONABLE else "类与类有重叠" if s > WEAK else "按平均距离看，类与类没有明显分开"


def _marks(made: Clusters) -> tuple[str, dict[str, Any]]:
    """`第1类 62 行：“花瓣长”偏高`: up to two variables a direction that lie half a sd from the mean of all."""
    centres, facts, told = made.centres(made.space.z), dict[str, Any](), list[str]()
    for i, name in enumerate(made.names[:LEADING]):
        assert made.found is not None
        facts[f"n{i}"] = int(made.found.sizes[i])
        words = []
        for word, sign in (("偏高", 1), ("偏低", -1)) if made.numeric else ():
            held = [j for j in np.argsort(-sign * centres[i], kind="stable") if sign * centres[i, j] >= MARKED][:2]
            facts |= {f"v{i}_{j}": made.space.names[j] for j in held}
            if held:
                words.append("".join(f"“{{v{i}_{j}}}”" for j in held) + word)
        what = "，" + ("，".join(words) if words else "各变量接近总平均") if made.numeric else ""
        told.append(f"{name} {{n{i}:integer}} 行{what}")
    return "；".join(told) + ("；其余各类见表" if made.k > LEADING else ""), facts


def check_noise(report: Report, made: Clusters, advice: str, remedies: Sequence[Any] = (), **facts: Any) -> None:
    """More than half of the rows in no cluster, or one cluster alone."""
    share = made.noise / made.space.n
    poor = share > MUCH or made.k == 1
    text_ = "噪声占 {share:percent1}，共 {k:integer} 类。" + (advice if poor else "没有超过一半。")
    report.check(
        "噪声占比", "care" if poor else "pass", text_, remedies=list(remedies) if poor else [], share=share, k=made.k,
        **(facts if poor else {}),
    )  # fmt: skip
