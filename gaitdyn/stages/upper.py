"""Compute trunk, head and arms of a trial that has their markers; other trials import nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.clean.smoothing import smooth
from gaitdyn.clean.wild import without_wild
from gaitdyn.core.rotations import rotate
from gaitdyn.core.runs import longest_inside
from gaitdyn.errors import FileRefused
from gaitdyn.stages.loads import body_of_leg
from gaitdyn.stages.motion import Motion, marker_filter
from gaitdyn.types.findings import Finding
from gaitdyn.types.subject import SIDE_OF

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.stages.body import SubjectBody
    from gaitdyn.stages.session import Session
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Recording
    from gaitdyn.types.result import Side
    from gaitdyn.types.trial import Trial
    from gaitdyn.types.upper import UpperBody
    from gaitdyn.upper.newton import Load

NEEDED = frozenset({"CLAV", "C7"})
VERTEBRAE = ("T10", "T8", "T9", "T11", "T7", "T12")
"""The first one present is used as T10; with T8 the thorax is that of Wu et al. 2005 (J Biomech
38:981-992)."""

ONE_OF = frozenset({"STRN", *VERTEBRAE})


def has_upper(session: Session, motion: Motion) -> bool:
    """Return whether the markers of a trial define the axes of the thorax."""
    return not motion.pose.planar and shows_thorax(session.trial.labels)


def shows_thorax(labels: Iterable[str]) -> bool:
    """Return whether markers with these names define the axes of the thorax.

    Parameters
    ----------
    labels : iterable of str
        Our names.
    """
    named = set(labels)
    return named >= NEEDED and not named.isdisjoint(ONE_OF)


def find_upper(
    session: Session,
    body: SubjectBody,
    motion: Motion,
    sides: dict[str, Side],
    options: Options,
    travel: dict[str, Array],
) -> UpperBody | None:
    """Return the upper body of a trial; None if no markers define a thorax.

    Parameters
    ----------
    session : Session
    body : SubjectBody
    motion : Motion
    sides : dict
        Angles, wrenches and loads of the legs.
    options : Options
    travel : dict
        Side -> how far the ground below the foot has moved, shape (n, 3), m; empty on the floor.
    """
    if session.model.engine == "poses":
        return _of_poses(session, motion, options)
    if not has_upper(session, motion):
        return None
    from gaitdyn.upper.markers import build_pose

    vendor = options.profile == "plug-in-gait"
    static_trial = session.whole_static if vendor else session.static
    static = None if static_trial is None else _with_t10(static_trial)[0]
    named, notes = _with_t10(session.trial)
    trial, wild = _without_wild(named, options.longest_gap_s)
    pose = build_pose(_filtered(trial, options), static, body.subject, vendor=vendor)
    pose.findings += [*notes, *wild]
    legs = {side: body_of_leg(side, body, motion, options, 1.0) for side in sides}
    hips = _hips(sides)
    if vendor:
        from gaitdyn.upper.vendor_body import vendor_upper

        return vendor_upper(pose, motion.pose, body.subject, session.trial.recording, legs, hips)
    from gaitdyn.upper.whole_body import Given, whole_body

    rate = session.trial.rate_hz
    given = Given(
        pose=motion.pose,
        bodies=legs,
        hips=hips,
        feet={side: motion.feet[side] for side in sides},
        rate_hz=rate,
        edge=marker_filter(options, rate).reach,
        isb=options.shoulder == "isb",
        ground={side: np.gradient(moved, 1.0 / rate, axis=0) for side, moved in travel.items()},
    )
    return whole_body(pose, given, body.subject)


def _of_poses(session: Session, motion: Motion, options: Options) -> UpperBody | None:
    """Return the angles of trunk and head of segment poses; None if no trunk is stored.

    Loads are not computed: they need the position of mass above the hips, which poses do not show.
    """
    poses = session.trial.recording.poses
    if poses is None or "thorax" not in poses.segments:
        return None
    from gaitdyn.kinematics.poses import smooth_poses
    from gaitdyn.types.upper import HeadPose, UpperBody, UpperPose
    from gaitdyn.upper.angles import upper_angles

    segments = [name for name in ("thorax", "head") if name in poses.segments]
    rotations = np.stack([poses.rotation(name) for name in segments], axis=1)
    origins = np.stack([poses.origin(name) for name in segments], axis=1)
    filter_ = marker_filter(options, session.trial.rate_hz)
    R_LS, origin_L, _ = smooth_poses(rotations, origins, filter_)
    R, origin = session.trial.R_GL @ R_LS, origin_L @ session.trial.R_GL.T
    head = HeadPose(R[:, 1], origin[:, 1], 0.0, 0.0) if len(segments) > 1 else None
    upper = UpperPose(R[:, 0], origin[:, 0], np.full_like(origin[:, 0], np.nan), head)
    message = (
        f"{' and '.join(segments)}: angles by the axes of {poses.title.partition(':')[0]}, without"
        " arms, loads and the centre of mass of the body"
    )
    return UpperBody(
        upper,
        upper_angles(upper, motion.pose),
        findings=(Finding("info", "upper-body-partial", "upper body", message),),
        words={name: f"axes of the {name} as the file stores them" for name in segments},
    )


def _with_t10(trial: Trial) -> tuple[Trial, list[Finding]]:
    """Return the trial with another vertebra named T10 if T10 has no marker."""
    vertebra = next((name for name in VERTEBRAE if name in trial.labels), "T10")
    if vertebra == "T10":
        return trial, []
    message = f"thorax: {vertebra} is used for T10, which has no marker"
    labels = tuple("T10" if label == vertebra else label for label in trial.labels)
    finding = Finding("info", "thorax-other-vertebra", "thorax", message)
    return replace(trial, labels=labels), [finding]


def _without_wild(trial: Trial, filled_s: float) -> tuple[Trial, list[Finding]]:
    """Return the markers of the upper body, without positions that no limb can reach.

    The findings do not affect the legs. They are information if all removed samples are filled.
    """
    from gaitdyn.upper.markers import wanted_labels

    labels = tuple(wanted_labels(trial.labels))
    upper = replace(
        trial, labels=labels, markers_G=trial.markers_G[:, [trial.labels.index(x) for x in labels]]
    )
    in_G = replace(trial.recording, labels=labels, markers_L=upper.markers_G)
    try:
        tame, wild = without_wild(in_G, dict(enumerate(labels)), walking=True)
    except FileRefused as refused:
        finding = Finding("info", "recording-jumps", "upper body", f"trunk and arms: {refused}")
        return replace(upper, markers_G=np.full_like(upper.markers_G, np.nan)), [finding]
    findings = [_upper_finding(finding, tame, filled_s) for finding in wild]
    return replace(upper, markers_G=tame.markers_L), findings


def _upper_finding(finding: Finding, tame: Recording, filled_s: float) -> Finding:
    """Return a finding as one on an upper-body marker, as information if it needs no action."""
    if finding.scope not in tame.labels:
        return replace(finding, level="info")
    visible = ~np.isnan(tame.marker(finding.scope)[:, 0])
    if longest_inside(visible) <= filled_s * tame.rate_hz:
        return replace(finding, level="info")
    side = SIDE_OF.get(finding.scope[:1])
    return replace(finding, code="upper-marker", side=side, value=None)


def _filtered(trial: Trial, options: Options) -> Trial:
    """Return the trial with its markers filtered like those of the legs."""
    filter_ = marker_filter(options, trial.rate_hz)
    if filter_.cutoff_hz is None and not filter_.longest_gap_s:
        return trial
    return replace(trial, markers_G=smooth(trial.markers_G, filter_)[0])


def _hips(sides: dict[str, Side]) -> dict[str, tuple[Load, Mask]]:
    """Return the load of the pelvis on each thigh at the hip, and the frames to publish."""
    from gaitdyn.upper.newton import Load

    hips = {}
    for side, leg in sides.items():
        if leg.kinetics is not None:
            loads, shown = leg.kinetics.loads, leg.kinetics.published[:, 2]
            chain = loads.chain
            moment = rotate(chain.R_GS[:, 2], loads.moment_S[:, 2])
            hips[side] = (Load(loads.force_G[:, 2], moment, chain.r_prox_G[:, 2]), shown)
    return hips
