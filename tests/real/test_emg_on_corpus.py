"""Electromyography of real laboratories: names, status, shapes, a real crossed pair, faults."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.archive.record import read_record
from gaitdyn.emg import find_emg
from gaitdyn.emg.channels import channels_of, unwired
from gaitdyn.errors import NobodyWalks
from gaitdyn.io.recording import read_recording
from gaitdyn.pipeline import process_trial
from gaitdyn.quality.rules.muscles import emg_of
from gaitdyn.types.options import Options
from tests.shared_files import CORPUS, WITH_CORPUS

pytestmark = [pytest.mark.real, WITH_CORPUS]

STATES = {
    "gait/BMC/Gait.c3d": {"ok": 16},
    "gait/BTK-A/PiG_Motion-FlatFoot-Full.c3d": {"ok": 10},
    "gait/BTK-B/PiG_Motion3_FF.c3d": {"not_recorded": 16},
    "gait/BTK-C/FunctionalWalk.c3d": {"not_recorded": 16},
    "gait/BTS-ezc3d/BTS.c3d": {"ok": 8},
    "gait/QCMAS/QCMAS.dynamic.c3d": {"ok": 4, "rejected": 6, "not_recorded": 6},
    "gait/RBWH/bfnd w1.c3d": {"ok": 5, "rejected": 11},
    "gait/Sydney/S4-AMGait03.c3d": {"not_recorded": 8},
    "gait/McGill/HC032A03.c3d": {"ok": 4, "rejected": 2, "not_recorded": 6},
    "emg/walkNorm_NP1010a15.c3d": {"ok": 16},
}
"""File -> how many channels are what, by eye."""


@pytest.mark.parametrize("name", STATES)
def test_channels_have_the_status_that_an_eye_gives_them(name):
    found = channels_of(read_recording(CORPUS / name), Options())
    assert found is not None
    states = [channel.status for channel in unwired(found[0])]
    assert {state: states.count(state) for state in dict.fromkeys(states)} == pytest.approx(
        STATES[name]
    )


@pytest.mark.parametrize("name", ["gait/AUC/CB_Dynamic0003.c3d", "gait/FMC/MH0222_BP06.c3d"])
def test_a_file_of_plates_alone_has_no_candidate(name):
    assert read_recording(CORPUS / name).analog is None


def test_the_crossed_pair_of_a_child_is_named():
    result = process_trial(CORPUS / "gait" / "McGill" / "HC038A11.c3d")
    emg = emg_of(result)
    assert emg is not None
    (sentence,) = emg.crossed
    assert "R Hams" in sentence
    assert "R Gast" in sentence
    states = {c.label.removeprefix("Voltage."): c.status for c in emg.channels}
    assert (states["R Rect"], states["R Tib Ant"]) == ("ok", "ok")
    assert (states["R Hams"], states["R Gast"]) == ("check", "check")
    assert {s for label, s in states.items() if label.startswith("L ")} == {"not_recorded"}
    assert {c.muscle for c in emg.curves} == {"rectus_femoris", "tibialis_anterior"}


def _with_the_other_leg(result):
    """Return a result whose channels of a muscle are exchanged between the legs."""
    emg = emg_of(result)
    assert emg is not None
    named = {(c.side, c.muscle): c.number for c in emg.channels if c.muscle}
    analog = result.recording.analog
    at = {number: i for i, number in enumerate(analog.numbers)}
    samples = analog.samples.copy()
    for (side, muscle), number in named.items():
        if side == "left" and ("right", muscle) in named:
            i, k = at[number], at[named["right", muscle]]
            samples[[i, k]] = samples[[k, i]]
    return replace(
        result, recording=replace(result.recording, analog=replace(analog, samples=samples))
    )


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("BMC/Gait.c3d", 10),
        ("BTS-ezc3d/BTS.c3d", 8),
        ("IST/Gait with EMG.c3d", 4),
        ("McGill/HC032A03.c3d", 4),
        ("QCMAS/QCMAS.dynamic.c3d", 4),
    ],
)
def test_exchanged_legs_are_told_for_all_their_channels_and_no_leg_that_is_right(name, count):
    result = process_trial(CORPUS / "gait" / name)
    recorded, found = emg_of(result), find_emg(_with_the_other_leg(result))
    assert recorded is not None
    assert found is not None
    assert not any("exchanged" in sentence for sentence in recorded.crossed)
    (sentence,) = found.crossed
    assert "left and right are exchanged" in sentence
    told = [c for c in found.channels if c.reason.startswith("crossed legs: it fits")]
    assert len(told) == count
    wired = {c.side for c in told}
    assert not any(c.status == "ok" and c.side in wired for c in found.channels)


def test_forgetting_the_first_frame_would_be_seen():
    result = process_trial(CORPUS / "gait" / "BTK-A" / "PiG_Motion-FlatFoot-Full.c3d")
    assert result.recording.first_frame > 100
    emg = emg_of(result)
    late = replace(result, recording=replace(result.recording, first_frame=1))
    moved = emg_of(replace(late, events=_within(result)))
    assert emg is not None
    assert moved is not None
    right = [c.norm_r for c in emg.channels if c.norm_r is not None and c.status == "ok"]
    wrong = [c.norm_r for c in moved.channels if c.norm_r is not None]
    assert np.median(right) > 0.7
    assert np.median(wrong) < 0.5


def _within(result):
    """Return the events on a clock that is half a stride late."""
    strikes = [e.time_s for e in result.events if e.kind == "foot_strike" and e.side == "left"]
    begin = (result.recording.first_frame - 1) / result.recording.rate_hz
    delay = 0.5 * (strikes[1] - strikes[0]) - begin
    return tuple(replace(e, time_s=e.time_s + delay) for e in result.events)


def test_a_trial_whose_markers_make_no_model_gives_its_muscles_alone(tmp_path):
    lost = tuple((x, f"X{x}") for x in ("LASI", "RASI", "LPSI", "RPSI", "LTHI", "RTHI"))
    path = CORPUS / "gait" / "McGill" / "HC032A18.c3d"
    result = process_trial(path, Options(rename=lost, static="none"))
    assert result.verdict == "fail"
    assert "no-kinematics" in {f.code for f in result.findings if f.level == "error"}
    assert set(result.emg()["muscle"]) >= {"tibialis_anterior", "gastrocnemius"}
    document = result.save(tmp_path / "walk", figures=True, intermediate=True)
    assert {v["word"] for v in document["verdicts"] if v["quantity"] == "kinematics"} == {"fail"}
    result.report(tmp_path / "walk.html")


def test_a_standing_trial_with_events_stays_refused():
    with pytest.raises(NobodyWalks, match="nobody walks"):
        process_trial(CORPUS / "gait" / "McGill" / "HC032A01.c3d")


def test_envelopes_go_into_the_archive_with_the_curves_of_their_cycle(tmp_path):
    result = process_trial(CORPUS / "gait" / "McGill" / "HC032A03.c3d")
    result.save(tmp_path / "walk")
    record = read_record(tmp_path / "walk", sha256="0")
    left = next(c for c in record.cycles if c.side == "left")
    at = [name for name, _ in left.curves].index("emg_gastrocnemius")
    own = emg_of(result)
    assert own is not None
    wanted = own.of("left", "gastrocnemius")
    assert wanted is not None
    assert left.samples[at] == pytest.approx(wanted.envelope[0], rel=1e-6)
    right = next(c for c in record.cycles if c.side == "right")
    assert not any(name.startswith("emg_") for name, _ in right.curves)


def test_what_a_doubtful_muscle_is_like_is_told_in_words():
    """A rectus unlike its norm is not told to be most like a rectus."""
    emg = emg_of(process_trial(CORPUS / "gait" / "McGill" / "HC030A05.c3d"))
    assert emg is not None
    (reason,) = (c.reason for c in emg.channels if "unlike its norm" in c.reason)
    assert reason == "unlike its norm (r 0.06): check cable, position and side"
