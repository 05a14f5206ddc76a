"""Joint centres and axes from landmarks in a reference position: each leg climbs its ladder.

In the reference (a static trial, or the mean posture of a stance of the trial itself) the landmarks
give joint centres and segment axes, each by the best rung that they allow
(:mod:`gaitdyn.calibrate.ladder.rungs`). In every other frame the markers that track a segment carry
them as a rigid body (:mod:`gaitdyn.calibrate.clusters.tracking`; Cappozzo et al. 1995, Clin Biomech
10:171-178).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.calibrate.functional_carried import on_axis
from gaitdyn.calibrate.hip_choice import OWN_RULE, hip_offsets_P
from gaitdyn.calibrate.ladder.rules import FootFound, JointRung, find_foot, find_joint
from gaitdyn.calibrate.ladder.rungs import not_found, rung, taken
from gaitdyn.calibrate.ladder.taken import with_functional
from gaitdyn.calibrate.ladder.templates import tracking_template
from gaitdyn.calibrate.plug_in_gait.joint_centres import pelvis_frame
from gaitdyn.calibrate.plug_in_gait.skeleton import half_widths
from gaitdyn.calibrate.posture.reference import (
    Person,
    Posture,
    Reference,
    ReferenceLeg,
)
from gaitdyn.core.rigid import axes_of_line
from gaitdyn.errors import ModelNotFound
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.marker_model import MarkerModel
from gaitdyn.types.rungs import Place, ShankAxis, Taken
from gaitdyn.types.subject import LETTER, SIDES, SIGN, Side

FARTHEST_STORED_M = 0.06
"""A stored hip centre farther from the regression than this is not used, m."""


def build_reference(
    posture: Posture, model: MarkerModel, sides: list[str], person: Person
) -> Reference:
    """Return joint centres, axes and tracking templates in the reference position.

    Parameters
    ----------
    posture : Posture
    model : MarkerModel
    sides : list of {"left", "right"}
    person : Person

    Raises
    ------
    ModelNotFound
        If ASIS, or both PSIS and sacrum, are not among the places.
    """
    places = posture.places
    R_GP, origin, back, name = _pelvis(places)
    findings: list[Finding] = []
    width = float(np.linalg.norm(places["LASI"] - places["RASI"]))
    depth = float(np.linalg.norm(origin - back))
    used: list[Side] = [side for side in SIDES if side in sides]
    rule = "harrington" if person.hip == OWN_RULE else person.hip
    hips_P = hip_offsets_P(rule, person.subject, width, depth, used)
    legs: dict[str, ReferenceLeg] = {}
    steps: list[Taken] = []
    for side in used:
        steps.append(_with_source(taken(rung("pelvis", name), side, ""), posture))
        stored = places.get(LETTER[side] + "HJC") if person.hip == OWN_RULE else None
        hip, method = origin + R_GP @ hips_P[side], "regression"
        if side in person.functional_P:
            hip, method = origin + R_GP @ person.functional_P[side], "functional"
        elif stored is not None and np.linalg.norm(stored - hip) > FARTHEST_STORED_M:
            findings.append(_stored_far(side, 1000.0 * float(np.linalg.norm(stored - hip))))
        elif stored is not None:
            hip, method = stored, "stored-centre"
        steps.append(_with_source(taken(rung("hip", method), side, ""), posture))
        legs[side], leg_steps = _leg(posture, model, side, (hip, R_GP), person)
        steps += leg_steps
        findings += _coarse(leg_steps)
    template = tracking_template(places, model, "pelvis", "", {})
    return Reference(
        R_GP, origin, template, legs, findings, with_functional(steps, person.functional)
    )


def _stored_far(side: str, distance_mm: float) -> Finding:
    """Return that a hip centre which the file stores is too far from the regression to be used."""
    message = (
        f"the {side} hip centre of the file lies {distance_mm:.0f} mm from Harrington's regression,"
        " which is used instead: the centre is wrong, or markers of the pelvis are"
    )
    return Finding(
        "warning", "stored-centre-far", f"{side} hip", message, distance_mm, side=side, joint="hip"
    )


def _pelvis(places: dict[str, Array]) -> tuple[Array, Array, Array, str]:
    """Return axes and origin of the pelvis, the point behind it, and the rung."""
    if not {"LASI", "RASI"} <= set(places):
        message = "the markers LASI and RASI are never seen; name a standing trial with --static"
        raise ModelNotFound(message)
    if {"LPSI", "RPSI"} <= set(places):
        back, name = 0.5 * (places["LPSI"] + places["RPSI"]), "asis-psis"
    elif "SACR" in places:
        back, name = places["SACR"], "asis-sacrum"
    else:
        message = "neither LPSI and RPSI nor SACR are seen; name a standing trial with --static"
        raise ModelNotFound(message)
    R_GP, origin = pelvis_frame(places["LASI"], places["RASI"], back)
    return R_GP, origin, back, name


def _with_source(step: Taken, posture: Posture) -> Taken:
    """Return a rung with the recording of its landmarks: the walk if it shows all of them."""
    seen = "static" if set(step.landmarks) - posture.in_walk else "walk"
    if not step.landmarks:
        seen = "static" if posture.in_static else "walk"
    return replace(step, seen_in=seen)


def _leg(
    posture: Posture, model: MarkerModel, side: Side, above: tuple[Array, Array], person: Person
) -> tuple[ReferenceLeg, list[Taken]]:
    """Return one leg in the reference position, and the rungs used."""
    places, letter, (hip, R_GP) = posture.places, LETTER[side], above
    sign = -SIGN[side]
    at_knee, at_ankle = half_widths(person.subject, side)
    right = posture.axis(f"{side} thigh", R_GP[:, 2])
    around = (hip, sign * right, at_knee)
    knee = find_joint("knee", places, side, around, model.rungs.get("knee", ()))
    if f"knee_{side}" in person.functional:
        knee = on_axis(knee, person.functional[f"knee_{side}"], places, sign * right)
    z_knee = right if knee.outward is None else sign * knee.outward
    thigh = axes_of_line(knee.centre, hip, z_knee)
    z_knee = posture.axis(f"{side} shank", thigh[:, 2] if knee.outward is not None else z_knee)
    if not np.isfinite(z_knee).all():
        z_knee = right
    around = (knee.centre, sign * z_knee, at_ankle)
    ankle = find_joint("ankle", places, side, around, model.rungs.get("ankle", ()))
    z_ankle = z_knee if ankle.outward is None else sign * ankle.outward
    shank = axes_of_line(ankle.centre, knee.centre, z_ankle)
    z_foot = posture.axis(f"{side} foot", shank[:, 2])
    stored = person.stored.get(side)
    feet = model.rungs.get("foot", ())
    moving = bool(posture.turns)
    foot = find_foot(places, side, (ankle.centre, z_foot), stored, feet, moving=moving)
    malleolus = places.get(letter + "ANK")
    joints = {"@hip": hip, "@knee": knee.centre, "@ankle": ankle.centre}
    axis: ShankAxis = "malleoli" if ankle.outward is not None else "knee"
    if ankle.outward is None and knee.outward is None:
        axis = "pelvis"
    leg = ReferenceLeg(
        side=side,
        hip=hip,
        knee=knee.centre,
        ankle=ankle.centre,
        heel=foot.heel,
        toe=foot.toe,
        malleolus=ankle.centre if malleolus is None else malleolus,
        axes=(foot.axes, shank, thigh),
        template=(
            tracking_template(places, model, "foot", letter, joints),
            tracking_template(places, model, "shank", letter, joints),
            tracking_template(places, model, "thigh", letter, joints),
        ),
        shank_axis=axis,
    )
    return leg, _steps(side, posture, (knee, ankle, foot))


def _steps(
    side: Side, posture: Posture, parts: tuple[JointRung, JointRung, FootFound]
) -> list[Taken]:
    """Return the rungs of knee, ankle and foot; a part without a rung has what it lacks."""
    steps: list[Taken] = []
    places: tuple[Place, Place, Place] = ("knee", "ankle", "foot")
    for place, part in zip(places, parts, strict=True):
        if part.rung is None:
            steps.append(not_found(place, side, posture.places))
        else:
            steps.append(_with_source(taken(part.rung, side, ""), posture))
    return steps


def _coarse(steps: list[Taken]) -> list[Finding]:
    """Return a finding for each joint that is not found or uses a coarse rung."""
    findings = []
    for step in steps:
        joint = f"{step.side} {step.place}"
        if not step.rung and step.place != "foot":
            message = (
                f"{joint}: no marker shows its centre ({step.rule}); what needs it stays empty"
            )
            findings.append(Finding("warning", "centre-unknown", joint, message))
        elif not step.rung:
            message = (
                f"{joint}: its axes are not known ({step.rule}); what needs them stays empty, its"
                " mass moves with the shank"
            )
            findings.append(Finding("warning", "centre-unknown", joint, message))
        elif step.coarse and step.place != "foot":
            label = step.landmarks[0]
            message = (
                f"{joint}: no medial marker, no stored centre and no width; the centre is"
                f" {step.rule} ({label}), so what needs it is coarse"
            )
            findings.append(Finding("warning", "centre-usual", label, message))
        elif step.coarse:
            message = f"{joint}: {step.rule}; its angles are coarse"
            findings.append(Finding("warning", "foot-coarse", joint, message))
    return findings
