"""A split-belt recording of a person and an overground one of the same, and other laboratories."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.errors import GaitdynError
from gaitdyn.io.trial import to_trial
from gaitdyn.pipeline import process_loaded, process_trial
from gaitdyn.stages.session import read_session
from gaitdyn.types.options import Options
from tests.walks import processed

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.real

WALKS = (
    "gait/Sydney/S4-AMGait03.c3d",
    "gait/BTK-C/FunctionalWalk.c3d",
    "gait/BTK-B/PiG_Motion3_FF.c3d",
    "gait/c3d.org-Qualisys/Capture0003.c3d",
    "gait/OpenSim/walking5.c3d",
    "trc/arnold01/arnold01.c3d",
)


def test_the_belts_of_a_recording_at_half_a_metre_a_second(shared: Path) -> None:
    folder = shared / "corpus" / "treadmill"
    static = str(folder / "DM_static_virtual.c3d")
    result = processed(folder / "DM_tm_slow1.c3d", Options(static=static))
    assert [(b.plate, b.sides) for b in result.belts] == [(1, ("left",)), (2, ("right",))]
    for belt, speed in zip(result.belts, (0.506, 0.503), strict=True):
        np.testing.assert_allclose(belt.velocity_G, (-speed, 0.0, 0.0), atol=0.005)
        assert belt.iqr_m_s < 0.004
        assert belt.constant
    verdicts = [c.verdict for c in result.contacts]
    assert (len(verdicts), verdicts.count("valid")) == (17, 15)
    assert sum("is cut by the" in c.reason for c in result.contacts) == 2
    (weighed,) = (f for f in result.findings if f.code == "mass-from-force")
    assert "72.6 kg" in weighed.message
    assert weighed.level == "info"
    table = result.gait_parameters()
    speeds = table[table["quantity"] == "speed"]["value"]
    assert speeds.notna().all()
    assert 0.45 < speeds.min() <= speeds.max() < 0.56
    hips = [s for s in result.status if s.joint == "hip"]
    assert sum(s.status == "ok" for s in hips) >= 13


def test_its_trc_has_the_same_loads_under_other_labels(shared: Path) -> None:
    """Labels are words in the TRC and numbers in the static: clusters are matched by shape.

    What the left belt reads in swing, 4 N m about the vertical, is taken off in both.
    """
    folder = shared / "corpus" / "treadmill"
    how = Options(static=str(folder / "DM_static_virtual.c3d"))
    trc = process_trial(folder / "DM_ngait_tm_slow1_new.trc", how)
    c3d = processed(folder / "DM_tm_slow1.c3d", how)
    told = {f.scope for f in trc.findings if f.code == "landmark-by-shape"}
    assert told == {"left thigh", "left shank", "right thigh", "right shank"}
    one, two = (r.to_frame().filter(regex="_(ankle|knee|hip)_moment_") for r in (trc, c3d))
    assert one.shape[1] == 18
    assert one.notna().sum().min() > 1500
    assert np.sqrt(np.nanmean((one.to_numpy() - two.to_numpy()) ** 2, axis=0)).max() < 0.6


def test_two_strides_of_opensim_s_example_are_on_belts(shared: Path) -> None:
    """2.5 s with one whole step of each foot: every step was partial, "not synchronous"."""
    path = shared / "corpus" / "reference" / "OpenSimID" / "subject01_walk1.trc"
    result = process_trial(path, Options(mass_kg=72.6))
    assert [round(float(-belt.velocity_G[0]), 2) for belt in result.belts] == [1.14, 1.14]
    assert [c.verdict for c in result.contacts].count("valid") == 3
    assert not any(f.code == "load-on-moving-foot" for f in result.findings)
    (weighed,) = (f for f in result.findings if f.code == "mass-from-force")
    assert "72.8 kg" in weighed.message


def test_the_same_person_overground_is_on_the_floor(shared: Path) -> None:
    folder = shared / "corpus" / "treadmill"
    static = str(folder / "DM_static_virtual.c3d")
    result = process_trial(folder / "DM_og1.c3d", Options(static=static, other_person=True))
    assert result.belts == ()


@pytest.mark.parametrize("name", WALKS)
def test_walks_of_other_laboratories_are_on_the_floor(shared: Path, name: str) -> None:
    try:
        result = process_trial(shared / "corpus" / name, Options(mass_kg=70.0))
    except GaitdynError as refused:
        pytest.skip(str(refused))
    assert result.belts == ()


def test_foot_offs_stay_where_the_end_of_the_file_is_cut_off(shared: Path) -> None:
    """The load of a stance that the end cuts was taken for the level of the plate: 39 ms."""
    folder = shared / "corpus" / "treadmill"
    options = Options(static=str(folder / "DM_static_virtual.c3d"))
    session = read_session(folder / "DM_tm_slow1.c3d", options)
    own = session.trial.recording
    n = own.n_frames - 40
    plates = tuple(replace(p, channels=p.channels[: n * own.samples_per_frame]) for p in own.plates)
    cut = to_trial(replace(own, markers_L=own.markers_L[:n], plates=plates), session.trial.R_GL)
    whole, short = (
        [event.time_s for event in result.events if event.kind == "foot_off"]
        for result in (
            processed(folder / "DM_tm_slow1.c3d", options),
            process_loaded(replace(session, trial=cut), options),
        )
    )
    assert short
    np.testing.assert_allclose(short, whole[: len(short)], atol=0.003)
