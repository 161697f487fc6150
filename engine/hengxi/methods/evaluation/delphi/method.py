from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    Points,
    Reference,
    Refusal,
    Report,
    SetRemedy,
    Silent,
    Table,
    choice,
    claim,
    figure,
    filled,
    integer,
    num,
    number,
    numbers,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.stats.moments import quantiles
from hengxi.stats.pairwise import Floats
from hengxi.stats.pairwise_group import kendall

RULES = {
    "mean_cv": "均值与变异系数", "boundary_value": "界值法", "percent_agreement": "赞同比例", "rand_ucla": "RAND/UCLA",
    "iqr": "中位数与四分位距",
}  # fmt: skip
KEEP, DISCUSS, DROP = "保留", "讨论或修改", "删除"
FEW, DRAWS, STEADY = 7, 2000, 0.05
ROUNDS, JUDGED = {"round": filled}, {"judgement_basis": filled, "familiarity": filled}


@dataclass(frozen=True)
class Round:
    """One round: `scores` experts × items, NaN where an item was left out; `asked`: items that two or more scored."""

    name: str
    people: list[str]
    scores: Floats
    rows: list[int]
    asked: list[int]

    @property
    def whole(self) -> Floats:
        """The scores of those who scored everything this round asked."""
        scores = self.scores[:, self.asked]
        return np.asarray(scores[~np.isnan(scores).any(axis=1)])


