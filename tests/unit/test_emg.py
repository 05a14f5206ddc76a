"""Electromyography with known truth: bursts, faults, crossed cables and legs, the clock."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from gaitdyn.core.spectral import Spectrum
from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.emg import find_emg
from gaitdyn.emg.activity import switched_on
from gaitdyn.emg.channels import channels_of
from gaitdyn.emg.curves import mean_envelopes, muscle_curves
from gaitdyn.emg.ensemble import inside, on_over_cycle, over_cycle, variance_ratio, variation
from gaitdyn.emg.moments import agonists, contradictions, mean_moment
from gaitdyn.emg.naming import norm_of
from gaitdyn.emg.norms import norm_shape
from gaitdyn.emg.panels import emg_panels, shape_changes
from gaitdyn.emg.session import session_peak
from gaitdyn.emg.shapes import judged_by_shape
from gaitdyn.errors import OptionRefused, UsageError
from gaitdyn.plots.clinic.muscle_grid import key_words, muscle_grid
from gaitdyn.quality.rules.muscles import emg_of as emg_or_none
from gaitdyn.store.document import document_of
from gaitdyn.store.run_lines import run_lines
from gaitdyn.types.cycles import Cycle
from gaitdyn.types.options import Options
from tests.unit.emg_trials import RATE, RATIO, burst, leg, muscle_noise, phase, status, trial
from tests.walks import processed

M = 4500


def both(first_frame: int = 1) -> dict[str, np.ndarray]:
    return leg("L", first_frame) | leg("R", first_frame)


def emg_of(result: Any) -> Any:
    """Return the electromyography of a result that has some."""
    found = emg_or_none(result)
    assert found is not None
    return found


def reason(result, label: str) -> str:
    table = result.emg().attrs["channels"].set_index("label")
    return table.loc[label, "reason"]


def test_healthy_channels_are_ok_and_have_the_shape_they_were_made_with():
    result = trial(both())
    assert set(status(result).values()) == {"ok"}
    channels = result.emg().attrs["channels"]
    assert channels["norm_r"].min() > 0.8
    assert {v.word for v in result_verdicts(result)} == {"pass"}


def result_verdicts(result):
    from gaitdyn.quality.muscles import emg_verdicts

    return emg_verdicts(result)


@pytest.mark.parametrize("first_frame", [1, 73, 1234])
def test_the_first_frame_counts(first_frame):
    result = trial(both(first_frame), first_frame)
    assert set(status(result).values()) == {"ok"}
    table = result.emg()
    one = table[(table.side == "left") & (table.muscle == "gastrocnemius")]
    mean = one.groupby("percent")["envelope"].mean()
    assert 30 <= int(mean.to_numpy().argmax()) <= 50


def test_a_clock_without_its_first_frame_is_noticed():
    signals = both()
    result = trial(signals, 1)
    shifted = [replace(e, time_s=e.time_s + 0.5) for e in result.events if e.time_s < 3.4]
    found = emg_of(replace(result, events=tuple(shifted)))
    assert found.crossed


def test_on_times_of_a_burst_are_found():
    at = phase(M, 0.2, 1)
    result = trial({"L Tib Ant": burst(at, 0.2, 0.5, 1), "L Sol": burst(at, 0.6, 0.9, 2)})
    curves = emg_of(result).of("left", "soleus")
    on = np.flatnonzero(curves.on_share > 0.5)
    assert abs(on[0] - 60) <= 3
    assert abs(on[-1] - 90) <= 3
    assert len(on) == on[-1] - on[0] + 1


def test_on_is_above_the_level_of_rest_and_padding_is_no_rest():
    """A steady tone is the rest, three times as much the burst; the channel began at 0.5 s."""
    t = np.arange(4000) / 1000.0
    size = np.where(t < 0.5, 0.0, np.where((t >= 2.0) & (t < 2.5), 3.0, 1.0))
    tone = Spectrum((size * np.sin(2 * np.pi * 100.0 * t))[None], 1000.0)
    (on,) = switched_on(tone, 1000.0, [(500, 4000)])
    assert on[2050:2450].all()
    assert not on[600:1900].any()
    assert not on[2600:].any()


def test_curves_over_a_cycle_are_read_between_the_samples():
    assert over_cycle(3.0 * np.arange(900.0) - 7.0, 400.25, 800.25) == pytest.approx(
        3.0 * np.linspace(400.25, 800.25, 101) - 7.0
    )
    assert over_cycle(np.arange(5.0), 3.0, 4.0)[[0, 50, 100]] == pytest.approx([3.0, 3.5, 4.0])


def test_a_muscle_is_on_where_it_is_for_most_of_a_per_cent():
    on = np.zeros(1000, bool)  # a per cent of this cycle is 4 samples
    on[546:549] = on[647:650] = on[600] = on[700:800] = True
    found = np.flatnonzero(on_over_cycle(on, 400.0, 800.0)).tolist()
    assert found == [37, 62, *range(76, 100)]


def test_a_cycle_may_lie_outside_what_was_recorded_by_one_per_cent():
    cycles = [(99.1, 200.1), (98.9, 200.1), (100.0, 300.9), (100.0, 301.1)]
    assert inside(cycles, (100, 300)) == [True, False, True, False]


def test_on_is_not_told_where_rest_is_not_quiet():
    at = phase(M, 0.2, 1)
    on = (at > 0.2) & (at < 0.5)
    signal = np.where(on, 2.2, 1.0) * muscle_noise(M, 3)
    curves = emg_of(trial({"L Sol": signal})).of("left", "soleus")
    assert np.isnan(curves.on).all()
    assert np.isfinite(curves.envelope).all()


def test_each_muscle_is_cut_on_its_own_side():
    table = trial(both()).emg()
    left, right = (
        table[table.side == s].groupby("muscle")["cycle"].max() for s in ("left", "right")
    )
    assert set(left) == {4}
    assert set(right) == {3}


@pytest.mark.parametrize(
    ("fault", "word"),
    [
        (lambda x: 1e-7 * np.random.default_rng(5).normal(size=len(x)), "noise"),
        (lambda x: np.clip(x, *np.percentile(x, (2, 98))), "clipped"),
        (lambda x: x + 3 * x.std() * np.sin(2 * np.pi * 50 * np.arange(len(x)) / 1e3), "mains"),
        (lambda x: x + 3 * x.std() * np.sin(2 * np.pi * 150 * np.arange(len(x)) / 1e3), "mains"),
        (lambda x: x + 9 * x.std() * np.sin(2 * np.pi * 3 * np.arange(len(x)) / 1e3), "motion"),
        (lambda x: np.where(np.arange(len(x)) % 1500 == 7, 90 * x.std(), x), "spikes"),
        (lambda x: np.sin(2 * np.pi * 200 * np.arange(len(x)) / 1e3), "tone"),
        (lambda x: 0 * x, "flat"),
        (lambda x: np.where((np.arange(len(x)) > 900) & (np.arange(len(x)) < 1200), 0, x), "flat"),
    ],
)
def test_a_broken_channel_is_left_out_with_its_reason(fault, word):
    signals = both()
    signals["L Gast"] = fault(signals["L Gast"])
    result = trial(signals)
    assert status(result, ["L Gast"]) == {"L Gast": "rejected"}
    assert word in reason(result, "L Gast")
    table = result.emg()
    assert "gastrocnemius" not in set(table[table.side == "left"]["muscle"])
    assert "gastrocnemius" in set(table[table.side == "right"]["muscle"])
    left, right = result_verdicts(result)
    assert (left.word, left.reasons[0]) == ("check", "3 of 4 muscles usable")
    told = "\n".join(run_lines(result, document_of(result)))
    assert "emg check (3 of 4 muscles usable)" in told
    assert "emg pass (4 of 4 muscles usable)" in told
    assert (right.word, right.reasons) == ("pass", ("4 of 4 muscles usable",))


def test_padding_at_the_ends_is_not_flat_and_its_cycle_is_left_out():
    signals = leg("L")
    for signal in signals.values():
        signal[:350] = 0.0
    result = trial(signals)
    assert set(status(result).values()) == {"ok"}
    assert result.emg()["cycle"].min() == 2


def test_without_a_speed_the_norm_is_that_of_free_speed_and_said_to_be():
    signals = leg("L")
    signals["L Rect"], signals["L Tib Ant"] = (-signals["L Gast"][::-1], signals["L Tib Ant"])
    result = trial(signals)
    emg = emg_of(result)
    assert emg.group == "unknown"
    assert "unlike its norm at free speed, the speed being unknown (r" in reason(result, "L Rect")
    (panel,) = (p for p in emg_panels([emg]) if p.muscle == "gastrocnemius")
    (cell,) = (c for row in muscle_grid([panel]) for c in row if c is not None)
    assert cell.notes[0].endswith(" (free)")
    assert key_words([panel]).endswith(" (free: speed unknown)")
    assert key_words([replace(panel, norm_group="slow")]).endswith("correlation with that shape")


def test_pooled_panels_have_the_norm_of_the_middle_speed_whatever_the_order():
    emg = emg_of(trial(leg("L")))
    trials = [replace(emg, group=group) for group in ("very_fast", "unknown", "slow", "free")]
    for order in (trials, trials[::-1]):
        (panel,) = (p for p in emg_panels(order) if p.muscle == "gastrocnemius")
        assert panel.norm_group == "free"
        shape = norm_shape("medial_gastrocnemius", "free")
        assert shape is not None
        assert panel.norm == pytest.approx(shape.mean * panel.mean.mean())


def test_a_leg_that_was_not_wired_is_not_recorded():
    signals = leg("L")
    rng = np.random.default_rng(4)
    signals |= {f"R {w}": 1e-6 * rng.normal(size=M) for w in ("Rect", "Hams", "Gast")}
    result = trial(signals)
    assert set(status(result, ["R Rect", "R Hams", "R Gast"]).values()) == {"not_recorded"}
    words = {v.side: v for v in result_verdicts(result)}
    assert words["left"].word == "pass"
    assert words["right"].word == "check"
    assert "not recorded" in words["right"].reasons[0]
    assert "emg-not-recorded" in {f.code for f in result.findings}


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


def test_the_mean_envelope_is_that_of_the_strides_that_do_not_turn():
    shape = np.repeat([[1.0, 3.0]], 500, axis=1)
    signals = cast("Any", SimpleNamespace(shape=shape, parts=[(0, 1000)]))
    straight, turning = (
        Cycle("left", k + 1, 10.0 + 500 * k, 490.0 + 500 * k, 60.0, turn)
        for k, turn in enumerate((0.0, 60.0))
    )
    found = mean_envelopes(signals, {"left": [straight, turning]}, 1)["left"]
    np.testing.assert_allclose(found, 1.0)
    np.testing.assert_allclose(mean_envelopes(signals, {"left": [turning]}, 1)["left"], 3.0)


def test_the_unit_of_an_envelope_is_that_of_the_straight_strides():
    result = trial(leg("L"))
    cycles = find_cycles(result, "left")
    judged = channels_of(result.recording, result.options)
    assert judged is not None
    channels, signals = judged

    def curve(*turning: int) -> Any:
        given = [replace(c, heading_change_deg=60.0 * (c.number in turning)) for c in cycles]
        return muscle_curves(channels, signals, ({"left": given}, RATIO), result.options)[0]

    plain, turned = curve(), curve(1, 2)
    strides = plain.envelope * plain.scale
    assert plain.scale == pytest.approx(strides.mean(axis=0).max(), rel=1e-12)
    assert turned.scale == pytest.approx(strides[2:].mean(axis=0).max(), rel=1e-12)
    assert turned.scale != plain.scale
    assert turned.turning == (1, 2)
    assert turned.cycles == plain.cycles
    assert turned.variation == pytest.approx(variation(strides[2:]))
    assert session_peak([turned]) == pytest.approx(turned.scale, rel=1e-12)
    both_trials = np.concatenate((strides, strides[2:])).mean(axis=0).max()
    assert session_peak([plain, turned]) == pytest.approx(both_trials, rel=1e-12)
    every = curve(*(c.number for c in cycles))
    assert every.scale == plain.scale
    assert session_peak([every]) == pytest.approx(plain.scale, rel=1e-12)


def test_two_channels_of_a_leg_do_not_make_exchanged_legs():
    signals = {label: one for label, one in _exchanged().items() if label in ("L Hams", "L Gast")}
    assert not any("left and right" in told for told in emg_of(trial(signals)).crossed)


def test_two_channels_of_one_signal_are_doubted_and_neighbours_only_told():
    signals = both()
    signals["L Sol"] = 2.0 * signals["L Gast"] + 1e-7 * muscle_noise(M, 8)
    result = trial(signals)
    assert status(result, ["L Sol", "L Gast"]) == {"L Sol": "check", "L Gast": "check"}
    signals["L Sol"] = 0.45 * signals["L Gast"] + 0.9e-4 * muscle_noise(M, 8)
    signals["L Sol"] *= burst(phase(M, 0.2, 1), 0.1, 0.6, 1) != 0
    assert status(trial(signals), ["L Gast"]) == {"L Gast": "ok"}


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


def test_a_line_for_a_channel_that_is_not_there_is_told_with_the_one_that_was_meant():
    at = phase(M, 0.2, 1)
    given = (("EMG3", "soleus", "left"), ("Sync", "none", ""), ("Voltage.L_EMG2", "vastus", "left"))
    signals = {"Voltage.L_EMG3": burst(at, 0.1, 0.5, 1), "Voltage.L_EMG2": burst(at, 0.6, 0.9, 2)}
    result = trial(signals, options=Options(emg_channels=given))
    (told,) = [f for f in result.findings if f.code == "emg-no-channel"]
    assert told.level == "warning"
    assert told.message == (
        "'EMG3' is named as soleus, and no channel has this label; did you mean 'Voltage.L_EMG3'?"
    )


def test_channels_without_a_name_are_shown_and_on_no_cycle_until_told():
    at = phase(M, 0.2, 1)
    result = trial({"EMG1": burst(at, 0.1, 0.5, 1), "EMG2": burst(at, 0.6, 0.9, 2)})
    assert result.emg().empty
    assert set(status(result).values()) == {"ok"}
    assert "emg-unnamed" in {f.code for f in result.findings}
    told = Options(emg_channels=(("EMG1", "soleus", "left"),))
    again = trial({"EMG1": burst(at, 0.1, 0.5, 1), "EMG2": burst(at, 0.6, 0.9, 2)}, options=told)
    assert set(again.emg()["muscle"]) == {"soleus"}


def test_processed_copies_do_not_make_their_raw_channel_doubtful():
    at = phase(M, 0.2, 1)
    raw = {"L Tib Ant": burst(at, 0.1, 0.5, 1), "L Sol": burst(at, 0.6, 0.9, 2)}
    copies = {"L Tib Ant_HPF": raw["L Tib Ant"], "L Sol_Rect": np.abs(raw["L Sol"])}
    result = trial(raw | copies)
    assert set(status(result)) == set(raw)
    assert status(result)["L Tib Ant"] == status(trial(raw))["L Tib Ant"]
    (told,) = [f for f in result.findings if f.code == "emg-copy"]
    assert (told.level, told.value) == ("info", 2.0)
    assert told.message.startswith(
        "2 channels are processed copies of others, such as L Tib Ant_HPF"
    )


def test_one_is_the_peak_of_the_mean_unless_asked_otherwise(tmp_path):
    signals = leg("L")
    usual = emg_of(trial(signals)).of("left", "gastrocnemius")
    assert usual.mean.max() == pytest.approx(1.0)
    plain = emg_of(trial(signals, options=Options(emg_normalise="none"))).of(
        "left", "gastrocnemius"
    )
    assert plain.scale == 1.0
    assert plain.envelope == pytest.approx(usual.envelope * usual.scale)
    file = tmp_path / "mvc.toml"
    file.write_text('"L Gast" = 0.5\n', encoding="utf-8")
    given = emg_of(trial(signals, options=Options(emg_normalise=str(file))))
    assert given.of("left", "gastrocnemius").scale == 0.5
    assert given.of("left", "hamstrings").mean.max() == pytest.approx(1.0)
    file.write_text('"l gast" = 0.5\n"L Gasr" = 1\n', encoding="utf-8")
    misspelt = trial(signals, options=Options(emg_normalise=str(file)))
    assert emg_of(misspelt).of("left", "gastrocnemius").scale == 0.5
    (finding,) = [f for f in misspelt.findings if f.code == "emg-no-channel"]
    assert finding.message.startswith("'L Gasr' has a maximum, and no channel has this label; did")
    file.write_text('"L Gast" = -1\n', encoding="utf-8")
    with pytest.raises(UsageError, match="wanted a number above zero"):
        emg_of(trial(signals, options=Options(emg_normalise=str(file))))


def test_scale_of_the_signal_changes_no_shape():
    signals = both()
    big = {label: 1e4 * signal + 3.0 for label, signal in signals.items()}
    one, other = (emg_of(trial(s)) for s in (signals, big))
    for a, b in zip(one.curves, other.curves, strict=True):
        assert a.envelope == pytest.approx(b.envelope, abs=1e-6)
    assert [c.status for c in one.channels] == [c.status for c in other.channels]


def test_a_notch_takes_out_the_mains():
    signals = leg("L")
    hum = 2e-5 * np.sin(2 * np.pi * 50 * np.arange(M) / (RATE * RATIO))
    noisy = {label: signal + hum for label, signal in signals.items()}
    left, taken = (
        emg_of(trial(noisy, options=Options(emg_notch_hz=hz, emg_normalise="none")))
        for hz in (None, 50.0)
    )
    rest = [found.of("left", "gastrocnemius").mean.min() for found in (left, taken)]
    assert rest[0] > 5e-6
    assert rest[1] < 0.3 * rest[0]


@pytest.mark.parametrize(
    "words",
    [
        {"emg_band_hz": (450.0, 20.0)},
        {"emg_envelope_hz": 0.0},
        {"emg_normalise": "mvc"},
        {"emg_channels": (("EMG1", "soleus", "up"),)},
    ],
)
def test_settings_that_cannot_be_are_refused(words):
    with pytest.raises(OptionRefused):
        Options(**words)


def test_variance_ratio_and_variation_of_a_textbook_case():
    strides = np.array([[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]])
    # within: 6 deviations of 1; k (n - 1) = 3; in all: mean 3, squares 4 1 0 0 1 4, k n - 1 = 5
    assert variance_ratio(strides) == pytest.approx((6 / 3) / (10 / 5))
    assert variation(strides) == pytest.approx(np.sqrt(2.0) / 3.0)
    assert np.isnan(variance_ratio(strides[:1]))


@pytest.mark.parametrize(("asked", "told"), [((20.0, 600.0), True), ((20.0, 400.0), False)])
def test_a_band_that_the_sampling_rate_cuts_is_told(asked, told):
    result = trial(
        {"EMG1": burst(phase(M, 0.2, 1), 0.1, 0.5, 1)}, options=Options(emg_band_hz=asked)
    )
    found = [f.message for f in result.findings if f.code == "emg-band-cut"]
    assert bool(found) == told
    if told:
        assert "20-600 Hz was requested; 20-450 Hz is used" in found[0]


def test_a_trial_without_model_has_its_verdict_and_survives_the_folder(tmp_path):
    import gaitdyn

    result = trial(both())
    assert result.verdict == "fail"
    document = result.save(tmp_path / "walk")
    assert {v["quantity"] for v in document["verdicts"]} == {"kinematics", "kinetics", "emg"}
    for name in ("timeseries.csv", "contacts.csv", "quality.csv", "emg.csv", "emg_channels.csv"):
        assert (tmp_path / "walk" / name).is_file()
    head = (tmp_path / "walk" / "timeseries.csv").read_text(encoding="utf-8").splitlines()[0]
    assert head == "frame,time_s"
    again = gaitdyn.read_results(tmp_path / "walk")
    assert again.emg().equals(result.emg())
    kept, raw = again.recording.analog, result.recording.analog
    assert kept is not None
    assert raw is not None
    assert kept.samples == pytest.approx(raw.samples)


def test_panels_pool_the_strides_of_trials_in_their_own_unit():
    one = trial(both())
    other = trial({label: 2.0 * signal for label, signal in both().items()})
    (panel,) = [
        p for p in emg_panels([emg_of(one), emg_of(other)])
        if (p.side, p.muscle) == ("left", "gastrocnemius")
    ]  # fmt: skip
    assert panel.strides == 8
    assert panel.norm is not None
    assert panel.mean.max() == pytest.approx(1.0)
    assert panel.sd[panel.mean.argmax()] > 0.2  # half of the strides are twice as large
    assert panel.norm.mean() == pytest.approx(panel.mean.mean())
    assert panel.on_share.shape == (101,)
    assert panel.rectified.shape == (400,)


def test_the_stride_of_a_panel_is_the_one_nearest_to_the_mean():
    emg = emg_of(trial(both()))
    curves = next(c for c in emg.curves if (c.side, c.muscle) == ("left", "gastrocnemius"))
    size = np.array([1.0, 1.1, 5.0])[:, None]
    strides = replace(
        curves,
        cycles=curves.cycles[:3],
        envelope=size * curves.envelope[:1],
        on=curves.on[:3],
        rectified=size * np.ones((3, 400)),
    )
    (panel,) = [
        p for p in emg_panels([replace(emg, curves=(strides,))])
        if (p.side, p.muscle) == ("left", "gastrocnemius")
    ]  # fmt: skip
    largest_mean = size.mean() * curves.envelope[0].max()
    assert panel.rectified[0] == pytest.approx(1.1 / largest_mean)


def test_a_session_is_written_in_the_unit_of_its_own_mean():
    """Strides of one trial are twice as large: they stay so, and the mean of all has the peak 1."""
    from gaitdyn.tables.emg import CURVE_WORDS, rows_of_blocks, session_blocks

    quiet, loud = (trial({"L Sol": size * burst(phase(M, 0.2, 1), 0.3, 0.6, 5)}) for size in (1, 2))
    alone = emg_of(loud).of("left", "soleus")
    rows = rows_of_blocks(session_blocks(("one", "two"), [emg_of(quiet), emg_of(loud)]))
    at = {name: i for i, name in enumerate(("trial", *CURVE_WORDS))}
    assert len(rows[0]) == len(at)
    curves = {
        name: np.array([r[at["envelope"]] for r in rows if r[0] == name]).reshape(-1, 101)
        for name in ("one", "two")
    }
    np.testing.assert_allclose(curves["two"], 2 * curves["one"], rtol=1e-9)
    assert np.concatenate(list(curves.values())).mean(axis=0).max() == pytest.approx(1.0)
    assert alone.envelope.mean(axis=0).max() == pytest.approx(1.0)  # of the trial by itself


def test_a_panel_of_a_broken_channel_has_its_reason_and_no_curve():
    signals = both()
    signals["L Gast"] = 0.0 * signals["L Gast"]
    panels = {(p.side, p.muscle): p for p in emg_panels([emg_of(trial(signals))])}
    assert panels["left", "gastrocnemius"].status == "rejected"
    assert "flat" in panels["left", "gastrocnemius"].reason
    assert not panels["left", "gastrocnemius"].mean.size


def test_a_trial_without_channels_does_not_load_the_room(synthetic):
    import subprocess
    import sys

    code = (
        "import sys; from gaitdyn.pipeline import process_trial\n"
        f"r = process_trial({str(synthetic / 'walk01.c3d')!r}); r.findings; r.verdict\n"
        "print([m for m in sys.modules if m.startswith('gaitdyn.emg')])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_every_agonist_is_a_muscle_of_the_table():
    from gaitdyn.emg.naming import muscle_table

    known = {row.muscle for row in muscle_table()}
    for row in agonists():
        assert set(row.muscles) <= known


def test_samples_that_are_no_numbers_and_very_short_trials_do_no_harm():
    signals = leg("L")
    signals["L Gast"][[100, 2000]] = np.nan
    signals["L Hams"] = np.full(M, np.nan)
    states = status(trial(signals))
    assert (states["L Gast"], states["L Hams"]) == ("ok", "rejected")
    for seconds in (0.05, 0.15, 0.3, 1.3):
        short = trial(leg("L", seconds=seconds))
        assert len(status(short)) == 4


def test_a_slow_channel_holds_no_muscle():
    result = trial(leg("L"))
    slow = replace(result, recording=replace(result.recording, rate_hz=20.0))
    emg = emg_of(replace(slow, events=()))
    assert {c.status for c in emg.channels} == {"rejected"}
    assert "200 Hz" not in emg.channels[0].reason
    assert "too slow" in emg.channels[0].reason


def test_two_sessions_are_compared_in_shape_and_in_time():
    at = phase(M, 0.2, 1)
    first, second = (
        emg_panels([emg_of(trial({"L Sol": size * burst(at, start, start + 0.3, 5)}))])
        for start, size in ((0.3, 1.0), (0.4, 7.0))
    )
    (same,) = shape_changes(first, first)
    assert (same.r, same.lag_percent) == (pytest.approx(1.0), 0)
    (moved,) = shape_changes(first, second)
    assert moved.lag_percent == pytest.approx(10, abs=2)
    assert moved.r < 0.7


def test_the_picture_has_a_panel_a_muscle_and_side_and_says_what_is_not_shown():
    from gaitdyn.plots.figures import figure_sheets
    from gaitdyn.plots.marks import Area, Line, TextLine

    signals = leg("L")
    signals["L Gast"] = 0.0 * signals["L Gast"]
    result = trial(signals)
    marks = figure_sheets(result, [], [])["emg"].marks
    words = [mark.text for mark in marks if isinstance(mark, TextLine)]
    assert "Tibialis anterior" in words
    assert any("flat" in word for word in words)
    assert not any("right" in word for word in words)  # a leg that nobody wired
    assert sum(isinstance(m, Line) and m.name == "left signal" for m in marks) == 3
    assert sum(isinstance(m, Area) and m.name == "band" for m in marks) == 6
    assert any(isinstance(m, Area) and m.name == "norm bar" for m in marks)


@pytest.mark.parametrize(
    ("on", "moment", "said"),
    [
        ((0.2, 0.5), (0.2, 0.5), ""),
        ((0.2, 0.8), (0.3, 0.9), ""),  # each a tenth of the cycle
        ((0.6, 0.9), (0.1, 0.5), "no recorded muscle that makes it is on"),
        ((0.5, 0.9), (0.1, 0.2), "without plantarflexion moment"),
    ],
)
def test_a_moment_without_its_muscle_and_the_reverse_are_told(monkeypatch, on, moment, said):
    percent = np.linspace(0.0, 1.0, 101)
    curve = np.where((percent >= moment[0]) & (percent <= moment[1]), 1.2, 0.0)
    joints = {"ankle": curve}
    monkeypatch.setattr(
        "gaitdyn.emg.moments.mean_moment", lambda _result, _side, joint: joints.get(joint)
    )
    emg = emg_of(trial({"L Sol": burst(phase(M, 0.2, 1), on[0], on[1], 1)}))
    found = contradictions(cast("Any", SimpleNamespace(sides={"left": None})), emg, 20.0)
    assert any(said in one.message for one in found) if said else not found


def test_a_faint_burst_does_not_contradict_a_moment(monkeypatch):
    percent = np.linspace(0.0, 1.0, 101)
    curve = np.where((percent >= 0.1) & (percent <= 0.3), 1.2, 0.0)
    joints = {"ankle": curve}
    monkeypatch.setattr(
        "gaitdyn.emg.moments.mean_moment", lambda _result, _side, joint: joints.get(joint)
    )
    emg = emg_of(trial({"L Sol": burst(phase(M, 0.2, 1), 0.1, 0.3, 1)}))
    (soleus,) = emg.curves
    first, second = (percent >= 0.1) & (percent <= 0.3), (percent >= 0.5) & (percent <= 0.9)
    for size, told in ((0.2, False), (0.5, True)):
        envelope = np.broadcast_to(first + size * second, soleus.envelope.shape)
        on = np.broadcast_to((first | second).astype(float), soleus.on.shape)
        shown = replace(emg, curves=(replace(soleus, envelope=envelope, on=on),))
        found = contradictions(cast("Any", SimpleNamespace(sides={"left": None})), shown, 20.0)
        assert any("without plantarflexion moment" in one.message for one in found) is told


def test_a_stride_with_more_than_a_tenth_unknown_does_not_enter_the_mean_moment(synthetic):
    result = processed(synthetic / "walk01.c3d")
    side, cycle = result.sides["left"], find_cycles(result, "left")[0]
    kinetics = side.kinetics
    assert kinetics is not None
    start, length = int(cycle.start_row), cycle.stop_row - cycle.start_row

    def mean_without(share: float) -> Any:
        published = kinetics.published.copy()
        first = start + int(0.3 * length)
        published[first : first + round(share * length)] = False
        hidden = replace(side, kinetics=replace(kinetics, published=published))
        return mean_moment(replace(result, sides={**result.sides, "left": hidden}), "left", "ankle")

    np.testing.assert_allclose(mean_without(0.2), mean_without(0.5))
    assert np.abs(mean_without(0.05) - mean_without(0.5)).max() > 1e-6


def test_the_mean_moment_has_the_sign_of_the_table(synthetic):
    result = processed(synthetic / "walk01.c3d")
    table = result.cycles().query("side == 'left'").groupby("percent")
    for joint, word in (("ankle", "plantarflexion"), ("knee", "extension"), ("hip", "extension")):
        shown = table[f"{joint}_moment_{word}"].mean()
        ours = mean_moment(result, "left", joint)
        assert ours is not None
        known = np.isfinite(shown.to_numpy())
        assert ours[known] == pytest.approx(shown.to_numpy()[known], abs=0.02)
        side = result.sides["left"]
        assert side.kinetics is not None
        hidden = replace(side.kinetics, published=np.zeros_like(side.kinetics.published))
        sides = result.sides | {"left": replace(side, kinetics=hidden)}
        assert mean_moment(replace(result, sides=sides), "left", joint) is None


def test_a_damaged_sample_is_a_spike_and_no_overflow():
    signals = leg("L")
    label = next(iter(signals))
    signals[label] = signals[label].copy()
    signals[label][len(signals[label]) // 2] = 1e37
    result = trial(signals)
    assert status(result)[label] == "rejected"
