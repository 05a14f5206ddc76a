"""The generator of laboratories: its choices, its labels, and that its files hold the truth."""

from __future__ import annotations

import ast
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from walkers import laboratory_files
from walkers.laboratory import CHOICES, Laboratory, laboratory, spoken_as
from walkers.laboratory_files import true_walk, walker_of, write_laboratory
from walkers.laboratory_markers import GHOST, in_static, in_walk, mark_static, mark_walk
from walkers.laboratory_rungs import TOLERANCES, allowed
from walkers.laboratory_static import calibration
from walkers.landmarks import landmarks

from gaitdyn.errors import GaitdynError
from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic.kinematics import Course, pose
from gaitdyn.types.findings import Finding
from gaitdyn.types.options import Options
from tests.benchmark_scripts import script

ROOT = Path(__file__).resolve().parents[2]
LABS = [laboratory(seed) for seed in range(500)]
PLAIN = replace(
    laboratory(0),
    **{name: values[0] for name, values in CHOICES.items()},
    side_words=("L", "R"), place="front", separator="", case="as written",
    forward="+x", analog_ratio=5, first_frame=1, plate_turns=0,
)  # fmt: skip
ISB = replace(PLAIN, dialect="isb codes", separator="_", tracking="bones", foot="all")
BOTH = ("left", "right")


def places_of(lab: Laboratory) -> Any:
    truth = true_walk(lab)
    return truth, landmarks(truth.walker.body, pose(truth.walker, truth.time_s - truth.time_s[0]))


def test_a_seed_is_one_laboratory_and_one_set_of_files(tmp_path: Path) -> None:
    assert laboratory(17) == laboratory(17)
    first = write_laboratory(tmp_path / "a", LABS[17])
    again = write_laboratory(tmp_path / "b", LABS[17])
    assert first.walk.read_bytes() == again.walk.read_bytes()
    assert json.loads((tmp_path / "a/laboratory.json").read_text())["laboratory"]["seed"] == 17


def test_every_choice_occurs_in_500_seeds() -> None:
    for name, values in CHOICES.items():
        assert {getattr(lab, name) for lab in LABS} == set(values), name


def test_a_choice_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="rung is 'guess'"):
        replace(PLAIN, rung="guess")


def test_axes_are_the_24_right_handed_permutations() -> None:
    found = set()
    for lab in LABS:
        np.testing.assert_allclose(lab.R_LG @ lab.R_LG.T, np.eye(3), atol=1e-15)
        assert np.linalg.det(lab.R_LG) == pytest.approx(1.0)
        found.add(lab.R_LG.tobytes())
    assert len(found) == 24


def test_labels_are_unique_where_the_style_keeps_them_whole() -> None:
    seen = Counter()
    _, places = places_of(PLAIN)
    places = {key: place[::20] for key, place in places.items()}
    for lab in LABS:
        labels = mark_walk(lab, places).labels
        if lab.style.startswith("cut") or lab.style == "copies":
            seen[lab.style] += len(set(labels)) < len(labels)
        else:
            assert len(set(labels)) == len(labels), (lab.seed, labels)
    assert all(seen[style] for style in ("cut to four letters", "cut and described", "copies"))


def test_a_laboratory_that_writes_as_another_keeps_all_else() -> None:
    lab = spoken_as(LABS[5], "isb codes")
    assert mark_walk(lab, places_of(lab)[1]).labels.count("L_FLE") == ("LKLE" in in_walk(lab))
    same = ("dialect", "side_words", "place", "separator", "case", "style")
    assert replace(lab, **{name: getattr(LABS[5], name) for name in same}) == LABS[5]


def test_a_laboratory_marks_in_the_walk_what_it_has_not_taken_off() -> None:
    lab = replace(PLAIN, rung="condyles", medial="in static", foot="heel in static")
    assert set(in_static(lab)) - set(in_walk(lab)) == {
        side + name for side in "LR" for name in ("KME", "ANM", "CAL")
    }
    carried = replace(lab, rung="clusters", tracking="clusters", foot="no toe")
    assert not {"RKLE", "RANL"} & set(in_walk(carried))
    assert {"RKLE", "RTHC4", "RM1"} <= set(in_static(carried))
    assert not [key for key in in_walk(replace(lab, legs="right")) if key[0] == "L"][1:-1]


