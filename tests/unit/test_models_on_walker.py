"""The synthetic walker in the markers of every landmark model that ships, by that model's rules.

Each marker is fixed in the true segment, where the model's own rule wants it: condyles and
malleoli on both sides of the true joint centre, or, in models without medial markers, the lateral
condyle half a width outside it and the lateral malleolus half a usual width; the pelvis markers
where Harrington's regression gives the true hip centres. Angles and moments are those of the true
segments turned, once and for all, to the axes that the model's rule finds in the static: by
nothing where there are medial markers, about the long axis of thigh and shank, and the foot with
it, where there are none.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.calibrate.models.files import shipped_models
from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic import Course, Recording, Walk, Walker, write_trial
from gaitdyn.synthetic.body import foot_points, sign
from gaitdyn.synthetic.gait import quiet_stance
from gaitdyn.types.options import Options
from tests.unit.walker_roles import CORNERS, pelvis_points
from tests.walks import curve_values, stand, true_columns, walk

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.types.marker_model import MarkerModel

MODELS = {model.name: model for model in shipped_models() if model.engine == "landmarks"}
FAST = Recording(rate_hz=200.0, analog_ratio=5, marker_diameter=True)
MIDDLE = Walker(course=Course(start_m=(-2.2, 0.0, 0.0)))
LIMITS = {"ankle": 0.01, "knee": 0.1, "hip": 0.3}  # N m, issue of the marker models
ANKLE_ROTATION = 7  # row of Gait.leg_angles
CRESTS = {"LICR": (-0.05, 0.06, -0.13), "RICR": (-0.05, 0.06, 0.13)}
ASKED_FOR = ("cgm2",)  # its files have the markers of Plug-in Gait too


def has(model: MarkerModel, role: str) -> bool:
    return "L" + role in model.labels


def ankle_is_shown(model: MarkerModel) -> bool:
    return has(model, "MED") or has(model, "AJC")


def outside_the_foot(model: MarkerModel) -> bool:
    """Return whether heel and toe markers stand on the lateral side of the foot."""
    return has(model, "MT5") and not (has(model, "MT1") or has(model, "TOE"))


def leg_markers(model: MarkerModel, trial: Walk, still: Walk, side: Any) -> dict[str, Any]:
    motion, body = trial.leg(side).motion, trial.walker.body
    foot, shank, thigh = np.moveaxis(motion.R_GS, 1, 0)
    ankle, knee, _ = np.moveaxis(motion.r_prox_G, 1, 0)
    out = np.array([0.0, 0.0, -sign(side)])
    points = {"KJC": knee, "AJC": ankle}
    knee_out, across = 0.055, out
    if not (has(model, "KNM") or has(model, "KJC")):  # half a width along the axis of the rule
        knee_out = body.joint_to_marker_m(side, "knee")
        across = turns(model, still, side)[2, :, 2] * out[2]
    aside = outside_the_foot(model)
    ankle_out = body.joint_to_marker_m(side, "ankle") * out
    if not ankle_is_shown(model):
        ankle_out = np.linalg.norm(ankle_out) * turns(model, still, side)[1, :, 2] * out[2]
    arm = thigh @ (knee_out * across)
    points |= {"KNE": knee + arm, "KNM": knee - arm}
    points |= {"ANK": ankle + shank @ ankle_out, "MED": ankle - shank @ ankle_out}
    ends = foot_points(body, side)
    apart = np.array([0.0, 0.0, 0.04])
    points["HEE"], points["TOE"] = (ankle + foot @ ends[name] for name in ("heel", "toe"))
    points["MT1"] = ankle + foot @ (ends["toe"] + apart * sign(side))
    points["MT5"] = ankle + foot @ (ends["toe"] - apart * sign(side))
    given = {*points, "ASI", "PSI", "HJC", "ICR"}
    if aside:
        shift = foot @ ends["ankle_marker"]
        points["HEE"] = points["HEE"] + shift
        points["MT5"] = points["TOE"] + shift
    others = sorted({label[1:] for label in model.labels if label[0] in "LR"} - given)
    for role, place in zip(others, itertools.cycle(CORNERS)):
        on_foot = "{s}" + role in model.tracking["foot"]
        on_thigh = "{s}" + role in model.tracking["thigh"]
        centre, R = (knee, thigh) if on_thigh else (ankle, foot if on_foot else shank)
        points[role] = centre + R @ (np.array(place) * (0.3 if on_foot else 1.0))
    if not has(model, "KNM") and has(model, "THI"):  # the wand stands on the axis of the knee
        points["THI"] = knee + thigh @ (0.12 * across + np.array([0.0, 0.15, 0.0]))
    return {side[0].upper() + role: values for role, values in points.items()}


def walker_of(model: MarkerModel) -> Walker:
    """Return a walker whose body and ankles are what the markers of a model can tell.

    Where the malleolus, a marker of the shank, tracks the foot too, the ankle is a hinge. Where
    nobody measured the ankle it is as wide as usual: its marker stands 0.102 of the distance to the
    knee centre outside.
    """
    body, gait = MIDDLE.body, MIDDLE.gait
    if "{s}ANK" in model.tracking["foot"]:
        angles = gait.leg_angles.copy()
        angles[ANKLE_ROTATION] = 0.0
        angles[ANKLE_ROTATION, 0] = quiet_stance().leg_angles[ANKLE_ROTATION, 0]
        gait = replace(gait, leg_angles=angles)
    if not ankle_is_shown(model):
        apart = 1000.0 * body.left.shank_m * 0.102 / np.sqrt(1.0 - 0.102**2)
        body = with_ankles(body, 2.0 * apart - body.marker_diameter_mm)
    return replace(MIDDLE, body=body, gait=gait)


def with_ankles(body: Any, width_mm: float) -> Any:
    left, right = (replace(leg, ankle_width_mm=width_mm) for leg in (body.left, body.right))
    return replace(body, left=left, right=right)


def dressed(model: MarkerModel, trial: Walk, still: Walk) -> Walk:
    """Return the trial in the model's markers, under the labels of its files."""
    points = pelvis_points(trial, (-0.05, -0.09, 0.24) if has(model, "HJC") else None, CRESTS)
    for side in ("left", "right"):
        points |= leg_markers(model, trial, still, side)
    labels = {role: names[0] for role, names in model.labels.items() if role in points}
    parts = [name.partition("|") for name in labels.values()]
    walker = trial.walker
    if not ankle_is_shown(model):  # and the file does not say how wide it is
        walker = replace(walker, body=with_ankles(walker.body, 0.0))
    return replace(
        trial,
        walker=walker,
        labels=tuple(label for label, _, _ in parts),
        descriptions=tuple(text for _, _, text in parts),
        markers_G=np.stack([points[role] for role in labels], axis=1),
    )


