"""One line per side on whether its results can be trusted, from the verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.metrics.knee_axis import KneeAxisRemark
from gaitdyn.quality.plain_words import reason_words
from gaitdyn.quality.verdicts import NO_CYCLE, ONE_CYCLE
from gaitdyn.report.first_screen.line_parts import (
    NOT_USABLE,
    USABLE,
    USABLE_ONCE,
    WITH_CARE,
    KindStatus,
    LinePart,
    SideLine,
)
from gaitdyn.report.first_screen.side_muscles import muscle_remarks
from gaitdyn.report.first_screen.side_reasons import (
    no_kinetics_words,
    reason_texts,
    step_reasons,
    why_unknown,
)  # fmt: skip
from gaitdyn.report.strides import (
    combined_word,
    kinetic_cycles,
    stride_count,
    verdicts_of,
    whole_steps,
)
from gaitdyn.store.headings import turning_loads, turns
from gaitdyn.store.modelled import has_no_model
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.cycles import ALL_LEFT_OUT
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.subject import SIDES
from gaitdyn.types.task import WALKING
from gaitdyn.types.words import counted

_NO_STEP = "no clean plate step"
_NO_WHOLE_STEP = "no-whole-step"
"""Repeats that there is no clean step."""


def side_lines(
    trials: Sequence[StoredTrial], remarks: Sequence[KneeAxisRemark]
) -> tuple[SideLine, ...]:
    """Return the line of each side.

    Parameters
    ----------
    trials : sequence of StoredTrial
        Of one group.
    remarks : sequence of KneeAxisRemark
        Remarks are quoted in the line but do not change its verdict.
    """
    no_loads = not any(stride_count(verdicts_of(trials, s, "kinetics")) for s in SIDES)
    return tuple(_line(trials, side, remarks, no_loads=no_loads) for side in SIDES)


def _line(
    trials: Sequence[StoredTrial],
    side: str,
    remarks: Sequence[KneeAxisRemark],
    *,
    no_loads: bool,
) -> SideLine:
    angles, loads = (verdicts_of(trials, side, q) for q in ("kinematics", "kinetics"))
    n, m = stride_count(angles), stride_count(loads)
    if not n:
        return _without_stride(trials, side, angles, loads)
    # trials without a stride of the side say nothing of the strides of others
    angles = verdicts_of(_with_cycles(trials, side), side, "kinematics")
    loads = [verdict for verdict in loads if verdict["cycles"]] or loads
    if not any(map(turns, trials)):
        angles, loads = _straight(angles), _straight(loads)
    word, load_word = combined_word(angles), combined_word(loads) if m else "check"
    note = _partial_note(trials, side) if m and load_word != "fail" else ""
    parts: list[LinePart]
    if word == load_word == "pass":
        counts = f"{counted(n, 'stride')}, moments {counted(m, 'stride')}{note}"
        parts = [KindStatus("Angles", counts, USABLE_ONCE if min(n, m) == 1 else USABLE)]
    else:
        why, also = reason_texts(angles), reason_texts(loads)
        rest = [reason for reason in also if reason not in why]
        parts = [_kind_status("Angles", n, word, why)]
        if m:
            parts.append(_kind_status("Moments", m, load_word, rest, note))
        else:
            above = step_reasons(trials) if no_loads and word != "fail" else ()
            where = " on this side" * (not no_loads)
            where = " in a straight stride" if turning_loads(trials, side) else where
            parts.append(_no_moments(trials, rest, above, where))
    parts += [remark for remark in remarks if remark.side == side]
    parts += [*_markerless(trials, side), *muscle_remarks(trials, side)]
    word = "check" if word == "pass" != load_word else word
    return SideLine(side, word, tuple(parts), n, m)


def _with_cycles(trials: Sequence[StoredTrial], side: str) -> Sequence[StoredTrial]:
    """Return the trials that have a cycle of a side, known or not; all if none has."""
    return [t for t in trials if any(c.cycle.side == side for c in t.cycles)] or trials


def _straight(verdicts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return verdicts without the reason that other strides of the trial turn."""
    kept = []
    for verdict in verdicts:
        reasons = [r for r in verdict["reasons"] if not str(r).startswith("turning: ")]
        alone = len(reasons) < len(verdict["reasons"]) and not {*reasons} - {ONE_CYCLE}
        word = "pass" if alone and verdict["word"] == "check" else verdict["word"]
        kept.append({**verdict, "reasons": reasons, "word": word})
    return kept


