"""Rules on one plate against the others: its time and its gain.

The whole vertical force is m (g + a) in every frame, so that the plates weigh the same body in
turns. The acceleration of the pelvis, plus gravity, is fitted with the force of each plate and its
rate of change: one whose samples are late needs its rate of change times the delay. Gains show more
clearly one integration earlier (:mod:`gaitdyn.quality.rules.balance.momentum`): a plate with the
gain k finds the mass k m. Plates are compared with each other, which needs no mass.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.quality.rules.balance.body_motion import PlateSupport, long_runs
from gaitdyn.quality.rules.balance.force_lines import along_leans
from gaitdyn.quality.rules.balance.momentum import (
    body_centre,
    plate_forces,
    plate_masses,
    plate_speeds,
    whole_body_centre,
)
from gaitdyn.quality.rules.table import Rules
from gaitdyn.quality.rules.timing import ALIKE
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES

MEAN_S = 0.04
"""Averaging time of force and acceleration."""


class Compared(NamedTuple):
    """A property in which each plate is compared with the mean of the others.

    Attributes
    ----------
    code : str
    of_plates : callable
        Of a result and a run of support: plate in words -> value.
    words : pair of str
        For less than the others, and for more.
    message : str
        With the ``plate``, the ``word``, and the difference as it is and in ``ms``.
    """

    code: str
    of_plates: Callable[[Processed, PlateSupport], dict[str, float]]
    words: tuple[str, str]
    message: str


def plates_apart(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on a plate whose time or gain differs from that of the others."""
    long, findings = long_runs(result), list["Finding"]()
    if not long:
        return findings
    run = max(long, key=lambda run: len(run.force))
    for code, of_plates, words, message in COMPARED:
        plate, apart = _furthest(of_plates(result, run))
        if abs(apart) > rules[code].bound:
            size, word = abs(apart), words[apart > 0]
            text = message.format(plate=plate, word=word, size=100 * size, ms=1000 * size)
            findings.append(rules[code].found(plate, text, size))
    return findings


def _masses(result: Processed, run: PlateSupport) -> dict[str, float]:
    """Return the mass of the body by each plate, as a multiple of their mean."""
    masses = plate_masses(result, run)
    mean = sum(masses.values()) / max(len(masses), 1)
    return {plate: mass / mean for plate, mass in masses.items()}


def _gains_along(result: Processed, run: PlateSupport) -> dict[str, float]:
    """Return the gain of each plate along the walk, as a multiple of their mean.

    It is the mean of two measures: how far its force leans to the hips, and how much it moves the
    body. Empty on belts, with one plate, or if a plate has no lean.
    """
    leans: dict[str, list[float]] = {}
    for step, part in along_leans(result):
        leans.setdefault(step.plates, []).append(part)
    plates = list(plate_forces(result, run))
    if result.belts or len(plates) < len(SIDES) or not set(plates) <= set(leans):
        return {}
    whole = whole_body_centre(result)
    centre = body_centre(result) if whole is None else whole
    moved = plate_speeds(result, run, result.pose.walking_G, centre)
    leant = np.array([np.mean(leans[plate]) for plate in plates])
    gains = 0.5 * (moved / moved.mean() + leant / leant.mean())
    return dict(zip(plates, gains.tolist(), strict=True))


def _furthest(values: dict[str, float]) -> tuple[str, float]:
    """Return the plate whose value differs most from the mean of the others, and by how much."""
    if len(values) < 2:  # noqa: PLR2004  one plate has no others
        return "", float("nan")
    whole, others = sum(values.values()), len(values) - 1
    apart = {plate: value - (whole - value) / others for plate, value in values.items()}
    return max(apart.items(), key=lambda item: (round(abs(item[1]), 6), abs(values[item[0]])))


def plate_lags(result: Processed, run: PlateSupport) -> dict[str, float]:
    """Return the time by which each plate lags the pelvis, s.

    Returns
    -------
    dict
        Plate, or the plates under one step, in words -> lag. Empty if the plates cannot be told
        apart, or their force does not follow the pelvis.
    """
    rate = result.recording.rate_hz
    on_plates = plate_forces(result, run)
    forces = [_smooth(force[:, 1], rate) for force in on_plates.values()]
    motion = STANDARD_GRAVITY + _smooth(run.acceleration, rate)
    terms = np.column_stack((*forces, *(np.gradient(force, 1 / rate) for force in forces)))
    fit, _, rank, _ = np.linalg.lstsq(terms, motion, rcond=None)
    if rank < len(fit) or not np.corrcoef(terms @ fit, motion)[0, 1] >= ALIKE:
        return {}
    by_weight, by_change = fit.reshape(2, -1)
    lags = (by_change / by_weight).tolist()
    return dict(zip(on_plates, lags, strict=True))


def _smooth(signal: Array, rate_hz: float) -> Array:
    """Return a signal averaged over 40 ms, without its ends."""
    width = 2 * int(MEAN_S * rate_hz / 2) + 1
    return np.convolve(signal, np.ones(width) / width, "valid")


COMPARED = (
    Compared(
        "plate-delayed", plate_lags, ("leads", "lags"),
        "the force of {plate} {word} that of the other plates by {ms:.0f} ms, judging by the motion"
        " of the pelvis: its samples come from another board or clock",
    ),
    Compared(
        "plate-unlike", _masses, ("small", "large"),
        "the force of {plate} is {size:.0f} % too {word} beside that of the other plates, judging"
        " by the motion of the body: the gain of one of them is wrong, or part of the load is not"
        " on them (a rail, a crutch, a foot over the edge)",
    ),
    Compared(
        "plate-unlike-along", _gains_along, ("small", "large"),
        "the force of {plate} along the walk is {size:.0f} % too {word} beside that of the other"
        " plates, by its lean to the hips and the motion of the body: the gain of the fore-aft"
        " channel of one of them is wrong",
    ),
)  # fmt: skip
