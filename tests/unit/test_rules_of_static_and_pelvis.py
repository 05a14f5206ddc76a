"""Markers moved across their leg, a pelvis that is none, plates in each other, feet not felt."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.calibrate.clusters.tracking import TrackedLegs, tracked_pose
from gaitdyn.core.rotations import about, rotate
from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.rules.markers.pelvis import pelvis_rules, twist_deg
from gaitdyn.quality.rules.markers.placement import creeping_markers, placement_rules
from gaitdyn.quality.rules.markers.static_lines import find_stance, static_lines, static_sides
from gaitdyn.quality.rules.markers.wands import _leverage, buried_markers, wand_rules
from gaitdyn.quality.rules.plates.force import no_whole_step
from gaitdyn.quality.rules.plates.layout import askew, overlapping
from gaitdyn.quality.rules.plates.places import moved_since_static, silent_plates

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.trial import Result

RULES = load_rules()
AHEAD, UP, OUT = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0)
"""Of the walk along X of G; outward on the left."""


def moved(result: Result, label: str, way: tuple[float, ...], by_m: float) -> Result:
    """Return a result whose walk shows a marker elsewhere; everything else is as it was."""
    trial = result.trial
    markers = trial.markers_G.copy()
    markers[:, trial.labels.index(label)] += by_m * np.array(way)
    return replace(result, trial=replace(trial, markers_G=markers))


def moved_in_static(result: Result, label: str, way: tuple[float, ...], by_m: float) -> Result:
    """Return a result whose static shows a marker elsewhere, ahead, up or outside on the left."""
    static = result.static
    assert static is not None
    stance = find_stance(static)
    assert stance is not None
    ahead = np.nanmean(stance.R_LP[:, :, 0], axis=0) * (1.0 - np.abs(stance.up))
    ahead /= np.linalg.norm(ahead)
    axes = np.stack((ahead, stance.up, np.cross(ahead, stance.up)), axis=1)
    markers = static.markers_L.copy()
    markers[:, static.labels.index(label)] += by_m * (axes @ np.array(way))
    return replace(result, static=replace(static, markers_L=markers))


@pytest.mark.parametrize(
    ("label", "way", "scope"),
    [
        ("LTHI", AHEAD, "LTHI"),
        ("LTIB", AHEAD, "LTIB"),
        ("LTHI", OUT, "LTHI"),
        ("LKNE", OUT, "LKNE"),
        ("LHEE", OUT, "LANK"),
    ],
)
def test_a_marker_that_was_moved_across_its_leg_in_the_static_is_told(
    clean: Result, label: str, way: tuple[float, ...], scope: str
) -> None:
    assert static_lines(clean, RULES) == []
    other = moved_in_static(clean, label, way, 0.06)
    found = {f.scope: f for f in static_lines(other, RULES)}
    assert scope in found
    assert found[scope].side == "left"
    assert found[scope].code == "static-distance"
    assert found[scope].limit == pytest.approx((4.0 if way == AHEAD else 2.5) * 0.012)
    if label == scope:
        assert found[scope].value == pytest.approx(0.06, abs=0.006)  # as in the clean walk


def test_a_marker_whose_distances_differ_from_the_static_is_told(clean: Result) -> None:
    assert placement_rules(clean, RULES) == []
    for by_m, told in ((0.01, []), (0.05, ["RTOE"])):
        found = placement_rules(moved_in_static(clean, "RTOE", AHEAD, by_m), RULES)
        assert [f.scope for f in found] == told
    assert (found[0].code, found[0].side) == ("static-distance", "right")
    assert found[0].value == pytest.approx(0.05, abs=0.005)
    assert "right foot: R" in found[0].message
    assert "(pairs of markers that differ: 2): RTOE is exchanged or" in found[0].message


@pytest.mark.parametrize(("by_m", "scopes"), [(0.0, []), (0.01, []), (0.06, ["LANK"])])
def test_a_marker_that_creeps_is_told(clean: Result, by_m: float, scopes: list[str]) -> None:
    part = np.linspace(0.0, by_m, len(clean.trial.markers_G))[:, None]
    markers = clean.trial.markers_G.copy()
    markers[:, clean.trial.labels.index("LANK")] += part * np.array(UP)
    crept = replace(clean, trial=replace(clean.trial, markers_G=markers))
    found = creeping_markers(crept, RULES)
    assert sorted({f.scope for f in found}) == scopes
    assert {f.side for f in found} <= {"left"}
    assert {f.message.split(":")[0] for f in found} <= {"left shank"}


@pytest.mark.parametrize(("both", "by_m", "scopes"), [
    (False, 0.0, []), (False, 0.06, ["LKNE"]), (False, -0.06, ["LKNE"]), (True, 0.06, []),
])  # fmt: skip
def test_a_knee_marker_that_was_moved_ahead_is_told_and_legs_turned_out_are_not(
    clean: Result, by_m: float, scopes: list[str], *, both: bool
) -> None:
    other = moved_in_static(clean, "LKNE", AHEAD, by_m)
    other = moved_in_static(other, "RKNE", AHEAD, by_m) if both else other
    found = static_lines(other, RULES)
    assert [f.scope for f in found] == scopes
    for one in found:
        assert (one.side, one.limit) == ("left", pytest.approx(3.0 * 0.012))
        # the knee of the walk is behind that of the static, the wands ahead of its lines
        assert f"further {'ahead of' if by_m > 0 else 'behind'} the lines" in one.message


def test_a_wand_near_its_line_is_told_with_the_axis_that_an_error_above_turns(
    clean: Result,
) -> None:
    assert wand_rules(clean, RULES) == []
    out = clean.trial.marker("LTIB") - clean.pose.leg("left").r_prox_G[:, 0]
    inward = -0.025 * np.sign(np.nanmedian(out[:, 2]))
    (found,) = wand_rules(moved(clean, "LTIB", (0.0, 0.0, inward), 1.0), RULES)
    assert (found.code, found.scope, found.level) == ("wand-short", "left ankle", "warning")
    assert found.value is not None
    assert 7.0 < found.value < 30.0
    medial = (replace(t, rung="two-malleoli") if t.place == "ankle" else t for t in clean.taken)
    other = replace(moved(clean, "LTIB", (0.0, 0.0, inward), 1.0), taken=tuple(medial))
    assert wand_rules(other, RULES) == []


def test_a_thigh_marker_under_the_skin_is_told(clean: Result) -> None:
    """Half way in it is still outside; where the knee centre is a marker nothing is known."""
    _, knee, hip = np.moveaxis(clean.pose.leg("left").r_prox_G, 1, 0)
    inward = np.nanmedian(0.5 * (knee + hip) - clean.trial.marker("LTHI"), axis=0)
    out, deep = (moved(clean, "LTHI", (0.0, 0.0, inward[2]), part) for part in (0.4, 0.9))
    coarse = (replace(t, coarse=t.place == "knee") for t in clean.taken)
    found = [
        [(f.scope, f.level) for f in buried_markers(result, RULES)]
        for result in (clean, out, deep, replace(deep, taken=tuple(coarse)))
    ]
    assert found == [[], [], [("LTHI", "warning")], []]
    assert "marker-inside" in {f.code for f in wand_rules(deep, RULES)}


def test_a_wand_on_its_line_is_turned_fully_without_a_warning() -> None:
    centre, lateral = np.zeros((5, 3)), np.tile((0.0, -0.5, 0.0), (5, 1))
    assert _leverage(centre, lateral, lateral / 2) == pytest.approx((0.0, 90.0), abs=1e-4)


def test_distances_alone_do_not_see_a_wand_that_is_moved_ahead(clean: Result) -> None:
    other = moved_in_static(clean, "LTHI", AHEAD, 0.06)
    assert [f.scope for f in placement_rules(other, RULES)] == []
    assert [f.scope for f in static_lines(other, RULES)] == ["LTHI"]


@pytest.mark.parametrize(("label", "by_m"), [("LTOE", 0.03), ("RKNM", 0.03), ("LMED", -0.03)])
def test_a_marker_unlike_that_of_the_other_leg_in_the_static_is_told(
    clean: Result, label: str, by_m: float
) -> None:
    static = clean.static
    assert static is not None
    outer = {x + y: static.marker(x + y) for x in "LR" for y in ("KNE", "ANK")}
    inner = {f"{x[0]}{'KNM' if x[1:] == 'KNE' else 'MED'}": outer[x] for x in outer}
    across = static.marker("LASI") - static.marker("RASI")
    inward = {"L": -across, "R": across}
    for name, place in inner.items():
        inner[name] = place + 0.1 * inward[name[0]] / np.linalg.norm(across, axis=1)[:, None]
    both = replace(
        static,
        labels=(*static.labels, *inner),
        markers_L=np.concatenate((static.markers_L, np.stack(list(inner.values()), 1)), axis=1),
    )
    worn = replace(clean, static=both)
    assert static_sides(worn, RULES) == []
    way = UP if label == "LTOE" else OUT
    found = static_sides(moved_in_static(worn, label, way, by_m), RULES)
    assert {f.code for f in found} == {"sides-unlike"}


def test_a_block_under_one_foot_in_the_static_is_no_misplaced_marker(clean: Result) -> None:
    raised = clean
    for label in ("LTOE", "LHEE", "LANK"):
        raised = moved_in_static(raised, label, UP, 0.03)
    assert static_sides(raised, RULES) == []


def test_a_laboratory_sets_how_far_distances_may_change(clean: Result, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("[static-distance]\nlimit = 0.05\n")
    other = moved_in_static(clean, "LHEE", AHEAD, 0.04)
    assert {f.scope for f in placement_rules(other, RULES)} == {"LHEE"}
    assert placement_rules(other, load_rules(own)) == []


def test_without_a_static_or_a_pelvis_no_line_is_compared(clean: Result) -> None:
    assert static_lines(replace(clean, static=None), RULES) == []
    labels = tuple("x" + x if x.endswith("ASI") else x for x in clean.trial.labels)
    bare = replace(clean, trial=replace(clean.trial, labels=labels))
    assert static_lines(bare, RULES) == []
    assert pelvis_rules(bare, RULES) == []


@pytest.mark.parametrize(
    ("label", "way", "by_m", "codes"),
    [
        ("LPSI", UP, 0.04, {"pelvis-twisted"}),
        ("RASI", UP, 0.06, {"pelvis-twisted", "pelvis-oblique"}),
        ("RASI", UP, 0.01, set()),
    ],
)
def test_a_pelvis_is_one_bone_and_as_level_as_in_the_static(
    clean: Result, label: str, way: tuple[float, ...], by_m: float, codes: set[str]
) -> None:
    assert pelvis_rules(clean, RULES) == []
    other = moved(clean, label, way, by_m)
    assert {f.code for f in pelvis_rules(other, RULES)} == codes


@pytest.mark.parametrize(("by_m", "found"), [(0.0, False), (-0.12, True), (0.12, True)])
def test_a_pelvis_has_the_depth_of_one(clean: Result, by_m: float, *, found: bool) -> None:
    other = moved(moved(clean, "LPSI", AHEAD, by_m), "RPSI", AHEAD, by_m)
    assert ("pelvis-depth" in {f.code for f in pelvis_rules(other, RULES)}) is found


@pytest.mark.parametrize(("by_deg", "found"), [(0.0, False), (-30.0, True), (40.0, True)])
def test_nobody_walks_with_a_pelvis_that_lies(clean: Result, by_deg: float, *, found: bool) -> None:
    sides = {
        name: replace(side, angles=side.angles | {"pelvis": side.angles["pelvis"] + by_deg})
        for name, side in clean.sides.items()
    }
    told = {f.code for f in pelvis_rules(replace(clean, sides=sides), RULES)}
    assert ("pelvis-tilted" in told) is found


def test_two_plates_cannot_be_in_one_place(clean: Result) -> None:
    assert overlapping(clean, RULES) == []
    one, *others = clean.trial.plates
    twice = one.corners_G.mean(axis=0) + 2.0 * (one.corners_G - one.corners_G.mean(axis=0))
    trial = replace(clean.trial, plates=(replace(one, corners_G=twice), *others))
    (found, *_) = overlapping(replace(clean, trial=trial), RULES)
    assert (found.code, found.scope) == ("plates-overlap", "plates 1, 2")


@pytest.mark.parametrize(
    ("turn_deg", "up_m", "codes"),
    [(0.0, 0.0, []), (1.5, 0.01, []), (3.0, 0.0, ["plates-askew"]), (92.5, 0.0, ["plates-askew"]),
     (0.0, 0.02, ["plates-askew"]), (0.0, 0.17, [])],
)  # fmt: skip
def test_plates_of_a_floor_are_parallel_and_flush(
    clean: Result, turn_deg: float, up_m: float, codes: list[str]
) -> None:
    one, second, *_ = clean.trial.plates
    turned = rotate(about("y", np.radians(turn_deg)), one.corners_G - one.centre_G)
    centre = one.centre_G + np.array([0.0, up_m, 0.0])
    plate = replace(one, corners_G=centre + turned, centre_G=centre)
    other = replace(clean, trial=replace(clean.trial, plates=(plate, second)))
    assert [f.code for f in askew(other, RULES)] == codes


@pytest.mark.parametrize(
    ("corners_m", "origin_m", "found"),
    [(0.0, 0.0, False), (0.005, 0.0, False), (0.012, 0.0, True), (-0.1, 0.0, True),
     (0.0, 0.05, True), (0.6, 0.0, False)],
)  # fmt: skip
def test_a_plate_is_where_the_static_has_it(
    clean: Result, corners_m: float, origin_m: float, *, found: bool
) -> None:
    assert moved_since_static(clean, RULES) == []  # those of the static lie elsewhere
    assert clean.static is not None
    now = clean.recording.plates
    plate = replace(
        now[0], corners_L=now[0].corners_L + np.array([corners_m, 0.0, 0.0]),
        origin=now[0].origin + np.array([0.0, 0.0, origin_m]),
    )  # fmt: skip
    result = replace(
        clean, static=replace(clean.static, plates=now),
        recording=replace(clean.recording, plates=(plate, *now[1:])),
    )  # fmt: skip
    told = [(f.code, f.scope) for f in moved_since_static(result, RULES)]
    assert told == [("plates-moved", "plate 1")] * found
    assert result.static is not None
    larger = [replace(p, corners_L=1.2 * p.corners_L - 0.2 * p.corners_L.mean(axis=0)) for p in now]
    for plates in (now[:-1], tuple(larger)):
        others = replace(result, static=replace(result.static, plates=plates))
        assert moved_since_static(others, RULES) == []


def test_a_plate_that_hardly_feels_a_foot_that_stands_alone_is_told(clean: Result) -> None:
    assert silent_plates(clean, RULES) == []
    plates = tuple(replace(p, force_G=0.15 * p.force_G) for p in clean.trial.plates)
    light = replace(clean, trial=replace(clean.trial, plates=plates))
    assert {f.scope for f in silent_plates(light, RULES)} == {
        f"plate {c.plate}" for c in clean.contacts if c.verdict == "valid"
    }


def test_a_plate_under_a_part_of_a_foot_may_feel_little_of_it(clean: Result) -> None:
    """Shifted by 250 mm along the walk a plate is under heel or ball alone: the rest is beside."""
    beside = np.array([0.25, 0.0, 0.0])
    plates = tuple(
        replace(p, force_G=0.15 * p.force_G, corners_G=p.corners_G + beside)
        for p in clean.trial.plates
    )
    assert silent_plates(replace(clean, trial=replace(clean.trial, plates=plates)), RULES) == []


def test_a_silent_plate_is_told_where_nothing_shows_when_feet_stand(clean: Result) -> None:
    plates = tuple(replace(p, force_G=0.0 * p.force_G) for p in clean.trial.plates)
    sides = {n: replace(s, stance=np.zeros_like(s.stance)) for n, s in clean.sides.items()}
    silent = replace(clean, trial=replace(clean.trial, plates=plates), sides=sides)
    assert silent_plates(silent, RULES)


def test_plates_of_which_none_carries_a_foot_are_summed_up(clean: Result) -> None:
    rejected = tuple(replace(c, verdict="rejected", side="none") for c in clean.contacts)
    (found,) = no_whole_step(replace(clean, contacts=rejected), RULES)
    assert "no step on the plates (3) is that of one foot" in found.message
    assert no_whole_step(replace(clean, contacts=()), RULES) == []


def test_a_leg_that_is_not_tracked_has_the_shape_of_one_that_is(clean: Result) -> None:
    pose = clean.pose
    alone = TrackedLegs(pose.R_GP, pose.origin_G, {"left": pose.left}, {}, [], {})
    other = tracked_pose(alone, pose.walking_G).right
    assert other.r_prox_G.shape == pose.left.r_prox_G.shape
    assert other.R_GS.shape == pose.left.R_GS.shape


def test_the_twist_of_a_pelvis_is_that_of_each_frame_whichever_way_it_faces():
    """Its PSIS stand 10 deg turned against its ASIS; it turns right round, its skin slides."""
    t = np.linspace(0.0, 2 * np.pi, 60)
    half = 0.1 * np.array([0.0, np.sin(np.radians(10)), np.cos(np.radians(10))])
    ahead, aside = np.array([0.1, 0.0, 0.0]), np.array([0.0, 0.0, 0.1])
    slides = 0.1 * np.sin(3 * t)[:, None] * [1.0, 0.0, 0.0]
    still = {
        "LASI": ahead - aside - slides, "RASI": ahead + aside + slides,
        "LPSI": -half - ahead - slides, "RPSI": half - ahead + slides,
    }  # fmt: skip
    turned = {label: rotate(about("y", t), place) for label, place in still.items()}
    trial: Any = SimpleNamespace(labels=tuple(turned), marker=turned.__getitem__)
    assert abs(twist_deg(trial)) == pytest.approx(10.0, abs=1e-6)