def _without_stride(
    trials: Sequence[StoredTrial],
    side: str,
    angles: Sequence[dict[str, Any]],
    loads: Sequence[dict[str, Any]],
) -> SideLine:
    """Return the line of a side without strides, which may have curves over the whole trial."""
    drawn, steps = _drawn_kinds(trials, side), stride_count(loads)
    muscles = muscle_remarks(trials, side) if stride_count(verdicts_of(trials, side, "emg")) else ()
    if all(map(has_no_model, trials)):
        word = combined_word(verdicts_of(trials, side, "emg"))
        return SideLine(side, word, (*(muscles or ("EMG not recorded.",)),), 0, 0)
    walked = any(t.document.get("task", WALKING) == WALKING for t in trials)
    if walked and "angle" not in drawn:
        why = f"not known: {_no_stride_reason(angles)}."
        return SideLine(side, "fail", (why, *muscles), 0, steps)
    why, also = reason_texts(angles), reason_texts(loads)
    lacking = [_no_stride_reason(angles)] if walked else []
    first = _of_the_trial("Angles", combined_word(angles), list(dict.fromkeys(lacking + why)))
    parts: list[LinePart] = [first]
    if "moment" in drawn:
        rest = [reason for reason in also if reason not in why]
        parts.append(
            _of_the_trial("Moments", combined_word(loads), also)._replace(reasons=(*rest,))
        )
    elif loads:
        parts.append(_no_moments(trials, [r for r in also if r not in why], (), ""))
    parts += [*_markerless(trials, side), *muscles]
    states = {part.state for part in parts if isinstance(part, KindStatus)}
    word = "fail" if first.state == NOT_USABLE else "pass" if states == {USABLE} else "check"
    return SideLine(side, word, tuple(parts), 0, steps)


def _drawn_kinds(trials: Sequence[StoredTrial], side: str) -> set[str]:
    """Return which of ``angle`` and ``moment`` a leg has over the whole trial, if it is drawn."""
    course = () if any(trial.cycles for trial in trials) else trials[0].course
    keys = [
        key_of(name)
        for strip in course
        if strip.side == side
        for name in strip.names
        if np.isfinite(strip.curve(name)).any()
    ]
    return {key.quantity for key in keys if key.part in JOINTS and (key.is_angle or key.is_moment)}


def _of_the_trial(kind: str, word: str, reasons: Sequence[str]) -> KindStatus:
    """Return the status of curves over the whole trial; that there is no cycle is no reason."""
    word = word if reasons or word == "fail" else "pass"
    state = {"pass": USABLE, "check": WITH_CARE, "fail": NOT_USABLE}[word]
    return KindStatus(kind, "of the trial", state, tuple(reasons))


def _no_stride_reason(angles: Sequence[dict[str, Any]]) -> str:
    """Return why a side has no stride: the first reason, if it has gait cycles or failed."""
    reasons = why_unknown(reason_texts(angles))
    given = [text for verdict in angles for text in verdict["reasons"]]
    if any(ALL_LEFT_OUT in text for text in given):
        return ALL_LEFT_OUT
    walked = not any(NO_CYCLE in text for text in given)
    judged = walked or combined_word(angles) == "fail"
    return reasons[0] if reasons and judged else "no complete stride"


def _partial_note(trials: Sequence[StoredTrial], side: str) -> str:
    """Return how many strides with a whole step lack moments at an end, so that none has a peak."""
    whole, steps = (sum(len(of(t, side)) for t in trials) for of in (kinetic_cycles, whole_steps))
    if steps == whole:
        return ""
    return f" ({steps - whole} in part)" if whole else " (in part)"


def _kind_status(
    name: str, count: int, word: str, reasons: Sequence[str], note: str = ""
) -> KindStatus:
    strides = counted(count, "stride") + note
    if word == "pass":
        return KindStatus(name, strides, USABLE_ONCE if count == 1 else USABLE)
    state = WITH_CARE if word == "check" else NOT_USABLE
    return KindStatus(name, strides, state, tuple(reasons))


def _no_moments(
    trials: Sequence[StoredTrial], reasons: Sequence[str], above: Sequence[str], where: str
) -> KindStatus:
    """Return that a side has no moments and why, leaving out what the page states already.

    If neither side has any, the banner above gives the reasons in ``above``.
    """
    if words := no_kinetics_words(trials):
        return KindStatus("No moments", "", words)
    rest = tuple(w for w in reasons if w not in (*above, reason_words()[_NO_WHOLE_STEP]))
    return KindStatus("No moments", "", _NO_STEP + where, rest)


def _markerless(trials: Sequence[StoredTrial], side: str) -> list[str]:
    """Return that trials have no markers, and which angles are therefore not measured."""
    models = [trial.document.get("model", {}).get("markerless") for trial in trials]
    if not any(models):
        return []
    fixed = [name for model in models if model for name in model["not_measured"].get(side, ())]
    names = ", ".join(dict.fromkeys(fixed))
    return [f"Markerless{f'; not measured: {names}' if names else ''}."]