def unit(vector: Any) -> Any:
    return vector / np.linalg.norm(vector)


def limb(proximal: Any, distal: Any, right: Any) -> Any:
    """Return axes with y along the bone and z as near as can be to ``right``."""
    y = unit(proximal - distal)
    x = unit(np.cross(y, right))
    return np.stack([x, y, np.cross(x, y)], axis=-1)


def turns(model: MarkerModel, still: Walk, side: Any) -> Any:
    """Return the turns from the true axes of foot, shank, thigh to the model's, (3, 3, 3).

    In the static, by the rules of docs/marker-models.md. Without a medial knee marker z of the
    thigh is the pelvis's, without a medial malleolus z of the shank is the thigh's.
    """
    motion = still.leg(side).motion
    true = motion.R_GS[0]
    foot, shank, thigh = true
    ankle, knee, hip = motion.r_prox_G[0]
    right = thigh[:, 2] if has(model, "KNM") else still.R_GP[0, :, 2]
    found_thigh = limb(hip, knee, right)
    found_shank = limb(knee, ankle, shank[:, 2] if has(model, "MED") else found_thigh[:, 2])
    y = unit(np.cross(found_shank[:, 2], foot[:, 0]))
    found_foot = np.stack([foot[:, 0], y, np.cross(foot[:, 0], y)], axis=-1)
    return np.swapaxes(true, -1, -2) @ np.stack([found_foot, found_shank, found_thigh])


def in_axes_of(model: MarkerModel, trial: Walk, still: Walk) -> Walk:
    """Return the trial with segment axes and moments in the axes that the model determines."""
    legs: dict[str, Any] = {}
    for side in ("left", "right"):
        leg, turn = trial.leg(side), turns(model, still, side)
        moment = (np.swapaxes(turn, -1, -2) @ leg.joints.moment_S[..., None])[..., 0]
        legs[side] = replace(
            leg,
            motion=replace(leg.motion, R_GS=leg.motion.R_GS @ turn),
            joints=replace(leg.joints, moment_S=moment),
        )
    return replace(trial, **legs)


@pytest.fixture(scope="module", params=sorted(MODELS))
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    model = MODELS[request.param]
    folder: Path = tmp_path_factory.mktemp("models")
    walker = walker_of(model)
    trial = walk(walker, FAST)
    still = stand(walker, replace(FAST, gaps=(), events=False))
    write_trial(folder / "walk.c3d", dressed(model, trial, still))
    write_trial(folder / "static.c3d", dressed(model, still, still))
    options = Options(
        static=str(folder / "static.c3d"),
        cutoff_hz=None,
        force_cutoff_hz=None,
        mass_kg=70.0,
        model=model.name if model.name in ASKED_FOR else "auto",
    )
    return model, in_axes_of(model, trial, still), process_trial(folder / "walk.c3d", options)


