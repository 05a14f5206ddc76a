"""The sagittal model: a walker that moves in one plane, posed limbs, and what must stay empty.

The walker's lateral path, pelvic obliquity and rotation and all angles outside the plane are set to
zero; the markers are the true joint centres (the malleolus beside it), the true heel, and the toe
marker as the head of metatarsal V. The trunk is the walker's pelvis: the shoulders lie on its axis.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.calibrate.models.choice import choose_model
from gaitdyn.calibrate.models.files import load_model, parse_model, shipped_models
from gaitdyn.calibrate.sagittal import sagittal_pose
from gaitdyn.errors import MarkersUnfit, UsageError
from gaitdyn.io.recording import read_recording
from gaitdyn.kinematics.angles import segment_angles
from gaitdyn.pipeline import process_trial
from gaitdyn.store import write_results
from gaitdyn.store.document import document_of
from gaitdyn.store.folder import ResultsFolder
from gaitdyn.store.run_lines import run_lines
from gaitdyn.synthetic import Course, Recording, Walk, Walker, write_trial
from gaitdyn.synthetic.body import SIDES, WalkerBody, foot_points, hip_in_pelvis, sign
from gaitdyn.synthetic.gait import Gait
from gaitdyn.tables.vendor_names import vendor_curves
from gaitdyn.types.options import Options
from gaitdyn.types.trial import Trial
from gaitdyn.uncertainty.bands import find_uncertainty
from gaitdyn.uncertainty.inputs import InputErrors
from gaitdyn.uncertainty.leg_curves import stages_of
from tests.walks import curve_values, stand, true_columns, walk

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.trial import Result

Array = np.ndarray[Any, np.dtype[np.float64]]
ANGLE = {"ankle": "dorsiflexion", "knee": "flexion", "hip": "flexion"}
MOMENT = {"ankle": "plantarflexion", "knee": "extension", "hip": "extension"}
LIMITS = {"ankle": 0.01, "knee": 0.1, "hip": 0.3}  # N m, issue of the marker models
FAST = Recording(rate_hz=200.0, analog_ratio=5, marker_diameter=True)
PLAIN = Options(cutoff_hz=None, force_cutoff_hz=None, mass_kg=70.0)
LABELS = {"GTR": "GT", "KNE": "LFC", "ANK": "LMAL", "HEE": "HEE", "MT5": "5MH", "SHO": "SHO"}


def planar_walker(heading: float = 0.0) -> Walker:
    """Return the walker without any motion outside the plane of walking."""

    def kept(table: Array, rows: tuple[int, ...]) -> Array:
        return np.where(np.isin(np.arange(len(table)), rows)[:, None], table, 0.0)

    gait, body = Gait(), WalkerBody()
    gait = replace(
        gait,
        pelvis_path=kept(gait.pelvis_path, (0, 1)),
        pelvis_angles=kept(gait.pelvis_angles, (0,)),
        leg_angles=kept(gait.leg_angles, (0, 3, 6)),
    )
    left, right = (replace(body.side(s), rotation_offset=0.0) for s in SIDES)
    start = (-2.2 * np.cos(heading), 0.0, 2.2 * np.sin(heading))
    course = Course(start_m=start, heading_rad=heading)
    return Walker(replace(body, left=left, right=right), gait, course)


def dressed(trial: Walk, sides: tuple[Any, ...] = SIDES, *, shoulder: bool = True) -> Walk:
    """Return the trial with the markers of the sagittal model alone."""
    body, points = trial.walker.body, {}
    asis = trial.markers_G[:, [trial.labels.index(x) for x in ("LASI", "RASI")]].mean(axis=1)
    for side in sides:
        motion, letter = trial.leg(side).motion, side[0].upper()
        ankle, knee, hip = np.moveaxis(motion.r_prox_G, 1, 0)
        foot, shank = motion.R_GS[:, 0], motion.R_GS[:, 1]
        out = np.array([0.0, 0.0, -sign(side) * body.joint_to_marker_m(side, "ankle")])
        ends = foot_points(body, side)
        found = {"GTR": hip, "KNE": knee, "ANK": ankle + shank @ out}
        found |= {"HEE": ankle + foot @ ends["heel"], "MT5": ankle + foot @ ends["toe"]}
        if shoulder:
            up = hip_in_pelvis(body, side) + np.array([0.0, 0.5, -0.1 * sign(side)])
            found["SHO"] = asis + trial.R_GP @ up
        points |= {letter + LABELS[role]: values for role, values in found.items()}
    return replace(trial, labels=tuple(points), markers_G=np.stack(list(points.values()), axis=1))


def processed(folder: Path, trial: Walk, options: Options = PLAIN) -> Result:
    write_trial(folder / "walk.c3d", trial)
    return process_trial(folder / "walk.c3d", options)


@pytest.fixture(scope="module", params=[0.0, 0.3, 2.8], ids=["ahead", "oblique", "back"])
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    trial = walk(planar_walker(request.param), FAST)
    return trial, processed(tmp_path_factory.mktemp("sagittal"), dressed(trial))


def worst(case: Any, name: str, *, known: bool = False) -> float:
    """Return the largest difference of a column to the truth, both sides."""
    trial, result = case
    table, found, errors = true_columns(trial), curve_values(result), []
    for side in result.sides:
        mask = trial.leg(side).known if known else True
        column = f"{side}_{name}"
        difference = np.where(mask, found[column] - table[column], np.nan)[16:-16]
        assert np.isfinite(difference).sum() > 60
        errors.append(np.nanmax(np.abs(difference)))
    return max(errors)


@pytest.mark.parametrize("joint", ANGLE)
def test_flexion_is_true(both: Any, joint: str) -> None:
    assert worst(both, f"{joint}_angle_{ANGLE[joint]}") < 0.01


@pytest.mark.parametrize("joint", MOMENT)
def test_the_sagittal_moment_is_true(both: Any, joint: str) -> None:
    assert worst(both, f"{joint}_moment_{MOMENT[joint]}", known=True) < LIMITS[joint]


def test_that_one_plane_gives_no_generalised_loads_is_told(both: Any) -> None:
    asked = replace(both[1], options=replace(both[1].options, generalised=True))
    told = "  --generalised: not computed, since the markers show one plane only"
    assert told in run_lines(asked, document_of(asked))


@pytest.mark.parametrize("joint", MOMENT)
def test_the_sagittal_power_is_true(both: Any, joint: str) -> None:
    assert worst(both, f"{joint}_power_sagittal", known=True) < 10 * LIMITS[joint]  # W, 10 rad/s


def test_bands_are_those_of_the_plane(tmp_path: Path) -> None:
    """A shift d of the centre of pressure adds d x F to the moment about the plane's normal."""
    coarse = replace(FAST, rate_hz=50.0, strides=1.5)
    result = processed(tmp_path, dressed(walk(planar_walker(0.3), coarse)))
    found = find_uncertainty(result, InputErrors(draws=20))
    band = found.half_width("left")
    shown = [
        name for name, half in zip(found.names, band.T, strict=True) if np.isfinite(half).any()
    ]
    wanted = [f"{joint}_moment_{word}" for joint, word in MOMENT.items()]
    assert sorted(shown) == sorted([*wanted, *(f"{joint}_power_sagittal" for joint in MOMENT)])
    assert not np.isfinite(np.delete(band, [found.names.index(name) for name in shown], 1)).any()
    run = stages_of(result)
    right = np.cross(run.motion.pose.walking_G, [0.0, 1.0, 0.0])
    force = run.ground.wrench["left"].force_G
    shifts = [np.cross(0.003 * np.eye(3)[axis], force) @ right for axis in (0, 2)]
    variance = found.variances["left"]["centre_of_pressure"]
    for name in wanted:
        of_moment = variance[:, found.names.index(name)]
        known = np.isfinite(of_moment)
        assert known.sum() > 20
        np.testing.assert_allclose(of_moment[known], np.square(shifts).sum(axis=0)[known])


