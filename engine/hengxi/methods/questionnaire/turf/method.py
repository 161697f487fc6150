"""TURF: which few products reach the most people. Exact as far as all combinations can be listed, else greedy with
exchanges, which is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    figure,
    integer,
    num,
    number,
    percent,
    role,
    text,
    weight,
    words,
)
from hengxi.stats.answer_sets import option_names
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles
from hengxi.stats.proportions import wilson

MOST, LISTED = 5_000_000, 10
"""Combinations listed one by one; those shown."""
CHUNK = 512
WORK = 3_000_000_000
"""Combinations times distinct patterns of answers: some ten seconds."""


@dataclass(frozen=True)
class Reaches:
    """`hits`: distinct patterns × products; `w`: people of each pattern; `depth`: hits a person needs to be reached."""

    hits: Floats
    w: Floats
    depth: int

    @property
    def n(self) -> float:
        return float(self.w.sum())

    def of(self, sets: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
        """People reached and hits of each set (sets × size)."""
        member = np.zeros((len(sets), self.hits.shape[1]))
        np.put_along_axis(member, sets, 1.0, axis=1)
        reached = ((member @ self.hits.T) >= self.depth) @ self.w
        return reached, member @ (self.w @ self.hits)


@dataclass(frozen=True)
class Found:
    sets: list[tuple[int, ...]]
    reach: list[float]
    frequency: list[float]
    tried: int
    exact: bool


class Turf(Method):
    title, title_en = "TURF组合模型", "TURF"
    family, tier = "市场与产品研究", "member"
    slug = "turf"
    purpose = "只能提供 k 个产品时，哪种组合能触达最多的人"
    aliases = ("TURF", "触达", "产品组合", "无重复到达率", "口味组合", "到达率")
    references = ("miaoulis1990", "conklin2005", "nemhauser1978", "wilson1927")
    conventions = (
        "触达：组合里至少有“触达所需命中数”个产品达到最低分。频次：组合内各产品的命中人次之和。",
        "触达相同的组合，频次大的在前；频次也相同的，按产品的先后。",
        "组合数不超过 500 万（乘以不同的回答模式不超过 30 亿）时逐个比较，"
        "保证最优；更多时每步加一个增量最大的产品，再逐个交换到不能改进，不保证全局最优。",
        "平均边际触达（Shapley）是产品以各种先后加入全部产品时增加的触达的平均，各产品合计等于全部产品的触达。",
        "缺失按没有命中算；全部缺失的人不计入。",
    )
    weights = ("frequency",)
    missing = "keep"
    reads_names = True

    class Input(Form):
        items: list[Column] = role("产品（0/1 或意愿分）", "定量", min=2, max=60)
        weight: Column | None = weight("频数权重（选填）", kind="frequency")
        k_min: int = integer("最小组合数", 1, least=1, most=60)
        k_max: int = integer("最大组合数", 5, least=1, most=60)
        reach_from: float | None = number("视为触达的最低分", None, auto="0/1 数据取 1", hint="五分意愿常取 4")
        depth: int = integer("触达所需命中数", 1, least=1, most=60)
        forced: str | None = words("必选产品", hint="名称，几个用、隔开")
        excluded_pairs: str | None = words("互斥产品", hint="不能同在的一对用＋连起来，几对用、隔开，如 香草＋奶油")
        search: str = choice("搜索", {"auto": "自动", "exhaustive": "穷举", "greedy": "贪心加交换"})

    best = Table(
        "各规模的最优组合", size=integer("组合规模"), combination=text("组合"), n=num("触达人数", least=0),
        reach=percent("触达率"), low=percent("CI 下限"), high=percent("CI 上限"), gain=percent("增量触达", least=-1),
        frequency=num("频次", least=0), each=num("频次/人", least=0), place="main",
    )  # fmt: skip
    curve = Chart(
        "触达率随组合规模", "interval", of=best, x="size", y="reach", low="low", high="high", place="main"
    )  # fmt: skip
    ranked = Table(
        "排在前面的组合", size=integer("组合规模"), rank=integer("序号"), combination=text("组合"),
        n=num("触达人数", least=0), reach=percent("触达率"), frequency=num("频次", least=0), merge=("size",),
    )  # fmt: skip
    products = Table(
        "产品贡献表", product=text("产品"), alone=percent("单独触达"), only=percent("独占触达"),
        shapley=percent("平均边际触达", least=-1), place="main",
    )  # fmt: skip
    steps = Points("瀑布", product=text("产品"), start=percent("起"), reach=percent("到"))
    waterfall = Chart("逐个加入的触达（瀑布图）", "bar", of=steps, x="product", y="reach", start="start")
    searched = Table(
        "搜索说明", size=integer("组合规模"), how=text("方法"), possible=num("可能的组合数", least=0),
        tried=integer("比较的组合数"), certain=text("是否保证最优"),
    )  # fmt: skip

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.1 + 2e-6 * sum(min(MOST, comb(columns, k)) for k in range(1, (form.get("k_max") or 5) + 1))

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = option_names(list(titles(form.items).values()))
        data = cls._read(form)
        forced = _named(names, form.forced, "forced")
        pairs = [_named(names, pair, "excluded_pairs", "＋") for pair in _split(form.excluded_pairs, "、,，;；")]
        cls._judge(form, names, forced, pairs)
        found: dict[int, Found] = {}
        for size in range(max(form.k_min, len(forced), 1), min(form.k_max, len(names)) + 1):
            one = cls._search(form, data, size, forced, pairs, len(names))
            if one is not None:
                found[size] = one
        if not found:
            text = "没有满足必选和互斥条件的组合，请放宽条件"
            raise Refusal("data.none", text, field="excluded_pairs", also=["forced"])
        cls._tables(report, form, data, names, found, len(forced))
        shapley = cls._shapley(report, form, data)
        alone, only = data.w @ data.hits / data.n, cls._only(data)
        order = np.argsort(-alone, kind="stable")
        for i in order:
            report.row(
                cls.products, product=names[i], alone=alone[i], only=only[i], shapley=float(shapley[i])
            )  # fmt: skip
        cls._words(report, form, data, names, found)
        report.used(len(form.items[0]))
        return report

    # ---- reading ---------------------------------------------------------------------------------------------------
    @staticmethod
    def _read(form: Any) -> Reaches:
        raw = np.column_stack([column.numbers for column in form.items]).astype(float)
        held = ~np.isnan(raw)
        if form.reach_from is None and (odd := held & (raw != 0) & (raw != 1)).any():
            column = form.items[int(np.flatnonzero(odd.any(axis=0))[0])]
            raise Refusal(
                "data.threshold", "请设置触达阈值（视为触达的最低分）：“{v}”不是 0/1",
                field="reach_from", also=["items"],
                column=column.id, v=column.title, remedies=[SetRemedy(title="最低分取 4", set={"reach_from": 4})],
            )  # fmt: skip
        hits = held & (np.nan_to_num(raw, nan=-np.inf) >= (1.0 if form.reach_from is None else form.reach_from))
        counts = frequencies(form.weight)
        w = (np.ones(len(raw)) if counts is None else counts) * held.any(axis=1)
        if not w.sum() > 0 or not hits[w > 0].any():
            text = "没有人达到触达的最低分，请核对数据或降低最低分"
            raise Refusal("data.empty", text, field="items", also=["reach_from"])
        patterns, place = np.unique(hits[w > 0], axis=0, return_inverse=True)
        people = np.bincount(place.ravel(), weights=w[w > 0]).astype(float)
        return Reaches(patterns.astype(float), people, form.depth)

    @staticmethod
    def _judge(form: Any, names: list[str], forced: list[int], pairs: list[list[int]]) -> None:
        if max(form.k_min, form.k_max) > len(names):
            raise Refusal(
                "data.size", "组合规模不能超过产品数（{k} 个）", field="k_max", also=["k_min"], k=len(names),
                remedies=[SetRemedy(title=f"最大组合数改为 {len(names)}", set={"k_max": len(names)})],
            )  # fmt: skip
        if form.k_min > form.k_max:
            raise Refusal("data.size", "最小组合数不能大于最大组合数", field="k_min", also=["k_max"])
        if len(forced) > form.k_max:
            text = "必选产品有 {k} 个，多于最大组合数"
            raise Refusal("data.forced", text, field="forced", also=["k_max"], k=len(forced))
        if any(len(pair) != 2 for pair in pairs):
            raise Refusal("data.pairs", "互斥产品要两个一对，用＋连起来，如 香草＋奶油", field="excluded_pairs")

    # ---- search ----------------------------------------------------------------------------------------------------
    @classmethod
    def _search(
        cls, form: Any, data: Reaches, size: int, forced: list[int], pairs: list[list[int]], k: int
    ) -> Found | None:  # fmt: skip
        free = [i for i in range(k) if i not in forced]
        possible = comb(len(free), size - len(forced))
        cheap = possible <= MOST and possible * len(data.w) <= WORK
        if form.search == "exhaustive" and not cheap:
            raise Refusal(
                "data.combinations", "规模 {k} 有 {n} 种组合，超过穷举的上限（500 万种，人多时更少），请改用自动或贪心",
                field="search", k=size, n=possible, remedies=[SetRemedy(title="改用自动", set={"search": "auto"})],
            )  # fmt: skip
        if form.search == "greedy" or not cheap:
            return cls._greedy(data, size, forced, pairs, free)
        return cls._all(data, size, forced, pairs, free)

    @staticmethod
    def _all(data: Reaches, size: int, forced: list[int], pairs: list[list[int]], free: list[int]) -> Found | None:
        every: Iterator[tuple[int, ...]] = (
            tuple(sorted([*forced, *rest])) for rest in combinations(free, size - len(forced))
        )
        kept: list[tuple[float, float, tuple[int, ...]]] = []
        tried = 0
        while chunk := list(islice(every, max(CHUNK, 2_000_000 // (len(data.w) + 1)))):
            chunk = [one for one in chunk if _allowed(one, pairs)]
            if not chunk:
                continue
            tried += len(chunk)
            reach, frequency = data.of(np.array(chunk))
            rank = np.lexsort((np.arange(len(chunk)), -frequency, -reach))[:LISTED]
            kept += [(-float(reach[i]), -float(frequency[i]), chunk[i]) for i in rank]
            kept = sorted(kept)[:LISTED]
        if not kept:
            return None
        return Found([s for *_, s in kept], [-r for r, *_ in kept], [-f for _, f, _ in kept], tried, True)

    @staticmethod
    def _greedy(data: Reaches, size: int, forced: list[int], pairs: list[list[int]], free: list[int]) -> Found | None:
        chosen, tried = list(forced), 0

        def best_of(candidates: list[tuple[int, ...]]) -> tuple[float, float, tuple[int, ...]] | None:
            nonlocal tried
            candidates = [tuple(sorted(one)) for one in candidates if _allowed(one, pairs)]
            if not candidates:
                return None
            tried += len(candidates)
            reach, frequency = data.of(np.array(candidates))
            return min((-float(r), -float(f), s) for r, f, s in zip(reach, frequency, candidates, strict=True))

        found = best_of([tuple(chosen)]) if chosen else None
        while len(chosen) < size:
            found = best_of([(*chosen, i) for i in free if i not in chosen])
            if found is None:
                return None
            chosen = list(found[2])
        while found is not None:
            inside, outside = [i for i in chosen if i not in forced], [i for i in free if i not in chosen]
            swaps = [tuple(j if one == i else one for one in chosen) for i in inside for j in outside]
            better = best_of(swaps)
            if better is None or better[:2] >= found[:2]:
                break
            found, chosen = better, list(better[2])
        if found is None:
            return None
        return Found([found[2]], [-found[0]], [-found[1]], tried, False)

    # ---- tables ----------------------------------------------------------------------------------------------------
    @classmethod
    def _tables(
        cls, report: Report, form: Any, data: Reaches, names: list[str], found: dict[int, Found], fixed: int
    ) -> None:  # fmt: skip
        before = None
        for size, one in found.items():
            reach = one.reach[0] / data.n
            low, high = wilson(one.reach[0], data.n, 0.95)
            words_of = "＋".join(names[i] for i in one.sets[0])
            report.row(
                cls.best, size=size, combination=words_of, n=one.reach[0], reach=reach, low=low, high=high,
                gain=None if before is None else reach - before, frequency=one.frequency[0],
                each=one.frequency[0] / data.n,
            )  # fmt: skip
            before = reach
            for rank, (s, r, f) in enumerate(zip(one.sets, one.reach, one.frequency, strict=True), 1):
                report.row(
                    cls.ranked, size=size, rank=rank, combination="＋".join(names[i] for i in s), n=r,
                    reach=r / data.n, frequency=f,
                )  # fmt: skip
            report.row(
                cls.searched, size=size, how="穷举" if one.exact else "贪心加交换",
                possible=float(comb(len(names) - fixed, size - fixed)), tried=one.tried,
                certain="是" if one.exact else "否",
            )  # fmt: skip
        report.note(
            cls.best, "触达要命中 {depth:integer} 个产品；频次/人是平均每人命中几个产品。CI 为 Wilson 95% 区间。"
            "组合是在同一批数据上挑出来的，触达率略微偏高。", depth=form.depth,
        )  # fmt: skip
        cls._waterfall(report, data, names, found[max(found)].sets[0])

    @classmethod
    def _waterfall(cls, report: Report, data: Reaches, names: list[str], chosen: tuple[int, ...]) -> None:
        """The products of the largest set, each time the one that adds most."""
        inside: list[int] = []
        before = 0.0
        while len(inside) < len(chosen):
            rest = [i for i in chosen if i not in inside]
            reach, frequency = data.of(np.array([[*inside, i] for i in rest]))
            best = int(np.lexsort((np.arange(len(rest)), -frequency, -reach))[0])
            inside.append(rest[best])
            now = float(reach[best]) / data.n
            report.row(cls.steps, product=names[rest[best]], start=before, reach=now)
            before = now

    @staticmethod
    def _only(data: Reaches) -> Floats:
        """Reached by all products together, but not without this one."""
        k = data.hits.shape[1]
        whole = float((data.hits.sum(axis=1) >= data.depth) @ data.w)
        every = data.hits.sum(axis=1)
        without = np.array([float(((every - data.hits[:, i]) >= data.depth) @ data.w) for i in range(k)])
        found: Floats = (whole - without) / data.n
        return found

    @classmethod
    def _shapley(cls, report: Report, form: Any, data: Reaches) -> Floats:
        """In closed form. A person of h hits reaches the depth d at the d-th of them: each hit is that one equally
        often in all orders, so each of the h hits gets 1/h of the person."""
        total = data.hits.sum(axis=1)
        part = np.where(total >= data.depth, data.w / np.maximum(total, 1), 0.0)
        report.note(
            cls.products,
            "单独触达：命中这个产品的人。独占触达：没有它就触达不到的人。平均边际触达合计等于全部产品的触达率。",
        )
        found: Floats = part @ data.hits / data.n
        return found

    @classmethod
    def _words(cls, report: Report, form: Any, data: Reaches, names: list[str], found: dict[int, Found]) -> None:
        size = max(found)
        one = found[size]
        shares = {k: f.reach[0] / data.n for k, f in found.items()}
        # The size from which one more product adds less than two points.
        enough = next((k for k in sorted(found) if k + 1 in found and shares[k + 1] - shares[k] < 0.02), size)
        facts: dict[str, Any] = {
            "k": size, "set": "、".join(names[i] for i in one.sets[0]), "reach": shares[size], "n": one.reach[0],
            "base": data.n, "e": enough, "er": shares[enough],
            "eset": "、".join(names[i] for i in found[enough].sets[0]),
        }  # fmt: skip
        main = "{k:integer} 个产品时，“{set}”触达最多，{reach:percent1} 的人（{n:num0}／{base:num0}）。"
        if not one.exact:
            main = (
                "{k:integer} 个产品时，找到的最好组合是“{set}”，触达 {reach:percent1} 的人（{n:num0}／{base:num0}）；"
            )
            main += "用的是贪心搜索，不保证是最优。"
        tail = ""
        if enough < size:
            tail = "到 {e:integer} 个产品（“{eset}”，{er:percent1}）以后，再加一个产品增加不到 2 个百分点。"
        report.lead(
            main + tail,
            [
                figure("触达率", "{reach:percent1}", "{k:integer} 个产品"),
                figure("够用的规模", "{e:integer} 个", "{er:percent1}"),
            ],
            **facts,
        )
        report.say(
            "触达率是至少喜欢组合里 {d:integer} 个产品的人的比例。"
            "最受欢迎的几个产品往往是同一批人喜欢，放在一起不一定触达最多；"
            "要看谁能带来新的人。", voice="student",
            d=form.depth,
        )  # fmt: skip
        report.say(main + tail, voice="paper", **facts)
        report.say(main, voice="brief", **facts)
        tied = sum(r == one.reach[0] for r in one.reach)
        if one.exact and tied > 1:
            report.check(
                "并列的组合", "care",
                f"规模 {{k:integer}} 有 {{t:integer}} 个{'以上的' if tied == LISTED else ''}组合触达同样多，"
                "按频次排先后；见“排在前面的组合”。", k=size, t=tied,
            )  # fmt: skip


def _allowed(one: tuple[int, ...], pairs: list[list[int]]) -> bool:
    return not any(a in one and b in one for a, b in pairs)


def _split(given: str | None, signs: str) -> list[str]:
    rest = given or ""
    for sign in signs[1:]:
        rest = rest.replace(sign, signs[0])
    return [part.strip() for part in rest.split(signs[0]) if part.strip()]


def _named(names: list[str], given: str | None, field: str, signs: str = "、,，;；") -> list[int]:
    """Places of products typed by name."""
    found = []
    for part in _split(given, "＋+" if signs == "＋" else signs):
        if part not in names:
            listed = "".join(f"“{one}”" for one in names[:8])
            raise Refusal("data.product", "没有叫“{v}”的产品，现有{listed}", field=field, v=part, listed=listed)
        found.append(names.index(part))
    return list(dict.fromkeys(found))
