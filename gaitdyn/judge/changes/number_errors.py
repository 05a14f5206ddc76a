"""Gait parameters and peaks: the error between sessions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import fmean, median

import numpy as np

from gaitdyn.judge.session import SessionWalk
from gaitdyn.judge.stride_numbers import (
    NumberName,
    doubted_words,
    left_out_words,
    not_compared,
    numbers_of,
    told_name,
)
from gaitdyn.statistics.session_error import FEWEST_PAIRS, number_sd
from gaitdyn.statistics.threshold import NORMAL_95
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES


@frozen()
class NumberError:
    """One number of unchanged people in two sessions each.

    Attributes
    ----------
    quantity, unit : str
    pairs : int
    strides : float
        Median number of strides behind the mean of a session.
    mean, bias : float
        Of all people, and second session less first.
    sd : float
        Within a person between sessions, ``sqrt(sum d^2 / (2 n))``: the standard error of
        measurement, for sessions of that many strides.
    mdc95 : float
        Minimal detectable change, ``1.96 sqrt(2) sd`` (Weir 2005, J Strength Cond Res 19:231-240).
    icc : float
        ICC(1,1) of Shrout and Fleiss 1979, Psychol Bull 86:420-428.
    session_sd : float
        Within a person between sessions without what the strides alone make, for a planned number;
        NaN if no session has two strides.
    """

    quantity: str
    unit: str
    pairs: int
    strides: float
    mean: float
    bias: float
    sd: float
    mdc95: float
    icc: float
    session_sd: float


def number_notes(pairs: Iterable[tuple[SessionWalk, SessionWalk]]) -> list[str]:
    """Return which pairs of sessions have no share in the error of some numbers, and why."""
    notes: list[str] = []
    for i, (before, after) in enumerate(pairs, 1):
        words = left_out_words(not_compared(before, after, "session"))
        doubted = doubted_words((("first session", before), ("second session", after)))
        notes += [f"pair {i}: {text}" for text in (*words, *doubted)]
    return notes


def number_errors(pairs: Iterable[tuple[SessionWalk, SessionWalk]]) -> list[NumberError]:
    """Return the error between sessions of every number that ten pairs or more have.

    Parameters
    ----------
    pairs : iterable of (SessionWalk, SessionWalk)
        Two sessions of each unchanged person; the side with more strides counts.
    """
    pairs = list(pairs)
    samples: dict[NumberName, list[tuple[list[float], list[float]]]] = {}
    for before, after in pairs:
        without = not_compared(before, after, "session")
        first, second = numbers_of(before, without), numbers_of(after, without)
        for name in first.keys() & second.keys():
            sides = [(first[name].get(s, []), second[name].get(s, [])) for s in SIDES]
            chosen = max(sides, key=lambda two: min(map(len, two)))
            if all(chosen):
                samples.setdefault(name, []).append(chosen)
    kept = (item for item in samples.items() if len(item[1]) >= FEWEST_PAIRS)
    walks = [walk for pair in pairs for walk in pair]
    errors = [_error(name, own) for name, own in sorted(kept)]
    return [replace(one, quantity=told_name(one.quantity, walks)) for one in errors]


def _error(name: NumberName, samples: Sequence[tuple[list[float], list[float]]]) -> NumberError:
    means = np.array([[fmean(session) for session in pair] for pair in samples])
    change = means[:, 1] - means[:, 0]
    within = float(np.mean(change**2)) / 2
    between = 2 * float(means.mean(axis=1).var(ddof=1))
    total = between + within
    sd = within**0.5
    return NumberError(
        name.quantity, name.unit, len(samples), median(len(s) for pair in samples for s in pair),
        float(means.mean()), float(change.mean()), sd, NORMAL_95 * 2**0.5 * sd,
        (between - within) / total if total > 0 else np.nan, number_sd(samples),
    )  # fmt: skip
