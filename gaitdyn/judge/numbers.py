"""Gait parameters and peaks: the differences of two groups, and the error between sessions."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from statistics import fmean, median
from typing import NamedTuple

import numpy as np

from gaitdyn.catalogue.keys import internal_name, key_of, swapped_name
from gaitdyn.judge.axes import axes_apart
from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.session import SessionWalk
from gaitdyn.judge.settings import Whose, doubt_of_settings
from gaitdyn.statistics.families import holm_within
from gaitdyn.statistics.people import FEWEST, judge_means
from gaitdyn.statistics.session_error import FEWEST_PAIRS, number_sd
from gaitdyn.statistics.threshold import NORMAL_95
from gaitdyn.store.doubted import spoiled_in
from gaitdyn.tables.csv_files import csv_text, texts_of
from gaitdyn.types.arrays import Array
from gaitdyn.types.subject import SIDES

_KINDS = ("kinematics", "kinetics")
_TABLES = ("gait_parameters", "peaks")
MOMENTS = "moments"
_PEAKS_OF = {"kinematics": "angles", "kinetics": "loads and powers", MOMENTS: "moments"}


class NumberName(NamedTuple):
    """A number: its table, which is its family for Holm's correction, its name and its unit."""

    table: str
    quantity: str
    unit: str


@dataclass(frozen=True, slots=True)
class NumberDifference:
    """One number of two groups of people, second less first.

    Attributes
    ----------
    quantity, unit : str
        As in ``gait_parameters.csv`` and ``peaks.csv``; moments of trials in both conventions have
        the words of the internal one.
    people_first, people_second : int
    mean_first, sd_first, mean_second, sd_second : float
        Of the people (n - 1).
    difference, low, high : float
        Of the means, and its 95 % interval.
    nu, p, p_holm : float
        Degrees of freedom; p alone and among the numbers of its table.
    """

    quantity: str
    unit: str
    people_first: int
    people_second: int
    mean_first: float
    sd_first: float
    mean_second: float
    sd_second: float
    difference: float
    low: float
    high: float
    nu: float
    p: float
    p_holm: float


@dataclass(frozen=True, slots=True)
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


class StrideNumber(NamedTuple):
    """A number of one stride.

    Attributes
    ----------
    name : NumberName
        Of the internal convention.
    side : str
    trial : int
        The trial of the walk.
    value : float
    percent : float or None
        When it is reached, % of the cycle; None for a mean, a range or an integral.
    """

    name: NumberName
    side: str
    trial: int
    value: float
    percent: float | None


def stride_numbers(walk: SessionWalk, without: Container[str] = ()) -> Iterator[StrideNumber]:
    """Yield the numbers of the strides of a walk.

    Loads count where a report counts them; peaks of a side that failed do not, nor gait parameters
    of a trial in which they are in doubt (:mod:`gaitdyn.store.doubted`). Moments have the
    words of the internal convention, with which those of the external one share their numbers.

    Parameters
    ----------
    walk : SessionWalk
    without : container of {"kinematics", "kinetics", "moments"}
        Quantities whose peaks are left out.
    """
    for number, (trial, spoiled) in enumerate(
        zip(walk.trials, spoiled_in(walk.trials), strict=True)
    ):
        words: dict[tuple[str, str], str] = {
            (s, q): walk.word_on(trial, s, q) for s in SIDES for q in _KINDS
        }
        for table in _TABLES:
            for row in trial.tables[table]:
                side, unit = row["side"], row["unit"]
                kind = _KINDS[table == "peaks" and unit != "deg"]
                failed = table == "peaks" and (words[side, kind] == "fail" or kind in without)
                partly = kind == "kinetics" and row.get(kind) == "0"
                apart = MOMENTS in without and key_of(row["quantity"]).is_moment
                doubted = table == "gait_parameters" and row["quantity"] in spoiled
                if row["value"] and row["cycle"] and not (failed or partly or apart or doubted):
                    name = NumberName(table, internal_name(row["quantity"]), unit)
                    percent = row.get("percent")
                    yield StrideNumber(
                        name, side, number, float(row["value"]),
                        float(percent) if percent else None,
                    )  # fmt: skip


def numbers_of(
    walk: SessionWalk, without: Container[str] = ()
) -> dict[NumberName, dict[str, list[float]]]:
    """Return each number -> side -> its values over the strides of a walk.

    Parameters
    ----------
    walk : SessionWalk
    without : container of {"kinematics", "kinetics", "moments"}
        As for :func:`stride_numbers`.
    """
    numbers: dict[NumberName, dict[str, list[float]]] = {}
    for one in stride_numbers(walk, without):
        numbers.setdefault(one.name, {}).setdefault(one.side, []).append(one.value)
    return numbers