KNOWN = {f"{joint}_angle_{word}" for joint, word in ANGLE.items()}
KNOWN |= {f"{joint}_moment_{word}" for joint, word in MOMENT.items()}
KNOWN |= {f"{joint}_power_sagittal" for joint in MOMENT}
KNOWN |= {f"{joint}_force_{axis}" for joint in MOMENT for axis in "xy"}
KNOWN |= {f"{joint}_center_{axis}" for joint in MOMENT for axis in "xyz"}
KNOWN |= {f"{what}_{axis}" for what in ("grf", "cop") for axis in "xyz"} | {"free_moment"}


def test_all_that_lies_outside_the_plane_is_empty(both: Any) -> None:
    found = curve_values(both[1])
    assert {name.split("_", 1)[1] for name in found} > KNOWN
    for name, values in found.items():
        assert np.isfinite(values).any() == (name.split("_", 1)[1] in KNOWN), name


def test_the_vendors_names_are_empty_too(both: Any) -> None:
    found = {c.name: np.isfinite(c.values).any() for c in vendor_curves(both[1])}
    for joint in ("Ankle", "Knee", "Hip"):
        for kind, known in (
            ("Angles", (True, False, False)),
            ("Moment", (True, False, False)),
            ("Power", (False, False, False)),
        ):
            assert tuple(found[f"L{joint}{kind}_{i}"] for i in (1, 2, 3)) == known, joint + kind
    assert [found[f"RKneeForce_{i}"] for i in (1, 2, 3)] == [True, False, True]
    assert not found["LPelvisAngles_1"]
    assert not found["LFootProgressAngles_3"]


