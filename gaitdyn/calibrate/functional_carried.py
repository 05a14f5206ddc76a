"""Functional hip centres and knee axes, carried to the walk and compared with its default rules."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gaitdyn.calibrate.ladder.rules import JointRung
from gaitdyn.calibrate.plug_in_gait.joint_centres import pelvis_frame
from gaitdyn.calibrate.plug_in_gait.markers import inter_asis_distance, sacrum
from gaitdyn.core.medians import known_median
from gaitdyn.core.rigid import SMALLEST_CLUSTER, move, rigid_motion
from gaitdyn.core.rotations import rotate, rotate_back, unit
from gaitdyn.core.runs import known_mean
from gaitdyn.errors import FunctionalRefused
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.functional import FunctionalFit
from gaitdyn.types.subject import SIGN
from gaitdyn.types.trial import Trial

FAR_M = 0.030
"""A functional centre further than this from Harrington's regression is doubtful."""
_MISFIT_M = 0.012
"""Root mean square distance above which markers of two recordings are not in the same places."""
_BOX = {"forward": (-0.100, -0.020), "down": (0.050, 0.130), "outward": (0.060, 0.120)}
"""Range of the hip centres of adults from the midpoint of the ASIS, m."""
_ADULT_WIDTH_M = 0.24
"""Distance of the ASIS from which the range is that of adults."""


def hip_in_pelvis(found: FunctionalFit, trial: Trial, *, psis: bool) -> Array:
    """Return a functional hip centre from the midpoint of the ASIS in pelvis axes, shape (3,), m.

    It is carried by the pelvis markers that both recordings share; mean over the frames.

    Parameters
    ----------
    found : FunctionalFit
    trial : Trial
        The static, or the walk.
    psis : bool
        Whether the PSIS, if present, set the axes of the pelvis; otherwise a sacrum marker goes
        before them, as in the vendor's model.

    Raises
    ------
    FunctionalRefused
        If the recordings share fewer than three markers of the pelvis, if these are in other
        places, or if the centre is outside the range of hips.
    """
    R, t = carried(found, {x: trial.marker(x) for x in trial.labels}, trial.recording.name)
    back = sacrum(trial)
    if psis and {"LPSI", "RPSI"} <= set(trial.labels):
        back = 0.5 * (trial.marker("LPSI") + trial.marker("RPSI"))
    R_GP, origin = pelvis_frame(trial.marker("LASI"), trial.marker("RASI"), back)
    offset = known_mean(rotate_back(R_GP, move(R, t, found.point) - origin))
    _refuse_outlier(found, offset, inter_asis_distance(trial))
    return offset


def axis_in(
    found: FunctionalFit, places: Mapping[str, Array], outward: Array, name: str
) -> tuple[Array, Array]:
    """Return a point of a functional axis and its direction away from the body, in every frame.

    Parameters
    ----------
    found : FunctionalFit
    places : mapping
        Marker -> array, shape (n, 3), m.
    outward : array, shape (3,) or (n, 3)
        Roughly away from the midline of the body.
    name : str
        Of the recording.

    Returns
    -------
    point, direction : arrays, shape (n, 3)

    Raises
    ------
    FunctionalRefused
        If fewer than three of its thigh markers are present, or these are in other places.
    """
    R, t = carried(found, places, name)
    direction = rotate(R, found.axis)
    sense = np.sign(np.sum(direction * outward, axis=-1, keepdims=True))
    return move(R, t, found.point), sense * direction


def carried(found: FunctionalFit, places: Mapping[str, Array], name: str) -> tuple[Array, Array]:
    """Return the motion from the frame of a functional result to another recording.

    Parameters
    ----------
    found : FunctionalFit
    places : mapping
        Marker -> array, shape (n, 3), m.
    name : str
        Of the recording.

    Returns
    -------
    R, t : arrays, shape (n, 3, 3) and (n, 3)

    Raises
    ------
    FunctionalRefused
        If they share fewer than three markers, or these are in other places on the segment.
    """
    shared = [i for i, label in enumerate(found.labels) if label in places]
    names = [found.labels[i] for i in shared]
    segment = "pelvis" if found.joint == "hip" else "thigh"
    option = f"--functional {found.joint}_{found.side}={found.name}"
    if len(shared) >= SMALLEST_CLUSTER:
        points = np.stack([np.reshape(places[x], (-1, 3)) for x in names], axis=1)
        R, t, residual = rigid_motion(found.places[shared], points)
        misfit = float(np.sqrt(np.nanmean(residual**2))) if np.isfinite(residual).any() else np.nan
        if misfit <= _MISFIT_M:
            return R, t
        problem = (
            "are never visible together" if np.isnan(misfit) else f"fit to {1000 * misfit:.0f} mm"
        )
        raise FunctionalRefused(
            f"{option}: found {', '.join(names)} that {problem} in {name}; wanted the same markers"
            f" in the same places ({1000 * _MISFIT_M:g} mm); record it in the same session"
        )
    raise FunctionalRefused(
        f"{option}: found {', '.join(names) or 'no marker'} of its {segment}"
        f" ({', '.join(found.labels)}) in {name}; wanted three of them; name a static that shows"
        " the markers of both with --static"
    )


