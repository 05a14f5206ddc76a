"""The reasons why a curve is not judged, or its verdict lowered, each in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gaitdyn.calibrate.table_choice import AUTO, table_name
from gaitdyn.judge.session import FEWEST_STRIDES
from gaitdyn.metrics.norm_speed import beyond_speeds
from gaitdyn.types.norms import FEWEST_PEOPLE, MatchedNorm
from gaitdyn.types.options import Options
from gaitdyn.types.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gaitdyn.judge.curves import CurveRule
    from gaitdyn.judge.session import SessionWalk
    from gaitdyn.store.stored import StoredTrial

FEWEST_ON = 3
"""Samples per condition if no marker was touched."""

ENOUGH_PEOPLE = 20
NO_SPEED = "the speed for this leg length is not known, and the curve depends on it"

SAME_CUTOFF_HZ = 1.0
GROWTH = 0.03

RUNNING = 50.0
"""A foot-off before this, %, is running: there is no double support."""

_OPTIONS = {
    "profile": "--profile",
    "filter": "--filter",
    "cutoff_hz": "--cutoff",
    "hip_centre": "--hip-centre",
    "offsets": "--offsets",
}
_LOAD_OPTIONS = {
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
        Whether the curve is not judged at all; otherwise it is at most "possible".
    """

    reason: str
    refuses: bool = True


_CURVES = {"kinematics": "angles", "kinetics": "moments"}


def doubt_of_walk(
    walk: SessionWalk, side: str, rule: CurveRule, strides: int, needed: int = FEWEST_STRIDES
) -> list[Doubt]:
    """Return the doubts from a session's own verdict and from its number of strides.

    Parameters
    ----------
    walk : SessionWalk
    side : {"left", "right"}
    rule : CurveRule
    strides : int
        Number of whole strides.
    needed : int
        How many the judgement needs; below two there is a doubt here.
    """
    words = walk.words(side, rule)
    foot_off = walk.percent("foot_off", side)
    if foot_off is not None and foot_off < RUNNING:
        return [
            Doubt(f"the {side} foot leaves the ground at {foot_off:.0f} %: running is not judged")
        ]
    if words == {"fail"}:
        return [Doubt(f"the {side} {_CURVES[rule.quantity]} are not usable")]
    if strides < FEWEST_STRIDES:
        turned = f"; {walk.turned} turn and are left out" if walk.turned else ""
        count = f"only {strides} whole stride" if strides else "no whole stride"
        return [Doubt(f"{count} with this curve, {needed} are needed{turned}")]
    if "check" in words:
        return [Doubt(f"the {side} {_CURVES[rule.quantity]} are usable with care", refuses=False)]
    return []


def doubt_of_norm(matched: MatchedNorm, rule: CurveRule, speed: float | None) -> list[Doubt]:
    """Return the doubts about a reference set for one curve.

    Parameters
    ----------
    matched : MatchedNorm
    rule : CurveRule
    speed : float or None
        v / sqrt(g L) of the walker.
    """
    if matched.refused:
        return [Doubt(matched.refused)]
    band = matched.bands.get(rule.name)
    if band is None:
        return [Doubt("the reference set lacks this curve")]
    if not (band.sd > 0).all():
        return [Doubt("the reference set has an SD of 0")]
    if band.count is not None and band.count < FEWEST_PEOPLE:
        people = f"the reference set has {band.count} people with this curve"
        return [Doubt(f"{people}, {FEWEST_PEOPLE} are needed")]
    reasons = []
    if band.count is not None and band.count < ENOUGH_PEOPLE:
        reasons.append(f"weak norm of {band.count} people")
    if rule.caution:
        reasons.append(rule.caution)
    if not matched.norm.in_house and rule.between_laboratories is None:
        reasons.append("how far laboratories differ in this curve is not known")
    doubts = [Doubt(reason, refuses=False) for reason in reasons]
    return [*doubts, *_doubt_of_speed(matched, rule, speed)]