def test_one_finding_says_what_is_not_there(both: Any) -> None:
    result = both[1]
    said = [f.message for f in result.findings if f.code == "sagittal-only"]
    assert result.model == "sagittal"
    assert len(said) == 1
    assert "trunk" in said[0]
    assert "no pelvis is found among the labels" in said[0]


@pytest.fixture(scope="module")
def flat() -> Walk:
    return walk(planar_walker(), FAST)


def test_a_plane_that_was_requested_beside_a_pelvis_is_not_said_to_lack_one(
    flat: Walk, tmp_path: Path
) -> None:
    pelvis = ("LASI", "RASI", "LPSI", "RPSI")
    own, plane = flat.markers_G[:, [flat.labels.index(x) for x in pelvis]], dressed(flat)
    markers = np.concatenate((plane.markers_G, own), axis=1)
    worn = replace(plane, labels=(*plane.labels, *pelvis), markers_G=markers)
    result = processed(tmp_path, worn, replace(PLAIN, model="sagittal"))
    (said,) = [f.message for f in result.findings if f.code == "sagittal-only"]
    assert "requests: lateral markers" in said
    assert "no pelvis" not in said


@pytest.mark.parametrize("side", SIDES)
def test_one_leg_alone_has_the_results_it_has_beside_the_other(
    flat: Walk, side: Any, tmp_path: Path
) -> None:
    result = processed(tmp_path, dressed(flat, (side,)))
    assert list(result.sides) == [side]
    own = [c for c in result.contacts if c.verdict != "rejected"]
    assert [c.verdict for c in own] == ["valid"] * len(own)
    for joint, word in ANGLE.items():
        assert worst((flat, result), f"{joint}_angle_{word}") < 0.01
        limit = LIMITS[joint]
        assert worst((flat, result), f"{joint}_moment_{MOMENT[joint]}", known=True) < limit


def test_without_a_shoulder_the_hip_has_a_moment_and_no_angle(flat: Walk, tmp_path: Path) -> None:
    result = processed(tmp_path, dressed(flat, shoulder=False))
    found = curve_values(result)
    for name in ("left_hip_angle_flexion", "right_hip_power_sagittal"):
        assert np.isnan(found[name]).all()
    assert worst((flat, result), "hip_moment_extension", known=True) < LIMITS["hip"]
    (said,) = [f.message for f in result.findings if f.code == "sagittal-only"]
    assert "without a shoulder" in said


def test_an_empty_cell_is_written_for_what_is_not_known(flat: Walk, tmp_path: Path) -> None:
    result = processed(tmp_path, dressed(flat))
    document = write_results(ResultsFolder(tmp_path / "results"), result, figures=True)
    table = tmp_path / "results" / "timeseries.csv"
    head, *rows = (line.split(",") for line in table.read_text().splitlines())
    at = [i for i, name in enumerate(head) if "adduction" in name or "progression" in name]
    assert at
    assert {row[i] for row in rows for i in at} == {""}
    assert document["verdict"] == "check"
    assert "ok" in {status["status"] for status in document["status"]}


