"""Results as an archive keeps them, made up."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from gaitdyn.archive.record import CycleRecord, TrialRecord

CURVES = (("knee_angle_flexion", "deg"), ("hip_moment_extension", "N m/kg"))


def samples(seed: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.random.default_rng(seed).standard_normal((len(CURVES), 101), dtype=np.float32)


def cycle(
    side: str,
    number: int,
    values: np.ndarray[Any, np.dtype[np.float32]],
    *,
    curves: tuple[tuple[str, str], ...] = CURVES,
    speed: float | None = 1.2,
    kinetics: str = "ok",
) -> CycleRecord:
    dimensionless = None if speed is None else speed / 3
    times = (1.25, 2.35, 61.5)
    parameters = (("speed", "m/s", 1.25, None), ("step_length", "m", 0.7, None))
    peaks = (("knee_angle_flexion_max", "deg", 61.0, 72.0),)
    head = (side, number, *times, speed, dimensionless, kinetics)
    return CycleRecord(*head, curves, values, parameters, peaks)


def trial(
    name: str = "walk01",
    *,
    subject: str = "S01",
    session: str = "first",
    cycles: tuple[CycleRecord, ...] | None = None,
    recording: str | None = None,
    result: str = "",
    **words: Any,
) -> TrialRecord:
    """A trial with a cycle of each side; ``recording`` and ``result`` decide the hashes."""
    told = {
        "name": name,
        "condition": "barefoot",
        "model": "plug-in-gait",
        "profile": "default",
        "moments_in": "distal",
        "convention": "internal",
        "verdict": "pass",
        "age_years": 34.0,
        "mass_kg": 66.5,
        "height_m": 1.77,
        **words,
    }
    recording = f"{subject} {session} {name}" if recording is None else recording
    told["file_sha256"] = hashlib.sha256(recording.encode()).hexdigest()
    told["result_sha256"] = hashlib.sha256(f"{recording} {result}".encode()).hexdigest()
    if cycles is None:
        cycles = (cycle("left", 1, samples(1)), cycle("right", 1, samples(2)))
    quality = (("info", "no-static", "trial", None, None, "no static"),)
    return TrialRecord(subject, session, "f", told, cycles, quality, "0.1.0", "{}")
