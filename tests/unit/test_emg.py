"""Electromyography with known truth: bursts, faults, crossed cables and legs, the clock."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.clean.butterworth import zero_lag_butterworth
from gaitdyn.core.spectral import Spectrum
from gaitdyn.emg.activity import switched_on
from gaitdyn.emg.ensemble import (
    inside,
    largest_over_cycle,
    on_over_cycle,
    over_cycle,
)
from gaitdyn.emg.health import broken_rule, healths
from gaitdyn.emg.maxima import read_maxima
from gaitdyn.emg.panels import emg_panels
from gaitdyn.errors import OptionRefused, UsageError
from gaitdyn.pipeline import process_trial
from gaitdyn.plots.clinic.muscle_grid import key_words, muscle_grid
from gaitdyn.statistics.repeatability import variance_ratio, variation
from gaitdyn.store.document import document_of
from gaitdyn.store.run_lines import run_lines
from gaitdyn.types.emg import Health
from gaitdyn.types.options import Options
from tests.unit.emg_trials import (
    RATE,
    RATIO,
    M,
    both,
    burst,
    emg_of,
    leg,
    muscle_noise,
    phase,
    reason,
    result_verdicts,
    shaped,
    status,
    trial,
)


def test_healthy_channels_are_ok_and_have_the_shape_they_were_made_with():
    result = trial(both())
    assert set(status(result).values()) == {"ok"}
    channels = result.emg().attrs["channels"]
    assert channels["norm_r"].min() > 0.8
    assert {v.word for v in result_verdicts(result)} == {"pass"}


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


@pytest.mark.parametrize("shown_hz", [6.0, 20.0])
def test_a_muscle_is_not_on_far_beyond_its_burst_because_rest_is_quiet(shown_hz):
    """Beside the burst it makes 3 % of it, ten times its rest: as in a child's gastrocnemius."""
    at = phase(M, 0.2, 1)
    corners = [0.0, 0.05, 0.15, 0.25, 0.45, 0.55, 0.75, 0.85, 1.0]
    sizes = [0.003, 0.03, 0.03, 1.0, 1.0, 0.03, 0.03, 0.003, 0.003]
    size = np.interp(at, corners, sizes)
    result = trial({"L Tib Ant": burst(at, 0.6, 0.9, 1), "L Sol": size * muscle_noise(M, 2)})
    options = replace(result.options, emg_envelope_hz=shown_hz)
    soleus = emg_of(replace(result, options=options)).of("left", "soleus")
    on = np.flatnonzero(soleus.on_share > 0.5)
    assert 13 <= on[0] <= 20
    assert 50 <= on[-1] <= 57
    assert len(on) == on[-1] - on[0] + 1


@pytest.mark.parametrize(("part", "order"), [((500, 4000), 1), ((0, 3500), -1)])
def test_on_is_above_the_level_of_rest_and_padding_is_no_rest(part, order):
    """A steady tone is the rest, the burst three times as much; 0.5 s at an end is not recorded."""
    t = np.arange(4000) / 1000.0
    size = np.where(t < 0.5, 0.0, np.where((t >= 2.0) & (t < 2.5), 3.0, 1.0))
    tone = Spectrum((size * np.sin(2 * np.pi * 100.0 * t))[None, ::order], 1000.0)
    on = switched_on(tone, 1000.0, [part])[0, ::order]
    assert on[2050:2450].all()
    assert not on[600:1900].any()
    assert not on[2600:].any()


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_weak_burst_beside_strong_ones_is_on(seed):
    """Rest is 40 dB below the strong bursts; beside them a filter that rings is below zero."""
    t = np.arange(4000) / 1000.0
    size = np.full(t.size, 0.01)
    for start, height in ((0.5, 1.0), (0.9, 1.0), (1.7, 0.25), (2.5, 1.0)):
        size[(t >= start) & (t < start + 0.25)] = height
    spectrum = Spectrum((size * muscle_noise(t.size, seed))[None], 1000.0)
    (on,) = switched_on(spectrum, 1000.0, [(0, 4000)])
    assert on[1720:1930].all()
    assert not on[2100:2400].any()


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
    of_all = np.zeros(1001, bool)  # at both ends half a per cent, 5 and 6 samples, lies in the file
    of_all[:3] = of_all[-4:] = True
    assert np.flatnonzero(on_over_cycle(of_all, 0.0, 1000.0)).tolist() == [0, 100]
    of_all[[2, -4]] = False
    assert not on_over_cycle(of_all, 0.0, 1000.0).any()


def test_the_largest_value_of_each_quarter_of_a_per_cent_is_shown():
    """It is the last sample of a rising signal before the next quarter, the first of a falling."""
    rising, first = np.arange(1000.0), 100.0 + 2.0 * np.arange(400)
    assert largest_over_cycle(rising, 100.0, 900.0).tolist() == [*(first + 1.0)[:-1], 900.0]
    assert largest_over_cycle(-rising, 100.0, 900.0).tolist() == (-first).tolist()
    assert largest_over_cycle(rising, 199.0, 999.0)[-1] == 999.0