def test_a_static_gives_the_mass(flat: Walk, tmp_path: Path) -> None:
    still = stand(flat.walker, replace(FAST, gaps=(), events=False, static_plates=True))
    write_trial(tmp_path / "static.c3d", dressed(still))
    options = replace(PLAIN, static=str(tmp_path / "static.c3d"))
    result = processed(tmp_path, dressed(flat), options)
    assert worst((flat, result), "knee_moment_extension", known=True) < LIMITS["knee"]


def test_walking_on_a_belt_has_the_direction_of_the_feet(flat: Walk, tmp_path: Path) -> None:
    trial = dressed(walk(planar_walker(0.3), FAST))
    place = trial.labels.index("LGT")
    moved = trial.markers_G[:, [place]] * (1.0, 0.0, 1.0)
    belt = replace(trial, markers_G=trial.markers_G - moved)
    result = processed(tmp_path, belt)
    ahead = trial.walker.course.R_GW[:, 0]
    np.testing.assert_allclose(result.pose.walking_G, ahead, atol=1e-4)
    found, table = curve_values(result), flat.columns()
    off = found["left_knee_angle_flexion"] - table["left_knee_angle_flexion"]
    assert np.nanmax(np.abs(off[16:-16])) < 0.01


# ---------------------------------------------------------------- signs

FORWARD, UP, RIGHT = np.eye(3)
STRAIGHT = {"SHO": 1.4 * UP, "GTR": 0.9 * UP, "KNE": 0.5 * UP, "ANK": 0.1 * UP}
STRAIGHT |= {"HEE": 0.02 * UP - 0.05 * FORWARD, "MT5": 0.02 * UP + 0.15 * FORWARD}


def posed(side: str, **moved: Array) -> dict[str, float]:
    """Return the flexions of one leg of markers that walks 1 m forward, deg."""
    steps = np.linspace(0.0, 1.0, 9)[:, None] * FORWARD
    aside = 0.1 * RIGHT if side == "right" else -0.1 * RIGHT
    places = STRAIGHT | moved
    labels = tuple(side[0].upper() + role for role in places)
    markers = np.stack([place + aside + steps for place in places.values()], axis=1)
    nothing: Any = None
    pose = sagittal_pose(Trial(nothing, np.eye(3), labels, markers, ()), [side])
    R = pose.leg(side).R_GS[0]
    np.testing.assert_allclose(np.linalg.det(R), 1.0)
    np.testing.assert_allclose(R[..., 2], np.tile(RIGHT, (3, 1)), atol=1e-15)
    angles = segment_angles(pose, side)
    return {joint: float(angles[joint][0, 0]) for joint in ANGLE}


def test_a_heel_never_seen_with_its_trochanter_faces_as_the_foot_does() -> None:
    markers = np.repeat(np.stack(list(STRAIGHT.values()))[None], 20, axis=0)
    roles = list(STRAIGHT)
    markers[10:, roles.index("GTR")] = markers[:10, roles.index("HEE")] = np.nan
    nothing: Any = None
    labels = tuple(f"L{role}" for role in roles)
    pose = sagittal_pose(Trial(nothing, np.eye(3), labels, markers, ()), ["left"])
    np.testing.assert_allclose(pose.walking_G, FORWARD)


@pytest.mark.parametrize("side", SIDES)
def test_a_straight_leg_has_no_angles(side: str) -> None:
    assert posed(side) == pytest.approx({"ankle": 0, "knee": 0, "hip": 0}, abs=1e-9)


@pytest.mark.parametrize("side", SIDES)
def test_a_knee_marker_before_hip_and_ankle_is_hip_flexion_knee_flexion_and_dorsiflexion(
    side: str,
) -> None:
    """At equal lengths: thigh and shank lean by the same angle, the knee has both."""
    found = posed(side, KNE=0.5 * UP + 0.4 * FORWARD)
    assert found == pytest.approx({"ankle": 45, "knee": 90, "hip": 45})


@pytest.mark.parametrize("side", SIDES)
def test_a_trunk_that_leans_forward_flexes_the_hip(side: str) -> None:
    found = posed(side, SHO=0.9 * UP + 0.5 * UP + 0.5 * FORWARD)
    assert found == pytest.approx({"ankle": 0, "knee": 0, "hip": 45}, abs=1e-9)


