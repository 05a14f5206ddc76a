"""Muscles in panels: pooled strides, norms, the unit of an envelope, moments and muscles."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.emg.channels import channels_of
from gaitdyn.emg.curves import mean_envelopes, muscle_curves
from gaitdyn.emg.moments import agonists, contradictions, mean_moment
from gaitdyn.emg.norms import norm_shape
from gaitdyn.emg.panels import emg_panels, shape_changes
from gaitdyn.emg.session import in_session_unit, session_peak
from gaitdyn.io.shipped import shipped_cells
from gaitdyn.report.tables.channels import channels_table
from gaitdyn.report.tables.checklist import checklist
from gaitdyn.statistics.repeatability import variation
from gaitdyn.store.stored import trial_of_result
from gaitdyn.types.cycles import Cycle
from gaitdyn.types.options import Options
from tests.unit.emg_trials import RATIO, M, both, burst, emg_of, leg, phase, trial
from tests.walks import processed


def test_pooled_panels_have_the_norm_of_the_middle_speed_whatever_the_order():
    emg = emg_of(trial(leg("L")))
    trials = [replace(emg, group=group) for group in ("very_fast", "unknown", "slow", "free")]
    for order in (trials, trials[::-1]):
        (panel,) = (p for p in emg_panels(order) if p.muscle == "gastrocnemius")
        assert panel.norm_group == "free"
        shape = norm_shape("medial_gastrocnemius", "free")
        assert shape is not None
        assert panel.norm == pytest.approx(shape.mean * panel.mean.mean())
        assert panel.norm_r == pytest.approx(np.corrcoef(panel.mean, shape.mean)[0, 1])
    name = ["free", "medial_gastrocnemius"]
    rows = [row[3:] for row in shipped_cells("emg/schwartz2008.csv") if row[:2] == name]
    mean, sd = np.array(rows, float).T
    assert panel.norm is not None
    assert panel.norm_sd is not None
    assert panel.norm[::2] / panel.norm[0] == pytest.approx(mean / mean[0])
    assert panel.norm_sd[::2] / panel.norm[::2] == pytest.approx(sd / mean)


def test_the_checklist_tells_the_filters_of_the_muscles():
    """The report said nowhere at how many Hz its envelopes are low-passed."""
    options = Options(emg_band_hz=(10.0, 400.0), emg_envelope_hz=9.0, emg_notch_hz=50.0)
    told = {
        notch: {
            row[0]: row[1] for row in checklist(trial_of_result(trial(leg("L"), 1, given))).rows
        }
        for notch, given in (("no notch filter", Options()), ("notch 50 Hz", options))
    }
    for (notch, rows), band in zip(told.items(), ("20 to 450", "10 to 400"), strict=True):
        assert rows["Electromyography"].startswith(f"band-pass {band} Hz, {notch}, absolute value")
    assert "low-pass 6 Hz" in told["no notch filter"]["Electromyography"]
    assert "low-pass 9 Hz" in told["notch 50 Hz"]["Electromyography"]
    without = replace(trial_of_result(trial(leg("L"))), emg=None)
    assert "Electromyography" not in {row[0] for row in checklist(without).rows}


def test_the_report_has_the_measures_of_each_channel_that_shows_a_muscle():
    """Activity over rest and the likeness of strides stood in emg_channels.csv alone."""
    stored = trial_of_result(trial(leg("L") | {"R Gast": np.zeros(M)}))
    table = channels_table([stored])
    assert stored.emg is not None
    gast = next(c for c in stored.emg.channels if c.label == "L Gast")
    curves = stored.emg.of("left", "gastrocnemius")
    assert curves is not None
    (row,) = (row for row in table.rows if row[1] == "L Gast")
    assert row[2:5] == ("gastrocnemius", "left", "ok")
    assert row[5:7] == (f"{gast.health.snr_db:.0f}", f"{gast.health.median_frequency_hz:.0f}")
    assert row[7:] == tuple(
        f"{x:.2f}" for x in (gast.norm_r, curves.variance_ratio, curves.variation)
    )
    assert "R Gast" not in {row[1] for row in table.rows}
    assert channels_table([replace(stored, emg=None)]).rows == ()


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
    ((together,),) = in_session_unit([emg_of(quiet), emg_of(loud)])[1:]
    for name in ("envelope", "rectified"):
        in_volt = [getattr(curves, name) * curves.scale for curves in (alone, together)]
        np.testing.assert_allclose(*in_volt, rtol=1e-9)
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


def test_a_panel_without_strides_says_why_and_in_how_many_trials():
    emg = emg_of(trial(leg("L")))
    channel = next(c for c in emg.channels if c.muscle == "gastrocnemius")

    def reason(*of_trials: dict[str, Any], times: int = 1) -> str:
        trials = [
            replace(emg, curves=(), channels=(replace(channel, **own),) * times)
            for own in of_trials
        ]
        (panel,) = emg_panels(trials)
        return panel.reason

    flat, brief, hum = (
        {"status": "rejected", "reason": words}
        for words in ("flat: one value for 3.2 s", "flat: one value for 1 s", "mains hum: 50 Hz")
    )
    assert reason(flat, times=2) == "flat: one value for 3.2 s"
    assert reason(flat, brief) == "flat: one value for 3.2 s (in 2 trials)"
    assert reason(flat, hum, hum) == "flat: one value for 3.2 s (in 1 of 3 trials)"
    told = reason({"reason": "60 % of the power lies below 20 Hz"})
    assert told == "no gait cycle of this side is used"  # there may be some that turn


def test_every_agonist_is_a_muscle_of_the_table():
    from gaitdyn.emg.muscle_table import muscle_table

    known = {row.muscle for row in muscle_table()}
    for row in agonists():
        assert set(row.muscles) <= known


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
    without = [replace(first[0], mean=np.zeros(0), strides=0)]
    assert shape_changes(first, without) == shape_changes(without, first) == []


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


def test_one_muscle_of_the_leg_and_joint_is_enough_and_one_that_may_be_on_contradicts_nothing(
    monkeypatch,
):
    percent = np.arange(101)
    (soleus,) = emg_of(trial({"L Sol": burst(phase(M, 0.2, 1), 0.1, 0.3, 1)})).curves

    def curve(begin: int, end: int, muscle: str = "soleus", side: str = "left") -> Any:
        on = np.where((percent >= begin) & (percent <= end), np.ones_like(soleus.on), 0.0)
        return replace(soleus, side=side, muscle=muscle, on=on, envelope=0.2 + on)

    def told(*curves: Any, swing: float = 0.06) -> list[str]:
        moment = np.where((percent >= 10) & (percent <= 40), 1.2, swing)
        monkeypatch.setattr(
            "gaitdyn.emg.moments.mean_moment", lambda *asked: {"ankle": moment}.get(asked[2])
        )
        emg = cast("Any", SimpleNamespace(curves=curves))
        found = contradictions(cast("Any", SimpleNamespace(sides={"left": None})), emg, 20.0)
        return [one.message for one in found]

    on, off = curve(10, 40), curve(0, -1, "gastrocnemius")
    assert not told(on, off)
    assert not told(off, on)
    others = curve(10, 40, side="right"), curve(10, 40, "vastus_medialis")
    (alone,) = told(off, *others)
    assert "10-40 % of the cycle" in alone
    assert "(gastrocnemius)" in alone
    assert not told(off, replace(on, on=np.full_like(on.on, np.nan)))
    long = curve(10, 80)
    assert not told(long, off)  # 0.06 N m/kg is more than a tenth of 0.5
    (idle,) = told(long, off, swing=0.04)
    assert "41-80 % of the cycle" in idle


def test_a_contradiction_goes_on_over_the_strike(monkeypatch):
    percent = np.arange(101)
    emg = emg_of(trial({"L Sol": burst(phase(M, 0.2, 1), 0.1, 0.3, 1)}))
    around = (percent >= 88) | (percent <= 15)
    monkeypatch.setattr(
        "gaitdyn.emg.moments.mean_moment",
        lambda _result, _side, joint: {"hip": np.where(around, 0.9, 0.0)}.get(joint),
    )
    silent = replace(emg.curves[0], muscle="hamstrings", on=np.zeros_like(emg.curves[0].on))
    shown = replace(emg, curves=(silent,))
    (found,) = contradictions(cast("Any", SimpleNamespace(sides={"left": None})), shown, 20.0)
    assert found.percent == 28
    assert found.message.startswith("left hip, 88-100 and 0-15 % of the cycle: extension moment")


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
