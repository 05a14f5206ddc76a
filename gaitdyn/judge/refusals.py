"""Why a curve is not judged, or its verdict lowered: every reason in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gaitdyn.types.norms import FEWEST_PEOPLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gaitdyn.judge.curves import CurveRule
    from gaitdyn.judge.session import SessionWalk
    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.norms import MatchedNorm

FEWEST_STRIDES = 2
FEWEST_ON = 3
"""Samples a condition where no marker was touched."""

ENOUGH_PEOPLE = 20
SAME_SPEED = 0.05
"""Difference of v / sqrt(g L) from which on curves that follow the speed have changed by it."""

SAME_CUTOFF_HZ = 1.0
GROWTH = 0.03

RUNNING = 50.0
"""% before which a foot leaves the ground in running alone: no double support."""

_EVERY = {
    "profile": "--profile",
    "filter": "--filter",
    "cutoff_hz": "--cutoff",
    "hip_centre": "--hip-centre",
    "offsets": "--offsets",
}
_LOADS = {
    "force_cutoff_hz": "--force-cutoff",
    "moments_in": "--moments-in",
    "anthropometry": "--anthropometry",
}


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a verdict is refused or lowered.

    Attributes
    ----------
    reason : str
    refuses : bool
        Not judged at all; else at most "possible".
    """

    reason: str
    refuses: bool = True


_WHAT = {"kinematics": "angles", "kinetics": "moments"}


def doubt_of_walk(walk: SessionWalk, side: str, rule: CurveRule, strides: int) -> list[Doubt]:
    """Return what a session's own verdict and number of strides say about a curve.

    Parameters
    ----------
    walk : SessionWalk
    side : {"left", "right"}
    rule : CurveRule
    strides : int
        Whole strides that are there.
    """
    words = walk.words(side, rule)
    off = walk.percent("foot_off", side)
    if off is not None and off < RUNNING:
        return [Doubt(f"the {side} foot leaves the ground at {off:.0f} %: running is not judged")]
    if words == {"fail"}:
        return [Doubt(f"the {side} {_WHAT[rule.quantity]} are not usable")]
    if strides < FEWEST_STRIDES:
        turned = f"; {walk.turned} turn and are left out" if walk.turned else ""
        found = f"only {strides} whole stride" if strides else "no whole stride"
        return [Doubt(f"{found} with this curve, {FEWEST_STRIDES} are needed{turned}")]
    if "check" in words:
        return [Doubt(f"the {side} {_WHAT[rule.quantity]} are usable with care", refuses=False)]
    return []


def doubt_of_norm(matched: MatchedNorm, rule: CurveRule, speed: float | None) -> list[Doubt]:
    """Return what a reference set lacks for a curve.

    Parameters
    ----------
    matched : MatchedNorm
    rule : CurveRule
    speed : float or None
        v / sqrt(g L) of the walker.
    """
    band = matched.bands.get(rule.name)
    if band is None:
        return [Doubt("the reference set lacks this curve")]
    if not (band.sd > 0).all():
        return [Doubt("the reference set has an SD of 0 in it")]
    found = []
    if band.count is not None and band.count < FEWEST_PEOPLE:
        told = f"the reference set has {band.count} people with this curve"
        return [Doubt(f"{told}, {FEWEST_PEOPLE} are needed")]
    if band.count is not None and band.count < ENOUGH_PEOPLE:
        found.append(Doubt(f"weak norm of {band.count} people", refuses=False))
    if rule.caution:
        found.append(Doubt(rule.caution, refuses=False))
    if not matched.norm.own and rule.between_laboratories is None:
        told = "how far laboratories differ in this curve is not known"
        found.append(Doubt(told, refuses=False))
    return [*found, *_doubt_of_speed(matched, rule, speed)]


def _doubt_of_speed(matched: MatchedNorm, rule: CurveRule, speed: float | None) -> list[Doubt]:
    if not rule.by_speed:
        return []
    if speed is None:
        return [Doubt("the speed for this leg length is not known, and the curve follows it")]
    speeds = [group.speed for group in matched.norm.groups if group.speed is not None]
    if not speeds:
        return [Doubt("the reference set states no speed", refuses=False)]
    low, high = min(speeds), max(speeds)
    if low == high:
        low, high = low - SAME_SPEED, high + SAME_SPEED
    if low <= speed <= high:
        return []
    word = "below" if speed < low else "above"
    told = f"the speed {speed:.2f} is {word} the groups of the reference set"
    return [Doubt(told, refuses=False)]


def doubt_of_unit(matched: MatchedNorm, rule: CurveRule, unit: str) -> list[Doubt]:
    """Return whether a reference set scales a curve otherwise, such as by weight and height."""
    band = matched.bands.get(rule.name)
    if band is None or not unit or band.unit == unit:
        return []
    return [Doubt(f"the reference set is in {band.unit}, the curve in {unit}")]


