"""Each quality rule on the synthetic walker: silent on a clean walk, loud on its fault."""

from __future__ import annotations

import ast
import re
import tomllib
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.audit.legs import audit_of
from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.errors import UsageError
from gaitdyn.metrics.gait_parameters import gait_parameters
from gaitdyn.pipeline import process_loaded, process_trial
from gaitdyn.quality import cycle_status
from gaitdyn.quality.rules import check_result, judged, load_rules, timing
from gaitdyn.quality.rules.audit import audit_rules, growth_rates
from gaitdyn.quality.rules.balance.body_motion import PlateSupport
from gaitdyn.quality.rules.timing import best_delay
from gaitdyn.report import make_report, pooled, write_report
from gaitdyn.store import ResultsFolder, write_results
from gaitdyn.store.stored import read_trial
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.findings import Finding, Level
from gaitdyn.types.options import Options
from tests.unit.faulty_walks import backward, codes, processed, sideways

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.audit import LegAudit
    from gaitdyn.types.recording import PlateRecord, Recording

RULES = load_rules()
AUDIT = {rule.code for rule in RULES.rows if rule.where == "audit"}


def with_channels(
    recording: Recording, change: Callable[[PlateRecord], np.ndarray[Any, Any]]
) -> Recording:
    plates = tuple(replace(p, channels=change(p)) for p in recording.plates)
    return replace(recording, plates=plates)


def joint_verdicts(result: Result) -> dict[tuple[str, int, str], str]:
    rows = cycle_status(result, cycle_curves(result, run_curves(result)))
    return {(r.side, r.cycle, r.joint): r.verdict for r in rows}


def test_no_rule_speaks_on_a_clean_walk(clean: Result) -> None:
    assert [f for f in check_result(clean, RULES) if f.level != "info"] == []
    assert "pass" in joint_verdicts(clean).values()


def test_a_step_rejected_beside_the_plate_is_told_with_its_share_beside_the_foot(
    as_read: Session,
) -> None:
    def stretched(plate: PlateRecord) -> np.ndarray[Any, Any]:
        channels = plate.channels * [1, 1, 1, 2, 2, 1]
        channels[:, 4] -= 0.15 * channels[:, 2]
        return channels

    found = check_result(processed(as_read, lambda r: with_channels(r, stretched)), RULES)
    told = {f.scope: f.value for f in found if "stands on it, but" in f.message}
    assert told == {"plate 1": pytest.approx(0.5, abs=0.1), "plate 2": 1.0}


def test_flipped_moments_are_outside_the_foot(as_read: Session) -> None:
    found = processed(
        as_read, lambda r: with_channels(r, lambda p: p.channels * [1, 1, 1, -1, -1, -1])
    )
    assert codes(found) & {"cop-outside-foot", "cop-backward"}


def test_a_turned_horizontal_force_does_not_brake_first(as_read: Session) -> None:
    found = processed(
        as_read, lambda r: with_channels(r, lambda p: p.channels * [-1, -1, 1, 1, 1, 1])
    )
    assert "force-direction" in codes(found)


def test_a_foot_given_to_a_plate_that_was_off_shows_no_direction_of_its_force(
    as_read: Session,
) -> None:
    found = processed(
        as_read, lambda r: with_channels(r, lambda p: 0 * p.channels), assign="1=left:178-240"
    )
    assert [c.plate for c in found.contacts if c.accepted] == [1]
    assert "force-direction" not in {f.code for f in found.findings}


def test_a_large_free_moment_is_seen(as_read: Session) -> None:
    def twist(plate: PlateRecord) -> np.ndarray[Any, Any]:
        channels = plate.channels.copy()
        channels[:, 5] += 0.1 * channels[:, 2]
        return channels

    assert "free-moment" in codes(processed(as_read, lambda r: with_channels(r, twist)))


