"""A trial with electromyography whose truth is known: bursts at given parts of the cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.emg.norms import norm_shape
from gaitdyn.quality.rules.muscles import emg_of as emg_or_none
from gaitdyn.trial import Result
from gaitdyn.trial.without_model import emg_only_result
from gaitdyn.types.emg import AnalogChannels
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Event, Recording
from gaitdyn.types.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Sequence

RATE, RATIO, STRIDE_S = 100.0, 10, 1.0
M = 4500
"""Samples of a signal."""

SHAPES = {
    "Rect": "rectus_femoris",
    "Hams": "medial_hamstrings",
    "Tib Ant": "anterior_tibialis",
    "Gast": "medial_gastrocnemius",
}
"""Word of a label -> the norm whose shape its envelope has."""


def muscle_noise(m: int, seed: int) -> np.ndarray:
    """Return noise of the band of a muscle, about 40 to 160 Hz, of standard deviation 1."""
    rng = np.random.default_rng(seed)
    spectrum = np.fft.rfft(rng.normal(size=m))
    f = np.fft.rfftfreq(m, 1.0 / (RATE * RATIO))
    found = np.fft.irfft(spectrum * np.exp(-(((f - 90.0) / 45.0) ** 2)), m)
    return found / found.std()


def phase(m: int, first_strike_s: float, first_frame: int) -> np.ndarray:
    """Return the part of the cycle, 0 to 1, of every sample on the clock of the file."""
    t = (first_frame - 1) / RATE + np.arange(m) / (RATE * RATIO)
    return ((t - first_strike_s) / STRIDE_S) % 1.0


def shaped(word: str, at: np.ndarray, seed: int) -> np.ndarray:
    """Return a signal whose envelope has the shape of a norm, well above its rest."""
    shape = norm_shape(SHAPES[word])
    assert shape is not None
    size = np.interp(at, np.linspace(0.0, 1.0, 101), shape.mean)
    size = 0.02 + np.maximum(size - 0.35, 0.0)
    return 1e-4 * size * muscle_noise(len(at), seed)


def burst(at: np.ndarray, start: float, stop: float, seed: int) -> np.ndarray:
    """Return a signal that is on from a part of the cycle to another, and quiet else."""
    on = (at >= start) & (at < stop)
    return 1e-4 * np.where(on, 1.0, 0.01) * muscle_noise(len(at), seed)


def trial(
    signals: dict[str, np.ndarray], first_frame: int = 1, options: Options | None = None
) -> Result:
    """Return a result with events of both feet and the signals under their labels.

    The left foot strikes at 0.2 s after the first frame and then every second; the right one half
    a second later.
    """
    m = len(next(iter(signals.values())))
    n = m // RATIO
    labels = tuple(signals)
    none = ("",) * len(labels)
    analog = AnalogChannels(
        tuple(range(1, len(labels) + 1)), labels, none, ("V",) * len(labels), none,
        (None,) * len(labels), np.array(list(signals.values())),
    )  # fmt: skip
    recording = Recording(
        "walk.c3d", "0" * 64, RATE, RATIO, first_frame, ("A",), np.zeros((n, 1, 3)), {},
        events(n, first_frame), (), Subject(), analog=analog,
    )  # fmt: skip
    return emg_only_result(recording, options or Options(), "no marker model fits")


def events(n: int, first_frame: int) -> tuple[Event, ...]:
    """Return strikes and offs of both feet within n frames."""
    found: list[Event] = []
    begin, end = (first_frame - 1) / RATE, (first_frame + n - 2) / RATE
    for side, delay in (("left", 0.2), ("right", 0.7)):
        strikes = np.arange(begin + delay, end + 1e-9, STRIDE_S)
        found += [Event(float(t), side, "foot_strike") for t in strikes]
        found += [Event(float(t + 0.6), side, "foot_off") for t in strikes if t + 0.6 <= end]
    return tuple(sorted(found))


def leg(side: str, first_frame: int = 1, seconds: float = 4.5) -> dict[str, np.ndarray]:
    """Return four channels of one leg with the shapes of their norms."""
    m = int(seconds * RATE) * RATIO
    delay = {"L": 0.2, "R": 0.7}[side]
    at = phase(m, (first_frame - 1) / RATE + delay, first_frame)
    first = {"L": 10, "R": 20}[side]
    return {f"{side} {word}": shaped(word, at, seed) for seed, word in enumerate(SHAPES, first)}


def status(result: Result, labels: Sequence[str] = ()) -> dict[str, str]:
    """Return label -> status."""
    channels = result.emg().attrs["channels"]
    found = dict(zip(channels["label"], channels["status"], strict=True))
    return {label: found[label] for label in labels} if labels else found


def both(first_frame: int = 1) -> dict[str, np.ndarray]:
    return leg("L", first_frame) | leg("R", first_frame)


def emg_of(result: Any) -> Any:
    """Return the electromyography of a result that has some."""
    found = emg_or_none(result)
    assert found is not None
    return found


def reason(result, label: str) -> str:
    table = result.emg().attrs["channels"].set_index("label")
    return table.loc[label, "reason"]


def result_verdicts(result):
    from gaitdyn.quality.muscles import emg_verdicts

    return emg_verdicts(result)