def not_compared(first: SessionWalk, second: SessionWalk, whose: Whose) -> dict[str, str]:
    """Return the quantities whose peaks do not compare, each with the reason.

    Parameters
    ----------
    first, second : SessionWalk
    whose : {"session", "condition", "group"}
        What is compared.

    Returns
    -------
    dict
        ``kinematics``, ``kinetics`` or ``moments`` -> why, naming the trials.
    """
    rules = {rule.quantity: rule for rule in curve_rules()}
    found = {
        kind: doubts[0].reason
        for kind, rule in rules.items()
        if (doubts := doubt_of_settings(first, second, rule, whose))
    }
    apart = axes_apart((*first.trials, *second.trials))
    return found | ({MOMENTS: apart} if apart and "kinetics" not in found else {})


def left_out_words(reasons: Mapping[str, str]) -> list[str]:
    """Return a sentence for each quantity of :func:`not_compared`."""
    return [
        f"no peaks of {_PEAKS_OF[kind]} among the numbers: {reason}"
        for kind, reason in reasons.items()
    ]


def number_notes(pairs: Iterable[tuple[SessionWalk, SessionWalk]]) -> list[str]:
    """Return which pairs of sessions have no share in the error of some numbers, and why."""
    return [
        f"pair {i}: {words}"
        for i, (before, after) in enumerate(pairs, 1)
        for words in left_out_words(not_compared(before, after, "session"))
    ]


def number_differences(
    first: Mapping[str, SessionWalk], second: Mapping[str, SessionWalk], *, paired: bool,
    without: Container[str],
) -> list[NumberDifference]:  # fmt: skip
    """Return the differences of the numbers of two groups that five people of each have.

    Parameters
    ----------
    first, second : mapping
        Pseudonym -> walk; the same people if paired. A person counts once, as the mean of the legs;
        of pairs the legs that have the number in both.
    paired : bool
    without : container of str
        As for :func:`numbers_of`.
    """
    groups = [
        {person: numbers_of(walk, without) for person, walk in walks.items()}
        for walks in (first, second)
    ]
    tested: list[tuple[NumberName, NumberDifference]] = []
    for name in dict.fromkeys(name for group in groups for own in group.values() for name in own):
        legs = [
            {
                (person, side): fmean(strides)
                for person, own in group.items()
                for side, strides in own.get(name, {}).items()
            }
            for group in groups
        ]
        keys = [legs[0].keys() & legs[1].keys()] * 2 if paired else [leg.keys() for leg in legs]
        values = [_of_people(leg, sorted(own)) for leg, own in zip(legs, keys, strict=True)]
        if min(map(len, values)) >= FEWEST:
            tested.append((name, _difference(name, values[0], values[1], paired=paired)))
    walks = [walk for group in (first, second) for walk in group.values()]
    tested = [(name, replace(d, quantity=_told(d.quantity, walks))) for name, d in tested]
    adjusted = holm_within([name.table for name, _ in tested], [d.p for _, d in tested])
    return [replace(one, p_holm=p_holm) for (_, one), p_holm in zip(tested, adjusted, strict=True)]


def _of_people(legs: Mapping[tuple[str, str], float], keys: Iterable[tuple[str, str]]) -> Array:
    """Return one number per person, the mean of some legs."""
    people: dict[str, list[float]] = {}
    for person, side in keys:
        people.setdefault(person, []).append(legs[person, side])
    return np.array([fmean(own) for own in people.values()])


def _difference(name: NumberName, first: Array, second: Array, *, paired: bool) -> NumberDifference:
    test = judge_means(first, second, paired=paired)
    return NumberDifference(
        name.quantity, name.unit, len(first), len(second),
        float(first.mean()), float(first.std(ddof=1)),
        float(second.mean()), float(second.std(ddof=1)),
        test.difference, test.low, test.high, test.nu, test.p, np.nan,
    )  # fmt: skip


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
    return [replace(one, quantity=_told(one.quantity, walks)) for one in errors]


def _told(quantity: str, walks: Iterable[SessionWalk]) -> str:
    """Return the name of a number: of the external convention if all trials have it."""
    options = (trial.document["options"] for walk in walks for trial in walk.trials)
    external = all(of_trial.get("convention") == "external" for of_trial in options)
    return (swapped_name(quantity) if external else None) or quantity


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


def number_text(
    kind: type[NumberDifference | NumberError],
    rows: Iterable[NumberDifference] | Iterable[NumberError],
) -> str:
    """Return differences or errors as CSV, one line each."""
    names = [field.name for field in fields(kind)]
    return csv_text(names, texts_of([getattr(row, name) for name in names] for row in rows))
