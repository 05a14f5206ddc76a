"""Gait parameters and peaks of the strides of a walk, and which of them compare with another."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from gaitdyn.catalogue.keys import internal_name, key_of, swapped_name
from gaitdyn.judge.axes import axes_apart
from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.session import SessionWalk
from gaitdyn.judge.settings import Whose, doubt_of_settings
from gaitdyn.store.doubted import doubts_about, spoiled_in
from gaitdyn.types.subject import SIDES
from gaitdyn.types.words import some_of

_KINDS = ("kinematics", "kinetics")
_TABLES = ("gait_parameters", "peaks")
MOMENTS = "moments"
_PEAKS_OF = {"kinematics": "angles", "kinetics": "loads and powers", MOMENTS: "moments"}
_DOUBTED = {False: "are left out", True: "count where no trial is without doubt"}


class NumberName(NamedTuple):
    """A number: its table, which is its family for Holm's correction, its name and its unit."""

    table: str
    quantity: str
    unit: str


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


def doubted_words(walks: Iterable[tuple[str, SessionWalk]]) -> list[str]:
    """Return in which trials gait parameters are in doubt, and whether they count.

    Parameters
    ----------
    walks : iterable of (str, SessionWalk)
        What a walk is called, and the walk.
    """
    found: dict[tuple[str, bool], list[str]] = {}
    for name, walk in walks:
        for trial, spoiled in zip(walk.trials, spoiled_in(walk.trials), strict=True):
            for code, names in doubts_about(trial).items():
                key = code, not names & spoiled
                found.setdefault(key, []).append(f"{name}/{trial.name}")
    return [
        f"gait parameters that {code} puts in doubt {_DOUBTED[counts]}: {some_of(trials)}"
        for (code, counts), trials in sorted(found.items())
    ]


def told_name(quantity: str, walks: Iterable[SessionWalk]) -> str:
    """Return the name of a number: of the external convention if all trials have it."""
    options = (trial.document["options"] for walk in walks for trial in walk.trials)
    external = all(of_trial.get("convention") == "external" for of_trial in options)
    return (swapped_name(quantity) if external else None) or quantity
