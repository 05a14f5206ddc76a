"""The marker model that a run would use, and the rungs of its ladder."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gaitdyn.calibrate.ladder.model import with_carried_pelvis
from gaitdyn.calibrate.ladder.rungs import WIDTH, allowed, rungs_of
from gaitdyn.calibrate.ladder.taken import chord_joints
from gaitdyn.errors import ModelNotFound
from gaitdyn.stages.labels import resolve
from gaitdyn.types.marker_model import ModelMatch
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording
from gaitdyn.types.rungs import PLACES, Taken
from gaitdyn.types.subject import SIDES


def describe_model(
    recording: Recording, static: Recording | None, options: Options
) -> tuple[Recording, dict[str, Any]]:
    """Return the recording under gaitdyn's names, and the model that ``process`` would use.

    Parameters
    ----------
    recording : Recording
    static : Recording or None
    options : Options

    Returns
    -------
    Recording
    dict
        ``name``, ``title`` (None if no model fits), ``sides``, ``renamed``, ``missing``, ``rungs``
        and ``refusal``.
    """
    description: dict[str, Any] = {
        "name": None, "title": None, "sides": [], "renamed": [], "missing": {}, "rungs": {},
        "refusal": None,
    }  # fmt: skip
    try:
        named = resolve(recording, static, options)
    except ModelNotFound as refusal:
        return recording, description | {"refusal": str(refusal)}
    match, ours = named.match, named.trial
    if match.model.climbs:
        try:
            ours = with_carried_pelvis(ours, named.static)
        except ModelNotFound as refusal:
            description["refusal"] = str(refusal)
    pairs = zip(recording.labels, named.trial.labels, strict=True)
    changes = {i: f"{old} = {new}" for i, (old, new) in enumerate(pairs) if old != new}
    renamed = [changes[i] for i in sorted(match.places) if i in changes]
    description |= {
        "name": match.model.name,
        "title": match.model.title,
        "sides": match.sides,
        "renamed": renamed if match.model.engine != "poses" else [],
        "missing": {side: match.missing[side] for side in SIDES if side not in match.sides},
        "rungs": _rungs(match, named.trial, named.static),
    }
    return ours, description


def rungs_taken(taken: Iterable[Taken]) -> dict[str, dict[str, str]]:
    """Return side -> place -> the rung that a run takes."""
    rungs: dict[str, dict[str, str]] = {}
    for step in taken:
        rungs.setdefault(step.side, {})[step.place] = step.rung
    return rungs


def _rungs(
    match: ModelMatch, recording: Recording, still: Recording | None
) -> dict[str, dict[str, str]]:
    """Return side -> place -> the rung of the ladder that landmarks and widths allow."""
    if match.model.engine == "chord":
        return {
            side: {step.place: step.rung for step in chord_joints(recording, still, side)}
            for side in match.sides
        }
    if not match.model.climbs:
        return {}
    rungs: dict[str, dict[str, str]] = {}
    for side in match.sides:
        leg, labels = recording.subject.leg(side), match.model.labels
        base = ["moving"] if still is None else ["static"]
        widths = {"knee": leg.knee_width_m, "ankle": leg.ankle_width_m}
        rungs[side] = {}
        for place in PLACES:
            conditions = [*base, *([WIDTH] if widths.get(place) else [])]
            names = [r.name for r in rungs_of(place) if allowed(r, labels, side, conditions)]
            rungs[side][place] = names[0] if names else ""
            base += [place] if names and place == "pelvis" else []
    return rungs