def _doubt_of_speed(matched: MatchedNorm, rule: CurveRule, speed: float | None) -> list[Doubt]:
    if not rule.by_speed:
        return []
    if speed is None:
        return [Doubt(NO_SPEED)]
    word = beyond_speeds(matched.norm, speed)
    if all(group.speed is None for group in matched.norm.groups):
        reason = "the reference set states no speed"
    else:
        reason = f"the speed {speed:.2f} is {word} the groups of the reference set"
    return [Doubt(reason, refuses=False)] if word else []


def doubt_of_unit(matched: MatchedNorm, rule: CurveRule, unit: str) -> list[Doubt]:
    """Return a doubt if a reference set has another unit, such as per weight and height."""
    band = matched.bands.get(rule.name)
    if band is None or not unit or band.unit == unit:
        return []
    return [Doubt(f"the reference set is in {band.unit}, the curve in {unit}")]


def doubt_of_model(matched: MatchedNorm, walk: SessionWalk) -> list[Doubt]:
    """Return a doubt if the people of a reference set had another marker model."""
    theirs, ours = matched.norm.models, _values(_model(trial) for trial in walk.trials)
    if not theirs or set(ours) <= set(theirs):
        return []
    models = f"the reference set has the model {_joined(theirs)}, the walk {_joined(ours)}"
    return [Doubt(f"{models}; build a set of the same model")]


def doubt_of_belts(walk: SessionWalk) -> list[Doubt]:
    """Return a doubt if a belt changed its speed, so that there is none to match."""
    belts = [belt for trial in walk.trials for belt in trial.document.get("belts", ())]
    if all(belt["steady"] for belt in belts):
        return []
    return [Doubt("the belt has no steady speed")]


def doubt_of_aids(before: SessionWalk, after: SessionWalk) -> list[Doubt]:
    """Return a doubt if two sessions have different walking aids."""
    first, second = (
        _values(trial.visit.text("aids").strip().lower() for trial in walk.trials)
        for walk in (before, after)
    )
    if first == second:
        return []
    return [Doubt(f"the walking aids differ: {_joined(first)} and {_joined(second)}")]


def doubt_of_axes(matched: MatchedNorm, walk: SessionWalk, rule: CurveRule) -> list[Doubt]:
    """Return a doubt if a moment is in other axes than those of the reference set."""
    wanted = matched.norm.moments_in
    kinds = {str(t.document["options"]["moments_in"]) for t in walk.trials} - {wanted}
    if rule.quantity == "kinetics" and "moment" in rule.name and kinds:
        found = " and ".join(sorted(kinds))
        axes = f"moments are in {found} axes, those of the reference set in {wanted} ones"
        return [Doubt(f"{axes}; process with --moments-in {wanted}")]
    return []


def doubt_of_shanks(matched: MatchedNorm, walk: SessionWalk, rule: CurveRule) -> list[Doubt]:
    """Return a doubt if a knee moment is in shanks of other axes than those of the set."""
    theirs, ours = matched.norm.shank, _values(_shank(trial) for trial in walk.trials)
    if not theirs or not rule.name.startswith("knee_moment") or set(ours) <= {theirs, ""}:
        return []
    found = _joined([kind for kind in ours if kind != theirs])
    return [Doubt(f"shanks are aligned with {found}, those of the reference set with {theirs}")]


def doubt_of_settings(before: SessionWalk, after: SessionWalk, rule: CurveRule) -> list[Doubt]:
    """Return a doubt if two sessions were processed differently, with the remedy."""
    keys = dict(_OPTIONS) if rule.is_angle else {**_OPTIONS, **_LOAD_OPTIONS}
    differences = []
    for key, option in keys.items():
        first, second = (_values(t.document["options"].get(key) for t in w.trials)
                         for w in (before, after))  # fmt: skip
        if not _alike(key, first, second):
            differences.append(f"{option} {_joined(first)} and {_joined(second)}")
    for word, read in _READ:
        first, second = (_values(read(trial) for trial in walk.trials) for walk in (before, after))
        if first != second:
            differences.append(f"{word} {_joined(first)} and {_joined(second)}")
    if not differences:
        return []
    reason = f"the sessions were processed differently: {', '.join(differences)}"
    return [Doubt(f"{reason}; {_command(differences, after)}")]


