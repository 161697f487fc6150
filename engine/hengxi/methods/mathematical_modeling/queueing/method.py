from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Silent,
    Table,
    choice,
    figure,
    filled,
    integer,
    interval,
    num,
    number,
    percent,
    pvalue,
    role,
    text,
)
from hengxi.methods.mathematical_modeling._shared.grid import Floats
from hengxi.methods.mathematical_modeling._shared.queues import (
    BATCHES,
    Run,
    Steady,
    birth_death,
    measured,
    pollaczek,
    simulate,
    simulate_source,
)

MODELS = {"mmc": "M/M/c", "mm1": "M/M/1", "mmck": "M/M/c/K", "source": "M/M/c 有限源", "mg1": "M/G/1", "md1": "M/D/1",
          "ggc": "G/G/c（模拟）"}  # fmt: skip
SEVERAL = {"model": ("mmc", "mmck", "source", "ggc")}
LIMITED = {"model": ("mmck", "source")}
BIRTHS = {"model": ("mm1", "mmc", "mmck", "source")}
COSTED = {"wait_cost": filled, "server_cost": filled}
TOO_FEW, SHOWN, DRAWN, MORE, FEW_DATA = 1000, 60, 400, 10, 20
LABELS = {"use": "服务台利用率 ρ", "l": "平均人数 L", "lq": "平均排队人数 Lq", "w": "平均逗留时间 W",
          "wq": "平均等待时间 Wq", "wait": "需要等待的概率"}  # fmt: skip