def doubt_of_model(matched: MatchedNorm, walk: SessionWalk) -> list[Doubt]:
    """Return whether a reference set tells that its people had another marker model."""
    theirs, ours = matched.norm.models, _values(_model(trial) for trial in walk.trials)
    if not theirs or set(ours) <= set(theirs):
        return []
    told = f"the reference set is of the model {_told(theirs)}, the walk of {_told(ours)}"
    return [Doubt(f"{told}; build a set of the same model")]


def doubt_of_belts(walk: SessionWalk) -> list[Doubt]:
    """Return whether a belt changed its speed, so that there is none to match."""
    belts = [belt for trial in walk.trials for belt in trial.document.get("belts", ())]
    if all(belt["steady"] for belt in belts):
        return []
    return [Doubt("the belt has no steady speed")]


def doubt_of_aids(before: SessionWalk, after: SessionWalk) -> list[Doubt]:
    """Return whether two sessions tell different walking aids."""
    first, second = (_values(_aids(trial) for trial in walk.trials) for walk in (before, after))
    if first == second:
        return []
    return [Doubt(f"the walking aids differ: {_told(first)} and {_told(second)}")]


def _aids(trial: StoredTrial) -> str:
    return trial.visit.text("aids").strip().lower()


def doubt_of_axes(walk: SessionWalk, rule: CurveRule) -> list[Doubt]:
    """Return whether a moment is in other axes than those of every reference set."""
    kinds = {str(t.document["options"]["moments_in"]) for t in walk.trials} - {"distal"}
    if rule.quantity == "kinetics" and "moment" in rule.name and kinds:
        told = f"moments are in {' and '.join(sorted(kinds))} axes, reference sets in distal ones"
        return [Doubt(f"{told}; process with --moments-in distal")]
    return []


def doubt_of_settings(before: SessionWalk, after: SessionWalk, rule: CurveRule) -> list[Doubt]:
    """Return how two sessions differ in what they were processed with, and the way out.

    Parameters
    ----------
    before, after : SessionWalk
    rule : CurveRule
    """
    keys = dict(_EVERY) if rule.is_angle else {**_EVERY, **_LOADS}
    found = []
    for key, option in keys.items():
        first, second = (_values(t.document["options"].get(key) for t in w.trials)
                         for w in (before, after))  # fmt: skip
        if not _alike(key, first, second):
            found.append(f"{option} {_told(first)} and {_told(second)}")
    for word, of in (("model", _model), ("hip rule", _hip), ("shank axes", _shank)):
        first, second = (_values(of(trial) for trial in walk.trials) for walk in (before, after))
        if first != second:
            found.append(f"{word} {_told(first)} and {_told(second)}")
    if not found:
        return []
    told = f"the sessions were processed differently: {', '.join(found)}"
    return [Doubt(f"{told}; {_command(found, after)}")]


def doubt_of_growth(before: SessionWalk, after: SessionWalk, rule: CurveRule) -> list[Doubt]:
    """Return whether a leg grew by more than 3 % between the sessions."""
    if rule.is_angle:
        return []
    first, second = _leg(before), _leg(after)
    if first and second and abs(second / first - 1) > GROWTH:
        told = f"the legs grew by {100 * (second / first - 1):.0f} % between the sessions"
        return [Doubt(told, refuses=False)]
    return []


def _leg(walk: SessionWalk) -> float | None:
    found = [
        float(length)
        for trial in walk.trials
        for side in ("left", "right")
        if (length := (trial.document["subject"].get(side) or {}).get("leg_length_m"))
    ]
    return sum(found) / len(found) if found else None


def _values(found: Iterable[Any]) -> tuple[str, ...]:
    return tuple(sorted({"" if one is None else str(one) for one in found}))


def _told(values: Sequence[str]) -> str:
    return "/".join(value or "none" for value in values)


def _alike(key: str, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Return whether a setting is the same; cut-offs within 1 Hz are."""
    if first == second and len(first) == 1:
        return True
    if not key.endswith("_hz"):
        return first == second
    try:
        numbers = [float(value) for value in (*first, *second)]
    except ValueError:
        return False
    return max(numbers) - min(numbers) <= SAME_CUTOFF_HZ


def _model(trial: StoredTrial) -> str:
    return str(trial.document["model"].get("name"))


def _hip(trial: StoredTrial) -> str:
    rungs = trial.document["model"].get("rungs", ())
    return "/".join(sorted({str(one["rung"]) for one in rungs if one["place"] == "hip"}))


def _shank(trial: StoredTrial) -> str:
    axes = trial.document["model"].get("axes", {})
    return "/".join(sorted({str(one["shank"]) for one in axes.values()}))


def _command(found: Sequence[str], after: SessionWalk) -> str:
    """Return how to process the second session as the first."""
    trial = after.trials[0]
    words = [
        f"{told.split()[0]} {told.split()[1].split('/')[0]}"
        for told in found
        if told.startswith("--")
    ]
    name = next(one["name"] for one in trial.document["inputs"] if one["role"] == "trial")
    if not words:
        return "process both sessions with one --model and the same markers"
    return f"process again: gaitdyn process {name} {' '.join(words)}"