@pytest.mark.parametrize("side", BOTH)
def test_landmarks_stand_where_the_true_axes_and_centres_are(side: Any) -> None:
    truth, at = places_of(PLAIN)
    s, motion = side[0].upper(), truth.leg(side).motion
    foot, shank, thigh = np.moveaxis(motion.R_GS, 1, 0)
    out = -1.0 if side == "left" else 1.0
    for lateral, medial, j, R in (("KLE", "KME", 1, thigh), ("ANL", "ANM", 0, shank)):
        middle, across = (at[s + lateral] + at[s + medial]) / 2, at[s + lateral] - at[s + medial]
        np.testing.assert_allclose(middle, motion.r_prox_G[:, j], atol=1e-12)
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        np.testing.assert_allclose(across, out * R[:, :, 2], atol=1e-12)
    along = at[s + "TOE"] - at[s + "CAL"]
    np.testing.assert_allclose(np.cross(along, foot[:, :, 0]), 0.0, atol=1e-12)
    forefoot = (at[s + "M1"] + at[s + "M5"]) / 2 - at[s + "CAL"]
    np.testing.assert_allclose(np.cross(forefoot, foot[:, :, 0]), 0.0, atol=1e-12)
    wand = at[s + "THW"] - motion.r_prox_G[:, 1]
    np.testing.assert_allclose(np.einsum("ij,ij->i", wand, thigh[:, :, 0]), 0.0, atol=1e-12)


def test_the_pelvis_is_marked_along_its_axes_with_the_sacrum_between_the_psis() -> None:
    truth, at = places_of(PLAIN)
    right = (at["RASI"] - at["LASI"]) / np.linalg.norm(at["RASI"] - at["LASI"], axis=1)[:, None]
    np.testing.assert_allclose(right, truth.R_GP[:, :, 2], atol=1e-12)
    np.testing.assert_allclose((at["LPSI"] + at["RPSI"]) / 2, at["SAC"], atol=1e-12)
    width = np.linalg.norm(at["RASI"] - at["LASI"], axis=1)
    assert np.all((width > 0.22) & (width < 0.28))


@pytest.mark.parametrize("hip", ["davis", "harrington"])
def test_the_true_hip_is_within_9_mm_of_both_regressions(hip: str) -> None:
    truth, at = places_of(PLAIN)
    body = truth.walker.body
    width = float(np.linalg.norm(at["RASI"] - at["LASI"], axis=1)[0])
    if hip == "davis":
        c, d = 0.115 * 0.905 - 0.0153, 0.1288 * 0.905 - 0.04856 + body.marker_diameter_mm / 2000
        x = c * np.cos(0.5) * np.sin(0.314) - d * np.cos(0.314)
        y = -c * np.cos(0.5) * np.cos(0.314) - d * np.sin(0.314)
        z = width / 2 - c * np.sin(0.5)
    else:
        x, y = -0.24 * 0.150 - 0.0099 - body.marker_diameter_mm / 2000, -0.30 * width - 0.0109
        z = 0.33 * width + 0.0073
    found = (at["LASI"] + at["RASI"]) / 2 + truth.R_GP @ np.array([x, y, z])
    off = np.linalg.norm(found - truth.leg("right").motion.r_prox_G[:, 2], axis=1)
    assert off.max() < 0.009