def mixed_settings(trials: Sequence[StoredTrial]) -> list[str]:
    """Return the settings in which trials differ that are shown together, with their values.

    Axes of moments do not count: a report shows all.
    """
    mixed = []
    for key, option in {**_OPTIONS, **_LOAD_OPTIONS}.items():
        values = _values(trial.document["options"].get(key) for trial in trials)
        close = key.endswith("_hz") and _alike(key, values, values)
        if len(values) > 1 and key != "moments_in" and not close:
            mixed.append(f"{option} {_joined(values)}")
    for word, read in _READ:
        values = _values(map(read, trials))
        mixed += [f"{word} {_joined(values)}"] if len(values) > 1 else []
    return mixed


def settings_of(documents: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the values of each option in which sessions may differ, as texts.

    A body-segment table that is the choice for the person is ``auto``, as the choice is not a
    setting.

    Parameters
    ----------
    documents : sequence of dict
        ``result.json`` of the trials.
    """
    options = {**_OPTIONS, **_LOAD_OPTIONS}
    return {
        option: [value or "none" for value in _values(_set_to(d, key) for d in documents)]
        for key, option in options.items()
    }


def _set_to(document: dict[str, Any], key: str) -> Any:
    """Return the value of an option in ``result.json``."""
    options = document["options"]
    value = options.get(key)
    if key != "anthropometry" or value is None:
        return value
    person = document["subject"]
    subject = Subject(**{name: person.get(name) for name in ("age_years", "mass_kg", "height_m")})
    return AUTO if value == table_name(Options(profile=options["profile"]), subject) else value


def doubt_of_growth(before: SessionWalk, after: SessionWalk, rule: CurveRule) -> list[Doubt]:
    """Return a doubt if a leg grew by more than 3 % between the sessions."""
    if rule.is_angle:
        return []
    first, second = _leg(before), _leg(after)
    if first and second and abs(second / first - 1) > GROWTH:
        reason = f"the legs grew by {100 * (second / first - 1):.0f} % between the sessions"
        return [Doubt(reason, refuses=False)]
    return []


def _leg(walk: SessionWalk) -> float | None:
    lengths = [
        float(length)
        for trial in walk.trials
        for side in ("left", "right")
        if (length := (trial.document["subject"].get(side) or {}).get("leg_length_m"))
    ]
    return sum(lengths) / len(lengths) if lengths else None


def _values(values: Iterable[Any]) -> tuple[str, ...]:
    return tuple(sorted({_told(value) for value in values}))


def _told(value: Any) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _joined(values: Sequence[str]) -> str:
    return "/".join(value or "none" for value in values)


def _alike(key: str, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Return whether a setting is the same in both, for cut-offs within 1 Hz."""
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
    return "/".join(sorted({str(rung["rung"]) for rung in rungs if rung["place"] == "hip"}))


def _shank(trial: StoredTrial) -> str:
    axes = trial.document["model"].get("axes", {})
    return "/".join(sorted({str(side["shank"]) for side in axes.values()}))


_READ = (("model", _model), ("hip rule", _hip), ("shank axes", _shank))
"""What else must agree, and how it is read from a trial."""


def _command(differences: Sequence[str], after: SessionWalk) -> str:
    """Return how to process the second session like the first."""
    options = [
        f"{words[0]} {words[1].split('/')[0]}"
        for words in map(str.split, differences)
        if words[0].startswith("--")
    ]
    if not options:
        return "process both sessions with one --model and the same markers"
    inputs = after.trials[0].document["inputs"]
    name = next(file["name"] for file in inputs if file["role"] == "trial")
    return f"process again: gaitdyn process {name} {' '.join(options)}"