def worst(case: Any, words: tuple[str, ...]) -> float:
    _, trial, result = case
    columns = true_columns(trial)
    found = curve_values(result)
    errors = []
    for name in columns.names:
        if name in found and all(word in name for word in words):
            known = trial.leg(name.split("_")[0]).known if "moment" in name else True
            difference = np.where(known, found[name] - columns[name], np.nan)[16:-16]
            errors.append(np.nanmax(np.abs(difference)))
    return max(errors)


def test_the_model_is_found_by_its_labels(case: Any) -> None:
    model, _, result = case
    assert result.model == model.name


def test_joint_centres_are_where_the_models_rule_puts_them(case: Any) -> None:
    for joint in ("hip", "knee", "ankle"):
        # coordinates of single precision, 1e-4 mm, through a rigid fit of three markers
        assert worst(case, (joint, "center")) < 2e-3


def test_angles_and_moments_are_true_in_the_axes_of_the_model(case: Any) -> None:
    """If no width is known the marker of the ankle is beside the hinge of the foot."""
    slack = 0.0 if ankle_is_shown(case[0]) else 1.0
    for joint in ("hip", "knee", "ankle"):
        assert worst(case, (joint, "angle")) < 0.01 + slack * (joint == "ankle")
        assert worst(case, (joint, "moment")) < LIMITS[joint] + slack


def test_without_medial_markers_a_warning_says_that_centres_are_coarse(case: Any) -> None:
    model, _, result = case
    codes = {finding.code for finding in result.findings}
    shown = [has(model, "KNM") or has(model, "KJC"), ankle_is_shown(model)]
    assert ("centre-usual" in codes) == (not all(shown))


def test_without_medial_markers_the_model_turns_the_axes_by_degrees() -> None:
    """What the comparison above allows for is nothing with them and 3.4 degrees without."""
    still = stand(MIDDLE, replace(FAST, gaps=(), events=False))
    for model in MODELS.values():
        cosine = (np.trace(turns(model, still, "left")[2]) - 1.0) / 2.0
        found = float(np.degrees(np.arccos(min(cosine, 1.0))))
        wanted = 0.0 if has(model, "KNM") else 3.4
        assert abs(found - wanted) < 0.1


def test_landmarks_of_knee_and_ankle_may_be_in_the_static_alone(tmp_path: Path) -> None:
    model = MODELS["visual3d-hybrid"]
    trial, still = walk(MIDDLE, FAST), stand(MIDDLE, replace(FAST, gaps=(), events=False))
    write_trial(tmp_path / "static.c3d", dressed(model, still, still))
    whole = dressed(model, trial, still)
    gone = {model.labels[s + role][0] for s in "LR" for role in ("KNE", "KNM", "ANK", "MED")}
    kept = [i for i, label in enumerate(whole.labels) if label not in gone]
    labels, markers_G = tuple(whole.labels[i] for i in kept), whole.markers_G[:, kept]
    tracked = replace(whole, labels=labels, markers_G=markers_G, descriptions=())
    write_trial(tmp_path / "walk.c3d", tracked)
    options = Options(
        static=str(tmp_path / "static.c3d"), cutoff_hz=None, force_cutoff_hz=None, mass_kg=70.0
    )
    result = process_trial(tmp_path / "walk.c3d", options)
    assert result.model == model.name
    for joint in ("hip", "knee", "ankle"):
        assert worst((model, trial, result), (joint, "angle")) < 0.01
        assert worst((model, trial, result), (joint, "moment")) < LIMITS[joint]


def test_another_hip_rule_moves_the_hip_of_a_landmark_model_by_what_the_formulas_differ(
    tmp_path: Path,
) -> None:
    """Width alone: x -0.138 PW - 10.4 against -0.19 PW, y -0.305 PW - 10.9, z 0.33 PW + 7.3 mm."""
    model = MODELS["visual3d-hybrid"]
    trial, still = walk(MIDDLE, FAST), stand(MIDDLE, replace(FAST, gaps=(), events=False))
    write_trial(tmp_path / "static.c3d", dressed(model, still, still))
    write_trial(tmp_path / "walk.c3d", dressed(model, trial, still))
    hips, widths = [], []
    for rule in ("harrington-width", "bell"):
        options = Options(static=str(tmp_path / "static.c3d"), mass_kg=70.0, hip_centre=rule)
        result = process_trial(tmp_path / "walk.c3d", options)
        hips.append(result.pose.leg("left").r_prox_G[:, 2])
        widths.append(result.calibration.inter_asis_m)
    PW = widths[0]
    expected = [0.052 * PW - 0.0104, -0.005 * PW - 0.0109, -0.03 * PW + 0.0073]
    moved = np.linalg.norm(hips[0] - hips[1], axis=1)
    np.testing.assert_allclose(moved[np.isfinite(moved)], np.linalg.norm(expected), atol=1e-4)