def total_wrench(path: Path, lab: Laboratory) -> Any:
    """Return force and moment about the origin of G of all plates, by the format's formulas."""
    ezc3d = pytest.importorskip("ezc3d")
    file = ezc3d.c3d(str(path))
    p, raw = file["parameters"]["FORCE_PLATFORM"], file["data"]["analogs"][0].T
    force, moment = np.zeros((len(raw), 3)), np.zeros((len(raw), 3))
    mixed = np.array([1.0, 1.0, 1.0, lab.per_m, lab.per_m, lab.per_m])
    for i in range(int(p["USED"]["value"][0])):
        corners = (p["CORNERS"]["value"][:, :, i] / lab.per_m).T @ lab.R_LG
        ex, ey = corners[0] - corners[1], corners[0] - corners[3]
        R = np.stack([ex / np.linalg.norm(ex), ey / np.linalg.norm(ey), np.zeros(3)], axis=1)
        R[:, 2] = np.cross(R[:, 0], R[:, 1])
        origin = p["ORIGIN"]["value"][:, i] / lab.per_m
        kind = int(p["TYPE"]["value"][i])
        c = raw[:, p["CHANNEL"]["value"][:, i].astype(int) - 1].copy()
        if kind == 1:
            c = c / [1, 1, 1, lab.per_m, lab.per_m, lab.per_m]
            F, at = c[:, :3], np.column_stack([c[:, 3:5], 0 * c[:, 0]])
            M = np.cross(at, F) + np.outer(c[:, 5], [0, 0, 1])
        elif kind == 3:
            a, b, d = np.abs(origin)
            F = np.column_stack([c[:, 0] + c[:, 1], c[:, 2] + c[:, 3], c[:, 4:].sum(axis=1)])
            arms = np.array([[a, b, d], [-a, b, d], [-a, -b, d], [a, -b, d]])
            M = sum(np.cross(arms[k], np.outer(c[:, 4 + k], [0, 0, 1])) for k in range(4))
            for k, (arm, axis) in enumerate(
                (([0, b, d], 0), ([0, -b, d], 0), ([a, 0, d], 1), ([-a, 0, d], 1))
            ):
                M = M + np.cross(arm, np.outer(c[:, k], np.eye(3)[axis]))
        else:
            if kind == 4:
                c = c @ p["CAL_MATRIX"]["value"][:, :, i].T
            c = c / mixed
            sensor = origin if origin[2] > 0 else -origin
            F, M = c[:, :3], c[:, 3:] + np.cross(sensor, c[:, :3])
        F, M = F @ R.T, M @ R.T
        force += F
        moment += M + np.cross(corners.mean(axis=0), F)
    return force, moment


@pytest.mark.parametrize("kind", CHOICES["plate_type"])
@pytest.mark.parametrize(
    ("up", "forward", "units", "sign"),
    [("+z", "+x", "mm", 1), ("-y", "+z", "m", -1), ("+x", "-y", "cm", 1)],
)
def test_plates_of_every_type_give_the_walkers_ground_reaction(
    tmp_path: Path, kind: int, up: str, forward: str, units: str, sign: int
) -> None:
    lab = replace(
        ISB, plate_type=kind, up=up, forward=forward, units=units, origin_sign=sign,
        plate_order="shuffled", plates=3, plate_turns=1, heading_deg=35.0,
    )  # fmt: skip
    made = write_laboratory(tmp_path, lab)
    force, moment = (w[:: lab.analog_ratio] for w in total_wrench(made.walk, lab))
    legs = [made.truth.leg(side) for side in BOTH]
    known = legs[0].known & legs[1].known
    assert known.mean() > 0.3
    wanted = legs[0].ground.force_G + legs[1].ground.force_G
    np.testing.assert_allclose(force[known], wanted[known], atol=1e-3)
    wanted = legs[0].ground.moment_O_G + legs[1].ground.moment_O_G
    np.testing.assert_allclose(moment[known], wanted[known], atol=3e-3)
    assert np.abs(wanted[known]).max() > 100.0


def test_points_of_the_file_are_those_of_the_walker_in_its_axes_and_units(tmp_path: Path) -> None:
    ezc3d = pytest.importorskip("ezc3d")
    lab = replace(ISB, up="-x", forward="+y", units="cm", order="shuffled", gaps="short")
    made = write_laboratory(tmp_path, lab)
    file = ezc3d.c3d(str(made.walk))
    found = file["data"]["points"][:3].transpose(2, 1, 0) / 100.0 @ lab.R_LG
    np.testing.assert_allclose(found, made.walk_points.points_G, atol=1e-6)
    assert np.isnan(found).any()
    assert tuple(file["parameters"]["POINT"]["LABELS"]["value"]) == made.walk_points.labels


def test_units_that_are_not_stated_stand_nowhere(tmp_path: Path) -> None:
    made = write_laboratory(tmp_path, replace(ISB, units_stated=False))
    assert b"UNITS" not in made.walk.read_bytes()


def test_pelvis_and_feet_are_seen_in_different_parts() -> None:
    lab = replace(ISB, seen="pelvis first, feet later")
    _, places = places_of(lab)
    marked = mark_walk(lab, places)
    seen = {k: np.isfinite(marked.points_G[:, i, 0]) for i, k in enumerate(marked.keys)}
    assert seen["LASI"].mean() == pytest.approx(0.6, abs=0.01)
    assert not seen["LASI"][-80:].any()
    assert not seen["RCAL"][:70].any()
    assert seen["RCAL"][-1]
    assert seen["RKLE"].all()


