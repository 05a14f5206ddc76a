"""Which foot stood on which plate: whole steps, partial steps, plates that cannot be."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gaitdyn.core.runs import runs
from gaitdyn.errors import UsageError
from gaitdyn.events.assignment import LoadedPlate, assign_contacts, check_overlaps
from gaitdyn.events.contacts import load_runs
from gaitdyn.events.feet import (
    TrialFoot,
    beyond_plate,
    distance_to_foot,
    inside_plate,
    median_distance,
    over_plate,
)
from gaitdyn.events.ground import foot_load, unknown_force, unseen_load
from gaitdyn.events.partial_steps import mark_partial_steps
from gaitdyn.stages.foot_wrenches import Steps, find_wrenches
from gaitdyn.stages.stances import under_contacts
from gaitdyn.types.contacts import Contact
from gaitdyn.types.options import Assignment, Options
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import Subject
from gaitdyn.types.wrench import PlateWrench

N, RATE, WEIGHT = 200, 100.0, 700.0
STEP = slice(60, 130)

LEFT = Contact(1, "left", STEP.start, STEP.stop, WEIGHT, "valid", "")
NOT_WITH_IT: list[dict[str, Any]] = [
    {"side": "right"},
    {"verdict": "rejected"},
    {"start": 20, "stop": 60},
    {"start": 130, "stop": 160},
]
"""What makes a contact of another plate no part of that step."""


def a_plate(load_n: float = WEIGHT, at: tuple[float, float] = (0.0, 0.0)) -> LoadedPlate:
    """A level plate of 0.6 m x 0.4 m at the origin, loaded in one step at a point of it."""
    corners = np.array([[0.3, 0, -0.2], [-0.3, 0, -0.2], [-0.3, 0, 0.2], [0.3, 0, 0.2]])
    up = np.zeros(N)
    up[STEP] = load_n
    force = np.zeros((N, 3))
    force[:, 1] = up
    arm = np.array([at[0], 0.0, at[1]])
    wrench = PlateWrench(
        1, corners, np.zeros(3), np.array([0.0, 1, 0]), force, np.cross(arm, force)
    )
    return LoadedPlate(wrench, up, 0.0)


def a_foot(side: str, z: float, stance: slice = STEP, height: float = 0.03) -> TrialFoot:
    """A foot along x, its heel 0.1 m behind the middle of the plate, its toes 0.1 m in front."""
    heel = np.tile([-0.1, height, z], (N, 1))
    toe = np.tile([0.1, height, z], (N, 1))
    standing = np.zeros(N, bool)
    standing[stance] = True
    return TrialFoot(side, heel, toe, standing)


def judged(plate: LoadedPlate, *feet: TrialFoot):
    (contact,) = assign_contacts([plate], list(feet), RATE)
    return contact


@pytest.mark.parametrize("turned", [0.0, 0.5])
def test_a_point_has_its_distance_to_a_foot_and_to_a_plate(turned):
    """The toes end at 1.3 of the distance of the markers; heights do not count."""
    c, s = np.cos(turned), np.sin(turned)
    R = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    centre = np.array([1.0, 0.5, 2.0])

    def placed(*points: tuple[float, float]) -> np.ndarray:
        return centre + np.array([(x, 0.1 * i, z) for i, (x, z) in enumerate(points)]) @ R.T

    points = placed((0.1, 0.05), (0.29, 0.04), (-0.03, 0.04), (0.25, 0.0))
    heel, toe = (np.tile(placed((x, 0.0)), (4, 1)) for x in (0.0, 0.2))
    foot = TrialFoot("left", heel, toe, np.ones(4, bool))
    assert distance_to_foot(points, foot) == pytest.approx([0.05, 0.05, 0.05, 0.0])
    points[:2] = np.nan
    points[2] = placed((0.1, 0.07))
    assert median_distance(points, foot) == pytest.approx(0.035)
    points[2] = np.nan
    assert median_distance(points, foot) == np.inf
    corners = placed((0.3, -0.2), (-0.3, -0.2), (-0.3, 0.2), (0.3, 0.2))
    corners[:, 1] = 0.0
    at = placed((0.299, 0.199), (0.305, -0.203), (-0.307, 0.0), (0.0, -0.205))
    assert inside_plate(at, corners).tolist() == [True, False, False, False]
    assert inside_plate(at, corners, 0.02).tolist() == [True, True, False, False]
    both = inside_plate(np.array((at, at[::-1])), corners)
    assert both.tolist() == [[True, False, False, False], [False, False, False, True]]
    assert beyond_plate(at, corners) == pytest.approx([-0.001, 0.005, 0.007, 0.005])
    ends = TrialFoot("left", at, at[::-1], np.ones(4, bool))
    assert over_plate(ends, corners).tolist() == [True, False, False, True]


def test_the_foot_under_the_force_gets_the_plate():
    contact = judged(a_plate(), a_foot("left", 0.01), a_foot("right", 0.35))
    assert (contact.side, contact.verdict) == ("left", "valid")


def test_a_plate_far_from_both_feet_is_nobodys():
    contact = judged(a_plate(), a_foot("left", 0.5), a_foot("right", -0.5))
    assert (contact.side, contact.verdict) == ("none", "rejected")


@pytest.mark.parametrize(
    ("foot_z", "force_z", "side"),
    [
        (0.27, 0.19, "none"),  # a cane 80 mm beside a foot that stands on the next plate
        (0.24, 0.19, "left"),  # the edge of a sole
        (0.15, 0.07, "left"),  # the foot is on the plate: its marker or the plate is misplaced
        (0.15, 0.04, "none"),  # too far, even so: 110 mm
    ],
)
def test_a_load_beside_a_foot_that_is_not_on_the_plate_is_not_its_load(foot_z, force_z, side):
    contact = judged(a_plate(at=(0.0, force_z)), a_foot("left", foot_z), a_foot("right", 0.9))
    assert contact.side == side
    if side == "none":
        assert (contact.verdict, contact.code) == ("rejected", "far")
        where = "the left foot is beside it" if foot_z > 0.2 else "centre of pressure far from both"
        away = 1000 * (foot_z - force_z)
        assert contact.reason.startswith(where)
        assert f"(left foot {away:.0f} mm" in contact.reason


def test_a_force_between_two_standing_feet_is_shared_and_rejected():
    contact = judged(a_plate(), a_foot("left", -0.09), a_foot("right", 0.095))
    assert (contact.side, contact.verdict) == ("both", "rejected")


def test_a_swinging_foot_above_the_plate_does_no_harm():
    contact = judged(a_plate(), a_foot("left", 0.0), a_foot("right", 0.15, slice(0, 0)))
    assert (contact.side, contact.verdict) == ("left", "valid")


def test_a_force_beside_the_plate_is_rejected():
    contact = judged(a_plate(at=(0.5, 0.0)), a_foot("left", 0.0))
    assert contact.verdict == "rejected"


def test_a_second_foot_over_the_edge_is_named_and_no_plate_is_doubted():
    """The left foot leaves the plate, then the right one rolls over its edge."""
    plate, force = a_plate(), np.zeros((N, 3))
    force[STEP, 1] = WEIGHT
    arm = np.zeros((N, 3))
    arm[100:, 0] = 0.34
    wrench = replace(plate.wrench, force_G=force, moment_G=np.cross(arm, force))
    right = a_foot("right", 0.0, slice(95, 150))
    right.heel_G[:, 0], right.toe_G[:, 0] = 0.2, 0.4
    contact = judged(replace(plate, wrench=wrench), a_foot("left", 0.0, slice(55, 100)), right)
    assert (contact.side, contact.verdict, contact.code) == ("both", "rejected", "two-feet")
    assert "the right foot over its edge" in contact.reason
    alone = judged(replace(plate, wrench=wrench), a_foot("left", 0.0, slice(55, 100)))
    assert (alone.verdict, alone.code) == ("rejected", "outside")


@pytest.mark.parametrize(
    ("height_m", "on_it"), [(-0.12, False), (-0.08, True), (0.18, True), (0.22, False)]
)
def test_a_foot_is_on_a_plate_by_its_height_wherever_it_stands(height_m, on_it):
    """From 0.1 m below its surface to 0.2 m above."""
    contact = judged(a_plate(at=(0.0, 0.1)), a_foot("left", 0.1, height=height_m))
    assert contact.verdict == ("valid" if on_it else "rejected")
    assert ("above the plate's surface" in contact.reason) != on_it


def test_a_plate_a_metre_above_the_feet_is_rejected():
    contact = judged(a_plate(), a_foot("left", 0.0, height=-1.0))
    assert contact.verdict == "rejected"
    assert "above the plate's surface" in contact.reason


def test_a_foot_that_carries_half_the_body_stands_partly_beside_the_plate():
    feet = [a_foot("left", 0.0), a_foot("right", 0.4, slice(0, 90))]
    for load, verdict in ((0.95 * WEIGHT, "valid"), (0.45 * WEIGHT, "partial")):
        plate = a_plate(load)
        plate.up[STEP.start : 90] = 0.3 * WEIGHT  # both feet carry it
        contacts = assign_contacts([plate], feet, RATE)
        closed = {"left": np.zeros(N, bool), "right": np.zeros(N, bool)}
        others = [replace(contacts[0], plate=2, **change) for change in NOT_WITH_IT[:2]]
        plates = [plate, replace(a_plate(), wrench=replace(plate.wrench, number=2))]
        found, *_ = mark_partial_steps(contacts + others, plates, feet, closed, (RATE, WEIGHT))
        assert found.verdict == verdict
        assert found.accepted
        assert ("an aid carries the rest" in found.reason) == (verdict == "partial")


@pytest.mark.parametrize(("load_n", "code"), [(60.0, "scuff"), (0.95 * WEIGHT, "")])
def test_a_foot_that_only_touches_a_plate_does_not_step_on_it(load_n, code):
    plate, closed = a_plate(load_n), {"left": np.zeros(N, bool)}
    contacts = assign_contacts([plate], [a_foot("left", 0.0)], RATE)
    for weight in (WEIGHT, 0.0):  # not known: the largest load is that of a step
        other = replace(contacts[0], plate=2, side="right", peak_N=WEIGHT, start=130, stop=160)
        found, _ = mark_partial_steps(
            [*contacts, other],
            [plate, replace(plate, wrench=replace(plate.wrench, number=2))],
            [a_foot("left", 0.0)], closed, (RATE, weight),
        )  # fmt: skip
        assert found.code == code
        assert found.accepted
        assert ("drags over the plate" in found.reason) == bool(code)
    both = [contacts[0], replace(contacts[0], plate=2, peak_N=WEIGHT)]
    plates = [plate, replace(plate, wrench=replace(plate.wrench, number=2))]
    heel, _ = mark_partial_steps(both, plates, [a_foot("left", 0.0)], closed, (RATE, WEIGHT))
    assert heel.code == ""  # the rest of the foot is on the other plate
    for change in NOT_WITH_IT:
        both[1] = replace(contacts[0], plate=2, peak_N=WEIGHT, **change)
        heel, _ = mark_partial_steps(both, plates, [a_foot("left", 0.0)], closed, (RATE, WEIGHT))
        assert heel.code == code
    kept = replace(contacts[0], code="given")
    assert mark_partial_steps([kept], plates, [a_foot("left", 0.0)], closed, (RATE, 0.0)) == [kept]
    assert mark_partial_steps([kept], plates, [], closed, (RATE, WEIGHT)) == [kept]


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [(20, 0, "partial"), (0, 20, "partial"), (6, 6, "valid"), (0, 7, "partial")],
)
def test_a_load_that_starts_late_in_the_stance_or_ends_early_is_partial(before, after, verdict):
    plate = a_plate(0.95 * WEIGHT)
    longer = slice(STEP.start - before, STEP.stop + after)
    feet = [a_foot("left", 0.0, longer), a_foot("right", 0.4, slice(0, 70))]
    closed = {"left": feet[0].stance, "right": np.zeros(N, bool)}
    contacts = assign_contacts([plate], feet, RATE)
    (found,) = mark_partial_steps(contacts, [plate], feet, closed, (RATE, WEIGHT))
    assert found.verdict == verdict
    told = f"{10 * max(before, after)} ms inside the stance"
    assert (told in found.reason) == (verdict == "partial")
    assert "mass" not in found.reason  # no mass is needed to see it


@pytest.mark.parametrize(
    ("shares", "light"),
    [
        ([0.75] * 6, []),  # a fast walker: 0.85 of 0.75 is below 0.7, which is the least
        ([0.75] * 5, [0.75] * 5),  # too few steps to tell: 0.8
        ([0.68] * 6, [0.68] * 6),
        ([0.9, 0.9, 0.9, 0.9, 0.78, 0.76], [0.76]),  # 0.85 of 0.9 is 0.765
        ([1.1, 1.1, 1.1, 1.1, 0.82, 0.78], [0.78]),
    ],
)
def test_how_little_a_whole_step_carries_is_told_by_the_others(shares, light):
    up, contacts = np.zeros(N), list[Contact]()
    for i, share in enumerate(shares):
        up[30 * i : 30 * i + 25] = share * WEIGHT
        contacts.append(replace(LEFT, start=30 * i, stop=30 * i + 25, peak_N=share * WEIGHT))
    plate, feet = replace(a_plate(), up=up), [a_foot("left", 0.0), a_foot("right", 0.4, slice(0))]
    closed = {"left": np.zeros(N, bool), "right": np.zeros(N, bool)}
    found = mark_partial_steps(contacts, [plate], feet, closed, (RATE, WEIGHT))
    assert [c.light for c in found if c.code == "light"] == pytest.approx(light)
    assert sum(c.verdict == "valid" for c in found) == len(shares) - len(light)


@pytest.mark.parametrize(
    ("heel", "toe", "raised", "verdict"),
    [
        (-0.43, -0.23, 0.0, "partial"),  # the heel stands 130 mm before the plate
        (-0.335, -0.135, 0.0, "valid"),  # a marker is up to 40 mm behind the heel's support
        (-0.35, -0.15, 0.0, "valid"),  # 50 mm: a part of the heel may stand before the plate
        (-0.43, -0.23, 0.06, "valid"),  # the person walks on the toes
        (0.2, 0.4, 0.0, "partial"),  # the forefoot stands beyond the plate
    ],
)
def test_a_foot_with_an_end_beside_the_plate_is_partial(heel, toe, raised, verdict):
    plate = a_plate(at=(-0.25, 0.0) if heel < 0 else (0.25, 0.0))
    foot = a_foot("left", 0.0)
    foot = replace(foot, heel_G=foot.heel_G + 0, toe_G=foot.toe_G + 0)
    foot.heel_G[:, :2] += (heel + 0.1, raised)
    foot.toe_G[:, 0] += toe - 0.1
    closed = {"left": np.zeros(N, bool)}
    contacts = assign_contacts([plate], [foot], RATE)
    (found,) = mark_partial_steps(contacts, [plate], [foot], closed, (RATE, WEIGHT))
    assert found.verdict == verdict
    assert ("mm beside the plates: its load is not measured" in found.reason) == (
        verdict == "partial"
    )
    assert ("a part of its load may not be measured" in found.reason) == (heel == -0.35)
    if verdict == "partial":  # heel from 5 to 40 %, forefoot from 50 to 90 % of the load
        times = np.arange(N)
        bears = (times >= 63) & (times < 88) if heel < 0 else (times >= 95) & (times < 123)
        for beside, expected in ((bears, "partial"), (~bears, "valid")):
            over = np.where(beside[:, None], 0.0, [-0.3 if heel > 0 else 0.3, 0.0, 0.0])
            moved = replace(foot, heel_G=foot.heel_G + over, toe_G=foot.toe_G + over)
            (found,) = mark_partial_steps(contacts, [plate], [moved], closed, (RATE, WEIGHT))
            assert found.verdict == expected
    elsewhere = replace(plate, wrench=replace(plate.wrench, virtual=True))
    (found,) = mark_partial_steps(contacts, [elsewhere], [foot], closed, (RATE, WEIGHT))
    assert found.verdict == "valid"
    given = [replace(contacts[0], code="given")]
    assert mark_partial_steps(given, [plate], [foot], closed, (RATE, WEIGHT)) == given
    shift = np.array([0.6 if heel > 0 else -0.6, 0.0, 0.0])  # the rest is on the next plate
    beside = replace(plate.wrench, number=2, corners_G=plate.wrench.corners_G + shift)
    for change, alone in [({}, "valid"), *((change, verdict) for change in NOT_WITH_IT)]:
        rest = replace(contacts[0], plate=2, **change)
        plates = [plate, replace(plate, wrench=beside)]
        found, _ = mark_partial_steps([contacts[0], rest], plates, [foot], closed, (RATE, WEIGHT))
        assert found.verdict == alone


def test_a_step_cut_by_the_file_is_partial():
    plate = a_plate()
    up = plate.up.copy()
    up[:60] = WEIGHT
    force = np.stack((0 * up, up, 0 * up), axis=1)
    plate = LoadedPlate(replace(plate.wrench, force_G=force, moment_G=0 * force), up, 0.0)
    contact = judged(plate, a_foot("left", 0.0, slice(0, 130)))
    assert (contact.verdict, contact.start) == ("partial", 0)


def test_what_the_user_says_wins_and_other_steps_are_still_judged():
    plate = a_plate()
    up = plate.up.copy()
    up[150:190] = WEIGHT
    force = np.stack((0 * up, up, 0 * up), axis=1)
    plate = LoadedPlate(replace(plate.wrench, force_G=force, moment_G=0 * force), up, 0.0)
    given = (Assignment(1, "right", (61, 130)),)
    feet = [a_foot("left", 0.0), a_foot("right", 0.4)]
    found = assign_contacts([plate], feet, RATE, given, first_frame=1)
    assert [(c.side, c.start, c.stop) for c in found] == [("right", 60, 130), ("left", 150, 190)]


@pytest.mark.parametrize(
    "given",
    [
        (Assignment(1, "left"), Assignment(1, "right")),
        (Assignment(1, "left"), Assignment(1, "right", (10, 20))),
        (Assignment(1, "left", (10, 20)), Assignment(1, "right", (20, 30))),
    ],
)
def test_assignments_that_contradict_each_other_are_refused(given):
    with pytest.raises(UsageError, match="plate 1 twice"):
        check_overlaps(given)


def test_two_steps_on_one_plate_may_be_given():
    check_overlaps((Assignment(1, "left", (10, 20)), Assignment(1, "right", (21, 30))))


@pytest.mark.parametrize("ends", [("heel_G", "toe_G"), ("heel_G",), ("toe_G",)])
def test_a_loaded_plate_leaves_the_force_of_a_foot_that_is_not_seen_unknown(ends):
    plate, seen = a_plate(), a_foot("left", 0.5)
    unseen: dict[str, Any] = dict.fromkeys(ends, np.full((N, 3), np.nan))
    hidden = replace(seen, **unseen)
    contacts = assign_contacts([plate], [hidden], RATE)
    unknown = unseen_load([plate], contacts, hidden)
    np.testing.assert_array_equal(np.flatnonzero(unknown), np.arange(STEP.start, STEP.stop))
    assert not unseen_load([plate], contacts, seen).any()


def test_a_foot_stands_while_it_carries_an_accepted_load():
    foot = a_foot("left", 0.0, slice(70, 100))
    for verdict in ("valid", "partial"):
        assert runs(under_contacts(foot, [replace(LEFT, verdict=verdict)])) == [(60, 130)]
    for other in (replace(LEFT, verdict="rejected"), replace(LEFT, side="right")):
        assert runs(under_contacts(foot, [other])) == [(70, 100)]


def test_a_plate_that_the_user_left_out_says_nothing_of_a_hidden_foot():
    plate = a_plate()
    hidden = replace(a_foot("left", 0.0), heel_G=np.full((N, 3), np.nan))
    contacts = assign_contacts([plate], [hidden], RATE, (Assignment(1, "none"),))
    assert not unseen_load([plate], contacts, hidden).any()


def test_the_load_of_a_foot_is_the_sum_of_its_plates_about_the_origin():
    one, two = a_plate(300.0, (0.1, 0.05)), a_plate(400.0, (-0.2, 0.1))
    centre = np.array([0.6, 0.0, 0.1])
    two = replace(two, wrench=replace(two.wrench, number=2, centre_G=centre))
    contacts = [
        replace(LEFT, peak_N=300.0),
        replace(LEFT, plate=2, peak_N=400.0, verdict="partial"),
        replace(LEFT, side="right", verdict="rejected"),
    ]
    wrench, reference, on = foot_load([one, two], contacts, "left", [], vendor=False)
    middle = (300.0 * np.array([0.1, 0.0, 0.05]) + 400.0 * np.array([0.4, 0.0, 0.2])) / 700.0
    load = np.array([0.0, 700.0, 0.0])
    np.testing.assert_allclose(wrench[STEP], [np.r_[load, np.cross(middle, load)]] * 70, atol=1e-9)
    np.testing.assert_array_equal(reference, centre)
    assert runs(on) == runs(wrench[:, 1] != 0.0) == [(STEP.start, STEP.stop)]
    wrench, reference, on = foot_load([one, two], contacts, "right", [], vendor=False)
    assert not wrench.any()
    assert not on.any()
    assert np.isnan(reference).all()


@pytest.mark.parametrize(
    ("rest_n", "noise_n", "vendor", "rows"),
    [
        (4.0, 1.0, False, (20, 180)),  # above three times the noise the tails are force
        (4.0, 1.4, False, (60, 130)),
        (4.0, 1.0, True, (60, 130)),
        (8.0, 1.0, True, (40, 150)),  # not tared: 20 frames on either side
    ],
)
def test_a_load_has_the_tails_of_its_step(rest_n, noise_n, vendor, rows):
    plate = a_plate()
    up = plate.up.copy()
    up[20:60] = up[130:180] = rest_n
    force = np.stack((0 * up, up, 0 * up), axis=1)
    wrench = replace(plate.wrench, force_G=force, moment_G=0 * force)
    tailed = LoadedPlate(wrench, up, noise_n)
    alone, _, on = foot_load([tailed], [LEFT], "left", [], vendor=vendor)
    assert runs(alone[:, 1] > 0.0) == [rows]
    assert runs(on) == [(STEP.start, STEP.stop)]
    if not vendor:  # what two feet carry one after the other is what the plate carries
        both = [LEFT, replace(LEFT, side="right", start=140, stop=160)]
        left, right = (foot_load([tailed], both, s, [], vendor=False)[0] for s in ("left", "right"))
        known = slice(*rows) if rest_n > 3.0 * noise_n else STEP
        np.testing.assert_allclose((left + right)[known, 1], up[known])
        if known != STEP:
            assert np.flatnonzero(left[:, 1])[-1] + 1 == np.flatnonzero(right[:, 1])[0] == 135


def test_a_load_is_the_frames_above_20_n_between_two_below_10_n_if_it_lasts_a_tenth():
    up = np.zeros(N)
    up[20:30], up[50:59] = 25.0, 25.0
    up[80:110], up[85:95] = 15.0, 25.0
    up[120:160], up[120:124], up[150:158] = 15.0, 25.0, 25.0
    up[170:190] = 19.0
    assert load_runs(up, RATE) == [(20, 30), (85, 95), (120, 158)]


def test_the_force_of_a_standing_foot_is_not_known_60_ms_beyond_its_load():
    stance, on = np.zeros(N, bool), np.zeros(N, bool)
    stance[40:150] = on[STEP] = True
    assert runs(unknown_force(stance, on, RATE)) == [(40, 54), (136, 150)]


@pytest.mark.parametrize("sign", [1.0, -1.0])  # of a plate that records the force on itself
@pytest.mark.parametrize(
    ("options", "load_n", "vendors_mask"),
    [
        (Options(), WEIGHT, False),
        (Options(baseline="keep"), WEIGHT + 2.0, False),
        (Options(names="pig"), WEIGHT, True),
        (Options(profile="plug-in-gait"), WEIGHT + 2.0, True),
    ],
)
def test_the_vendor_takes_a_foot_beside_the_plates_for_one_in_swing(
    options, load_n, vendors_mask, sign
):
    """In stances that the file cuts; and its forces are those of plates as they were recorded."""
    plate, foot = a_plate(), a_foot("left", 0.0, slice(20, 150))
    as_read = plate.wrench.force_G + np.array([0.0, 2.0, 0.0])
    recording = Recording("w", "", RATE, 1, 11, (), np.zeros((N, 0, 3)), {}, (), (), Subject())
    trial: Any = SimpleNamespace(
        plates=[replace(plate.wrench, force_G=sign * as_read)], rate_hz=RATE, recording=recording
    )
    unfiltered = replace(options, cutoff_hz=None, force_cutoff_hz=None)
    for closed in (foot.stance, np.zeros(N, bool)):
        steps = Steps([plate], [LEFT], [foot], {"left": foot.stance}, {"left": closed}, [])
        found, told = find_wrenches(trial, steps, WEIGHT, unfiltered)
        force = found["left"].force_G[:, 1]
        as_swing = vendors_mask and not closed.any()
        assert runs(np.isnan(force)) == ([] if as_swing else [(20, 54), (136, 150)])
        np.testing.assert_allclose(force[STEP], load_n)
        assert [f.value for f in told] == ([34.0, 14.0] if as_swing else [])
        if as_swing:
            assert "left foot, frames 31-64: it stands beside the plates" in told[0].message
            assert (told[0].start_s, told[0].stop_s) == (0.3, 0.63)
