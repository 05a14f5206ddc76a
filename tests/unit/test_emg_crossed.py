"""Crossed cables and exchanged legs in electromyography."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.emg import find_emg
from gaitdyn.emg.muscle_table import norm_of
from gaitdyn.emg.norms import norm_shape
from gaitdyn.emg.shapes import judged_by_shape
from tests.unit.emg_trials import (
    M,
    both,
    burst,
    emg_of,
    leg,
    muscle_noise,
    phase,
    reason,
    result_verdicts,
    status,
    trial,
)


def test_crossed_cables_of_a_leg_are_named():
    signals = both()
    signals["R Hams"], signals["R Gast"] = signals["R Gast"], signals["R Hams"]
    result = trial(signals)
    assert status(result, ["R Hams", "R Gast", "R Rect", "L Hams"]) == {
        "R Hams": "check", "R Gast": "check", "R Rect": "ok", "L Hams": "ok",
    }  # fmt: skip
    (told,) = [f.message for f in result.findings if f.code == "emg-crossed"]
    assert "R Hams" in told
    assert "R Gast" in told


def test_crossed_legs_are_named():
    left, right = leg("L"), leg("R")
    signals = dict(zip(left, right.values(), strict=True))
    signals |= dict(zip(right, left.values(), strict=True))
    result = trial(signals)
    assert "left and right are exchanged" in emg_of(result).crossed[0]
    assert "ok" not in set(status(result).values())


def _exchanged() -> dict[str, np.ndarray]:
    """Return four channels a leg, each with the signals of the other leg."""
    left, right = leg("L"), leg("R")
    signals = dict(zip(left, right.values(), strict=True))
    return signals | dict(zip(right, left.values(), strict=True))


def test_exchanged_legs_are_told_where_one_of_them_has_no_stride():
    for signals, exchanged in ((_exchanged(), True), (both(), False)):
        result = trial(signals)
        strikes = [e for e in result.events if (e.side, e.kind) != ("right", "foot_strike")]
        found = find_emg(replace(result, events=tuple(strikes)))
        assert found is not None
        assert {c.strides for c in found.channels if c.side == "right"} == {0}
        states = {c.status for c in found.channels}
        assert states == ({"check"} if exchanged else {"ok"})
        assert bool(found.crossed) is exchanged


def test_exchanged_legs_are_told_of_weak_channels_too():
    """A rectus that alone is not unlike its own norm (r 0.19) is told with its leg."""
    signals = _exchanged()
    for seed, label in enumerate(signals, 70):
        if "Hams" not in label:
            level = np.abs(signals[label]).mean()
            signals[label] = 0.7 * signals[label] + 2.0 * level * muscle_noise(M, seed)
    found = emg_of(trial(signals))
    assert "left and right are exchanged" in found.crossed[0]
    sound = {c.label: c.reason for c in found.channels if c.status != "rejected"}
    assert set(sound) >= {"R Rect", "R Hams", "R Gast"}
    assert all("it fits the cycles of the other leg" in why for why in sound.values())


def test_legs_whose_channels_fit_both_sides_alike_are_not_exchanged():
    channels = list(emg_of(trial(leg("L"))).channels)
    shapes = []
    for channel in channels:
        shape = norm_shape(norm_of(channel.muscle))
        assert shape is not None
        shapes.append(shape.mean)
    for own, sentences in ((1.0, 0), (-1.0, 1)):
        envelopes = {"left": own * np.array(shapes), "right": np.array(shapes)}
        assert len(judged_by_shape(channels, envelopes, "free")[1]) == sentences


def test_legs_that_hardly_fit_the_other_side_are_not_exchanged():
    channels = list(emg_of(trial(leg("L"))).channels)
    shapes = [shape.mean for c in channels if (shape := norm_shape(norm_of(c.muscle))) is not None]
    wave = np.sin(np.linspace(0.0, 40.0, 101))
    for r, exchanged in ((0.3, False), (0.6, True)):
        alike = []
        for shape in shapes:
            own = (shape - shape.mean()) / np.linalg.norm(shape - shape.mean())
            rest = wave - wave.mean() - (wave - wave.mean()) @ own * own
            alike.append(r * own + np.sqrt(1 - r**2) * rest / np.linalg.norm(rest))
        envelopes = {"left": -np.array(shapes), "right": np.array(alike)}
        told = judged_by_shape(channels, envelopes, "free")[1]
        assert any("left and right are exchanged" in line for line in told) is exchanged


def test_a_channel_of_exchanged_legs_that_fits_its_own_leg_is_not_said_to_fit_the_other():
    signals = _exchanged()
    signals |= {label: one for label, one in both().items() if "Tib Ant" in label}
    result = trial(signals)
    told = "crossed legs: others of its leg fit the other one"
    assert reason(result, "L Tib Ant").startswith(told)
    assert "fits the cycles of the other leg" in reason(result, "L Gast")
    assert "L Tib Ant" not in emg_of(result).crossed[0]


def test_two_channels_of_a_leg_do_not_make_exchanged_legs():
    signals = {label: one for label, one in _exchanged().items() if label in ("L Hams", "L Gast")}
    assert not any("left and right" in told for told in emg_of(trial(signals)).crossed)


def test_two_channels_of_one_signal_are_doubted_and_neighbours_only_told():
    signals = both()
    signals["L Sol"] = 2.0 * signals["L Gast"] + 1e-7 * muscle_noise(M, 8)
    result = trial(signals)
    assert status(result, ["L Sol", "L Gast"]) == {"L Sol": "check", "L Gast": "check"}
    assert "the same signal as L Gast (r 1.00)" in reason(result, "L Sol")
    own = burst(phase(M, 0.2, 1), 0.1, 0.6, 1)
    for ratio, told in ((0.5, True), (0.2, False)):  # r is 0.45 or 0.20
        share = ratio * own.std() / signals["L Gast"].std()
        result = trial(signals | {"L Sol": own + share * signals["L Gast"]})
        assert status(result, ["L Sol", "L Gast"]) == {"L Sol": "ok", "L Gast": "ok"}
        for label, other in (("L Sol", "L Gast"), ("L Gast", "L Sol")):
            assert (f"cross-talk with {other} (r 0.4" in reason(result, label)) is told


def test_a_second_channel_of_a_muscle_is_not_used():
    signals = leg("L")
    at = phase(M, 0.2, 1)
    signals["Left Gastroc"] = burst(at, 0.1, 0.5, 77) + 4e-6 * muscle_noise(M, 78)
    result = trial(signals)
    states = status(result, ["L Gast", "Left Gastroc"])
    assert states == {"L Gast": "ok", "Left Gastroc": "check"}  # the noisier one
    assert "L Gast is used" in reason(result, "Left Gastroc")
    left, _ = result_verdicts(result)
    assert (left.word, left.reasons[0]) == ("pass", "4 of 4 muscles usable")
