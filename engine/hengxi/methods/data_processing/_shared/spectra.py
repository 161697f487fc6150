"""Spectra of evenly spaced values: amplitudes, power densities, short-time spectra, wavelets. Frequencies per unit of
the sampling rate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.signal import get_window, hilbert

Floats = npt.NDArray[np.float64]
OMEGA = 6.0
"""Waves of the Morlet wavelet under its envelope, as in Torrence & Compo (1998)."""


@dataclass
class Spectrum:
    """`height`: amplitude or power of each frequency; `phase` in radians, of a cosine at the first value."""

    frequency: Floats
    height: Floats
    phase: Floats | None = None


def weights(name: str, n: int) -> Floats:
    """A periodic window, for spectra."""
    found: Floats = get_window(name, n)
    return found


def _one_sided(n: int) -> Floats:
    """2 for frequencies that stand for two, 1 for 0 and for half the sampling rate."""
    factor = np.full(n // 2 + 1, 2.0)
    factor[0] = 1.0
    if n % 2 == 0:
        factor[-1] = 1.0
    return factor


def amplitudes(x: Floats, fs: float, window: str) -> Spectrum:
    """2|X|/Σw: a sine of amplitude a has height a whatever the window."""
    w = weights(window, len(x))
    found = np.fft.rfft(x * w)
    frequency: Floats = np.arange(len(found), dtype=np.float64) * (fs / len(x))
    height: Floats = np.asarray(np.abs(found) * _one_sided(len(x)) / w.sum(), dtype=np.float64)
    return Spectrum(frequency, height, np.asarray(np.angle(found), dtype=np.float64))


def frames(x: Floats, size: int) -> Floats:
    """Segments that overlap by half, one a row; what is left at the end belongs to none."""
    found: Floats = np.lib.stride_tricks.sliding_window_view(x, size)[:: size - size // 2]
    return found


def welch(x: Floats, fs: float, window: str, size: int, centre: bool) -> Spectrum:
    """Mean power density of the segments (Welch, 1967): its integral is the mean square of the values."""
    w = weights(window, size)
    parts = frames(x, size)
    parts = parts - parts.mean(axis=1, keepdims=True) if centre else parts
    power = np.abs(np.fft.rfft(parts * w, axis=1)) ** 2 * (_one_sided(size) / (fs * (w**2).sum()))
    return Spectrum(np.arange(power.shape[1]) * (fs / size), power.mean(axis=0))


def short_time(x: Floats, fs: float, window: str, size: int, centre: bool) -> tuple[Floats, Floats, Floats]:
    """Middle of each segment, frequencies, amplitudes (segments × frequencies)."""
    w = weights(window, size)
    parts = frames(x, size)
    parts = parts - parts.mean(axis=1, keepdims=True) if centre else parts
    found = np.abs(np.fft.rfft(parts * w, axis=1)) * (_one_sided(size) / w.sum())
    middle: Floats = (np.arange(len(parts), dtype=np.float64) * (size - size // 2) + (size - 1) / 2) / fs
    return middle, np.arange(found.shape[1]) * (fs / size), found


def morlet_scales(n: int) -> Floats:
    """From two samples to half the series, eight to the octave."""
    octaves = max(int(np.floor(8 * np.log2(max(n / 4, 1)))), 1)
    found: Floats = 2 * 2 ** (np.arange(octaves + 1) / 8)
    return found


def morlet(x: Floats, scales: Floats) -> tuple[Floats, list[Floats]]:
    """Cycles per sample of each scale, and its power |W|² at each sample; padded with zeros to a power of two."""
    n = len(x)
    size = 1 << max(int(np.ceil(np.log2(n))), 1)
    spectrum = np.fft.fft(x, size)
    omega = 2 * np.pi * np.fft.fftfreq(size)
    powers = []
    for scale in scales:
        wave = np.sqrt(2 * np.pi * scale) * np.pi**-0.25 * np.exp(-((scale * omega - OMEGA) ** 2) / 2) * (omega > 0)
        powers.append(np.abs(np.fft.ifft(spectrum * wave)[:n]) ** 2)
    frequency: Floats = (OMEGA + np.sqrt(2 + OMEGA**2)) / (4 * np.pi * scales)
    return frequency, powers


def envelope(x: Floats, fs: float) -> tuple[Floats, Floats, Floats]:
    """Of the analytic signal: envelope, phase in (−π, π], frequency since the value before (the first has none)."""
    analytic = hilbert(x)
    phase = np.angle(analytic)
    step = np.concatenate([[np.nan], np.diff(np.unwrap(phase))])
    return np.abs(analytic), phase, step * fs / (2 * np.pi)


def peaks(spectrum: Spectrum, most: int) -> npt.NDArray[np.int64]:
    """Places of the highest local maxima apart from frequency 0, the highest first."""
    height = spectrum.height
    inner = np.concatenate([[-np.inf], height[1:], [-np.inf]])
    is_peak = (inner[1:-1] >= inner[:-2]) & (inner[1:-1] > inner[2:])
    places = np.flatnonzero(is_peak) + 1
    places = places[places < len(height)]
    places = places[height[places] > 1e-12 * max(float(height.max()), 1e-300)]
    return places[np.argsort(-height[places], kind="stable")][:most]
