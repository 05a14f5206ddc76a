"""Rates that disagree, plates that drift, a wrong mass that must hide neither, loads of arms."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.io.plates.reading import _still
from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.rules.balance.physics import FEWEST, whole_force
from gaitdyn.quality.rules.steps import light_alike, steps
from gaitdyn.quality.rules.table import Rules
from gaitdyn.quality.rules.timing import stated_rates
from gaitdyn.quality.upper_loads import plausible_upper, upper_load_rules
from gaitdyn.types.subject import SIDES
from gaitdyn.types.upper import JointWrench, UpperBody, UpperPose
from tests.unit.faulty_walks import codes, processed, with_plates

if TYPE_CHECKING:
    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.contacts import Verdict
    from gaitdyn.types.recording import PlateRecord

RULES = load_rules()


def with_channels(session: Session, change: Any) -> Result:
    return processed(session, with_plates(lambda p: replace(p, channels=change(p))))


def drifting(plate: PlateRecord) -> np.ndarray[Any, Any]:
    channels = plate.channels.copy()
    up = channels[:, 2]
    up += np.linspace(0.0, 0.08, len(channels)) * np.abs(up).max()
    return channels


def test_a_plate_that_drifts_is_told(as_read: Session) -> None:
    assert "plate-drifts" in codes(with_channels(as_read, drifting))
    assert "plate-drifts" not in codes(with_channels(as_read, lambda p: p.channels))


@pytest.mark.parametrize(
    ("channel", "by", "words"),
    [(3, 8.0, "N m of moment"), (4, -8.0, "N m of moment"), (1, 25.0, "N sideways")],
)
def test_a_moment_or_a_sideways_force_that_drifts_is_told(
    as_read: Session, channel: int, by: float, words: str
) -> None:
    """A step of 8 N m in the first third moved the force by 11 mm, and nothing was said."""

    def stepping(plate: PlateRecord) -> np.ndarray[Any, Any]:
        channels = plate.channels.copy()
        channels[len(channels) // 3 :, channel] += by
        return channels

    result = with_channels(as_read, stepping)
    found = [f for f in result.findings if f.code == "plate-drifts"]
    assert found
    assert all(words in f.message for f in found)
    assert all(f.value == pytest.approx(abs(by), rel=0.1) for f in found)


@pytest.mark.parametrize("channel", [0, 1])
def test_a_horizontal_force_that_creeps_is_told_by_the_empty_plate_before_and_after(
    as_read: Session, channel: int
) -> None:
    """A drift of 30 N within a trial leaves an empty plate within 15 N of its baseline."""

    def creeping(plate: PlateRecord) -> np.ndarray[Any, Any]:
        channels = plate.channels.copy()
        channels[:, channel] += np.linspace(0.0, 30.0, len(channels))
        return channels

    result = with_channels(as_read, creeping)
    found = [f for f in result.findings if f.code in ("plate-creeps", "plate-drifts")]
    assert {f.scope for f in found} == {f"plate {c.plate}" for c in result.contacts if c.accepted}
    assert any(f.code == "plate-creeps" and "N sideways before the" in f.message for f in found)
    assert "plate-creeps" not in codes(with_channels(as_read, lambda p: p.channels))


@pytest.mark.parametrize(
    ("channel", "factor", "ms"), [(2, 1.4, 3), (2, 0.0, 33), (0, 4.0, 2), (3, -4.0, 2)]
)
def test_a_spike_or_an_interruption_within_a_step_is_told(
    as_read: Session, channel: int, factor: float, ms: int
) -> None:
    def broken(plate: PlateRecord) -> np.ndarray[Any, Any]:
        channels = plate.channels.copy()
        middle = int(np.abs(channels[:, 2]).argmax())
        changed = slice(None) if factor == 0.0 else channel
        channels[middle : middle + ms, changed] = (
            factor * np.abs(channels[:, channel]).max() if factor else 0.0
        )
        return channels

    assert "force-jumps" in codes(with_channels(as_read, broken))
    assert "force-jumps" not in codes(with_channels(as_read, lambda p: p.channels))


@pytest.mark.parametrize(("ms", "told"), [(20, True), (10, True), (6, False), (2, False)])
def test_forces_in_steps_are_told(as_read: Session, ms: int, *, told: bool) -> None:
    """Each sample of a slow recording was repeated up to the rate of the file."""
    recording = as_read.trial.recording
    per = round(ms * recording.rate_hz * recording.samples_per_frame / 1000.0)

    def in_steps(plate: PlateRecord) -> np.ndarray[Any, Any]:
        return np.repeat(plate.channels[::per], per, axis=0)[: len(plate.channels)]

    def one_channel_in_steps(plate: PlateRecord) -> np.ndarray[Any, Any]:
        return np.column_stack((in_steps(plate)[:, 0], plate.channels[:, 1:]))

    found = [f for f in with_channels(as_read, in_steps).findings if f.code == "force-held"]
    assert bool(found) is told
    assert "force-held" not in codes(with_channels(as_read, one_channel_in_steps))
    assert all(f.value == pytest.approx(ms / 1000.0, rel=0.05) for f in found)


def test_a_plate_that_measures_next_to_nothing_is_told(as_read: Session) -> None:
    hardly = with_channels(as_read, lambda p: 0.04 * p.channels)
    messages = [f.message for f in hardly.findings if f.code == "plate-silent"]
    assert messages
    assert all("N at most while the" in message for message in messages)


@pytest.mark.parametrize(
    ("cameras", "static", "told"),
    [(0.0, 0.0, False), (0.0, 200.0, False), (0.0, 50.0, False), (0.0, 120.0, True),
     (200.0, 0.0, True), (100.0, 0.0, False)],
)  # fmt: skip
def test_a_rate_is_held_against_that_of_cameras_and_static(
    clean: Result, *, cameras: float, static: float, told: bool
) -> None:
    recording = replace(clean.recording, camera_rate_hz=cameras)
    other = replace(clean.recording, rate_hz=static or 100.0)
    result = replace(clean, recording=recording, static=other)
    assert result.recording.rate_hz == 100.0
    assert bool(stated_rates(result, RULES)) is told


def test_a_dead_sensor_of_a_composed_plate_is_told(as_read: Session) -> None:
    result = processed(as_read, with_plates(lambda p: replace(p, kind=4, still=(1,))))
    assert "channel-constant" in codes(result)
    stored = np.random.default_rng(1).normal(size=(50, 6))
    assert _still(stored) == ()
    stored[:, 2] = 4.0
    assert _still(stored) == (3,)
    assert _still(np.zeros((50, 6))) == ()


def test_a_foot_beside_a_plate_never_makes_it_carry_more(as_read: Session) -> None:
    for gain, scope, beside in ((0.85, "subject", True), (1.15, "plates", False)):
        result = with_channels(as_read, lambda p, gain=gain: gain * p.channels)
        (found,) = (f for f in result.findings if f.code == "force-against-mass")
        assert found.scope == scope
        assert ("beside" in found.message) is beside


def test_the_plates_weigh_the_body_where_no_step_is_whole(clean: Result) -> None:
    partial = tuple(replace(c, verdict="partial") for c in clean.contacts)
    mass = clean.subject.mass_kg or 0.0
    heavy = replace(clean, contacts=partial, subject=replace(clean.subject, mass_kg=1.3 * mass))
    whole, known = whole_force(heavy), whole_force(clean)
    assert whole is not None
    assert known is not None
    assert whole.weighed
    assert not known.weighed
    assert whole.known.sum() >= FEWEST
    rows = whole.known & known.known
    np.testing.assert_allclose(whole.force[rows], known.force[rows], atol=0.4)


def test_loads_of_arms_that_nobody_has_are_told_and_emptied(clean: Result) -> None:
    n, mass = clean.recording.n_frames, clean.subject.mass_kg or 0.0
    moment = np.zeros((n, 3))
    moment[n // 2] = (0.0, 6.0 * mass, 0.0)
    eye = np.broadcast_to(np.eye(3), (n, 3, 3))
    still = np.zeros((n, 3))
    one = JointWrench(still, moment, np.zeros(n), eye, eye, np.ones(n, bool))
    calm = replace(one, moment_G=still)
    upper = UpperBody(UpperPose(eye, still, still, None), {}, {"left_shoulder": one, "neck": calm})
    (found,) = upper_load_rules(replace(clean, upper=upper), RULES)
    assert (found.scope, found.side, found.level) == ("left shoulder", "left", "warning")
    shown = plausible_upper(upper, clean, RULES)
    gone = ~shown.joints["left_shoulder"].published
    assert gone[n // 2]
    assert gone.sum() == 61
    assert shown.joints["neck"].published.all()
    marked = replace(clean, options=replace(clean.options, publish_anyway=True))
    assert plausible_upper(upper, marked, RULES).joints["left_shoulder"].published.all()
    (told,) = upper_load_rules(replace(marked, upper=upper), RULES)
    assert found.message.endswith("frames; left empty")
    assert told.message.endswith("frames; published anyway (--publish-anyway)")
    untold: tuple[dict[str, Any], ...] = ({"limit": 10.0}, {"level": "off"})
    for changes in untold:  # what nobody tells is not emptied
        own = Rules({**RULES.by_code, found.code: replace(RULES[found.code], **changes)})
        assert plausible_upper(upper, clean, own).joints["left_shoulder"].published.all()
    run = replace(clean, upper=upper, task="running")  # of larger loads
    assert upper_load_rules(run, RULES) == []
    assert plausible_upper(upper, run, RULES).joints["left_shoulder"].published.all()


@pytest.mark.parametrize(
    ("shares", "verdict", "alike"),
    [
        ((0.75, 0.73), "partial", True),
        ((0.75, 0.40), "partial", False),
        ((None, None), "valid", False),
    ],
)
def test_steps_that_carry_too_little_alike_are_entire(
    clean: Result, shares: tuple[float | None, float | None], verdict: Verdict, *, alike: bool
) -> None:
    one, other = (next(c for c in clean.contacts if c.side == side) for side in SIDES)
    contacts = tuple(
        replace(c, verdict=verdict, light=share)
        for c, share in zip((one, other), shares, strict=True)
    )
    assert light_alike(contacts) == (contacts if alike else ())
    assert light_alike(contacts[:1]) == ()
    found = steps(replace(clean, contacts=contacts))
    whole = verdict == "valid"
    assert {(s.whole, s.entire) for s in found} == {(whole, whole or alike)}