@pytest.mark.parametrize("side", SIDES)
def test_a_raised_heel_is_plantarflexion(side: str) -> None:
    found = posed(side, HEE=0.22 * UP - 0.05 * FORWARD)
    assert found == pytest.approx({"ankle": -45, "knee": 0, "hip": 0}, abs=1e-9)


@pytest.mark.parametrize("side", SIDES)
def test_a_marker_further_out_changes_no_angle(side: str) -> None:
    found = posed(side, KNE=0.5 * UP + 0.07 * RIGHT, MT5=STRAIGHT["MT5"] + 0.05 * RIGHT)
    assert found == pytest.approx({"ankle": 0, "knee": 0, "hip": 0}, abs=1e-9)


# ---------------------------------------------------------------- the model's file

OWN = """name = "ours"
engine = "sagittal"

[labels]
"{s}GTR" = ["{s} hip"]
"{s}KNE" = ["{s} knee"]
"{s}ANK" = ["{s} ankle"]
"{s}HEE" = ["{s} heel"]
"{s}MT5" = ["{s} toe"]
"""


def test_a_model_of_ones_own_is_read_and_used(flat: Walk, tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(OWN)
    words = {"GT": " hip", "LFC": " knee", "LMAL": " ankle", "HEE": " heel", "5MH": " toe"}
    trial = dressed(flat, shoulder=False)
    labels = tuple(label[0] + words[label[1:]] for label in trial.labels)
    options = replace(PLAIN, model=str(tmp_path / "ours.toml"))
    result = processed(tmp_path, replace(trial, labels=labels), options)
    assert result.model == "ours"
    assert worst((flat, result), "knee_angle_flexion") < 0.01


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('engine = "sagittal"', 'engine = "planar"', "line 2: found engine = 'planar', wanted"),
        ("[labels]", 'optional = ["HEE"]\n[labels]', "line 4: found 'optional', wanted neither"),
        ("{s}GTR", "{s}GTX", "line 5: found '{s}GTX', wanted a marker with a meaning"),
        ("[labels]", '[tracking]\nfoot = ["LHEE"]\n[labels]', "found 'tracking', wanted neither"),
    ],
)
def test_an_error_in_the_file_is_told_with_its_line(old: str, new: str, said: str) -> None:
    with pytest.raises(UsageError, match=r"ours\.toml") as told:
        parse_model(OWN.replace(old, new), "ours.toml")
    assert said in str(told.value)


def test_it_is_tried_last_and_only_when_no_other_model_fits_a_leg(
    flat: Walk, tmp_path: Path
) -> None:
    assert [*shipped_models()][-2] == load_model("sagittal")
    walker = dressed(flat)
    hidden = [
        label != "LTHI" for label in flat.labels
    ]  # Plug-in Gait fits the right leg only, the ladder both
    extra = [label not in flat.labels for label in walker.labels]
    labels = (*np.array(flat.labels)[hidden], *np.array(walker.labels)[extra])
    places = (flat.markers_G[:, hidden], walker.markers_G[:, extra])
    trial = replace(flat, labels=labels, markers_G=np.concatenate(places, axis=1))
    write_trial(tmp_path / "walk.c3d", trial)
    match = choose_model(read_recording(tmp_path / "walk.c3d", None))
    assert (match.model.name, match.sides) == ("ladder", ["left", "right"])
    asked = choose_model(read_recording(tmp_path / "walk.c3d", None), "sagittal")
    assert asked.sides == ["left", "right"]


def test_what_needs_more_than_one_plane_is_refused(flat: Walk, tmp_path: Path) -> None:
    trial = dressed(flat)
    for options, said in (
        (replace(PLAIN, moments_in="lab"), "--moments-in lab needs all three"),
        (replace(PLAIN, profile="plug-in-gait"), "needs the markers of Plug-in Gait"),
    ):
        with pytest.raises(MarkersUnfit, match=said):
            processed(tmp_path, trial, options)


@pytest.mark.parametrize("axes", ["proximal", "jcs", "jcs-dual"])
def test_other_axes_share_the_normal_of_the_plane(flat: Walk, tmp_path: Path, axes: Any) -> None:
    here = curve_values(processed(tmp_path, dressed(flat)))
    there = curve_values(processed(tmp_path, dressed(flat), replace(PLAIN, moments_in=axes)))
    for name, values in here.items():
        np.testing.assert_array_equal(there[name], values)