def test_a_cycle_may_lie_outside_what_was_recorded_by_one_per_cent():
    cycles = [(99.1, 200.1), (98.9, 200.1), (100.0, 300.9), (100.0, 301.1)]
    assert inside(cycles, (100, 300)) == [True, False, True, False]


def test_the_numbers_of_a_channel_are_those_of_its_tones():
    """The power of a tone is the square of its size; of a sine that is clipped all is known."""
    t, rate = np.arange(8000) / 1000.0, 1000.0
    sizes = {10: 0.5, 50: 0.6, 100: 2.0, 150: 0.8, 180: 0.7, 250: 0.4, 470: 1.0}
    tones = sum(size * np.sin(2 * np.pi * f * t + f) for f, size in sizes.items())
    loud_then_quiet = np.where(t < 4.0, 1.0, 0.01) * np.sin(2 * np.pi * 100.0 * t)
    clipped = np.clip(np.sin(2 * np.pi * 2.0 * t + 0.1), -0.8, 0.8)
    later, late = (np.where(t < begin, 0.0, tones) for begin in (3.0, 4.5))
    raw, banded = np.array([tones, clipped, later, late]), np.array([loud_then_quiet] * 4)
    parts = [(0, 8000), (0, 8000), (3000, 8000), (4500, 8000)]
    found, second, padded, short = healths(raw, banded, rate, parts)
    hum, inside, above, below = 0.36 + 0.64 + 0.16, 1.16 + 4.0 + 0.49, 1.16 + 4.0 + 0.49 + 1.0, 0.25
    for one in (found, padded):
        assert one.hum_hz == 50.0
        assert one.hum_share == pytest.approx(hum / above, abs=1e-3)
        assert one.line_share == pytest.approx(4.0 / inside, abs=1e-3)
        assert one.low_share == pytest.approx(below / (above + below), abs=1e-3)
        assert one.median_frequency_hz == pytest.approx(100.0, abs=1.5)
        assert one.constant_s == 0.001
    assert found.snr_db == pytest.approx(40.0, abs=0.01)
    assert found.kurtosis == pytest.approx(0.5 * (3 / 8) / (0.5 * 0.5 * 1.0001) ** 2, rel=1e-3)
    at_ends = np.pi - 2 * np.arcsin(0.8 - 1e-3 * 1.6)
    assert second.clipped_share == pytest.approx(at_ends / np.pi, abs=2e-3)
    at_end = (np.pi - 2 * np.arcsin(0.8)) / (2 * np.pi * 2.0)
    assert second.constant_s == pytest.approx(at_end, abs=0.0011)
    assert short.constant_s == 4.5
    assert short.snr_db == 0.0


@pytest.mark.parametrize(
    ("numbers", "rate_hz", "code"),
    [
        ({}, 400.0, ""),
        ({}, 399.0, "slow"),
        ({"snr_db": 8.1}, 1000.0, ""),
        ({"snr_db": 7.9}, 1000.0, "noise"),
        ({"snr_db": 14.0, "median_frequency_hz": 194.0}, 1000.0, ""),  # 0.83 of 235 Hz is 195
        ({"snr_db": 14.0, "median_frequency_hz": 196.0}, 1000.0, "noise"),
        ({"snr_db": 14.0, "median_frequency_hz": 196.0}, 2000.0, "noise"),  # the band ends at 450
        ({"snr_db": 16.0, "median_frequency_hz": 196.0}, 1000.0, ""),
        ({"snr_db": 40.0, "median_frequency_hz": 217.0}, 1000.0, "noise"),  # 0.92 of it is 216
        ({"snr_db": 14.0, "median_frequency_hz": 120.0}, 500.0, ""),  # too low to tell
        ({"snr_db": 0.9, "line_share": 0.81}, 1000.0, "tone"),
        ({"snr_db": 1.1, "line_share": 0.81}, 1000.0, "noise"),
        ({"snr_db": 0.9, "line_share": 0.79}, 1000.0, "noise"),
        ({"snr_db": 0.9, "line_share": 0.81, "hum_share": 0.31}, 1000.0, "hum"),
        *(
            ({name: factor * limit}, 1000.0, code if factor > 1.0 else "")
            for name, limit, code in (
                ("clipped_share", 0.01, "clipped"), ("constant_s", 0.1, "flat"),
                ("hum_share", 0.3, "hum"), ("low_share", 0.8, "motion"),
                ("kurtosis", 60.0, "spikes"),
            )
            for factor in (0.99, 1.01)
        ),
        ({"high_share": 0.00099}, 1000.0, "filtered"),
        ({"high_share": 0.00101}, 1000.0, ""),
    ],
)  # fmt: skip
def test_the_first_rule_that_a_channel_breaks_is_told(numbers, rate_hz, code):
    good = Health(0.001, 0.0, 30.0, 90.0, 50.0, 0.0, 0.1, 0.1, 5.0)
    broken = broken_rule(replace(good, **numbers), rate_hz)
    assert ("" if broken is None else broken[0].code) == code