@pytest.mark.parametrize("late_s", [-0.034, 0.0, 0.02, 0.034])
def test_the_delay_of_a_force_is_measured(late_s: float) -> None:
    def wave(t: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.cos(12 * t) + 0.3 * np.sin(23 * t)

    t = np.arange(150) / 100
    delay, alike = best_delay(700 + 70 * wave(t - late_s), 2 * wave(t), 100.0)
    assert delay == pytest.approx(late_s, abs=0.002)
    assert alike > 0.98


@pytest.mark.parametrize(("late_s", "word"), [(0.03, "lag"), (-0.03, "lead")])
def test_late_plates_are_seen(
    clean: Result, monkeypatch: pytest.MonkeyPatch, late_s: float, word: str
) -> None:
    t = np.arange(120) / 100
    run = PlateSupport(0, 120, 700 + 70 * np.cos(12 * (t - late_s)), np.cos(12 * t))
    still = PlateSupport(0, 110, np.full(110, 700.0), np.zeros(110))  # the longest counts
    monkeypatch.setattr(timing, "long_runs", lambda _: [run, still])
    (found,) = timing.timing_rules(clean, RULES)
    assert (found.code, found.value) == ("plates-delayed", pytest.approx(0.03, abs=0.002))
    assert f"the plates {word} the markers by" in found.message
    monkeypatch.setattr(timing, "long_runs", lambda _: [])
    assert timing.timing_rules(clean, RULES) == []


@pytest.mark.parametrize("gain", [0.85, 1.15])
def test_scaled_forces_are_held_against_the_mass(as_read: Session, gain: float) -> None:
    found = processed(as_read, lambda r: with_channels(r, lambda p: gain * p.channels))
    (said,) = (f.message for f in found.findings if f.code == "force-against-mass")
    assert ("or an aid carries the rest" in said) == (gain < 1)


def test_a_peak_far_above_the_weight_is_seen(as_read: Session) -> None:
    found = processed(as_read, lambda r: with_channels(r, lambda p: 1.8 * p.channels))
    assert "peak-force" in codes(found)


def swapped(recording: Recording) -> Recording:
    other = {"L": "R", "R": "L"}
    labels = tuple(other.get(name[0], name[0]) + name[1:] for name in recording.labels)
    return replace(recording, labels=labels)


def test_swapped_sides_fail_every_joint(as_read: Session) -> None:
    found = processed(as_read, swapped)
    assert "sides-swapped" in codes(found)
    assert set(joint_verdicts(found).values()) == {"fail"}


def test_who_stands_turned_before_the_walk_has_no_swapped_sides(as_read: Session) -> None:
    """While nobody moves there is no walking direction that left and right could contradict."""
    R_GL = as_read.trial.R_GL
    turn = R_GL.T @ np.array([[-0.5, 0.0, 0.866], [0.0, 1.0, 0.0], [-0.866, 0.0, -0.5]]) @ R_GL

    def stand_first(recording: Recording) -> Recording:
        markers, n = recording.markers_L, 2 * recording.n_frames
        start = np.nanmean(markers[0], axis=0)
        held = np.repeat(((markers[:1] - start) @ turn.T + start), n, axis=0)
        pad = n * len(recording.plates[0].channels) // recording.n_frames
        plates = tuple(
            replace(p, channels=np.pad(p.channels, ((pad, 0), (0, 0)))) for p in recording.plates
        )
        later = n / recording.rate_hz
        events = tuple(replace(e, time_s=e.time_s + later) for e in recording.events)
        markers = np.concatenate((held, markers))
        return replace(recording, markers_L=markers, plates=plates, events=events)

    assert not codes(processed(as_read, stand_first)) & {"sides-swapped", "pelvis-backward"}


def test_who_walks_backward_has_no_swapped_sides(as_read: Session) -> None:
    found = processed(as_read, backward)
    (said,) = [f.message for f in found.findings if f.code == "pelvis-backward"]
    assert "walks backward" in said
    assert not codes(found) & {"sides-swapped", "cop-backward", "cop-still", "cop-across"}
    widths = [q.value for q in gait_parameters(found) if q.name == "step_width"]
    assert widths
    assert min(widths) > 0.0
    for side, middle in (("left", -180.0), ("right", 180.0)):
        turned = found.to_frame()[f"{side}_pelvis_angle_rotation"].dropna()
        assert np.abs(turned - middle).max() < 15.0
        means = [c.values[:, c.names.index("pelvis_angle_rotation")] for c in found.cycle_curves
                 if c.cycle.side == side]  # fmt: skip
        assert np.abs(np.nanmean(means, axis=0) - middle).max() < 15.0
    ahead = process_loaded(as_read, Options()).to_frame()["left_knee_angle_flexion"]
    np.testing.assert_allclose(
        found.to_frame()["left_knee_angle_flexion"], ahead[::-1], atol=1e-6, equal_nan=True
    )


def test_who_walks_sideways_has_no_exchanged_labels(as_read: Session) -> None:
    found = processed(as_read, sideways)
    (said,) = [f.message for f in found.findings if f.code == "pelvis-backward"]
    assert "the person walks sideways" in said


@pytest.mark.parametrize(("early_s", "told"), [(0.1, False), (0.2, True)])
def test_steps_without_double_support_are_told(
    as_read: Session, early_s: float, told: bool
) -> None:
    """A double support of 0.12 s, and foot-offs that are earlier than the true ones."""

    def earlier(recording: Recording) -> Recording:
        events = (
            replace(e, time_s=e.time_s - early_s * (e.kind == "foot_off")) for e in recording.events
        )
        return replace(recording, events=tuple(sorted(events)))

    found = [f for f in processed(as_read, earlier).findings if f.code == "no-double-support"]
    assert bool(found) is told
    if told:
        assert found[0].value == pytest.approx(0.08, abs=0.005)
        assert found[0].message.startswith("both feet are in the air for 0.08 s between steps")


def test_a_swapped_marker_makes_its_side_doubtful_while_it_lasts(as_read: Session) -> None:
    def swap(recording: Recording) -> Recording:
        one, other = recording.labels.index("LKNE"), recording.labels.index("LTIB")
        markers = recording.markers_L.copy()
        middle = slice(recording.n_frames // 2, recording.n_frames // 2 + 30)
        markers[middle, one], markers[middle, other] = (
            recording.markers_L[middle, other],
            recording.markers_L[middle, one],
        )
        return replace(recording, markers_L=markers)

    result = processed(as_read, swap)
    found = [f for f in result.findings if f.code == "segment-length"]
    assert {f.side for f in found} == {"left"}
    assert all(f.start_s is not None and f.stop_s is not None for f in found)
    told = {(f.code, f.side) for f in result.findings if f.code in AUDIT}
    assert ("energy-slip", "left") in told  # the energy itself is known only beside the jump
    assert {side for _, side in told} == {"left"}


def test_a_gap_in_stance_is_seen(as_read: Session, clean: Result) -> None:
    row = int(np.flatnonzero(clean.sides["left"].stance)[0])
    start = next(r for r in range(row, 10_000) if clean.sides["left"].stance[r + 5 : r + 40].all())

    def lose(recording: Recording) -> Recording:
        markers = recording.markers_L.copy()
        markers[start + 10 : start + 35, recording.labels.index("LANK")] = np.nan
        return replace(recording, markers_L=markers)

    (found,) = (f for f in processed(as_read, lose).findings if f.code == "gap-in-stance")
    assert (found.scope, found.side) == ("LANK", "left")
    vendor = processed(as_read, lose, profile="plug-in-gait")  # its markers are not filtered
    (gap,) = (f for f in vendor.findings if f.code == "gap-open")
    assert (gap.scope, gap.level, gap.value) == ("LANK", "warning", 25.0)
    assert gap.message.endswith("left empty there, all of them between visible frames")


@pytest.mark.parametrize(
    ("change", "code", "scope", "side"),
    [
        ({"knee_width_m": 0.135}, "widths-differ", "knee width", None),
        ({"ankle_width_m": 0.055}, "widths-differ", "ankle width", None),
        ({"knee_width_m": 0.25}, "width-implausible", "left knee width", "left"),
        ({"ankle_width_m": 0.035}, "ankle-width-implausible", "left ankle width", "left"),
        ({"device": "ankle-foot orthosis"}, "device", "left", "left"),
    ],
)
def test_the_left_leg_of_the_subject_is_held_against_its_rules(
    clean: Result, change: dict[str, Any], code: str, scope: str, side: str | None
) -> None:
    subject = replace(clean.subject, left=replace(clean.subject.left, **change))
    found = check_result(replace(clean, subject=subject), RULES)
    (told,) = (f for f in found if f.level == "warning" and f.code == code)
    assert (told.scope, told.side) == (scope, side)
    ((name, width),) = change.items()
    if name != "device":
        other = getattr(clean.subject.right, name)
        leg_m = clean.subject.left.leg_length_m
        assert told.value == pytest.approx(width / leg_m if side else abs(width - other))


@pytest.mark.parametrize(
    ("knee_m", "ankle_m", "told"),
    [(0.078, 0.07, True), (0.125, 0.055, True), (0.085, 0.07, False), (0.135, 0.07, False)],
)
def test_a_knee_is_wider_than_an_ankle_but_not_by_more_than_it_can_be(
    clean: Result, knee_m: float, ankle_m: float, told: bool
) -> None:
    wide = {"knee_width_m": knee_m, "ankle_width_m": ankle_m}
    legs = {side: replace(getattr(clean.subject, side), **wide) for side in ("left", "right")}
    found = check_result(replace(clean, subject=replace(clean.subject, **legs)), RULES)
    values = [f.value for f in found if f.code == "knee-ankle-widths"]
    assert values == (pytest.approx([knee_m / ankle_m] * 2) if told else [])


def test_a_width_that_fits_no_leg_is_told_once(clean: Result) -> None:
    narrow = replace(clean.subject.left, knee_width_m=0.06)
    found = check_result(replace(clean, subject=replace(clean.subject, left=narrow)), RULES)
    told = {f.code for f in found if "width" in f.code and f.scope == "left knee width"}
    assert told == {"width-implausible"}


def test_a_device_turns_its_side_alone_to_check(clean: Result) -> None:
    subject = replace(clean.subject, left=replace(clean.subject.left, device="prosthesis"))
    before = joint_verdicts(clean)
    told = check_result(replace(clean, subject=subject), RULES)
    after = joint_verdicts(replace(clean, judged=(*(clean.judged or ()), *told)))
    assert {after[key] for key in after if key[0] == "left"} == {"check"}
    assert {k: v for k, v in after.items() if k[0] == "right"} == {
        k: v for k, v in before.items() if k[0] == "right"
    }


def test_a_device_of_the_subject_file_is_told_in_results_and_report(
    synthetic: Path, tmp_path: Path
) -> None:
    own = tmp_path / "subject.toml"
    own.write_text('[subject.right]\ndevice = "knee-ankle-foot orthosis"\n', encoding="utf-8")
    result = process_trial(synthetic / "walk01.c3d", Options(subject=str(own)))
    folder = ResultsFolder(tmp_path / "walk01")
    document = write_results(folder, result)
    assert document["verdict"] == "check"
    right = [row for row in document["status"] if row["side"] == "right"]
    assert {row["verdict"] for row in right} == {"check"}
    assert all(any(r.startswith("device: right:") for r in row["reasons"]) for row in right)
    left = [row for row in document["status"] if row["side"] == "left"]
    assert not any("device" in reason for row in left for reason in row["reasons"])
    page = tmp_path / "report.html"
    write_report(make_report(pooled([read_trial(folder.path)]), None), [page])
    text = page.read_text(encoding="utf-8")
    assert "right: knee-ankle-foot orthosis, according to the subject file" in text
    assert "interpret the kinetics of this side with care" in text


def test_unequal_legs_and_another_static_are_seen(clean: Result) -> None:
    lengths = clean.calibration.lengths_m
    foot, shank, thigh = lengths["left"]
    long = replace(clean.calibration, lengths_m=lengths | {"left": (foot, 1.2 * shank, thigh)})
    static = clean.static
    assert static is not None
    small = replace(static, markers_L=0.9 * static.markers_L)
    found = check_result(replace(clean, calibration=long, static=small), RULES)
    (unequal,) = (f for f in found if f.code == "lengths-differ")
    assert (unequal.scope, unequal.side) == ("shank", None)
    assert unequal.value == pytest.approx(0.4 / 2.2)  # 1.2 and 1 around their mean
    assert [(f.scope, f.side, f.value) for f in found if f.code == "static-length"] == [
        ("LKNE-LANK", "left", pytest.approx(1 / 0.9 - 1, abs=2e-3)),
        ("RKNE-RANK", "right", pytest.approx(1 / 0.9 - 1, abs=2e-3)),
    ]


def test_an_implausible_moment_fails_its_joint_alone(clean: Result) -> None:
    side = clean.sides["left"]
    assert side.kinetics is not None
    loads = side.kinetics.loads
    moment = loads.moment_S.copy()
    moment[:, 1] *= 30
    heavy = replace(side.kinetics, loads=replace(loads, moment_S=moment))
    result = replace(clean, sides=clean.sides | {"left": replace(side, kinetics=heavy)})
    found = [f for f in check_result(result, RULES) if f.code == "moment-implausible"]
    assert {(f.side, f.joint) for f in found} == {("left", "knee")}


def test_where_there_is_no_reference_of_the_force_it_is_said(clean: Result) -> None:
    blind = {
        name: replace(s, wrench=replace(s.wrench, force_G=np.full_like(s.wrench.force_G, np.nan)))
        for name, s in clean.sides.items()
        if s.wrench is not None
    }
    weighed = check_result(replace(clean, sides=blind), RULES)
    assert "no-force-reference" not in {f.code for f in weighed}
    found = check_result(replace(clean, sides=blind, static_force_n=None), RULES)
    assert "no-force-reference" in {f.code for f in found}


def test_a_mass_that_nobody_knows_is_offered_from_the_force_of_walking(clean: Result) -> None:
    assert clean.subject.mass_kg == 70.0
    unknown = replace(clean, subject=replace(clean.subject, mass_kg=None), static_force_n=None)
    (offered,) = (f for f in check_result(unknown, RULES) if f.code == "mass-from-walking")
    assert offered.level == "info"
    assert offered.value == pytest.approx(70.0, rel=0.03)
    assert f"--mass {offered.value:.1f}" in offered.message
    assert "mass-from-walking" not in {f.code for f in check_result(clean, RULES)}
    run = replace(unknown, task="running")
    assert "mass-from-walking" not in {f.code for f in check_result(run, RULES)}


@pytest.mark.parametrize(("part", "loud"), [(1.0, False), (0.9, True), (1.1, True)])
def test_the_force_of_walking_is_held_against_that_of_the_static(
    clean: Result, part: float, loud: bool
) -> None:
    standing = 70.0 * 9.80665
    assert clean.static_force_n == pytest.approx(standing, rel=1e-3)
    result = replace(clean, static_force_n=part * standing)
    found = {f.code for f in check_result(result, RULES)}
    assert ("force-against-static" in found) == loud
    assert "force-against-mass" not in found


def test_the_audit_of_a_clean_walk_is_within_its_limits(clean: Result) -> None:
    assert set(audit_of(clean)) == {"left", "right"}
    assert audit_of(clean) is audit_of(clean)
    quiet = replace(clean, options=Options(audit=False))
    assert clean.findings == quiet.findings
    assert audit_of(quiet) == {}


@pytest.mark.parametrize(("largest_deg", "loud"), [(1.35, False), (1.38, True)])
def test_the_limit_of_the_windows_grows_with_the_error_in_a_quick_segment(
    clean: Result, largest_deg: float, loud: bool
) -> None:
    """In 50 ms an error at 193 per second grows by a factor e more than one at 173."""
    legs = with_audit(audit_of(clean), {"closure": {"largest_deg": largest_deg}})
    rates = growth_rates(clean)
    assert rates["left"].max() < 173.0  # an adult
    (told,) = audit_rules(legs, RULES, "default", growth_per_s=rates)
    assert told.limit == 0.5
    quick = {side: np.array([300.0, 193.0, 60.0]) for side in legs}
    found = audit_rules(legs, RULES, "default", growth_per_s=quick)
    assert [(f.code, f.scope) for f in found] == [("closure-window", "left shank")] * loud
    assert all(f.limit == pytest.approx(0.5 * np.e) for f in found)


def test_an_error_grows_with_the_pendulum_that_a_foot_is(clean: Result) -> None:
    left = clean.sides["left"].kinetics
    assert left is not None
    chain = left.loads.chain
    length = clean.calibration.lengths_m["left"][0]
    assert growth_rates(clean)["left"][0] ** 2 == pytest.approx(
        70.0 * 9.80665 * length / chain.inertia_S[0, 2, 2]
    )


LIMIT_CASES = {
    "closure-frame": {"angular_acceleration_rad_s2": 1.01e-9},
    "closure-window": {"closure": {"largest_deg": 0.51}},
    "energy-balance": {"energy": {"rest_w": 1.01, "throughput_w": 100.0}},
    "energy-slip": {"energy": {"rms_w": 71.0, "throughput_w": 100.0}},
}


def with_audit(
    legs: dict[str, LegAudit], changes: dict[str, Any], part: float = 1.0
) -> dict[str, LegAudit]:
    """Return the audit with that of the left shank changed, each number as a part of it."""
    leg = legs["left"]
    for name, value in changes.items():
        if isinstance(value, dict):
            own = {key: part * v if key != "throughput_w" else v for key, v in value.items()}
            table = getattr(leg, name)
            leg = replace(leg, **{name: table | {"shank": replace(table["shank"], **own)}})
        else:
            leg = replace(leg, **{name: part * value})
    return legs | {"left": leg}


@pytest.mark.parametrize("code", LIMIT_CASES)
def test_a_number_of_the_audit_above_its_limit_concerns_its_joint(clean: Result, code: str) -> None:
    legs = audit_of(clean)
    (found,) = audit_rules(with_audit(legs, LIMIT_CASES[code]), RULES, "default")
    assert (found.code, found.side) == (code, "left")
    assert found.joint == (None if code == "closure-frame" else "knee")
    assert found.value is not None
    assert found.limit == RULES[code].limit
    assert found.value > RULES[code].bound
    assert audit_rules(with_audit(legs, LIMIT_CASES[code], 0.97), RULES, "default") == []
    judgement = joint_verdicts(replace(clean, judged=(*(clean.judged or ()), found)))
    before, worse = joint_verdicts(clean), "fail" if found.level == "error" else "check"
    for key, said in judgement.items():
        mine = key[0] == "left" and found.joint in (None, key[2])
        assert said == (worse if mine else before[key])


def test_powers_and_angles_of_a_broken_trial_are_told_without_an_exponent(clean: Result) -> None:
    """ "1.5e+02 W of power have no source": noisy markers under a high cut-off."""
    sizes = {"rest_w": 152.0, "rms_w": 118.0, "throughput_w": 100.0}
    legs = with_audit(audit_of(clean), {"energy": sizes, "closure": {"largest_deg": 127.0}})
    told = [found.message for found in audit_rules(legs, RULES, "default")]
    assert len(told) == 3
    for words in ("130 deg off", "150 W of power", "make 120 W, 118 %"):
        assert any(words in message for message in told), told


def test_splines_through_few_frames_balance_less_well(clean: Result) -> None:
    """The error of the derivative of the energy grows with the fourth power of the time step.

    White noise of 1 mm on all markers of real trials gives 0.025 at 60 Hz and 0.03 at 50 Hz.
    """
    said = ["energy-balance"]
    for rest_w, wanted in (
        (1.8, {50.0: [], 60.0: [], 90.0: said}),
        (7.0, {50.0: said, 60.0: said}),
    ):
        legs = with_audit(audit_of(clean), {"energy": {"rest_w": rest_w, "throughput_w": 100.0}})
        found = {rate: audit_rules(legs, RULES, "default", rate) for rate in wanted}
        assert {rate: [f.code for f in fs] for rate, fs in found.items()} == wanted


def test_the_vendors_profile_is_held_to_the_accelerations_alone(clean: Result) -> None:
    for code, changes in LIMIT_CASES.items():
        found = audit_rules(with_audit(audit_of(clean), changes), RULES, "plug-in-gait")
        assert [f.code for f in found] == ([code] if code == "closure-frame" else [])


# ---------------------------------------------------------------- the table


@pytest.mark.parametrize(
    ("code", "limit", "value"),
    [
        ("mass-differs", 0.05, 0.051),
        ("subject-differs", 0.01, 0.011),
        ("plate-baseline", 10.0, 10.1),
        ("event-disagreement", 30.0, 31.0),
        ("cluster-residual", 15.0, 15.1),
    ],
)
def test_what_a_stage_measured_is_judged_by_the_table_alone(
    tmp_path: Path, code: str, limit: float, value: float
) -> None:
    told = Finding("warning", code, "plate 1", "a message", value)
    (found,) = judged(told, RULES)
    assert (found.level, found.limit) == ("warning", limit)
    assert judged(replace(told, value=limit), RULES) == []
    (kept,) = judged(replace(told, level="info", value=limit), RULES)
    assert (kept.level, kept.limit) == ("info", limit)
    own = tmp_path / "own.toml"
    own.write_text(f'[{code}]\nlimit = {2 * limit}\nlevel = "error"\n')
    assert judged(told, load_rules(own)) == []
    (worse,) = judged(replace(told, value=3 * limit), load_rules(own))
    assert worse.level == "error"


@pytest.mark.parametrize(("code", "level"), [("marker-diameter", "warning"), ("no-static", "info")])
def test_information_of_the_stages_takes_the_level_of_a_laboratory(
    tmp_path: Path, code: str, level: Level
) -> None:
    """A diameter that was assumed stayed information. What is less than its rule stays so."""
    told = Finding("info", code, "subject", "a message", 14.0)
    assert judged(told, RULES) == [told]
    own = tmp_path / "own.toml"
    own.write_text(f'[{code}]\nlevel = "warning"\n')
    assert judged(told, load_rules(own)) == [replace(told, level=level)]


def test_a_limit_of_the_stages_is_changed_by_a_laboratory(as_read: Session, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("[plate-baseline]\nlimit = -1.0\n")
    plain = process_loaded(as_read, Options())
    strict = process_loaded(as_read, Options(quality=str(own)))
    assert "plate-baseline" not in codes(plain)
    assert "plate-baseline" in codes(strict)


def test_a_laboratory_changes_limits_and_levels(clean: Result, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[peak-force]\nlimit = 0.9\nlow = 0.0\n[device]\nlevel = "off"\n')
    rules = load_rules(own)
    assert (rules["peak-force"].limit, rules["device"].level) == (0.9, "off")
    assert "peak-force" in {f.code for f in check_result(clean, rules)}


@pytest.mark.parametrize(
    "text",
    [
        "[nothing]\nlimit = 1",
        '[device]\nlevel = "loud"',
        "[device]\nlimit = 2",
        "x =",
        "[gap-filled]\nlimit = 0.5",
        "[peak-force]\nlimit = true",
        "[peak-force]\nlimit = nan",
        "[peak-force]\nlimit = " + "[" * 3000 + "]" * 3000,
        "device = 2",
    ],
)
def test_what_a_table_cannot_say_is_refused(tmp_path: Path, text: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(text)
    with pytest.raises(UsageError, match="--quality own"):
        load_rules(own)


def test_the_shipped_table_is_read_as_a_toml_parser_reads_it() -> None:
    text = (files("gaitdyn") / "resources" / "quality" / "rules.toml").read_text(encoding="utf-8")
    rows = {code: {"code": code, **row} for code, row in tomllib.loads(text).items()}
    told = {code: {key: getattr(RULES[code], key) for key in row} for code, row in rows.items()}
    assert told == rows
    assert list(rows) == [rule.code for rule in RULES.rows]


def test_every_rule_says_why_its_limit_and_what_to_do() -> None:
    for rule in RULES.rows:
        assert rule.what, rule.code
        if rule.where in ("rules", "audit"):
            assert rule.why, rule.code
            assert rule.action, rule.code
            assert rule.source, rule.code


def test_the_page_lists_every_code_with_its_limit_and_what_to_do() -> None:
    page = (Path(__file__).parents[2] / "docs" / "quality.md").read_text(encoding="utf-8")
    for rule in RULES.rows:
        (line,) = (x for x in page.splitlines() if x.startswith(f"| `{rule.code}` |"))
        assert (f"| {rule.level} |" in line) == (rule.where != "status")  # these have no finding
        assert rule.what in line
        assert rule.action in line
        assert rule.limit is None or f"{rule.limit:g}" in line


def test_every_function_of_the_rules_is_asked() -> None:
    """One that its subject no longer lists would be silent, and its own test would not see it."""
    root = Path(__file__).parents[2] / "gaitdyn" / "quality"
    nodes = [
        node
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    ]
    asked = {node.id for node in nodes if isinstance(node, ast.Name)}
    made = {
        node.name
        for node in nodes
        if isinstance(node, ast.FunctionDef) and "rules" in {a.arg for a in node.args.args}
    }
    assert len(made) > 100
    assert made - asked == set()


def test_the_table_has_every_code_that_the_program_finds() -> None:
    root = Path(__file__).parents[2] / "gaitdyn"
    found: set[str] = set()
    for path in root.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r'Finding\(\s*[^,()]+,\s*"([a-z-]+)"', text))
        found |= set(re.findall(r'rules\["([a-z-]+)"\]', text))
    assert len(found) > 30
    assert {code for code in found if not RULES.has(code)} == set()
