"""What is right raises nothing: each of these was reported once although nothing was wrong."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.audit.legs import SPLINE_ENDS, within_runs
from gaitdyn.core.runs import mask_of, runs
from gaitdyn.events.detect import event_rows
from gaitdyn.events.feet import TrialFoot
from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.rules.balance.body_motion import long_runs, supported
from gaitdyn.quality.rules.balance.loads import force_of_walking
from gaitdyn.quality.rules.markers.placement import like_standing
from gaitdyn.quality.rules.plates.channels import channel_rules
from gaitdyn.quality.rules.plates.layout import overlapping
from gaitdyn.quality.rules.plates.places import RAISED_M, _down
from gaitdyn.stages.stances import until_foot_off
from tests.unit.faulty_walks import processed as faulty

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.recording import Recording

RULES = load_rules()


def part_of(start: int, stop: int) -> Callable[[Recording], Recording]:
    def change(r: Recording) -> Recording:
        samples = slice(start * r.samples_per_frame, stop * r.samples_per_frame)
        plates = tuple(replace(p, channels=p.channels[samples]) for p in r.plates)
        markers = r.markers_L[start:stop]
        return replace(r, markers_L=markers, plates=plates, first_frame=r.first_frame + start,
                       outputs={}, analog=None)  # fmt: skip

    return change


def test_a_plate_that_is_loaded_for_most_of_the_trial_is_not_silent(
    as_read: Session, clean: Result
) -> None:
    step = max(clean.contacts, key=lambda c: c.stop - c.start)
    short = faulty(as_read, part_of(step.start - 4, step.stop + 4))
    assert step.plate in {c.plate for c in short.contacts}
    assert "plate-silent" not in {f.code for f in short.findings}


def test_a_heel_that_is_raised_over_a_plate_does_not_stand_on_it() -> None:
    height = np.full(100, 0.04)
    height[60:] += np.linspace(0.0, 3 * RAISED_M, 40)
    height[0] = np.nan
    down = _down(height)
    assert down[1:70].all()
    assert not down[80:].any()
    assert not down[0]
    assert not _down(np.full(5, np.nan)).any()


def test_a_foot_stands_until_the_foot_off_that_its_markers_show(as_read: Session) -> None:
    result = faulty(as_read, lambda r: replace(r, events=(), plates=()))
    count = 0
    for side, leg in result.sides.items():
        own = [event for event in result.events if event.side == side]
        rows = event_rows(own, result.recording)
        foot = TrialFoot(side, *result.feet[side], np.zeros(result.recording.n_frames, bool))
        found = until_foot_off(foot, tuple(own), result.recording, []).stance
        for i, event in enumerate(own[:-1]):
            if (event.kind, own[i + 1].kind) == ("foot_strike", "foot_off"):
                end, off = int(np.ceil(rows[i])), int(rows[i + 1])
                assert leg.stance[end + 1 : off + 1].all()
                assert found[end + 1 : off + 1].all()
                assert not found[end - 1 : end + 1].any()  # the last frames of a cycle
                count += 1
    assert count > 1


@pytest.mark.parametrize(("code", "light", "said"), [("light", 0.8, True), ("late", None, False)])
def test_a_foot_beside_the_plates_says_nothing_of_the_mass(
    clean: Result, code: Any, light: float | None, said: bool
) -> None:
    contacts = tuple(replace(c, verdict="partial", code=code, light=light) for c in clean.contacts)
    heavy = replace(clean.subject, mass_kg=1.2 * (clean.subject.mass_kg or 0.0))
    found = force_of_walking(replace(clean, contacts=contacts, subject=heavy), RULES)
    assert ("force-against-mass" in {f.code for f in found}) is said


def test_a_foot_that_its_markers_may_lift_too_early_is_not_weighed(clean: Result) -> None:
    mass_kg = 1.2 * (clean.subject.mass_kg or 0.0)
    heavy = replace(clean, subject=replace(clean.subject, mass_kg=mass_kg))

    def seconds(result: Result) -> float:
        (found,) = (f for f in force_of_walking(result, RULES) if f.code == "force-against-mass")
        return float(found.message.split(" s of walking")[0].split()[-1])

    by_markers = replace(
        heavy, events=tuple(replace(event, source="kinematic") for event in heavy.events)
    )
    from_file = replace(
        heavy, events=tuple(replace(event, source="file") for event in heavy.events)
    )
    assert seconds(by_markers) == pytest.approx(seconds(from_file) - 0.11, abs=0.11)


def test_a_bent_leg_is_not_compared_with_a_standing_one() -> None:
    angles = {joint: np.zeros((4, 3)) for joint in ("hip", "knee", "ankle")}
    angles["hip"][1, 0], angles["knee"][2, 0], angles["ankle"][3, 0] = 60.0, 70.0, 25.0
    side = SimpleNamespace(angles=angles)
    result: Any = SimpleNamespace(
        task="squat", sides={"left": side}, recording=SimpleNamespace(n_frames=4)
    )
    assert like_standing(result, "left").tolist() == [True, False, False, False]
    assert like_standing(result, None).all()
    assert not like_standing(result, "right").any()  # its angles are not known
    result.task = "walking"
    assert like_standing(result, "left").all()


def test_the_ends_of_a_spline_are_not_a_missing_power() -> None:
    known = np.zeros(30, bool)
    known[3:20], known[25:27] = True, True
    assert runs(within_runs(known[:, None])[:, 0]) == [(3 + SPLINE_ENDS, 20 - SPLINE_ENDS)]


def test_a_force_without_a_plate_has_no_centre_about_which_it_drifts(as_read: Session) -> None:
    def leaning(r: Recording) -> Recording:
        plates = tuple(replace(p, channels=p.channels.copy()) for p in r.plates)
        for plate in plates:
            plate.channels[len(plate.channels) // 3 :, 3] += 8.0
        return replace(r, plates=plates)

    result = faulty(as_read, leaning)
    drifts = [f for f in channel_rules(result, RULES) if f.code == "plate-drifts"]
    assert drifts
    assert all("N m" in f.message for f in drifts)
    plates = tuple(replace(p, virtual=True) for p in result.trial.plates)
    virtual = replace(result, trial=replace(result.trial, plates=plates))
    assert [f for f in channel_rules(virtual, RULES) if f.code == "plate-drifts"] == []


def test_plates_are_named_in_their_order(clean: Result) -> None:
    first, second, *others = clean.trial.plates
    on_it = replace(second, corners_G=first.corners_G)
    for plates in ((first, on_it, *others), (on_it, first, *others)):
        result = replace(clean, trial=replace(clean.trial, plates=plates))
        assert [f.scope for f in overlapping(result, RULES)] == ["plates 1, 2"]


@pytest.mark.parametrize(("turn_deg", "level"), [(30.0, "info"), (8.0, "warning")])
def test_a_plate_that_stands_at_an_angle_is_told_from_one_whose_corners_are_wrong(
    as_read: Session, turn_deg: float, level: str
) -> None:
    def turned(r: Recording, *, channels_too: bool) -> Recording:
        first, *others = r.plates
        arms = first.corners_L - first.corners_L.mean(axis=0)
        normal = np.cross(arms[0], arms[1])
        normal /= np.linalg.norm(normal)
        angle = np.radians(turn_deg)
        corners = np.cos(angle) * arms + np.sin(angle) * np.cross(normal, arms)
        edges = [
            part / np.linalg.norm(part, axis=0)
            for c in (arms, corners)
            for part in [np.stack((c[0] - c[1], c[0] - c[3], np.zeros(3)), axis=1)[:, :2]]
        ]
        R = edges[1].T @ edges[0]  # components in the old edges to those in the new ones
        channels = first.channels.copy()
        if channels_too:
            channels[:, :2] = channels[:, :2] @ R.T
            channels[:, 3:5] = channels[:, 3:5] @ R.T
        corners = corners + first.corners_L.mean(axis=0)
        return replace(r, plates=(replace(first, corners_L=corners, channels=channels), *others))

    def said(result: Result) -> set[str]:
        return {f.level for f in result.findings if f.code == "plates-askew"}

    assert said(faulty(as_read, lambda r: turned(r, channels_too=True))) == {level}
    assert said(faulty(as_read, lambda r: turned(r, channels_too=False))) == {"warning"}


def test_a_foot_that_nobody_sees_may_stand_beside_the_plates(clean: Result) -> None:
    (run, *_) = long_runs(clean)
    hidden = slice(run.start, (run.start + run.stop) // 2)
    off = np.zeros(clean.recording.n_frames, bool)
    for name, side in clean.sides.items():
        assert side.wrench is not None
        heel, toe = (point.copy() for point in clean.feet[name])
        heel[hidden], toe[hidden] = np.nan, np.nan
        feet = clean.feet | {name: (heel, toe)}
        known = mask_of(((r.start, r.stop) for r in supported(replace(clean, feet=feet))), len(off))
        unseen = mask_of([(hidden.start, hidden.stop)], len(off)) & ~side.wrench.in_contact
        assert not (known & unseen).any()
        off |= unseen
    assert off.any()