@pytest.mark.parametrize(("samples", "code"), [(90, "short"), (900, "")])
def test_what_was_recorded_for_less_than_a_tenth_of_a_second_is_not_judged(samples, code):
    muscle = shaped("Rect", phase(M, 0.2, 1), 1)[500 : 500 + samples]
    silent, later = np.zeros(samples), np.where(np.arange(samples) < samples // 3, muscle, 0.0)
    raw = np.array([muscle, silent, later])
    parts = [(0, samples), (0, 0), (0, samples // 3)]
    broken = [broken_rule(health, 1000.0) for health in healths(raw, raw, 1000.0, parts)]
    assert ["" if rule is None else rule[0].code for rule in broken] == (
        [code] * 3 if code else ["", "flat", "flat"]
    )


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


def low_passed(signal, cutoff_hz):
    """Return a signal at 1 kHz through a zero-lag filter of 4th order."""
    return zero_lag_butterworth(signal[:, None], cutoff_hz, 1000.0)[:, 0]


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
        (lambda x: low_passed(x, 60.0), "low-passed before export"),
        (lambda x: low_passed(x, 100.0), "low-passed before export"),
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


def test_a_channel_that_is_silent_for_most_of_the_trial_says_for_how_long():
    signals = leg("L")
    signals["L Gast"][:2500] = 0.0
    assert reason(trial(signals), "L Gast") == "flat: one value for 2.50 s"


def test_without_a_speed_the_norm_is_that_of_free_speed_and_said_to_be():
    signals = leg("L")
    signals["L Rect"], signals["L Tib Ant"] = (-signals["L Gast"][::-1], signals["L Tib Ant"])
    result = trial(signals)
    emg = emg_of(result)
    assert emg.group == "unknown"
    assert "at free speed, the leg length or the speed being unknown (r" in reason(result, "L Rect")
    (panel,) = (p for p in emg_panels([emg]) if p.muscle == "gastrocnemius")
    (cell,) = (c for row in muscle_grid([panel]) for c in row if c is not None)
    assert cell.notes[0].endswith(" (free)")
    assert key_words([panel]).endswith(
        "(free: at free speed, as the leg length or the speed is not known)"
    )
    assert key_words([replace(panel, norm_group="slow")]).endswith("correlation with that shape")


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
    (told,) = [f.message for f in result.findings if f.code == "emg-not-recorded"]
    assert told.startswith(
        "no channel of the right leg shows a muscle: whether it was wired is not"
    )
    assert reason(result, "R Rect").startswith("no channel of the right leg shows a muscle; ")


def test_options_for_muscles_without_any_are_told_once(synthetic):
    def told(**options):
        result = process_trial(synthetic / "walk01.c3d", Options(**options))
        return [(f.level, f.message) for f in result.findings if f.code == "emg-option"]

    assert told() == []
    none = "no channel of the file is one of a muscle"
    assert told(emg_notch_hz=50.0) == [("info", f"{none}: emg_notch_hz has no effect")]
    both = told(emg_notch_hz=50.0, emg_envelope_hz=8.0)
    assert both == [("info", f"{none}: emg_envelope_hz, emg_notch_hz have no effect")]
    assert "emg-option" not in {
        f.code for f in trial(leg("L"), options=Options(emg_notch_hz=50.0)).findings
    }


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
    sideless = trial({"Soleus": burst(at, 0.1, 0.5, 1), "L Sol": burst(at, 0.1, 0.5, 2)})
    (unnamed,) = (f for f in sideless.findings if f.code == "emg-unnamed")
    assert unnamed.message.startswith("Soleus: muscle or side is not known")
    assert unnamed.value == 1.0
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


def test_a_damaged_sample_is_a_spike_and_no_overflow():
    signals = leg("L")
    label = next(iter(signals))
    signals[label] = signals[label].copy()
    signals[label][len(signals[label]) // 2] = 1e37
    result = trial(signals)
    assert status(result)[label] == "rejected"


@pytest.mark.parametrize("value", ["nan", "inf", "0", "-1", "true", '"1"', "1" + "0" * 400])
def test_a_maximum_that_scales_nothing_is_refused(tmp_path, value):
    path = tmp_path / "maxima.toml"
    path.write_text(f'"L SOL" = 0.35\n"R TA" = {value}\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"--emg-normalise maxima\.toml: "):
        read_maxima(str(path))
