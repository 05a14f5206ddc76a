"""Joint centres and axes from landmarks in a reference position, carried by tracking markers.

In the reference (a static trial, or a frame of the trial itself in which everything is seen) the
landmarks give joint centres and segment axes; in every other frame the markers that track a
segment carry them along as a rigid body (Cappozzo et al. 1995, Clin Biomech 10:171-178).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitdyn.calibrate.hip_choice import OWN_RULE, hip_offsets_P
from gaitdyn.calibrate.joint_centres import pelvis_frame
from gaitdyn.calibrate.markers import LETTER
from gaitdyn.core.rigid import SMALLEST_CLUSTER, move, rigid_motion
from gaitdyn.core.rotations import columns, cross, unit
from gaitdyn.core.runs import known_points
from gaitdyn.errors import ModelNotFound
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.marker_model import MarkerModel
from gaitdyn.types.motion import LegPose, Pose
from gaitdyn.types.subject import SIDES, Side, Subject
from gaitdyn.types.trial import Trial


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceLeg:
    """Landmarks of one leg in the reference position, G, m; axes as columns.

    ``template`` holds the tracking markers of foot, shank and thigh with their labels.
    """

    side: Side
    hip: Array
    knee: Array
    ankle: Array
    heel: Array
    toe: Array
    malleolus: Array
    axes: tuple[Array, Array, Array]
    template: tuple[tuple[tuple[str, ...], Array], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """The pelvis and the legs in the reference position, and the labels that it shows."""

    R_GP: Array
    origin: Array
    pelvis: tuple[tuple[str, ...], Array]
    legs: dict[str, ReferenceLeg]
    findings: list[Finding]
    seen: tuple[str, ...] = ()


def reference_positions(trial: Trial, needed: list[str], *, standing: bool) -> dict[str, Array]:
    """Return one position a marker: the mean of a static, or the best frame of a trial.

    Parameters
    ----------
    trial : Trial
    needed : list of str
        Markers that must be seen.
    standing : bool
        The trial is a static, whose markers stay where they are.

    Raises
    ------
    ModelNotFound
        When no frame of a moving trial shows all of them.
    """
    known = known_points(trial.markers_G)
    if standing:
        seen = known.any(axis=0)
        means = [np.nanmedian(trial.markers_G[:, i], axis=0) for i in np.flatnonzero(seen)]
        return dict(zip((trial.labels[i] for i in np.flatnonzero(seen)), means, strict=True))
    at = [trial.labels.index(label) for label in needed]
    score = known.sum(axis=1) * known[:, at].all(axis=1)
    if not score.max():
        message = (
            f"{trial.recording.name}: there is no frame in which {', '.join(needed)} are all seen,"
            " and no static; name a standing trial with --static"
        )
        raise ModelNotFound(message)
    best = np.flatnonzero(score == score.max())
    frame = int(best[len(best) // 2])
    return {x: trial.markers_G[frame, i] for i, x in enumerate(trial.labels) if known[frame, i]}


def needed_labels(labels: tuple[str, ...], sides: list[str]) -> list[str]:
    """Return the landmarks that the reference of these legs cannot do without."""
    have = set(labels)
    back = ["LPSI", "RPSI"] if {"LPSI", "RPSI"} <= have else ["SACR"]
    needed = ["LASI", "RASI", *back]
    for side in sides:
        letter = LETTER[side]
        pairs = (("KJC", "KNE"), ("AJC", "ANK"), ("TOE", "MT1", "MT5"), ("HEE",))
        needed += [
            letter + next(x for x in p if letter + x in have)
            for p in pairs
            if _any(p, letter, have)
        ]
    return needed


def _any(roles: tuple[str, ...], letter: str, have: set[str]) -> bool:
    return any(letter + role in have for role in roles)


def build_reference(
    trial: Trial,
    model: MarkerModel,
    sides: list[str],
    subject: Subject,
    *,
    standing: bool,
    hip: str = OWN_RULE,
) -> Reference:
    """Return joint centres, axes and tracking templates in the reference position.

    Parameters
    ----------
    trial : Trial
        A static, or the trial itself.
    model : MarkerModel
    sides : list of {"left", "right"}
    subject : Subject
        Marker diameter, and leg lengths where the rule of the hip asks for them.
    standing : bool
    hip : str
        Rule of the hip centres; the model's own is the file's virtual marker, else Harrington.
    """
    places = reference_positions(trial, needed_labels(trial.labels, sides), standing=standing)
    back = places.get("SACR")
    if {"LPSI", "RPSI"} <= set(places):
        back = 0.5 * (places["LPSI"] + places["RPSI"])
    assert back is not None  # noqa: S101  needed_labels asked for it
    R_GP, origin = pelvis_frame(places["LASI"], places["RASI"], back)
    findings: list[Finding] = []
    width = float(np.linalg.norm(places["LASI"] - places["RASI"]))
    depth = float(np.linalg.norm(origin - back))
    own: list[Side] = [side for side in SIDES if side in sides]
    rule = "harrington" if hip == OWN_RULE else hip
    hips_P = hip_offsets_P(rule, subject, width, depth, own)
    legs = {}
    for side in own:
        stored = places.get(LETTER[side] + "HJC") if hip == OWN_RULE else None
        centre = origin + R_GP @ hips_P[side] if stored is None else stored
        legs[side] = _reference_leg(places, model, side, (centre, R_GP), findings)
    return Reference(
        R_GP, origin, _template(places, model, "pelvis", "", {}), legs, findings, tuple(places)
    )


def _reference_leg(
    places: dict[str, Array],
    model: MarkerModel,
    side: Side,
    above: tuple[Array, Array],
    findings: list[Finding],
) -> ReferenceLeg:
    letter, (hip, R_GP) = LETTER[side], above
    sg = 1.0 if side == "left" else -1.0

    def place(role: str) -> Array | None:
        return places.get(letter + role)

    right = R_GP[:, 2]
    knee, knee_axis = _centre(places, side, ("KJC", "KNE", "KNM"), findings)
    ankle, ankle_axis = _centre(places, side, ("AJC", "ANK", "MED"), findings)
    thigh = _limb(hip, knee, right if knee_axis is None else -sg * knee_axis)
    if ankle_axis is None:
        ankle_axis = knee_axis
    shank = _limb(knee, ankle, right if ankle_axis is None else -sg * ankle_axis)
    heel, toe = place("HEE"), place("TOE")
    if toe is None:
        first, fifth = place("MT1"), place("MT5")
        toe = first if fifth is None else fifth if first is None else 0.5 * (first + fifth)
    assert heel is not None  # noqa: S101  the match asked for both
    assert toe is not None  # noqa: S101
    x = unit(toe - heel)
    y = unit(cross(shank[:, 2], x))
    foot = columns(x, y, cross(x, y))
    malleolus = place("ANK")
    joints = {"@hip": hip, "@knee": knee, "@ankle": ankle}
    return ReferenceLeg(
        side=side,
        hip=hip,
        knee=knee,
        ankle=ankle,
        heel=heel,
        toe=toe,
        malleolus=ankle if malleolus is None else malleolus,
        axes=(foot, shank, thigh),
        template=tuple(
            _template(places, model, segment, letter, joints)
            for segment in ("foot", "shank", "thigh")
        ),
    )


def _centre(
    places: dict[str, Array], side: Side, roles: tuple[str, str, str], findings: list[Finding]
) -> tuple[Array, Array | None]:
    """Return a joint centre and the axis from it to the lateral marker, None if not known.

    The centre is the stored one, or the middle of the lateral and the medial marker, or else the
    lateral marker itself, which a finding says.
    """
    stored, lateral, medial = (places.get(LETTER[side] + role) for role in roles)
    if stored is not None:
        other = lateral if lateral is not None else None
        if other is None and medial is not None:
            other = 2 * stored - medial
        return stored, None if other is None else unit(other - stored)
    joint = "knee" if roles[1] == "KNE" else "ankle"
    if lateral is None:
        message = f"{side} {joint}: no marker shows its centre; what needs it stays empty"
        findings.append(Finding("warning", "centre-unknown", f"{side} {joint}", message))
        return np.full(3, np.nan), None
    if medial is not None:
        return 0.5 * (lateral + medial), unit(lateral - medial)
    label = LETTER[side] + roles[1]
    message = (
        f"{side} {joint}: no medial marker and no stored centre;"
        f" the marker {label} stands for the joint centre, angles and moments are coarse"
    )
    findings.append(Finding("warning", "centre-is-marker", label, message))
    return lateral, None


def _limb(proximal: Array, distal: Array, rightwards: Array) -> Array:
    """Return limb axes: y along the bone, x forward, z as near as can be to the axis given."""
    y = unit(proximal - distal)
    x = unit(cross(y, rightwards))
    return columns(x, y, cross(x, y))


def _template(
    places: dict[str, Array],
    model: MarkerModel,
    segment: str,
    letter: str,
    joints: dict[str, Array],
) -> tuple[tuple[str, ...], Array]:
    """Return the tracking markers of a segment that the reference shows, and their places.

    Raises
    ------
    ModelNotFound
        When pelvis or thigh has fewer than three; a shank or a foot with fewer stays empty.
    """
    names = [name.replace("{s}", letter) for name in model.tracking.get(segment, ())]
    found = {n: joints.get(n, places.get(n)) for n in names}
    shown = {n: p for n, p in found.items() if p is not None and np.isfinite(p).all()}
    if len(shown) < SMALLEST_CLUSTER and segment in ("pelvis", "thigh"):
        message = (
            f"the {segment} {letter} is tracked by {', '.join(shown) or 'no marker'}, wanted three"
            f" of {', '.join(names)}; describe the markers with --model FILE.toml"
        )
        raise ModelNotFound(message)
    return tuple(shown), np.array(list(shown.values())).reshape(-1, 3)


@dataclass(frozen=True, slots=True, eq=False)
class TrackedLegs:
    """The pose of a moving trial, heel and toe of each foot, and the residuals of the clusters."""

    R_GP: Array
    origin_G: Array
    legs: dict[str, LegPose]
    feet: dict[str, tuple[Array, Array]]
    findings: list[Finding]


def track(trial: Trial, reference: Reference) -> TrackedLegs:
    """Return pelvis and legs of a moving trial; a segment with too few markers is NaN there.

    Parameters
    ----------
    trial : Trial
        Filtered markers.
    reference : Reference
    """
    findings: list[Finding] = []
    R, t = _motion(trial, reference.pelvis, {}, "pelvis", findings)
    legs, feet = {}, {}
    for side, leg in reference.legs.items():
        joints = {"@hip": move(R, t, leg.hip)}
        names = f"{side} foot", f"{side} shank", f"{side} thigh"
        thigh = _motion(trial, leg.template[2], joints, names[2], findings)
        joints["@knee"] = move(*thigh, leg.knee)
        shank = _motion(trial, leg.template[1], joints, names[1], findings)
        joints["@ankle"] = move(*shank, leg.ankle)
        foot = _motion(trial, leg.template[0], joints, names[0], findings)
        turns = (foot[0] @ leg.axes[0], shank[0] @ leg.axes[1], thigh[0] @ leg.axes[2])
        centres = (joints["@ankle"], joints["@knee"], joints["@hip"])
        legs[side] = LegPose(leg.side, np.stack(turns, axis=1), np.stack(centres, axis=1))
        moved = move(*foot, leg.heel), move(*foot, leg.toe)
        feet[side] = _seen_or(trial, side, "HEE", moved[0]), _seen_or(trial, side, "TOE", moved[1])
    return TrackedLegs(R @ reference.R_GP, move(R, t, reference.origin), legs, feet, findings)


def _seen_or(trial: Trial, side: str, role: str, moved: Array) -> Array:
    """Return where a foot's landmark was carried, or the marker itself where that is not known."""
    label = LETTER[side] + role
    if label not in trial.labels:
        return moved
    return np.where(np.isfinite(moved), moved, trial.marker(label))