def _refuse_outlier(found: FunctionalFit, offset: Array, width_m: float) -> None:
    """Refuse a centre outside the range of hips; the near limits shrink with a small pelvis."""
    scale = min(1.0, width_m / _ADULT_WIDTH_M)
    parts = {"forward": offset[0], "down": -offset[1], "outward": -SIGN[found.side] * offset[2]}
    for word, (low, high) in _BOX.items():
        least, most = (low, high * scale) if word == "forward" else (low * scale, high)
        if not least <= parts[word] <= most:
            centre = ", ".join(f"{1000 * value:.0f} {word}" for word, value in parts.items())
            raise FunctionalRefused(
                f"--functional hip_{found.side}={found.name}: found a centre {centre} mm from the"
                f" middle of the ASIS; wanted {1000 * least:.0f} to {1000 * most:.0f} mm {word}, as"
                " hips are; record the movement of this hip, or leave the option out"
            )


def beside_condyles(
    found: FunctionalFit, trial: Trial, lateral: str, medial: str
) -> tuple[float, float]:
    """Return the angle between a knee axis and the line of the condyles, rad, and a distance, m.

    The distance is that of the midpoint of both markers from the axis; both are medians over the
    frames.

    Parameters
    ----------
    found : FunctionalFit
    trial : Trial
        The static, or the walk.
    lateral, medial : str
        Labels of the markers on the condyles.
    """
    places = {label: trial.marker(label) for label in trial.labels}
    outer, inner = places[lateral], places[medial]
    point, axis = axis_in(found, places, outer - inner, trial.recording.name)
    cosine = np.clip(np.sum(axis * unit(outer - inner), axis=1), -1.0, 1.0)
    arm = 0.5 * (outer + inner) - point
    off = arm - np.sum(arm * axis, axis=1, keepdims=True) * axis
    return known_median(np.arccos(cosine)), known_median(np.linalg.norm(off, axis=1))


def on_axis(
    knee: JointRung, fit: FunctionalFit, places: Mapping[str, Array], outward: Array
) -> JointRung:
    """Return a knee moved to a functional axis: its centre becomes the nearest point of the axis.

    Parameters
    ----------
    knee : JointRung
        From markers.
    fit : FunctionalFit
    places : mapping
        Marker -> position in the reference position.
    outward : array, shape (3,)
        Roughly away from the midline of the body.
    """
    point, direction = axis_in(fit, places, outward, "the reference")
    centre = point[0] + ((knee.centre - point[0]) @ direction[0]) * direction[0]
    return JointRung(centre, direction[0], knee.rung)


def shift_report(
    found: FunctionalFit, at: Array, rules: Mapping[str, Array]
) -> tuple[str, list[Finding]]:
    """Return how far a functional hip centre is from regressions, in words, and the findings.

    Parameters
    ----------
    found : FunctionalFit
    at : array, shape (3,)
        The centre from the midpoint of the ASIS in pelvis axes, m.
    rules : mapping
        Name of a regression -> its centre; first the one that the run would use.
    """
    joint = f"{found.side} hip"
    shifts = []
    for name, centre in rules.items():
        x, y, outward = 1000 * (at - centre)
        outward *= -SIGN[found.side]
        shift = (
            f"{abs(x):.0f} mm {'forward' if x > 0 else 'back'}, {abs(y):.0f} mm"
            f" {'up' if y > 0 else 'down'}, {abs(outward):.0f} mm {'out' if outward > 0 else 'in'}"
        )
        distance = 1000 * float(np.linalg.norm(at - centre))
        shifts.append(f"{distance:.1f} mm from {name} {_in_mm(centre)}: {shift}")
    text = (
        f"{joint}: centre of {found.name} {_in_mm(at)} mm forward, up, right of the middle of the"
        f" ASIS ({found.words}); {'; '.join(shifts)}"
    )
    findings = [Finding("info", "functional-centre", joint, text, 1000 * found.residual_m)]
    usual = rules.get("Harrington")
    far = 0.0 if usual is None else float(np.linalg.norm(at - usual))
    if far > FAR_M:
        message = (
            f"{joint}: the functional centre is {1000 * far:.0f} mm from Harrington's regression,"
            f" {1000 * FAR_M:.0f} mm at most are usual; compare both with --sweep hip=model"
        )
        findings.append(Finding("warning", "functional-far", joint, message, 1000 * far))
    return text, findings


def _in_mm(point: Array) -> str:
    return "({:.0f}, {:.0f}, {:.0f})".format(*(1000 * point))
