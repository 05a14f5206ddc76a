"""A laboratory's own session error, from repeats: unchanged people measured twice."""

from __future__ import annotations

from collections.abc import Sequence

from gaitdyn.errors import NormRefused
from gaitdyn.judge.axes import doubt_of_axes
from gaitdyn.judge.changes.number_errors import NumberError, number_errors, number_notes
from gaitdyn.judge.changes.whose import check_persons
from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.doubt import Doubt
from gaitdyn.judge.recordings import recordings_of, same_recording
from gaitdyn.judge.refusals import doubt_of_speeds
from gaitdyn.judge.repeats.numbers import MEASURED
from gaitdyn.judge.repeats.scores import ScorePair, score_pairs
from gaitdyn.judge.session import FEWEST_STRIDES
from gaitdyn.judge.session_trials import one_condition, walk_of
from gaitdyn.judge.settings import doubt_of_settings
from gaitdyn.statistics.session_error import FEWEST_PAIRS, SessionError, error_of_pairs
from gaitdyn.store.persons import stated_id
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.arrays import Array
from gaitdyn.types.norms import Norm
from gaitdyn.types.subject import SIDES
from gaitdyn.types.words import counted

_FEW = "no side has two whole strides in both sessions"
_MOST_NAMED = 3
"""Number of curves that a note names."""


def build_repeats(
    pairs: Sequence[tuple[Sequence[StoredTrial], Sequence[StoredTrial]]],
) -> tuple[dict[str, SessionError], dict[str, str], list[str]]:
    """Return the session error of every curve that ten pairs or more have.

    A person counts once for a curve. The two sides of a person are not independent pairs, so the
    side with more strides is used.

    Parameters
    ----------
    pairs : sequence of (trials, trials)
        First and second session of each person.

    Returns
    -------
    errors : dict
        Curve -> SessionError.
    units : dict
    notes : list of str
        What was left out, and why.

    Raises
    ------
    NormRefused
        For fewer than ten pairs, a pair of two people, of one static, and a person or recording
        that occurs twice.
    ResultsRefused
        For a pair of two conditions.
    """
    if len(pairs) < FEWEST_PAIRS:
        raise NormRefused(
            f"found {counted(len(pairs), 'pair')} of sessions; wanted {FEWEST_PAIRS} or more, 15 to"
            " be useful; record more people twice"
        )
    _check_pairs(pairs)
    walks = [(walk_of(first), walk_of(second)) for first, second in pairs]
    errors, units, few = {}, {}, []
    left_out: dict[tuple[int, str], list[str]] = {}
    for rule in curve_rules():
        samples: list[tuple[Array, Array]] = []
        for number, (before, after) in enumerate(walks, 1):
            doubts = (
                doubt_of_settings(before, after, rule)
                or doubt_of_axes((*before.trials, *after.trials), rule)
                or doubt_of_speeds(before, after, rule)
            )
            sides = [(before.strides(side, rule), after.strides(side, rule)) for side in SIDES]
            first, second = max(sides, key=lambda s: min(len(s[0].values), len(s[1].values)))
            if min(len(first.values), len(second.values)) < FEWEST_STRIDES:
                doubts = doubts or [Doubt(_FEW)]
            if not doubts:
                samples.append((first.values, second.values))
                units[rule.name] = first.unit
            elif any(strides.unit for two in sides for strides in two):
                left_out.setdefault((number, doubts[0].reason), []).append(rule.name)
        if len(samples) < FEWEST_PAIRS:
            few.append(f"{rule.name}: only {counted(len(samples), 'pair')}, left out")
            continue
        origin = f"{len(samples)} {MEASURED}"
        errors[rule.name] = error_of_pairs(samples, rule.level_of_strides, origin)
    notes = [_pair_note(number, reason, names) for (number, reason), names in left_out.items()]
    return errors, units, [*sorted(notes), *few]


def _pair_note(number: int, reason: str, names: Sequence[str]) -> str:
    listed = ", ".join(names) if len(names) <= _MOST_NAMED else counted(len(names), "curve")
    return f"pair {number}, {listed}: {reason}"


def notes_on_numbers(
    pairs: Sequence[tuple[Sequence[StoredTrial], Sequence[StoredTrial]]],
) -> list[str]:
    """Return which pairs :func:`build_numbers` leaves out of some numbers, and why."""
    return number_notes((walk_of(first), walk_of(second)) for first, second in pairs)


def build_numbers(
    pairs: Sequence[tuple[Sequence[StoredTrial], Sequence[StoredTrial]]],
) -> list[NumberError]:
    """Return the error between sessions of gait parameters and peaks.

    Parameters
    ----------
    pairs : sequence of (trials, trials)
        As for :func:`build_repeats`, which refuses what are no repeats.
    """
    return number_errors((walk_of(first), walk_of(second)) for first, second in pairs)


def build_scores(
    pairs: Sequence[tuple[Sequence[StoredTrial], Sequence[StoredTrial]]], norm: Norm
) -> tuple[list[ScorePair], list[str]]:
    """Return the GPS of both sessions of each pair, and which pairs have none.

    Parameters
    ----------
    pairs : sequence of (trials, trials)
        As for :func:`build_repeats`, which refuses what are no repeats.
    norm : Norm
    """
    return score_pairs(((walk_of(first), walk_of(second)) for first, second in pairs), norm)


def _check_pairs(pairs: Sequence[tuple[Sequence[StoredTrial], Sequence[StoredTrial]]]) -> None:
    """Refuse pairs that are not two sessions of one person and condition, or not independent."""
    seen: set[tuple[str, str]] = set()
    for number, (first, second) in enumerate(pairs, 1):
        whose = check_persons(first, second)
        if whose.two:
            raise NormRefused(
                f"pair {number}: found two people ({whose.differences}); wanted two sessions of one"
                " person; name the folders as FIRST SECOND FIRST SECOND ..."
            )
        trials = (*first, *second)
        one_condition(trials, f"pair {number}")
        ids = {i for t in trials if (i := stated_id(t.document))}
        once = {(i, "subject"): f"subject {i}" for i in sorted(ids)}
        named = [item for trial in trials for item in recordings_of(trial).items()]
        twice = [name for key, name in (*once.items(), *named) if key in seen]
        twice += [name for i, (key, name) in enumerate(named) if (key, name) in named[:i]]
        again = [t for t in second if any(same_recording(one, t) for one in first)]
        twice += [name for trial in again for name in recordings_of(trial).values()]
        if twice:
            raise NormRefused(
                f"pair {number}: found {twice[0]} a second time; wanted another person in every"
                " pair, and other recordings in every session"
            )
        statics = [walk_of(session).hashes("static") for session in (first, second)]
        if statics[0] & statics[1]:
            raise NormRefused(
                f"pair {number}: found one static for both sessions, so the markers stayed on;"
                " wanted sessions for which they were placed anew, each with its own static"
            )
        seen |= {*once, *(key for key, _ in named)}
