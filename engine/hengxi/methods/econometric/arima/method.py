from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hengxi.contract import ColumnInfo, NextStep, Refusal, Report, choice, integer, numbers
from hengxi.families.time_series.arima_model import (
    check_exog,
    check_future,
    fit_chosen,
    fit_fixed,
    read_transform,
)
from hengxi.families.time_series.series import read_series
from hengxi.methods.econometric._shared.arima_method import (
    CONVENTIONS,
    CRITERIA,
    ArimaForm,
    ArimaMethod,
    write_all,
    write_search,
    write_stationarity,
    write_words,
)
from hengxi.stats.arma import Orders

MOST_D = 2


class Arima(ArimaMethod):
    """Exact maximum likelihood of the differenced series; Hyndman and Khandakar's search."""

    title, title_en = "ARIMA模型", "ARIMA"
    purpose = "用历史自身规律预测未来若干期"
    aliases = ("时间序列预测", "自回归移动平均", "Box-Jenkins", "ARMA", "ARIMAX", "自动定阶", "auto.arima")
    references = ("box2015", "hyndman2008", "hyndman2021", "brockwell1991", "kpss1992", "ljung1978")
    conventions = CONVENTIONS

    class Input(ArimaForm):
        order: dict[str, float | None] = numbers(
            "阶数", (1, 1, 1), names=("p", "d", "q"), whole=True, least=0, most=10, when={"auto": False}
        )
        constant: str = choice(
            "常数", {"auto": "自动（d = 0 时有）", "yes": "有", "no": "无"}, when={"auto": False},
            hint="d = 0 时是均值，d = 1 时是漂移，d = 2 时没有",
        )  # fmt: skip
        transform: str = choice("变换", {"none": "无", "log": "对数", "box_cox": "Box-Cox"})
        horizon: int = integer("向后预测期数", 10, least=1, most=500)
        holdout: int | None = integer(
            "留出检验期数", None, least=0, most=200, auto="与预测期数相同，不超过五分之一",
            hint="留下最后几期不用，看预测准不准；0 为不做",
        )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        same = {"y": form["y"], "time": form["time"], "gaps": form["gaps"]}
        again = "econometric/arima"
        return [
            NextStep(title="取对数后再做", method=again, form={**form, "transform": "log"}),
            NextStep(title="留出更多期检验", method=again, form={**same, "horizon": form["horizon"]}, seek=["holdout"]),
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        series = read_series(form, form.exog)
        check_future(form, series)
        check_exog(form, series)
        transform = read_transform(form, series.y)
        if form.holdout is not None and series.n - form.holdout < 8:
            raise Refusal(
                "data.holdout", "留出 {h} 期后只剩 {k} 期，请少留几期", field="holdout", h=form.holdout,
                k=max(0, series.n - form.holdout),
            )  # fmt: skip
        if form.auto:
            model = fit_chosen(form, series, transform)
            chosen = f"阶数按 {CRITERIA[form.ic]} 自动选定"
        else:
            model = fit_fixed(form, series, transform, *cls._orders(form))
            chosen = "阶数由使用者给定"
        series.state(report)
        write_stationarity(report, cls, model, model.z, "原序列" if transform.is_plain else "变换后的序列")
        if form.auto:
            write_search(report, cls, model, form.ic)
        remedy = "请增大 p 或 q；有季节时加入季节项。" if form.auto else "请增大 p 或 q，或改为自动定阶。"
        found, compared, left = write_all(report, cls, model, remedy)
        write_words(report, model, found, compared, left, chosen)
        return report

    @classmethod
    def _orders(cls, form: Any) -> tuple[Orders, bool]:
        p, d, q = (int(form.order[key] or 0) for key in ("p", "d", "q"))
        if d > MOST_D:
            raise Refusal("data.order", "差分次数 d 最多 {most}，现为 {d}", field="order", most=MOST_D, d=d)
        constant = d == 0 if form.constant == "auto" else form.constant == "yes" and d <= 1
        return Orders(p, d, q), constant