def test_a_ghost_is_seen_in_three_percent_of_the_static_beside_its_twin() -> None:
    lab = replace(ISB, seen="ghost in static")
    marked = mark_static(lab, calibration(lab, walker_of(lab)))
    at = dict(zip(marked.keys, np.moveaxis(marked.points_G, 1, 0), strict=True))
    seen = np.isfinite(at[GHOST][:, 0])
    assert seen.mean() == pytest.approx(0.03)
    assert np.linalg.norm(at[GHOST] - at["RKLE"], axis=1)[seen] == pytest.approx(0.007, abs=1e-3)


@pytest.mark.parametrize("kind", ["with crouching", "with walking"])
def test_a_calibration_has_one_quiet_second_and_something_else(kind: str) -> None:
    lab = replace(ISB, static=kind)
    at = calibration(lab, walker_of(lab))
    speed = np.linalg.norm(np.diff(at["LASI"], axis=0), axis=1) * lab.rate_hz
    still = speed < 1e-9
    assert still.sum() == 100
    assert np.ptp(np.flatnonzero(still)) == 99
    drop = np.ptp(at["LASI"][:, 1])
    travel = np.linalg.norm(np.ptp(at["LASI"], axis=0)[[0, 2]])
    if kind == "with crouching":
        assert drop > 0.12
        np.testing.assert_allclose(np.ptp(at["LAJC"][:, 1]), 0.0, atol=0.01)
    else:
        assert travel > 1.0
    assert speed.max() < 3.0


def test_soles_are_level_and_turned_out_in_the_static() -> None:
    lab = replace(ISB, toe_out_deg=9.0)
    at = calibration(lab, walker_of(lab))
    for side, sg in (("L", 1.0), ("R", -1.0)):
        x, y, z = (at[side + "TOE"] - at[side + "CAL"])[0]
        assert abs(y) < 2e-3
        assert np.degrees(np.arctan2(-sg * z, x)) == pytest.approx(9.0, abs=4.0)
        assert at[side + "TOE"][0, 1] == pytest.approx(0.035, abs=0.005)


HEIGHTS = {
    "SAC": (0.971, 1.079), "RGTR": (0.888, 0.968), "RHJC": (0.906, 0.929), "RKLE": (0.464, 0.534),
    "RKME": (0.464, 0.512), "RFIB": (0.433, 0.496), "RTTU": (0.402, 0.454), "RANL": (0.022, 0.134),
    "RCAL": (0.019, 0.090), "RTOE": (0.021, 0.086), "RM1": (0.005, 0.087), "RM5": (0.001, 0.049),
    "RTHW": (0.557, 0.856), "RTHC1": (0.557, 0.856), "RSHW": (0.167, 0.460),
}  # fmt: skip
OUTWARD = {
    "RM5": (0.152, 0.312), "RFIB": (0.146, 0.246), "RGTR": (0.175, 0.208), "RANL": (0.106, 0.273),
    "RKLE": (0.113, 0.230), "RTOE": (0.104, 0.270), "RCAL": (0.049, 0.228), "RM1": (0.046, 0.225),
    "RASI": (0.100, 0.166), "RTTU": (0.088, 0.185), "RKME": (0.014, 0.090), "RPSI": (0.035, 0.067),
}  # fmt: skip


def test_the_standing_person_is_built_as_persons_are() -> None:
    """Heights and outward places over ASIS height: the range of 35 standing trials, 24 sources."""
    still = replace(ISB, toe_out_deg=6.0)
    at = {
        k: v[0] for k, v in calibration(still, replace(walker_of(still), course=Course())).items()
    }
    height, middle = at["LASI"][1], (at["LASI"][2] + at["RASI"][2]) / 2
    for axis, ranges in ((1, HEIGHTS), (2, OUTWARD)):
        for name, (low, high) in ranges.items():
            place = (at[name][axis] - (middle if axis == 2 else 0.0)) / height
            assert low <= place <= high, (name, place)


def test_the_generator_knows_nothing_of_what_reads_its_files() -> None:
    for path in (ROOT / "gaitdyn" / "synthetic").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node, "module", None) or ""
            if isinstance(node, ast.ImportFrom) and name.startswith("gaitdyn"):
                assert name.startswith(("gaitdyn.synthetic", "gaitdyn.errors")), (path.name, name)


