"""Which frequencies a series holds, and when: Fourier, Welch, short-time, wavelets, Hilbert."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Points,
    Processing,
    Refusal,
    Report,
    StepRemedy,
    Table,
    choice,
    few_of,
    figure,
    flag,
    integer,
    num,
    number,
    percent,
    role,
    text,
)
from hengxi.contract.calendar import FREQUENCIES, days_of, detect, regular
from hengxi.methods.data_processing._shared import spectra
from hengxi.methods.data_processing._shared.in_time import InTime, in_time, spacing, thin, times_of
from hengxi.methods.data_processing._shared.rows import bounded, tell
from hengxi.methods.data_processing._shared.spectra import Spectrum

Floats = npt.NDArray[np.float64]
METHODS = {"fft": "傅里叶", "welch": "Welch功率谱", "stft": "短时傅里叶", "dwt": "离散小波", "cwt": "连续小波",
           "hilbert": "希尔伯特"}  # fmt: skip
WINDOWED = ("fft", "welch", "stft")
SPECTRAL = ("fft", "welch", "stft", "cwt")
PEAKS = 5
LEAST = {"fft": 4, "welch": 8, "stft": 8, "cwt": 16, "hilbert": 4, "dwt": 2}
LONGEST = {"cwt": 200_000}
HEAT = 60


@dataclass
class Sampled:
    """A series without gaps. `unit`: what a frequency is counted by."""

    x: Floats
    fs: float
    unit: str


class SignalTransform(Processing):
    """Spectra make a new table, one row a frequency; wavelets and Hilbert give new variables beside the old ones."""

    title, title_en = "信号变换（FFT/小波）", "Fourier and wavelet transform"
    family, tier = "数据处理", "member"
    purpose = "提取序列的频率或时频特征"
    aliases = ("FFT", "傅里叶变换", "频谱", "功率谱", "小波", "希尔伯特", "STFT", "spectrum", "wavelet")
    references = ("welch1967", "torrence1998", "daubechies1992")
    conventions = (
        "采样率：有时间变量时由时间间隔得到，否则用填写的值。月、季、年等日历时间按期计，频率是每期的周期数。",
        "幅值 = 2|X|/Σw（0 和奈奎斯特频率不乘 2），幅值为 a 的正弦在谱上高 a；不补零，频率间隔 = 采样率 ÷ 长度。",
        "相位是余弦在第一个值处的相位（弧度）；窗用周期形式。Welch 和短时傅里叶各段重叠一半，末尾不足一段的不用。",
        "连续小波用 Morlet（ω₀ = 6），每个倍频程 8 个尺度，补零到 2 的幂；表中是各尺度的平均功率。",
        "离散小波用对称延拓；新变量是各层重构的分量，相加等于原序列（去均值后）。能量按系数的平方和计算。",
        "希尔伯特给出包络、瞬时相位和瞬时频率；只含一个频率时瞬时频率才有明确含义。",
    )
    row_order = True
    reads_names = True

    class Input(Form):
        variables: list[Column] = role("处理变量", "定量", max=20)
        time: Column | None = role("时间变量（选填）", "任意", min=0)
        method: str = choice("变换", METHODS)
        fs: float | None = number("采样率", None, least=1e-6, most=1e9, auto="由时间变量得到，没有时为 1")
        window: str = choice(
            "窗函数", {"hann": "汉宁", "boxcar": "矩形", "hamming": "汉明", "blackman": "布莱克曼"},
            when={"method": WINDOWED},
        )  # fmt: skip
        segment: int = integer("每段长度", 256, least=8, most=65536, when={"method": ("welch", "stft")})
        wavelet: str = choice(
            "小波基", {"db4": "db4", "haar": "haar", "sym5": "sym5", "coif3": "coif3"}, when={"method": "dwt"}
        )
        level: int = integer("分解层数", 1, least=1, most=12, when={"method": "dwt"})
        detrend: bool = flag("先去均值", True)

    peaks = Table(
        "主频", variable=text("变量"), rank=text("次序"), frequency=num("频率"), period=num("周期"),
        height=num("幅值或功率"), phase=num("相位"), when={"method": SPECTRAL},
    )  # fmt: skip
    energy = Table(
        "各层能量", variable=text("变量"), part=text("分量"), n=integer("系数个数"), energy=num("能量", least=0),
        share=percent("占比", sums_within=("variable",)), when={"method": "dwt"}, merge=("variable",),
    )  # fmt: skip
    analytic = Table(
        "希尔伯特结果", variable=text("变量"), envelope=num("平均包络"), middle=num("瞬时频率中位数"),
        lowest=num("第5百分位"), highest=num("第95百分位"), when={"method": "hilbert"},
    )  # fmt: skip
    series = Table(
        "序列", variable=text("变量"), n=integer("长度"), fs=num("采样率"), step=num("频率间隔"), place="detail"
    )
    spectrum_points = Points("频谱图", frequency=num("频率"), height=num("幅值或功率"), series=text("变量"),
                             when={"method": SPECTRAL})  # fmt: skip
    spectrum = Chart("频谱图", "line", of=spectrum_points, x="frequency", y="height", series="series",
                     when={"method": SPECTRAL})  # fmt: skip
    heat_points = Points("时频图", time=text("时间"), frequency=text("频率"), value=num("幅值或功率"),
                         when={"method": ("stft", "cwt")})  # fmt: skip
    heat = Chart("时频图", "heat", of=heat_points, row="frequency", column="time", value="value",
                 when={"method": ("stft", "cwt")})  # fmt: skip
    part_points = Points("分量图", step=integer("次序"), value=num("取值"), part=text("分量"),
                         when={"method": ("dwt", "hilbert")})  # fmt: skip
    part_lines = Chart("分量图", "line", of=part_points, x="step", y="value", facet="part",
                       when={"method": ("dwt", "hilbert")})  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        way = METHODS[form.method] + ("" if form.method == "welch" else "变换")
        return f"{few_of([column.title for column in form.variables])}的{way}"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        found = in_time(form.time, [], len(form.variables[0]))
        found.told(report, form.time)
        sampled = [_sampled(column, found, form) for column in form.variables]
        facts: dict[str, Any] = {
            "all": few_of([column.title for column in form.variables]),
            "n": len(found.order),
            "way": METHODS[form.method],
            "fs": sampled[0].fs,
        }
        for column, one in zip(form.variables, sampled, strict=True):
            report.row(cls.series, variable=column.title, n=len(one.x), fs=one.fs, step=one.fs / len(one.x))
        way = "求{way}" if form.method == "welch" else "做{way}变换"
        lead = f"{{all}}{way}，{{n:integer}} 个值，采样率 {{fs:num}}。"
        match form.method:
            case "dwt":
                cls._wavelet(report, form, found, sampled)
            case "hilbert":
                cls._hilbert(report, form, found, sampled)
            case _:
                facts |= cls._spectra(report, form, sampled)
                lead += f"“{{v}}”最强的频率是 {{f:num}}{sampled[0].unit}，周期 {{period:num}}。"
        student = {
            "fft": "峰的位置是频率，峰的高度是振幅；高度与噪声相近的峰不可靠。",
            "welch": "分段平均后谱更平滑，适合看宽的峰；频率分得没有傅里叶细。",
            "stft": "时频图横轴是时间，纵轴是频率，颜色深的地方这个频率强。",
            "cwt": "低频看得细，高频看得快；两端受补零影响，不要解读。",
            "dwt": "分量从低频到高频排列，相加等于原序列。",
            "hilbert": "包络是振幅随时间的变化，瞬时频率只对单一频率的信号有意义。",
        }[form.method]
        tell(report, lead, student, [figure("长度", "{n:integer}", "采样率 {fs:num}")], **facts)
        return report

    @classmethod
    def _spectra(cls, report: Report, form: Any, sampled: list[Sampled]) -> dict[str, Any]:
        made: dict[str, Floats] = {}
        first: dict[str, Any] = {}
        for column, one in zip(form.variables, sampled, strict=True):
            spectrum, rows = cls._one(report, form, column, one, not made)
            for name, cells in rows.items():
                made.setdefault(name, cells)
            for rank, place in enumerate(spectra.peaks(spectrum, PEAKS).tolist(), 1):
                frequency = float(spectrum.frequency[place])
                report.row(
                    cls.peaks, variable=column.title, rank=str(rank), frequency=frequency, period=1 / frequency,
                    height=spectrum.height[place], phase=None if spectrum.phase is None else spectrum.phase[place],
                )  # fmt: skip
                if not first:
                    first = {"v": column.title, "f": frequency, "period": 1 / frequency}
            cls._draw(report, column.title, spectrum)
        if not first:
            text_ = f"“{form.variables[0].title}”没有高于噪声的频率"
            raise Refusal("signal.flat", text_, field="variables", column=form.variables[0].id)
        rows_made = len(next(iter(made.values())))
        bounded(rows_made)
        report.reshape(rows_made)
        for name, cells in made.items():
            report.make(name, cells, measure="定量")
        report.only([])
        return first

    @classmethod
    def _one(
        cls, report: Report, form: Any, column: Column, one: Sampled, is_first: bool
    ) -> tuple[Spectrum, dict[str, Floats]]:
        """The spectrum, and the columns of the new table."""
        name = column.name
        match form.method:
            case "fft":
                found = spectra.amplitudes(one.x, one.fs, form.window)
                assert found.phase is not None
                return found, {"频率": found.frequency, f"{name}_幅值": found.height, f"{name}_相位": found.phase}
            case "welch":
                size = min(form.segment, len(one.x))
                found = spectra.welch(one.x, one.fs, form.window, size, form.detrend)
                return found, {"频率": found.frequency, f"{name}_功率密度": found.height}
            case "stft":
                size = min(form.segment, len(one.x))
                at, frequency, heights = spectra.short_time(one.x, one.fs, form.window, size, form.detrend)
                bounded(heights.size)
                if is_first:
                    cls._heat(report, at, frequency, heights.T)
                table = {
                    "时间": np.repeat(at, len(frequency)),
                    "频率": np.tile(frequency, len(at)),
                    f"{name}_幅值": heights.ravel(),
                }
                return Spectrum(frequency, heights.mean(axis=0)), table
            case _:
                cycles, powers = spectra.morlet(one.x, spectra.morlet_scales(len(one.x)))
                frequency, mean = cycles * one.fs, np.array([power.mean() for power in powers])
                if is_first:
                    places = thin(one.x, HEAT)
                    values = np.array([power[places] for power in powers])
                    cls._heat(report, places / one.fs, frequency, values)
                # Frequencies rise along the spectrum as in the others; the lowest stands in place of frequency 0.
                back = Spectrum(np.concatenate([[0.0], frequency[::-1]]), np.concatenate([[0.0], mean[::-1]]))
                return back, {"频率": frequency, "周期": 1 / frequency, f"{name}_平均功率": mean}

    @classmethod
    def _heat(cls, report: Report, at: Floats, frequency: Floats, values: Floats) -> None:
        rows, columns = thin(frequency, HEAT), thin(at, HEAT)
        order = rows[np.argsort(frequency[rows])][::-1]
        for j in columns.tolist():
            report.add_rows(cls.heat_points, {
                "time": [f"{at[j]:.4g}"] * len(order), "frequency": [f"{frequency[i]:.4g}" for i in order],
                "value": values[order, j],
            })  # fmt: skip

    @classmethod
    def _draw(cls, report: Report, title: str, spectrum: Spectrum) -> None:
        """At most 300 points a variable: of each stretch of frequencies the highest, so that no peak is lost."""
        n = len(spectrum.height) - 1
        edges = np.unique(np.linspace(1, n + 1, min(n, 300) + 1).astype(np.int64))
        places = np.array([a + int(np.argmax(spectrum.height[a:b])) for a, b in pairwise(edges.tolist())])
        report.add_rows(cls.spectrum_points, {
            "frequency": spectrum.frequency[places], "height": spectrum.height[places], "series": [title] * len(places),
        })  # fmt: skip

    @classmethod
    def _wavelet(cls, report: Report, form: Any, found: InTime, sampled: list[Sampled]) -> None:
        import pywt

        wavelet = pywt.Wavelet(form.wavelet)
        n = len(sampled[0].x)
        most = pywt.dwt_max_level(n, wavelet.dec_len)
        if form.level > most:
            text_ = f"序列长度 {n} 不足以做 {form.level} 层分解（最多 {most} 层）"
            raise Refusal("signal.level", text_, field="level")
        names = [f"A{form.level}", *(f"D{k}" for k in range(form.level, 0, -1))]
        for k, (column, one) in enumerate(zip(form.variables, sampled, strict=True)):
            coefficients = pywt.wavedec(one.x, wavelet, mode="symmetric", level=form.level)
            total = sum(float(c @ c) for c in coefficients)
            for i, (part, own) in enumerate(zip(names, coefficients, strict=True)):
                alone = [c if j == i else np.zeros_like(c) for j, c in enumerate(coefficients)]
                cells = pywt.waverec(alone, wavelet, mode="symmetric")[:n]
                report.make(f"{column.name}_{part}", found.back(cells), measure="定量", source=column)
                report.row(cls.energy, variable=column.title, part=part, n=len(own), energy=float(own @ own),
                           share=float(own @ own) / total)  # fmt: skip
                if k == 0:
                    _part(report, cls.part_points, part, cells)

    @classmethod
    def _hilbert(cls, report: Report, form: Any, found: InTime, sampled: list[Sampled]) -> None:
        for k, (column, one) in enumerate(zip(form.variables, sampled, strict=True)):
            size, phase, frequency = spectra.envelope(one.x, one.fs)
            for title, cells in (("包络", size), ("瞬时相位", phase), ("瞬时频率", frequency)):
                report.make(f"{column.name}_{title}", found.back(cells), measure="定量", source=column)
                if k == 0:
                    _part(report, cls.part_points, title, cells)
            known = frequency[1:]
            low, middle, high = np.quantile(known, [0.05, 0.5, 0.95])
            report.row(
                cls.analytic, variable=column.title, envelope=size.mean(), middle=middle, lowest=low, highest=high
            )


def _part(report: Report, table: Points, part: str, cells: Floats) -> None:
    places = thin(cells, 140)
    places = places[~np.isnan(cells[places])]
    report.add_rows(table, {"step": places + 1, "value": cells[places], "part": [part] * len(places)})


def _sampled(column: Column, found: InTime, form: Any) -> Sampled:
    cells = column.numbers[found.order]
    gaps = int(np.isnan(cells).sum())
    if gaps:
        text_ = f"“{column.title}”含缺失值（{gaps:,} 个），请先填补"
        remedy = StepRemedy(title="填补缺失", step="data_processing/missing_value", columns=[column.id])
        raise Refusal("signal.gaps", text_, field="variables", column=column.id, remedies=[remedy])
    n, most = len(cells), LONGEST.get(form.method, 5_000_000)
    if n < LEAST[form.method] or n > most:
        text_ = f"“{column.title}”有 {n:,} 个值，{METHODS[form.method]}要 {LEAST[form.method]} 到 {most:,} 个"
        raise Refusal("signal.length", text_, field="variables", column=column.id)
    if float(np.abs(cells).max()) > 1e100 or 0 < float(np.ptp(cells)) < 1e-100:
        text_ = f"“{column.title}”的数值太大或太小，请换一个单位"
        raise Refusal("signal.magnitude", text_, field="variables", column=column.id)
    if not np.ptp(cells) > 0:
        raise Refusal(
            "data.constant",
            f"“{column.title}”每个值都相同，没有频率可提取，请移去这个变量",
            field="variables",
            column=column.id,
        )
    rate, unit = _rate(found, form)
    return Sampled(cells - cells.mean() if form.detrend else cells, rate, unit)


def _rate(found: InTime, form: Any) -> tuple[float, str]:
    """The sampling rate; calendar periods are even whatever their days. Refuses uneven times."""
    if form.time is None:
        return (1.0 if form.fs is None else form.fs), ""
    days, is_date = days_of(found.at, times_of(form.time)[1])
    remedy = StepRemedy(title="重采样", step="data_processing/resample_time", columns=[form.time.id])
    uneven = Refusal("signal.uneven", f"“{form.time.title}”的时间间隔不等，请先重采样", field="time",
                     column=form.time.id, remedies=[remedy])  # fmt: skip
    if is_date:
        calendar = regular(days, detect(days, True))
        if bool((np.diff(calendar.places(days)) != 1).any()):
            raise uneven
        rate = 1.0 / calendar.step
        return (
            rate if form.fs is None else form.fs
        ), f"（每{FREQUENCIES[calendar.frequency]}）" if form.fs is None else ""
    usual, off = spacing(found)
    if off > 1e-3:
        raise uneven
    return (1 / usual if form.fs is None else form.fs), ""