class Queueing(Method):
    """Lengths and waits of a service system by formula and by simulation, and how many servers cost least."""

    title, title_en = "排队论与排队模拟", "Queueing models and simulation"
    slug, tier = "queueing", "member"
    family = "数学建模"
    purpose = "计算或模拟服务系统的队长、等待时间与服务台利用率"
    aliases = ("排队", "M/M/1", "M/M/c", "服务台", "等待时间", "叫号", "Little 公式")
    references = ("kleinrock1975", "little1961", "lindley1952", "hillier2015")
    conventions = (
        "M/M/c 一类由生灭过程的平稳分布计算；M/G/1、M/D/1 用 Pollaczek-Khinchine 公式；W、Wq 由 Little 公式得到。",
        "有损失时，λ 取实际进入的到达率，等待的概率只算进入系统的顾客；有限源的 λ 是每个顾客的到达率。",
        "模拟先到先服务；去掉前 10% 的顾客（预热），其余分 20 批，用批均值法求 95%CI。",
        "M/G/1 的服务时间在模拟里取伽马分布（有数据时从数据里抽取）；G/G/c 从数据里抽取，没有数据时取指数分布。",
        "数据检验：卡方用等概率的组（每组期望不少于 5），自由度是组数 − 2；K-S 的 D 只作参考，均值是估计的。",
    )
    needs_data = "optional"
    missing = "keep"
    row_order = True
    random = True

    class Input(Form):
        arrival: Column | None = role("到达间隔数据（选填）", "定量")
        service: Column | None = role("服务时间数据（选填）", "定量")
        model: str = choice("模型", MODELS)
        lam: float = number("到达率 λ", 2.0, above=0, most=1e6, hint="单位时间到几个；有到达间隔数据时由数据估计")
        mu: float = number("服务率 μ", 3.0, above=0, most=1e6, hint="一个服务台单位时间能服务几个")
        c: int | None = integer("服务台数", 1, least=1, most=500, when=SEVERAL)
        capacity: int | None = integer("系统容量 K", None, least=1, most=5000, when=LIMITED,
                                       hint="有限源时是顾客总数")  # fmt: skip
        service_sd: float | None = number("服务时间的标准差", None, least=0, most=1e6, when={"model": "mg1"},
                                          hint="有服务时间数据时由数据估计")  # fmt: skip
        sim_customers: int = integer("模拟顾客数", 20000, least=0, most=1_000_000, hint="0 为不模拟")
        wait_cost: float | None = number("每个顾客单位时间的等待成本（选填）", None, least=0, most=1e9)
        server_cost: float | None = number("每个服务台单位时间的成本（选填）", None, least=0, most=1e9)

    measures_ = Table("指标", name=text("指标"), theory=num("理论值", least=0), simulated=num("模拟值", least=0),
                      ci=interval("95%CI", "low", "high", around="simulated"), place="main")  # fmt: skip
    rates = Table("参数", lam=num("到达率 λ", least=0), mu=num("服务率 μ", least=0), servers=integer("服务台数"),
                  offered=num("λ/(cμ)", least=0), layout="record", place="main")  # fmt: skip
    states = Table("系统内人数的概率", n=integer("人数"), p=percent("概率"), below=percent("不超过它的概率"),
                   when=BIRTHS, place="detail")  # fmt: skip
    bars = Points("人数的概率", n=text("人数"), p=percent("概率"), when=BIRTHS)
    plot = Chart("系统内人数的概率", "bar", of=bars, x="n", y="p", when=BIRTHS, place="main")
    costs = Table("服务台数与费用", servers=integer("服务台数"), length=num("平均人数 L", least=0),
                  wait=num("平均等待时间", least=0), cost=num("总费用", least=0), best=text("是否最省"), when=COSTED,
                  place="main")  # fmt: skip
    cost_line = Chart("服务台数与费用", "line", of=costs, x="servers", y="cost", when=COSTED, place="main")
    track = Points("人数随时间", time=num("时间"), n=integer("系统内人数"))
    track_line = Chart("模拟的系统内人数（开头一段）", "line", of=track, x="time", y="n", place="detail")
    bins = Points("等待时间", low=num("从"), high=num("到"), count=integer("人数"))
    histogram = Chart("模拟的等待时间", "histogram", of=bins, low="low", high="high", count="count", place="detail")
    data = Table(
        "数据检验：是否服从指数分布", name=text("数据"), n=integer("个数"), mean=num("均值", least=0),
        sd=num("标准差", least=0), cv=num("变异系数", least=0), d=num("K-S 的 D", least=0, most=1),
        chi2=num("卡方", least=0), df=integer("自由度"), p=pvalue(), place="detail",
        claim=Silent("a check of the model, said in words beside it"),
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        gaps, times = _data(form.arrival, "arrival"), _data(form.service, "service")
        report.used(max(0 if gaps is None else len(gaps), 0 if times is None else len(times)))
        lam = float(form.lam) if gaps is None else 1 / float(gaps.mean())
        mu = float(form.mu) if times is None else 1 / float(times.mean())
        c = int(form.c or 1) if form.model in SEVERAL["model"] else 1
        sd = _sd(form, times)
        limit = int(form.capacity) if form.capacity is not None else None
        if form.model in LIMITED["model"]:
            _limit(form, c, limit)
        rho = lam / (c * mu)
        if rho >= 1e6 or mu > 1e12 or lam > 1e12:
            raise Refusal("data.magnitude", "到达率和服务率相差太大，请换一个时间单位", field="lam")
        report.row(cls.rates, lam=lam, mu=mu, servers=c, offered=rho)
        open_ = form.model not in LIMITED["model"]
        stable = not open_ or rho < 1 - 1e-12
        if not stable and form.sim_customers == 0:
            raise _unstable(rho, c, lam, mu, form.model)
        steady = cls._steady(form, lam, mu, c, limit, sd) if stable else None
        run = cls._simulated(form, lam, mu, c, limit, sd, gaps, times)
        found = None if run is None else measured(run, c)
        cls._measures(report, form, steady, found, run)
        cls._states(report, form, steady)
        cls._pictures(report, run)
        cls._costs(report, form, lam, mu, c, limit)
        cls._checks(report, form, gaps, times)
        _words(report, form, steady, found, rho, c)
        return report

    @classmethod
    def _steady(cls, form: Any, lam: float, mu: float, c: int, limit: int | None, sd: float) -> Steady | None:
        if form.model == "ggc":
            return None
        if form.model in ("mg1", "md1"):
            return pollaczek(lam, mu, sd)
        if form.model == "source":
            size = int(limit or 1)
            return birth_death(lambda n: (size - n) * lam, mu, c, size)
        return birth_death(lambda n: lam, mu, c, limit if form.model == "mmck" else None)

    @classmethod
    def _simulated(
        cls, form: Any, lam: float, mu: float, c: int, limit: int | None, sd: float, gaps: Floats | None,
        times: Floats | None,
    ) -> Run | None:  # fmt: skip
        n = int(form.sim_customers)
        if n == 0:
            return None
        if n < TOO_FEW:
            raise Refusal("data.few", f"模拟顾客数至少 {TOO_FEW}，或填 0 不模拟", field="sim_customers")
        rng = form.rng
        if form.model == "md1":
            services = np.full(n, 1 / mu)
        elif form.model in ("mg1", "ggc") and times is not None:
            services = rng.choice(times, n)
        elif form.model == "mg1" and sd > 0:
            shape = 1 / (mu * sd) ** 2
            services = rng.gamma(shape, 1 / (mu * shape), n)
        elif form.model == "mg1":
            services = np.full(n, 1 / mu)
        else:
            services = rng.exponential(1 / mu, n)
        if form.model == "source":
            return simulate_source(rng, lam, services, c, int(limit or 1))
        drawn = rng.choice(gaps, n) if form.model == "ggc" and gaps is not None else rng.exponential(1 / lam, n)
        return simulate(drawn, services, c, limit if form.model == "mmck" else None)

    # ---- tables --------------------------------------------------------------------------------------------------
    @classmethod
    def _measures(
        cls, report: Report, form: Any, steady: Steady | None, found: dict[str, Any] | None, run: Run | None
    ) -> None:
        rows: list[tuple[str, str, float | None]] = [
            (key, label, None if steady is None else float(getattr(steady, key))) for key, label in LABELS.items()
        ]  # fmt: skip
        for key, label, theory in rows:
            value = None if found is None else found[key]
            own = {} if value is None else {"simulated": max(0.0, value[0]), "low": value[1], "high": value[2]}
            report.row(cls.measures_, name=label, theory=theory, **own)
        if steady is not None:
            report.row(cls.measures_, name="空闲的概率 P0", theory=steady.p0)
            if form.model == "mmck":
                lost = None if run is None else run.lost / run.asked
                report.row(cls.measures_, name="损失率", theory=steady.loss, simulated=lost)
            if form.model in LIMITED["model"]:
                report.row(cls.measures_, name="实际进入的到达率", theory=steady.entering)
        notes = []
        if steady is None:
            notes.append("没有理论值。")
        if found is None:
            notes.append("没有模拟。")
        else:
            notes.append("P0、损失率和到达率没有求区间。" if steady is not None else "")
        if any(notes):
            report.note(cls.measures_, "".join(notes))

    @classmethod
    def _states(cls, report: Report, form: Any, steady: Steady | None) -> None:
        if form.model not in BIRTHS["model"]:
            return
        if steady is None or steady.states is None:
            for element in (cls.states, cls.bars):
                report.skip(element, "没有稳态")
            return
        below = np.cumsum(steady.states)
        last = min(len(below), SHOWN, int(np.searchsorted(below, 0.9999)) + 1)
        for n in range(last):
            report.row(cls.states, n=n, p=float(steady.states[n]), below=min(1.0, float(below[n])))
            report.row(cls.bars, n=str(n), p=float(steady.states[n]))
        if last < len(below):
            report.note(cls.states, "概率很小的人数没有列出。")

    @classmethod
    def _pictures(cls, report: Report, run: Run | None) -> None:
        if run is None or len(run.arrival) < 2:
            for element in (cls.track, cls.bins):
                report.skip(element, "没有模拟")
            return
        left = np.sort((run.arrival + run.stay)[:DRAWN])
        moments = np.sort(np.r_[run.arrival[:DRAWN], left[left <= run.arrival[min(DRAWN, len(run.arrival)) - 1]]])
        n = np.searchsorted(run.arrival[:DRAWN], moments, side="right") - np.searchsorted(left, moments, side="right")
        report.add_rows(cls.track, {"time": moments, "n": np.maximum(n, 0)})
        count, edges = np.histogram(run.wait[int(0.1 * len(run.wait)) :], bins=30)
        report.add_rows(cls.bins, {"low": edges[:-1], "high": edges[1:], "count": count})

    @classmethod
    def _costs(cls, report: Report, form: Any, lam: float, mu: float, c: int, limit: int | None) -> None:
        if form.wait_cost is None or form.server_cost is None:
            return
        if form.model not in ("mm1", "mmc", "mmck"):
            report.skip(cls.costs, "只对 M/M/1、M/M/c、M/M/c/K 给出")
            return
        first = 1 if form.model == "mmck" else int(np.floor(lam / mu)) + 1
        rows = []
        for servers in range(first, first + MORE):
            if form.model == "mmck" and servers > int(limit or 1):
                break
            one = birth_death(lambda n: lam, mu, servers, limit if form.model == "mmck" else None)
            rows.append((servers, one.l, one.wq, form.wait_cost * one.l + form.server_cost * servers))
        best = min(range(len(rows)), key=lambda k: rows[k][3])
        for k, (servers, length, wait, cost) in enumerate(rows):
            report.row(cls.costs, servers=servers, length=length, wait=wait, cost=cost, best="是" if k == best else "")
        report.note(cls.costs, "总费用 = 等待成本 × 平均人数 + 服务台成本 × 服务台数。"
                    + ("没有算损失的顾客。" if form.model == "mmck" else ""))  # fmt: skip
        report.say("{k:integer} 个服务台最省，单位时间总费用 {x:num}。", k=rows[best][0], x=rows[best][3])

    @classmethod
    def _checks(cls, report: Report, form: Any, gaps: Floats | None, times: Floats | None) -> None:
        from scipy import stats

        shown = False
        for name, values, needed in (("到达间隔", gaps, form.model != "ggc"),
                                     ("服务时间", times, form.model in BIRTHS["model"])):  # fmt: skip
            if values is None:
                continue
            shown = True
            n, mean, sd = len(values), float(values.mean()), float(values.std(ddof=1))
            ordered = np.sort(values)
            cdf = 1 - np.exp(-ordered / mean)
            d = float(max((np.arange(1, n + 1) / n - cdf).max(), (cdf - np.arange(n) / n).max()))
            k = min(20, n // 5)
            edges = -mean * np.log(1 - np.arange(1, k) / k)
            counts = np.bincount(np.searchsorted(edges, values, side="left"), minlength=k)
            chi2 = float(((counts - n / k) ** 2 / (n / k)).sum())
            p = float(stats.chi2.sf(chi2, k - 2))
            report.row(cls.data, name=name, n=n, mean=mean, sd=sd, cv=sd / mean, d=d, chi2=chi2, df=k - 2, p=p)
            if not needed:
                continue
            if p < 0.05:
                text_ = f"{name}不像指数分布（*p* {{p:peq}}，变异系数 {{v:num}}），请考虑 M/G/1 或 G/G/c。"
                report.check(name, "care", text_, p=p, v=sd / mean)
            else:
                report.check(name, "pass", f"{name}没有发现与指数分布不符（*p* {{p:peq}}）。", p=p)
        if not shown:
            report.skip(cls.data, "没有放入数据")


# ---- reading -----------------------------------------------------------------------------------------------------
def _data(column: Column | None, key: str) -> Floats | None:
    if column is None:
        return None
    values = column.numbers[np.isfinite(column.numbers)]
    if len(values) < FEW_DATA:
        raise Refusal("data.few", f"“{{v}}”至少要 {FEW_DATA} 个数，现有 {{n}} 个", field=key, column=column.id,
                      v=column.title, n=len(values))  # fmt: skip
    if (values < 0).any() or not 1e-9 < float(values.mean()) < 1e9:
        text_ = "“{v}”里的时间不能为负，平均要大于 0，也不能太大或太小"
        raise Refusal("data.negative", text_, field=key, column=column.id, v=column.title)
    return np.asarray(values, dtype=float)


def _sd(form: Any, times: Floats | None) -> float:
    if form.model != "mg1":
        return 0.0
    if times is not None:
        return float(times.std(ddof=1))
    if form.service_sd is None:
        text_ = "M/G/1 要知道服务时间的标准差：请填写，或放入服务时间数据"
        raise Refusal("data.sd", text_, field="service_sd", also=["service"])
    return float(form.service_sd)


def _limit(form: Any, c: int, limit: int | None) -> None:
    if limit is None:
        word = "顾客总数" if form.model == "source" else "系统容量"
        raise Refusal("data.capacity", f"请在“系统容量 K”填写{word}", field="capacity")
    if limit < c and form.model == "mmck":
        text_ = f"系统容量 {limit} 不能小于服务台数 {c}，请改正"
        raise Refusal("data.capacity", text_, field="capacity", also=["c"])


def _unstable(rho: float, c: int, lam: float, mu: float, model: str) -> Refusal:
    needed = int(np.floor(lam / mu)) + 1
    ways = [SetRemedy(title=f"改用 {needed} 个服务台", set={"model": "mmc", "c": needed})] if needed <= 500 else []
    text_ = f"ρ={rho:.4g}≥1，系统没有稳态，请增加服务台（至少 {needed} 个）或提高服务率"
    return Refusal("data.unstable", text_, field="c" if model in SEVERAL["model"] else "mu", remedies=ways)


def _words(report: Report, form: Any, steady: Steady | None, found: dict[str, Any] | None, rho: float, c: int) -> None:
    if steady is not None:
        facts: dict[str, Any] = {"wq": steady.wq, "lq": steady.lq, "u": steady.use}
    elif found is not None:
        facts = {"wq": max(0.0, found["wq"][0]), "lq": max(0.0, found["lq"][0]), "u": max(0.0, found["use"][0])}
    else:
        raise Refusal("data.few", "G/G/c 要靠模拟，请填写模拟顾客数", field="sim_customers")
    unstable = form.model not in LIMITED["model"] and rho >= 1 - 1e-12
    if unstable:
        report.lead("系统没有稳态，队会越排越长；模拟的这段时间里平均等待 {wq:num}。",
                    [figure("平均等待", "{wq:num}", "仅这段模拟")], wq=facts["wq"])  # fmt: skip
        text_ = "到达率不小于服务能力（ρ = {r:num}），结果随模拟的长短而变，只作瞬态参考。"
        report.check("稳态", "fail", text_, r=rho)
    else:
        lead = "平均等待 {wq:num}，平均有 {lq:num} 人排队，服务台利用率 {u:num}。"
        report.lead(lead, [figure("平均等待", "{wq:num}"), figure("利用率", "{u:num}")], **facts)
        report.check("稳态", "pass", "系统有稳态。" if form.model not in LIMITED["model"] else "容量有限，总有稳态。")
    if steady is not None and found is not None:
        low, high = found["wq"][1], found["wq"][2]
        if low <= steady.wq <= high:
            report.check("理论与模拟", "pass", "平均等待的理论值在模拟的 95% CI 里。")
        else:
            report.check("理论与模拟", "care", "平均等待的理论值在模拟的 95% CI 外，请加大模拟顾客数再看。")
    if facts["u"] > 0.9 and not unstable:
        report.say("利用率超过 0.9，到达稍有增加，等待就会大幅变长。", voice="student")
    report.say(
        f"按 {MODELS[form.model]}模型分析，服务台利用率 {{u:num}}，平均排队人数 {{lq:num}}，平均等待时间 {{wq:num}}。",
        voice="paper", **facts,
    )  # fmt: skip
    if found is not None:
        report.say(f"模拟 {{n:integer}} 位顾客，去掉前 10% 后分 {BATCHES} 批求区间。", n=int(form.sim_customers))
