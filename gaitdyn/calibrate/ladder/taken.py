"""The rungs used by Plug-in Gait and the one-plane model, in the form that a ladder uses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from gaitdyn.calibrate.hip_choice import OWN_RULE
from gaitdyn.calibrate.ladder.rungs import rung, taken
from gaitdyn.calibrate.plug_in_gait.markers import sagittal_leg, shows_sacrum
from gaitdyn.calibrate.plug_in_gait.skeleton import has_alignment_device, medial_knee
from gaitdyn.types.functional import FunctionalFit
from gaitdyn.types.recording import Recording
from gaitdyn.types.rungs import Place, Taken
from gaitdyn.types.subject import LETTER
from gaitdyn.types.trial import Trial


def chord_rungs(
    trial: Trial, static: Trial | None, sides: list[str], hip: str
) -> tuple[Taken, ...]:
    """Return the rungs of Plug-in Gait for a trial and its static.

    Parameters
    ----------
    trial : Trial
    static : Trial, optional
    sides : list of {"left", "right"}
    hip : str
        Rule of the hip centres.
    """
    pelvis = "asis-sacrum" if shows_sacrum(trial) else "asis-psis"
    standing = static.recording if static else None
    steps: list[Taken] = []
    for side in sides:
        hips = taken(rung("hip", "davis-regression"), side, "static" if static else "walk")
        if hip not in (OWN_RULE, "davis"):
            hips = replace(hips, rung=f"regression {hip}", rule=f"regression of {hip}", source=hip)
        steps += [
            taken(rung("pelvis", pelvis), side, "walk"),
            hips,
            *chord_joints(trial.recording, standing, side),
            _step("foot", *_foot(trial, static, side), side),
        ]
    return tuple(steps)


def with_functional(steps: Iterable[Taken], fits: Mapping[str, FunctionalFit]) -> tuple[Taken, ...]:
    """Return the rungs with those that functional trials replace.

    Parameters
    ----------
    steps : iterable of Taken
    fits : mapping
        ``hip_left`` and so on -> fit of the functional trial.
    """
    replaced: list[Taken] = []
    for step in steps:
        fit = fits.get(f"{step.place}_{step.side}")
        if fit is None:
            replaced.append(step)
            continue
        functional = rung(step.place, "functional" if fit.joint == "hip" else "functional-axis")
        replaced.append(
            replace(
                taken(functional, step.side, "functional trial"),
                landmarks=(*fit.labels, *fit.distal),
                rule=f"{functional.rule} {fit.name} ({fit.words})",
                coarse=step.coarse,
            )
        )
    return tuple(replaced)


def _step(place: Place, name: str, seen: str, side: str) -> Taken:
    return taken(rung(place, name), side, seen)


def chord_joints(trial: Recording, static: Recording | None, side: str) -> tuple[Taken, Taken]:
    """Return the rungs of knee and ankle of Plug-in Gait.

    Parameters
    ----------
    trial, static : Recording
        Under our names. Without a static the walk shows the axes, unless it stores its offsets.
    side : {"left", "right"}
    """
    seen = "static" if static else "walk"
    labels = (static or trial).labels if static or side not in trial.vendor else ()
    knee, ankle = ("condyle-width-wand", "walk"), ("malleolus-width-wand", "walk")
    if has_alignment_device(labels, side):
        knee = ("alignment-device", seen)
    elif medial_knee(labels, side):
        knee = ("condyles-width", seen)
    if LETTER[side] + "MED" in labels:
        ankle = ("malleoli-width", seen)
    return _step("knee", *knee, side), _step("ankle", *ankle, side)


def _foot(trial: Trial, static: Trial | None, side: str) -> tuple[str, str]:
    heel = LETTER[side] + "HEE"
    stored = trial.recording.vendor
    if static is not None and heel in static.labels:
        return "toe-static-offsets", "static"
    if static is not None:
        stored = stored | static.recording.vendor
    if side in stored:
        return "toe-stored-offsets", "parameters"
    return ("toe-static-offsets", "walk") if heel in trial.labels else ("toe", "walk")


def planar_rungs(labels: Collection[str], sides: list[str]) -> tuple[Taken, ...]:
    """Return the rung of each joint of the one-plane model, from the labels of a trial."""
    places: tuple[Place, ...] = ("hip", "knee", "ankle", "foot")
    rungs = {"GTR": rung("knee", "one-plane"), "HJC": rung("knee", "one-plane-centres")}
    by_side = {side: rungs[sagittal_leg(labels, LETTER[side])[0][1:]] for side in sides}
    return tuple(
        replace(taken(planar, side, "walk"), place=p)
        for side, planar in by_side.items()
        for p in places
    )
