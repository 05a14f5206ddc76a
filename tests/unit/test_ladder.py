"""Every rung of the ladder on the synthetic walker: centres, angles and moments against the truth.

The walker wears the landmarks of a case in walk and static, and nothing else. The error of a
column is held against the tolerances that the rungs it stands on state. Run with ``-s`` to see
the largest errors.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.calibrate.ladder.model import ladder_match, outclimbs, with_carried_pelvis
from gaitdyn.calibrate.ladder.rules import find_joint
from gaitdyn.calibrate.ladder.rungs import RUNGS, not_found, rungs_of
from gaitdyn.calibrate.ladder.taken import chord_joints
from gaitdyn.calibrate.ladder.templates import tracking_template
from gaitdyn.calibrate.models.files import load_model
from gaitdyn.errors import ModelNotFound
from gaitdyn.io.recording import read_recording
from gaitdyn.io.trial import to_trial
from gaitdyn.pipeline import process_loaded, process_trial
from gaitdyn.stages.session import read_session
from gaitdyn.synthetic import write_trial
from gaitdyn.tables.columns import run_curves
from gaitdyn.tables.file_description import describe
from gaitdyn.types.motion import LegOffsets
from gaitdyn.types.options import Options
from gaitdyn.types.rungs import PLACES
from gaitdyn.types.subject import SIGN, Side
from tests.unit.walker_roles import SIDES, in_roles, walked, worst, written

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.trial import Result
    from gaitdyn.types.recording import Recording

PELVIS = ("LASI", "RASI", "LPSI", "RPSI")
SACRUM = ("LASI", "RASI", "SACR")
CLUSTER = ("PEL1", "PEL2", "PEL3")
BOTH = ("KNE", "KNM", "ANK", "MED")
WANDS = ("THI", "TIB")
CLUSTERS = ("TH1", "TH2", "TH3", "SK1", "SK2", "SK3")


@dataclass(frozen=True)
class Case:
    """Landmarks of walk and static (the same when not given), and the rungs to be taken."""

    walk: tuple[str, ...]
    static: tuple[str, ...] | None
    rungs: tuple[str, str, str, str, str]
    widths: bool = False
    pelvis: tuple[str, ...] = PELVIS
    still_pelvis: tuple[str, ...] = ()
    hips: bool = False
    empty: tuple[str, ...] = ()
    legs: tuple[str, ...] = ("L", "R")


def same(walk: tuple[str, ...], *rungs: str, **more: Any) -> Case:
    return Case(walk, walk, rungs, **more)  # type: ignore[arg-type]


REST = ("two-condyles", "two-malleoli")
CASES = {
    "condyles, malleoli, heel and metatarsals": same(
        (*BOTH, "HEE", "MT1", "MT5"), "asis-psis", "regression", *REST,
        "heel-metatarsal-middle",
    ),
    "heel and toe": same((*BOTH, "HEE", "TOE"), "asis-psis", "regression", *REST, "heel-toe"),
    "sacrum marker": same(
        (*BOTH, "HEE", "TOE"), "asis-sacrum", "regression", *REST, "heel-toe", pelvis=SACRUM
    ),
    "clusters, all landmarks in the static alone": Case(
        (*CLUSTERS, "HEE", "TOE"), (*CLUSTERS, *BOTH, "HEE", "TOE"),
        ("asis-psis", "regression", *REST, "heel-toe"),
    ),
    "pelvis by a cluster": Case(
        (*CLUSTERS, "HEE", "TOE"), (*CLUSTERS, *BOTH, "HEE", "TOE"),
        ("asis-psis", "regression", *REST, "heel-toe"),
        pelvis=CLUSTER, still_pelvis=(*PELVIS, *CLUSTER),
    ),
    "medial markers in the static alone": Case(
        ("KNE", "ANK", "HEE", "TOE", *WANDS), (*BOTH, "HEE", "TOE", *WANDS),
        ("asis-psis", "regression", *REST, "heel-toe"),
    ),
    "heel in the static alone": Case(
        ("KNE", "ANK", "TOE", *WANDS), (*BOTH, "HEE", "TOE", *WANDS),
        ("asis-psis", "regression", *REST, "heel-toe"),
    ),
    "no heel at all": same((*BOTH, "TOE"), "asis-psis", "regression", *REST, "toe"),
    "metatarsals without heel": same(
        (*BOTH, "MT1", "MT5"), "asis-psis", "regression", *REST, "metatarsals"
    ),
    "heel and fifth metatarsal": same(
        (*BOTH, "HEE", "MT5"), "asis-psis", "regression", *REST, "heel-metatarsal"
    ),
    "heel and first metatarsal": same(
        (*BOTH, "HEE", "MT1"), "asis-psis", "regression", *REST, "heel-first-metatarsal"
    ),
    "widths and wands": same(
        ("KNE", "ANK", "HEE", "TOE", *WANDS), "asis-psis", "regression", "condyle-width-wand",
        "malleolus-width-wand", "heel-toe", widths=True,
    ),
    "widths": same(
        ("KNE", "ANK", "HEE", "TOE"), "asis-psis", "regression", "condyle-width",
        "malleolus-width", "heel-toe", widths=True,
    ),
    "lateral markers alone": same(
        ("KNE", "ANK", "HEE", "TOE", *WANDS), "asis-psis", "regression",
        "condyle", "malleolus", "heel-toe",
    ),
    "lateral markers alone, no wand": same(
        ("KNE", "ANK", "HEE", "TOE"), "asis-psis", "regression",
        "condyle", "malleolus", "heel-toe",
    ),
    "stored centres": same(
        ("KJC", "AJC", "KNE", "ANK", "HEE", "TOE", *WANDS), "asis-psis", "stored-centre",
        "stored-centre", "stored-centre", "heel-toe", hips=True,
    ),
    "no static": Case(
        (*BOTH, "HEE", "TOE"), None, ("asis-psis", "regression", *REST, "heel-toe")
    ),
    "no static, widths and wands": Case(
        ("KNE", "ANK", "HEE", "TOE", *WANDS), None,
        ("asis-psis", "regression", "condyle-width-wand", "malleolus-width-wand", "heel-toe"),
        widths=True,
    ),
    "no static, metatarsals": Case(
        (*BOTH, "HEE", "MT1", "MT5"), None,
        ("asis-psis", "regression", *REST, "heel-metatarsals"),
    ),
    "one leg": same(
        (*BOTH, "HEE", "TOE"), "asis-psis", "regression", *REST, "heel-toe", legs=("L",)
    ),
    "no foot": same(
        (*BOTH, "THI"), "asis-psis", "regression", *REST, "",
        empty=("ankle_angle", "foot_", "ankle_moment", "ankle_force", "ankle_power"),
    ),
    "no ankle": same(
        ("KNE", "KNM", "THI"), "asis-psis", "regression", "two-condyles", "", "",
        empty=("knee_angle", "ankle_", "foot_", "knee_moment", "hip_moment"),
    ),
}  # fmt: skip

FIXED = {"condyles-width", "malleoli-width", "davis-regression", "toe-static-offsets",
         "toe-stored-offsets", "functional", "functional-axis", "alignment-device",
         "one-plane", "one-plane-centres"}  # fmt: skip
"""Rungs of Plug-in Gait, of named models, of one plane and of a functional trial: other tests."""

STANDS_ON = {"hip": PLACES[:3], "knee": PLACES[1:4], "ankle": PLACES[2:], "pelvis": PLACES[:1]}


def processed(case: Case, folder: Path, **more: Any) -> Result:
    def wearing(roles: tuple[str, ...], pelvis: tuple[str, ...]) -> Any:
        hips = ("LHJC", "RHJC") if case.hips else ()
        return lambda role: (
            role in (*pelvis, *hips)
            or (role[1:] in roles and role[0] in case.legs and role[1:] != "HJC")
        )

    stood = None
    if case.static is not None:
        stood = wearing(case.static, case.still_pelvis or case.pelvis)
    options = written(folder, wearing(case.walk, case.pelvis), stood, widths=case.widths)
    options["audit"] = False
    return process_trial(folder / "walk.c3d", Options(**options | more))


@pytest.fixture(scope="module", params=CASES)
def done(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    case = CASES[request.param]
    return case, processed(case, tmp_path_factory.mktemp("ladder"))


def side_of(case: Case) -> tuple[str, ...]:
    return tuple(side for side in SIDES if side[0].upper() in case.legs)


def test_each_joint_takes_the_best_rung_that_its_landmarks_allow(done: Any) -> None:
    case, result = done
    assert result.model == "ladder"
    assert tuple(result.sides) == side_of(case)
    for side in side_of(case):
        steps = [result.rung(side, place) for place in PLACES]
        assert tuple(step.rung for step in steps) == case.rungs


def test_angles_are_true_within_what_their_rungs_state(done: Any) -> None:
    case, result = done
    for joint, places in STANDS_ON.items():
        if any(f"{joint}_angle".startswith(word) for word in case.empty):
            continue
        for side in side_of(case):
            allowed = sum(result.rung(side, place).angle_deg for place in places)
            off = worst(result, f"{joint}_angle", of=side)
            print(side, joint, round(off, 4), allowed)  # noqa: T201
            assert off <= allowed


def test_moments_are_true_within_what_their_rungs_state(done: Any) -> None:
    case, result = done
    for joint in ("hip", "knee", "ankle"):
        if f"{joint}_moment" in case.empty or (joint == "ankle" and "ankle_" in case.empty):
            continue
        for side in side_of(case):
            steps = [result.rung(side, place) for place in STANDS_ON[joint]]
            allowed = sum(step.moment_nm_kg for step in steps)
            off = worst(result, f"{joint}_moment", of=side) / 70.0
            print(side, joint, round(off, 5), allowed)  # noqa: T201
            assert off <= allowed


def test_two_condyles_put_the_centres_where_they_are(done: Any) -> None:
    """Single precision millimetres through rigid fits: 6e-4 mm were reached."""
    case, result = done
    for place, joint in ((2, "knee"), (3, "ankle")):
        exact = case.rungs[place].startswith(("two-", "stored")) or "wand" in case.rungs[place]
        if exact:
            for side in side_of(case):
                assert worst(result, f"{joint}_center", of=side) < 2e-3


def test_what_no_landmark_shows_is_empty_and_said(done: Any) -> None:
    case, result = done
    for curve in run_curves(result):
        if any(word in curve.name for word in case.empty):
            assert not np.isfinite(curve.values).any(), curve.name
    codes = {finding.code for finding in result.findings}
    coarse = any(r in ("condyle", "malleolus") for r in case.rungs)
    assert ("centre-usual" in codes) == coarse
    assert ("centre-unknown" in codes) == ("" in case.rungs)
    assert ("reference-in-walk" in codes) == (case.static is None)


@pytest.mark.parametrize("head", ["TOE", "MT5", "MT1"])
def test_a_metatarsal_head_ends_the_outline_of_a_foot_without_axes(
    head: str, tmp_path: Path
) -> None:
    found = processed(same(("KNE", "KNM", "THI", "HEE", head)), tmp_path)
    for side in SIDES:
        heel, toe = found.feet[side]
        length = np.linalg.norm(toe - heel, axis=1)
        assert np.nanmedian(length) > 0.1, f"{side}: {length}"
    assert any(contact.verdict == "valid" for contact in found.contacts)


def test_each_column_of_a_joint_tells_its_rung(done: Any) -> None:
    case, result = done
    for curve in run_curves(result):
        side, _, rest = curve.name.partition("_")
        if rest.startswith(("hip", "knee", "ankle", "pelvis")):
            assert curve.rung, curve.name
        if rest.startswith("knee_moment") and case.rungs[2]:
            assert case.rungs[2] in curve.rung
            kind = {"malleoli": "malleol", "knee": "knee axis", "pelvis": "pelvis"}
            assert kind[result.pose.leg(side).shank_axis] in curve.frame


def test_every_rung_of_landmarks_is_reached_by_a_case() -> None:
    """A rung that is dropped, or that another one hides, fails here."""
    reached = {pair for c in CASES.values() for pair in zip(PLACES, c.rungs, strict=True)}
    assert {(r.place, r.name) for r in RUNGS if r.name not in FIXED} <= reached


def test_rungs_have_names_sources_and_tolerances() -> None:
    for place in PLACES:
        names = [rung.name for rung in rungs_of(place)]
        assert len(set(names)) == len(names)
    for rung in RUNGS:
        assert rung.rule
        assert rung.source
        assert rung.angle_deg > 0
        assert rung.moment_nm_kg >= 0


def test_a_width_is_not_taken_for_a_wand_that_points_forward(tmp_path: Path) -> None:
    """A thigh marker on the front shows no axis of the knee: it tracks, the width stands alone."""
    case = Case(("KNE", "ANK", "HEE", "TOE", "TH1"), ("KNE", "ANK", "HEE", "TOE", "TH1"),
                ("", "", "", "", ""), widths=True)  # fmt: skip
    result = processed(case, tmp_path)
    step = result.rung("left", "knee")
    assert step is not None
    assert step.rung == "condyle-width"


@pytest.mark.parametrize(
    ("degrees", "rung"), [(40.0, "-wand"), (-40.0, "-wand"), (50.0, ""), (-50.0, ""), (140.0, "")]
)
def test_a_wand_shows_an_axis_within_45_degrees_of_the_side(degrees: float, rung: str) -> None:
    """The angle is about the line from the condyle to the hip; a wand may also be high or low."""
    hip, condyle, outward = np.array([0.1, 0.9, 0.0]), np.array([0.0, 0.5, 0.06]), np.eye(3)[2]
    along = (hip - condyle) / np.linalg.norm(hip - condyle)
    side = outward - (outward @ along) * along
    side /= np.linalg.norm(side)
    turned = np.cos(np.radians(degrees)) * side + np.sin(np.radians(degrees)) * np.cross(
        along, side
    )
    places = {"RKNE": condyle, "RTHI": condyle + 0.2 * along + 0.1 * turned}
    found = find_joint("knee", places, "right", (hip, outward, 0.05), ())
    assert found.rung is not None
    assert found.rung.name == f"condyle-width{rung}"
    away = condyle - found.centre
    assert np.linalg.norm(away) == pytest.approx(0.05)
    assert away @ (hip - found.centre) == pytest.approx(0.0, abs=1e-12)
    assert np.cross(along, turned if rung else side) @ away == pytest.approx(0.0, abs=1e-12)
    assert found.outward is not None
    np.testing.assert_allclose(found.outward, away / 0.05)


def test_a_stored_centre_has_the_axis_that_a_marker_beside_it_shows() -> None:
    hip, outward, centre = np.array([0.0, 0.9, 0.1]), np.eye(3)[2], np.array([0.0, 0.5, 0.1])
    away = 0.05 * np.array([0.6, 0.0, 0.8])
    beside = {"RKNE": centre + away, "RKNM": centre - away}
    for labels, wanted in ((("RKNE",), True), (("RKNM",), True), ((), False)):
        places = {"RKJC": centre, **{label: beside[label] for label in labels}}
        found = find_joint("knee", places, "right", (hip, outward, np.nan), ())
        np.testing.assert_array_equal(found.centre, centre)
        if found.outward is not None:
            np.testing.assert_allclose(found.outward, [0.6, 0.0, 0.8])
        assert (found.outward is None) != wanted
    for no_width in (np.nan, 0.0):
        found = find_joint("knee", {"RKNE": centre}, "right", (hip, outward, no_width), ())
        assert found.rung is not None
        assert found.outward is not None
        assert found.rung.name == "condyle"


def test_without_a_pelvis_the_message_says_what_is_missing(tmp_path: Path) -> None:
    case = same((*BOTH, "HEE", "TOE"), "", "", "", "", "", pelvis=("LASI", "RASI"))
    with pytest.raises(ModelNotFound, match="SACR"):
        processed(case, tmp_path)


def test_a_pelvis_that_walk_and_static_share_too_little_of_is_told(synthetic: Path) -> None:
    """The walk lacks RPSI and its static shows RPSI, but without RASI it cannot carry it."""
    walk, static = (
        replace(found, labels=tuple(f"*{x}" if x in hidden else x for x in found.labels))
        for found, hidden in (
            (read_recording(synthetic / "walk01.c3d"), {"RPSI", "SACR"}),
            (read_recording(synthetic / "static.c3d"), {"RASI", "SACR"}),
        )
    )
    told = "shows LASI, LPSI, RASI and shares LASI and LPSI with the static, wanted three;"
    with pytest.raises(ModelNotFound, match=told):
        with_carried_pelvis(walk, static)


@pytest.mark.parametrize("side", SIDES)
def test_an_alignment_device_shows_the_condyle_behind_its_triangle(side: Side) -> None:
    """Three sticks of 60 mm along the edges of a cube whose corner is the condyle."""
    sign, width, stick = SIGN[side], 0.055, 0.06
    hip, knee = np.array([0.0, 0.9, 0.1]), np.array([0.0, 0.5, 0.1])
    outward = np.array([0.0, 0.0, -sign])
    condyle = knee + width * outward
    a, b = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
    edges = [
        outward / np.sqrt(3) + np.sqrt(2 / 3) * (np.cos(t) * a + np.sin(t) * b)
        for t in (0.0, -2 * np.pi / 3, -4 * np.pi / 3)
    ]
    letter = side[0].upper()
    names = ("KAX", "KD1", "KD2")
    places = {letter + name: condyle + stick * e for name, e in zip(names, edges, strict=True)}
    found = find_joint("knee", places, side, (hip, outward, width), ())
    assert found.rung is not None
    assert found.rung.name == "alignment-device"
    np.testing.assert_allclose(np.linalg.norm(found.centre - condyle), width)
    assert abs((found.centre - condyle) @ (found.centre - hip)) < 1e-9


def test_a_cluster_in_another_order_is_not_believed(tmp_path: Path) -> None:
    """Thigh markers numbered otherwise in the walk: no angle of the hip, and it is said."""
    case = CASES["clusters, all landmarks in the static alone"]
    processed(case, tmp_path)
    walked_so = in_roles(walked(), lambda role: role in PELVIS or role[1:] in case.walk)
    other = {"LTH1": "LTH3", "LTH2": "LTH1", "LTH3": "LTH2"}
    labels = tuple(other.get(label, label) for label in walked_so.labels)
    write_trial(tmp_path / "walk.c3d", replace(walked_so, labels=labels))
    options = Options(static=str(tmp_path / "static.c3d"), mass_kg=70.0, model="ladder")
    result = process_trial(tmp_path / "walk.c3d", options)
    assert not np.isfinite(result.sides["left"].angles["hip"]).any()
    assert np.isfinite(result.sides["right"].angles["hip"]).any()
    (told,) = [f for f in result.findings if f.code == "segment-untracked" and f.value]
    assert told.scope == "left thigh"


def test_the_ladder_goes_before_a_model_that_leaves_stored_centres_or_medial_markers_aside() -> (
    None
):
    legs = [side + role for side in "LR" for role in ("KNE", "ANK", "THI", "TIB")]
    named = {*PELVIS, *legs}
    medial = {side + role for side in "LR" for role in ("KNM", "MED")}
    stored = {side + role for side in "LR" for role in ("KJC", "AJC")}
    assert outclimbs(named | medial, named)
    assert outclimbs(named | stored, named)
    assert not outclimbs(named, named)
    assert not outclimbs(named | medial, named | stored)
    assert not outclimbs({*PELVIS, "LKNE", "LKNM"}, named)  # nothing of the right leg


def test_a_match_of_roles_says_sides_and_what_they_lack() -> None:
    walk = dict(enumerate(("LASI", "RASI", "SACR", "LTH1", "LTH2", "LTH3")))
    match = ladder_match(walk, dict(enumerate((*walk.values(), "LKNE", "LKNM"))))
    assert match.sides == ["left"]
    assert match.missing["left"] == []
    assert match.missing["right"]
    assert match.model.climbs
    assert match.model.tracking["left thigh"] == ("LTH1", "LTH2", "LTH3")
    assert ladder_match({0: "LASI"}).sides == []


def test_plug_in_gait_names_an_alignment_device_only_where_there_is_one(synthetic) -> None:
    """`info` spoke of a knee alignment device and medial markers for every file of this model."""
    walk = replace(read_recording(synthetic / "walk01.c3d"), vendor={})
    stored = replace(walk, vendor={"left": LegOffsets()})
    told = {
        (): ("condyle-width-wand", "malleolus-width-wand"),
        ("LKNM", "LMED"): ("condyles-width", "malleoli-width"),
        ("LKAX", "LKD1", "LKD2", "RMED"): ("alignment-device", "malleolus-width-wand"),
    }
    for labels, names in told.items():
        shown = replace(walk, labels=labels)
        for pair, seen in (((walk, shown), "static"), ((shown, None), "walk")):
            steps = chord_joints(*pair, "left")
            assert tuple(step.rung for step in steps) == names
            assert {step.seen_in for step in steps} <= {seen, "walk"}
        unused = chord_joints(replace(stored, labels=labels), None, "left")
        assert tuple(step.rung for step in unused) == told[()]
    assert load_model("plug-in-gait").title == "Plug-in Gait lower limb"


@pytest.mark.parametrize(
    ("place", "have", "wanted"),
    [
        ("knee", set(), "LKJC"),
        ("foot", {"LHEE"}, "LTOE"),
        ("foot", {"LHEE", "LTOE"}, "the segment above it"),
        ("foot", {"LTOE"}, "the segment above it"),
    ],
)
def test_what_a_place_without_a_rung_lacks(place: Any, have: set[str], wanted: str) -> None:
    """A foot with heel and toe, below a shank without axes, was said to lack the metatarsal V."""
    assert not_found(place, "left", have).rule == f"wanted {wanted}"


@pytest.mark.parametrize("outward_mm", [30.0, 75.0])
def test_a_stored_hip_centre_far_from_the_regression_is_not_used(
    tmp_path: Path, outward_mm: float
) -> None:
    processed(CASES["stored centres"], tmp_path)
    session = read_session(tmp_path / "walk.c3d", Options(static=str(tmp_path / "static.c3d")))

    def moved(recording: Recording) -> Recording:
        labels, markers = recording.labels, recording.markers_L.copy()
        right, left = (markers[:, labels.index(name)] for name in ("RHJC", "LHJC"))
        out = (right - left) / np.linalg.norm(right - left, axis=-1, keepdims=True)
        markers[:, labels.index("RHJC")] += 1e-3 * outward_mm * out
        return replace(recording, markers_L=markers)

    assert session.static is not None
    trial, static = (to_trial(moved(t.recording), t.R_GL) for t in (session.trial, session.static))
    result = process_loaded(replace(session, trial=trial, static=static), Options())
    far = [(f.level, f.side) for f in result.findings if f.code == "stored-centre-far"]
    assert far == [("warning", "right")] * (outward_mm > 60.0)
    rungs = {side: result.rung(side, "hip") for side in ("left", "right")}
    names = {side: step and step.rung for side, step in rungs.items()}
    assert names == {"left": "stored-centre", "right": "regression" if far else "stored-centre"}
    assert not any("lies" in line and "Harrington" in line for line in result.log) or far


def test_info_tells_the_rungs_that_a_run_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = processed(CASES["stored centres"], tmp_path)
    options = replace(result.options, cutoff_hz=10.0, force_cutoff_hz=10.0)
    for farthest_m, hip in ((0.06, "stored-centre"), (0.0, "regression")):
        monkeypatch.setattr("gaitdyn.calibrate.ladder.legs.FARTHEST_STORED_M", farthest_m)
        taken = process_trial(tmp_path / "walk.c3d", options).taken
        told = describe(tmp_path / "walk.c3d", options)["model"]["rungs"]
        assert told["right"]["hip"] == hip
        assert told == {s: {t.place: t.rung for t in taken if t.side == s} for s in SIDES}


def test_a_knee_that_nobody_measured_lies_half_a_usual_width_inside_its_marker():
    """Hip 0.4 m above the knee; the marker stands 61 mm outside, 0.151 of its way to the hip."""
    apart = 0.151 * 0.4 / np.sqrt(1.0 - 0.151**2)
    for side, outward in (("left", -1.0), ("right", 1.0)):
        out = np.array([0.0, 0.0, outward])
        around = np.array([0.0, 0.4, 0.0]), out, np.nan
        found = find_joint("knee", {side[0].upper() + "KNE": apart * out}, side, around, ())
        assert found.rung is not None
        assert found.outward is not None
        assert found.rung.name == "condyle"
        np.testing.assert_allclose(found.centre, 0.0, atol=1e-12)
        np.testing.assert_allclose(found.outward, out, atol=1e-12)
        nowhere = np.full(3, np.nan), out, np.nan
        assert find_joint("knee", {side[0].upper() + "KNE": out}, side, nowhere, ()).rung is None


@pytest.mark.parametrize(("high_m", "told"), [(0.005, True), (0.03, False)])
def test_the_malleolus_shows_the_roll_of_a_foot_whose_points_lie_on_one_line(high_m, told):
    places = {
        "LHEE": np.array([0.0, 0.08, 0.0]),
        "LTOE": np.array([0.14, 0.08, 0.0]),
        "LANK": np.array([0.05, 0.08, -0.04]),
    }
    ankle = np.array([0.05, 0.08 + high_m, 0.0])
    model = ladder_match(dict(enumerate(("LASI", "RASI", "SACR", *places)))).model
    names, points = tracking_template(places, model, "foot", "L", {"@ankle": ankle})
    assert names == ("LHEE", "LTOE", "@ankle", *(["LANK"] if told else []))
    assert len(points) == len(names)