def test_what_the_markers_allow() -> None:
    def rungs(**choices: Any) -> dict[str, tuple[str, ...]]:
        lab = replace(ISB, **choices)
        return {
            joint.joint: joint.rungs for joint in allowed(lab, {"left"}) if joint.side == "left"
        }

    assert rungs()["hip"] == ("hip regression", "two condyles")
    assert rungs(rung="width")["ankle"] == ("width", "heel and forefoot")
    assert rungs(rung="width", parameters="mass")["hip"][1] == "condyle alone"
    assert rungs(rung="wand", tracking="wands")["hip"][1] == "wand and width"
    assert rungs(medial="in static", static="none")["hip"][1] == "width"
    assert rungs(rung="clusters", tracking="clusters", static="none").keys() == {"pelvis"}
    assert rungs(rung="clusters", tracking="clusters", static="of another person").keys() == {
        "pelvis"
    }
    assert "ankle" not in rungs(foot="heel in static", static="none")
    right = allowed(replace(ISB, seen="ghost in static", medial="in static"), set())
    assert {j.side: j.rungs for j in right if j.joint == "hip"} == {
        "left": ("hip regression", "two condyles"),
        "right": ("hip regression", "width"),
    }


def test_a_coarse_rung_is_wide_and_an_unknown_diameter_widens() -> None:
    (_, hip, *_), (_, wide, *_) = (
        allowed(replace(ISB, marker_diameter_mm=25.0, parameters=p), {"left"})
        for p in ("all", "without diameter")
    )
    both = np.hypot(8.0, 1.0)  # the hip's regression and the knee's condyles err independently
    assert hip.limit("moment", "frontal") == pytest.approx(both)
    assert wide.limit("moment", "frontal") == pytest.approx(both + 0.85 * 5.5)
    assert TOLERANCES["condyle alone"].moment_nm[1] > TOLERANCES["width"].moment_nm[1]


KNOWN = [
    ISB,
    replace(ISB, up="-x", forward="+z", plate_type=3, units="cm", heading_deg=-20.0),
    replace(ISB, up="+y", forward="-z", plate_type=1, units="m", static="none"),
    replace(PLAIN, rung="wand", plate_type=4, plates=3, plate_order="shuffled"),
    replace(PLAIN, rung="wand", toe_out_deg=9.0, units_stated=False, marker_diameter_mm=25.0),
]


@pytest.mark.parametrize("lab", KNOWN)
def test_laboratories_whose_dialect_is_a_named_model_are_within_tolerance(lab: Laboratory) -> None:
    outcome = script("laboratories").run_laboratory(lab)
    assert outcome.kind == "processed", outcome


def test_curves_of_another_walk_are_found_to_be_wrong_and_silent(tmp_path: Path) -> None:
    judge = script("laboratories")
    made = write_laboratory(tmp_path, ISB)
    options = Options(static=str(made.static), cutoff_hz=None, force_cutoff_hz=None)
    result = process_trial(made.walk, options)
    assert judge.judged(ISB, made, result).kind == "processed"
    other = replace(made, truth=true_walk(replace(ISB, seed=1)))
    assert judge.judged(ISB, other, result).kind == "silent"
    doubt = Finding("warning", "centre-usual", "all", "the centres are markers")
    said = replace(result, judged=(*result.findings, doubt))
    assert judge.judged(ISB, other, said).kind == "said"


def test_a_finding_counts_where_it_speaks_of_that_joint_and_side() -> None:
    judge = script("laboratories")
    (knee,) = (j for j in allowed(ISB, set()) if (j.side, j.joint) == ("left", "knee"))

    def said(level: Any, code: str, scope: str) -> bool:
        return judge.speaks_of(Finding(level, code, scope, "."), knee)

    assert said("warning", "rung-coarse", "left knee")
    assert said("error", "axes-in-doubt", "walk.c3d")
    assert not said("info", "rung-coarse", "left knee")
    assert not said("warning", "rung-coarse", "right knee")
    assert not said("warning", "foot-without-heel", "left foot")
    assert not said("warning", "plate-refused", "plate 1")


def test_a_refusal_is_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = script("laboratories")

    def refuse(*_: Any) -> None:
        raise GaitdynError("walk.c3d: found nothing, wanted markers; label them")

    monkeypatch.setattr(judge, "process_trial", refuse)
    assert judge.run_laboratory(ISB).kind == "refused"
    assert laboratory_files.SUBJECT == "SYN01"