def _motion(
    trial: Trial,
    template: tuple[tuple[str, ...], Array],
    joints: dict[str, Array],
    name: str,
    findings: list[Finding],
) -> tuple[Array, Array]:
    labels, shape = template
    n = len(trial.markers_G)
    if len(labels) < SMALLEST_CLUSTER:
        return np.full((n, 3, 3), np.nan), np.full((n, 3), np.nan)
    empty = np.full((n, 3), np.nan)
    points = np.stack(
        [
            joints[label] if label in joints
            else trial.marker(label) if label in trial.labels else empty
            for label in labels
        ],
        axis=1,
    )  # fmt: skip
    R, t, residual = rigid_motion(shape, points)
    for i, label in enumerate(labels):
        seen = residual[np.isfinite(residual[:, i]), i]
        if label in joints:  # a joint centre carried by its neighbour, no marker to relabel
            continue
        if seen.size:
            rms = 1000 * float(np.sqrt((seen**2).mean()))
            message = f"{label} moves by {rms:.0f} mm (root mean square) against the {name}"
            findings.append(Finding("warning", "cluster-residual", label, message, rms))
    return R, t


def tracked_pose(tracked: TrackedLegs, walking_G: Array) -> Pose:
    """Return the pose for the rest of the pipeline; a leg that is not tracked is NaN."""
    n = len(tracked.origin_G)
    left, right = (
        tracked.legs.get(
            side, LegPose(side, np.full((n, 3, 3, 3), np.nan), np.full((n, 3, 3), np.nan))
        )
        for side in SIDES
    )
    return Pose(tracked.R_GP, tracked.origin_G, left, right, walking_G)