class Delphi(Method):
    """Concentration, agreement, authority and stability of experts' ratings; which items stay."""

    title, title_en = "德尔菲专家法", "Delphi statistics (agreement, authority, item selection)"
    slug = "delphi"
    family = "决策分析"
    purpose = "专家意见是否集中且协调，哪些指标应保留，专家是否权威、意见是否已稳定"
    aliases = ("德尔菲", "专家咨询法", "协调系数", "专家权威系数", "指标筛选", "界值法", "RAND/UCLA")
    references = ("dalkey1963", "kendall1939", "fitch2001", "diamond2014")
    conventions = (
        "缺失的评分不计入该指标；协调系数只用评完这一轮全部指标的专家。",
        "一轮里不到 2 位专家评分的指标，这一轮不计（如前一轮已有定论、不再问的）；结论取各指标最后一次评分的那一轮。",
        "CV = 标准差/均值（标准差除以 n − 1）；四分位数按 (n + 1)p 插值；满分频率是打满分的比例；"
        "重要性比例 = 总分 ÷ 可能的最高总分。",
        "权威程度 Cr = (Ca + Cs)/2；判断依据、熟悉程度有几列时各取平均。Cr ≥ 0.7 通常算可以接受。",
        "Kendall W 含同分校正，χ² = m(k − 1)W；有效专家少于 7 位时 p 用置换检验（每位专家的名次随机打乱）。",
        "均值与变异系数：都达到为保留，只达到一项为讨论，都不达到为删除。",
        "界值法：均值、满分频率的界值 = 各指标的平均 − 标准差，变异系数的界值 = 平均 + 标准差；"
        "三项都不符合才删除，一两项不符合则讨论。",
        "RAND/UCLA（9 级）：P30 到 P70 的距离大于 2.35 + 1.5·|5 − (P30 + P70)/2| 为有分歧；中位数 7–9 且无分歧为保留，"
        "1–3 且无分歧为删除，其余讨论。",
        "中位数与四分位距：中位数达到均值下限、四分位距不超过上限都满足为保留，一项为讨论，都不满足为删除。",
        "轮间按同一专家配对：Wilcoxon 符号秩检验（去掉 0 差，正态近似，同分校正），二次加权 κ；"
        "没有“p < 0.05 且中位数变化达到 1”，并且 |ΔCV| < 0.05，为稳定。",
    )
    missing = "keep"
    random = True

    class Input(Form):
        items: list[Column] = role("指标评分", "定量", min=2, max=200, hint="一行一位专家的一轮，一列一个指标")
        round: Column | None = role("轮次（选填）", "任意")
        expert: Column | None = role("专家标识（选填）", "任意")
        judgement_basis: list[Column] = role("判断依据 Ca（选填）", "定量", min=0, max=20, hint="0 到 1")
        familiarity: list[Column] = role("熟悉程度 Cs（选填）", "定量", min=0, max=20, hint="0 到 1")
        scale_max: int = integer("满分", 5, least=2, most=100)
        rule: str = choice("筛选标准", RULES)
        mean_min: float = number("均值（或中位数）下限", 3.5, least=0, most=100, when={"rule": ("mean_cv", "iqr")})
        cv_max: float = number("变异系数上限", 0.25, least=0, most=5, when={"rule": "mean_cv"})
        agree_from: float = number("赞同的最低分", 4, least=0, most=100)
        agree_percent: float = number("赞同比例下限", 0.75, least=0, most=1, when={"rule": "percent_agreement"})
        iqr_max: float = number("四分位距上限", 1, least=0, most=100, when={"rule": "iqr"})
        invited: list[float] = numbers("各轮发放人数（按轮次顺序）", whole=True, least=1, max=20)

    items_ = Table(
        "指标筛选", round=text("轮次"), item=text("指标"), n=integer("人数"), mean=num("均值"), sd=num("标准差",
            least=0),
        cv=num("变异系数", least=0), median=num("中位数"), q1=num("Q1"), q3=num("Q3"), iqr=num("四分位距", least=0),
        full=percent("满分频率"), ratio=percent("重要性比例"), agree=percent("赞同比例"), verdict=text("结论"),
        merge=("round",), place="main",
    )  # fmt: skip
    plot = Chart("均值与变异系数", "point", of=items_, x="mean", y="cv", label="item", series="round", place="main")
    concord = Table(
        "协调系数", round=text("轮次"), experts=integer("专家"), k=integer("指标"), w=num("Kendall *W*", least=0,
            most=1),
        chi2=num("*χ*²", least=0), df=integer("*df*"), p=pvalue(), shuffled=pvalue("置换 *p*"), place="main",
        claim=claim("agreement", stat("χ²", "chi2", "df"), effect="w"),
    )  # fmt: skip
    path = Points("各轮协调系数", round=text("轮次"), w=num("Kendall W"), when=ROUNDS)
    trend = Chart("协调系数的变化", "line", of=path, x="round", y="w", over=[Reference(y=0)], when=ROUNDS,
                  place="detail")  # fmt: skip
    response = Table("专家积极系数", round=text("轮次"), sent=integer("发放"), back=integer("回收"),
                     whole=integer("全部评完"), rate=percent("回收率", most=None), place="detail")  # fmt: skip
    authority = Table("权威程度", round=text("轮次"), expert=text("专家"), ca=num("Ca", least=0, most=1),
                      cs=num("Cs", least=0, most=1), cr=num("Cr", least=0, most=1), when=JUDGED, merge=("round",),
                      place="detail")  # fmt: skip
    limits_ = Table("界值", round=text("轮次"), index=text("指标量"), mean=num("平均"), sd=num("标准差", least=0),
                    cut=num("界值"), when={"rule": "boundary_value"}, merge=("round",), place="detail")  # fmt: skip
    others = Table("换一条标准", round=text("轮次"), rule=text("标准"), keep=integer(KEEP), discuss=integer(DISCUSS),
                   drop=integer(DROP), merge=("round",), place="detail")  # fmt: skip
    stable = Table(
        "轮间稳定性", pair=text("轮次"), item=text("指标"), n=integer("配对专家"), median=num("中位数变化"),
        iqr=num("四分位距变化"), cv=num("变异系数变化"), p=pvalue("Wilcoxon *p*"), kappa=num("加权 κ", most=1),
        verdict=text("结论"), merge=("pair",), when={"round": filled, "expert": filled}, place="main",
        claim=Silent("many items are looked at together to see whether opinions still move"),
    )  # fmt: skip
    boxes = Points("各轮评分", item=text("指标"), round=text("轮次"), low=num("最小"), q1=num("Q1"),
                   median=num("中位数"), q3=num("Q3"), high=num("最大"))  # fmt: skip
    box = Chart("各轮评分箱线图（前 30 个指标）", "box", of=boxes, x="item", min="low", q1="q1", median="median",
                q3="q3", max="high", series="round", place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        rounds = _read(form)
        _tell_unasked(report, form, rounds)
        report.used(sum(len(one.rows) for one in rounds))
        verdicts: dict[int, str] = {}
        for k, one in enumerate(rounds):
            verdicts.update(zip(one.asked, cls._items(report, form, one), strict=True))
            cls._response(report, form, one, k)
            if form.judgement_basis and form.familiarity:
                cls._authority(report, form, one)
        ws = [cls._concord(report, form, one) for one in rounds]
        if form.round is not None and not report.rows_of(cls.path):
            report.skip(cls.path, "各轮都算不出协调系数")
        moved = None
        if form.round is not None and form.expert is not None:
            moved = cls._stability(report, form, rounds)
        _words(report, form, rounds, [verdicts[j] for j in range(len(form.items))], ws, moved)
        return report

    @classmethod
    def _items(cls, report: Report, form: Any, one: Round) -> list[str]:
        items = [form.items[j] for j in one.asked]
        columns = [_describe(form, one, j) for j in one.asked]
        found = {rule: _verdicts(form, rule, columns, one) for rule in RULES if rule != "rand_ucla"
                 or form.rule == "rand_ucla"}  # fmt: skip
        for column, cells, verdict in zip(items, columns, found[form.rule], strict=True):
            report.row(cls.items_, round=one.name, item=column.title, verdict=verdict, **cells)
        for rule, words in found.items():
            counts = (("keep", KEEP), ("discuss", DISCUSS), ("drop", DROP))
            tally: dict[str, Any] = {key: words.count(word) for key, word in counts}
            report.row(cls.others, round=one.name, rule=RULES[rule], **tally)
        if form.rule == "boundary_value":
            for title, key, sign in (("均值", "mean", -1), ("满分频率", "full", -1), ("变异系数", "cv", 1)):
                values = np.array([cells[key] for cells in columns])
                report.row(cls.limits_, round=one.name, index=title, mean=values.mean(), sd=values.std(ddof=1),
                           cut=values.mean() + sign * values.std(ddof=1))  # fmt: skip
        for k, j in enumerate(one.asked[:30]):
            x, column, cells = one.scores[:, j][~np.isnan(one.scores[:, j])], items[k], columns[k]
            report.row(cls.boxes, item=column.title, round=one.name, low=x.min(), q1=cells["q1"],
                       median=cells["median"], q3=cells["q3"], high=x.max())  # fmt: skip
        return found[form.rule]

    @classmethod
    def _response(cls, report: Report, form: Any, one: Round, k: int) -> None:
        sent = int(form.invited[k]) if k < len(form.invited) else None
        back = len(one.rows)
        if sent is not None and sent < back:
            text_ = f"{one.name}发放 {sent} 份，却有 {back} 份答卷，请核对“各轮发放人数”"
            raise Refusal("data.invited", text_, field="invited")
        report.row(cls.response, round=one.name, sent=sent, back=back, rate=None if sent is None else back / sent,
                   whole=len(one.whole))  # fmt: skip

    @classmethod
    def _authority(cls, report: Report, form: Any, one: Round) -> None:
        at = np.isin(form.items[0].row_numbers, one.rows)
        ca, cs = (_mean_of(columns, at) for columns in (form.judgement_basis, form.familiarity))
        for person, a, s in zip(one.people, ca, cs, strict=True):
            cells = [None if np.isnan(v) else float(v) for v in (a, s, (a + s) / 2)]
            report.row(cls.authority, round=one.name, expert=person, ca=cells[0], cs=cells[1], cr=cells[2])
        both = ~np.isnan(ca + cs)
        if both.any():
            report.row(cls.authority, round=one.name, expert="平均", ca=ca[both].mean(), cs=cs[both].mean(),
                       cr=(ca[both] + cs[both]).mean() / 2, total=True)  # fmt: skip

    @classmethod
    def _concord(cls, report: Report, form: Any, one: Round) -> float | None:
        whole = one.whole
        m, k = whole.shape
        if m < 3 or not (whole != whole[:, :1]).any():
            report.row(cls.concord, round=one.name, experts=m, k=k)
            report.warn("data.concord", "{round}：评完全部指标的专家少于 3 位，或评分没有差别，协调系数没有计算。",
                        round=one.name)  # fmt: skip
            return None
        w, chi2, df = kendall(whole)
        shuffled = None
        if m < FEW:
            # Shuffling within an expert leaves the ties alone, so W orders as the spread of the rank sums does.
            ranks = stats.rankdata(whole[np.lexsort(whole.T[::-1])], axis=1)
            drawn = form.rng.permuted(np.broadcast_to(ranks, (DRAWS, m, k)), axis=2).sum(axis=1).var(axis=1)
            shuffled = (1 + int((drawn >= ranks.sum(axis=0).var() - 1e-9).sum())) / (DRAWS + 1)
        report.row(cls.concord, round=one.name, experts=m, k=k, w=w, chi2=chi2, df=df, shuffled=shuffled,
                   p=float(stats.chi2.sf(chi2, df)))  # fmt: skip
        if form.round is not None:
            report.row(cls.path, round=one.name, w=w)
        return w

    @classmethod
    def _stability(cls, report: Report, form: Any, rounds: list[Round]) -> int | None:
        """How many items still moved between the last two rounds; None where nobody answered both."""
        last = None
        for before, after in itertools.pairwise(rounds):
            shared = [name for name in before.people if name in after.people]
            a, b = (np.stack([one.scores[one.people.index(name)] for name in shared]) if shared else np.zeros((0, 0))
                    for one in (before, after))  # fmt: skip
            last = 0 if len(shared) > 1 else None
            for j in (j for j in after.asked if j in before.asked and len(shared) > 1):
                column = form.items[j]
                both = ~np.isnan(a[:, j] + b[:, j])
                one, other = _describe(form, before, j), _describe(form, after, j)
                change = {key: other[key] - one[key] for key in ("median", "iqr", "cv")}
                p = _wilcoxon(b[both, j] - a[both, j])
                jumped = p is not None and p < 0.05 and abs(change["median"]) >= 1
                calm = not jumped and abs(change["cv"]) < STEADY
                last = (last or 0) + (not calm)
                report.row(
                    cls.stable, pair=f"{before.name}→{after.name}", item=column.title, n=int(both.sum()), p=p,
                    kappa=_kappa(a[both, j], b[both, j]), verdict="稳定" if calm else "仍在变化", **change,
                )  # fmt: skip
        if not report.rows_of(cls.stable):
            report.skip(cls.stable, "没有两轮都参加的专家，或只有一轮")
        return last


def _mean_of(columns: list[Column], at: Any) -> Floats:
    values = np.stack([column.numbers[at] for column in columns])
    known = ~np.isnan(values)
    n = known.sum(axis=0)
    return np.where(n > 0, np.nansum(values, axis=0) / np.maximum(n, 1), np.nan)


def _describe(form: Any, one: Round, j: int) -> dict[str, Any]:
    x = one.scores[:, j]
    x = x[~np.isnan(x)]
    mean, sd = float(x.mean()), float(x.std(ddof=1))
    q1, median, q3 = quantiles(np.sort(x), [0.25, 0.5, 0.75])
    return {
        "n": len(x), "mean": mean, "sd": sd, "cv": sd / mean if mean > 0 else 0.0, "median": median, "q1": q1, "q3": q3,
        "iqr": q3 - q1, "full": float((x >= form.scale_max).mean()), 
        "ratio": float(x.sum() / (len(x) * form.scale_max)), "agree": float((x >= form.agree_from).mean()),
    }  # fmt: skip


def _verdicts(form: Any, rule: str, columns: list[dict[str, Any]], one: Round) -> list[str]:
    def by(*tests: Any) -> list[str]:
        met = np.array(tests).sum(axis=0)
        return [KEEP if k == len(tests) else DROP if k == 0 else DISCUSS for k in met]

    values = {key: np.round([cells[key] for cells in columns], 12) for key in ("mean", "cv", "full", "agree", "median",
                                                                              "iqr")}  # fmt: skip
    mean_min = 3.5 if form.mean_min is None else form.mean_min
    match rule:
        case "mean_cv":
            return by(values["mean"] >= mean_min, values["cv"] <= (0.25 if form.cv_max is None else form.cv_max))
        case "percent_agreement":
            return by(values["agree"] >= (0.75 if form.agree_percent is None else form.agree_percent))
        case "iqr":
            return by(values["median"] >= mean_min, values["iqr"] <= (1 if form.iqr_max is None else form.iqr_max))
        case "boundary_value":
            cut = {key: v.mean() + sign * v.std(ddof=1) for key, v, sign in (
                ("mean", values["mean"], -1), ("full", values["full"], -1), ("cv", values["cv"], 1))}  # fmt: skip
            return by(values["mean"] >= cut["mean"] - 1e-12, values["full"] >= cut["full"] - 1e-12,
                      values["cv"] <= cut["cv"] + 1e-12)  # fmt: skip
    out = []
    for j, cells in zip(one.asked, columns, strict=True):
        x = np.sort(one.scores[:, j][~np.isnan(one.scores[:, j])])
        low, high = quantiles(x, [0.3, 0.7])
        apart = high - low > 2.35 + 1.5 * abs(5 - (low + high) / 2) + 1e-12
        median = cells["median"]
        out.append(DISCUSS if apart or 3 < median < 7 else KEEP if median >= 7 else DROP)
    return out


def _wilcoxon(d: Floats) -> float | None:
    """Signed ranks without zeros, normal with ties corrected; None where nothing changed."""
    d = np.round(d[np.abs(d) > 1e-12], 12)
    if len(d) == 0:
        return None
    ranks = stats.rankdata(np.abs(d))
    _, ties = np.unique(ranks, return_counts=True)
    n = len(d)
    v = float(ranks[d > 0].sum())
    spread = n * (n + 1) * (2 * n + 1) / 24 - float((ties**3 - ties).sum()) / 48
    return float(2 * stats.norm.sf(abs(v - n * (n + 1) / 4) / np.sqrt(spread)))


def _kappa(a: Floats, b: Floats) -> float | None:
    """Quadratic weights: 1 − mean squared difference over what chance gives."""
    chance = float(((a[:, None] - b[None, :]) ** 2).mean()) if len(a) else 0.0
    return float(1 - ((a - b) ** 2).mean() / chance) if chance > 0 else None


def _read(form: Any) -> list[Round]:
    x = np.stack([column.numbers for column in form.items], axis=1).astype(float)
    for j, column in enumerate(form.items):
        over = np.flatnonzero(x[:, j] > form.scale_max)
        low = np.flatnonzero(x[:, j] < 0)
        if over.size or low.size:
            row = int(column.row_numbers[(over if over.size else low)[0]])
            word = f"超过满分 {form.scale_max} 的" if over.size else "小于 0 的"
            text_ = f"指标“{column.title}”存在{word}评分（第 {row} 行），请核对评分或满分"
            raise Refusal("data.scale", text_, field="items", column=column.id, row=row)
    for key in ("judgement_basis", "familiarity"):
        for column in getattr(form, key):
            values = column.numbers[~np.isnan(column.numbers)]
            if ((values < 0) | (values > 1)).any():
                raise Refusal("data.share", f"“{column.title}”要在 0 到 1 之间，请核对", field=key, column=column.id)
    if form.rule == "rand_ucla" and form.scale_max != 9:
        raise Refusal("data.rule", "RAND/UCLA 标准只用于 1–9 级评分，请把满分设为 9，或换一条标准", field="rule",
                      remedies=[SetRemedy(title="改用均值与变异系数", set={"rule": "mean_cv"})])  # fmt: skip
    numbers_ = [int(k) for k in form.items[0].row_numbers]
    people = [f"第 {k} 行" for k in numbers_]
    if form.expert is not None:
        people = [people[i] if one is None else str(one) for i, one in enumerate(form.expert.text)]
    if form.round is None:
        groups = [("全部", np.ones(len(x), dtype=bool))]
    else:
        groups = [(str(level.label), form.round.where(level)) for level in form.round.levels]
    if len(groups) > 20:
        raise Refusal(
            "data.rounds", f"轮次变量有 {len(groups)} 个取值，最多 20 轮，请核对是否放错了变量", field="round"
        )
    answered = ~np.isnan(x).all(axis=1)
    out = []
    for name, at in groups:
        rows = np.flatnonzero(at & answered)
        own = [people[k] for k in rows]
        if (again := next((one for one in own if own.count(one) > 1), None)) is not None:
            text_ = f"专家“{again}”在{name}有两份答卷，请留下一份，或核对轮次变量"
            raise Refusal("data.repeated", text_, field="expert" if form.expert is not None else "items")
        if len(rows) < 3:
            text_ = f"至少需要 3 位专家才能计算协调系数，{name}只有 {len(rows)} 位"
            raise Refusal("data.few", text_, field="items")
        asked = [int(j) for j in np.flatnonzero((~np.isnan(x[rows])).sum(axis=0) >= 2)]
        if len(asked) < 2:
            text_ = f"{name}只有 {len(asked)} 个指标有 2 位以上专家评分，至少要 2 个，请筛去这一轮"
            raise Refusal("data.few", text_, field="items")
        out.append(Round(name, own, x[rows], [numbers_[k] for k in rows], asked))
    for j, column in enumerate(form.items):
        if not any(j in one.asked for one in out):
            most = max(int((~np.isnan(one.scores[:, j])).sum()) for one in out)
            text_ = f"指标“{column.title}”在{out[0].name}只有 {most} 位专家评分，请移去它"
            if len(out) > 1:
                text_ = f"指标“{column.title}”在每一轮都最多 {most} 位专家评分，请移去它"
            raise Refusal("data.few", text_, field="items", column=column.id)
    return out


def _tell_unasked(report: Report, form: Any, rounds: list[Round]) -> None:
    for one in rounds:
        left = [column for j, column in enumerate(form.items) if j not in one.asked]
        if left:
            names = "、".join(column.title for column in left)
            report.warn("data.unasked", "{round}里不到 2 位专家评分的指标，这一轮没有计入：{names}。", columns=left,
                        round=one.name, names=names)  # fmt: skip


def _words(
    report: Report, form: Any, rounds: list[Round], last: list[str], ws: list[float | None], moved: int | None
) -> None:
    """`last`: of each item, by the last round that asked it."""
    w = ws[-1]
    facts: dict[str, Any] = {
        "round": rounds[-1].name, "n": len(rounds[-1].rows), "k": len(last), "keep": last.count(KEEP),
        "discuss": last.count(DISCUSS), "drop": last.count(DROP), "w": w,
    }  # fmt: skip
    lead = "{k:integer} 个指标里 {keep:integer} 个保留，{discuss:integer} 个要讨论或修改，{drop:integer} 个删除。"
    lead += "" if w is None else "协调系数 W = {w:num}。"
    report.lead(lead, [] if w is None else [figure("Kendall W", "{w:num}", "{n:integer} 位专家")], **facts)
    if w is not None:
        strength = "较好" if w >= 0.5 else "一般" if w >= 0.3 else "较低"
        state = "pass" if w >= 0.3 else "care"
        report.check("专家协调程度", state, f"W = {{w:num}}，协调程度{strength}。p 显著只说明不是随机，要看 W 的大小。",  # type: ignore[arg-type]
                     w=w)  # fmt: skip
    if facts["n"] < FEW:
        report.check("专家人数", "care", "只有 {n:integer} 位专家，χ² 近似不可靠，协调系数请看置换 p。", n=facts["n"])
    else:
        report.check("专家人数", "pass", "{n:integer} 位专家，不少于 7 位。", n=facts["n"])
    if moved:
        report.check("意见稳定", "care", "最近两轮之间有 {moved:integer} 个指标的意见仍在变化。", moved=moved)
    elif moved == 0:
        report.check("意见稳定", "pass", "最近两轮之间各指标的意见都已稳定。")
    everything = len(rounds[-1].asked) == len(form.items)
    scored = "位专家的评分" if everything else "位专家评分后，各指标取最后一次评分的那一轮，"
    report.say(
        f"{{round}} {{n:integer}} {scored}按“{RULES[form.rule]}”筛选，保留 {{keep:integer}} 个指标，"
        "讨论或修改 {discuss:integer} 个，删除 {drop:integer} 个。", voice="paper", **facts,
    )  # fmt: skip
    report.say("筛选标准要在第一轮之前定好。看到结果再改标准，结论就不可信。", voice="student")
